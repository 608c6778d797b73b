import type { IncomingMessage } from 'node:http';
import { Refusal } from './refusal.ts';

/** Which console is asked for, and by what right. */
export interface ConsoleRequest {
  token: string;
  containerUuid: string;
  /** `null` = of the container's main process. */
  execId: string | null;
}

/**
 * The subprotocol of all that a console sends: frames of bytes. The original's other one, base64, it refuses itself when it is offered
 * alone.
 */
export const subprotocol = 'binary';

const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const execPattern = /^[0-9a-f]{64}$/;

/**
 * What the handshake of a WebSocket asks for, whatever its path is. All that `ws` itself would refuse is refused here, before a token is
 * used up. Throws a `Refusal` that names what is wrong. Origin: zun/websocket/websocketproxy.py (new_websocket_client), websockify.
 */
export function consoleRequest({ method, url = '', headers }: Pick<IncomingMessage, 'method' | 'url' | 'headers'>): ConsoleRequest {
  if (method !== 'GET') throw malformed(`A WebSocket is opened with GET, not with ${method}.`);
  if (headers['sec-websocket-version'] !== '13') throw malformed('Sec-WebSocket-Version 13 is wanted.');
  if (!/^[+/0-9A-Za-z]{22}==$/.test(headers['sec-websocket-key'] ?? '')) throw malformed('Sec-WebSocket-Key is missing or is no key.');
  const offered = headers['sec-websocket-protocol'];
  if (offered !== undefined && !offered.split(',').some((name) => name.trim() === subprotocol))
    throw malformed('Invalid protocol selected');

  const mark = url.indexOf('?');
  const query = new URLSearchParams(mark < 0 ? '' : url.slice(mark + 1));
  const token = only(query, 'token');
  if (token === null || token === '') throw malformed("The parameter 'token' is missing: open the address as the API gave it.");
  const containerUuid = only(query, 'uuid');
  if (containerUuid === null) throw malformed("The parameter 'uuid' is missing: open the address as the API gave it.");
  if (!uuidPattern.test(containerUuid)) throw malformed("The parameter 'uuid' is no UUID of a container.");
  const execId = only(query, 'exec_id');
  if (execId !== null && !execPattern.test(execId)) throw malformed("The parameter 'exec_id' is no id of an exec.");
  return { token, containerUuid: containerUuid.toLowerCase(), execId };
}

function only(query: URLSearchParams, name: string): string | null {
  const values = query.getAll(name);
  if (values.length > 1) throw malformed(`The parameter '${name}' is there more than once.`);
  return values[0] ?? null;
}

const malformed = (message: string) => new Refusal('malformed', message);
