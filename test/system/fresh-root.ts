import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { type CommandResult, runCommand, runCommandWell } from './run-command.ts';

const script = path.join(import.meta.dirname, '../../tools/fresh-root.sh');

/** A fresh Debian 12 root with Node 20 and npm only and a clean clone of what is committed, in `/root/zun`. */
export interface FreshRoot {
  /** Its folder on this machine. */
  folder: string;
  /** Runs a shell command in the clone; all that it started ends with it. Throws after the timeout. */
  run(command: string, timeoutMilliseconds: number): Promise<CommandResult>;
  /** Starts a shell command in the clone and leaves it running; the caller reads its pipes and ends it, and all it started, with SIGKILL. */
  start(command: string): ChildProcess;
  remove(): Promise<void>;
}

/** Makes the root; the first time on a machine that takes a minute, later seconds. */
export async function freshRoot(): Promise<FreshRoot> {
  const { stdout } = await runCommandWell('sh', [script, 'make']);
  const folder = stdout.trim();
  return {
    folder,
    run: (command, timeout) => runCommand('sh', [script, 'run', folder, command], { timeout, killSignal: 'SIGKILL' }),
    start: (command) => spawn('sh', [script, 'run', folder, command], { stdio: 'pipe' }),
    remove: async () => {
      await runCommandWell('sh', [script, 'remove', folder]);
    },
  };
}
