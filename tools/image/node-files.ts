import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { ImageFile } from './image-file.ts';

/** Where Node is in the image. */
export const nodeProgram = '/usr/local/bin/node';

/** The Node at `program` with the libraries that it is linked to, as they are on this machine. */
export async function nodeFiles(program: string): Promise<ImageFile[]> {
  return [{ path: nodeProgram, mode: 0o755, content: { file: program } }, ...(await libraryFiles([program]))];
}

/** The shared libraries that programs need, the loader too, each at the place where the loader looks for it. Throws when one is missing. */
export async function libraryFiles(programs: string[]): Promise<ImageFile[]> {
  const outputs = await Promise.all(programs.map(async (program) => (await promisify(execFile)('ldd', [program])).stdout));
  const places = new Set(outputs.flatMap(libraryPlaces));
  return [...places].toSorted().map((place) => ({ path: place, mode: 0o755, content: { file: place } }));
}

/** The absolute paths in the output of ldd(1). */
export function libraryPlaces(output: string): string[] {
  const missing = /^\s*(\S+) => not found$/m.exec(output);
  if (missing) throw new Error(`the library ${missing[1]} is not on this machine`);
  return [...output.matchAll(/^\s*(?:\S+ => )?(\/\S+) \(0x/gm)].map(([, place = '']) => place);
}
