import type {
  Healthcheck,
  ImagePull,
  NetworkInterface,
  RestartPolicy,
  WorkloadMount,
  WorkloadSpec,
} from '../../runtime/container-runtime.ts';
import type { Container } from './container.ts';

/** What the row does not hold: the image as the engine knows it, and the mounts and interfaces made for it. */
export interface WorkloadParts {
  image: string;
  imagePull: ImagePull | null;
  mounts: WorkloadMount[];
  networks: NetworkInterface[];
}

/** A container's row as the runtime wants it. Pure. Origin: zun/container/docker/driver.py (create). */
export function workloadSpec(container: Container, parts: WorkloadParts): WorkloadSpec {
  return {
    uuid: container.uuid,
    projectId: container.projectId,
    host: container.host,
    image: parts.image,
    imagePull: parts.imagePull,
    command: nonEmpty(container.command),
    entrypoint: nonEmpty(container.entrypoint),
    environment: container.environment ?? {},
    workdir: container.workdir,
    labels: container.labels ?? {},
    hostname: container.hostname,
    tty: container.tty ?? false,
    interactive: container.interactive ?? false,
    privileged: container.privileged ?? false,
    restartPolicy: restartPolicy(container),
    autoRemove: container.autoRemove ?? false,
    cpu: container.cpu,
    memoryMiB: container.memory === null ? null : Number(container.memory),
    diskGiB: container.disk ?? 0,
    healthcheck: healthcheck(container),
    exposedPorts: Object.keys(container.exposedPorts ?? {}),
    runtime: container.runtime,
    mounts: parts.mounts,
    networks: parts.networks,
  };
}

const nonEmpty = (list: string[] | null): string[] | null => (list && list.length > 0 ? list : null);

function restartPolicy(container: Container): RestartPolicy {
  const { Name: name, MaximumRetryCount: retries } = container.restartPolicy ?? {};
  return { name: (name as RestartPolicy['name'] | undefined) ?? 'no', maximumRetryCount: Number(retries ?? 0) };
}

function healthcheck(container: Container): Healthcheck | null {
  const check = container.healthcheck ?? {};
  if (typeof check.test !== 'string' || check.test === '') return null;
  // Text is let through too, for the schema does not look at the members.
  const seconds = (value: unknown) => (value === null || value === undefined ? null : Number(value));
  return {
    command: check.test,
    intervalSeconds: seconds(check.interval),
    timeoutSeconds: seconds(check.timeout),
    retries: seconds(check.retries),
  };
}
