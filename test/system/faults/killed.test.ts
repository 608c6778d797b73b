import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { EngineClient } from '../../../src/runtime/docker/engine-client.ts';
import { until } from '../engine/until.ts';
import { FaultWorld, nothing } from './fault-world.ts';
import { SlowRegistry } from './slow-registry.ts';

/** SIGKILL in the middle of a create, and a start on the same data: it ends, and a delete leaves nothing. */
describe('a create whose process is killed', () => {
  let world: FaultWorld;
  before(async () => {
    world = await FaultWorld.open();
  });
  after(() => world?.close());

  const endsRunning = async (uuid: string) => {
    await world.standalone.start();
    const client = await world.client();
    const began = performance.now();
    const seen = await world.settled(client, uuid);
    assert.equal(seen.status, 'Running', String(seen.status_reason));
    assert.ok(performance.now() - began < 20_000, 'it goes on at once, not when a lease has run out');
    await world.removed(client, uuid);
    assert.deepEqual(await world.holdings(), nothing);
  };

  test('while its image is pulled', async () => {
    const slow = await SlowRegistry.open(world.registry.host);
    try {
      const uuid = await world.ask(await world.client(), { image: `${slow.host}/busybox:1.0` });
      await slow.asked;
      await world.standalone.kill();
      slow.letGo();
      await endsRunning(uuid);
    } finally {
      await slow.close();
    }
  });

  for (const delay of [0, 60, 150, 300, 600]) {
    test(`${delay} ms after the answer`, async () => {
      const uuid = await world.ask(await world.client());
      await new Promise((resolve) => setTimeout(resolve, delay));
      await world.standalone.kill();
      await endsRunning(uuid);
    });
  }

  test('as soon as its workload is there', async () => {
    const engine = new EngineClient(await world.standalone.engine());
    const uuid = await world.ask(await world.client());
    await until('the workload is there', () => engine.request({ method: 'GET', path: `/containers/zun-${uuid}/json` }));
    await world.standalone.kill();
    await engine.close();
    await endsRunning(uuid);
  });

  test('and that is deleted while nobody works on it', async () => {
    const uuid = await world.ask(await world.client());
    await world.standalone.kill();
    await world.standalone.start();
    const client = await world.client();
    await world.removed(client, uuid);
    assert.deepEqual(await world.holdings(), nothing);
  });
});
