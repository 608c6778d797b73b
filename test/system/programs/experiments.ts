import assert from 'node:assert/strict';
import type { Catch } from './engine-gate.ts';
import { image, type ProgramsWorld, type SeenContainer } from './programs-world.ts';

/** Work that a worker is interrupted at. */
interface Work {
  /** Asks for it; answers the container's uuid. A create has none before. */
  ask(world: ProgramsWorld, uuid: string): Promise<string>;
  /** What holds when somebody has finished it, of a container that was on so many networks before. */
  done(seen: SeenContainer | null, networks: number): void;
}

const runs = (seen: SeenContainer | null, networks: number): void => {
  assert.equal(seen?.status, 'Running', String(seen?.status_reason));
  assert.equal(Object.keys(seen.addresses).length, networks);
};

/** In an order in which one container can go through all of them. */
export const works = {
  create: { ask: (world) => world.create(wish), done: (seen) => runs(seen, wish.nets.length) },
  rebuild: { ask: (world, uuid) => world.act('POST', uuid, '/rebuild'), done: runs },
  'network attach': {
    ask: (world, uuid) => world.act('POST', uuid, '/network_attach?network=third'),
    done: (seen, networks) => runs(seen, networks + 1),
  },
  'network detach': {
    ask: (world, uuid) => world.act('POST', uuid, '/network_detach?network=second'),
    done: (seen, networks) => runs(seen, networks - 1),
  },
  delete: { ask: (world, uuid) => world.act('DELETE', uuid, '?stop=true'), done: (seen) => assert.equal(seen, null) },
} satisfies Record<string, Work>;

export type WorkName = keyof typeof works;
export const workNames = Object.keys(works) as WorkName[];

/** One interruption of one worker, at one container's work. */
export interface Experiment {
  work: WorkName;
  catch: Catch;
  /** The call, for people. */
  call: string;
}

/** Every call of all work, once before it and once after it took effect. */
export function experimentsOf(calls: ReadonlyMap<WorkName, readonly string[]>): Experiment[] {
  return [...calls].flatMap(([work, made]) =>
    made.flatMap((call, index) => (['before', 'after'] as const).map((moment) => ({ work, catch: { call: index, moment }, call }))),
  );
}

/** Ends at once when it is told to; on two networks, with a volume of its own. */
export const wish = {
  image,
  command: ['sh', '-c', 'trap "exit 0" TERM; while :; do sleep 1 & wait $!; done'],
  cpu: 0.1,
  memory: '32',
  nets: [{ network: 'first' }, { network: 'second' }],
  mounts: [{ size: '1', destination: '/data' }],
};
