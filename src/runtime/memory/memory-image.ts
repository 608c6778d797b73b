import { createHash } from 'node:crypto';
import { MemoryFiles } from './memory-files.ts';

/** An image of the memory runtime: files and the defaults its workloads get. */
export interface MemoryImage {
  /** `sha256:…`. */
  id: string;
  files: MemoryFiles;
  entrypoint: string[];
  command: string[];
  environment: Record<string, string>;
  workdir: string;
  exposedPorts: string[];
}

/** An image as a BusyBox without anything else: a shell, nothing exposed. The id follows from the name alone. */
export function memoryImage(name: string, defaults: Partial<Omit<MemoryImage, 'id'>> = {}): MemoryImage {
  const files = new MemoryFiles(() => 0);
  files.write('/bin/busybox', Buffer.from('busybox'), 0o755);
  return {
    id: `sha256:${createHash('sha256').update(name).digest('hex')}`,
    files,
    entrypoint: [],
    command: ['sh'],
    environment: {},
    workdir: '/',
    exposedPorts: [],
    ...defaults,
  };
}
