import type { WorkloadObservation, WorkloadState } from '../container-runtime.ts';
import { containerLabel } from './workload-name.ts';

/** What this adapter reads of `GET /containers/{id}/json`. Engines leave members out, so all are optional. */
export interface InspectedContainer {
  Id?: string;
  Image?: string;
  State?: {
    Status?: string;
    Running?: boolean;
    ExitCode?: number;
    Error?: string;
    OOMKilled?: boolean;
    StartedAt?: string;
    FinishedAt?: string;
    Health?: { Status?: string } | null;
    Pid?: number;
  };
  Config?: {
    Hostname?: string;
    Cmd?: string[] | null;
    /** One text in Podman of Debian 12. */
    Entrypoint?: string[] | string | null;
    Image?: string;
    Tty?: boolean;
    OpenStdin?: boolean;
    Labels?: Record<string, string> | null;
    ExposedPorts?: Record<string, unknown> | null;
    Healthcheck?: { Test?: string[] | null } | null;
  };
  HostConfig?: { Runtime?: string; NetworkMode?: string };
  NetworkSettings?: { Networks?: Record<string, InspectedEndpoint> | null; Ports?: Record<string, unknown> | null };
}

export interface InspectedEndpoint {
  IPAddress?: string;
  GlobalIPv6Address?: string;
  MacAddress?: string;
}

/** The observation, or `null` for a container that is not Zun's. */
export function observation(container: InspectedContainer): WorkloadObservation | null {
  const uuid = container.Config?.Labels?.[containerLabel];
  if (uuid === undefined) return null;
  const runtime = container.HostConfig?.Runtime ?? '';
  return {
    uuid,
    engineId: container.Id ?? '',
    state: workloadState(container),
    hostname: container.Config?.Hostname || null,
    command: words(container.Config?.Cmd),
    entrypoint: words(container.Config?.Entrypoint),
    ports: exposedPorts(container),
    addresses: addresses(container),
    image: container.Config?.Image ?? container.Image ?? '',
    // Podman's Docker API says "oci" whatever the runtime is.
    runtime: runtime === '' || runtime === 'oci' ? null : runtime,
  };
}

function words(value: string[] | string | null | undefined): string[] {
  return typeof value === 'string' ? value.split(' ') : (value ?? []);
}

function workloadState(container: InspectedContainer): WorkloadState {
  const state = container.State ?? {};
  return {
    status: workloadStatus(state.Status ?? ''),
    exitCode: state.ExitCode ?? 0,
    error: state.Error ?? '',
    oomKilled: state.OOMKilled ?? false,
    startedAt: epochMilliseconds(state.StartedAt),
    finishedAt: epochMilliseconds(state.FinishedAt),
    health: health(container.State?.Health?.Status, container.Config?.Healthcheck?.Test),
  };
}

/** Podman's own words beside Docker's: a container being stopped still runs; one whose cleanup is pending has ended. */
function workloadStatus(status: string): WorkloadState['status'] {
  switch (status) {
    case 'running':
    case 'paused':
    case 'restarting':
    case 'removing':
    case 'exited':
    case 'dead':
      return status;
    case 'stopping':
      return 'running';
    case 'stopped':
      return 'exited';
    default:
      return 'created';
  }
}

function health(status: string | undefined, test: string[] | null | undefined): WorkloadState['health'] {
  if (status === 'starting' || status === 'healthy' || status === 'unhealthy') return status;
  const checked = (test?.length ?? 0) > 0 && test?.[0] !== 'NONE';
  return checked ? 'starting' : null;
}

/** Docker's zero time is year 1; Podman's too, except that it was seen as the Unix epoch's negative in old versions. */
function epochMilliseconds(time: string | undefined): number | null {
  if (time === undefined || time === '' || time.startsWith('0001-')) return null;
  const parsed = Date.parse(time);
  return Number.isNaN(parsed) ? null : parsed;
}

/** Zun's docker/driver.py `_populate_hostname_and_ports`. Podman tells exposed ports in the network settings only. */
function exposedPorts(container: InspectedContainer): number[] {
  const declared = container.Config?.ExposedPorts ?? container.NetworkSettings?.Ports ?? {};
  return [...new Set(Object.keys(declared).map((port) => Number.parseInt(port, 10)))].filter(Number.isInteger);
}

function addresses(container: InspectedContainer): WorkloadObservation['addresses'] {
  const networks = Object.entries(container.NetworkSettings?.Networks ?? {}).filter(([name]) => name !== 'none' && name !== 'host');
  return Object.fromEntries(
    networks.map(([name, endpoint]) => [
      name,
      { ipv4: endpoint.IPAddress || null, ipv6: endpoint.GlobalIPv6Address || null, mac: endpoint.MacAddress || null },
    ]),
  );
}
