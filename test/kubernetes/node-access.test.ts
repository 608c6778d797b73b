import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ContainerRef } from '../../src/runtime/kubernetes/node/node-access.ts';
import { isFault, type RuntimeFaultKind } from '../../src/runtime/runtime-fault.ts';
import { until } from '../system/engine/until.ts';
import { NodeWorld } from './node-world.ts';

let world: NodeWorld;
before(async () => {
  world = await NodeWorld.start();
});
after(() => world.stop());

/** Ticks are lines of the log. */
const ticking = 'while :; do echo tick; sleep 0.1; done';
const deaf = 'trap "echo term" TERM; echo ready; while :; do sleep 0.1; done';
/** Takes longer than the two seconds of its Pod to end. */
const slow = 'trap "echo term; sleep 4; exit 7" TERM; echo ready; while :; do sleep 0.1; done';

const ticks = async (name: string): Promise<number> => (await world.logs(name)).split('tick').length - 1;

for (const runtimeClass of ['runc', 'gvisor']) {
  const of = (name: string) => `${name}-${runtimeClass}`;

  describe(`a container under ${runtimeClass}`, () => {
    test('stands still while it is paused, takes no commands, and goes on', async () => {
      const [name, witness] = [of('paused'), of('witness')];
      const ref = await world.run(name, { script: ticking, runtimeClass });
      await world.run(witness, { script: ticking, runtimeClass: 'runc' });
      await world.logged(name, 'tick');
      await world.access.pause(ref);
      await world.access.pause(ref);
      assert.equal((await world.access.inspect(ref))?.status, 'paused');
      const [still, moving] = [await ticks(name), await ticks(witness)];
      await until('the other one ticks', async () => ((await ticks(witness)) > moving + 10 ? true : null));
      assert.equal(await ticks(name), still);
      await assert.rejects(world.exec(name, 'true'), /paused/);
      assert.equal((await world.pod(name)).status?.phase, 'Running');
      await world.access.resume(ref);
      await world.access.resume(ref);
      await until('it ticks again', async () => ((await ticks(name)) > still ? true : null));
      assert.equal(await world.exec(name, 'echo in'), 'in\n');
      assert.equal((await world.access.inspect(ref))?.status, 'running');
      await Promise.all([world.access.stop(ref, 0), world.remove(witness)]);
    });

    test('meets the signal that it is sent, by name or number', async () => {
      const name = of('signalled');
      const script = 'trap "echo usr1" USR1; trap "echo usr2" USR2; echo ready; while :; do sleep 0.1; done';
      const ref = await world.run(name, { script, runtimeClass });
      await world.logged(name, 'ready');
      await world.access.kill(ref, 'SIGUSR1');
      await world.logged(name, 'usr1');
      await world.access.kill(ref, '12');
      await world.logged(name, 'usr2');
      await assert.rejects(world.access.kill(ref, 'SIGNOTHING'), (error) => isFault(error, 'invalid'));
      await world.access.kill(ref, 'KILL');
      assert.equal((await world.end(name)).exitCode, 137);
      await assertEnded(ref);
    });

    test('has the grace period that its stop says, more or less than its Pod’s', async () => {
      const longer = await world.run(of('longer'), { script: slow, runtimeClass, graceSeconds: 2 });
      await world.logged(of('longer'), 'ready');
      await world.access.stop(longer, 60);
      assert.deepEqual(await world.end(of('longer')), { phase: 'Failed', reason: '', exitCode: 7, restarts: 0 });
      const shorter = await world.run(of('shorter'), { script: deaf, runtimeClass, graceSeconds: 600 });
      await world.logged(of('shorter'), 'ready');
      await world.access.stop(shorter, 1);
      assert.equal((await world.end(of('shorter'))).exitCode, 137);
      assert.match(await world.logs(of('shorter')), /term/);
      await world.access.stop(shorter, 1);
      await assertEnded(shorter);
    });

    test('that would run again stays ended when its Pod is ended first, with the grace period of the stop', async () => {
      const name = of('again');
      const ref = await world.run(name, { script: deaf, runtimeClass, restartPolicy: 'Always', graceSeconds: 600 });
      await world.logged(name, 'ready');
      await world.endInPlace(name);
      await world.access.stop(ref, 1);
      assert.deepEqual(await world.end(name), { phase: 'Failed', reason: 'DeadlineExceeded', exitCode: 137, restarts: 0 });
      // containerd sends the stop signal once, whoever wants it: kubelet and we.
      assert.equal((await world.logs(name)).split('term').length - 1, 1);
    });

    test('dies at once of SIGKILL while it is paused, though its Pod is ended meanwhile', async () => {
      const name = of('killed');
      const ref = await world.run(name, { script: deaf, runtimeClass, restartPolicy: 'Always', graceSeconds: 600 });
      await world.logged(name, 'ready');
      await world.access.pause(ref);
      await world.endInPlace(name);
      await world.access.kill(ref, 'KILL');
      assert.deepEqual(await world.end(name), { phase: 'Failed', reason: 'DeadlineExceeded', exitCode: 137, restarts: 0 });
    });

    test('is stopped though it is paused', async () => {
      const ref = await world.run(of('held'), { script: slow, runtimeClass });
      await world.logged(of('held'), 'ready');
      await world.access.pause(ref);
      await world.access.stop(ref, 60);
      assert.equal((await world.end(of('held'))).exitCode, 7);
    });
  });
}

test('a container that the node does not know is told from one that has ended', async () => {
  const ref: ContainerRef = { node: world.cluster.nodeName, containerId: 'nothing' };
  assert.equal(await world.access.inspect(ref), null);
  await assertRefused(ref, 'not-found', /nothing/);
});

test('what keeps a node from being asked is told as what it is', async () => {
  const node = world.cluster.nodeName;
  const refused = (kind: RuntimeFaultKind, words: RegExp) => (error: unknown) => isFault(error, kind) && words.test(error.message);
  const none = world.accessBy({ selector: 'app=none' });
  await assert.rejects(none.listImages(node), refused('unsupported', /no agent of node node1 .*app=none.* listImages needs: the operator/));
  await assert.rejects(world.access.listImages('elsewhere'), refused('unsupported', /no agent of node elsewhere/));
  const older = world.accessBy({ command: ['sh', '-c', 'echo usage >&2; exit 2'] });
  await assert.rejects(older.listImages(node), refused('unsupported', /does not know listImages: update it/));
  const without = world.accessBy({ command: ['no-such-program'] });
  await assert.rejects(without.listImages(node), refused('failed', /agent of node node1 could not run listImages: .*no-such-program/));
});

test('an agent that is not up just now may be asked again', async () => {
  const metadata = { name: 'agent-to-be', namespace: world.namespace, labels: { app: 'to-be' } };
  const container = { name: 'agent', image: `${world.cluster.registry}/busybox:1`, command: ['no-such-command'] };
  await world.cluster.apply({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata,
    spec: { nodeName: world.cluster.nodeName, containers: [container] },
  });
  const toBe = world.accessBy({ selector: 'app=to-be' });
  const refused = (error: unknown) => isFault(error, 'unreachable') && /does not run just now/.test(error.message);
  await assert.rejects(toBe.listImages(world.cluster.nodeName), refused);
});

async function assertEnded(ref: ContainerRef): Promise<void> {
  assert.equal((await world.access.inspect(ref))?.status, 'stopped');
  await assertRefused(ref, 'conflict', /is not running/);
}

async function assertRefused(ref: ContainerRef, kind: RuntimeFaultKind, words: RegExp): Promise<void> {
  const { access } = world;
  for (const call of [() => access.pause(ref), () => access.resume(ref), () => access.kill(ref, 'TERM')])
    await assert.rejects(call, (error) => isFault(error, kind) && words.test(error.message));
}
