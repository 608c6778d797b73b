import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { errorDocument } from './error-document.ts';

const statuses: Record<string, number> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 };

/** Answers in the API's words what is no HTTP, has too many headers (431) or comes too slowly (408), and hangs up. */
export function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  const status = statuses[error.code ?? ''] ?? 400;
  const phrase = STATUS_CODES[status] ?? '';
  const body = JSON.stringify(errorDocument(status, 'container.', phrase, phrase));
  const head = `HTTP/1.1 ${status} ${phrase}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n`;
  if (socket.writable) socket.write(head + body);
  socket.destroySoon();
}
