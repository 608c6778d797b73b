import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StandingClock } from '../../test/bench/standing-clock.ts';
import { defaultSettings } from '../config/settings.ts';
import { withDeadlines } from './with-deadlines.ts';

/** Calls that are never answered, under the usual deadlines: a minute for the engine, a minute for a network. */
function silent(spansHosts: boolean) {
  const clock = new StandingClock();
  const port = new Proxy({ spansHosts }, { get: (own, name) => (name in own ? own.spansHosts : () => new Promise(() => {})) });
  const parts = { settings: defaultSettings('h'), clock, runtime: port, images: port, networking: port, volumes: port };
  return { clock, ports: withDeadlines(parts as unknown as Parameters<typeof withDeadlines>[0]) };
}

const calls = [
  { call: 'inspect', engine: 60, cluster: 60 },
  { call: 'connectNetwork', engine: 60, cluster: 120 },
  { call: 'disconnectNetwork', engine: 60, cluster: 120 },
] as const;

test('a cluster that waits for an interface by itself is given the time to say why in vain', async () => {
  for (const { call, engine, cluster } of calls) {
    for (const [seconds, spansHosts] of [
      [engine, false],
      [cluster, true],
    ] as const) {
      const { clock, ports } = silent(spansHosts);
      let end: unknown = null;
      void ports.runtime[call]('u', {} as never).catch((error: unknown) => {
        end = error;
      });
      await clock.advance(seconds * 1000 - 1);
      assert.equal(end, null, call);
      await clock.advance(1);
      assert.match(String(end), new RegExp(`did not answer within ${seconds} seconds \\(${call}\\)`));
    }
  }
});
