import { describe } from 'node:test';
import { onEachDatabase, onEachServer } from './on-each-database.ts';
import { conflictSuite } from './suite/conflict-suite.ts';
import { deadlockSuite } from './suite/deadlock-suite.ts';

onEachServer({ 'real deadlocks': deadlockSuite });
// Each life has a database of its own, and waits for it most of the time.
describe('lives with conflicts', { concurrency: true }, () => onEachDatabase({ conflicts: conflictSuite }));
