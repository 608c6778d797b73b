import { recordingsOn } from './recordings.ts';

recordingsOn('docker');
