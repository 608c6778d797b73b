import type { ProcessTable } from './container-runtime.ts';
import { RuntimeFault } from './runtime-fault.ts';

/**
 * Refuses a column other than `pid` that is titled PID: with it `ps` would name other processes than those of the workload
 * (Docker's daemon/top_unix.go, validatePSArgs).
 */
export function checkPsArguments(psArguments: string[]): void {
  for (const [, column, title] of psArguments.join(' ').matchAll(/(?<!\w)(\w+)\s*=\s*(\w+)/g)) {
    if (title === 'PID' && column !== 'pid') throw new RuntimeFault('invalid', `specifying "${column}=${title}" is not allowed`);
  }
}

/** The rows of `ps` output whose PID is in `pids`; the last column keeps its spaces (Docker's daemon/top_unix.go, parsePSOutput). */
export function processTable(psOutput: string, pids: Set<number>): ProcessTable {
  const [header = '', ...lines] = psOutput.split('\n');
  const Titles = header.trim().split(/\s+/);
  const pidColumn = Titles.indexOf('PID');
  if (pidColumn === -1) throw new RuntimeFault('invalid', "Couldn't find PID field in ps output");
  const rows = lines.filter((line) => line.trim() !== '').map((line) => columns(line, Titles.length));
  return { Titles, Processes: rows.filter((row) => pids.has(Number(row[pidColumn]))) };
}

function columns(line: string, count: number): string[] {
  const words = line.trim().split(/\s+/);
  if (words.length <= count) return words;
  return [...words.slice(0, count - 1), words.slice(count - 1).join(' ')];
}
