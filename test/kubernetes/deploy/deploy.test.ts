import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Cluster, startCluster } from '../../cluster/cluster.ts';
import { until } from '../../system/engine/until.ts';
import { InstalledRelease } from './installed-release.ts';
import { type ServiceClient, talkIn } from './service-client.ts';

let cluster: Cluster;
let release: InstalledRelease;
before(async () => {
  cluster = await startCluster({ mode: 'node' });
  release = await InstalledRelease.prepare(cluster);
});
after(async () => {
  await release.remove();
  await cluster.stop();
});

interface Seen {
  uuid: string;
  status: string;
  status_reason: string | null;
  project_id: string;
}

/** Asks for a container that runs until it is deleted. */
async function create(user: ServiceClient, name: string, more: object = {}): Promise<string> {
  const image = `${cluster.registry}/busybox:1`;
  const wish = { name, image, command: ['sh', '-c', 'echo hello; sleep 3600'], cpu: 0.1, memory: '64', ...more };
  return (await user.get<Seen>('POST', '/v1/containers?run=true', wish)).uuid;
}

const show = (user: ServiceClient, uuid: string) => user.get<Seen>('GET', `/v1/containers/${uuid}`);

async function untilStatus(user: ServiceClient, uuid: string, status: string): Promise<Seen> {
  let last: Seen | null = null;
  const look = async () => {
    last = await show(user, uuid);
    return last.status === status ? last : null;
  };
  return until(`container ${uuid} is ${status}`, look, 120_000).catch(async (error) => {
    throw new Error(`${error.message}: ${JSON.stringify(last)}\n${await release.state()}`);
  });
}

async function remove(user: ServiceClient, uuid: string): Promise<void> {
  await user.get('DELETE', `/v1/containers/${uuid}?stop=true`);
  await until(
    'the container is gone',
    async () => ((await user.ask('GET', `/v1/containers/${uuid}`)).status === 404 ? true : null),
    60_000,
  );
}

test('an installed release runs containers of users, and does with them what users ask through its Service', async () => {
  await release.install();
  const user = await release.login('demo');
  const uuid = await create(user, 'first');
  const seen = await untilStatus(user, uuid, 'Running');
  assert.deepEqual(await release.userPods(), [`${release.prefix}${seen.project_id}/zun-${uuid}`]);
  const logs = await until('the log has come', async () => {
    const text = await user.get<string>('GET', `/v1/containers/${uuid}/logs`);
    return text === '' ? null : text;
  });
  assert.equal(logs, 'hello\n');
  const executed = await user.get<{ output: string; exit_code: number }>(
    'POST',
    `/v1/containers/${uuid}/execute?command=echo%20in&interactive=false`,
  );
  assert.deepEqual([executed.output, executed.exit_code], ['in\n', 0]);
  const top = await user.get<{ Processes: string[][] }>('GET', `/v1/containers/${uuid}/top`);
  assert.ok(
    top.Processes.some((words) => words.join(' ').includes('sleep 3600')),
    JSON.stringify(top),
  );
  await user.get('PATCH', `/v1/containers/${uuid}`, { memory: '96' });
  await user.get('POST', `/v1/containers/${uuid}/stop?timeout=1`);
  await untilStatus(user, uuid, 'Stopped');
  await remove(user, uuid);
  assert.deepEqual(await release.userPods(), []);
});

test("an interactive command is talked to through the Service of consoles, as is the container's own process", async () => {
  const user = await release.login('demo');
  const greets = 'while read name; do [ "$name" = bye ] && exit; echo "hello $name"; done';
  const uuid = await create(user, 'talks', { command: ['sh', '-c', greets], interactive: true, tty: true });
  await untilStatus(user, uuid, 'Running');
  const asked = await user.get<{ exec_id: string; proxy_url: string }>(
    'POST',
    `/v1/containers/${uuid}/execute?command=sh&run=false&interactive=true`,
  );
  const size = `/v1/containers/${uuid}/execute_resize?exec_id=${asked.exec_id}&h=33&w=101`;
  await user.get('POST', size);
  const typed = 'until [ "$(stty size)" = "33 101" ]; do :; done; echo "size=$(stty size)"; exit\n';
  const executed = await talkIn(cluster, await release.consoleUrl(asked.proxy_url), typed);
  assert.match(executed.said, /\r\nsize=33 101\r\n/);
  assert.equal(executed.code, 1000);
  const address = await user.get<string>('GET', `/v1/containers/${uuid}/attach`);
  const attached = await talkIn(cluster, await release.consoleUrl(address), 'you\nbye\n');
  assert.match(attached.said, /\r\nhello you\r\n/);
  assert.equal(attached.code, 1000);
  await untilStatus(user, uuid, 'Stopped');
  await assert.rejects(talkIn(cluster, await release.consoleUrl(address), ''), /Unexpected server response: 401/);
  await remove(user, uuid);
});

test('stats come from metrics-server, with no right to ask kubelets', async () => {
  await cluster.startMetricsServer();
  const user = await release.login('demo');
  const uuid = await create(user, 'measured');
  await untilStatus(user, uuid, 'Running');
  const stats = await until(
    'the container is measured',
    async () => {
      const answer = await user.get<Record<string, number>>('GET', `/v1/containers/${uuid}/stats`);
      return (answer['MEM USAGE(MiB)'] ?? 0) > 0 ? answer : null;
    },
    90_000,
  );
  assert.equal(stats['MEM LIMIT(MiB)'], 64);
  await remove(user, uuid);
});

test('the rights that the chart gives are enough for files, volumes, signals, capsules and images', async () => {
  const user = await release.login('demo');
  const mounts = [
    { type: 'bind', source: Buffer.from('content').toString('base64'), destination: '/etc/given' },
    { size: '1', destination: '/data' },
  ];
  const uuid = await create(user, 'mounted', { mounts });
  await untilStatus(user, uuid, 'Running');
  const script = encodeURIComponent('sh -c "cat /etc/given && touch /data/file"');
  const { output } = await user.get<{ output: string }>('POST', `/v1/containers/${uuid}/execute?command=${script}&interactive=false`);
  assert.equal(output, 'content');
  await user.get('POST', `/v1/containers/${uuid}/kill?signal=KILL`);
  await untilStatus(user, uuid, 'Stopped');
  await remove(user, uuid);
  const containers = [{ image: `${cluster.registry}/busybox:1`, command: ['sleep', '3600'] }];
  const template = { capsuleVersion: 'beta', kind: 'capsule', metadata: { name: 'web' }, spec: { containers } };
  const capsule = await user.get<Seen>('POST', '/v1/capsules', { template });
  await until(
    'the capsule runs',
    async () => ((await user.get<Seen>('GET', `/v1/capsules/${capsule.uuid}`)).status === 'Running' ? true : null),
    60_000,
  );
  await user.get('DELETE', `/v1/capsules/${capsule.uuid}`);
  await until(
    'the capsule is gone',
    async () => ((await user.ask('GET', `/v1/capsules/${capsule.uuid}`)).status === 404 ? true : null),
    60_000,
  );
  const admin = await release.login('admin');
  const image = await admin.get<Seen>('POST', '/v1/images', { repo: `${cluster.registry}/busybox:1`, host: cluster.nodeName });
  await until(
    'the image is pulled',
    async () => ((await admin.get<{ image_id: string | null }>('GET', `/v1/images/${image.uuid}`)).image_id ? true : null),
    60_000,
  );
  assert.doesNotMatch(await release.logs(), /lacks a right|forbidden|namespaces of projects only/);
});

test('an upgrade in the middle of a create: the API answers all the time, and the container runs', async (t) => {
  const user = await release.login('demo');
  const old = await release.pods('compute');
  // Nobody listens there yet, so the node can't have the image until somebody does.
  const uuid = await create(user, 'slow', { image: '127.0.0.1:5999/busybox:1' });
  await until('the node tries to bring the image', async () => ((await release.userPods()).length === 1 ? true : null), 60_000);
  const upgraded = new AbortController();
  const asked = answersUntil(user, upgraded.signal);
  await release.install({ config: { log: { level: 'info' } } }).finally(() => upgraded.abort());
  await until(
    'the workers that had it are gone',
    async () => ((await release.pods('compute')).some((name) => old.includes(name)) ? null : true),
    60_000,
  );
  assert.match((await show(user, uuid)).status, /^Creat(ing|ed)$/);
  const { failures, count } = await asked;
  assert.deepEqual(failures, []);
  t.diagnostic(`${count} requests were answered during the upgrade`);
  const registry = await startSecondRegistry();
  t.after(registry.stop);
  await untilStatus(user, uuid, 'Running');
  assert.equal((await release.userPods()).length, 1);
  await remove(user, uuid);
});

/** Lists containers again and again until the signal; what went wrong, in words. */
async function answersUntil(user: ServiceClient, signal: AbortSignal): Promise<{ failures: string[]; count: number }> {
  const failures: string[] = [];
  let count = 0;
  for (; !signal.aborted; count += 1) {
    const failure = await user.ask('GET', '/v1/containers').then(
      ({ status, text }) => (status === 200 ? null : `${status} ${text}`),
      (error: unknown) => String(error),
    );
    if (failure !== null) failures.push(failure);
  }
  return { failures, count };
}

/** The cluster's registry on another port, too. */
async function startSecondRegistry(): Promise<{ stop(): Promise<void> }> {
  const script = `REGISTRY_HTTP_ADDR=127.0.0.1:5999 setsid docker-registry serve ${cluster.folder}/etc/registry.yml </dev/null >/dev/null 2>&1 & echo $!`;
  const { stdout } = await cluster.exec(['sh', '-c', script]);
  return { stop: async () => void (await cluster.exec(['kill', stdout.trim()])) };
}

test('with the socket given to the agents, containers can be paused, and keep their files when they are stopped', async () => {
  await release.install({ agent: { containerdSocket: '/run/containerd/containerd.sock' } });
  const user = await release.login('demo');
  const uuid = await create(user, 'held');
  await untilStatus(user, uuid, 'Running');
  await user.get('POST', `/v1/containers/${uuid}/execute?command=touch%20/kept&interactive=false`);
  await user.get('POST', `/v1/containers/${uuid}/pause`);
  await untilStatus(user, uuid, 'Paused');
  await user.get('POST', `/v1/containers/${uuid}/unpause`);
  await untilStatus(user, uuid, 'Running');
  await user.get('POST', `/v1/containers/${uuid}/stop?timeout=1`);
  await untilStatus(user, uuid, 'Stopped');
  const { stat } = await user.get<{ stat: { name: string } }>('GET', `/v1/containers/${uuid}/get_archive?path=/kept`);
  assert.equal(stat.name, 'kept');
  await user.get('POST', `/v1/containers/${uuid}/start`);
  await untilStatus(user, uuid, 'Running');
  const { exit_code } = await user.get<{ exit_code: number }>(
    'POST',
    `/v1/containers/${uuid}/execute?command=ls%20/kept&interactive=false`,
  );
  assert.equal(exit_code, 0);
  await remove(user, uuid);
  assert.doesNotMatch(await release.logs(), /lacks a right|forbidden|namespaces of projects only/);
  await release.install();
});

test('uninstalling leaves what users have, and a new release goes on with it', async () => {
  const user = await release.login('demo');
  const uuid = await create(user, 'stays');
  const { project_id } = await untilStatus(user, uuid, 'Running');
  await release.uninstall();
  for (const program of ['api', 'compute', 'compute-agent', 'wsproxy'])
    await until(`${program} has ended`, async () => ((await release.pods(program)).length === 0 ? true : null), 60_000);
  assert.deepEqual(await release.userPods(), [`${release.prefix}${project_id}/zun-${uuid}`]);
  await release.install();
  const again = await release.login('demo');
  assert.equal((await show(again, uuid)).status, 'Running');
  assert.equal(await again.get<string>('GET', `/v1/containers/${uuid}/logs`), 'hello\n');
  await remove(again, uuid);
  assert.deepEqual(await release.userPods(), []);
});
