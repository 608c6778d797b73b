import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FixtureSource } from './runtime-fixture.ts';
import { refused, specOf, withCreated, withStarted } from './workload.ts';

/** Workloads that join the namespaces of another one, the sandbox, where capsules are made container by container. */
export function joinedNamespaceTests(fixture: FixtureSource): void {
  test('a workload joins a running sandbox: it has no address of its own, whatever ports it exposes, and creating it again succeeds', async () => {
    const { runtime } = fixture();
    await withStarted(fixture(), { sharesNamespaces: true }, async (sandbox) => {
      await sandbox.until('running');
      await withCreated(fixture(), { sandbox: sandbox.uuid, exposedPorts: ['80/tcp'] }, async (member) => {
        await runtime.create(member.spec);
        await runtime.start(member.uuid);
        await member.until('running');
        assert.deepEqual((await member.inspect()).addresses, {});
        assert.deepEqual((await runtime.list()).map(({ uuid }) => uuid).toSorted(), [sandbox.uuid, member.uuid].toSorted());
      });
    });
  });

  test('without its sandbox a workload does not start', async () => {
    const { runtime } = fixture();
    await withStarted(fixture(), { sharesNamespaces: true }, async (sandbox) => {
      const member = specOf(fixture(), { sandbox: sandbox.uuid });
      try {
        await runtime.create(member);
        await runtime.stop(sandbox.uuid, 0);
        // Podman starts the sandbox again instead, which is as good.
        await runtime.start(member.uuid).then(
          async () => assert.equal((await sandbox.state()).status, 'running'),
          (error) => refused(Promise.reject(error), 'conflict', 'failed'),
        );
      } finally {
        await runtime.remove(member.uuid);
      }
    });
  });
}
