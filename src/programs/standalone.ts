import { hostname } from 'node:os';
import { readEnvironment } from '../config/environment.ts';
import { runProgram } from './run-program.ts';
import { startStandalone } from './start-standalone.ts';

/** `npm start`: everything in one process, in the foreground. */
process.exitCode = await runProgram({
  name: 'zun',
  start: (progress) => startStandalone({ environment: readEnvironment(), hostname: hostname(), progress }),
  farewell: 'stopped; containers keep running',
});
