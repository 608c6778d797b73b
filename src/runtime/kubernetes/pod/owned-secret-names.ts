import { workloadName } from '../kube-object.ts';

/** Names of the Secrets beside the record. */
export const ownedSecretNames = {
  /** Logins for the registries of a container, or of all containers of a capsule. */
  pull: (uuid: string): string => `${workloadName(uuid)}-pull`,
  /** Bytes of the `content` mounts of a container, in a capsule or not. */
  content: (uuid: string): string => `${workloadName(uuid)}-content`,
};
