import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import type { TLSSocket } from 'node:tls';
import { StandingClock } from '../../../../test/bench/standing-clock.ts';
import { type Asked, FakeApiServer } from '../../../../test/kubernetes-fake/fake-api-server.ts';
import { selfSigned } from '../../../../test/kubernetes-fake/self-signed.ts';
import { until } from '../../../../test/system/engine/until.ts';
import { RuntimeFault } from '../../runtime-fault.ts';
import { KubeClient } from './kube-client.ts';

const pods = { method: 'GET' as const, path: '/api/v1/namespaces/n/pods' };

/** Knows who waits. */
class WatchedClock extends StandingClock {
  readonly waits: number[] = [];

  override sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    this.waits.push(milliseconds);
    return super.sleep(milliseconds, signal);
  }
}

async function setUp(answer?: (asked: Asked) => void) {
  const fake = await FakeApiServer.start();
  if (answer) fake.answer = answer;
  const calls: string[] = [];
  const clock = new WatchedClock();
  const client = new KubeClient(fake.config(), (operation) => (outcome) => void calls.push(`${operation}: ${outcome}`), clock);
  const stack = new AsyncDisposableStack();
  stack.use(fake);
  stack.defer(() => client.close());
  return { fake, client, clock, calls, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

test('a call goes out with query, body, kind of the body and token, and its answer comes back parsed', async () => {
  await using bench = await setUp((asked) => asked.json(200, { spec: { a: 'ü' } }));
  const answer = await bench.client.request<{ spec: { a: string } }>({
    method: 'PATCH',
    path: '/api/v1/namespaces/n/pods/p',
    query: { fieldManager: 'zun & co', force: true, dryRun: undefined },
    body: { spec: {} },
    contentType: 'application/merge-patch+json',
  });
  assert.deepEqual(answer, { spec: { a: 'ü' } });
  const [asked] = bench.fake.asked;
  assert.deepEqual(
    [asked?.method, asked?.path, [...(asked?.query ?? [])], asked?.body],
    [
      'PATCH',
      '/api/v1/namespaces/n/pods/p',
      [
        ['fieldManager', 'zun & co'],
        ['force', 'true'],
      ],
      '{"spec":{}}',
    ],
  );
  const { authorization, accept, 'content-type': contentType } = asked?.headers ?? {};
  assert.deepEqual([authorization, accept, contentType], ['Bearer secret', 'application/json', 'application/merge-patch+json']);
  assert.deepEqual(bench.calls, ['PATCH /api/v1/namespaces/{namespace}/pods/{name}: ok']);
});

test('the path of a server behind a gateway stays in front', async () => {
  await using bench = await setUp();
  bench.fake.answer = (asked) => asked.json(200, {});
  const client = new KubeClient(bench.fake.config({}, { server: `${bench.fake.url}/k8s/clusters/c1` }));
  await client.request(pods);
  await client.close();
  assert.equal(bench.fake.asked[0]?.path, '/k8s/clusters/c1/api/v1/namespaces/n/pods');
});

test('a refusal is thrown with status, reason and words, and its connection can be used again', async () => {
  await using bench = await setUp((asked) => asked.refuse(409, 'AlreadyExists', 'pods "p" already exists'));
  for (let time = 0; time < 10; time++) {
    await assert.rejects(bench.client.request({ ...pods, method: 'POST', body: {} }), {
      name: 'KubeError',
      status: 409,
      reason: 'AlreadyExists',
      message: 'pods "p" already exists',
    });
  }
  // A second one is made when the first is not known to be free yet.
  assert.ok(new Set(bench.fake.asked.map(({ remotePort }) => remotePort)).size <= 2);
  assert.equal(bench.calls[0], 'POST /api/v1/namespaces/{namespace}/pods: conflict');
});

test('redirections are not followed', async () => {
  await using bench = await setUp((asked) => asked.json(307, {}, { location: 'http://127.0.0.1:1/' }));
  await assert.rejects(bench.client.request(pods), { name: 'KubeError', status: 307 });
});

test('an answer that is no JSON is a fault that quotes it', async () => {
  await using bench = await setUp((asked) => asked.response.end('<html>login</html>'));
  await assert.rejects(bench.client.request(pods), {
    name: 'RuntimeFault',
    kind: 'unreachable',
    message: 'The Kubernetes API server answered GET /api/v1/namespaces/n/pods with what is no JSON: "<html>login</html>"',
  });
  assert.equal((await bench.client.bytes(pods)).toString(), '<html>login</html>');
});

test('an answer that breaks off is a fault, not a short answer', async () => {
  await using bench = await setUp((asked) => {
    asked.response.writeHead(200, { 'content-length': '100' });
    asked.response.write('{"items":[]}');
    setImmediate(() => asked.response.destroy());
  });
  await assert.rejects(bench.client.request({ ...pods, method: 'PUT' }), { name: 'RuntimeFault', kind: 'unreachable' });
});

test('a read whose idle connection dies is asked once more, a change never', async () => {
  await using bench = await setUp((asked) => {
    if (bench.fake.asked.length % 2 === 1) asked.response.destroy();
    else asked.json(200, {});
  });
  await bench.client.request(pods);
  assert.equal(bench.fake.asked.length, 2);
  await assert.rejects(bench.client.request({ ...pods, method: 'POST', body: {} }), { kind: 'unreachable' });
  assert.equal(bench.fake.asked.length, 3);
});

test('a read is not asked a third time', async () => {
  await using bench = await setUp((asked) => asked.response.destroy());
  await assert.rejects(bench.client.request(pods), { kind: 'unreachable' });
  assert.equal(bench.fake.asked.length, 2);
});

test('a server that is silent, before its headers or within its body, is given up after the time said', async () => {
  await using bench = await setUp((asked) => {
    if (asked.path !== '/silent') asked.response.writeHead(200).write('{');
  });
  for (const path of ['/silent', '/slow']) {
    await assert.rejects(bench.client.request({ method: 'GET', path, silenceMs: 50 }), { name: 'RuntimeFault', kind: 'unreachable' });
  }
});

test('a call ends when its signal aborts, with the reason when that is a fault', async () => {
  await using bench = await setUp(() => {});
  const aborts: [unknown, object][] = [
    [undefined, { name: 'RuntimeFault', kind: 'timeout' }],
    [new RuntimeFault('conflict', 'over'), { kind: 'conflict', message: 'over' }],
  ];
  for (const [reason, expected] of aborts) {
    const caller = new AbortController();
    const call = bench.client.request({ ...pods, signal: caller.signal });
    const asked = bench.fake.asked.length;
    await until('the call is there', async () => (bench.fake.asked.length > asked ? true : null));
    caller.abort(reason);
    await assert.rejects(call, expected);
    await assert.rejects(bench.client.request({ ...pods, signal: caller.signal }), expected);
  }
});

test('nobody there is unreachable', async () => {
  const { fake, client, calls } = await setUp();
  await fake[Symbol.asyncDispose]();
  await assert.rejects(client.request(pods), { name: 'RuntimeFault', kind: 'unreachable', message: /cannot be reached: .*ECONNREFUSED/ });
  assert.deepEqual(calls, ['GET /api/v1/namespaces/{namespace}/pods: unreachable']);
  await client.close();
});

test('after a 429 a call comes back when the server says, whatever its method, and gives up when that takes too long in all', async () => {
  await using bench = await setUp((asked) => asked.refuse(429, 'TooManyRequests', 'busy', { 'retry-after': '4' }));
  const call = bench.client.request({ ...pods, method: 'POST', body: {} });
  const refused = assert.rejects(call, { name: 'KubeError', status: 429, retryAfterSeconds: 4 });
  for (const times of [1, 2]) {
    await until('the call waits', async () => (bench.clock.waits.length === times ? true : null));
    await bench.clock.advance(3_999);
    assert.equal(bench.fake.asked.length, times);
    await bench.clock.advance(1);
  }
  await refused;
  assert.equal(bench.fake.asked.length, 3);
});

test('a 429 without a time is a refusal at once', async () => {
  await using bench = await setUp((asked) => asked.refuse(429, 'TooManyRequests', 'busy'));
  await assert.rejects(bench.client.request(pods), { status: 429 });
  assert.equal(bench.fake.asked.length, 1);
});

test('who waits because of a 429 heeds its signal', async () => {
  await using bench = await setUp((asked) => asked.refuse(429, 'TooManyRequests', 'busy', { 'retry-after': '9' }));
  const caller = new AbortController();
  const call = bench.client.request({ ...pods, signal: caller.signal });
  await until('the call waits', async () => (bench.clock.waits.length === 1 ? true : null));
  caller.abort();
  await assert.rejects(call, { status: 429 });
});

test('a stream gives the body as it comes, and ends when its signal aborts', async () => {
  await using bench = await setUp((asked) => {
    asked.response.writeHead(200).write('one');
  });
  const caller = new AbortController();
  const body = await bench.client.stream({ ...pods, query: { watch: true }, signal: caller.signal });
  const [chunk] = await once(body, 'data');
  assert.equal(String(chunk), 'one');
  caller.abort();
  await assert.rejects(once(body, 'end'));
  assert.deepEqual(bench.calls, ['WATCH /api/v1/namespaces/{namespace}/pods: ok']);
});

test('a stream that nobody reads yet and that breaks does not end the process', async () => {
  await using bench = await setUp((asked) => {
    asked.response.writeHead(200).write('one');
  });
  const body = await bench.client.stream(pods);
  bench.fake.cut();
  await until('the stream is broken', async () => (body.destroyed ? true : null));
});

test('a stream that is refused is thrown, and more streams than other calls may run at once', async () => {
  await using bench = await setUp((asked) => {
    if (asked.query.has('refused')) asked.refuse(403, 'Forbidden', 'no');
    else if (asked.query.has('follow')) asked.response.writeHead(200).write('line\n');
    else asked.json(200, {});
  });
  await assert.rejects(bench.client.stream({ ...pods, query: { refused: true } }), { status: 403, message: 'no' });
  const streams = await Promise.all(Array.from({ length: 50 }, () => bench.client.stream({ ...pods, query: { follow: true } })));
  assert.deepEqual(await bench.client.request(pods), {});
  for (const stream of streams) stream.destroy();
});

test('the server is known by its certificate, and the client by its own', async () => {
  const [server, user, other] = [selfSigned('server'), selfSigned('user'), selfSigned('other')];
  await using fake = await FakeApiServer.start({ ...server, ca: user.cert, requestCert: true, rejectUnauthorized: true });
  fake.answer = (asked) => asked.json(200, {});
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const ask = async (caData: string, { cert, key }: { cert: string; key: string }) => {
    const config = fake.config({ certData: base64(cert), keyData: base64(key) }, { caData: base64(caData) });
    const client = new KubeClient(config);
    try {
      return await client.request(pods);
    } finally {
      await client.close();
    }
  };
  assert.deepEqual(await ask(server.cert, user), {});
  await assert.rejects(ask(other.cert, user), { kind: 'unreachable', message: /certificate/ });
  await assert.rejects(ask(server.cert, other), { kind: 'unreachable' });
});

test('a client certificate that was renewed is used from then on; what is under way ends as it began', async () => {
  const [server, first, second] = [selfSigned('server'), selfSigned('first'), selfSigned('second')];
  await using fake = await FakeApiServer.start({ ...server, ca: [first.cert, second.cert], requestCert: true, rejectUnauthorized: true });
  const held: Asked[] = [];
  const names: string[] = [];
  fake.answer = (asked) => {
    names.push(String((asked.response.socket as TLSSocket).getPeerCertificate().subject.CN));
    if (asked.path === '/held') held.push(asked);
    else asked.json(200, {});
  };
  const folder = await mkdtemp(path.join(tmpdir(), 'kube-client-'));
  const user = { certFile: path.join(folder, 'cert'), keyFile: path.join(folder, 'key') };
  const renew = async ({ cert, key }: { cert: string; key: string }) => {
    await writeFile(user.certFile, cert);
    await writeFile(user.keyFile, key);
  };
  await renew(first);
  const client = new KubeClient(fake.config(user, { caData: Buffer.from(server.cert).toString('base64') }));
  const underWay = client.request({ method: 'GET', path: '/held' });
  await until('it is under way', async () => held[0] ?? null);
  await renew(second);
  await client.request(pods);
  held[0]?.json(200, { held: true });
  assert.deepEqual(await underWay, { held: true });
  assert.deepEqual(names, ['first', 'second']);
  await client.close();
  await rm(folder, { recursive: true });
});

test('the proxy that the kubeconfig names is the way for calls and for sockets', async () => {
  const server = selfSigned('server');
  await using fake = await FakeApiServer.start({ ...server });
  fake.answer = (asked) => asked.json(200, {});
  fake.answerSocket = () => ({ run: (socket) => socket.send('hello') });
  const tunnels: string[] = [];
  const proxy = createServer();
  proxy.on('connect', ({ url = '' }, socket: Socket) => {
    tunnels.push(url);
    const [host, port] = url.split(':');
    const there = connect(Number(port), host, () => socket.write('HTTP/1.1 200 Connected\r\n\r\n'));
    there.pipe(socket).on('error', () => {});
    socket.pipe(there).on('error', () => {});
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const config = fake.config({ token: 'secret' }, { caData: Buffer.from(server.cert).toString('base64') });
  const [cluster] = config.clusters;
  assert.ok(cluster);
  config.clusters = [{ ...cluster, proxyUrl: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` }];
  const client = new KubeClient(config);
  await client.request(pods);
  const socket = await client.connect('/api/v1/namespaces/n/pods/p/exec', [], ['v5.channel.k8s.io']);
  const message = once(socket, 'message');
  socket.resume();
  assert.equal(String((await message)[0]), 'hello');
  assert.deepEqual(new Set(tunnels), new Set([fake.url.replace('https://', '')]));
  assert.equal(tunnels.length, 2);
  socket.terminate();
  await client.close();
  proxy.close();
});

test('a configuration without a cluster is refused', async () => {
  await using fake = await FakeApiServer.start();
  const config = fake.config();
  config.clusters = [];
  assert.throws(() => new KubeClient(config), /context 'loaded-context' names no cluster/);
});
