import type { PathStat } from '../container-runtime.ts';
import { isFault, RuntimeFault } from '../runtime-fault.ts';
import { unmountedMeanwhile } from './ended-meanwhile.ts';
import type { EngineClient } from './engine-client.ts';
import { pathStat } from './path-stat.ts';
import { withoutPadding } from './without-padding.ts';
import { workloadName } from './workload-name.ts';

/** Of what a filesystem is asked for while the engine takes it away. */
const attempts = 3;

/** Files of workloads, running or not, as tar archives; and images of them. */
export class WorkloadFiles {
  readonly #engine: EngineClient;

  constructor(engine: EngineClient) {
    this.#engine = engine;
  }

  async get(uuid: string, path: string, signal?: AbortSignal): Promise<{ tar: Buffer; stat: PathStat }> {
    const { body, headers } = await this.#archive(uuid, path, () =>
      this.#engine.request({ method: 'GET', path: archivePath(uuid), query: { path }, signal }),
    );
    return { tar: body, stat: pathStat(headers['x-docker-container-path-stat'] ?? '') };
  }

  async put(uuid: string, path: string, tar: Buffer, signal?: AbortSignal): Promise<void> {
    await this.#archive(uuid, path, async () => {
      // Podman makes a folder that is missing; Docker refuses.
      if ((await this.#engine.kind()) === 'podman') {
        await this.#engine.request({ method: 'HEAD', path: archivePath(uuid), query: { path }, signal });
      }
      return this.#engine.request({
        method: 'PUT',
        path: archivePath(uuid),
        query: { path },
        body: (await this.#engine.kind()) === 'podman' ? withoutPadding(tar) : tar,
        contentType: 'application/x-tar',
        signal,
      });
    });
  }

  /** Answers the image's id, `sha256:…`. */
  async commit(uuid: string, repository: string, tag: string, signal?: AbortSignal): Promise<{ imageId: string }> {
    const { Id } = await this.#engine.json<{ Id: string }>({
      method: 'POST',
      path: '/commit',
      query: { container: workloadName(uuid), repo: repository, tag, pause: true },
      json: {},
      // The engine is silent while it packs the filesystem.
      silenceMs: 0,
      signal,
    });
    return { imageId: Id.startsWith('sha256:') ? Id : `sha256:${Id}` };
  }

  /** Turns refusals of the path or the archive into `not-found` and `invalid`: engines say 500 to most. */
  async #archive<T>(uuid: string, path: string, act: () => Promise<T>, attempt = 1): Promise<T> {
    try {
      return await act();
    } catch (error) {
      if (unmountedMeanwhile(error) && attempt < attempts) return this.#archive(uuid, path, act, attempt + 1);
      if (isFault(error, 'not-found') && !/no such container/i.test(error.message) && !/no container with name/i.test(error.message)) {
        throw new RuntimeFault('not-found', `Could not find the file ${path} in container ${workloadName(uuid)}`, { cause: error });
      }
      if (isFault(error, 'failed') && /not a directory|tar|EOF|archive/i.test(error.message)) {
        throw new RuntimeFault('invalid', error.message, { cause: error });
      }
      throw error;
    }
  }
}

function archivePath(uuid: string): string {
  return `/containers/${workloadName(uuid)}/archive`;
}
