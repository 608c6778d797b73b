import { setTimeout as pause } from 'node:timers/promises';
import { request } from 'undici';
import { WebSocket } from 'ws';
import type { Difference } from './match-json.ts';

/** A frame as it went over the wire; `code` and `reason` of a close frame. */
interface RecordedFrame {
  dir: 'to server' | 'from server';
  opcode: 'text' | 'binary' | 'ping' | 'pong' | 'close';
  base64: string;
  code?: number;
  reason?: string;
}

/** A connection to the console proxy, as recorded; its README is the reference. */
export interface RecordedWebSocket {
  request: { line: string; headers: Record<string, string> };
  response: { status_line: string; headers: [string, string][] };
  frames: RecordedFrame[];
  /** Who closed the TCP connection: a sentence, with a time when it was the server. */
  end: unknown;
}

/** Milliseconds that what a frame brings about may take, and after which the client goes. */
const soon = 10_000;
/** What a shell at a terminal is told later it may redraw in between: each of our frames waits a little. */
const breath = 300;

/** Does what the client did, and says where the proxy at this address did something else. Placeholders are filled already. */
export async function replayWebSocket(proxy: string, recorded: RecordedWebSocket): Promise<Difference[]> {
  const [method = '', path = '/'] = recorded.request.line.split(' ');
  const url = new URL(path, proxy);
  const { Upgrade: upgrade, Origin: origin, 'Sec-WebSocket-Protocol': offered, 'X-Forwarded-Proto': forwarded } = recorded.request.headers;
  const headers = { ...(origin ? { origin } : {}), ...(forwarded ? { 'x-forwarded-proto': forwarded } : {}) };
  const expected = Number(recorded.response.status_line.split(' ')[1]);
  if (upgrade === undefined) {
    const answer = await request(url.href.replace(/^ws/, 'http'), { method: method as 'GET', headers });
    await answer.body.dump();
    return differing('status', expected, answer.statusCode);
  }
  const socket = new WebSocket(url, offered?.split(', ') ?? [], { headers, perMessageDeflate: false });
  const status = await statusOf(socket);
  if (status !== expected) return differing('status', expected, status);
  if (status !== 101) return [];
  const chosen = recorded.response.headers.find(([name]) => name === 'Sec-WebSocket-Protocol')?.[1] ?? '';
  return [...differing('protocol', chosen, socket.protocol), ...(await talk(socket, recorded))];
}

/** 101, or the status of a refusal. */
function statusOf(socket: WebSocket): Promise<number> {
  return new Promise((resolve, reject) => {
    socket.once('open', () => resolve(101));
    socket.once('unexpected-response', (_request, response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    socket.once('error', reject);
  });
}

/** Sends what the client sent, each frame when all that had come before has, and compares what was written and how it ended. */
async function talk(socket: WebSocket, { frames, end }: RecordedWebSocket): Promise<Difference[]> {
  const written: Buffer[] = [];
  let closed: string | null = null;
  socket.on('message', (data: Buffer) => written.push(data));
  socket.once('close', (code, reason) => {
    closed = `${code} ${reason}`;
  });
  const text = () => readable(Buffer.concat(written));
  const missing = () => expectedWords(frames.slice(0, done)).filter((words) => !text().includes(words));
  let done = 0;
  for (const [index, frame] of frames.entries()) {
    done = index;
    if (frame.dir !== 'to server') continue;
    await until(() => missing().length === 0 || closed !== null);
    await pause(breath);
    if (socket.readyState === WebSocket.OPEN) send(socket, frame);
  }
  done = frames.length;
  // A text frame that is refused there is none here, and goes on.
  const close = frames.findLast(({ dir, opcode }) => dir === 'from server' && opcode === 'close');
  const byServer = typeof end === 'object' && frames.at(-1) === close;
  await until(() => (missing().length === 0 && !byServer) || closed !== null);
  if (!byServer) socket.terminate();
  const wanted = close && byServer ? `${close.code} ${close.reason}` : null;
  return [
    ...missing().map((words) => ({ place: 'output', expected: words, actual: text() })),
    ...(byServer ? differing('close', wanted, closed) : []),
  ];
}

function send(socket: WebSocket, { opcode, base64, code, reason }: RecordedFrame): void {
  const data = Buffer.from(base64, 'base64');
  if (opcode === 'ping') socket.ping(data);
  else if (opcode === 'close') socket.close(code, reason);
  else socket.send(data, { binary: opcode === 'binary' });
}

/** Lines that a process wrote. Not its prompt, a banner with a version, nor what a terminal echoes in pieces. */
function expectedWords(frames: readonly RecordedFrame[]): string[] {
  const output = frames
    .filter(({ dir, opcode }) => dir === 'from server' && opcode === 'binary')
    .map(({ base64 }) => Buffer.from(base64, 'base64'));
  const typed = frames
    .filter(({ dir }) => dir === 'to server')
    .map(({ base64 }) => Buffer.from(base64, 'base64').toString('latin1').trim());
  return readable(Buffer.concat(output))
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/BusyBox|list of built-in|^\/ #|executable file not found/.test(line))
    .filter((line) => !typed.some((words) => words !== '' && line.includes(words)));
}

/** Without what moves a cursor. Bytes stay bytes. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal's output
const readable = (output: Buffer): string => output.toString('latin1').replace(/\x1b\[[0-9;]*[A-Za-z]|\r/g, '');

const differing = (place: string, expected: unknown, actual: unknown): Difference[] =>
  expected === actual ? [] : [{ place, expected, actual }];

async function until(isSo: () => boolean): Promise<void> {
  const end = performance.now() + soon;
  while (!isSo() && performance.now() < end) await pause(20);
}
