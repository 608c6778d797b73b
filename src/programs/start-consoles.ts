import { ConsoleServer } from '../console/console-server.ts';
import type { ContainerRuntime } from '../runtime/container-runtime.ts';
import { orPortInUse } from './listen.ts';
import type { ProgramBase } from './program-base.ts';

/**
 * Serves consoles until the program ends; answers their address, as clients get it where no `publicUrl` says another. `hint`: what to do
 * about a port in use, a sentence. Throws in words for the operator.
 */
export async function startConsoles(base: ProgramBase, { runtime }: { runtime: ContainerRuntime }, hint: string): Promise<string> {
  const { settings, observers, cleanup } = base;
  const { listen, publicUrl } = settings.consoles;
  const server = new ConsoleServer({ ...base, settings: settings.consoles, runtime, observer: observers.consoles });
  await orPortInUse(server.listen(listen), { port: listen.port, what: 'consoles', hint });
  cleanup.add(() => server.close());
  return publicUrl ?? `ws://${listen.host.includes(':') ? `[${listen.host}]` : listen.host}:${listen.port}/`;
}
