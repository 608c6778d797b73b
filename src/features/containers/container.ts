import type { ZunStatus } from '../../sync/docker-status.ts';

/** What `container.container_type` tells apart. Origin: zun/common/consts.py. */
export const containerTypes = { container: 0, capsule: 1, capsuleContainer: 2, capsuleInitContainer: 3 } as const;

export type ContainerStatus = ZunStatus;

export type TaskState =
  | 'image_pulling'
  | 'container_creating'
  | 'container_starting'
  | 'container_deleting'
  | 'container_stopping'
  | 'container_rebooting'
  | 'container_pausing'
  | 'container_unpausing'
  | 'container_killing'
  | 'sg_adding'
  | 'sg_removing'
  | 'network_attaching'
  | 'network_detaching'
  | 'container_rebuilding';

/** One address of a container on a network, as `addresses` shows it. */
export interface ContainerAddress {
  addr: string;
  version: 4 | 6;
  port: string;
  subnet_id: string;
  /** True for a port the user brought: it survives the container. */
  preserve_on_delete: boolean;
  /**
   * The engine network, where that gives the address and not the network service: not shown, and `addr` is '' until the runtime has told
   * it.
   */
  by_runtime?: string;
}

/** A row of `container`. Times are epoch milliseconds; memory is text in MiB, as the original stores it. */
export interface Container {
  id: number;
  uuid: string;
  containerType: number;
  /** The engine's id. */
  containerId: string | null;
  name: string;
  projectId: string;
  userId: string;
  image: string;
  imageDriver: string | null;
  imagePullPolicy: string | null;
  cpu: number | null;
  cpuPolicy: string | null;
  memory: string | null;
  disk: number | null;
  command: string[] | null;
  entrypoint: string[] | null;
  environment: Record<string, string> | null;
  workdir: string | null;
  labels: Record<string, string> | null;
  hostname: string | null;
  /** Port numbers the image or the user exposes. */
  ports: number[] | null;
  /** By network id. */
  addresses: Record<string, ContainerAddress[]> | null;
  securityGroups: string[] | null;
  exposedPorts: Record<string, unknown> | null;
  restartPolicy: { Name?: string; MaximumRetryCount?: string } | null;
  healthcheck: Record<string, unknown> | null;
  interactive: boolean | null;
  tty: boolean | null;
  autoRemove: boolean | null;
  autoHeal: boolean | null;
  privileged: boolean | null;
  runtime: string | null;
  host: string | null;
  registryId: number | null;
  status: ContainerStatus;
  statusReason: string | null;
  statusDetail: string | null;
  taskState: TaskState | null;
  startedAt: number | null;
  createdAt: number | null;
  updatedAt: number | null;
}

export type ContainerChanges = Partial<Omit<Container, 'id' | 'uuid' | 'createdAt' | 'updatedAt'>>;
