/**
 * What is compared of an engine's container: what Zun told the engine, and what became of it. Names are those of Docker's API; a value
 * that is empty, zero or false counts as absent, as in the recording.
 */
export function engineFacts(container: Record<string, unknown>): Record<string, unknown> {
  const config: Record<string, unknown> = { ...part(container, 'Config'), ...('Cmd' in container ? { Cmd: container.Cmd } : {}) };
  const host = part(container, 'HostConfig');
  const state: Record<string, unknown> = { ...part(container, 'State'), ...('Status' in container ? { Status: container.Status } : {}) };
  const policy = part(host, 'RestartPolicy');
  return {
    Cmd: config.Cmd,
    Entrypoint: config.Entrypoint,
    Env: config.Env,
    Labels: config.Labels,
    // Podman says where a process starts that was told nothing.
    WorkingDir: config.WorkingDir === '/' ? '' : config.WorkingDir,
    Hostname: config.Hostname,
    Tty: config.Tty,
    OpenStdin: config.OpenStdin,
    Healthcheck: config.Healthcheck,
    AutoRemove: host.AutoRemove,
    Privileged: host.Privileged,
    CpuShares: host.CpuShares ?? container.CpuShares,
    Memory: host.Memory ?? container.Memory,
    MemorySwap: host.MemorySwap ?? container.MemorySwap,
    // `no` is what an engine has when it was told nothing.
    RestartPolicy: policy.Name === 'no' ? '' : policy.Name,
    MaximumRetryCount: policy.MaximumRetryCount,
    Status: state.Status,
    Running: state.Running,
    ExitCode: state.ExitCode,
    Health: part(state, 'Health').Status,
    Mounts: Array.isArray(container.Mounts) ? container.Mounts.map((mount) => mount.Destination).sort() : undefined,
  };
}

/** The facts that the recorded part of a container speaks about. */
export function spokenOf(recorded: Record<string, unknown>): Set<string> {
  const members: Record<string, string[]> = {
    Config: ['Cmd', 'Entrypoint', 'Env', 'Labels', 'WorkingDir', 'Hostname', 'Tty', 'OpenStdin', 'Healthcheck'],
    HostConfig: ['AutoRemove', 'Privileged', 'CpuShares', 'Memory', 'RestartPolicy', 'MaximumRetryCount'],
    State: ['Status', 'Running', 'ExitCode', 'Health'],
    RestartPolicy: ['RestartPolicy', 'MaximumRetryCount'],
  };
  return new Set(Object.keys(recorded).flatMap((name) => members[name] ?? [name]));
}

export const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  value === 0 ||
  value === false ||
  (Array.isArray(value) && value.length === 0) ||
  (typeof value === 'object' && !Array.isArray(value) && Object.keys(value).length === 0);

function part(value: Record<string, unknown>, name: string): Record<string, unknown> {
  const found = value[name];
  return typeof found === 'object' && found !== null ? (found as Record<string, unknown>) : {};
}
