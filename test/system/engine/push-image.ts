import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { request } from 'undici';
import type { ContainerImage } from '../../../src/local/busybox-image/container-image.ts';
import type { RegistryCredentials } from '../../../src/runtime/image-store.ts';

export interface PushedImage {
  /** `sha256:…` of the manifest, by which it can be pulled too. */
  digest: string;
}

const manifestType = 'application/vnd.docker.distribution.manifest.v2+json';

/** Puts an image into a registry over HTTP (registry API v2), with no engine in between. `host` is `127.0.0.1:port`. */
export async function pushImage(
  host: string,
  repository: string,
  tag: string,
  image: ContainerImage,
  login?: RegistryCredentials,
): Promise<PushedImage> {
  const base = `http://${host}/v2/${repository}`;
  const headers = login ? { authorization: `Basic ${Buffer.from(`${login.username}:${login.password}`).toString('base64')}` } : {};
  const config = await pushBlob(base, headers, image.config);
  const layers: Awaited<ReturnType<typeof pushBlob>>[] = [];
  for (const layer of image.layers) layers.push(await pushBlob(base, headers, gzipSync(layer, { level: 1 })));
  const manifest = Buffer.from(
    JSON.stringify({
      schemaVersion: 2,
      mediaType: manifestType,
      config: { mediaType: 'application/vnd.docker.container.image.v1+json', ...config },
      layers: layers.map((layer) => ({ mediaType: 'application/vnd.docker.image.rootfs.diff.tar.gzip', ...layer })),
    }),
  );
  await call('PUT', `${base}/manifests/${tag}`, { ...headers, 'content-type': manifestType }, manifest);
  return { digest: digestOf(manifest) };
}

async function pushBlob(base: string, headers: Record<string, string>, blob: Buffer): Promise<{ size: number; digest: string }> {
  const digest = digestOf(blob);
  const begun = await call('POST', `${base}/blobs/uploads/`, headers, null);
  const place = new URL(String(begun.headers.location), base);
  place.searchParams.set('digest', digest);
  await call('PUT', place.href, { ...headers, 'content-type': 'application/octet-stream' }, blob);
  return { size: blob.length, digest };
}

async function call(method: 'POST' | 'PUT', url: string, headers: Record<string, string>, body: Buffer | null) {
  const answer = await request(url, { method, headers, body });
  const text = await answer.body.text();
  if (answer.statusCode >= 300) throw new Error(`${method} ${url}: ${answer.statusCode} ${text}`);
  return answer;
}

function digestOf(bytes: Buffer): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}
