import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { FaultWorld, nothing, stubborn } from './fault-world.ts';
import { SlowRegistry } from './slow-registry.ts';

/** Milliseconds after which it is not going to end: what it would wait for does not come. */
const longest = 60_000;

describe('SIGTERM', () => {
  let world: FaultWorld;
  before(async () => {
    world = await FaultWorld.open();
  });
  after(() => world?.close());

  const stops = async () => {
    const ended = await Promise.race([world.standalone.stop(), pause(longest, 'not ended', { ref: false })]);
    assert.equal(ended, 0, world.standalone.log);
  };

  test('hands back a create that waits for its image; after a start it is finished', async () => {
    const slow = await SlowRegistry.open(world.registry.host);
    try {
      const uuid = await world.ask(await world.client(), { image: `${slow.host}/busybox:1.0` });
      await slow.asked;
      await stops();
      slow.letGo();
      await world.standalone.start();
      const client = await world.client();
      assert.equal((await world.settled(client, uuid)).status, 'Running');
      await world.removed(client, uuid);
      assert.deepEqual(await world.holdings(), nothing);
    } finally {
      await slow.close();
    }
  });

  test('hands back a stop that waits for its grace period, while a client waits for an exec; containers keep running', async () => {
    const client = await world.client();
    const uuid = await world.ask(client, { command: stubborn });
    assert.equal((await world.settled(client, uuid)).status, 'Running');
    const other = await world.ask(client, { command: stubborn });
    assert.equal((await world.settled(client, other)).status, 'Running');
    await client.request('POST', `/v1/containers/${uuid}/stop?timeout=12`);
    const exec = client.request('POST', `/v1/containers/${other}/execute?run=true&command=sleep%204`).catch(() => null);
    await stops();
    await exec;
    await world.standalone.start();
    const again = await world.client();
    assert.equal((await world.settled(again, uuid)).status, 'Stopped');
    assert.equal((await world.settled(again, other)).status, 'Running');
    await world.removed(again, uuid);
    await world.removed(again, other);
    assert.deepEqual(await world.holdings(), nothing);
  });
});
