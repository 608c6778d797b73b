import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Capsule, withCapsule } from './capsule.ts';
import { type Told, untilTold, whileWatching } from './events.ts';
import { eventually } from './eventually.ts';
import type { FixtureSource } from './runtime-fixture.ts';
import { deaf, endsOnTerm, endsWith, says, shell, succeedsTheSecondTime } from './scripts.ts';
import { refused } from './workload.ts';

const MIB = 1024 * 1024;

/** Capsules where each is one object of the runtime. */
export function capsuleTests(fixture: FixtureSource): void {
  test('a created capsule runs nothing: it and its containers are seen as created, and creating it again changes nothing', async () => {
    const { runtime } = fixture();
    await withCapsule(fixture(), { initContainers: [{}], containers: [{}, {}] }, async (capsule) => {
      const before = await Promise.all(capsule.uuids.map((uuid) => runtime.inspect(uuid)));
      for (const seen of before) assert.deepEqual([seen?.state.status, seen?.state.startedAt, seen?.state.error], ['created', null, '']);
      await runtime.capsules?.create(capsule.spec);
      const listed = await runtime.list();
      assert.deepEqual(
        capsule.uuids.map((uuid) => listed.filter((seen) => seen.uuid === uuid)),
        before.map((seen) => [seen]),
      );
    });
  });

  test('init containers run one after another, each to its success, then the containers; starting what runs changes nothing', async () => {
    const { runtime } = fixture();
    const wishes = { initContainers: [{ command: endsWith(0) }, { command: endsWith(0) }], containers: [{}, {}] };
    await withCapsule(fixture(), wishes, async (capsule) => {
      await capsule.start();
      const running = await Promise.all(capsule.containers.map((container) => container.until('running')));
      const ended = await Promise.all(capsule.initContainers.map((init) => init.until('exited')));
      assert.deepEqual(
        ended.map(({ exitCode }) => exitCode),
        [0, 0],
      );
      const [first, second] = ended;
      assert.ok(Number(first?.finishedAt) <= Number(second?.startedAt), 'the second began after the first');
      for (const { startedAt } of running) assert.ok(Number(second?.finishedAt) <= Number(startedAt), 'the containers began after both');
      assert.equal((await capsule.state()).status, 'running');
      for (const init of capsule.initContainers) assert.equal(await init.untilLogged('run'), 'run\n');
      await runtime.start(capsule.uuid);
      assert.deepEqual(await Promise.all(capsule.containers.map((container) => container.state())), running);
    });
  });

  test('while an init container runs, the capsule does, and what comes after it is only created', async () => {
    await withCapsule(fixture(), { initContainers: [{}, {}], containers: [{}] }, async (capsule) => {
      await capsule.start();
      const [first, second] = capsule.initContainers;
      await first?.until('running');
      assert.equal((await capsule.state()).status, 'running');
      for (const later of [second, capsule.containers[0]]) {
        const state = await later?.state();
        assert.deepEqual([state?.status, state?.startedAt, state?.error], ['created', null, '']);
      }
    });
  });

  test('logs, commands, files, limits and environment are each container’s own', async () => {
    const { runtime } = fixture();
    const container = (name: string, memoryMiB: number) => ({ command: says(name), environment: { NAME: name }, memoryMiB });
    await withCapsule(fixture(), { containers: [container('one', 64), container('two', 96)] }, async (capsule) => {
      await capsule.start();
      for (const [index, { uuid, until, untilLogged, inspect }] of capsule.containers.entries()) {
        const name = ['one', 'two'][index] ?? '';
        await until('running');
        assert.equal(await untilLogged(name), `${name}\n`);
        const { output } = await runtime.exec(uuid, shell(`ls /mine 2>/dev/null; echo $NAME; echo ${name} > /mine`), 10_000);
        assert.equal(output.toString(), `${name}\n`);
        assert.equal((await runtime.stats(uuid)).memoryLimitBytes, [64, 96].map((size) => size * MIB)[index]);
        assert.deepEqual((await inspect()).addresses, {}, 'addresses are the capsule’s');
      }
    });
  });

  test('containers share a volume, with what an init container left in it', async (t) => {
    const { runtime, volume } = fixture();
    if (volume === undefined) return t.skip('the fixture has no volume');
    const mounts = [{ kind: 'volume' as const, source: volume, destination: '/shared', readOnly: false }];
    const wishes = { initContainers: [{ command: shell('echo early > /shared/early'), mounts }], containers: [{ mounts }, { mounts }] };
    await withCapsule(fixture(), wishes, async (capsule) => {
      await capsule.start();
      const [one, two] = await allRunning(capsule);
      await runtime.exec(one ?? '', shell('echo late > /shared/late'), 10_000);
      const { output } = await runtime.exec(two ?? '', shell('cat /shared/early /shared/late; rm /shared/early /shared/late'), 10_000);
      assert.equal(output.toString(), 'early\nlate\n');
    });
  });

  test('an init container that fails for good ends the capsule, and nothing after it runs', async () => {
    await withCapsule(fixture(), { initContainers: [{ command: endsWith(3) }, {}], containers: [{}] }, async (capsule) => {
      await capsule.start();
      const [first, second] = capsule.initContainers;
      assert.equal((await first?.until('exited'))?.exitCode, 3);
      await capsule.until('exited');
      for (const later of [second, capsule.containers[0]]) assert.equal((await later?.state())?.startedAt, null);
    });
  });

  for (const restartPolicy of ['on-failure', 'always'] as const) {
    test(`under ${restartPolicy} an init container that fails runs again until it succeeds`, async (t) => {
      const { runtime, volume } = fixture();
      if (volume === undefined) return t.skip('the fixture has no volume');
      const mounts = [{ kind: 'volume' as const, source: volume, destination: '/shared', readOnly: false }];
      const tried = `/shared/tried-${restartPolicy}`;
      const init = { command: succeedsTheSecondTime(tried), mounts };
      await withCapsule(fixture(), { restartPolicy, initContainers: [init], containers: [{ mounts }] }, async (capsule) => {
        await capsule.start();
        const [container] = await allRunning(capsule);
        const seen = await capsule.initContainers[0]?.inspect();
        assert.deepEqual([seen?.state.status, seen?.state.exitCode, seen?.restartCount], ['exited', 0, 1]);
        await runtime.exec(container ?? '', ['rm', tried], 10_000);
      });
    });
  }

  test('stop ends every container with the code it chose, and the next start runs all of it anew', async () => {
    const { runtime } = fixture();
    const wishes = { initContainers: [{ command: endsWith(0) }], containers: [{ command: endsOnTerm(7) }, { command: endsOnTerm(8) }] };
    await withCapsule(fixture(), wishes, async (capsule) => {
      await capsule.start();
      for (const container of capsule.containers) await container.untilLogged('ready');
      const before = await Promise.all([...capsule.initContainers, ...capsule.containers].map((member) => member.state()));
      await runtime.stop(capsule.uuid, 10);
      const ended = await Promise.all(capsule.containers.map((container) => container.until('exited')));
      assert.deepEqual(
        ended.map(({ exitCode }) => exitCode),
        [7, 8],
      );
      await capsule.until('exited');
      await runtime.stop(capsule.uuid, 10);
      await capsule.start();
      await allRunning(capsule);
      const after = await Promise.all([...capsule.initContainers, ...capsule.containers].map((member) => member.state()));
      for (const [index, { startedAt }] of after.entries()) assert.ok(Number(startedAt) > Number(before[index]?.startedAt));
    });
  });

  test('stop kills what ignores its signal, once the grace period is over', async () => {
    await withCapsule(
      fixture(),
      { restartPolicy: 'always', containers: [{ command: deaf }, { command: endsOnTerm(0) }] },
      async (capsule) => {
        await capsule.start();
        for (const container of capsule.containers) await container.untilLogged('ready');
        await fixture().runtime.stop(capsule.uuid, 3);
        const [killed, ended] = await Promise.all(capsule.containers.map((container) => container.until('exited')));
        assert.deepEqual([killed?.exitCode, ended?.exitCode], [137, 0]);
      },
    );
  });

  test('a capsule ends when all its containers have, each with its code', async () => {
    await withCapsule(fixture(), { containers: [{ command: endsWith(0) }, { command: endsWith(3) }] }, async (capsule) => {
      await capsule.start();
      await capsule.until('exited');
      const states = await Promise.all(capsule.containers.map((container) => container.state()));
      assert.deepEqual(
        states.map(({ status, exitCode }) => [status, exitCode]),
        [
          ['exited', 0],
          ['exited', 3],
        ],
      );
    });
  });

  for (const [restartPolicy, code] of [
    ['always', 0],
    ['on-failure', 3],
  ] as const) {
    test(`under ${restartPolicy} a container that ends with ${code} runs again, and the others go on`, async () => {
      await withCapsule(fixture(), { restartPolicy, containers: [{}, { command: endsWith(code) }] }, async (capsule) => {
        await capsule.start();
        const [other, again] = capsule.containers;
        const before = await other?.until('running');
        await eventually('run again', again?.inspect ?? capsule.inspect, ({ restartCount = 0 }) => restartCount > 0);
        assert.deepEqual(await other?.state(), before);
        assert.equal((await capsule.state()).status, 'running');
      });
    });
  }

  test('under on-failure a success rests, and the capsule goes on with the others', async () => {
    await withCapsule(fixture(), { restartPolicy: 'on-failure', containers: [{ command: endsWith(0) }, {}] }, async (capsule) => {
      await capsule.start();
      assert.equal((await capsule.containers[0]?.until('exited'))?.exitCode, 0);
      await capsule.containers[1]?.until('running');
      assert.equal((await capsule.containers[0]?.inspect())?.restartCount, 0);
      assert.equal((await capsule.state()).status, 'running');
    });
  });

  test('remove ends what runs, leaves nothing of it, and may be repeated', async () => {
    const { runtime, leftovers } = fixture();
    await withCapsule(fixture(), { initContainers: [{ command: endsWith(0) }], containers: [{}, {}] }, async (capsule) => {
      await capsule.start();
      await allRunning(capsule);
      await runtime.remove(capsule.uuid);
      for (const uuid of capsule.uuids) assert.equal(await runtime.inspect(uuid), null);
      assert.ok((await runtime.list()).every(({ uuid }) => !capsule.uuids.includes(uuid)));
      await runtime.remove(capsule.uuid);
      for (const uuid of capsule.uuids) assert.deepEqual((await leftovers?.(uuid)) ?? [], []);
    });
  });

  test('what cannot be started first fails the start in words, and the capsule stays created', async () => {
    const { missing } = fixture();
    const image = `${missing.repository}:${missing.tag}`;
    await withCapsule(fixture(), { initContainers: [{ command: ['no-such-program'] }], containers: [{}] }, async (capsule) => {
      await assert.rejects(capsule.start(), /no-such-program/);
      assert.equal((await capsule.state()).status, 'created');
    });
    await withCapsule(fixture(), { containers: [{ image, imagePull: { policy: 'always', credentials: null } }] }, async (capsule) => {
      await refused(capsule.start(), 'not-found');
      assert.equal((await capsule.state()).status, 'created');
    });
  });

  test('what cannot be started later says so in its state, and the others run', async () => {
    const { missing } = fixture();
    const image = `${missing.repository}:${missing.tag}`;
    const wishes = {
      containers: [{}, { command: ['no-such-program'] }, { image, imagePull: { policy: 'always' as const, credentials: null } }],
    };
    await withCapsule(fixture(), wishes, async (capsule) => {
      await capsule.start();
      const [first, ...failing] = capsule.containers;
      for (const container of failing) {
        const { startedAt, status } = await eventually('words', container.state, ({ error }) => error !== '');
        assert.deepEqual([startedAt, status === 'running'], [null, false]);
      }
      assert.match((await failing[0]?.state())?.error ?? '', /no-such-program/);
      await first?.until('running');
    });
  });

  test('the end of a container is told under its own uuid or its capsule’s', async () => {
    let [whole, ends]: [string[], string] = [[], ''];
    const body = (told: Told[]) =>
      withCapsule(fixture(), { containers: [{}, { command: endsWith(0) }] }, async (capsule) => {
        whole = capsule.uuids;
        ends = capsule.containers[1]?.uuid ?? '';
        await capsule.start();
        await untilTold(told, ends, 'exited');
      });
    await whileWatching(fixture(), body, (uuid) => (whole.includes(uuid) ? ends : uuid));
  });
}

/** Waits until every container runs; answers their uuids. */
async function allRunning(capsule: Capsule): Promise<string[]> {
  await Promise.all(capsule.containers.map((container) => container.until('running')));
  return capsule.containers.map(({ uuid }) => uuid);
}
