import type { CapsuleSpec, WorkloadMount, WorkloadSpec } from '../../container-runtime.ts';
import { type KubeSecret, labels, memberLabel, workloadName } from '../kube-object.ts';

/** What a record holds: a container, or a capsule with its members. */
export type RecordedSpec = { kind: 'container'; spec: WorkloadSpec } | { kind: 'capsule'; spec: CapsuleSpec };

/** The key of the record's data that holds the specification. */
const specKey = 'spec';

/**
 * The record of a workload, without its namespace. Bytes of `content` mounts and passwords of registries are not in it: they have
 * Secrets of their own, which a Pod names. Pure.
 */
export function workloadRecord(recorded: RecordedSpec, instance: string): KubeSecret {
  const { kind, spec } = recorded;
  const members = kind === 'capsule' ? [...spec.initContainers, ...spec.containers] : [];
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    type: 'zun.openstack.org/workload',
    metadata: {
      name: workloadName(spec.uuid),
      labels: {
        [labels.managedBy]: 'zun',
        [labels.instance]: instance,
        [labels.workload]: spec.uuid,
        [labels.kind]: kind,
        ...Object.fromEntries(members.map(({ uuid }) => [memberLabel(uuid), ''])),
      },
    },
    data: { [specKey]: specData(recorded) },
  };
}

/** The record's specification as its data holds it. */
export function specData(recorded: RecordedSpec): string {
  return Buffer.from(JSON.stringify(withoutSecrets(recorded))).toString('base64');
}

/** What `workloadRecord` has written, with empty bytes and credentials where it left them out. Throws for anything else. */
export function recordedSpec(record: KubeSecret): RecordedSpec {
  const recorded = JSON.parse(Buffer.from(record.data?.[specKey] ?? '', 'base64').toString('utf8')) as RecordedSpec;
  return mapSpecs(recorded, (spec) => ({ ...spec, mounts: spec.mounts.map(emptied) }));
}

function withoutSecrets(recorded: RecordedSpec): RecordedSpec {
  return mapSpecs(recorded, (spec) => ({
    ...spec,
    mounts: spec.mounts.map((mount) => (mount.kind === 'content' ? { ...mount, content: Buffer.alloc(0) } : mount)),
    imagePull: spec.imagePull && {
      ...spec.imagePull,
      credentials: spec.imagePull.credentials && { username: '', password: '' },
    },
  }));
}

function mapSpecs(recorded: RecordedSpec, change: (spec: WorkloadSpec) => WorkloadSpec): RecordedSpec {
  if (recorded.kind === 'container') return { kind: 'container', spec: change(recorded.spec) };
  const { initContainers, containers } = recorded.spec;
  return {
    kind: 'capsule',
    spec: { ...recorded.spec, initContainers: initContainers.map(change), containers: containers.map(change) },
  };
}

const emptied = (mount: WorkloadMount): WorkloadMount => (mount.kind === 'content' ? { ...mount, content: Buffer.alloc(0) } : mount);
