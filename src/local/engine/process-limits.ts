/** Hard limits of a process; `null` = unlimited. */
export interface ProcessLimits {
  openFiles: number | null;
  processes: number | null;
}

/** From the texts of `/proc/self/limits` and `/proc/sys/kernel/pid_max`: Podman lowers its own limit of processes to the latter. */
export function processLimits(limits: string, pidMax: string): ProcessLimits {
  const unlimited = Number.POSITIVE_INFINITY;
  const processes = Math.min(hardLimit(limits, 'Max processes') ?? unlimited, Number.parseInt(pidMax, 10) || unlimited);
  return { openFiles: hardLimit(limits, 'Max open files'), processes: processes === unlimited ? null : processes };
}

function hardLimit(text: string, name: string): number | null {
  const line = text.split('\n').find((candidate) => candidate.startsWith(name)) ?? '';
  const [, hard = 'unlimited'] = line.slice(name.length).trim().split(/\s+/);
  return hard === 'unlimited' ? null : Number(hard);
}
