/** The label that makes an engine container one of Zun's; its value is the container's UUID. */
export const containerLabel = 'org.openstack.zun.container';

/** The engine's name for a container: Zun's `consts.NAME_PREFIX` and the UUID. */
export function workloadName(uuid: string): string {
  return `zun-${uuid}`;
}
