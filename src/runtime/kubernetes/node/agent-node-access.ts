import type { Clock } from '../../../telemetry/clock.ts';
import type { RegistryCredentials } from '../../image-store.ts';
import { isFault, RuntimeFault } from '../../runtime-fault.ts';
import type { KubeClient } from '../client/kube-client.ts';
import { kubeFault } from '../client/kube-fault.ts';
import { kubePaths } from '../client/kube-paths.ts';
import { runInPod } from '../client/run-in-pod.ts';
import type { KubePod } from '../kube-object.ts';
import type { ContainerRef, NodeAccess, NodeContainer, NodeImage } from './node-access.ts';
import { nodeAnswer } from './node-answer.ts';
import { NodeTurns } from './node-turns.ts';

export interface AgentNodeAccessParts {
  client: KubeClient;
  clock: Clock;
  /** Where the Pods of the agents are. */
  namespace: string;
  /** The labels that they have: `app.kubernetes.io/name=zun-compute-agent`. */
  selector: string;
  /** What runs in them: `['zun', 'node']`. */
  command: string[];
}

/** For what one act of the kernel does; the node may be very busy. */
const shortMs = 120_000;
/** Beyond the deadlines that the command itself has for packing, unpacking and sending a large filesystem. */
const longMs = 65 * 60_000;

/**
 * Asks nodes through `exec` into their agents' Pods, where `zun node` has the containerd socket. Two calls to the API server each. So many at a
 * time for each node, as `NodeTurns` says; the time that a call waits for its turn is not its deadline's. Faults: `unsupported` when
 * the node has no agent, or one without the socket or too old for the operation; `unreachable` when its agent does not run just now.
 */
export class AgentNodeAccess implements NodeAccess {
  readonly #parts: AgentNodeAccessParts;
  readonly #turns = new NodeTurns();

  constructor(parts: AgentNodeAccessParts) {
    this.#parts = parts;
  }

  inspect({ node, containerId }: ContainerRef, signal?: AbortSignal): Promise<NodeContainer | null> {
    return this.#ask(node, 'inspect', { containerId }, shortMs, signal);
  }

  async pause({ node, containerId }: ContainerRef, signal?: AbortSignal): Promise<void> {
    await this.#ask(node, 'pause', { containerId }, shortMs, signal);
  }

  async resume({ node, containerId }: ContainerRef, signal?: AbortSignal): Promise<void> {
    await this.#ask(node, 'resume', { containerId }, shortMs, signal);
  }

  async kill({ node, containerId }: ContainerRef, signalName: string, signal?: AbortSignal): Promise<void> {
    await this.#ask(node, 'kill', { containerId, signal: signalName }, shortMs, signal);
  }

  async stop({ node, containerId }: ContainerRef, graceSeconds: number, signal?: AbortSignal): Promise<void> {
    await this.#ask(node, 'stop', { containerId, graceSeconds }, graceSeconds * 1000 + shortMs, signal);
  }

  keep({ node, containerId }: ContainerRef, image: string, baseImage: string, signal?: AbortSignal): Promise<NodeImage> {
    return this.#ask(node, 'keep', { containerId, image, baseImage }, longMs, signal);
  }

  commit(
    { node, containerId }: ContainerRef,
    baseImage: string,
    repository: string,
    tag: string,
    signal?: AbortSignal,
  ): Promise<NodeImage> {
    return this.#ask(node, 'commit', { containerId, baseImage, repository, tag }, longMs, signal);
  }

  push(node: string, image: string, credentials: RegistryCredentials | null, signal?: AbortSignal): Promise<{ digest: string }> {
    return this.#ask(node, 'push', { image, credentials }, longMs, signal);
  }

  async exportImage(node: string, image: string, signal?: AbortSignal): Promise<Buffer> {
    return await this.#run(node, 'export', { image }, longMs, signal);
  }

  async removeImage(node: string, image: string, signal?: AbortSignal): Promise<void> {
    await this.#ask(node, 'removeImage', { image }, shortMs, signal);
  }

  listImages(node: string, signal?: AbortSignal): Promise<NodeImage[]> {
    return this.#ask(node, 'listImages', {}, shortMs, signal);
  }

  async #ask<T>(node: string, operation: string, asked: object, deadlineMs: number, signal?: AbortSignal): Promise<T> {
    return JSON.parse((await this.#run(node, operation, asked, deadlineMs, signal)).toString('utf8')) as T;
  }

  #run(node: string, operation: string, asked: object, deadlineMs: number, signal?: AbortSignal): Promise<Buffer> {
    const call = () => this.#call(node, operation, asked, deadlineMs, signal);
    return this.#turns.run(node, deadlineMs === longMs, call, signal).catch((error) => {
      // All else that a call is thrown is a fault.
      if (!signal?.aborted || error !== signal.reason || isFault(error)) throw error;
      throw new RuntimeFault('timeout', `${operation} waited for its turn at the agent of node ${node} until it was given up.`);
    });
  }

  async #call(node: string, operation: string, asked: object, deadlineMs: number, signal?: AbortSignal): Promise<Buffer> {
    const { client, clock, namespace, command } = this.#parts;
    const { pod, container } = await this.#agentOf(node, operation, signal);
    const argument = JSON.stringify(asked);
    // A command line is in the API server's audit log, and in the node's list of processes.
    const input = 'credentials' in asked ? Buffer.from(argument) : null;
    const result = await runInPod(client, {
      namespace,
      pod,
      container,
      command: [...command, operation, input === null ? argument : '-'],
      input,
      deadlineMs,
      clock,
      signal,
    }).catch((error) => {
      // The agent's Pod, not the container that is asked about.
      if (isFault(error, 'not-found')) throw new RuntimeFault('unreachable', `The agent of node ${node} went away: ${error.message}`);
      throw error;
    });
    return nodeAnswer(result, node, operation);
  }

  async #agentOf(node: string, operation: string, signal?: AbortSignal): Promise<{ pod: string; container: string }> {
    const { client, namespace, selector } = this.#parts;
    const query = { labelSelector: selector, fieldSelector: `spec.nodeName=${node}` };
    const { items } = await client
      .request<{ items: KubePod[] }>({ method: 'GET', path: kubePaths.pods(namespace), query, signal })
      .catch((error) => {
        throw kubeFault(error, signal);
      });
    const agent = items.find(runs);
    const [pod, container] = [agent?.metadata?.name, agent?.spec?.containers[0]?.name];
    if (pod !== undefined && container !== undefined) return { pod, container };
    const where = `of node ${node} (namespace ${namespace}, ${selector})`;
    if (items.length > 0) throw new RuntimeFault('unreachable', `The agent ${where} does not run just now.`);
    const words = `There is no agent ${where}, which ${operation} needs: the operator has to run zun-compute-agent there.`;
    throw new RuntimeFault('unsupported', words);
  }
}

/** While an agent is replaced there are two. */
function runs({ metadata, status }: KubePod): boolean {
  return metadata?.deletionTimestamp === undefined && (status?.containerStatuses?.[0]?.state?.running ?? null) !== null;
}
