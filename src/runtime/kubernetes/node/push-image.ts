import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { RegistryCredentials } from '../../image-store.ts';
import { RuntimeFault } from '../../runtime-fault.ts';
import type { ContainerdClient } from './containerd-client.ts';
import { blobSize } from './content-blobs.ts';
import type { ManifestEntry } from './image-manifest.ts';
import { type ImageName, imageName } from './image-name.ts';
import { requireImage } from './image-records.ts';
import { localManifest } from './local-manifest.ts';
import { RegistryClient } from './registry-client.ts';

/**
 * Uploads an image of the node, for the node's platform, to the registry and under the name that it has. What the registry holds already is not sent
 * again. Answers the manifest's digest. Faults: `not-found`, `denied`, `unreachable`, `failed` with the registry's words. Origin: OCI distribution specification.
 */
export async function pushImage(
  client: ContainerdClient,
  { image, credentials }: { image: string; credentials: RegistryCredentials | null },
): Promise<{ digest: string }> {
  const name = imageName(image);
  const { content, mediaType, manifest } = await localManifest(client, await requireImage(client, image));
  const registry = new RegistryClient(name.registry, credentials);
  for (const entry of [...manifest.layers, manifest.config]) await pushBlob(client, registry, name, entry);
  const digest = `sha256:${createHash('sha256').update(content).digest('hex')}`;
  const answer = await registry.ask({
    method: 'PUT',
    path: `/v2/${name.repository}/manifests/${name.reference}`,
    headers: { 'content-type': mediaType },
    body: () => content,
  });
  if (answer.status !== 201) throw registry.refusal(answer);
  return { digest };
}

async function pushBlob(
  client: ContainerdClient,
  registry: RegistryClient,
  { repository }: ImageName,
  { digest }: ManifestEntry,
): Promise<void> {
  const held = await registry.ask({ method: 'HEAD', path: `/v2/${repository}/blobs/${digest}` });
  if (held.status === 200) return;
  const size = await blobSize(client, digest);
  if (size === null) {
    const why = 'the node threw it away after unpacking (discard_unpacked_layers in containerd’s configuration)';
    throw new RuntimeFault('failed', `Layer ${digest} is neither in the registry nor on the node: ${why}.`);
  }
  const begun = await registry.ask({ method: 'POST', path: `/v2/${repository}/blobs/uploads/`, headers: { 'content-length': '0' } });
  const { location } = begun.headers;
  if (begun.status !== 202 || typeof location !== 'string') throw registry.refusal(begun);
  const done = await registry.ask({
    method: 'PUT',
    path: `${location}${location.includes('?') ? '&' : '?'}digest=${encodeURIComponent(digest)}`,
    headers: { 'content-type': 'application/octet-stream', 'content-length': String(size) },
    body: () => Readable.from(client.read(digest)),
  });
  if (done.status !== 201) throw registry.refusal(done);
}
