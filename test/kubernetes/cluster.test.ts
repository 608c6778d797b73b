import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { request } from 'undici';
import { bootCluster } from '../cluster/boot.ts';
import { type Cluster, startCluster } from '../cluster/cluster.ts';
import { clusterPrograms } from '../cluster/programs.ts';
import { until } from '../system/engine/until.ts';
import { runCommandWell } from '../system/run-command.ts';
import { makeTestNetwork, type TestNetwork } from './test-network.ts';

let cluster: Cluster;
/** Of this run alone: an earlier one's may still be on its way out. */
const namespace = `cluster-test-${process.pid}`;
const kubectl = (...args: string[]) => cluster.kubectl('--namespace', namespace, ...args);
const field = (object: string, path: string) => kubectl('get', object, '--output', `jsonpath={${path}}`);
const tick = 'httpd -p 80 -h /www; while :; do echo tick; sleep 1; done';

before(async () => {
  cluster = await startCluster({ mode: 'node' });
  await cluster.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  await until('Pods have a service account', () => kubectl('get', 'serviceaccount', 'default'));
});

after(async () => {
  await cluster.kubectl('delete', 'namespace', namespace, '--wait=false');
  await cluster.stop();
});

interface TestPod {
  command?: string;
  runtimeClassName?: string;
  container?: object;
  spec?: object;
  annotations?: Record<string, string>;
}

async function runPod(
  name: string,
  { command = tick, runtimeClassName = 'runc', container = {}, spec = {}, annotations = {} }: TestPod,
): Promise<void> {
  const main = { name: 'main', image: `${cluster.registry}/busybox:1`, command: ['sh', '-c', command], ...container };
  const whole = { restartPolicy: 'Never', terminationGracePeriodSeconds: 1, runtimeClassName, containers: [main], ...spec };
  await cluster.apply({ apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace, labels: { name }, annotations }, spec: whole });
  await kubectl('wait', '--for=condition=Ready', '--timeout=60s', `pod/${name}`);
}

for (const runtimeClassName of ['runc', 'gvisor', 'kata'])
  test(`a Pod of the class ${runtimeClassName} runs, logs and takes commands`, async () => {
    await runPod(runtimeClassName, { runtimeClassName });
    assert.equal(await kubectl('exec', runtimeClassName, '--', 'echo', 'in'), 'in\n');
    await assert.rejects(kubectl('exec', runtimeClassName, '--', 'sh', '-c', 'exit 3'), /exit code 3/);
    assert.match(await kubectl('logs', runtimeClassName), /^tick\n/);
    const kernel = await kubectl('exec', runtimeClassName, '--', 'uname', '-r');
    const own = await cluster.exec(['uname', '-r']);
    assert.equal(kernel === own.stdout, runtimeClassName === 'runc', kernel);
  });

test('a Service answers from a Pod and from the node', async () => {
  await runPod('server', {});
  await runPod('client', {});
  await kubectl('expose', 'pod', 'server', '--port=80');
  const address = await field('service/server', '.spec.clusterIP');
  const ask = `printf 'GET / HTTP/1.0\\r\\n\\r\\n' | nc -w 5 ${address} 80`;
  assert.match(await until('the Service answers', () => kubectl('exec', 'client', '--', 'sh', '-c', ask)), /hello\n$/);
  assert.equal((await cluster.exec(['curl', '-sf', '-m', '5', `http://${address}/`])).stdout, 'hello\n');
});

test('a Pod is resized without a restart', async () => {
  const sizes = (memory: string) => ({ resources: { requests: { memory: '32Mi' }, limits: { cpu: '200m', memory } } });
  await runPod('resized', { container: sizes('64Mi') });
  const patch = JSON.stringify({ spec: { containers: [{ name: 'main', ...sizes('96Mi') }] } });
  await kubectl('patch', 'pod', 'resized', '--subresource=resize', '--patch', patch);
  const limit = () => field('pod/resized', '.status.containerStatuses[0].resources.limits.memory');
  await until('the limit is larger', async () => ((await limit()) === '96Mi' ? true : null));
  assert.equal(await field('pod/resized', '.status.containerStatuses[0].restartCount'), '0');
});

for (const runtimeClassName of ['runc', 'gvisor'])
  test(`a deadline ends a running Pod of the class ${runtimeClassName}, and its exit code and logs stay`, async () => {
    const name = `ended-${runtimeClassName}`;
    await runPod(name, { runtimeClassName, command: "trap 'echo bye; exit 7' TERM; echo up; while :; do sleep 0.1; done" });
    await kubectl('patch', 'pod', name, '--patch', '{"spec":{"activeDeadlineSeconds":1}}');
    await kubectl('wait', '--for=jsonpath={.status.reason}=DeadlineExceeded', '--timeout=60s', `pod/${name}`);
    const code = '.status.containerStatuses[0].state.terminated.exitCode';
    assert.equal(await until('the exit code', async () => (await field(`pod/${name}`, code)) || null), '7');
    assert.equal(await field(`pod/${name}`, '.status.phase'), 'Failed');
    assert.equal(await kubectl('logs', name), 'up\nbye\n');
  });

test('a claim is given a volume that keeps what is written', async () => {
  await cluster.apply({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'data', namespace },
    spec: { storageClassName: 'test-hostpath', accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  });
  await kubectl('wait', '--for=jsonpath={.status.phase}=Bound', '--timeout=60s', 'pvc/data');
  const spec = { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }] };
  const container = { volumeMounts: [{ name: 'data', mountPath: '/data' }] };
  await runPod('writer', { spec, container, command: `echo kept >/data/file; ${tick}` });
  await kubectl('delete', 'pod', 'writer');
  await runPod('reader', { spec, container });
  assert.equal(await kubectl('exec', 'reader', '--', 'cat', '/data/file'), 'kept\n');
});

test('a Pod is on the networks that it asks for, from its start on and as it comes to ask for others', async () => {
  const [blue, red] = [
    await makeTestNetwork(cluster, namespace, `b${process.pid}`),
    await makeTestNetwork(cluster, namespace, `r${process.pid}`),
  ];
  const asks = (network: TestNetwork) => JSON.stringify([{ name: network.name, namespace, interface: 'eth1' }]);
  const status = async () => JSON.parse(await field('pod/networked', '.metadata.annotations.k8s\\.v1\\.cni\\.cncf\\.io/network-status'));
  const isOn = async (network: TestNetwork) => {
    const [first, second, ...rest] = (await status()) as { name: string; interface: string; ips: string[] }[];
    assert.deepEqual([first?.interface, rest], ['eth0', []]);
    return second?.name === `${namespace}/${network.name}` ? second.ips[0] : null;
  };
  await runPod('networked', { annotations: { 'k8s.v1.cni.cncf.io/networks': asks(blue) } });
  assert.match(await kubectl('exec', 'networked', '--', 'ifconfig', 'eth1'), new RegExp(`inet addr:${await isOn(blue)}\\b`));
  await kubectl('annotate', '--overwrite', 'pod/networked', `k8s.v1.cni.cncf.io/networks=${asks(red)}`);
  const address = await until('the Pod is on the other', () => isOn(red).catch(() => null));
  assert.match(await kubectl('exec', 'networked', '--', 'ifconfig', 'eth1'), new RegExp(`inet addr:${address}\\b`));
  assert.deepEqual([await blue.leases(), await red.leases()], [[], [address]]);
});

test('what runs is measured', async () => {
  await runPod('measured', {});
  await cluster.startMetricsServer();
  assert.match(await cluster.kubectl('top', 'node'), new RegExp(`^${cluster.nodeName} +\\d+m`, 'm'));
  assert.match(await until('the Pod is measured', () => kubectl('top', 'pod', 'measured'), 60_000), /^measured +\d+m +\d+Mi/m);
});

test('KWOK plays a node', async () => {
  await cluster.startKwok('fake1');
  await runPod('played', { spec: { nodeName: 'fake1' } });
  assert.equal(await field('pod/played', '.status.phase'), 'Running');
  assert.equal(await field('pod/played', '.spec.nodeName'), 'fake1');
  await cluster.kubectl('delete', 'node', 'fake1');
});

test('a Pod outlives its kubelet, which takes it on when it is back', async () => {
  await runPod('orphan', {});
  await cluster.kill('kubelet');
  const address = await field('pod/orphan', '.status.podIP');
  assert.equal((await cluster.exec(['curl', '-sf', '-m', '5', `http://${address}/`])).stdout, 'hello\n');
  await assert.rejects(kubectl('exec', 'orphan', '--', 'true'), /refused/);
  await cluster.start('kubelet');
  await until('the kubelet knows the Pod', () => kubectl('exec', 'orphan', '--', 'true'));
  assert.equal(await field('pod/orphan', '.status.containerStatuses[0].restartCount'), '0');
});

test('a second node is refused with what to do', async () => {
  await assert.rejects(bootCluster('node', true), new RegExp(`up already, in ${cluster.folder}.*ZUN_TEST_CLUSTER=.*main.ts down`));
});

test('containerd and the registry are reached from outside', async () => {
  const answer = await request(`http://${cluster.outsideRegistry}/v2/busybox/tags/list`);
  assert.deepEqual(await answer.body.json(), { name: 'busybox', tags: ['1'] });
  const images = await runCommandWell('ctr', ['--address', cluster.containerdSocket, '--namespace', 'k8s.io', 'images', 'ls', '-q']);
  assert.match(images.stdout, new RegExp(`^${cluster.registry}/busybox:1$`, 'm'));
});

for (const kubeconfig of ['kubeconfig', 'certificateKubeconfig'] as const)
  test(`the API is reached from outside with the ${kubeconfig}`, async () => {
    const { programs } = await clusterPrograms();
    const answer = await runCommandWell(`${programs}/kubectl`, ['auth', 'whoami', '--kubeconfig', cluster[kubeconfig]]);
    assert.match(answer.stdout, /admin/);
  });
