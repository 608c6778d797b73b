/** The `engineNetwork` that means the cluster's own Pod network; any other names a NetworkAttachmentDefinition. */
export const clusterNetwork = 'cluster';
