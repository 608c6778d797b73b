import type { V1ContainerPort } from '@kubernetes/client-node';

/** `80/tcp` as Kubernetes has it. Says what the container listens to; nothing is opened or mapped by it. Pure. */
export function podPorts(exposedPorts: string[]): V1ContainerPort[] {
  return exposedPorts.map((exposed) => {
    const [port = '', protocol = 'tcp'] = exposed.split('/');
    return { containerPort: Number(port), protocol: protocol.toUpperCase() };
  });
}
