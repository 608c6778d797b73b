import type { ProcessTable } from '../container-runtime.ts';
import { RuntimeFault } from '../runtime-fault.ts';

export interface ProcessRow {
  pid: number;
  parent: number;
  command: string;
}

const FULL = ['UID', 'PID', 'PPID', 'C', 'STIME', 'TTY', 'TIME', 'CMD'];
const AUX = ['USER', 'PID', '%CPU', '%MEM', 'VSZ', 'RSS', 'TTY', 'STAT', 'START', 'TIME', 'COMMAND'];

/** The rows as ps(1) of procps prints them for `-ef` (the default), BSD options such as `aux`, or `-o` with columns. */
export function psTable(rows: ProcessRow[], psArgs: string | null): ProcessTable {
  const titles = titlesFor((psArgs ?? '').trim());
  return { Titles: titles, Processes: rows.map((row) => titles.map((title) => cell(row, title))) };
}

function titlesFor(args: string): string[] {
  if (args === '' || /^-[efFlHA]+( -[efFlHA]+)*$/.test(args)) return FULL;
  if (/^-?[auxwf]+$/.test(args)) return AUX;
  const columns = /^(?:-[eA]+ )?-e?o ?([A-Za-z%,]+)$/.exec(args)?.[1];
  if (columns !== undefined)
    return columns.split(',').map((column) => ({ comm: 'COMMAND', args: 'COMMAND' })[column] ?? column.toUpperCase());
  throw new RuntimeFault('invalid', `ps: error: unsupported option ${args}`);
}

function cell(row: ProcessRow, title: string): string {
  const known: Record<string, string> = {
    UID: 'root',
    USER: 'root',
    PID: String(row.pid),
    PPID: String(row.parent),
    C: '0',
    '%CPU': '0.0',
    '%MEM': '0.0',
    VSZ: '2268',
    RSS: '1380',
    STIME: '00:00',
    START: '00:00',
    TTY: '?',
    STAT: 'Ss',
    TIME: '00:00:00',
    CMD: row.command,
    COMMAND: row.command,
  };
  return known[title] ?? '-';
}
