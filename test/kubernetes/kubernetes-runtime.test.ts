import { startCluster } from '../cluster/cluster.ts';
import { runtimeContract } from '../contract/runtime-contract.ts';
import { kubernetesFixture } from './kubernetes-fixture.ts';

const kinds = [
  { runtimeClass: 'runc', hasNodeAccess: true },
  { runtimeClass: 'gvisor', hasNodeAccess: true },
  { runtimeClass: 'runc', hasNodeAccess: false },
];

for (const kind of kinds) {
  const make = async () => kubernetesFixture(await startCluster({ mode: 'node' }), kind);
  const name = `Kubernetes (${kind.runtimeClass}, ${kind.hasNodeAccess ? 'with' : 'without'} node access)`;
  runtimeContract(name, make, { capsules: 'as one', offers: kind.hasNodeAccess ? 'all' : 'not pause and commit', concurrency: 4 });
}
