import type { Healthcheck, WorkloadSpec } from '../container-runtime.ts';
import { endpointConfig } from './endpoint-config.ts';
import type { EngineTarget } from './engine-target.ts';
import { resourceLimits } from './resource-limits.ts';
import { containerLabel, workloadName } from './workload-name.ts';

/** A bind mount of a file that holds a `content` mount's bytes. */
export interface ContentBind {
  source: string;
  destination: string;
}

/**
 * The body of `POST /containers/create`, after Zun's docker/driver.py `create`. Engines before API 1.44 take one network at
 * create: the first of the spec; the caller connects the others. `emptyNetworkMode` is the mode of a workload without networks.
 * The containers of a capsule have their sandbox's hostname: Docker takes it over with the network, Podman where that is asked for.
 */
export function containerBody(
  spec: WorkloadSpec,
  contents: ContentBind[],
  emptyNetworkMode: string,
  kind: EngineTarget['kind'] = 'docker',
): Record<string, unknown> {
  const first = spec.networks[0];
  return {
    Image: spec.image,
    Labels: { ...spec.labels, [containerLabel]: spec.uuid },
    Env: Object.entries(spec.environment).map(([name, value]) => `${name}=${value}`),
    Tty: spec.tty,
    OpenStdin: spec.interactive,
    StdinOnce: false,
    AttachStdout: true,
    AttachStderr: true,
    ...(spec.command === null ? {} : { Cmd: spec.command }),
    ...(spec.entrypoint === null ? {} : { Entrypoint: spec.entrypoint }),
    ...(spec.workdir === null ? {} : { WorkingDir: spec.workdir }),
    ...(spec.hostname === null ? {} : { Hostname: spec.hostname }),
    ...(spec.healthcheck === null ? {} : { Healthcheck: healthConfig(spec.healthcheck) }),
    // Ports belong to the sandbox's network; the engine refuses them here.
    ...(spec.exposedPorts.length === 0 || spec.sandbox !== undefined
      ? {}
      : { ExposedPorts: Object.fromEntries(spec.exposedPorts.map((port) => [port, {}])) }),
    // Below API 1.44 Docker reads the first interface's address here only.
    ...(first?.mac == null ? {} : { MacAddress: first.mac }),
    HostConfig: {
      ...hostConfig(spec, contents, emptyNetworkMode),
      ...(spec.sandbox === undefined || kind === 'docker' ? {} : { UTSMode: `container:${workloadName(spec.sandbox)}` }),
    },
    ...(first === undefined ? {} : { NetworkingConfig: { EndpointsConfig: { [first.engineNetwork]: endpointConfig(first) } } }),
  };
}

function hostConfig(spec: WorkloadSpec, contents: ContentBind[], emptyNetworkMode: string): Record<string, unknown> {
  const volumes = spec.mounts.flatMap((mount) =>
    mount.kind === 'volume' ? [{ Type: 'volume', Source: mount.source, Target: mount.destination, ReadOnly: mount.readOnly }] : [],
  );
  const files = contents.map((bind) => ({ Type: 'bind', Source: bind.source, Target: bind.destination }));
  return {
    ...namespaceModes(spec, emptyNetworkMode),
    Privileged: spec.privileged,
    AutoRemove: spec.autoRemove,
    // The engine refuses a policy together with auto-remove, "no" included.
    ...(spec.autoRemove && spec.restartPolicy.name === 'no' ? {} : { RestartPolicy: restartPolicy(spec) }),
    ...(volumes.length + files.length === 0 ? {} : { Mounts: [...volumes, ...files] }),
    ...(spec.runtime === null ? {} : { Runtime: spec.runtime }),
    ...(spec.diskGiB === 0 ? {} : { StorageOpt: { size: `${spec.diskGiB}G` } }),
    ...resourceLimits({
      ...(spec.cpu === null ? {} : { cpu: spec.cpu }),
      ...(spec.memoryMiB === null ? {} : { memoryMiB: spec.memoryMiB }),
    }),
  };
}

function namespaceModes(spec: WorkloadSpec, emptyNetworkMode: string): Record<string, string> {
  if (spec.sandbox !== undefined) {
    const mode = `container:${workloadName(spec.sandbox)}`;
    return { NetworkMode: mode, IpcMode: mode };
  }
  return {
    NetworkMode: spec.networks[0]?.engineNetwork ?? emptyNetworkMode,
    ...(spec.sharesNamespaces ? { IpcMode: 'shareable' } : {}),
  };
}

function restartPolicy({ restartPolicy: policy }: WorkloadSpec): Record<string, unknown> {
  return { Name: policy.name, MaximumRetryCount: policy.name === 'on-failure' ? policy.maximumRetryCount : 0 };
}

const nanosecondsPerSecond = 1e9;

/** Absent figures are 0, which means the engine's default. */
function healthConfig(check: Healthcheck): Record<string, unknown> {
  return {
    Test: ['CMD-SHELL', check.command],
    Interval: Math.round((check.intervalSeconds ?? 0) * nanosecondsPerSecond),
    Timeout: Math.round((check.timeoutSeconds ?? 0) * nanosecondsPerSecond),
    Retries: check.retries ?? 0,
  };
}
