import type { ImageSearchHit, ImageStore, RegistryCredentials, StoredImage } from '../image-store.ts';
import { RuntimeFault } from '../runtime-fault.ts';
import { archivedReferences } from './archived-references.ts';
import { type MemoryImage, memoryImage } from './memory-image.ts';

/** What a pull finds, by `repository:tag`. */
export interface MemoryRegistryEntry {
  image: MemoryImage;
  /** The login without which the pull is refused. */
  credentials?: RegistryCredentials;
}

export interface MemoryImageStoreOptions {
  registry?: Record<string, MemoryRegistryEntry>;
  /** Runs before each call and may throw or wait: how tests make it fail. */
  before?: (call: string, args: readonly unknown[]) => void | Promise<void>;
}

/** The `ImageStore` of the memory runtime. */
export class MemoryImageStore implements ImageStore {
  readonly #registry: Map<string, MemoryRegistryEntry>;
  readonly #before: MemoryImageStoreOptions['before'];
  readonly #images = new Map<string, MemoryImage>();
  readonly #references = new Map<string, string>();
  /** Image id by the workload that uses it. */
  readonly #users = new Map<string, string>();

  constructor(options: MemoryImageStoreOptions = {}) {
    this.#registry = new Map(Object.entries(options.registry ?? {}));
    this.#before = options.before;
  }

  async find(reference: string): Promise<StoredImage | null> {
    await this.#before?.('find', [reference]);
    const image = this.imageOf(reference);
    return image ? this.#view(image) : null;
  }

  async pull(repository: string, tag: string, credentials: RegistryCredentials | null): Promise<StoredImage> {
    await this.#before?.('pull', [repository, tag, credentials]);
    const reference = tag.startsWith('sha256:') ? `${repository}@${tag}` : `${repository}:${tag}`;
    const entry = this.#registry.get(reference) ?? this.#byDigest(repository, tag);
    if (!entry) throw new RuntimeFault('not-found', `manifest for ${reference} not found: manifest unknown: manifest unknown`);
    const { credentials: wanted, image } = entry;
    if (wanted && (credentials?.username !== wanted.username || credentials.password !== wanted.password)) {
      throw new RuntimeFault('denied', `pull access denied for ${repository}: unauthorized: authentication required`);
    }
    this.save(image, reference);
    return this.#view(image);
  }

  /** The names of the archive, on images that have nothing but a shell: its layers are not looked at. */
  async load(archive: Buffer): Promise<void> {
    await this.#before?.('load', [archive]);
    for (const reference of await archivedReferences(archive)) this.save(memoryImage(reference), reference);
  }

  async list(): Promise<StoredImage[]> {
    await this.#before?.('list', []);
    return [...this.#images.values()].map((image) => this.#view(image));
  }

  async search(term: string, exactMatch: boolean): Promise<ImageSearchHit[]> {
    await this.#before?.('search', [term, exactMatch]);
    const repositories = new Set([...this.#registry.keys()].map((reference) => reference.replace(/:[^:/]*$/, '')));
    return [...repositories]
      .filter((name) => (exactMatch ? name === term : name.includes(term)))
      .map((name) => ({ name, description: '', isOfficial: false, isAutomated: false, starCount: 0 }));
  }

  async remove(reference: string): Promise<void> {
    await this.#before?.('remove', [reference]);
    const image = this.imageOf(reference);
    if (!image) return;
    const named = withTag(reference);
    const last = !this.#references.has(named) || this.#view(image).references.length === 1;
    const user = [...this.#users].find(([, id]) => id === image.id)?.[0];
    if (last && user !== undefined) {
      throw new RuntimeFault(
        'conflict',
        `conflict: unable to remove repository reference "${reference}" - container ${user} is using its referenced image`,
      );
    }
    this.#references.delete(named);
    if (!last) return;
    for (const [name, id] of this.#references) if (id === image.id) this.#references.delete(name);
    this.#images.delete(image.id);
  }

  /** Stores an image under `repository:tag`; a name that another image had becomes this one's. */
  save(image: MemoryImage, reference: string): void {
    this.#images.set(image.id, image);
    this.#references.set(reference, image.id);
  }

  imageOf(reference: string): MemoryImage | null {
    const id = this.#references.get(withTag(reference)) ?? (reference.startsWith('sha256:') ? reference : `sha256:${reference}`);
    return this.#images.get(id) ?? null;
  }

  hold(imageId: string, uuid: string): void {
    this.#users.set(uuid, imageId);
  }

  release(uuid: string): void {
    this.#users.delete(uuid);
  }

  #byDigest(repository: string, digest: string): MemoryRegistryEntry | undefined {
    return [...this.#registry].find(([name, { image }]) => name.startsWith(`${repository}:`) && image.id === digest)?.[1];
  }

  #view(image: MemoryImage): StoredImage {
    const references = [...this.#references].filter(([, id]) => id === image.id).map(([name]) => name);
    return { id: image.id, references, sizeBytes: image.files.sizeBytes() };
  }
}

function withTag(reference: string): string {
  return reference.includes('@') || /:[^/]*$/.test(reference) ? reference : `${reference}:latest`;
}
