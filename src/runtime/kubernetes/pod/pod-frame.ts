import type { V1LocalObjectReference, V1PodSpec, V1Toleration } from '@kubernetes/client-node';
import type { CapsuleSpec, RestartPolicy, WorkloadSpec } from '../../container-runtime.ts';
import { annotations, type KubePod, labels, workloadName } from '../kube-object.ts';
import { nodeAffinityTo } from './node-affinity.ts';
import { ownedSecretNames } from './owned-secret-names.ts';
import { podHostname } from './pod-hostname.ts';
import { podNetworks } from './pod-networks.ts';
import { podSecurity } from './pod-security.ts';
import type { PodSettings } from './pod-settings.ts';
import { podVolumes } from './pod-volumes.ts';
import { runtimeClass, runtimeName } from './runtime-class.ts';

/** What a container and a capsule have alike. */
type Whole = Pick<CapsuleSpec, 'uuid' | 'host' | 'hostname' | 'labels' | 'restartPolicy' | 'networks'>;

/** What the two have different. `specs`: the containers, init containers first. */
export interface PodParts {
  kind: 'container' | 'capsule';
  specs: WorkloadSpec[];
  runtime: string | null;
  autoRemove: boolean;
  /** By the containers' names in the Pod; of a capsule. */
  members?: Record<string, string>;
  containers: Pick<V1PodSpec, 'containers' | 'initContainers'>;
}

/** Metadata and everything of the Pod around its containers. Faults `invalid` as of its parts. Pure. */
export function podFrame(whole: Whole, parts: PodParts, settings: PodSettings): KubePod {
  const className = runtimeClass(parts.runtime, settings);
  const volumes = podVolumes(parts.specs);
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: workloadName(whole.uuid),
      namespace: settings.namespace,
      labels: {
        [labels.managedBy]: 'zun',
        [labels.instance]: settings.instance,
        [labels.workload]: whole.uuid,
        [labels.kind]: parts.kind,
      },
      annotations: podAnnotations(whole, parts, settings),
    },
    spec: {
      ...parts.containers,
      ...(volumes.length === 0 ? {} : { volumes }),
      restartPolicy: restartPolicies[whole.restartPolicy.name],
      terminationGracePeriodSeconds: settings.stopGraceSeconds,
      ...(whole.hostname === null ? {} : { hostname: podHostname(whole.hostname) }),
      ...(className === null ? {} : { runtimeClassName: className }),
      ...(whole.host === null ? {} : { affinity: nodeAffinityTo(whole.host) }),
      tolerations: staysOnLostNode,
      securityContext: podSecurity,
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      ...imagePullSecrets(whole.uuid, parts.specs),
    },
  };
}

const restartPolicies: Record<RestartPolicy['name'], string> = {
  no: 'Never',
  always: 'Always',
  'unless-stopped': 'Always',
  'on-failure': 'OnFailure',
};

/**
 * Nobody takes a Pod away because its node does not answer, as Kubernetes would after five minutes: the container may run there all
 * the time, and is seen again with its node. New Pods still don't go there, for such nodes have the taints with NoSchedule, too.
 */
const staysOnLostNode: V1Toleration[] = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'].map((key) => ({
  key,
  operator: 'Exists',
  effect: 'NoExecute',
}));

function podAnnotations(whole: Whole, parts: PodParts, settings: PodSettings): Record<string, string> {
  const { name: policy, maximumRetryCount } = whole.restartPolicy;
  const runtime = runtimeName(parts.runtime, settings);
  return {
    [annotations.labels]: JSON.stringify(whole.labels),
    ...(parts.members === undefined ? {} : { [annotations.members]: JSON.stringify(parts.members) }),
    ...(runtime === null ? {} : { [annotations.runtime]: runtime }),
    // Kubernetes has no such maximum; 0 is none in Docker.
    ...(policy === 'on-failure' && maximumRetryCount > 0 ? { [annotations.maximumRetryCount]: String(maximumRetryCount) } : {}),
    ...(parts.autoRemove ? { [annotations.autoRemove]: 'true' } : {}),
    ...podNetworks(whole.networks, settings.namespace),
  };
}

function imagePullSecrets(uuid: string, specs: WorkloadSpec[]): { imagePullSecrets?: V1LocalObjectReference[] } {
  const needed = specs.some(({ imagePull }) => imagePull?.credentials);
  return needed ? { imagePullSecrets: [{ name: ownedSecretNames.pull(uuid) }] } : {};
}
