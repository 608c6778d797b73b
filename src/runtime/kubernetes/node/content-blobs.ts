import { createHash } from 'node:crypto';
import { isFault } from '../../runtime-fault.ts';
import type { ContainerdClient, WriteAnswer, WriteMessage } from './containerd-client.ts';
import { rpcFault } from './rpc-fault.ts';

/** Bytes of one message; containerd takes up to 16 MiB. */
const chunkBytes = 1024 * 1024;

/** A small blob as a whole: manifests and configurations. Fault `not-found`. */
export async function readBlob(client: ContainerdClient, digest: string): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of client.read(digest)) parts.push(part);
  return Buffer.concat(parts);
}

/** A blob of JSON; the caller names the shape. */
export async function readJsonBlob<T>(client: ContainerdClient, digest: string): Promise<T> {
  return JSON.parse((await readBlob(client, digest)).toString('utf8')) as T;
}

/** `null` for content that containerd does not hold. */
export async function blobSize(client: ContainerdClient, digest: string): Promise<number | null> {
  try {
    const { info } = await client.call('containerd.services.content.v1.Content/Info', { digest });
    return info.size;
  } catch (error) {
    if (isFault(error, 'not-found')) return null;
    throw error;
  }
}

/**
 * Writes a blob and answers its digest and size. `ref` names the writing and is used once; what is there already is left, and gets the labels. The labels
 * say what the blob refers to, so that it is not collected.
 */
export async function writeBlob(
  client: ContainerdClient,
  place: { lease: string; ref: string; labels?: Record<string, string> },
  source: AsyncIterable<Buffer> | Iterable<Buffer>,
): Promise<{ digest: string; size: number }> {
  const { lease, ref, labels = {} } = place;
  const stream = client.write(lease);
  const answers = stream[Symbol.asyncIterator]();
  const ask = async (message: WriteMessage): Promise<WriteAnswer> => {
    stream.write(message);
    const { value, done } = await answers.next();
    if (done) throw new Error(`containerd ended the writing of ${ref}`);
    return value;
  };
  const hash = createHash('sha256');
  let offset = 0;
  try {
    for await (const part of chunked(source)) {
      hash.update(part);
      offset = (await ask({ action: 'WRITE', ref, offset, data: part })).offset;
    }
    const digest = `sha256:${hash.digest('hex')}`;
    await commit(client, { digest, labels }, () => ask({ action: 'COMMIT', ref, offset, total: offset, expected: digest, labels }));
    return { digest, size: offset };
  } catch (error) {
    throw rpcFault(error);
  } finally {
    stream.end();
    stream.cancel();
  }
}

async function commit(
  client: ContainerdClient,
  { digest, labels }: { digest: string; labels: Record<string, string> },
  ask: () => Promise<WriteAnswer>,
): Promise<void> {
  try {
    await ask();
  } catch (error) {
    if (!isFault(rpcFault(error), 'conflict')) throw error;
    const paths = Object.keys(labels).map((label) => `labels.${label}`);
    if (paths.length === 0) return;
    await client.call('containerd.services.content.v1.Content/Update', { info: { digest, labels }, updateMask: { paths } });
  }
}

async function* chunked(source: AsyncIterable<Buffer> | Iterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const part of source) {
    for (let at = 0; at < part.length; at += chunkBytes) yield part.subarray(at, at + chunkBytes);
  }
}
