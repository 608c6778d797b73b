import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { until } from '../system/engine/until.ts';
import type { CommandResult } from '../system/run-command.ts';
import { bootCluster, endCluster } from './boot.ts';
import { type ClusterFacts, type ClusterMode, node, readFacts, registry } from './cluster-facts.ts';
import type { ComponentName } from './components.ts';
import { Inside } from './inside.ts';
import { clusterLives } from './namespaces.ts';
import { kwokNode, metricsObjects } from './objects.ts';
import { sharedClusterFolder } from './shared-cluster.ts';
import { exposedPort } from './start-components.ts';

/** A Kubernetes that runs on this machine, in namespaces of its own. */
export interface Cluster {
  mode: ClusterMode;
  /** Where all its files are; `log/` among them. */
  folder: string;
  /** A kubeconfig of the administrator, for use from outside: the API is on a port of 127.0.0.1. It logs in with a token. */
  kubeconfig: string;
  /** The same with a client certificate. */
  certificateKubeconfig: string;
  nodeName: string;
  /** The registry's address inside, as image names have it. `busybox:1` and `pause:1` are in it, and in the node's store. */
  registry: string;
  /** The registry's address from outside, to push to. */
  outsideRegistry: string;
  /** containerd's socket, as reached from outside. */
  containerdSocket: string;
  /** Runs a command inside, with the cluster's kubectl and helm, and with the rights of root. */
  exec(command: readonly string[]): Promise<CommandResult>;
  /** Runs kubectl inside and answers what it printed; throws when it fails. */
  kubectl(...args: string[]): Promise<string>;
  /** Makes or changes objects. */
  apply(...objects: object[]): Promise<void>;
  /** Starts a component (again), and waits until it answers. */
  start(name: ComponentName): Promise<void>;
  /** Ends a component with SIGKILL, or with another signal, and waits until it is gone. Pods stay. */
  kill(name: ComponentName, signal?: 'SIGKILL' | 'SIGTERM'): Promise<void>;
  /** Stops a component where it is: its connections stay open and nothing answers. */
  pause(name: ComponentName): Promise<void>;
  resume(name: ComponentName): Promise<void>;
  /** Puts the images of a docker-archive into the node's store. */
  loadImage(tarPath: string): Promise<void>;
  /** Starts KWOK, and makes nodes that it plays. They bear the taint `kwok.x-k8s.io/node=fake:NoSchedule`. */
  startKwok(...nodeNames: string[]): Promise<void>;
  /** Starts metrics-server and waits until it has measured the node, about 20 s. Does nothing when it runs. */
  startMetricsServer(): Promise<void>;
  /** Ends the cluster and removes all that is left of it. Does nothing to a shared one. */
  stop(): Promise<void>;
}

/**
 * Starts a cluster of this process's own, which ends with it at the latest, or uses the shared one when there is one (mode `node` only).
 * Fails with a sentence when the machine has a node cluster that is not shared. Needs root.
 */
export async function startCluster({ mode }: { mode: ClusterMode }): Promise<Cluster> {
  const shared = mode === 'node' ? sharedClusterFolder() : null;
  if (shared !== null) return await connectCluster(shared);
  const facts = await bootCluster(mode, true);
  return await clusterOf(facts, () => endCluster(facts));
}

/** The cluster whose folder this is. Its `stop` does nothing. */
export async function connectCluster(folder: string): Promise<Cluster> {
  const facts = await readFacts(folder);
  if (facts === null || !(await clusterLives(folder))) throw new Error(`${folder} is not the folder of a cluster that runs`);
  return await clusterOf(facts, () => Promise.resolve());
}

async function clusterOf(facts: ClusterFacts, stop: () => Promise<void>): Promise<Cluster> {
  const inside = new Inside(facts);
  const { folder, mode } = facts;
  const kubectl = (...args: string[]) => inside.runWell('kubectl', ...args);
  const apply = (...objects: object[]) => applyObjects(inside, folder, objects);
  const start = async (name: ComponentName) => {
    await inside.start(name);
    await inside.answering(name);
  };
  return {
    mode,
    folder,
    kubeconfig: path.join(folder, 'outside.kubeconfig'),
    certificateKubeconfig: path.join(folder, 'outside-certificate.kubeconfig'),
    nodeName: node.name,
    registry,
    outsideRegistry: `127.0.0.1:${await exposedPort(facts, 'registry')}`,
    containerdSocket: `/proc/${facts.init}/root/run/containerd/containerd.sock`,
    exec: (command) => inside.run(command),
    kubectl,
    apply,
    start,
    kill: (name, signal = 'SIGKILL') => inside.signal(name, signal),
    pause: (name) => inside.signal(name, 'SIGSTOP'),
    resume: (name) => inside.signal(name, 'SIGCONT'),
    async loadImage(tarPath) {
      await inside.runWell('ctr', '-n', 'k8s.io', 'images', 'import', path.resolve(tarPath));
    },
    async startKwok(...nodeNames) {
      if (!(await inside.runs('kwok'))) await start('kwok');
      await apply(...nodeNames.map(kwokNode));
      if (nodeNames.length > 0)
        await kubectl('wait', '--for=condition=Ready', '--timeout=300s', ...nodeNames.map((name) => `node/${name}`));
    },
    async startMetricsServer() {
      if (!(await inside.runs('metrics-server'))) await start('metrics-server');
      await apply(...metricsObjects(node.address));
      await until('the node is measured', () => kubectl('top', 'node', node.name), 90_000);
    },
    stop,
  };
}

let applied = 0;

async function applyObjects(inside: Inside, folder: string, objects: object[]): Promise<void> {
  if (objects.length === 0) return;
  applied += 1;
  const file = path.join(folder, `apply-${process.pid}-${applied}.json`);
  await writeFile(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }));
  await inside.runWell('kubectl', 'apply', '-f', file);
}
