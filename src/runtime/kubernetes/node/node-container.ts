import { isFault, RuntimeFault } from '../../runtime-fault.ts';
import type { ContainerdClient } from './containerd-client.ts';
import type { ContainerMessage, TaskMessage } from './containerd-messages.ts';

/** Fault `not-found` once the kubelet has removed it. */
export async function requireContainer(client: ContainerdClient, id: string): Promise<ContainerMessage> {
  try {
    return (await client.call('containerd.services.containers.v1.Containers/Get', { id })).container;
  } catch (error) {
    if (isFault(error, 'not-found')) throw new RuntimeFault('not-found', `No such container on the node: ${id}`, { cause: error });
    throw error;
  }
}

/** What runs of a container; `null` when nothing does: containerd forgets the task of what has ended. */
export async function findTask(client: ContainerdClient, containerId: string): Promise<TaskMessage | null> {
  try {
    const { process } = await client.call('containerd.services.tasks.v1.Tasks/Get', { containerId });
    return process.status === 'STOPPED' ? null : process;
  } catch (error) {
    if (isFault(error, 'not-found')) return null;
    throw error;
  }
}

/** Fault `conflict` when nothing runs. */
export async function requireTask(client: ContainerdClient, containerId: string): Promise<TaskMessage> {
  const task = await findTask(client, containerId);
  if (task === null) {
    await requireContainer(client, containerId);
    throw new RuntimeFault('conflict', `Container ${containerId} is not running`);
  }
  return task;
}
