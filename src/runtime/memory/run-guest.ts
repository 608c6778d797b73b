import type { Clock } from '../../telemetry/clock.ts';
import type { Console } from '../console.ts';
import type { ExecResult } from '../container-runtime.ts';
import { RuntimeFault } from '../runtime-fault.ts';
import { MemoryProcess } from './memory-process.ts';
import type { MemoryWorkload } from './memory-workload.ts';

/** Docker's words for a command that can't be started; `null` for one that can. */
function refusal([program = '']: readonly string[]): Buffer | null {
  if (MemoryProcess.has(program)) return null;
  const reason = `unable to start container process: exec: "${program}": executable file not found in $PATH: unknown`;
  return Buffer.from(`OCI runtime exec failed: exec failed: ${reason}\r\n`);
}

/**
 * Starts a command beside the workload's main process, and answers a console on it; with a terminal and stdin when it is interactive.
 * Fault: `conflict` when the workload does not run.
 */
export function openGuest(workload: MemoryWorkload, command: readonly string[], interactive: boolean): Console {
  const guest = workload.guest({ tty: interactive, interactive });
  const console = guest.streams.open();
  const words = refusal(command);
  if (words !== null) {
    guest.streams.write('stdout', words);
    guest.streams.end();
    workload.guestEnded(guest);
  } else void guest.run([...command]).finally(() => workload.guestEnded(guest));
  return console;
}

/**
 * Runs a command beside the workload's main process to its end. A program that does not exist answers as Docker 20.10 does: 126
 * and a text. Faults: `conflict` when the workload does not run, `timeout` after the deadline.
 */
export async function runGuest(workload: MemoryWorkload, clock: Clock, command: string[], deadlineMs: number): Promise<ExecResult> {
  const chunks: Buffer[] = [];
  const guest = workload.guest({ tty: false, interactive: false, record: (_stream, bytes) => chunks.push(bytes) });
  try {
    const words = refusal(command);
    if (words !== null) return { output: words, exitCode: 126 };
    const over = new AbortController();
    const running = guest.run(command).finally(() => over.abort());
    const late = clock.sleep(deadlineMs, over.signal).then(() => (over.signal.aborted ? running : null));
    const exitCode = await Promise.race([running, late]);
    if (exitCode === null) throw new RuntimeFault('timeout', `the command did not end within ${deadlineMs} ms`);
    return { output: Buffer.concat(chunks), exitCode };
  } finally {
    guest.signal('KILL');
    workload.guestEnded(guest);
  }
}
