import { startCluster } from '../cluster/cluster.ts';
import { runtimeContract } from '../contract/runtime-contract.ts';
import { kubernetesFixture } from './kubernetes-fixture.ts';

const kinds = [
  { runtimeClass: 'runc', hasNodeAccess: true },
  { runtimeClass: 'gvisor', hasNodeAccess: true },
  { runtimeClass: 'runc', hasNodeAccess: false },
].filter((_, index) => !process.env.KIND || process.env.KIND.includes(String(index)));

for (const kind of kinds) {
  const make = async () => kubernetesFixture(await startCluster({ mode: 'node' }), kind);
  runtimeContract(`Kubernetes (${kind.runtimeClass}, ${kind.hasNodeAccess ? 'with' : 'without'} node access)`, make, 'as one');
}
