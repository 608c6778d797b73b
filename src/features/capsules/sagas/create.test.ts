import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { CapsuleBench, capsuleKinds, nothing, templateOf } from '../../../../test/bench/capsule-bench.ts';
import type { CapsuleKind } from '../../../../test/contract/runtime-contract.ts';
import { RuntimeFault } from '../../../runtime/runtime-fault.ts';
import type { Step } from '../../../tasks/saga.ts';
import { runSaga } from '../../../tasks/saga-runner.ts';

const sh = (script: string) => ({ image: 'busybox', command: ['sh', '-c', script] });

/** Whoever starts from now on, in order. */
async function starts(capsules: CapsuleBench): Promise<string[]> {
  const started: string[] = [];
  const watch = async () => {
    for await (const { uuid, action } of capsules.bench.runtime.events(new AbortController().signal))
      if (action === 'start') started.push(uuid);
  };
  void watch();
  await new Promise((resolve) => setImmediate(resolve));
  return started;
}

for (const kind of capsuleKinds) describe(`capsules ${kind}`, () => createTests(kind));

function createTests(kind: CapsuleKind): void {
  test('sandbox, init containers one after another, containers in order: each begins when the one before it is done', async () => {
    const capsules = await CapsuleBench.open(kind);
    const started = await starts(capsules);
    const spec = { initContainers: [sh('sleep 3'), sh('true')], containers: [sh('sleep 1000'), sh('sleep 1000')] };
    const { uuid, status, init_containers: init, containers } = await capsules.make(templateOf(spec));
    assert.equal(status, 'Running');
    const order = [uuid, ...init.map((member) => member.uuid), ...containers.map((member) => member.uuid)];
    assert.deepEqual(started, order);
    assert.deepEqual(
      init.map((member) => [member.status, member.status_detail?.slice(0, 9)]),
      [
        ['Stopped', 'Exited(0)'],
        ['Stopped', 'Exited(0)'],
      ],
    );
    const [ended, begun] = await Promise.all([init[1], containers[0]].map((member) => capsules.bench.runtime.inspect(member?.uuid ?? '')));
    assert.ok(Number(ended?.state.finishedAt) <= Number(begun?.state.startedAt));
  });

  test('containers have the sandbox’s network and none of their own', async () => {
    const capsules = await CapsuleBench.open(kind);
    const { uuid, addresses, containers } = await capsules.make();
    const [networkId = ''] = Object.keys(addresses ?? {});
    const [shown] = (addresses as Record<string, { addr: string }[]>)[networkId] ?? [];
    assert.equal((await capsules.bench.runtime.inspect(uuid))?.addresses['engine-private']?.ipv4, shown?.addr);
    assert.deepEqual((await capsules.bench.runtime.inspect(containers[0]?.uuid ?? ''))?.addresses, {});
  });

  test('an init container that fails holds back the others and fails the capsule, which leaves only its rows', async () => {
    const capsules = await CapsuleBench.open(kind);
    const spec = { restartPolicy: 'Never', initContainers: [sh('exit 3'), sh('true')] };
    const { uuid, status, status_reason, init_containers: init, containers } = await capsules.make(templateOf(spec));
    assert.deepEqual([status, status_reason], ['Error', `Init container ${init[0]?.name} ended with exit code 3.`]);
    assert.match(String(init[0]?.status_detail), /^Exited\(3\)/);
    assert.deepEqual([init[0]?.status, init[1]?.status, containers[0]?.status], ['Stopped', 'Creating', 'Creating']);
    assert.deepEqual(await capsules.holdings(), { ...nothing, rows: 4 });
    await capsules.reconcile(uuid);
    assert.equal((await capsules.show(uuid)).init_containers[0]?.status, 'Stopped');
    await capsules.remove(uuid);
    assert.deepEqual(await capsules.holdings(), nothing);
  });

  test('what has run to its end is not run again by a worker that takes over', async () => {
    const capsules = await CapsuleBench.open(kind);
    const started = await starts(capsules);
    const { bench } = capsules;
    const saga = bench.sagas.get('capsule.create');
    assert.ok(saga);
    const again = (step: Step): Step => ({
      ...step,
      async run(context) {
        await step.run(context);
        await bench.clock.sleep(10_000);
        await step.run(context);
      },
    });
    bench.sagas.set('capsule.create', { ...saga, steps: saga.steps.map(again) });
    const spec = { restartPolicy: 'Never', initContainers: [sh('true')], containers: [sh('sleep 1'), sh('true')] };
    const { status, status_reason } = await capsules.make(templateOf(spec));
    assert.deepEqual([status, status_reason], ['Stopped', null]);
    assert.equal(started.length, 4);
    assert.equal(new Set(started).size, 4);
  });

  test('under Always an init container has ten more tries', async () => {
    const capsules = await CapsuleBench.open(kind);
    const started = await starts(capsules);
    const { init_containers: init, status, status_reason } = await capsules.make(templateOf({ initContainers: [sh('exit 1')] }));
    assert.deepEqual([status, status_reason], ['Error', `Init container ${init[0]?.name} ended with exit code 1.`]);
    assert.match(`${init[0]?.status} ${init[0]?.status_detail}`, /^Stopped Exited\(1\)/);
    assert.equal(started.filter((uuid) => uuid === init[0]?.uuid).length, 11);
    assert.deepEqual(await capsules.holdings(), { ...nothing, rows: 3 });
  });

  test('an init container that succeeds in the end lets the others begin', async () => {
    const capsules = await CapsuleBench.open(kind);
    const once = { ...sh('test -f /d/done && exit 0; touch /d/done; exit 1'), volumeMounts: [{ name: 'vol', mountPath: '/d' }] };
    const spec = { restartPolicy: 'OnFailure', initContainers: [once], volumes: [{ name: 'vol', cinder: { size: 1 } }] };
    const { status, status_reason } = await capsules.make(templateOf(spec));
    assert.equal(status, 'Running', String(status_reason));
  });

  test('an init container that does not end within the hour fails the capsule in these words', async () => {
    const capsules = await CapsuleBench.open(kind);
    const { uuid } = await capsules.ask(templateOf({ initContainers: [sh('sleep 100000')] }));
    let ended = false;
    const work = capsules.bench.runTasks().finally(() => {
      ended = true;
    });
    while (!ended) await capsules.bench.clock.advance(60_000);
    await work;
    const { status, status_reason, init_containers: init } = await capsules.show(uuid);
    assert.deepEqual([status, status_reason], ['Error', `Init container ${init[0]?.name} did not end within 3600 seconds.`]);
    assert.equal(init[0]?.status, 'Stopped');
    assert.deepEqual(await capsules.holdings(), { ...nothing, rows: 3 });
  });

  for (const [seconds, end] of [
    [45, 'Running'],
    [90, 'Error'],
  ] as const) {
    test(`a runtime that is away for ${seconds} seconds while an init container runs: ${end}, however long that took before`, async () => {
      const capsules = await CapsuleBench.open(kind);
      const { bench } = capsules;
      const { uuid } = await capsules.ask(templateOf({ initContainers: [sh('sleep 1000')] }));
      let ended = false;
      const work = bench.runTasks().finally(() => {
        ended = true;
      });
      for (let waited = 0; waited < 600; waited += 1) await bench.clock.advance(1000);
      const back = bench.clock.now() + seconds * 1000;
      bench.faults = () => {
        if (bench.clock.now() < back) throw new RuntimeFault('unreachable', 'the test takes the engine away');
      };
      while (!ended) await bench.clock.advance(1000);
      await work;
      await bench.clock.advance(60_000);
      await capsules.work();
      assert.equal((await capsules.show(uuid)).status, end);
    });
  }

  test('a delete while an init container runs ends it at once', async () => {
    const capsules = await CapsuleBench.open(kind);
    const { uuid } = await capsules.ask(templateOf({ initContainers: [sh('sleep 1000')] }));
    const { tasks: store, actions, clock, logger } = capsules.bench.services;
    const [task, saga] = [await store.claim('bench'), capsules.bench.sagas.get('capsule.create')];
    assert.ok(task && saga);
    const cancelled = new AbortController();
    const work = runSaga({ store, actions, clock, logger }, saga, task, cancelled.signal, new AbortController().signal);
    for (let waited = 0; waited < 10; waited += 1) await capsules.bench.clock.advance(500);
    assert.equal((await capsules.show(uuid)).init_containers[0]?.status, 'Running');
    assert.equal((await capsules.bench.request('DELETE', `/v1/capsules/${uuid}`)).status, 204);
    cancelled.abort('cancelled');
    assert.equal(await work, 'ended');
    await capsules.work();
    assert.deepEqual(await capsules.holdings(), nothing);
  });

  test('an image that is missing, and a command that is: Error in the words of registry and engine, and nothing is left', async () => {
    const capsules = await CapsuleBench.open(kind);
    for (const [container, words] of [
      [{ image: 'nosuchimage' }, /nosuchimage:latest not found/],
      [{ image: 'busybox', command: ['nosuchcommand'] }, /"nosuchcommand": executable file not found/],
    ] as const) {
      const { uuid, status, status_reason } = await capsules.make(templateOf({ containers: [sh('sleep 1000'), container] }));
      assert.equal(status, 'Error');
      assert.match(String(status_reason), words);
      assert.deepEqual(await capsules.holdings(), { ...nothing, rows: 3 });
      await capsules.remove(uuid);
    }
  });

  test('containers share a volume; a new one goes with the capsule only when that was asked', async () => {
    const capsules = await CapsuleBench.open(kind);
    const mounts = (name: string) => [{ name, mountPath: '/v' }];
    const spec = (autoRemove: boolean) => ({
      containers: [
        { ...sh('sleep 1000'), volumeMounts: mounts('vol') },
        { ...sh('sleep 1000'), volumeMounts: mounts('vol') },
      ],
      volumes: [{ name: 'vol', cinder: { size: 1, autoRemove } }],
    });
    for (const [autoRemove, left] of [
      [true, 0],
      [false, 1],
    ] as const) {
      const { uuid, containers } = await capsules.make(templateOf(spec(autoRemove)));
      const [one = '', two = ''] = containers.map((member) => member.uuid);
      await capsules.bench.runtime.exec(one, ['sh', '-c', 'echo shared > /v/file'], 1000);
      const { output } = await capsules.bench.runtime.exec(two, ['cat', '/v/file'], 1000);
      assert.equal(output.toString(), 'shared\n');
      await capsules.remove(uuid);
      assert.equal(capsules.bench.volumes.volumes.size, left);
      assert.deepEqual(await capsules.holdings(), nothing);
    }
  });

  test('a delete ends all containers at a time: ten seconds for several that ignore the signal', async () => {
    const capsules = await CapsuleBench.open(kind);
    const stubborn = sh("trap '' TERM; while true; do sleep 1; done");
    const { uuid } = await capsules.make(templateOf({ containers: [stubborn, stubborn, stubborn] }));
    const before = capsules.bench.clock.now();
    await capsules.remove(uuid);
    assert.ok(capsules.bench.clock.now() - before < 15_000);
    assert.deepEqual(await capsules.holdings(), nothing);
  });

  test('the actions of a capsule are recorded under its uuid', async () => {
    const capsules = await CapsuleBench.open(kind);
    const { uuid } = await capsules.make();
    const actions = await capsules.bench.services.database.queries.selectFrom('container_actions').selectAll().execute();
    assert.deepEqual(
      actions.map(({ action, container_uuid, message }) => [action, container_uuid, message]),
      [['create', uuid, null]],
    );
  });
}
