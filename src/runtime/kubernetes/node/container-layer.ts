import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { RuntimeFault } from '../../runtime-fault.ts';
import type { ContainerdClient } from './containerd-client.ts';
import type { ContainerMessage } from './containerd-messages.ts';
import { writeBlob } from './content-blobs.ts';
import { filteredLayer } from './filtered-layer.ts';
import type { LayerMember } from './layer-member.ts';
import { plainPath } from './plain-path.ts';

/**
 * Writes the layer again without what was made for mounts, which is not the container's own: the kubelet's `etc/hosts`, `etc/hostname` and
 * `etc/resolv.conf`, and the empty files and folders under volumes (folders stay in a layer that is the whole filesystem: there they may
 * have content). `diffId` is the digest of the uncompressed tar. Fault `unsupported` when gVisor
 * keeps the container's writes to itself.
 */
export async function containerLayer(
  client: ContainerdClient,
  container: ContainerMessage,
  changes: string,
  { lease, compressed, isWhole }: { lease: string; compressed: boolean; isWhole: boolean },
): Promise<{ digest: string; size: number; diffId: string }> {
  const mountPoints = new Set(mountDestinations(container));
  const keeps = (member: LayerMember): boolean => {
    refuseHiddenWrites(member);
    const isEmpty = (member.type === 'directory' && !isWhole) || (member.type === 'file' && member.size === 0);
    return !(isEmpty && mountPoints.has(member.path));
  };
  const hash = createHash('sha256');
  const tar = hashed(filteredLayer(client.read(changes), keeps), hash);
  const source = compressed ? gzipped(tar) : tar;
  const { digest, size } = await writeBlob(client, { lease, ref: `${lease}-layer` }, source);
  return { digest, size, diffId: `sha256:${hash.digest('hex')}` };
}

function mountDestinations({ spec }: ContainerMessage): string[] {
  const { mounts = [] } = JSON.parse(spec?.value.toString('utf8') || '{}') as { mounts?: { destination: string }[] };
  return mounts.map(({ destination }) => plainPath(destination));
}

/** With its own overlay gVisor writes all changes to one file in the root folder, and only it can read that. */
function refuseHiddenWrites({ path }: LayerMember): void {
  if (!path.startsWith('.gvisor.filestore.')) return;
  throw new RuntimeFault(
    'unsupported',
    "gVisor keeps this container's files out of the node's sight: the operator can set overlay2 = \"none\" in runsc's configuration.",
  );
}

async function* hashed(source: AsyncIterable<Buffer>, hash: { update(part: Buffer): unknown }): AsyncGenerator<Buffer> {
  for await (const part of source) {
    hash.update(part);
    yield part;
  }
}

function gzipped(source: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  const from = Readable.from(source);
  const to = createGzip();
  from.on('error', (error) => to.destroy(error));
  to.on('close', () => from.destroy());
  return from.pipe(to);
}
