import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseAllDocuments } from 'yaml';
import type { Cluster } from '../../cluster/cluster.ts';

export const chartFolder = path.join(import.meta.dirname, '../../../deploy/helm/zun');

/** The namespace of releases in tests. */
export const releaseNamespace = 'zun-system';

/** What no release can do without. */
export const neededValues = {
  secrets: { databaseUrl: 'mysql://zun:zun@database/zun', encryptionKey: '0123456789abcdef0123456789abcdef' },
};

/** An object as the chart makes it. */
export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; annotations?: Record<string, string> };
  rules?: { apiGroups: string[]; resources: string[]; verbs: string[]; resourceNames?: string[] }[];
  spec?: { template?: { spec: PodSpec } };
  data?: Record<string, string>;
}

export interface PodSpec {
  securityContext: Record<string, unknown>;
  containers: {
    name: string;
    args: string[];
    env: { name: string; valueFrom?: object }[];
    securityContext: Record<string, unknown>;
    readinessProbe?: { httpGet: { path: string } };
  }[];
  volumes?: Record<string, unknown>[];
}

/** What `helm` prints; throws with its words when it fails. */
export async function helm(cluster: Cluster, ...args: string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await cluster.exec(['helm', ...args]);
  if (exitCode !== 0) throw new Error(`helm ${args[0]} ended with ${exitCode}: ${stderr}${stdout}`);
  return stdout;
}

let files = 0;

/** A file of values for `--values`. */
export async function valuesFile(cluster: Cluster, values: object): Promise<string> {
  files += 1;
  const file = path.join(cluster.folder, `values-${process.pid}-${files}.json`);
  await writeFile(file, JSON.stringify(values));
  return file;
}

/** All objects of a release named zun with these values, hooks too. */
export async function renderedChart(cluster: Cluster, values: object): Promise<Manifest[]> {
  const file = await valuesFile(cluster, { ...neededValues, ...values });
  const release = ['zun', chartFolder, '--namespace', releaseNamespace, '--values', file];
  const text = await helm(cluster, 'template', ...release);
  return parseAllDocuments(text).map((document) => document.toJS());
}
