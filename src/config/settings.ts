import type { SchemaLimits } from '../validation/schema-limits.ts';

/** `[compute]/unique_container_name_scope`: where two containers may not have the same name. */
export type UniqueNameScope = 'none' | 'project' | 'global';

export type EngineSearch = 'any' | 'private' | 'memory';

/** What runs containers: a container engine on this machine, or a cluster. */
export type RuntimeKind = 'docker' | 'kubernetes';

/** How workloads are put on a cluster; heeded where `runtime.kind` is `kubernetes`. */
export interface KubernetesSettings {
  /** Path of a kubeconfig; `null` = what a Pod is given, or else kubectl's own (`~/.kube/config`). */
  kubeconfig: string | null;
  /** Of the kubeconfig; `null` = its current one. */
  context: string | null;
  /** A project's namespace is this and the project's id. */
  namespacePrefix: string;
  /** Label of everything this installation makes, so that two of them can share a cluster. */
  instance: string;
  /** RuntimeClass by Zun's name of a runtime, where the two differ. */
  runtimeClasses: Record<string, string>;
  /** RuntimeClass of a container that names no runtime; '' = what the cluster runs without one. */
  defaultRuntimeClass: string;
  /** So long a node may take to bring an image. */
  pullDeadlineSeconds: number;
  /** The agent's Pod has its node's containerd socket. */
  nodeAccess: boolean;
  /** Where the agent's Pods are: namespace and label selector. */
  agentNamespace: string;
  agentSelector: string;
  /** ClusterRoles that are bound in each namespace of a project, and the service account (`namespace/name`) that each is bound to. */
  projectRoles: Record<string, string>;
  /** Of new volumes; `null` = the cluster's default. */
  storageClass: string | null;
  /** Addresses of Pods (`10.244.0.0/16`), shown as the subnet of the cluster's network; `null` = not known. */
  podNetworkCidr: string | null;
  /** Namespace of the NetworkAttachmentDefinitions that are networks for all projects, beside the Pod network; '' = there are none. */
  networkNamespace: string;
  /** Logs of one stream alone can be had. */
  splitsLogStreams: boolean;
}

/** What the containers feature is told. */
export interface ContainerSettings {
  /** `[DEFAULT]/default_cpu`, cores. */
  defaultCpu: number;
  /** `[DEFAULT]/default_memory`, MiB. */
  defaultMemoryMiB: number;
  defaultImageDriver: string;
  imageDrivers: string[];
  /** What a container gets that names no pull policy: `always` in the original. */
  defaultImagePullPolicy: string;
  /** `[docker]/default_registry`: put before names without a domain; '' = the engine's own default. */
  defaultRegistry: string;
  /** Seconds an exec may take. */
  execTimeoutSeconds: number;
  /** Seconds a stop waits before SIGKILL when the user names none. */
  stopGraceSeconds: number;
  uniqueNameScope: UniqueNameScope;
  /** Most rows of one page of a list (`[api]/max_limit`). */
  maximumPageSize: number;
  /** Quota defaults when neither project nor class has a limit. */
  quotaDefaults: { containers: number; memory: number; cpu: number; disk: number };
}

/** Attach and interactive exec over WebSockets. */
export interface ConsoleSettings {
  /** Where `zun-wsproxy` listens. */
  listen: { host: string; port: number };
  /** What addresses of consoles begin with; `null` = the host that the API's request names, and the port above. */
  publicUrl: string | null;
  /** Host names of web pages that may open consoles, beside the proxy's own. */
  allowedOrigins: string[];
  /** So long the address of a console is good for. */
  tokenSeconds: number;
  /** A console in which nothing moves either way for so long is closed. */
  idleSeconds: number;
}

/** Everything an operator may set, parsed once. Defaults are the original's where it has the option. */
export interface Settings {
  /** Name of this node in `container.host`, `zun_service.host` and `compute_node.hostname`. */
  host: string;
  /** `[DEFAULT]/auth_encryption_key`, a secret: what passwords of registries are encrypted with; `null` = `standalone` makes its own. */
  encryptionKey: string | null;
  /** `[database]/connection`, a secret since it may hold a password; `null` = SQLite in the data folder of `standalone`. */
  databaseUrl: string | null;
  api: {
    listen: { host: string; port: number };
    /** Put into links instead of what the client's request says, and into the local identity's catalogue; `null` = as requested. */
    publicUrl: string | null;
    allowedOrigins: string[];
    /** Paths that need no token: the version documents and the OpenAPI document. */
    publicPaths: string[];
    /** Bytes of a request body; `archiveLimit` of one that brings an archive. */
    bodyLimit: number;
    archiveLimit: number;
    /** Milliseconds a client may take for its request, and for the headers of it. */
    requestTimeout: number;
    headersTimeout: number;
  };
  consoles: ConsoleSettings;
  /** The identity that the API serves itself. `publicUrl`: where clients reach it, without `/v3`; `null` = on the port after the API's. */
  identity: { publicUrl: string | null };
  limits: SchemaLimits;
  containers: ContainerSettings;
  scheduler: {
    enabledFilters: string[];
    defaultAvailabilityZone: string;
    defaultScheduleZone: string | null;
    serviceDownTimeSeconds: number;
  };
  allocationRatios: { cpu: number; memory: number; disk: number };
  /** Health and metrics, for the operator's network. */
  admin: { listen: { host: string; port: number } };
  /** What containers run on. */
  runtime: { kind: RuntimeKind };
  /** The container engine of this machine: `any` that is found, a `private` Podman, or `memory` (nothing real runs); `null` = look for one. */
  engine: { search: EngineSearch; address: string | null };
  kubernetes: KubernetesSettings;
  log: { level: string };
  /** Signs of life and figures of this node. */
  agent: { reportIntervalSeconds: number; imageDiskShare: number };
  /** `leaseSeconds`: so long a worker that died keeps its tasks from others. */
  worker: { concurrency: number; pollMilliseconds: number; leaseSeconds: number };
  /** Longest wait for one call; pulls and commits have their task's. */
  deadlines: { runtimeSeconds: number; networkSeconds: number; volumeSeconds: number };
  sync: { listIntervalMilliseconds: number };
}

/** What counts where nothing is set. `host` is the name of this machine. */
export function defaultSettings(host: string): Settings {
  return {
    host,
    encryptionKey: null,
    databaseUrl: null,
    api: {
      listen: { host: '127.0.0.1', port: 9517 },
      publicUrl: null,
      allowedOrigins: [],
      publicPaths: ['/', '/v1', '/v1/openapi'],
      bodyLimit: 2 * 1024 * 1024,
      archiveLimit: 256 * 1024 * 1024,
      requestTimeout: 300_000,
      headersTimeout: 20_000,
    },
    consoles: {
      listen: { host: '127.0.0.1', port: 6784 },
      publicUrl: null,
      allowedOrigins: [],
      tokenSeconds: 600,
      idleSeconds: 3600,
    },
    identity: { publicUrl: null },
    limits: {
      minimumCpus: 0.1,
      maximumCpus: 16,
      minimumMemory: 4,
      maximumMemory: 8192,
      minimumDisk: 1,
      maximumDisk: 160,
      imageDrivers: ['glance', 'docker'],
    },
    containers: {
      defaultCpu: 1,
      defaultMemoryMiB: 512,
      defaultImageDriver: 'docker',
      imageDrivers: ['glance', 'docker'],
      defaultImagePullPolicy: 'always',
      defaultRegistry: '',
      execTimeoutSeconds: 5,
      stopGraceSeconds: 10,
      uniqueNameScope: 'none',
      maximumPageSize: 1000,
      quotaDefaults: { containers: 40, memory: 51_200, cpu: 20, disk: 100 },
    },
    scheduler: {
      enabledFilters: ['AvailabilityZoneFilter', 'ComputeFilter', 'RuntimeFilter'],
      defaultAvailabilityZone: 'nova',
      defaultScheduleZone: null,
      serviceDownTimeSeconds: 180,
    },
    allocationRatios: { cpu: 16, memory: 1.5, disk: 1 },
    admin: { listen: { host: '0.0.0.0', port: 9090 } },
    runtime: { kind: 'docker' },
    engine: { search: 'any', address: null },
    kubernetes: {
      kubeconfig: null,
      context: null,
      namespacePrefix: 'zun-',
      instance: 'zun',
      runtimeClasses: {},
      defaultRuntimeClass: 'kata',
      pullDeadlineSeconds: 300,
      nodeAccess: false,
      agentNamespace: 'zun-system',
      agentSelector: 'app.kubernetes.io/name=zun-compute-agent',
      projectRoles: {},
      storageClass: null,
      podNetworkCidr: null,
      networkNamespace: '',
      splitsLogStreams: false,
    },
    log: { level: 'warn' },
    agent: { reportIntervalSeconds: 60, imageDiskShare: 0.2 },
    // A request that waits for another process's look at the queue waits half of this in the mean; an idle worker costs one query each.
    worker: { concurrency: 16, pollMilliseconds: 200, leaseSeconds: 30 },
    deadlines: { runtimeSeconds: 60, networkSeconds: 60, volumeSeconds: 60 },
    sync: { listIntervalMilliseconds: 60_000 },
  };
}
