import type { ExecResult } from '../container-runtime.ts';

/**
 * Podman's way to say that a command cannot be executed, put into Docker's, which the original passes on (recordings, scenario
 * `exec`): Docker's sentence and line end as the output, exit code 126 for a missing file too. `null` for anything else.
 */
export function execRefusal(output: Buffer, exitCode: number): ExecResult | null {
  if (exitCode !== 126 && exitCode !== 127) return null;
  const [, reason] = /^Error: (?:\w+: )?(exec failed: unable to start container process: .*)/.exec(output.toString('utf8')) ?? [];
  if (reason === undefined) return null;
  const sentence = reason.replace(/: OCI (permission denied|runtime attempted to invoke a command that was not found)$/, '');
  return { output: Buffer.from(`OCI runtime exec failed: ${sentence}: unknown\r\n`), exitCode: 126 };
}

/** The same for what a console hears as it comes: Docker's sentence for Podman's, without the complaint that follows it. */
export function rewordedRefusals(): (bytes: Buffer) => Buffer {
  let isFirst = true;
  let isRefused = false;
  return (bytes) => {
    const refusal = isFirst ? execRefusal(bytes, 127) : null;
    isFirst = false;
    if (refusal) isRefused = true;
    if (isRefused && /^Error: read unixpacket /.test(bytes.toString('latin1'))) return Buffer.alloc(0);
    return refusal?.output ?? bytes;
  };
}
