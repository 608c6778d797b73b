import type { SettingRow } from '../setting-row.ts';
import { positive } from './rules.ts';

/** A name of an object of Kubernetes (RFC 1123). */
const label = '[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?';
const objectName = new RegExp(`^${label}(\\.${label})*$`);

/** How a cluster is reached, and what is made of it. */
export const kubernetesRows: readonly SettingRow[] = [
  {
    key: 'kubernetes.kubeconfig',
    fields: ['kubernetes.kubeconfig'],
    rule: { type: 'text', pattern: /^\S.*$/, wanted: 'a path', orNull: true },
    says: 'The file that tells how the cluster is reached. null: what a Pod is given, or else ~/.kube/config.',
  },
  {
    key: 'kubernetes.context',
    fields: ['kubernetes.context'],
    rule: { type: 'text', pattern: /^\S.*$/, wanted: 'a name', orNull: true },
    says: 'The context of the kubeconfig. null: its current one.',
  },
  {
    key: 'kubernetes.namespacePrefix',
    fields: ['kubernetes.namespacePrefix'],
    // 63 characters in all, and the id of a project has 32.
    rule: { type: 'text', pattern: /^[a-z0-9][-a-z0-9]{0,30}$/, wanted: 'at most 31 of a-z, 0-9 and -, not - first' },
    says: "A project's namespace is this and the id of the project; it must not change while there are containers.",
  },
  {
    key: 'kubernetes.instance',
    fields: ['kubernetes.instance'],
    rule: { type: 'text', pattern: new RegExp(`^${label}$`), wanted: 'at most 63 of a-z, 0-9 and -, not - at the ends' },
    says: 'The name of this installation, on everything it makes, so that two of them can share a cluster.',
  },
  {
    key: 'kubernetes.runtimeClasses',
    fields: ['kubernetes.runtimeClasses'],
    rule: { type: 'map', pattern: objectName, wanted: 'runtimes of Zun to names of RuntimeClasses' },
    says: 'The RuntimeClass of a runtime that a request names, where it has another name than the runtime.',
  },
  {
    key: 'kubernetes.defaultRuntimeClass',
    fields: ['kubernetes.defaultRuntimeClass'],
    rule: { type: 'text', pattern: new RegExp(`^$|${objectName.source}`), wanted: "the name of a RuntimeClass, or ''" },
    says: "The RuntimeClass of a container that names no runtime; '': what the cluster runs without one.",
  },
  {
    key: 'kubernetes.pullDeadlineSeconds',
    fields: ['kubernetes.pullDeadlineSeconds'],
    rule: positive,
    says: 'So long a node may take to bring an image before the start has failed.',
  },
  {
    key: 'kubernetes.nodeAccess',
    fields: ['kubernetes.nodeAccess'],
    rule: { type: 'boolean' },
    says: 'Whether agents have the containerd socket of their nodes: pause, commit, signals and the grace of a stop need it.',
  },
  {
    key: 'kubernetes.agentNamespace',
    fields: ['kubernetes.agentNamespace'],
    rule: { type: 'text', pattern: new RegExp(`^${label}$`), wanted: 'the name of a namespace' },
    says: 'The namespace of the agents.',
  },
  {
    key: 'kubernetes.agentSelector',
    fields: ['kubernetes.agentSelector'],
    rule: { type: 'text', pattern: /^\S+$/, wanted: 'a label selector' },
    says: 'The labels by which the Pods of the agents are found there.',
  },
  {
    key: 'kubernetes.projectRoles',
    fields: ['kubernetes.projectRoles'],
    rule: { type: 'map', pattern: new RegExp(`^${label}/${label}$`), wanted: 'ClusterRoles to service accounts (namespace/name)' },
    says: 'What is bound in each namespace of a project, where programs have rights in these alone. {}: nothing, as for an administrator.',
  },
  {
    key: 'kubernetes.storageClass',
    fields: ['kubernetes.storageClass'],
    rule: { type: 'text', pattern: objectName, wanted: 'the name of a StorageClass', orNull: true },
    says: "The StorageClass of new volumes. null: the cluster's default.",
  },
  {
    key: 'kubernetes.podNetworkCidr',
    fields: ['kubernetes.podNetworkCidr'],
    rule: { type: 'text', pattern: /^[0-9a-fA-F.:]+\/\d{1,3}$/, wanted: '10.244.0.0/16 or the like', orNull: true },
    says: "The addresses of Pods, shown as the subnet of the cluster's network. null: not known.",
  },
  {
    key: 'kubernetes.networkNamespace',
    fields: ['kubernetes.networkNamespace'],
    rule: { type: 'text', pattern: new RegExp(`^(${label})?$`), wanted: "the name of a namespace, or ''" },
    says: "The namespace whose NetworkAttachmentDefinitions (Multus) are networks for all projects, beside the Pod network; '': there are none.",
  },
  {
    key: 'kubernetes.splitsLogStreams',
    fields: ['kubernetes.splitsLogStreams'],
    rule: { type: 'boolean' },
    says: 'Nodes tell stdout from stderr in logs (feature gate PodLogsQuerySplitStreams on API server and kubelets). false: both or none.',
  },
];
