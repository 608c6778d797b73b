import type { V1Status } from '@kubernetes/client-node';
import { RuntimeFault } from '../../runtime-fault.ts';

/** How a command in a Pod ended. */
export interface ExecEnd {
  exitCode: number;
  /** The container runtime's words when the command could not be started, the exit code then being 126; `null` when it ran. */
  error: string | null;
}

/**
 * Reads the Status with which the kubelet ends an exec or attach. A command that can't be started (no such file, not executable) is an
 * end, with Docker's exit code; whatever kept Kubernetes from asking the container at all is thrown as a `RuntimeFault`.
 */
export function execEnd(status: V1Status): ExecEnd {
  if (status.status === 'Success') return { exitCode: 0, error: null };
  const message = status.message ?? '';
  if (status.reason === 'NonZeroExitCode') {
    const code = status.details?.causes?.find(({ reason }) => reason === 'ExitCode')?.message;
    if (code !== undefined && /^\d+$/.test(code)) return { exitCode: Number(code), error: null };
  }
  const [refusal] = /OCI runtime exec failed: .*/s.exec(message) ?? [];
  if (refusal !== undefined) return { exitCode: 126, error: refusal };
  if (saysNotRunning(message)) throw new RuntimeFault('conflict', message);
  if (noKubelet.test(message)) throw new RuntimeFault('unreachable', message);
  if (status.code === 404) throw new RuntimeFault('not-found', message);
  throw new RuntimeFault('failed', message || 'Kubernetes ended the command without saying how.');
}

/** The kubelet's and containerd's ways to say that the container is not there to be asked. */
const notRunning = /container (\S+ )?not found|is in CONTAINER_\w+ state|container is not (created or )?running|cannot exec in a stopped/i;

/** Whether these are the words of a node that was asked for a process in a container that does not run. */
export const saysNotRunning = (message: string): boolean => notRunning.test(message);

/** The API server's way to say that it can't reach the kubelet, or was cut off from it. */
const noKubelet = /error sending request: |error dialing backend: |unable to upgrade connection: .*(dial|timeout|EOF)/i;
