import type { Container } from '../containers/container.ts';

/** A row of `container` that is a capsule: its sandbox, with what is the whole capsule's (addresses, host, sums, restart policy). */
export interface Capsule extends Container {
  annotations: Record<string, unknown> | null;
}

/** A capsule with the containers in it, each in the order of the template. */
export interface WholeCapsule {
  capsule: Capsule;
  /** Run before the containers, one after another. */
  initContainers: Container[];
  containers: Container[];
}

/** Every container of a capsule, those that run first first. */
export const membersOf = ({ initContainers, containers }: Omit<WholeCapsule, 'capsule'>): Container[] => [...initContainers, ...containers];
