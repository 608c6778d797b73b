import type { ProcessTable } from '../container-runtime.ts';

/**
 * A shell's answer of what /proc says, a line a process: pid, uid, the numbers of `stat` after the name, and the command line with
 * spaces for its zero bytes. The shell itself, whose pid comes first, is left out by `procTable`.
 */
export const readProcScript = [
  'echo "self $$"',
  'read up rest < /proc/uptime; echo "uptime $up"',
  'for d in /proc/[0-9]*; do',
  '  [ -r "$d/stat" ] || continue',
  '  stat=$(cat "$d/stat" 2>/dev/null) || continue',
  '  uid=; while read key value rest; do [ "$key" = Uid: ] && uid=$value && break; done < "$d/status"',
  '  command=$(tr "\\000" " " < "$d/cmdline" 2>/dev/null)',
  '  echo "process $uid $stat"',
  '  echo "command $command"',
  'done',
].join('\n');

/** Ticks a second in `stat`, on every Linux that Kubernetes runs on. */
const ticksASecond = 100;
const pageKilobytes = 4;

interface Process {
  pid: string;
  uid: string;
  parent: string;
  state: string;
  /** Seconds of processor time. */
  time: number;
  /** Seconds since it began. */
  age: number;
  virtualKilobytes: number;
  residentKilobytes: number;
  command: string;
}

/** The table of `ps -ef` or `ps aux`, without the shell that read /proc and what it started. Pure. */
export function procTable(output: string, form: 'ef' | 'aux'): ProcessTable {
  const lines = output.split('\n');
  const self = /^self (\d+)$/.exec(lines[0] ?? '')?.[1];
  const uptime = Number(/^uptime ([\d.]+)/.exec(lines[1] ?? '')?.[1] ?? 0);
  const processes: Process[] = [];
  for (const [index, line] of lines.entries()) {
    const process = line.startsWith('process ') ? processOf(line, lines[index + 1] ?? '', uptime) : null;
    if (process && process.pid !== self && process.parent !== self) processes.push(process);
  }
  return form === 'ef' ? asEf(processes) : asAux(processes);
}

function processOf(line: string, next: string, uptime: number): Process | null {
  const match = /^process (\d*) (\d+) \((.*)\) (\S) (.*)$/.exec(line);
  if (!match) return null;
  const [, uid = '', pid = '', name = '', state = '', rest = ''] = match;
  const numbers = rest.split(' ').map(Number);
  const command = next.replace(/^command ?/, '').trim();
  return {
    pid,
    uid: uid === '0' ? 'root' : uid,
    parent: String(numbers[0] ?? 0),
    state,
    time: ((numbers[10] ?? 0) + (numbers[11] ?? 0)) / ticksASecond,
    age: Math.max(0, uptime - (numbers[18] ?? 0) / ticksASecond),
    virtualKilobytes: Math.round((numbers[19] ?? 0) / 1024),
    residentKilobytes: (numbers[20] ?? 0) * pageKilobytes,
    command: command === '' ? `[${name}]` : command,
  };
}

function asEf(processes: Process[]): ProcessTable {
  return {
    Titles: ['UID', 'PID', 'PPID', 'C', 'STIME', 'TTY', 'TIME', 'CMD'],
    Processes: processes.map((one) => [
      one.uid,
      one.pid,
      one.parent,
      String(Math.min(99, percent(one))),
      age(one),
      '?',
      clockTime(one.time),
      one.command,
    ]),
  };
}

function asAux(processes: Process[]): ProcessTable {
  return {
    Titles: ['USER', 'PID', '%CPU', '%MEM', 'VSZ', 'RSS', 'TTY', 'STAT', 'START', 'TIME', 'COMMAND'],
    Processes: processes.map((one) => [
      one.uid,
      one.pid,
      percent(one).toFixed(1),
      '0.0',
      String(one.virtualKilobytes),
      String(one.residentKilobytes),
      '?',
      one.state,
      age(one),
      clockTime(one.time),
      one.command,
    ]),
  };
}

const percent = ({ time, age: seconds }: Process): number => (seconds > 0 ? Math.floor((time / seconds) * 100) : 0);

/** The node's wall clock is not to be had: how long ago it began. */
const age = ({ age: seconds }: Process): string => `-${clockTime(seconds)}`;

function clockTime(seconds: number): string {
  const two = (number: number) => String(Math.floor(number)).padStart(2, '0');
  return `${two(seconds / 3600)}:${two((seconds % 3600) / 60)}:${two(seconds % 60)}`;
}
