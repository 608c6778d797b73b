import { createServer } from 'node:net';
import { freePort } from './free-port.ts';

/** The first of `count` TCP ports in a row that nothing listens on at the moment. */
export async function freePorts(count: number): Promise<number> {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const first = await freePort();
    const rest = Array.from({ length: count - 1 }, (_, index) => first + 1 + index);
    if ((await Promise.all(rest.map(isFree))).every(Boolean)) return first;
  }
  throw new Error(`there are no ${count} free ports in a row`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
