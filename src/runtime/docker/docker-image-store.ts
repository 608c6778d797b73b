import type { ImageSearchHit, ImageStore, RegistryCredentials, StoredImage } from '../image-store.ts';
import { isFault, RuntimeFault } from '../runtime-fault.ts';
import type { EngineClient, EngineResponse } from './engine-client.ts';
import { pullFault } from './pull-fault.ts';

/** What this adapter reads of an image in lists and inspections. */
interface EngineImage {
  Id: string;
  RepoTags?: string[] | null;
  RepoDigests?: string[] | null;
  Size?: number;
}

/** Docker's members, and Podman 4.3's beside them, whose flags are `[OK]` or empty. */
interface SearchedImage {
  name?: string;
  description?: string;
  is_official?: boolean;
  is_automated?: boolean;
  star_count?: number;
  Name?: string;
  Description?: string;
  Official?: string;
  Automated?: string;
  Stars?: number;
}

/** A registry may be silent for as long as it packs or fetches a layer. */
const pullSilenceMs = 10 * 60_000;

/** The engine's own images. */
export class DockerImageStore implements ImageStore {
  readonly #engine: EngineClient;

  constructor(engine: EngineClient) {
    this.#engine = engine;
  }

  async find(reference: string, signal?: AbortSignal): Promise<StoredImage | null> {
    try {
      return storedImage(await this.#engine.json<EngineImage>({ method: 'GET', path: `${imagePath(reference)}/json`, signal }));
    } catch (error) {
      if (isFault(error, 'not-found')) return null;
      throw error;
    }
  }

  async pull(repository: string, tag: string, credentials: RegistryCredentials | null, signal?: AbortSignal): Promise<StoredImage> {
    const isDigest = tag.startsWith('sha256:');
    const reference = isDigest ? `${repository}@${tag}` : `${repository}:${tag}`;
    const answer = await this.#pullStream(
      isDigest ? { fromImage: reference } : { fromImage: repository, tag },
      repository,
      credentials,
      signal,
    );
    const failure = progressError(answer.body);
    if (failure !== null) throw pullFault(failure);
    const image = await this.find(reference, signal);
    if (image === null) throw new RuntimeFault('failed', `The engine pulled ${reference} and does not hold it.`);
    return image;
  }

  async load(archive: Buffer, signal?: AbortSignal): Promise<void> {
    const answer = await this.#engine.request({
      method: 'POST',
      path: '/images/load',
      contentType: 'application/x-tar',
      body: archive,
      signal,
    });
    const failure = progressError(answer.body);
    if (failure !== null) throw new RuntimeFault('invalid', failure);
  }

  async list(signal?: AbortSignal): Promise<StoredImage[]> {
    const images = await this.#engine.json<EngineImage[]>({ method: 'GET', path: '/images/json', signal });
    return images.map(storedImage);
  }

  /** Exact means that the whole name is the term, as in Zun's image/docker/driver.py `search_image`. Docker searches no registry but its own. */
  async search(term: string, exactMatch: boolean, signal?: AbortSignal): Promise<ImageSearchHit[]> {
    const hits = (await this.#searched(term, signal)).map(searchHit);
    return exactMatch ? hits.filter((hit) => hit.name === term) : hits;
  }

  async #searched(term: string, signal?: AbortSignal): Promise<SearchedImage[]> {
    const query = { term, limit: 25 };
    try {
      return (await this.#engine.json<SearchedImage[] | null>({ method: 'GET', path: '/images/search', query, signal })) ?? [];
    } catch (error) {
      // Podman's way to say that nothing was found.
      if (isFault(error, 'not-found') && (await this.#engine.kind()) === 'podman') return [];
      throw error;
    }
  }

  async remove(reference: string, signal?: AbortSignal): Promise<void> {
    try {
      await this.#engine.request({ method: 'DELETE', path: imagePath(reference), signal });
    } catch (error) {
      if (isFault(error, 'not-found')) return;
      if (isFault(error) && /in use by|is using|being used|used by/i.test(error.message)) {
        throw new RuntimeFault('conflict', error.message, { cause: error });
      }
      throw error;
    }
  }

  async #pullStream(
    query: { fromImage: string; tag?: string },
    repository: string,
    credentials: RegistryCredentials | null,
    signal?: AbortSignal,
  ): Promise<EngineResponse> {
    try {
      return await this.#engine.request({
        method: 'POST',
        path: '/images/create',
        query,
        ...(credentials === null ? {} : { headers: { 'x-registry-auth': registryAuth(repository, credentials) } }),
        silenceMs: pullSilenceMs,
        signal,
      });
    } catch (error) {
      if (isFault(error, 'not-found', 'failed', 'denied', 'invalid')) throw pullFault(error.message);
      throw error;
    }
  }
}

/** Docker's AuthConfig in the URL-safe alphabet of base64, with the padding that Podman insists on and Node leaves away. */
function registryAuth(repository: string, credentials: RegistryCredentials): string {
  const [host = ''] = repository.split('/');
  const serveraddress = /[.:]|^localhost$/.test(host) ? host : 'docker.io';
  return Buffer.from(JSON.stringify({ ...credentials, serveraddress }))
    .toString('base64')
    .replaceAll('+', '-')
    .replaceAll('/', '_');
}

/** The last `error` among the lines of progress: a pull that fails after it began has status 200. */
function progressError(body: Buffer): string | null {
  for (const line of body.toString('utf8').trimEnd().split('\n').reverse()) {
    if (!line.includes('"error"')) continue;
    const { error } = JSON.parse(line) as { error?: string };
    if (typeof error === 'string') return error;
  }
  return null;
}

function storedImage(image: EngineImage): StoredImage {
  const tags = (image.RepoTags ?? []).filter((tag) => tag !== '<none>:<none>');
  return {
    id: image.Id.startsWith('sha256:') ? image.Id : `sha256:${image.Id}`,
    references: tags.map(familiarReference),
    sizeBytes: image.Size ?? 0,
  };
}

/** Docker leaves its own registry's name away; Podman writes it. */
function familiarReference(reference: string): string {
  return reference.replace(/^docker\.io\/(library\/)?/, '');
}

function searchHit(image: SearchedImage): ImageSearchHit {
  return {
    name: familiarReference(image.name ?? image.Name ?? ''),
    description: image.description ?? image.Description ?? '',
    isOfficial: image.is_official ?? image.Official === '[OK]',
    isAutomated: image.is_automated ?? image.Automated === '[OK]',
    starCount: image.star_count ?? image.Stars ?? 0,
  };
}

/** Slashes of a reference are part of the path in Docker's API; everything else is escaped. */
function imagePath(reference: string): string {
  return `/images/${reference.split('/').map(encodeURIComponent).join('/')}`;
}
