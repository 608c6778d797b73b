import type { ProcessTable } from '../container-runtime.ts';
import { checkPsArguments, processTable } from '../process-table.ts';
import { RuntimeFault } from '../runtime-fault.ts';
import { procTable, readProcScript } from './proc-table.ts';
import type { RunInWorkload } from './run-in-workload.ts';
import type { WorkloadPlace } from './workload-place.ts';

/**
 * The processes of a workload. The image's own `ps` makes the table, since nobody on the node may be asked; where there is none, or it
 * does not know the common options (BusyBox), the table of `-ef` and `aux` is made from /proc.
 */
export async function workloadTop(
  run: RunInWorkload,
  place: WorkloadPlace,
  psArgs: string | null,
  signal?: AbortSignal,
): Promise<ProcessTable> {
  const words = (psArgs ?? '-ef').split(/\s+/).filter((word) => word !== '');
  checkPsArguments(words);
  const asked = ['ps', ...words];
  const { exitCode, stdout, stderr } = await run(place, asked, { signal });
  const form = formOf(words);
  const titles = (stdout.toString('utf8').split('\n')[0] ?? '').trim().split(/\s+/);
  // BusyBox takes the common options and heeds none of them.
  const isAsAsked = form === null ? titles.includes('PID') : titles.includes(form === 'ef' ? 'PPID' : '%CPU');
  if (exitCode === 0 && isAsAsked) return withoutPs(stdout.toString('utf8'), asked);
  if (form !== null) {
    const proc = await run(place, ['sh', '-c', readProcScript], { signal });
    if (proc.exitCode === 0) return procTable(proc.stdout.toString('utf8'), form);
  }
  const complaint =
    stderr
      .toString('utf8')
      .split('\n')
      .find((line) => line.trim() !== '') ?? 'it has no ps and no shell';
  if (exitCode === 126 || exitCode === 127) {
    throw new RuntimeFault('unsupported', `The image of the container has no program that lists its processes: ${complaint.trim()}`);
  }
  throw new RuntimeFault('invalid', `ps: ${complaint.trim().replace(/^ps: /, '')}`);
}

/** The options that /proc can answer. */
function formOf(words: string[]): 'ef' | 'aux' | null {
  const text = words.join(' ');
  if (/^-?(ef|fe|e -f|A -f)$/.test(text)) return 'ef';
  return /^-?(aux|axu|uax)$/.test(text) ? 'aux' : null;
}

/** Every process of the workload; not the `ps` that was run to see them. */
function withoutPs(output: string, asked: string[]): ProcessTable {
  const pids = output.split('\n').flatMap((line) =>
    line
      .trim()
      .split(/\s+/)
      .filter((word) => /^\d+$/.test(word))
      .map(Number),
  );
  const { Titles, Processes } = processTable(output, new Set(pids));
  return { Titles, Processes: Processes.filter((row) => row.at(-1) !== asked.join(' ')) };
}
