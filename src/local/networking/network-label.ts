/** The label of networks that Zun made; its value is the network's UUID. */
export const networkLabel = 'org.openstack.zun.network';
