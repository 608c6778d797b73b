import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { until } from '../system/engine/until.ts';
import { writeOutsideKubeconfigs } from './certificates.ts';
import { type ClusterFacts, node } from './cluster-facts.ts';
import type { ComponentName } from './components.ts';
import { provideImages } from './images.ts';
import { Inside } from './inside.ts';
import { initialObjects } from './objects.ts';

/** Starts what the mode wants, in order, and waits until Pods can be made (`node`), or objects (`control`). */
export async function startComponents(facts: ClusterFacts): Promise<void> {
  const inside = new Inside(facts);
  const started = async (...names: ComponentName[]) => {
    await Promise.all(names.map((name) => inside.start(name)));
    await Promise.all(names.map((name) => inside.answering(name)));
  };
  await started('expose');
  await Promise.all([
    started('etcd', 'kube-apiserver').then(() => makeObjects(inside, facts)),
    facts.mode === 'node' &&
      started('containerd', 'registry').then(async () => provideImages(inside, facts.folder, await exposedPort(facts, 'registry'))),
  ]);
  await writeOutsideKubeconfigs(facts.folder, await exposedPort(facts, 'api'));
  if (facts.mode === 'control') return;
  await started('kube-controller-manager', 'kube-scheduler', 'networks', 'kubelet', 'kube-proxy');
  await until('the node is ready', () => inside.runWell('kubectl', 'wait', '--for=condition=Ready', `node/${node.name}`), 180_000);
  await until('Pods have a service account', () => inside.runWell('kubectl', 'get', 'serviceaccount', 'default'), 180_000);
}

async function makeObjects(inside: Inside, { folder }: ClusterFacts): Promise<void> {
  const list = path.join(folder, 'etc/initial.json');
  await writeFile(list, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: initialObjects }));
  await inside.runWell('kubectl', 'create', '-f', list);
}

/** The port of the machine's 127.0.0.1 that leads to the API or the registry. */
export async function exposedPort({ folder }: ClusterFacts, what: 'api' | 'registry'): Promise<number> {
  return Number(await readFile(path.join(folder, `${what}.port`), 'utf8'));
}
