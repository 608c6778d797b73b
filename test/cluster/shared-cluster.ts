/** Where `test/kubernetes/main.ts`, or a developer, tells tests the folder of the node cluster that all of them share. */
export const sharedClusterVariable = 'ZUN_TEST_CLUSTER';

/** The folder of the shared cluster; null when there is none. */
export function sharedClusterFolder(): string | null {
  return process.env[sharedClusterVariable] || null;
}
