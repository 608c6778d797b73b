import type { IncomingMessage } from 'node:http';
import type { ClientOptions } from 'ws';
import { WebSocket } from 'ws';
import type { KubeAccess } from './kube-credentials.ts';
import { KubeError } from './kube-error.ts';

/** The way to the process leads over the API server and the kubelet. */
const handshakeMilliseconds = 30_000;
/** The server sends at most 32 KiB at once. */
const mostBytesAtOnce = 16 * 1024 * 1024;
/** Of a refusal, so much is read. */
const mostRefusalBytes = 64 * 1024;

/**
 * A WebSocket that is open and paused, so that nothing is lost before its owner listens. A refusal is thrown as `KubeError`. The signal
 * tears it down whenever it aborts.
 */
export function openSocket(url: URL, protocols: string[], access: KubeAccess, signal?: AbortSignal): Promise<WebSocket> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const options: ClientOptions = {
      ...access.tls,
      headers: { ...access.headers, 'user-agent': 'zun' },
      handshakeTimeout: handshakeMilliseconds,
      maxPayload: mostBytesAtOnce,
      perMessageDeflate: false,
      ...(access.proxyAgent === null ? {} : { agent: access.proxyAgent }),
    };
    const socket = new WebSocket(url, protocols, options);
    socket.binaryType = 'nodebuffer';
    const abort = () => socket.terminate();
    signal?.addEventListener('abort', abort, { once: true });
    socket.once('close', () => signal?.removeEventListener('abort', abort));
    socket.once('open', () => {
      socket.pause();
      resolve(socket);
    });
    // Stays: `close` follows every error, and an error that nobody hears would end the process.
    socket.on('error', reject);
    socket.once('unexpected-response', (_request, response: IncomingMessage) => {
      refusal(response)
        .then(reject, reject)
        .finally(() => socket.terminate());
    });
  });
}

async function refusal(response: IncomingMessage): Promise<KubeError> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > mostRefusalBytes) break;
  }
  return KubeError.ofAnswer(response.statusCode ?? 0, Buffer.concat(chunks), response.headers['retry-after']);
}
