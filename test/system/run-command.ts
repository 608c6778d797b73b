import { type ExecFileOptions, execFile } from 'node:child_process';

/** What a command printed and how it ended. */
export interface CommandResult {
  exitCode: number;
  stdout: string;
  stderr: string;
}

type CommandOptions = Pick<ExecFileOptions, 'cwd' | 'env' | 'timeout' | 'killSignal'>;

/** Runs a program without a shell. Throws when it cannot be started or is ended by a signal or by the timeout, with what it printed. */
export function runCommand(file: string, args: readonly string[], options: CommandOptions = {}): Promise<CommandResult> {
  return new Promise((resolve, reject) => {
    execFile(file, args, { ...options, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      if (error === null) resolve({ exitCode: 0, stdout, stderr });
      else if (typeof error.code === 'number') resolve({ exitCode: error.code, stdout, stderr });
      else reject(new Error(`${file} ${args.join(' ')}: ${error.signal ?? error.message}\n${stdout}${stderr}`, { cause: error }));
    });
  });
}

/** As `runCommand`, for a command that has to end with 0: throws with what it printed when it does not. */
export async function runCommandWell(file: string, args: readonly string[], options: CommandOptions = {}): Promise<CommandResult> {
  const result = await runCommand(file, args, options);
  if (result.exitCode !== 0) throw new Error(`${file} ${args.join(' ')} ended with ${result.exitCode}:\n${result.stdout}${result.stderr}`);
  return result;
}
