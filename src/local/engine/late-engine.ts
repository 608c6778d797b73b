import { type EngineTarget, parseEngineAddress } from '../../runtime/docker/engine-target.ts';
import { RuntimeFault } from '../../runtime/runtime-fault.ts';
import { type FindEngineOptions, findEngine } from './find-engine.ts';

/** An engine that somebody else runs, who may start it later than this program. */
export interface LateEngine {
  /** Looks for it now. Throws `unreachable`, with what to do, as long as it is not there. */
  find(): Promise<EngineTarget>;
  /** For people: `Docker at unix:///…`, or why there is none yet. */
  description: string;
}

/** Looks for the engine once, and has it looked for again where that found none. An address that is none is an `Error` at once. */
export async function lateEngine(options: Omit<FindEngineOptions, 'search'>): Promise<LateEngine> {
  if (options.dockerHost) parseEngineAddress(options.dockerHost);
  const search = () =>
    findEngine({ ...options, search: 'running' }).catch((error) => {
      const words = error instanceof Error ? error.message : String(error);
      throw new RuntimeFault('unreachable', words.replaceAll('\n', ' '), { cause: error });
    });
  const find = async () => (await search()).target;
  try {
    const { target, description } = await search();
    return { find: async () => target, description };
  } catch (error) {
    return { find, description: `none yet (${(error as RuntimeFault).message})` };
  }
}
