import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { plainPodSettings } from '../../../../test/kubernetes-fake/plain-settings.ts';
import { podsOf, type Recording, seenOfRecording } from '../../../../test/kubernetes-golden/seen-of-recording.ts';
import { statusOf } from '../../../sync/container-status.ts';
import { plainWorkload } from '../../plain-workload.ts';
import type { KubePod } from '../kube-object.ts';
import { podOfWorkload } from '../pod/pod-of-workload.ts';
import { podObservations } from './pod-observations.ts';

const golden = path.join(import.meta.dirname, '../../../../test/kubernetes-golden');
const read = (name: string): Recording => JSON.parse(readFileSync(path.join(golden, 'statuses', `${name}.json`), 'utf8'));
const expected = parse(readFileSync(path.join(golden, 'statuses.yaml'), 'utf8')) as Record<string, string[]>;
const settings = { ...plainPodSettings, runtimeClasses: { gvisor: 'gvisor' } };
const at = Date.parse('2026-03-01T12:00:00Z');
const workload = plainWorkload({ uuid: 'u', image: 'busybox:1', command: ['echo', '$HOME'], exposedPorts: ['80/tcp', '80/udp', '53/udp'] });

test('every recorded status is held against what is said of it', () => {
  const names = readdirSync(path.join(golden, 'statuses')).map((file) => file.replace(/\.json$/, ''));
  assert.deepEqual(names.toSorted(), Object.keys(expected).toSorted());
});

for (const [name, lines] of Object.entries(expected)) {
  test(`recorded: ${name}`, () => assert.deepEqual(seenOfRecording(read(name)), lines));
}

test('no status that was recorded ends in a row that says Unknown, except of a lost node', () => {
  const previous = {
    status: 'Running',
    statusReason: null,
    statusDetail: null,
    startedAt: null,
    containerId: 'c',
    autoRemove: false,
  } as const;
  for (const name of Object.keys(expected)) {
    for (const { pod, at } of podsOf(read(name))) {
      for (const { state } of podObservations(pod, at)) {
        const { status } = statusOf(previous, state, at);
        assert.equal(status === 'Unknown', state.status === 'unknown', `${name}: ${JSON.stringify(state)}`);
        if (status === 'Unknown') assert.equal(name, 'node-lost');
      }
    }
  }
});

const withStatus = (pod: KubePod, status: KubePod['status'] & object, metadata: KubePod['metadata'] = {}): KubePod => ({
  ...pod,
  metadata: { ...pod.metadata, uid: 'pod-uid', ...metadata, annotations: { ...pod.metadata?.annotations, ...metadata.annotations } },
  spec: { ...pod.spec, containers: pod.spec?.containers ?? [], nodeName: 'node1' },
  status,
});
const running = (pod: KubePod, seconds = 0): KubePod => ({
  ...withStatus(pod, {
    phase: 'Running',
    containerStatuses: [
      {
        name: 'main',
        image: 'docker.io/library/busybox:1',
        imageID: 'sha256:1',
        containerID: 'containerd://abc',
        ready: false,
        restartCount: 0,
        state: { running: { startedAt: new Date(at - seconds * 1000) } },
      },
    ],
    podIPs: [{ ip: '10.88.0.7' }, { ip: 'fd00::7' }],
  }),
});
const stateOf = (name: string, state: object) => ({ name, image: '', imageID: '', ready: false, restartCount: 0, state });
const only = (pod: KubePod, now = at) => {
  const [observation, ...others] = podObservations(pod, now);
  assert.ok(observation && others.length === 0);
  return observation;
};

test('a container is told with what its Pod says of it', () => {
  assert.deepEqual(only(running(podOfWorkload({ ...workload, runtime: 'gvisor', hostname: 'web' }, settings), 5)), {
    uuid: 'u',
    engineId: 'abc',
    state: { status: 'running', exitCode: 0, error: '', oomKilled: false, startedAt: at - 5000, finishedAt: null, health: null },
    hostname: 'web',
    command: ['echo', '$HOME'],
    ports: [80, 53],
    addresses: { cluster: { ipv4: '10.88.0.7', ipv6: 'fd00::7', mac: null } },
    image: 'busybox:1',
    runtime: 'gvisor',
    restartCount: 0,
  });
});

test('before it has a container it goes by the uid and the name of the Pod', () => {
  const observation = only(withStatus(podOfWorkload(workload, settings), { phase: 'Pending' }));
  assert.deepEqual([observation.engineId, observation.hostname, observation.addresses], ['pod-uid', 'zun-u', {}]);
});

test('an entrypoint of its own leaves no command of the image', () => {
  const processOf = (wishes: object) => {
    const { command, entrypoint } = only(withStatus(podOfWorkload({ ...workload, ...wishes }, settings), { phase: 'Pending' }));
    return { command, entrypoint };
  };
  assert.deepEqual(processOf({ entrypoint: ['sh'], command: null }), { command: [], entrypoint: ['sh'] });
  assert.deepEqual(processOf({ entrypoint: null, command: null }), { command: undefined, entrypoint: undefined });
});

test('the node access marks what it pauses', () => {
  const pod = running(podOfWorkload(workload, settings));
  const paused = {
    ...pod,
    metadata: { ...pod.metadata, annotations: { ...pod.metadata?.annotations, 'zun.openstack.org/paused': 'true' } },
  };
  assert.equal(only(paused).state.status, 'paused');
});

test('health is starting for as long as that many failures take, then unhealthy; healthy once the check has passed', () => {
  const pod = podOfWorkload(
    { ...workload, healthcheck: { command: 'true', intervalSeconds: 10, timeoutSeconds: 1, retries: 3 } },
    settings,
  );
  const health = (seconds: number) => only(running(pod, seconds)).state.health;
  assert.deepEqual([health(0), health(34), health(35)], ['starting', 'starting', 'unhealthy']);
  const ready = running(pod, 1);
  for (const status of ready.status?.containerStatuses ?? []) status.ready = true;
  assert.equal(only(ready).state.health, 'healthy');
});

test('what is starting tells when it counts as unhealthy, should nothing happen; what has no such time tells none', () => {
  const checked = { ...workload, healthcheck: { command: 'true', intervalSeconds: 10, timeoutSeconds: 1, retries: 3 } };
  const pod = podOfWorkload(checked, settings);
  const starting = only(running(pod, 1));
  assert.ok(starting.changesAt);
  assert.equal(starting.state.health, 'starting');
  assert.equal(only(running(pod, 1), starting.changesAt - 1).state.health, 'starting');
  const after = only(running(pod, 1), starting.changesAt);
  assert.deepEqual([after.state.health, after.changesAt], ['unhealthy', undefined]);
  const ready = running(pod, 1);
  for (const status of ready.status?.containerStatuses ?? []) status.ready = true;
  assert.equal(only(ready).changesAt, undefined);
  assert.equal(only(running(podOfWorkload(workload, settings))).changesAt, undefined);
});

test('every recorded status tells of each change that comes with time alone', () => {
  let changes = 0;
  for (const name of Object.keys(expected)) {
    for (const { pod, at } of podsOf(read(name))) {
      for (let now = at, second = 0; second < 120; second += 1, now += 1000) {
        const [before, after] = [podObservations(pod, now), podObservations(pod, now + 1000)];
        for (const [index, { changesAt, state }] of before.entries()) {
          if (JSON.stringify(after[index]?.state) === JSON.stringify(state)) continue;
          changes += 1;
          assert.ok(
            changesAt !== undefined && changesAt <= now + 1000,
            `${name}, ${second} s later: ${JSON.stringify(after[index]?.state)}`,
          );
        }
      }
    }
  }
  assert.ok(changes > 0);
});

test('a Pod that its node does not end is unknown a minute after it was due, whether its node ever took it or not', () => {
  const last = podsOf(read('node-lost-deleted')).at(-1);
  assert.ok(last?.pod.metadata?.deletionTimestamp);
  const due = new Date(last.pod.metadata.deletionTimestamp).getTime();
  assert.equal(only(last.pod, due + 59_999).state.status, 'running');
  const { state } = only(last.pod, due + 60_000);
  assert.deepEqual(
    [state.status, state.error],
    ['unknown', 'Node lost1 has not ended the Pod, which was due at 2026-11-30T01:17:43.000Z.'],
  );
  const untaken = withStatus(podOfWorkload(workload, settings), { phase: 'Pending' }, { deletionTimestamp: new Date(at - 60_000) });
  assert.equal(only(untaken).state.status, 'unknown');
});

for (const status of [
  { phase: 'Unknown' },
  { phase: 'Running', reason: 'NodeLost' },
  { phase: 'Running', conditions: [{ type: 'Ready', status: 'Unknown', reason: 'NodeStatusUnknown' }] },
]) {
  test(`a Pod of ${JSON.stringify(status)} is unknown, and its node is named`, () => {
    const { state } = only(withStatus(podOfWorkload(workload, settings), status));
    assert.deepEqual([state.status, state.error], ['unknown', 'Node node1 does not answer.']);
  });
}

test('a Pod that is not ready for a reason is not lost, whoever gave the reason', () => {
  const unready = (...conditions: { type: string; status: string; reason?: string }[]) => {
    const pod = running(podOfWorkload(workload, settings));
    return only({ ...pod, status: { ...pod.status, conditions } }).state.status;
  };
  const gates = { type: 'Ready', status: 'False', reason: 'ReadinessGatesNotReady' };
  assert.equal(unready(gates, { type: 'ContainersReady', status: 'True' }), 'running');
  assert.equal(unready({ type: 'Ready', status: 'False' }, { type: 'ContainersReady', status: 'False' }), 'running');
  assert.equal(unready({ type: 'Ready', status: 'False' }, { type: 'ContainersReady', status: 'True' }), 'unknown');
});

test('a Pod that has ended is not lost, however long it stays', () => {
  const pod = running(podOfWorkload(workload, settings), 60);
  const metadata = { ...pod.metadata, deletionTimestamp: new Date(at - 3_600_000) };
  const { state } = only({ ...pod, metadata, status: { ...pod.status, phase: 'Failed' } });
  assert.deepEqual([state.status, state.exitCode], ['removing', 137]);
});

test('what a node gave up before it made the container says why', () => {
  const containerStatuses = [stateOf('main', { waiting: { reason: 'ContainerCreating' } })];
  const status = { phase: 'Failed', reason: 'Evicted', message: 'The node was low on resource: memory.', containerStatuses };
  const { state } = only(withStatus(podOfWorkload(workload, settings), status));
  assert.deepEqual([state.status, state.error], ['created', 'The node was low on resource: memory.']);
});

test('nothing runs again in a Pod that goes', () => {
  const end = { exitCode: 3, startedAt: new Date(at - 5000), finishedAt: new Date(at) };
  const pod = podOfWorkload({ ...workload, restartPolicy: { name: 'always', maximumRetryCount: 0 } }, settings);
  const status = { phase: 'Running', containerStatuses: [stateOf('main', { terminated: end })] };
  assert.equal(only(withStatus(pod, status)).state.status, 'restarting');
  assert.equal(only(withStatus(pod, status, { deletionTimestamp: new Date(at + 5000) })).state.status, 'removing');
});

test('what a node refused or lost before it ran was created, and says why', () => {
  const status = { phase: 'Failed', reason: 'OutOfcpu', message: "Pod was rejected: Node didn't have enough resource: cpu " };
  const { state } = only(withStatus(podOfWorkload(workload, settings), status));
  assert.deepEqual(
    [state.status, state.error, state.startedAt],
    ['created', "Pod was rejected: Node didn't have enough resource: cpu", null],
  );
});

test('a process that nobody saw end, in a Pod that has ended, ended by SIGKILL', () => {
  const pod = running(podOfWorkload(workload, settings), 60);
  const message = 'PodGC: node no longer exists';
  const conditions = [{ type: 'DisruptionTarget', status: 'True', reason: 'DeletionByPodGC', message, lastTransitionTime: new Date(at) }];
  const { state } = only({ ...pod, status: { ...pod.status, phase: 'Failed', conditions } });
  assert.deepEqual(
    [state.status, state.exitCode, state.error, state.startedAt, state.finishedAt],
    ['exited', 137, message, at - 60_000, at],
  );
});

test('what others end says why, while it goes, too', () => {
  const conditions = [{ type: 'DisruptionTarget', status: 'True', reason: 'PreemptionByScheduler', message: 'preempted' }];
  const end = { exitCode: 143, startedAt: new Date(at - 5000), finishedAt: new Date(at) };
  const containerStatuses = [stateOf('main', { terminated: end })];
  const status = { phase: 'Running', conditions, containerStatuses };
  const { state } = only(withStatus(podOfWorkload(workload, settings), status, { deletionTimestamp: new Date(at + 5000) }));
  assert.deepEqual([state.status, state.exitCode, state.error], ['removing', 143, 'preempted']);
});

test("Multus tells the addresses where it is: its own networks by name, the first as the cluster's where none was put in its place", () => {
  const interfaces = (...names: string[]) =>
    names.map((name, index) => ({
      name,
      interface: `eth${index}`,
      ips: [`10.1.${index}.5`],
      mac: `02:00:00:00:00:0${index}`,
      default: index === 0,
    }));
  const addresses = (networks: string[], ...told: string[]) => {
    const spec = { ...workload, networks: networks.map((engineNetwork) => ({ engineNetwork, ipv4: null, ipv6: null, mac: null })) };
    const pod = running(podOfWorkload(spec, settings));
    const annotations = { ...pod.metadata?.annotations, 'k8s.v1.cni.cncf.io/network-status': JSON.stringify(interfaces(...told)) };
    return only({ ...pod, metadata: { ...pod.metadata, annotations } }).addresses;
  };
  const first = { ipv4: '10.1.0.5', ipv6: null, mac: '02:00:00:00:00:00' };
  const second = { ipv4: '10.1.1.5', ipv6: null, mac: '02:00:00:00:00:01' };
  assert.deepEqual(addresses(['cluster', 'blue'], 'cbr0', 'zun-p/blue'), { cluster: first, 'zun-p/blue': second });
  assert.deepEqual(addresses(['blue', 'shared/red'], 'zun-p/blue', 'shared/red'), { 'zun-p/blue': first, 'shared/red': second });
});

test('a Pod that has ended has no addresses', () => {
  const pod = running(podOfWorkload(workload, settings));
  assert.deepEqual(only({ ...pod, status: { ...pod.status, phase: 'Failed' } }).addresses, {});
});

test("other Pods are nobody's: those without labels, and those that bring images", () => {
  assert.deepEqual(podObservations({ metadata: { name: 'x' } }, at), []);
  const puller = { 'zun.openstack.org/workload': 'u', 'zun.openstack.org/kind': 'puller' };
  assert.deepEqual(podObservations({ metadata: { name: 'x', labels: puller } }, at), []);
});
