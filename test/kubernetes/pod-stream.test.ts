import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { KubeClient } from '../../src/runtime/kubernetes/client/kube-client.ts';
import { loadKubeConfig } from '../../src/runtime/kubernetes/client/load-kube-config.ts';
import { openPodStream } from '../../src/runtime/kubernetes/client/pod-stream.ts';
import { type PodCommand, runInPod } from '../../src/runtime/kubernetes/client/run-in-pod.ts';
import type { KubePod } from '../../src/runtime/kubernetes/kube-object.ts';
import { systemClock } from '../../src/telemetry/clock.ts';
import { type Cluster, startCluster } from '../cluster/cluster.ts';
import { until } from '../system/engine/until.ts';

const namespace = `t${randomBytes(4).toString('hex')}`;
const pods = `/api/v1/namespaces/${namespace}/pods`;
const container = 'main';

let cluster: Cluster;
let client: KubeClient;
before(async () => {
  cluster = await startCluster({ mode: 'node' });
  client = new KubeClient(loadKubeConfig({ kubeconfig: cluster.kubeconfig, context: null }));
  await client.request({ method: 'POST', path: '/api/v1/namespaces', body: { metadata: { name: namespace } } });
});
after(async () => {
  await client?.request({ method: 'DELETE', path: `/api/v1/namespaces/${namespace}` });
  await client?.close();
  await cluster?.stop();
});

/** Starts a Pod and waits until its process runs, or has run. */
async function start(pod: string, runtimeClassName: string, command: string[], more: object = {}): Promise<void> {
  const main = { name: container, image: `${cluster.registry}/busybox:1`, command, ...more };
  const spec = { runtimeClassName, restartPolicy: 'Never', terminationGracePeriodSeconds: 1, containers: [main] };
  await client.request({ method: 'POST', path: pods, body: { metadata: { name: pod }, spec } });
  const phase = async () => (await client.request<KubePod>({ method: 'GET', path: `${pods}/${pod}` })).status?.phase ?? '';
  await until(`${pod} runs`, async () => (['Running', 'Succeeded'].includes(await phase()) ? true : null), 120_000);
}

const run = (pod: string, command: string[], options: Partial<PodCommand> = {}) =>
  runInPod(client, { namespace, pod, container, command, clock: systemClock, deadlineMs: 60_000, ...options });

/** What containerd says of a command that cannot be started, by the runtime that it asked. */
const refusals: Record<string, { command: string[]; words: RegExp }[]> = {
  runc: [
    {
      command: ['nope'],
      words:
        /^OCI runtime exec failed: exec failed: unable to start container process: exec: "nope": executable file not found in \$PATH: unknown$/,
    },
    { command: ['/no/such'], words: /^OCI runtime exec failed: .*stat \/no\/such: no such file or directory: unknown$/ },
    { command: ['/etc/passwd'], words: /^OCI runtime exec failed: .*"\/etc\/passwd": permission denied: unknown$/ },
  ],
  gvisor: [
    {
      command: ['nope'],
      words: /^OCI runtime exec failed: .*error finding executable "nope" in PATH .*no such file or directory: unknown$/,
    },
    { command: ['/no/such'], words: /^OCI runtime exec failed: .*failed to load \/no\/such: no such file or directory: unknown$/ },
    { command: ['/etc/passwd'], words: /^OCI runtime exec failed: .*failed to load \/etc\/passwd: permission denied: unknown$/ },
  ],
};

for (const [runtimeClass, commands] of Object.entries(refusals)) {
  test(`${runtimeClass}: commands, their input, outputs, exit codes and refusals`, async (t) => {
    await start(runtimeClass, runtimeClass, ['sleep', '1000']);
    await t.test('outputs apart, and the exit code', async () => {
      const { stdout, stderr, output, exitCode, refusal } = await run(runtimeClass, ['sh', '-c', 'echo out; echo err >&2; exit 3']);
      assert.deepEqual([String(stdout), String(stderr), output.length, exitCode, refusal], ['out\n', 'err\n', 8, 3, null]);
      assert.equal((await run(runtimeClass, ['sh', '-c', 'kill -9 $$'])).exitCode, 137);
    });
    await t.test('20 MB there and back, bytes as they are', async () => {
      const input = randomBytes(20_000_000);
      const { stdout, exitCode } = await run(runtimeClass, ['cat'], { input });
      assert.equal(exitCode, 0);
      assert.ok(stdout.equals(input));
    });
    await t.test('an empty input ends', async () => {
      assert.equal(String((await run(runtimeClass, ['wc', '-c'], { input: Buffer.alloc(0) })).stdout).trim(), '0');
    });
    for (const { command, words } of commands)
      await t.test(`${command} is refused`, async () => {
        const { exitCode, refusal, output } = await run(runtimeClass, command);
        assert.equal(exitCode, 126);
        assert.match(refusal ?? '', words);
        assert.equal(String(output), `${refusal}\r\n`);
      });
    await t.test('a terminal has its size, its input, and one output', async () => {
      const stream = await openPodStream(client, {
        namespace,
        pod: runtimeClass,
        container,
        kind: 'exec',
        command: ['sh'],
        stdin: true,
        tty: true,
      });
      const written = text(stream.stdout);
      stream.resize(101, 33);
      stream.stdin.write('until [ "$(stty size)" = "33 101" ]; do :; done; stty size >&2; exit 4\n');
      assert.deepEqual(await stream.ended, { exitCode: 4, error: null });
      assert.match(await written, /\r\n33 101\r\n/);
      assert.equal(await text(stream.stderr), '');
    });
    await t.test('who reads slowly gets everything', async () => {
      const stream = await openPodStream(client, {
        ...{ namespace, pod: runtimeClass, container, kind: 'exec', stdin: false, tty: false },
        command: ['sh', '-c', 'head -c 30000000 /dev/zero'],
      });
      let bytes = 0;
      for await (const piece of stream.stdout) {
        bytes += (piece as Buffer).length;
        if (bytes < 3_000_000) await new Promise((resolve) => setTimeout(resolve, 1));
      }
      assert.equal(bytes, 30_000_000);
      assert.equal((await stream.ended).exitCode, 0);
    });
    await t.test('too much output and too long a time are given up', async () => {
      await assert.rejects(run(runtimeClass, ['yes'], { maxBytes: 1_000_000 }), { kind: 'failed' });
      await assert.rejects(run(runtimeClass, ['sleep', '100'], { deadlineMs: 1_000 }), { kind: 'timeout' });
    });
  });

  test(`${runtimeClass}: the first process is joined, and its input ended`, async () => {
    const pod = `${runtimeClass}-attach`;
    await start(pod, runtimeClass, ['sh', '-c', 'while read line; do echo "got $line"; done; echo over'], { stdin: true, stdinOnce: true });
    const stream = await openPodStream(client, { namespace, pod, container, kind: 'attach', stdin: true, tty: false });
    stream.stdin.write('one\n');
    assert.equal(String((await once(stream.stdout, 'data'))[0]), 'got one\n');
    stream.stdin.end('two\n');
    assert.equal(await text(stream.stdout), 'got two\nover\n');
    assert.equal((await stream.ended).error, null);
  });
}

test('what is not there, or does not run, is told apart', async () => {
  await start('ended', 'runc', ['true']);
  await until('it has ended', async () => {
    const { status } = await client.request<KubePod>({ method: 'GET', path: `${pods}/ended` });
    return status?.phase === 'Succeeded' ? true : null;
  });
  await assert.rejects(run('ended', ['true']), { name: 'RuntimeFault', kind: 'conflict', message: /container not found|not running/ });
  await assert.rejects(run('absent', ['true']), { name: 'RuntimeFault', kind: 'not-found', message: 'pods "absent" not found' });
  await assert.rejects(run('ended', ['true'], { container: 'other' }), {
    kind: 'invalid',
    message: /container other is not valid for pod ended/,
  });
});

test('a Pod that goes takes its commands along', async () => {
  await start('going', 'runc', ['sleep', '1000']);
  const stream = await openPodStream(client, {
    ...{ namespace, pod: 'going', container, kind: 'exec', stdin: false, tty: false },
    command: ['sh', '-c', 'echo here; sleep 1000'],
  });
  await once(stream.stdout, 'data');
  await client.request({ method: 'DELETE', path: `${pods}/going`, query: { gracePeriodSeconds: 0 } });
  const { exitCode } = await stream.ended;
  assert.equal(exitCode, 137);
});
