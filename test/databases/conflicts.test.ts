import { onEachDatabase, onEachServer } from './on-each-database.ts';
import { conflictSuite } from './suite/conflict-suite.ts';
import { deadlockSuite } from './suite/deadlock-suite.ts';

onEachServer({ 'real deadlocks': deadlockSuite });
onEachDatabase({ conflicts: conflictSuite });
