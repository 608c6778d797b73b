import path from 'node:path';
import { defaultSettings } from '../../src/config/settings.ts';
import { Fernet } from '../../src/crypto/fernet.ts';
import type { Database } from '../../src/db/database.ts';
import { LocalInventory } from '../../src/local/inventory/local-inventory.ts';
import { type ZunCore, zunCore } from '../../src/programs/zun-core.ts';
import { MemoryImageStore } from '../../src/runtime/memory/memory-image-store.ts';
import { MemoryRuntime } from '../../src/runtime/memory/memory-runtime.ts';
import { randomIds } from '../../src/telemetry/ids.ts';
import { silentLogger } from '../../src/telemetry/logger.ts';
import { BenchNetworking } from '../bench/bench-networking.ts';
import { BenchVolumes } from '../bench/bench-volumes.ts';
import { ManualClock } from '../bench/task-bench.ts';

/** The key that `original/original.py` gives the original. */
const authEncryptionKey = 'thirty-two-letters-of-key-------';

/** This service over an adopted database; a token is the name of a project, whose member its holder is, or `admin`. */
export async function adoptedApi(database: Database): Promise<ZunCore> {
  const clock = new ManualClock();
  const images = new MemoryImageStore({ registry: {} });
  const runtime = new MemoryRuntime({ clock, ids: randomIds, images });
  return zunCore({
    settings: defaultSettings('node-1'),
    database,
    runtime,
    images,
    networking: new BenchNetworking(runtime.networks),
    volumes: new BenchVolumes(),
    inventory: new LocalInventory(database),
    identity: {
      validate: async (project) => ({
        userId: `user-${project}`,
        userName: project,
        projectId: project,
        projectName: project,
        userDomainId: 'default',
        projectDomainId: 'default',
        roles: rolesOf(project),
        expiresAt: Number.MAX_SAFE_INTEGER,
      }),
    },
    identityUrl: 'http://identity.example/v3',
    fernet: new Fernet(authEncryptionKey),
    policyFile: path.join(import.meta.dirname, 'no-policy.yaml'),
    clock,
    ids: randomIds,
    logger: silentLogger,
  });
}

export const rolesOf = (project: string): string[] => (project === 'admin' ? ['admin', 'member'] : ['member']);
