import { constants } from 'node:os';
import { isFault, RuntimeFault } from '../../runtime-fault.ts';
import { signalName } from '../../signal-name.ts';
import type { ContainerdClient } from './containerd-client.ts';
import type { TaskMessage } from './containerd-messages.ts';
import type { NodeContainer } from './node-access.ts';
import { findTask, requireContainer, requireTask } from './node-container.ts';

const tasks = 'containerd.services.tasks.v1.Tasks';
/** So long it takes at most until containerd tells of a process that it has ended. */
const endsWithinMs = 10_000;

/** How a container is and what it is made of. Fault `not-found`. */
export async function inspectContainer(client: ContainerdClient, containerId: string): Promise<NodeContainer> {
  const { snapshotter, snapshotKey, image } = await requireContainer(client, containerId);
  const task = await findTask(client, containerId);
  return { status: task ? statusOf(task) : 'stopped', pid: task?.pid ?? 0, snapshotter, snapshotKey, image };
}

function statusOf({ status }: TaskMessage): NodeContainer['status'] {
  if (status === 'PAUSED' || status === 'PAUSING') return 'paused';
  return status === 'CREATED' ? 'created' : 'running';
}

/** Pausing what is paused succeeds. Fault `conflict` when nothing runs. */
export async function pauseContainer(client: ContainerdClient, containerId: string): Promise<void> {
  await reach(client, containerId, 'paused', () => client.call(`${tasks}/Pause`, { containerId }));
}

/** Resuming what runs succeeds. Fault `conflict` when it has ended. */
export async function resumeContainer(client: ContainerdClient, containerId: string): Promise<void> {
  await reach(client, containerId, 'running', () => client.call(`${tasks}/Resume`, { containerId }));
}

/** Acts unless it is so already; an act that failed since somebody else was faster is none. */
async function reach(
  client: ContainerdClient,
  containerId: string,
  wanted: NodeContainer['status'],
  act: () => Promise<unknown>,
): Promise<void> {
  if (statusOf(await requireTask(client, containerId)) === wanted) return;
  try {
    await act();
  } catch (error) {
    if (statusOf(await requireTask(client, containerId)) !== wanted) throw error;
  }
}

/**
 * Sends a signal, by name or number, to the first process. SIGKILL lets a paused container go, since what is frozen does not die, either. Faults: `invalid` for no
 * signal; `conflict` when nothing runs, or when it is paused under gVisor, which takes no signals then.
 */
export async function killContainer(client: ContainerdClient, containerId: string, asked: string): Promise<void> {
  const signal = constants.signals[`SIG${signalName(asked)}` as NodeJS.Signals];
  const send = () => client.call(`${tasks}/Kill`, { containerId, signal });
  const task = await requireTask(client, containerId);
  if (statusOf(task) !== 'paused') return sendToRunning(client, containerId, send);
  const refusal = await send().then(
    () => null,
    (error) => error,
  );
  if (signal === constants.signals.SIGKILL) {
    await resumeEnding(client, containerId);
    if (refusal) await sendToRunning(client, containerId, send);
  } else if (refusal) {
    const words = `Container ${containerId} is paused, and its runtime takes no signals then: unpause it first.`;
    throw new RuntimeFault('conflict', words, { cause: refusal });
  }
}

async function sendToRunning(client: ContainerdClient, containerId: string, send: () => Promise<unknown>): Promise<void> {
  try {
    await send();
  } catch (error) {
    // It ended meanwhile, or the runtime knows no more of it.
    if (isFault(error, 'not-found')) await requireTask(client, containerId);
    throw error;
  }
}

/** As the kubelet stops it, with a grace period of its own. What is paused could not heed its signal. Stopping what has ended succeeds. */
export async function stopContainer(client: ContainerdClient, containerId: string, graceSeconds: number): Promise<void> {
  const task = await findTask(client, containerId);
  if (task && statusOf(task) === 'paused') await resumeEnding(client, containerId);
  // Beyond the grace period the kernel has to end the process, and containerd to clean up.
  const deadlineMs = (graceSeconds + 60) * 1000;
  await client.call('runtime.v1.RuntimeService/StopContainer', { containerId, timeout: graceSeconds }, { deadlineMs });
}

/**
 * Lets go on what may be ending meanwhile: runc itself does so for SIGKILL, and then refuses (`container not paused`) while containerd still tells
 * that it is paused.
 */
async function resumeEnding(client: ContainerdClient, containerId: string): Promise<void> {
  const deadline = client.clock.now() + endsWithinMs;
  for (;;) {
    try {
      return await resumeContainer(client, containerId);
    } catch (error) {
      const task = await findTask(client, containerId);
      if (!task || statusOf(task) !== 'paused') return;
      if (client.clock.now() > deadline) throw error;
      await client.clock.sleep(50);
    }
  }
}

/** Holds a running container while the work goes on. */
export async function whilePaused<T>(client: ContainerdClient, containerId: string, work: () => Promise<T>): Promise<T> {
  const task = await findTask(client, containerId);
  if (!task || statusOf(task) !== 'running') return work();
  await pauseContainer(client, containerId);
  try {
    return await work();
  } finally {
    await resumeEnding(client, containerId);
  }
}
