import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** `control`: etcd and kube-apiserver alone, for tests that play the rest. `node`: a whole node that runs Pods. */
export type ClusterMode = 'control' | 'node';

/** Where a cluster's files and programs are. */
export interface ClusterPlace {
  mode: ClusterMode;
  /** Everything that it writes. A short path, since sockets lie in it. */
  folder: string;
  /** The folder with kube-apiserver, kubectl and the others. */
  programs: string;
  /** The program `kwok`. */
  kwok: string;
  /** The program `networks`. */
  networks: string;
}

/** What another process has to know to use a cluster that runs. */
export interface ClusterFacts extends ClusterPlace {
  /** Process 1 of its namespaces, by the number that it has outside. */
  init: number;
}

/** The one node's name, and its address, which exists inside only. */
export const node = { name: 'node1', address: '10.99.0.1' } as const;

/** The registry's address, as image names have it. */
export const registry = '127.0.0.1:5000';

/** Keeps the facts in the cluster's folder. */
export async function writeFacts(facts: ClusterFacts): Promise<void> {
  await writeFile(path.join(facts.folder, 'cluster.json'), JSON.stringify(facts));
}

/** The facts of the cluster whose folder this is; null when none was started in it. */
export async function readFacts(folder: string): Promise<ClusterFacts | null> {
  const text = await readFile(path.join(folder, 'cluster.json'), 'utf8').catch(() => null);
  return text === null ? null : JSON.parse(text);
}
