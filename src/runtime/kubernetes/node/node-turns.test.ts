import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parse } from 'yaml';
import { callsAtOnce, longCallsAtOnce } from './node-turns.ts';

/** Megabytes, as `docs/DEPLOYING.md` has them. */
const perCall = 50;
const morePerLongCall = 50;
const agentItself = 160;

test('the memory that the chart lets an agent have is enough for all calls of as many workers as it starts', () => {
  const { agent, api, compute } = parse(readFileSync(new URL('../../../../deploy/helm/zun/values.yaml', import.meta.url), 'utf8'));
  const [, gibibytes] = /^(\d+)Gi$/.exec(agent.resources.limits.memory) ?? [];
  // One more of each runs while they are replaced.
  const workers = api.replicas + 1 + compute.replicas + 1;
  const needed = agentItself + workers * (callsAtOnce * perCall + longCallsAtOnce * morePerLongCall);
  assert.ok((Number(gibibytes) * 2 ** 30) / 1e6 >= needed, `${agent.resources.limits.memory} for ${needed} MB`);
});
