import type { V1Container } from '@kubernetes/client-node';
import type { ImagePull, WorkloadSpec } from '../../container-runtime.ts';
import { escapedReferences } from './escaped-references.ts';
import { podEnvironment } from './pod-environment.ts';
import { podPorts } from './pod-ports.ts';
import { podProbe } from './pod-probe.ts';
import { podResources } from './pod-resources.ts';
import { containerSecurity } from './pod-security.ts';
import type { PodSettings } from './pod-settings.ts';
import { volumeMounts } from './pod-volumes.ts';

/** Its place in the Pod. `specs`: all containers of the Pod, for the volumes that they share. */
export interface ContainerPlace {
  name: string;
  specs: WorkloadSpec[];
  isInit: boolean;
}

/** A container of a Pod. Faults `invalid` as of its parts. Pure. */
export function podContainer(spec: WorkloadSpec, settings: PodSettings, { name, specs, isInit }: ContainerPlace): V1Container {
  const environment = podEnvironment(spec.environment);
  const mounts = volumeMounts(spec, specs);
  const ports = podPorts(spec.exposedPorts);
  return {
    name,
    image: spec.image,
    imagePullPolicy: pullPolicy(spec.imagePull),
    ...process(spec),
    ...(environment.length === 0 ? {} : { env: environment }),
    ...(spec.workdir === null ? {} : { workingDir: spec.workdir }),
    tty: spec.tty,
    stdin: spec.interactive,
    stdinOnce: false,
    ...(ports.length === 0 ? {} : { ports }),
    ...(mounts.length === 0 ? {} : { volumeMounts: mounts }),
    resources: podResources(spec, settings.allocationRatios),
    securityContext: containerSecurity(spec.privileged),
    // Kubernetes refuses both for init containers.
    ...(isInit || spec.healthcheck === null ? {} : { readinessProbe: podProbe(spec.healthcheck) }),
    ...(isInit ? {} : { resizePolicy: [inPlace('cpu'), inPlace('memory')] }),
  };
}

/**
 * What Docker calls entrypoint is `command` here, and its command `args`. An entrypoint of one's own drops the image's command in both
 * worlds; an empty one drops the image's entrypoint, which only takes putting the command in its place.
 */
function process({ entrypoint, command }: WorkloadSpec): Pick<V1Container, 'command' | 'args'> {
  if (entrypoint?.length === 0 && command !== null) return { command: command.map(escapedReferences) };
  return {
    ...(entrypoint === null ? {} : { command: entrypoint.map(escapedReferences) }),
    ...(command === null ? {} : { args: command.map(escapedReferences) }),
  };
}

/** What is said to be on the node is never asked of a registry, where the same name may be another's image. */
function pullPolicy(pull: ImagePull | null): string {
  if (pull?.policy === 'always') return 'Always';
  return pull?.policy === 'ifnotpresent' ? 'IfNotPresent' : 'Never';
}

const inPlace = (resourceName: string) => ({ resourceName, restartPolicy: 'NotRequired' });
