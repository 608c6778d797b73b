import { onEachDatabase } from './on-each-database.ts';
import { containerStoreSuite } from './suite/container-store-suite.ts';
import { leaseSuite } from './suite/lease-suite.ts';
import { localAdaptersSuite } from './suite/local-adapters-suite.ts';
import { otherStoresSuite } from './suite/other-stores-suite.ts';
import { quotaSuite } from './suite/quota-suite.ts';
import { taskStoreSuite } from './suite/task-store-suite.ts';

onEachDatabase({
  'the task store': taskStoreSuite,
  'the container store': containerStoreSuite,
  leases: leaseSuite,
  'networks and volumes of the engine': localAdaptersSuite,
  quotas: quotaSuite,
  'the other stores': otherStoresSuite,
});
