import type { WorkloadSpec } from './container-runtime.ts';

/** A workload with nothing special about it: the image's own command, no limits, no mounts, no networks. */
export function plainWorkload(wishes: Pick<WorkloadSpec, 'uuid' | 'image'> & Partial<WorkloadSpec>): WorkloadSpec {
  return {
    projectId: 'project',
    host: null,
    imagePull: null,
    command: null,
    entrypoint: null,
    environment: {},
    workdir: null,
    labels: {},
    hostname: null,
    tty: false,
    interactive: false,
    privileged: false,
    restartPolicy: { name: 'no', maximumRetryCount: 0 },
    autoRemove: false,
    cpu: null,
    memoryMiB: null,
    diskGiB: 0,
    healthcheck: null,
    exposedPorts: [],
    runtime: null,
    mounts: [],
    networks: [],
    ...wishes,
  };
}
