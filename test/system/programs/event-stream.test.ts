import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { until } from '../engine/until.ts';
import { type LateCluster, lateCluster } from './late-runtimes.ts';
import { LateWorld } from './late-world.ts';
import type { ProgramProcess } from './program-process.ts';

describe('the metrics of a zun-compute that follows a cluster', () => {
  let world: LateWorld<LateCluster>;
  let compute: ProgramProcess;
  before(async () => {
    world = await LateWorld.open(lateCluster);
    await world.runtime.come();
    [compute] = (await world.start('zun-compute')) as [ProgramProcess];
  });
  after(() => world?.close());

  /** The values of a metric by their labels, as they are written. */
  const values = async (name: string): Promise<Record<string, number>> => {
    const { text } = await compute.admin('/metrics');
    const lines = text.split('\n').flatMap((line) => [/^(\w+)(\{.*\})? (\S+)$/.exec(line) ?? []]);
    return Object.fromEntries(lines.flatMap(([, found, labels = '', value]) => (found === name ? [[labels, Number(value)]] : [])));
  };
  const becomes = (what: string, name: string, labels: string, isWanted: (value: number) => boolean) =>
    until(
      `${what}: ${name}${labels}`,
      async () => {
        const { [labels]: value } = await values(name);
        return value !== undefined && isWanted(value) ? value : null;
      },
      30_000,
    );
  const engine = '{watch="engine"}';
  const listings = (cause: string) => `{cause="${cause}",outcome="done"}`;

  test('say that the watch is there, which events came, and why rows were listed', async () => {
    await becomes('the watch is there', 'zun_sync_stream_connected', engine, (value) => value === 1);
    await becomes('it was listed', 'zun_sync_listing_duration_seconds_count', listings('start'), (value) => value === 1);
    await world.runtime.runPod(randomUUID());
    await becomes('the start was told', 'zun_sync_events_total', '{action="start"}', (value) => value === 1);
    const { [engine]: silence = -1 } = await values('zun_sync_stream_silence_seconds');
    assert.ok(silence >= 0 && silence < 20, `${silence} s`);
  });

  test('show a connection that was cut, after which the watch goes on and nothing is listed', async () => {
    const { '': connections = 0 } = await values('zun_sync_stream_connections_total');
    const before = await values('zun_sync_listing_duration_seconds_count');
    world.runtime.cut();
    await becomes('it is there anew', 'zun_sync_stream_connections_total', '', (value) => value > connections);
    await world.runtime.runPod(randomUUID());
    await becomes('events come', 'zun_sync_events_total', '{action="start"}', (value) => value === 2);
    assert.deepEqual(await values('zun_sync_listing_duration_seconds_count'), before);
  });

  test('show a version that is lost (410), after which rows are listed', async () => {
    world.runtime.forget();
    await becomes('it was listed', 'zun_sync_listing_duration_seconds_count', listings('expired'), (value) => value === 1);
    await becomes('the watch is there', 'zun_sync_stream_connected', engine, (value) => value === 1);
    assert.equal((await values('zun_sync_stream_breaks_total'))[''], 1);
  });

  test('show a server that is away, and that it is back', async () => {
    await world.runtime.go();
    await becomes('the watch is gone', 'zun_sync_stream_connected', engine, (value) => value === 0);
    const { [engine]: silence = 0 } = await values('zun_sync_stream_silence_seconds');
    await becomes('silence grows', 'zun_sync_stream_silence_seconds', engine, (value) => value > silence + 1);
    const failed = '{service="kubernetes",operation="WATCH /api/v1/pods",outcome="unreachable"}';
    await becomes('calls fail', 'zun_outbound_call_duration_seconds_count', failed, (value) => value > 0);
    await world.runtime.come();
    await becomes('the watch is back', 'zun_sync_stream_connected', engine, (value) => value === 1);
    await becomes('silence has ended', 'zun_sync_stream_silence_seconds', engine, (value) => value < silence + 1);
  });
});
