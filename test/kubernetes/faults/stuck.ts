import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { CoreV1Event } from '@kubernetes/client-node';
import { until } from '../../system/engine/until.ts';
import type { ProgramProcess } from '../../system/programs/program-process.ts';
import { assertAgreement, claimOf, startsOf } from './agreement.ts';
import type { FaultsWorld } from './faults-world.ts';
import { act, createContainer } from './works.ts';

/** What somebody does to Pods, records, namespaces and nodes behind Zun's back, and what will not go. */
export function whatIsStuck(open: () => FaultsWorld): void {
  describe('behind its back', () => {
    let world: FaultsWorld;
    let programs: ProgramProcess[];
    /** Of the project. */
    let namespace = '';

    before(async () => {
      world = open();
      programs = await Promise.all([world.start('zun-api'), world.start('zun-compute')]);
    });
    after(() => Promise.all(programs.map((program) => world.leave(program))));

    const kubectl = (...args: string[]) => world.cluster.kubectl('--namespace', namespace, ...args);
    const running = async (count: number): Promise<string[]> => {
      const uuids = await Promise.all(Array.from({ length: count }, () => createContainer(world)));
      for (const uuid of uuids) {
        const { project_id } = await world.shows(uuid, ({ status }) => status === 'Running');
        namespace = `${world.instance}-${project_id}`;
      }
      return uuids;
    };
    const gone = async (uuids: string[]): Promise<void> => {
      for (const uuid of uuids) await act(world, 'DELETE', uuid, '?stop=true');
      await assertAgreement(world);
      for (const uuid of uuids) assert.equal(await world.show(uuid), null);
    };
    const reasonOf = async (uuid: string, status: string, seconds = 60): Promise<string> =>
      String((await world.shows(uuid, (seen) => seen.status === status && seen.status_reason !== null, seconds)).status_reason);

    test('a Pod that is removed, or evicted as by a drain, is Stopped and says so; it is not started again but by its user', async () => {
      const [removed = '', evicted = ''] = await running(2);
      await kubectl('delete', 'pod', `zun-${removed}`);
      await world.client.request({
        method: 'POST',
        path: `/api/v1/namespaces/${namespace}/pods/zun-${evicted}/eviction`,
        body: { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: `zun-${evicted}`, namespace } },
      });
      for (const uuid of [removed, evicted]) {
        const reason = await reasonOf(uuid, 'Stopped');
        assert.match(
          reason,
          /^(Eviction API: evicting|The Pod is gone: somebody removed it, or its node was drained or removed from the cluster\.)$/,
        );
        assert.equal(await startsOf(world, uuid), 1);
        await act(world, 'POST', uuid, '/start');
      }
      await world.settled();
      for (const uuid of [removed, evicted]) {
        await world.shows(uuid, ({ status, status_reason }) => status === 'Running' && status_reason === null);
        assert.equal(await startsOf(world, uuid), 2);
      }
      await gone([removed, evicted]);
    });

    test('a record that is removed takes its Pod along; the container says so, and is rebuilt or deleted', async () => {
      const [rebuilt = '', deleted = ''] = await running(2);
      for (const uuid of [rebuilt, deleted]) {
        await kubectl('delete', 'secret', `zun-${uuid}`);
        assert.match(await reasonOf(uuid, 'Error'), /^No such container: /);
      }
      // What is in Error is rebuilt without being run, whatever the reason.
      await act(world, 'POST', rebuilt, '/rebuild');
      await world.shows(rebuilt, ({ status }) => status === 'Created');
      await act(world, 'POST', rebuilt, '/start');
      await world.shows(rebuilt, ({ status }) => status === 'Running');
      await gone([rebuilt, deleted]);
    });

    test('a Pod whose volumes cannot be had says so when it is deleted in the middle of its start, and goes', async () => {
      const [uuid = ''] = await running(1);
      await act(world, 'POST', uuid, '/stop?timeout=2');
      await world.shows(uuid, ({ status }) => status === 'Stopped');
      await kubectl('delete', 'secret', `zun-${uuid}-content`);
      await act(world, 'POST', uuid, '/start');
      const failed = async () => {
        const { items } = await world.client.request<{ items: CoreV1Event[] }>({
          method: 'GET',
          path: `/api/v1/namespaces/${namespace}/events`,
          query: { fieldSelector: `involvedObject.name=zun-${uuid},reason=FailedMount` },
        });
        return items.length > 0 ? true : null;
      };
      await until('the kubelet waits for the volume', failed, 60_000);
      await gone([uuid]);
    });

    test('a namespace that is removed is said to be gone, its containers can be deleted, and it is made anew', async () => {
      const uuids = await running(2);
      await world.cluster.kubectl('delete', 'namespace', namespace);
      for (const uuid of uuids) assert.match(await reasonOf(uuid, 'Error'), /^No such container: /);
      const [again = ''] = await running(1);
      await gone([...uuids, again]);
    });

    test('of a silent node containers are Unknown; what it does not end, and what a finalizer holds, is an Error that says so, and goes later', async () => {
      const [ofPod = '', ofRecord = '', ofClaim = '', stopped = '', deleted = '', left = ''] = await running(6);
      const held = [ofPod, ofRecord, ofClaim];
      const objects = [`pod/zun-${ofPod}`, `secret/zun-${ofRecord}`, `persistentvolumeclaim/${await claimOf(world, ofClaim)}`];
      const finalizers = (value: string) =>
        Promise.all(objects.map((object) => kubectl('patch', object, '--type=merge', '-p', `{"metadata":{"finalizers":${value}}}`)));
      for (const uuid of held) await act(world, 'POST', uuid, '/stop?timeout=2');
      for (const uuid of held) await world.shows(uuid, ({ status }) => status === 'Stopped');
      await finalizers('["example.com/held"]');
      await world.cluster.pause('kubelet');
      try {
        for (const uuid of held) await act(world, 'DELETE', uuid, '');
        await act(world, 'POST', stopped, '/stop?timeout=2');
        await world.get('DELETE', `/v1/containers/${deleted}?force=true&all_projects=true`, undefined, 'zun-admin');
        assert.match(await reasonOf(left, 'Unknown'), new RegExp(`^Node ${world.cluster.nodeName} does not answer\\.$`));
        await world.settled();
        const finalizer = /its finalizers example\.com\/held were not cleared\. Whoever set them has to; then delete again\.$/;
        const reasons = [
          ...held.map((uuid) => ({ uuid, action: 'delete', reason: finalizer })),
          { uuid: deleted, action: 'delete', reason: /the kubelet of node1 has not ended it\. When the node is back/ },
          { uuid: stopped, action: 'stop', reason: /was told to end and has not: the kubelet of node1 does not answer/ },
        ];
        // The row says so, too, though it is compared with the cluster twice a second.
        for (const { uuid, action, reason } of reasons) {
          assert.match(await lastReason(uuid, action), reason);
          assert.match(String((await world.show(uuid))?.status_reason), reason);
        }
      } finally {
        await world.cluster.resume('kubelet');
      }
      await world.shows(left, ({ status, status_reason }) => status === 'Running' && status_reason === null, 90);
      await world.shows(stopped, ({ status }) => status === 'Stopped', 90);
      for (const uuid of [...held, stopped, deleted, left]) assert.equal(await startsOf(world, uuid), 1);
      await finalizers('null');
      await gone([...held, stopped, deleted, left]);
    });

    /** Why the last action of that name has failed. */
    const lastReason = async (uuid: string, action: string): Promise<string> => {
      const events = await world.database.queries
        .selectFrom('container_actions_events as event')
        .innerJoin('container_actions as action', 'action.id', 'event.action_id')
        .select('event.traceback')
        .where('action.container_uuid', '=', uuid)
        .where('action.action', '=', action)
        .orderBy('event.id', 'desc')
        .execute();
      return String(events[0]?.traceback);
    };
  });
}
