import { buffer } from 'node:stream/consumers';
import { extract, pack } from 'tar-stream';

/** A tar of regular files, mode 0644, in the order given. Folders are made by the receiver. */
export async function tarOf(files: Record<string, Buffer>): Promise<Buffer> {
  const tar = pack();
  for (const [name, bytes] of Object.entries(files)) tar.entry({ name, mode: 0o644 }, bytes);
  tar.finalize();
  return buffer(tar);
}

/** The regular files of a tar by name. */
export async function untar(tar: Buffer): Promise<Record<string, Buffer>> {
  const files: Record<string, Buffer> = {};
  const extraction = extract();
  extraction.end(tar);
  for await (const entry of extraction) {
    const bytes = await buffer(entry);
    if (entry.header.type === 'file') files[entry.header.name] = bytes;
  }
  return files;
}
