import type { KubePod } from '../../../src/runtime/kubernetes/kube-object.ts';
import { annotations } from '../../../src/runtime/kubernetes/kube-object.ts';
import type { KubernetesSettings } from '../../../src/runtime/kubernetes/kubernetes-settings.ts';
import { podOfRecord } from '../../../src/runtime/kubernetes/pod/pod-of-record.ts';
import { podSettings } from '../../../src/runtime/kubernetes/pod/pod-settings.ts';
import { projectNamespace } from '../../../src/runtime/kubernetes/pod/project-namespace.ts';
import { type RecordedSpec, workloadRecord } from '../../../src/runtime/kubernetes/pod/workload-record.ts';
import { plainWorkload } from '../../../src/runtime/plain-workload.ts';
import { numberedUuid } from '../../databases/suite/sample-container.ts';

/** How many there are of what. */
export interface Counts {
  containers: number;
  nodes: number;
  /** Ids of the projects that have them, as many each. */
  projects: string[];
}

/** A container of a population: by its number its uuid, its project, its node. */
export interface Member {
  uuid: string;
  projectId: string;
  host: string;
  namespace: string;
  /** Of record and Pod. */
  name: string;
}

/** Who is where: containers on nodes that KWOK plays, spread evenly. */
export class Population {
  readonly nodes: string[];
  readonly members: Member[];
  readonly #settings: KubernetesSettings;

  constructor({ containers, nodes, projects }: Counts, settings: KubernetesSettings) {
    this.#settings = settings;
    this.nodes = Array.from({ length: nodes }, (_, index) => `played-${index}`);
    this.members = Array.from({ length: containers }, (_, index) => {
      const uuid = numberedUuid(index);
      const projectId = projects[index % projects.length] ?? '';
      const host = this.nodes[index % nodes] ?? '';
      return { uuid, projectId, host, namespace: projectNamespace(settings.namespacePrefix, projectId), name: `zun-${uuid}` };
    });
  }

  /** The record of a member that was started, and its Pod on its node, once the record has a uid. */
  objects({ uuid, projectId, host, namespace }: Member) {
    const spec = plainWorkload({
      ...{ uuid, projectId, host, image: 'registry.example/team/web:1.2', command: ['serve', '--port', '8080'] },
      ...{ environment: { MODE: 'production', REGION: 'here' }, labels: { tier: 'front' }, cpu: 0.1, memoryMiB: 64 },
    });
    const recorded: RecordedSpec = { kind: 'container', spec };
    const record = workloadRecord(recorded, this.#settings.instance);
    const started = { exitCode: 137, startedAt: 1, finishedAt: null, oomKilled: false, error: 'The Pod is gone.' };
    const noted = { ...record, metadata: { ...record.metadata, annotations: { [annotations.lastEnd]: JSON.stringify(started) } } };
    const podOf = (uid: string): KubePod => {
      const pod = podOfRecord(recorded, { metadata: { name: record.metadata?.name ?? '', uid } }, podSettings(this.#settings, namespace));
      // There is no scheduler.
      return { ...pod, spec: { ...(pod.spec ?? { containers: [] }), nodeName: host } };
    };
    return { record: noted, podOf };
  }
}
