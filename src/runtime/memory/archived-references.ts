import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { extract } from 'tar-stream';
import { RuntimeFault } from '../runtime-fault.ts';

/** The `repository:tag` names in a docker-archive tar. Throws `invalid` for anything else. */
export async function archivedReferences(archive: Buffer): Promise<string[]> {
  const unpacked = extract();
  Readable.from([archive]).pipe(unpacked);
  try {
    for await (const entry of unpacked) {
      if (entry.header.name === 'manifest.json') {
        const manifest: { RepoTags?: string[] }[] = JSON.parse((await buffer(entry)).toString('utf8'));
        return manifest.flatMap((image) => image.RepoTags ?? []);
      }
      entry.resume();
    }
  } catch (error) {
    throw new RuntimeFault('invalid', `The archive cannot be read: ${error instanceof Error ? error.message : error}`, { cause: error });
  }
  throw new RuntimeFault('invalid', 'The archive has no manifest.json: a tar as `docker save` makes it is wanted.');
}
