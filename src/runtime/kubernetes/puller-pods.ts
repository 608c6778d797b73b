import { randomBytes } from 'node:crypto';
import type { Clock } from '../../telemetry/clock.ts';
import { withDeadline } from '../../telemetry/with-deadline.ts';
import type { RegistryCredentials } from '../image-store.ts';
import { RuntimeFault } from '../runtime-fault.ts';
import type { KubeClient } from './client/kube-client.ts';
import { kubePaths } from './client/kube-paths.ts';
import { type KubePod, labels } from './kube-object.ts';
import type { KubernetesSettings } from './kubernetes-settings.ts';
import { nodeAffinityTo } from './pod/node-affinity.ts';
import { pullSecret } from './pod/pull-secret.ts';
import type { ProjectNamespaces } from './project-namespaces.ts';
import { startProgress } from './state/start-progress.ts';
import type { WorkloadPods } from './workload-pods.ts';

/** No image has it: the container is made of the image, and its start fails. */
const noProgram = '/zun-brings-images';
const container = 'image';

/** Pods that bring an image to a node and do nothing else; each is gone when its image is there, or cannot be had. */
export class PullerPods {
  readonly #client: KubeClient;
  readonly #pods: WorkloadPods;
  readonly #settings: Pick<KubernetesSettings, 'instance' | 'namespacePrefix' | 'pullDeadlineSeconds'>;
  readonly #namespaces: ProjectNamespaces;
  readonly #clock: Clock;

  constructor(parts: {
    client: KubeClient;
    pods: WorkloadPods;
    namespaces: ProjectNamespaces;
    settings: KubernetesSettings;
    clock: Clock;
  }) {
    this.#namespaces = parts.namespaces;
    this.#client = parts.client;
    this.#pods = parts.pods;
    this.#settings = parts.settings;
    this.#clock = parts.clock;
  }

  /** Answers the image's id as the node tells it. Faults as of `ImageStore.pull`, with the registry's words. `host` null = any node. */
  async pull(reference: string, host: string | null, credentials: RegistryCredentials | null, signal?: AbortSignal): Promise<string> {
    const name = `pull-${randomBytes(8).toString('hex')}`;
    const namespace = `${this.#settings.namespacePrefix}images`;
    const place = { uuid: name, namespace, owner: name, name, container };
    const own = { [labels.managedBy]: 'zun', [labels.instance]: this.#settings.instance, [labels.kind]: 'puller' };
    await this.#namespaces.ensure(namespace, 'images');
    const secret = credentials ? pullSecret(name, [{ reference, credentials }], own) : null;
    try {
      if (secret) await this.#client.request({ method: 'POST', path: kubePaths.secrets(namespace), body: secret, signal });
      const made = await this.#pods.create(place, this.#pod({ name, reference, host, own, secretName: secret ? name : null }), signal);
      return await this.#imageId(place, reference, made, signal);
    } finally {
      await this.#pods.remove(place, 0).catch(() => {});
      if (secret) await this.#client.request({ method: 'DELETE', path: kubePaths.secret(namespace, name) }).catch(() => {});
    }
  }

  #pod(wish: { name: string; reference: string; host: string | null; own: Record<string, string>; secretName: string | null }): KubePod {
    return {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: wish.name, labels: wish.own },
      spec: {
        restartPolicy: 'Never',
        terminationGracePeriodSeconds: 0,
        automountServiceAccountToken: false,
        enableServiceLinks: false,
        // Its kubelet ends it even if nobody is left who would, and then it is taken away by a listing.
        activeDeadlineSeconds: this.#settings.pullDeadlineSeconds + 60,
        ...(wish.host === null ? {} : { affinity: nodeAffinityTo(wish.host) }),
        ...(wish.secretName === null ? {} : { imagePullSecrets: [{ name: wish.secretName }] }),
        containers: [
          {
            name: container,
            image: wish.reference,
            imagePullPolicy: 'Always',
            command: [noProgram],
            resources: { requests: { cpu: '1m', memory: '4Mi' }, limits: { cpu: '100m', memory: '64Mi' } },
            securityContext: {
              allowPrivilegeEscalation: false,
              capabilities: { drop: ['ALL'] },
              seccompProfile: { type: 'RuntimeDefault' },
            },
          },
        ],
      },
    };
  }

  async #imageId(
    place: { uuid: string; namespace: string; owner: string; name: string; container: string },
    reference: string,
    made: KubePod | null,
    signal?: AbortSignal,
  ) {
    const { pullDeadlineSeconds } = this.#settings;
    let words = `${reference} was not pulled within ${pullDeadlineSeconds} seconds.`;
    const judge = (pod: KubePod | null): string | null => {
      if (pod === null) throw new RuntimeFault('failed', 'The Pod that was to pull the image was removed.');
      const status = pod.status?.containerStatuses?.[0];
      if (status?.imageID) return status.imageID;
      const progress = startProgress(pod, this.#clock.now());
      if (progress.state === 'failed' && progress.definite) throw new RuntimeFault(progress.kind, progress.words);
      if (progress.state === 'failed') words = progress.words;
      return null;
    };
    return withDeadline(this.#clock, pullDeadlineSeconds * 1000, async (deadline) => {
      try {
        return await this.#pods.until(place, judge, signal ? AbortSignal.any([signal, deadline]) : deadline, made);
      } catch (error) {
        throw signal?.aborted || !deadline.aborted ? error : new RuntimeFault('unreachable', words, { cause: error });
      }
    });
  }
}
