import type { Identity } from '../../src/identity/identity.ts';
import type { Networking } from '../../src/networking/networking.ts';
import type { ContainerRuntime } from '../../src/runtime/container-runtime.ts';
import type { ImageStore } from '../../src/runtime/image-store.ts';
import type { Inventory } from '../../src/scheduling/inventory.ts';
import type { Volumes } from '../../src/volumes/volumes.ts';

/** What is around the service while one record is replayed: every port answers as recorded. */
export interface World {
  identity: Identity;
  runtime: ContainerRuntime;
  images: ImageStore;
  networking: Networking;
  volumes: Volumes;
  inventory: Inventory;
}

/** Answers a call to the node as recorded; throws what is recorded that it raised. */
export type AskNode = (method: string) => unknown;

/** A port that passes every call on to that of the world of the moment. */
export function portOf<Name extends keyof World>(name: Name, current: () => World): World[Name] {
  return new Proxy({} as World[Name], {
    get: (_target, member) => {
      const port = current()[name] as unknown as Record<string | symbol, unknown>;
      const value = port[member];
      return typeof value === 'function' ? value.bind(port) : value;
    },
  });
}

/** A port of which only the given calls are expected during a replay; any other is an error of the replay. */
export function partialPort<Port extends object>(name: string, calls: Partial<Port>): Port {
  return new Proxy(calls as Port, {
    get: (target, member) => {
      const value = target[member as keyof Port];
      if (value !== undefined || typeof member === 'symbol' || member === 'then') return value;
      return () => {
        throw new Error(`${name}.${member} is called, and no record answers it`);
      };
    },
  });
}
