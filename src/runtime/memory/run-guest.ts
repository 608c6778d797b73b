import type { Clock } from '../../telemetry/clock.ts';
import type { ExecResult } from '../container-runtime.ts';
import { RuntimeFault } from '../runtime-fault.ts';
import { MemoryProcess } from './memory-process.ts';
import type { MemoryWorkload } from './memory-workload.ts';

/**
 * Runs a command beside the workload's main process to its end. A program that does not exist answers as Docker 20.10 does: 126
 * and a text. Faults: `conflict` when the workload does not run, `timeout` after the deadline.
 */
export async function runGuest(workload: MemoryWorkload, clock: Clock, command: string[], deadlineMs: number): Promise<ExecResult> {
  const chunks: Buffer[] = [];
  const guest = workload.guest((_stream, bytes) => chunks.push(bytes));
  try {
    const program = command[0] ?? '';
    if (!MemoryProcess.has(program)) {
      const words = `OCI runtime exec failed: exec failed: unable to start container process: exec: "${program}": executable file not found in $PATH: unknown\r\n`;
      return { output: Buffer.from(words), exitCode: 126 };
    }
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
