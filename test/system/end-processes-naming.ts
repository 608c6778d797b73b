import { readdir, readFile } from 'node:fs/promises';

/** SIGKILL to every process whose command line names a path that is the test's own: an engine's helpers outlive the engine. */
export async function endProcessesNaming(path: string): Promise<void> {
  const processes = (await readdir('/proc')).map(Number).filter((id) => id > 1 && id !== process.pid);
  for (const id of processes) {
    const words = await readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '');
    if (!words.includes(path)) continue;
    try {
      process.kill(id, 'SIGKILL');
    } catch {
      // It ended meanwhile.
    }
  }
}
