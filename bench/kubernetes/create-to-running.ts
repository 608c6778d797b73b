import { execFile } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { KubeError } from '../../src/runtime/kubernetes/client/kube-error.ts';
import { kubePaths } from '../../src/runtime/kubernetes/client/kube-paths.ts';
import type { KubePod } from '../../src/runtime/kubernetes/kube-object.ts';
import { machineLine } from './machine-line.ts';
import { metricSum } from './metric-sum.ts';
import { type NodeSite, openNodeSite } from './node-site.ts';
import { percentile } from './percentile.ts';
import { readMetrics } from './read-metrics.ts';

type Say = (line: string) => void;
type Spec = NonNullable<KubePod['spec']>;

/** A kubelet tidies up for a while after a Pod is gone, and takes the next one later. Milliseconds. */
const betweenRuns = 2_000;
/** A kubelet looks at what runs once a second, so that who always came at the same moment of its second would gain or lose all of it. */
const kubeletPeriod = 1_000;
/** Between two looks at whether it runs, in milliseconds. */
const poll = 20;
/** Ends at once when it is asked to. */
const command = ['sh', '-c', 'trap exit TERM; while :; do sleep 0.1; done'];

/**
 * From the request to Running as GET shows it, beside the same Pod by `kubectl run` until the API server shows it Running, and beside its
 * mere POST, which is kubectl without its own start: in turn, on the same node, the medians of their ratios.
 */
export async function createToRunning({ pairs, asPrograms }: { pairs: number; asPrograms: boolean }, say: Say): Promise<void> {
  say(`create to Running, ${asPrograms ? 'programs of their own on MariaDB' : 'standalone'}: ${machineLine()}`);
  const site = await openNodeSite(asPrograms);
  try {
    for (const runtime of ['runc', 'gvisor']) await compare(site, runtime, pairs, say);
    say(`create to Running: ${machineLine()}`);
  } finally {
    await site.close();
  }
}

async function compare(site: NodeSite, runtime: string, pairs: number, say: Say): Promise<void> {
  const spec = await firstOfAll(site, runtime);
  const ways = {
    zun: () => throughZun(site, runtime),
    kubectl: () => throughPod(site, (name) => kubectlRun(site, name, spec)),
    post: () => throughPod(site, (name) => post(site, name, spec)),
  };
  for (const way of Object.values(ways)) await way();
  const took: Record<keyof typeof ways, number[]> = { zun: [], kubectl: [], post: [] };
  const before = await readMetrics(site.metricsUrl);
  const names = Object.keys(ways) as (keyof typeof ways)[];
  for (let pair = 0; pair < pairs; pair += 1)
    for (const turn of names.keys()) {
      // Each comes as often first as the others; the node has done with the one before.
      const name = names[(pair + turn) % names.length] ?? 'zun';
      await pause(betweenRuns + randomInt(kubeletPeriod));
      took[name].push(await ways[name]());
    }
  const after = await readMetrics(site.metricsUrl);
  const ratio = (to: number[]) =>
    percentile(
      took.zun.map((time, index) => time / (to[index] ?? Number.NaN)),
      0.5,
    ).toFixed(2);
  const median = (times: number[]) => `${Math.round(percentile(times, 0.5))} ms`;
  say(
    `${runtime}: Zun ${median(took.zun)}, kubectl run ${median(took.kubectl)}, the Pod alone ${median(took.post)}; ` +
      `median ratio to kubectl run ${ratio(took.kubectl)}, to the Pod alone ${ratio(took.post)}`,
  );
  tellTimes(before, after, pairs, say);
}

/** What a container of Zun takes in the mean, by the steps of its task and the calls that they make. */
function tellTimes(before: Map<string, number>, after: Map<string, number>, count: number, say: Say): void {
  const mean = (series: RegExp) => Math.round((metricSum(before, after, series) / count) * 1000);
  const names = (pattern: RegExp) => [...new Set([...after.keys()].flatMap((name) => pattern.exec(name)?.[1] ?? []))];
  const part = (metric: string, label: string, name: string, more = '') =>
    `${name} ${mean(new RegExp(`^${metric}_sum\\{.*${more}${label}="${name.replace(/[{}]/g, '.')}"`))}`;
  const steps = names(/^zun_task_step_duration_seconds_sum\{kind="container.create",step="([^"]+)"/).map((name) =>
    part('zun_task_step_duration_seconds', 'step', name, 'kind="container.create",'),
  );
  const calls = names(/^zun_outbound_call_duration_seconds_sum\{service="kubernetes",operation="([^"]+)"/).map((name) =>
    part('zun_outbound_call_duration_seconds', 'operation', name),
  );
  const told = (parts: string[]) => parts.filter((text) => !text.endsWith(' 0')).join(', ');
  say(`  steps, mean in ms: ${told(steps)}`);
  say(`  calls to the API server, those of its delete too, mean in ms: ${told(calls)}`);
}

async function throughZun(site: NodeSite, runtime: string): Promise<number> {
  const { zun } = site;
  const began = performance.now();
  const path = await create(site, runtime);
  const { status, status_reason } = await zun.until(path, (container) => ['Running', 'Error'].includes(container.status), poll);
  const took = performance.now() - began;
  if (status !== 'Running') throw new Error(`the container is in ${status}: ${status_reason}`);
  await zun.request('DELETE', `${path}?stop=true`);
  await zun.untilGone(path);
  return took;
}

async function create({ zun, image }: NodeSite, runtime: string): Promise<string> {
  const wish = { image, command, cpu: 0.1, memory: '64', runtime };
  return `/v1/containers/${(await zun.request('POST', '/v1/containers?run=true', wish)).uuid}`;
}

/** The Pod that Zun makes of such a container, without what the cluster has added: the others run the same. */
async function firstOfAll(site: NodeSite, runtime: string): Promise<Spec> {
  const { zun, kube, namespace } = site;
  const path = await create(site, runtime);
  await zun.until(path, ({ status }) => status === 'Running', poll);
  const name = `zun-${path.split('/').at(-1)}`;
  const pod = await kube.request<KubePod>({ method: 'GET', path: kubePaths.pod(namespace, name) });
  await zun.request('DELETE', `${path}?stop=true`);
  await zun.untilGone(path);
  const {
    nodeName: _node,
    priority: _priority,
    preemptionPolicy: _preemption,
    overhead: _overhead,
    ...spec
  } = pod.spec ?? { containers: [] };
  return spec;
}

let pods = 0;

async function throughPod(site: NodeSite, make: (name: string) => Promise<unknown>): Promise<number> {
  pods += 1;
  const name = `bench-${pods}`;
  const path = kubePaths.pod(site.namespace, name);
  const began = performance.now();
  const making = make(name);
  making.catch(() => {});
  while ((await phaseOf(site, path)) !== 'Running') {
    await pause(poll);
    if (performance.now() - began > 60_000) await making.then(() => Promise.reject(new Error(`${name} does not run`)));
  }
  const took = performance.now() - began;
  await making;
  await site.kube.request({ method: 'DELETE', path, query: { gracePeriodSeconds: 1 } });
  while ((await phaseOf(site, path)) !== null) await pause(100);
  return took;
}

/** `null` when there is no such Pod. */
async function phaseOf({ kube }: NodeSite, path: string): Promise<string | null> {
  try {
    return (await kube.request<KubePod>({ method: 'GET', path })).status?.phase ?? '';
  } catch (error) {
    if (error instanceof KubeError && error.status === 404) return null;
    throw error;
  }
}

const post = ({ kube, namespace }: NodeSite, name: string, spec: Spec) =>
  kube.request({ method: 'POST', path: kubePaths.pods(namespace), body: { apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec } });

async function kubectlRun({ kubectl, namespace }: NodeSite, name: string, spec: Spec): Promise<void> {
  const overrides = JSON.stringify({ apiVersion: 'v1', spec });
  const args = [
    '--namespace',
    namespace,
    'run',
    name,
    `--image=${spec.containers[0]?.image}`,
    '--restart=Never',
    `--overrides=${overrides}`,
  ];
  await promisify(execFile)(kubectl.program, args, { env: { ...process.env, ...kubectl.environment } });
}
