import { cliSession } from './cli-session.ts';

cliSession('docker');
