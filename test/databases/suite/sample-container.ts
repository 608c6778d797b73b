import type { Container } from '../../../src/features/containers/container.ts';

/** A container with a value in every field; `over` says what differs. */
export function sampleContainer(over: Partial<Container> & { uuid: string }): Omit<Container, 'id' | 'updatedAt'> {
  return {
    containerType: 0,
    containerId: 'f'.repeat(64),
    name: 'web',
    projectId: 'project',
    userId: 'user',
    image: 'nginx:latest',
    imageDriver: 'docker',
    imagePullPolicy: 'always',
    cpu: 0.1,
    cpuPolicy: 'shared',
    memory: '512',
    disk: 20,
    command: ['sh', '-c', 'echo "é😀"; sleep \\1'],
    entrypoint: ['/entry'],
    environment: { KEY: "it's", EMPTY: '' },
    workdir: '/work',
    labels: { tier: 'front' },
    hostname: 'web-1',
    ports: [80, 443],
    addresses: { net: [{ addr: '10.0.0.2', version: 4, port: 'port', subnet_id: 'subnet', preserve_on_delete: false }] },
    securityGroups: ['sg-1'],
    exposedPorts: { '80/tcp': {} },
    restartPolicy: { Name: 'on-failure', MaximumRetryCount: '3' },
    healthcheck: { test: 'true', interval: 5 },
    interactive: true,
    tty: false,
    autoRemove: false,
    autoHeal: true,
    privileged: false,
    runtime: 'runc',
    host: 'host-1',
    registryId: null,
    status: 'Running',
    statusReason: 'a reason with "quotes" and %s',
    statusDetail: 'Up 5 seconds',
    taskState: 'container_starting',
    startedAt: Date.UTC(2026, 1, 3, 4, 5, 6),
    createdAt: Date.UTC(2026, 1, 3, 4, 5, 0),
    ...over,
  };
}

/** `00000000-0000-4000-8000-<number>`. */
export const numberedUuid = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
