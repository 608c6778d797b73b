import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StandingClock } from '../../test/bench/standing-clock.ts';
import { boundedCalls } from './bounded-calls.ts';

const forever = () => new Promise<never>(() => {});

function setUp() {
  const clock = new StandingClock();
  const signals: AbortSignal[] = [];
  const port = {
    limit: 7,
    hang: (_signal?: AbortSignal) => forever(),
    hangWith: (signal: AbortSignal) => {
      signals.push(signal);
      return forever();
    },
    answer: async (text: string) => text,
    refuse: async () => {
      throw new Error('no');
    },
    asLongAsItTakes: (_signal?: AbortSignal) => forever(),
    plain: () => 'plain',
    part: { hang: forever },
    data: { hang: forever },
  };
  const bounded = boundedCalls(port, clock, {
    milliseconds: (method) => (method === 'asLongAsItTakes' ? null : 60_000),
    expired: (method, seconds) => new Error(`${method}: ${seconds} s`),
    ports: ['part'],
  });
  return { clock, bounded, signals };
}

/** A call that nobody waits for yet. */
function begun<T>(call: Promise<T>): Promise<T> {
  call.catch(() => {});
  return call;
}

/** What has become of it by now. */
async function stateOf(call: Promise<unknown>): Promise<string> {
  const pending = new Promise((resolve) => setImmediate(() => resolve('pending')));
  return String(await Promise.race([call.catch((error) => error), pending]));
}

test('a call that hangs is given up after its time, and not before', async () => {
  const { clock, bounded } = setUp();
  const call = begun(bounded.hang());
  await clock.advance(59_999);
  assert.equal(await stateOf(call), 'pending');
  await clock.advance(1);
  assert.equal(await stateOf(call), 'Error: hang: 60 s');
});

test('what is given up hears of it through the signal it was given, whose own caller has not aborted', async () => {
  const { clock, bounded, signals } = setUp();
  const caller = new AbortController();
  const call = begun(bounded.hangWith(caller.signal));
  await clock.advance(60_000);
  assert.equal(await stateOf(call), 'Error: hangWith: 60 s');
  assert.equal(signals[0]?.aborted, true);
  assert.equal(caller.signal.aborted, false);
});

test('a call that does not heed its signal is given up soon after that has aborted', async () => {
  const { clock, bounded } = setUp();
  for (const call of ['hang', 'asLongAsItTakes'] as const) {
    const caller = new AbortController();
    const called = begun(bounded[call](caller.signal));
    caller.abort(new Error('the task is over'));
    assert.equal(await stateOf(called), 'pending');
    await clock.advance(500);
    assert.equal(await stateOf(called), 'Error: the task is over');
  }
});

test('answers, errors and what is no call come through, and nothing waits afterwards', async () => {
  const { clock, bounded, signals } = setUp();
  assert.equal(await bounded.answer('yes'), 'yes');
  await assert.rejects(bounded.refuse(), /^Error: no$/);
  assert.equal(bounded.plain(), 'plain');
  assert.equal(bounded.limit, 7);
  await clock.advance(120_000);
  assert.deepEqual(signals, []);
});

test('a port within the port is held to the same bounds, and other objects are left as they are', async () => {
  const { clock, bounded } = setUp();
  const [own, other] = [begun(bounded.part.hang()), begun(bounded.data.hang())];
  await clock.advance(60_000);
  await assert.rejects(own, /hang: 60 s/);
  assert.equal(await stateOf(other), 'pending');
});
