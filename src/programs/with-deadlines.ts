import { serviceUnavailable } from '../errors/catalogue.ts';
import type { ContainerRuntime } from '../runtime/container-runtime.ts';
import { RuntimeFault } from '../runtime/runtime-fault.ts';
import { boundedCalls } from '../telemetry/bounded-calls.ts';
import type { Clock } from '../telemetry/clock.ts';
import type { ZunParts } from './zun-parts.ts';

/** An exec ends its wait by itself; so much later it is given up. Milliseconds. */
const execGrace = 5_000;

/** The ports of a program, none of whose calls is waited for without end. Times are the original's, where it has them. */
export function withDeadlines<Parts extends Pick<ZunParts, 'settings' | 'clock' | 'runtime' | 'images' | 'networking' | 'volumes'>>(
  parts: Parts,
): Parts {
  const { clock, settings, runtime } = parts;
  return {
    ...parts,
    runtime: boundedCalls(runtime, clock, {
      milliseconds: (method, args) => {
        if (runtime.pullsAtStart && bringsImage(method)) return null;
        const more = runtime.spansHosts && waitsForInterface(method) ? settings.deadlines.networkSeconds * 1000 : 0;
        const milliseconds = runtimeMilliseconds(settings, method, args);
        return milliseconds === null ? null : milliseconds + more;
      },
      expired: engineSilent,
      ports: ['capsules' satisfies keyof ContainerRuntime],
    }),
    images: boundedCalls(parts.images, clock, {
      // A pull and a load take what the image and the line need; their task has a deadline.
      milliseconds: (method) => (method === 'pull' || method === 'load' ? null : settings.deadlines.runtimeSeconds * 1000),
      expired: engineSilent,
    }),
    networking: service(parts.networking, clock, 'network', settings.deadlines.networkSeconds),
    volumes: service(parts.volumes, clock, 'volume', settings.deadlines.volumeSeconds),
  };
}

/** Calls that take what an image needs where the start brings it, as a pull does elsewhere; their task has a deadline. */
const bringsImage = (method: string): boolean => method === 'start' || method === 'restart';

/** A cluster's own parts make an interface: it is waited for so long there, and then it is said why in vain. */
const waitsForInterface = (method: string): boolean => method === 'connectNetwork' || method === 'disconnectNetwork';

function runtimeMilliseconds({ deadlines }: ZunParts['settings'], method: string, args: readonly unknown[]): number | null {
  const milliseconds = deadlines.runtimeSeconds * 1000;
  switch (method) {
    case 'stop':
    case 'restart':
      return milliseconds + Number(args[1]) * 1000;
    case 'exec':
      return Number(args[2]) + execGrace;
    case 'commit':
      // As long as the container is large; its task has a deadline.
      return null;
    default:
      return milliseconds;
  }
}

function service<T extends object>(port: T, clock: Clock, name: string, seconds: number): T {
  return boundedCalls(port, clock, {
    milliseconds: () => seconds * 1000,
    expired: () => serviceUnavailable(`The ${name} service did not answer within ${seconds} seconds.`),
  });
}

const engineSilent = (method: string, seconds: number) =>
  new RuntimeFault('timeout', `The container engine did not answer within ${seconds} seconds (${method}).`);
