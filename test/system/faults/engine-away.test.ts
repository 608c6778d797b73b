import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { startPrivatePodman } from '../engine/private-podman.ts';
import type { TestEngine } from '../engine/test-engine.ts';
import { until } from '../engine/until.ts';
import { EngineSwitch } from './engine-switch.ts';
import { FaultWorld, nothing } from './fault-world.ts';

/** A minute of patience with an engine that is away, and what trying and noticing take. */
const patienceSeconds = 75;

describe('an engine that goes away while running', () => {
  let engine: TestEngine;
  let engineSwitch: EngineSwitch;
  let world: FaultWorld;
  let folder: string;
  before(async () => {
    engine = await startPrivatePodman();
    folder = await mkdtemp(join(tmpdir(), 'zun-switch-'));
    engineSwitch = await EngineSwitch.open(engine.target, folder);
    world = await FaultWorld.open(engineSwitch.target);
  });
  after(async () => {
    await world?.close();
    await engineSwitch?.cut();
    await engine?.close();
    await rm(folder, { recursive: true, force: true });
  });

  test('reads answer from rows, actions end in Error with a reason, and all comes back by itself', async () => {
    const client = await world.client();
    const uuid = await world.ask(client);
    assert.equal((await world.settled(client, uuid)).status, 'Running');
    await engineSwitch.cut();

    const began = performance.now();
    const read = await world.settled(client, uuid);
    assert.equal(read.status, 'Running');
    assert.ok(performance.now() - began < 1_000, 'a read waits for no engine');
    await assert.rejects(client.request('GET', `/v1/containers/${uuid}/top`), /: 503 /);
    await client.request('POST', `/v1/containers/${uuid}/stop`);
    const created = await world.ask(client).catch((error: Error) => error.message);
    for (;;) {
      const seen = await world.settled(client, uuid, patienceSeconds);
      assert.equal(seen.status, 'Error');
      assert.match(String(seen.status_reason), /cannot be reached/);
      break;
    }
    // A create either is refused at once or ends in Error as well; it may not be there for ever.
    if (!/^[0-9a-f-]{36}$/.test(created)) assert.match(created, /: 503 /);
    else {
      const seen = await world.settled(client, created, patienceSeconds);
      assert.deepEqual([seen.status, /cannot be reached/.test(String(seen.status_reason))], ['Error', true]);
    }

    await engineSwitch.mend();
    await until(
      'the row says again what the engine says',
      async () => ((await client.request('GET', `/v1/containers/${uuid}`)).status === 'Running' ? true : null),
      30_000,
    );
    const again = await world.ask(client);
    assert.equal((await world.settled(client, again)).status, 'Running');
    for (const each of [uuid, again, created]) if (/^[0-9a-f-]{36}$/.test(each)) await world.removed(client, each);
    assert.deepEqual(await world.holdings(), nothing);
  });

  test('an action that begins while it is away and finds it back in time succeeds', async () => {
    const client = await world.client();
    const uuid = await world.ask(client);
    assert.equal((await world.settled(client, uuid)).status, 'Running');
    await engineSwitch.cut();
    await client.request('POST', `/v1/containers/${uuid}/stop`);
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    await engineSwitch.mend();
    assert.equal((await world.settled(client, uuid)).status, 'Stopped');
    await world.removed(client, uuid);
    assert.deepEqual(await world.holdings(), nothing);
  });
});

test('a supervised Podman that is killed is started again, and what runs goes on', async () => {
  const world = await FaultWorld.open();
  try {
    const client = await world.client();
    const uuid = await world.ask(client);
    assert.equal((await world.settled(client, uuid)).status, 'Running');
    const pid = Number(
      await import('node:fs/promises').then(({ readFile }) => readFile(join(world.standalone.dataFolder, 'engine', 'podman.pid'), 'utf8')),
    );
    process.kill(pid, 'SIGKILL');
    await client.request('POST', `/v1/containers/${uuid}/stop`);
    assert.equal((await world.settled(client, uuid)).status, 'Stopped');
    await world.removed(client, uuid);
    assert.deepEqual(await world.holdings(), nothing);
  } finally {
    await world.close();
  }
});
