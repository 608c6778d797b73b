import type { CapsuleSpec, WorkloadMount, WorkloadSpec } from '../../container-runtime.ts';
import { RuntimeFault } from '../../runtime-fault.ts';
import { type KubeSecret, labels } from '../kube-object.ts';
import { ownedSecretNames } from './owned-secret-names.ts';
import type { PodSettings } from './pod-settings.ts';
import { pullSecret } from './pull-secret.ts';

/**
 * The Secrets that the Pod of a container or capsule names, without their owner: the logins of its registries, and for each container
 * the bytes of its `content` mounts. Fault `invalid` for more bytes than Kubernetes keeps. Pure.
 */
export function ownedSecrets(spec: WorkloadSpec | CapsuleSpec, settings: Pick<PodSettings, 'instance' | 'namespace'>): KubeSecret[] {
  const specs = 'containers' in spec ? [...spec.initContainers, ...spec.containers] : [spec];
  const own = { [labels.managedBy]: 'zun', [labels.instance]: settings.instance, [labels.workload]: spec.uuid };
  const logins = specs.flatMap(({ image, imagePull }) =>
    imagePull?.credentials ? [{ reference: image, credentials: imagePull.credentials }] : [],
  );
  const secrets = [
    ...(logins.length === 0 ? [] : [pullSecret(ownedSecretNames.pull(spec.uuid), logins, own)]),
    ...specs.flatMap(({ uuid, mounts }) => contentSecret(ownedSecretNames.content(uuid), contentsOf(mounts), own)),
  ];
  return secrets.map((secret) => ({ ...secret, metadata: { ...secret.metadata, namespace: settings.namespace } }));
}

/** Kubernetes' own limit for a Secret. */
const mostBytes = 1024 * 1024;

function contentsOf(mounts: WorkloadMount[]): Buffer[] {
  const contents = mounts.flatMap((mount) => (mount.kind === 'content' ? [mount.content] : []));
  const bytes = contents.reduce((sum, { length }) => sum + length, 0);
  if (bytes > mostBytes) {
    throw new RuntimeFault(
      'invalid',
      `Invalid value of ${bytes} bytes for mounts: the files of a container are ${mostBytes} bytes at most.`,
    );
  }
  return contents;
}

function contentSecret(name: string, contents: Buffer[], own: Record<string, string>): KubeSecret[] {
  if (contents.length === 0) return [];
  const data = Object.fromEntries(contents.map((content, index) => [String(index), content.toString('base64')]));
  return [{ apiVersion: 'v1', kind: 'Secret', type: 'Opaque', metadata: { name, labels: own }, data }];
}
