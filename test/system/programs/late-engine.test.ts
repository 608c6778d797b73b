import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { until } from '../engine/until.ts';
import { lateCluster, lateDocker, silentCluster } from './late-runtimes.ts';
import { LateWorld } from './late-world.ts';
import type { ProgramProcess } from './program-process.ts';

interface LogLine {
  level: string;
  msg: string;
  dependency?: string;
  reason?: string;
}

/** The lines of a program's log above `info`, and those that say how the engine is. */
function told(program: ProgramProcess): LogLine[] {
  const lines = program.log.split('\n').filter((line) => line.startsWith('{'));
  return lines.map((line) => JSON.parse(line) as LogLine).filter(({ level, dependency }) => level !== 'info' || dependency);
}

const readiness = async (program: ProgramProcess) => JSON.parse((await program.admin('/readyz')).text);
const isReady = (program: ProgramProcess) =>
  until(`${program.name} is ready`, async () => ((await readiness(program)).ready ? true : null), 30_000);

for (const [name, runtimeIn] of [
  ['Docker', lateDocker],
  ['cluster', lateCluster],
] as const) {
  describe(`programs that are started while the ${name} is away`, () => {
    let world: LateWorld;
    let programs: ProgramProcess[];
    let api: ProgramProcess;
    before(async () => {
      world = await LateWorld.open(runtimeIn);
      programs = await world.start('zun-api', 'zun-compute', 'zun-compute-agent');
      api = programs[0] as ProgramProcess;
    });
    after(() => world?.close());

    test('run all the same, and say what they lack and why: to probes at each look, in the log once', async () => {
      const began = Date.now();
      for (const program of programs) {
        assert.equal((await program.admin('/healthz')).status, 200);
        const { dependencies } = await readiness(program);
        assert.equal((await program.admin('/readyz')).status, 503);
        assert.deepEqual([dependencies.engine.status, dependencies.database.status], ['down', 'up']);
        assert.match(dependencies.engine.reason, world.runtime.away);
      }
      // What a worker does without an engine it does again and again: long enough for each to have come a few times.
      await until('some seconds have passed', async () => (Date.now() - began > 7_000 ? true : null));
      for (const program of programs) {
        const lines = told(program);
        assert.deepEqual(
          lines.flatMap(({ dependency, msg }) => (dependency ? [msg] : [])),
          ['the engine does not answer; it is asked until it does'],
        );
        assert.match(lines.find(({ dependency }) => dependency)?.reason ?? '', world.runtime.away);
        const times = Map.groupBy(lines, ({ msg }) => msg);
        for (const [msg, same] of times) assert.ok(same.length <= 2, `${program.name} said ${same.length} times: ${msg}`);
      }
    });

    test('the API reads from the database, and what needs the engine is 503 in words', async () => {
      for (const path of ['/v1/containers', '/v1/capsules']) assert.equal((await world.ask('GET', path)).status, 200, path);
      for (const path of ['/v1/services', '/v1/images', '/v1/hosts'])
        assert.equal((await world.ask('GET', path, undefined, 'zun-admin')).status, 200, path);
      const search = await world.ask('GET', '/v1/images/busybox/search', undefined, 'zun-admin');
      // Kubernetes has no search, engine or not.
      assert.deepEqual(
        [search.status, /cannot be reached|no container engine/.test(search.text)],
        name === 'Docker' ? [503, true] : [409, false],
      );
      for (const [path, body] of [
        ['/v1/containers', { image: 'busybox' }],
        ['/v1/containers?run=true', { image: 'busybox', nets: [{ network: 'private' }] }],
        ['/v1/networks', { neutron_net_id: '2a9b1e0c-6a4a-4d43-9d6e-1a1f6b4f3b10' }],
      ] as const) {
        const { status, text } = await world.ask('POST', path, body, 'zun-admin');
        assert.ok(status !== 500 && status < 600, `${path}: ${status} ${text}`);
      }
    });

    test('go on by themselves when it comes, and once more when it has gone and come again', async () => {
      const [, compute] = programs as [ProgramProcess, ProgramProcess, ProgramProcess];
      await world.runtime.come();
      await Promise.all(programs.map(isReady));
      await until('the node is reported', async () => {
        const { text } = await world.ask('GET', '/v1/hosts', undefined, 'zun-admin');
        return JSON.parse(text).hosts.some((host: { hostname: string }) => host.hostname === 'node-1') ? true : null;
      });
      const isFollowed = /^zun_sync_stream_connected\{watch="engine"\} 1$/m;
      await until('rows follow', async () => (isFollowed.test((await compute.admin('/metrics')).text) ? true : null), 60_000);

      const said = (times: number) =>
        until(`it was said ${times} times`, async () => (told(api).filter(({ dependency }) => dependency).length === times ? true : null));
      await said(2);
      await world.runtime.go();
      await until('it is noticed', async () => ((await readiness(api)).ready ? null : true));
      await said(3);
      await world.runtime.come();
      await Promise.all(programs.map(isReady));
      await said(4);
      assert.deepEqual(
        told(api).flatMap(({ dependency, msg }) => (dependency ? [msg] : [])),
        [
          'the engine does not answer; it is asked until it does',
          'the engine answers',
          'the engine does not answer; it is asked until it does',
          'the engine answers',
        ],
      );
    });
  });
}

test('of a container on a cluster that is away its row tells, what asks the cluster is 503 in words, and what can wait is done when it comes', async () => {
  const world = await LateWorld.open(lateCluster);
  try {
    await world.runtime.come();
    const [api] = (await world.start('zun-api', 'zun-compute', 'zun-compute-agent')) as [ProgramProcess];
    const create = await world.ask('POST', '/v1/containers?run=true', { name: 'here', image: 'busybox', command: ['sleep', '1000'] });
    assert.equal(create.status, 202, create.text);
    const { uuid } = JSON.parse(create.text);
    const show = async () => JSON.parse((await world.ask('GET', `/v1/containers/${uuid}`)).text);
    const becomes = (status: string) =>
      until(`it is ${status}`, async () => ((await show()).status === status && (await show()).task_state === null ? true : null), 60_000);
    await becomes('Running');
    await world.runtime.go();
    api.signal('SIGTERM');
    await api.ended();
    await world.start('zun-api');

    for (const path of ['', '/network_list', '/container_actions'])
      assert.equal((await world.ask('GET', `/v1/containers/${uuid}${path}`)).status, 200, path);
    assert.equal((await show()).status, 'Running');
    for (const [method, rest, body] of [
      ['GET', 'logs'],
      ['GET', 'top'],
      ['GET', 'stats'],
      ['POST', 'execute?command=ls&run=true'],
      ['GET', 'get_archive?path=/etc/hosts'],
      ['POST', 'put_archive?path=/', { data: Buffer.alloc(1024).toString('base64') }],
    ] as const) {
      const { status, text } = await world.ask(method, `/v1/containers/${uuid}/${rest}`, body, 'zun-admin');
      assert.deepEqual([status, /Kubernetes API server cannot be reached/.test(text)], [503, true], `${rest}: ${status} ${text}`);
    }
    assert.equal((await world.ask('POST', `/v1/containers/${uuid}/stop`)).status, 202);
    await world.runtime.come();
    await becomes('Stopped');
  } finally {
    await world.close();
  }
});

test('an API server that takes connections and says nothing keeps nobody from starting', async () => {
  const world = await LateWorld.open(silentCluster);
  try {
    const programs = await world.start('zun-api', 'zun-compute', 'zun-compute-agent');
    for (const program of programs) {
      assert.equal((await program.admin('/healthz')).status, 200);
      assert.match((await readiness(program)).dependencies.engine.reason, world.runtime.away);
    }
    assert.equal((await world.ask('GET', '/v1/containers')).status, 200);
    for (const program of programs) program.signal('SIGTERM');
    for (const program of programs) assert.equal(await program.ended(), 0, program.log);
  } finally {
    await world.close();
  }
});

for (const [what, own, words] of [
  [
    'a kubeconfig that is not there',
    { runtime: { kind: 'kubernetes' }, kubernetes: { kubeconfig: '/nowhere/config' } },
    /kubeconfig \/nowhere\/config cannot be used: ENOENT/,
  ],
  [
    'an engine on another machine',
    { engine: { address: 'tcp://10.0.0.1:2375' } },
    /The engine's address tcp:\/\/10\.0\.0\.1:2375 is plain text to another machine/,
  ],
] as const) {
  test(`${what} is no outage: the start ends, in words`, async () => {
    const world = await LateWorld.open(lateDocker, own);
    try {
      for (const name of ['zun-api', 'zun-compute', 'zun-compute-agent'] as const) {
        const program = await world.spawn(name);
        assert.equal(await program.ended(), 1);
        assert.match(program.log, words);
        assert.doesNotMatch(program.log, /\n\s+at /, 'a stack is not words');
      }
    } finally {
      await world.close();
    }
  });
}
