import type { ApiRequest } from '../../api/operation.ts';
import type { ConsoleTarget } from '../../runtime/console.ts';
import { promiseConsole } from '../consoles/console-store.ts';
import type { ContainerServices } from './container-services.ts';

/**
 * Promises a console to the caller and answers its address, for one use within `consoles.tokenSeconds`, and the id that clients know an
 * exec by. Origin of the address: zun/container/docker/driver.py (execute_create, get_websocket_url), zun/compute/manager.py (container_attach).
 */
export async function consoleAddress(
  { database, clock, ids, consoles }: Pick<ContainerServices, 'database' | 'clock' | 'ids' | 'consoles'>,
  { baseUrl }: Pick<ApiRequest, 'baseUrl'>,
  { uuid }: { uuid: string },
  target: ConsoleTarget,
): Promise<{ id: string; url: string }> {
  // As long as an exec's id of Docker, which clients may expect.
  const id = `${ids.uuid()}${ids.uuid()}`.replaceAll('-', '');
  const token = ids.uuid();
  const now = clock.now();
  await promiseConsole(database.queries, { id, containerUuid: uuid, target }, { token, now, until: now + consoles.tokenSeconds * 1000 });
  const exec = target.kind === 'exec' ? `&exec_id=${id}` : '';
  return { id, url: `${consoles.publicUrl ?? proxyBeside(baseUrl, consoles.listen.port)}?token=${token}&uuid=${uuid}${exec}` };
}

/** Where nobody says more: the proxy is reached by the name and the way that the API was. */
function proxyBeside(baseUrl: string, port: number): string {
  const { protocol, hostname } = new URL(baseUrl);
  return `${protocol === 'https:' ? 'wss' : 'ws'}://${hostname}:${port}/`;
}
