import { onEachDatabase } from './on-each-database.ts';
import { hotPathSuite } from './suite/hot-path-suite.ts';

onEachDatabase({ 'hot paths': hotPathSuite });
