import { annotations, type KubePod, type KubeSecret, mainContainer } from '../kube-object.ts';
import { podOfCapsule } from './pod-of-capsule.ts';
import { podOfWorkload } from './pod-of-workload.ts';
import type { PodSettings } from './pod-settings.ts';
import type { RecordedSpec } from './workload-record.ts';

/**
 * The Pod that a record stands for. With the record itself it is owned by it, and made from the filesystem that was kept of the Pod
 * before, if any: that image is on the node alone. Pure.
 */
export function podOfRecord(recorded: RecordedSpec, record: KubeSecret | null, settings: PodSettings): KubePod {
  const pod = recorded.kind === 'capsule' ? podOfCapsule(recorded.spec, settings) : podOfWorkload(recorded.spec, settings);
  const { metadata } = record ?? {};
  if (!metadata?.uid || !metadata.name) return pod;
  const owner = { apiVersion: 'v1', kind: 'Secret', name: metadata.name, uid: metadata.uid, blockOwnerDeletion: false };
  const kept = metadata.annotations?.[annotations.keptImage];
  return {
    ...pod,
    metadata: { ...pod.metadata, ownerReferences: [owner] },
    ...(kept === undefined || !pod.spec
      ? {}
      : {
          spec: {
            ...pod.spec,
            containers: pod.spec.containers.map((container) =>
              container.name === mainContainer ? { ...container, image: kept, imagePullPolicy: 'Never' } : container,
            ),
          },
        }),
  };
}
