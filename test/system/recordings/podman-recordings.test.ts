import { recordingsOn } from './recordings.ts';

recordingsOn('podman');
