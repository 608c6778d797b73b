import { startCluster } from '../cluster/cluster.ts';
import { runtimeContract } from '../contract/runtime-contract.ts';
import { kubernetesFixture } from './kubernetes-fixture.ts';

for (const runtimeClass of (process.env.RC ?? 'runc,gvisor').split(',')) {
  const make = async () => kubernetesFixture(await startCluster({ mode: 'node' }), { runtimeClass, nodeAccess: null });
  runtimeContract(`Kubernetes (${runtimeClass})`, make, 'as one');
}
