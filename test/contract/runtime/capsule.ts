import { randomUUID } from 'node:crypto';
import type { CapsuleSpec, RestartPolicy, WorkloadSpec } from '../../../src/runtime/container-runtime.ts';
import type { RuntimeFixture } from './runtime-fixture.ts';
import { type Observed, observed, specOf } from './workload.ts';

/** What a test wants of a capsule; its containers sleep unless they say otherwise. */
export interface CapsuleWishes {
  restartPolicy?: RestartPolicy['name'];
  initContainers?: Partial<WorkloadSpec>[];
  containers: Partial<WorkloadSpec>[];
}

/** One capsule under test. */
export interface Capsule extends Observed {
  spec: CapsuleSpec;
  initContainers: Observed[];
  containers: Observed[];
  /** Of the capsule and all that is in it. */
  uuids: string[];
  start(): Promise<void>;
}

/** Creates a capsule with UUIDs of its own, runs the test on it, and removes it whatever happens. */
export async function withCapsule(
  fixture: RuntimeFixture,
  wishes: CapsuleWishes,
  test: (capsule: Capsule) => Promise<void>,
): Promise<void> {
  const { runtime } = fixture;
  const spec = capsuleSpec(fixture, wishes);
  const { uuid } = spec;
  const see = (members: WorkloadSpec[]) => members.map((member) => observed(fixture, member.uuid));
  try {
    await runtime.capsules?.create(spec);
    await test({
      ...observed(fixture, uuid),
      spec,
      initContainers: see(spec.initContainers),
      containers: see(spec.containers),
      uuids: [uuid, ...[...spec.initContainers, ...spec.containers].map((member) => member.uuid)],
      start: async () => void (await runtime.start(uuid)),
    });
  } finally {
    await runtime.remove(uuid);
  }
}

function capsuleSpec(fixture: RuntimeFixture, { restartPolicy = 'no', initContainers = [], containers }: CapsuleWishes): CapsuleSpec {
  const policy = { name: restartPolicy, maximumRetryCount: 0 };
  const member = (wish: Partial<WorkloadSpec>) => specOf(fixture, { restartPolicy: policy, ...wish });
  const { projectId } = specOf(fixture);
  return {
    uuid: randomUUID(),
    projectId,
    host: null,
    hostname: null,
    labels: {},
    restartPolicy: policy,
    networks: [],
    initContainers: initContainers.map(member),
    containers: containers.map(member),
  };
}
