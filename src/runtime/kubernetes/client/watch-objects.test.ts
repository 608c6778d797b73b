import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { settled } from '../../../../test/kubernetes-fake/settled.ts';
import { WatchedCollection } from '../../../../test/kubernetes-fake/watched-collection.ts';
import { until } from '../../../../test/system/engine/until.ts';

const status = (code: number, reason: string) => ({ kind: 'Status', status: 'Failure', code, reason, message: reason });

test('what there is comes as a list, then every change', async () => {
  await using bench = await WatchedCollection.start();
  const { collection } = bench;
  collection.set('a', 1);
  void bench.watch();
  await bench.watches();
  collection.set('b', 1);
  collection.set('a', 2);
  collection.delete('a');
  await bench.upToDate();
  assert.deepEqual(
    bench.events.map((event) => (event.type === 'listed' ? ['listed', event.items.length] : [event.type, event.object.metadata.name])),
    [
      ['listed', 1],
      ['added', 'b'],
      ['modified', 'a'],
      ['deleted', 'a'],
    ],
  );
  assert.deepEqual(bench.happenings, ['listed', 'connected', 'added', 'modified', 'deleted']);
  const query = bench.fake.asked.at(-1)?.query;
  assert.deepEqual([query?.get('labelSelector'), query?.get('allowWatchBookmarks'), query?.has('limit')], ['a=b', 'true', false]);
  const seconds = Number(query?.get('timeoutSeconds'));
  assert.ok(seconds >= 240 && seconds <= 300, `${seconds}`);
});

test('events are asked for in the shape of the list', async () => {
  await using bench = await WatchedCollection.start();
  void bench.watch({ accept: 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1' });
  await bench.watches();
  assert.deepEqual(
    bench.fake.asked.map(({ headers }) => headers.accept),
    ['application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1', 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1'],
  );
});

test('a watch that the server ends goes on from the last version seen, bookmarks count, and nothing is listed', async () => {
  await using bench = await WatchedCollection.start();
  const { collection } = bench;
  void bench.watch();
  await bench.watches();
  collection.elsewhere(50);
  collection.bookmark();
  await bench.happened('bookmark');
  await bench.clock.advance(20_000);
  collection.endWatches();
  await bench.happened('ended');
  await bench.watches();
  collection.set('a', 1);
  await bench.upToDate();
  assert.deepEqual(collection.watchedFrom, ['100', '150']);
  assert.equal(collection.asked.lists, 1);
  assert.deepEqual(bench.clock.pauses, []);
});

test('a server that ends each watch at once is not asked without pause', async () => {
  await using bench = await WatchedCollection.start();
  bench.collection.intercept = (asked, kind) => {
    if (kind === 'watch') asked.response.writeHead(200).end();
    return kind === 'watch';
  };
  void bench.watch();
  await bench.happened('ended', 8);
  const { pauses } = bench.clock;
  assert.ok(pauses.length >= 7, `${pauses}`);
  assert.ok((pauses[5] ?? 0) > 10_000, `${pauses}`);
});

test('a connection that is cut loses nothing', async () => {
  await using bench = await WatchedCollection.start();
  const { collection } = bench;
  void bench.watch();
  await bench.watches();
  collection.set('a', 1);
  await bench.upToDate();
  collection.cutWatches();
  collection.set('b', 1);
  collection.delete('a');
  await bench.upToDate();
  assert.equal(collection.asked.lists, 1);
  await bench.happened('failed');
});

for (const form of ['an event', 'a refusal'])
  test(`a version that has expired, told by ${form}, is listed again at once`, async () => {
    await using bench = await WatchedCollection.start();
    const { collection } = bench;
    void bench.watch();
    await bench.watches();
    if (form === 'a refusal') {
      collection.intercept = (asked, kind) => {
        const lost = kind === 'watch' && collection.asked.lists === 1;
        if (lost) asked.refuse(410, 'Expired', 'too old resource version');
        return lost;
      };
    }
    await bench.clock.advance(20_000);
    collection.endWatches();
    collection.set('a', 1);
    collection.delete('a');
    collection.set('b', 1);
    collection.compact();
    await bench.upToDate();
    assert.equal(collection.asked.lists, 2);
    assert.deepEqual(bench.clock.pauses, []);
    await bench.happened('expired');
  });

test('versions that expire again and again are not listed without pause', async () => {
  await using bench = await WatchedCollection.start();
  bench.collection.intercept = (asked, kind) => {
    if (kind === 'watch') asked.refuse(410, 'Expired', 'too old');
    return kind === 'watch';
  };
  void bench.watch();
  await bench.happened('expired', 8);
  assert.ok((bench.clock.pauses[5] ?? 0) > 10_000, `${bench.clock.pauses}`);
});

test('an error that comes behind events takes none of them away', async () => {
  await using bench = await WatchedCollection.start();
  const { collection } = bench;
  void bench.watch();
  await bench.watches();
  const lines = (...events: unknown[]) => events.map((event) => `${JSON.stringify(event)}\n`).join('');
  const a = { metadata: { name: 'a', resourceVersion: '105' }, value: 1 };
  collection.intercept = (asked, kind) => {
    if (kind !== 'watch' || collection.asked.watches !== 2) return false;
    asked.response.writeHead(200).write(lines({ type: 'ADDED', object: a }, { type: 'ERROR', object: status(500, 'InternalError') }));
    return true;
  };
  await bench.clock.advance(20_000);
  collection.endWatches();
  await bench.happened('failed');
  await bench.watches();
  assert.deepEqual(bench.events.at(-1), { type: 'added', object: a });
  assert.deepEqual(collection.watchedFrom, ['100', '105']);
});

for (const line of ['<html>busy</html>', '{"type":"SURPRISE","object":{}}', '{"type":"ADDED"}', '{}'])
  test(`a line that is no event begins the watch anew: ${line}`, async () => {
    await using bench = await WatchedCollection.start();
    void bench.watch();
    await bench.watches();
    bench.collection.intercept = (asked, kind) => {
      if (kind !== 'watch' || bench.collection.asked.watches !== 2) return false;
      asked.response.writeHead(200).write(`${line}\n`);
      return true;
    };
    bench.collection.cutWatches();
    await bench.happened('failed', 2);
    bench.collection.set('a', 1);
    await bench.upToDate();
  });

test('a connection that is silent is given up after its time, one that speaks is not', async () => {
  await using bench = await WatchedCollection.start();
  const { collection, clock } = bench;
  void bench.watch();
  await bench.watches();
  for (const seen of [1, 2]) {
    await clock.advance(89_999);
    collection.bookmark();
    await bench.happened('bookmark', seen);
  }
  assert.equal(bench.happenings.includes('silent'), false);
  await until('the deadline passes', async () => {
    await clock.advance(90_000);
    return bench.happenings.includes('silent') ? true : null;
  });
  collection.set('a', 1);
  await bench.upToDate();
  assert.equal(collection.asked.lists, 1);
});

test('everything is listed again after its time, whatever the watch says', async () => {
  await using bench = await WatchedCollection.start();
  const { collection, clock } = bench;
  collection.set('a', 1);
  void bench.watch({ relistMilliseconds: 60_000 });
  await bench.watches();
  // The server has not told, as after its database was restored.
  collection.objects.clear();
  await until('it is listed again', async () => {
    await clock.advance(30_000);
    return collection.asked.lists === 2 ? true : null;
  });
  await bench.upToDate();
  await until('it is watched from there', async () => (collection.watchedFrom.length === 2 ? true : null));
});

test('a list that fails yields nothing; the watch goes on, and the list is tried again', async () => {
  await using bench = await WatchedCollection.start();
  const { collection, clock } = bench;
  collection.set('a', 1);
  collection.intercept = (asked, kind) => {
    const fails = kind === 'list' && [2, 3].includes(collection.asked.lists);
    if (fails) asked.refuse(500, 'InternalError', 'etcd is gone');
    return fails;
  };
  void bench.watch({ relistMilliseconds: 60_000 });
  await bench.watches();
  await until('lists fail', async () => {
    await clock.advance(30_000);
    return collection.asked.lists === 3 ? true : null;
  });
  collection.set('b', 1);
  await bench.upToDate();
  await until('the list succeeds', async () => {
    await clock.advance(30_000);
    return bench.events.filter(({ type }) => type === 'listed').length === 2 ? true : null;
  });
});

test('a first list that fails is tried again with growing pauses, which an event ends', async () => {
  await using bench = await WatchedCollection.start();
  const { collection, clock } = bench;
  collection.set('a', 1);
  collection.intercept = (asked, kind) => {
    const fails = kind === 'list' && collection.asked.lists <= 8;
    if (fails) asked.refuse(403, 'Forbidden', 'pods is forbidden');
    return fails;
  };
  const errors: (Error | undefined)[] = [];
  void bench.watch({ observer: (happening, error) => happening === 'failed' && errors.push(error) });
  await bench.watches();
  assert.deepEqual(
    bench.events.map(({ type }) => type),
    ['listed'],
  );
  assert.equal(errors[0]?.message, 'pods is forbidden');
  const bounds = [800, 1_600, 3_200, 6_400, 12_800, 25_600, 30_000, 30_000];
  bounds.forEach((bound, index) => {
    const pause = clock.pauses[index] ?? 0;
    assert.ok(pause >= bound / 2 && pause <= bound, `${index}: ${pause}`);
  });
  collection.set('b', 1);
  await bench.upToDate();
  collection.cutWatches();
  await bench.watches();
  assert.ok((clock.pauses.at(-1) ?? 0) <= 800, `${clock.pauses}`);
});

for (const [said, waited] of [
  ['20', 20_000],
  ['3600', 30_000],
] as const)
  test(`a server that says to come back after ${said} s is not asked for ${waited / 1000} s`, async () => {
    await using bench = await WatchedCollection.start();
    bench.collection.intercept = (asked, kind) => {
      const busy = kind === 'watch' && bench.collection.asked.watches === 1;
      if (busy) asked.refuse(429, 'TooManyRequests', 'busy', { 'retry-after': said });
      return busy;
    };
    void bench.watch();
    await bench.watches();
    assert.deepEqual(bench.clock.pauses, [waited]);
  });

test('a consumer that does not ask keeps the server waiting, and the memory small', async () => {
  await using bench = await WatchedCollection.start();
  const { collection } = bench;
  const events = bench.open();
  await events.next();
  const next = events.next();
  await bench.watches();
  collection.set('a', 1);
  await next;
  const event = { type: 'MODIFIED', object: { metadata: { resourceVersion: '200' }, value: 'x'.repeat(100_000) } };
  const poured = collection.pour(event, 640);
  await settled(() => poured.left);
  // What the kernel holds of a connection is a few MiB.
  assert.ok(poured.left > 0 && poured.left < 320, `${poured.left}`);
  for (let index = 0; index < 640; index++) await events.next();
  await events.return(undefined);
});

test('what the consumer throws is thrown, and the connection closed', async () => {
  await using bench = await WatchedCollection.start();
  const consume = async () => {
    for await (const event of bench.open()) if (event.type === 'added') throw new Error('consumer');
  };
  const consuming = consume();
  await bench.watches();
  bench.collection.set('a', 1);
  await assert.rejects(consuming, /^Error: consumer$/);
  await bench.watches(0);
});

test('the signal ends it, without an error, wherever it is', async () => {
  const places: [string, (bench: WatchedCollection) => Promise<void>][] = [
    ['before the start', async () => {}],
    [
      'in a list',
      async (bench) => {
        bench.collection.intercept = () => true;
        void bench.watch();
        await until('it is asked', async () => (bench.collection.asked.lists > 0 ? true : null));
      },
    ],
    [
      'in a watch',
      async (bench) => {
        void bench.watch();
        await bench.watches();
      },
    ],
  ];
  for (const [place, reach] of places) {
    await using bench = await WatchedCollection.start();
    await reach(bench);
    bench.caller.abort();
    const watching = place === 'before the start' ? bench.watch() : undefined;
    await watching;
    await bench.watches(0);
  }
});

test('who knows what there is has it not listed, and misses no change since; once the history is forgotten it is listed', async () => {
  await using bench = await WatchedCollection.start();
  const { collection } = bench;
  collection.set('a', 1);
  const from = collection.version;
  collection.set('a', 2);
  void bench.watch({ from });
  await bench.happened('modified');
  assert.deepEqual([collection.asked, collection.watchedFrom], [{ lists: 0, watches: 1 }, [from]]);

  await using late = await WatchedCollection.start();
  late.collection.set('a', 1);
  late.collection.compact();
  void late.watch({ from: '100' });
  await late.upToDate();
  assert.deepEqual(late.happenings.slice(0, 3), ['connected', 'expired', 'listed']);
});

test('without a list only changes come, and a version that is lost is thrown', async () => {
  await using bench = await WatchedCollection.start();
  const { collection } = bench;
  for (let index = 0; index < 10; index++) collection.set(`old-${index}`, 1);
  const watching = bench.watch({ listAtStart: false, relistMilliseconds: 1 });
  await bench.watches();
  assert.equal(bench.fake.asked[0]?.query.get('limit'), '1');
  collection.set('a', 1);
  await bench.happened('added');
  collection.cutWatches();
  collection.set('b', 1);
  await bench.happened('added', 2);
  assert.equal(collection.asked.lists, 1);
  assert.deepEqual(
    bench.events.map(({ type }) => type),
    ['added', 'added'],
  );
  await bench.watches();
  collection.elsewhere();
  collection.compact();
  collection.cutWatches();
  await assert.rejects(watching, { name: 'KubeError', status: 410 });
});

test('without a list, a start that fails is tried again', async () => {
  await using bench = await WatchedCollection.start();
  bench.collection.intercept = (asked, kind) => {
    const fails = kind === 'list' && bench.collection.asked.lists === 1;
    if (fails) asked.refuse(503, 'ServiceUnavailable', 'starting');
    return fails;
  };
  void bench.watch({ listAtStart: false });
  await bench.watches();
  assert.equal(bench.clock.pauses.length, 1);
});

/** What may happen to a collection and to those who watch it. */
const steps: Record<string, (bench: WatchedCollection, name: string, value: number) => unknown> = {
  set: ({ collection }, name, value) => collection.set(name, value),
  delete: ({ collection }, name) => collection.delete(name),
  elsewhere: ({ collection }) => collection.elsewhere(3),
  bookmark: ({ collection }) => collection.bookmark(),
  compact: ({ collection }) => collection.compact(),
  end: ({ collection }) => collection.endWatches(),
  cut: ({ collection }) => collection.cutWatches(),
  cutAll: ({ fake }) => fake.cut(),
  error: ({ collection }) => collection.send({ type: 'ERROR', object: status(500, 'InternalError') }),
  gone: ({ collection }) => collection.send({ type: 'ERROR', object: status(410, 'Expired') }),
  silence: ({ clock }) => clock.advance(90_000),
  rest: () => new Promise((resolve) => setImmediate(resolve)),
};

test('whatever happens, the watcher comes to know what there is', async () => {
  const step = fc.tuple(fc.constantFrom(...Object.keys(steps)), fc.constantFrom('a', 'b', 'c'), fc.nat(9));
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), fc.boolean(), async (happening, duplicates) => {
      await using bench = await WatchedCollection.start();
      bench.collection.duplicates = duplicates;
      bench.collection.set('a', 1);
      void bench.watch();
      await bench.watches();
      for (const [name, object, value] of happening) await steps[name]?.(bench, object, value);
      await bench.upToDate();
    }),
    { numRuns: 40 },
  );
});
