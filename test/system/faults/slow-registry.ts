import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** In front of a registry: an image's layers are kept back until they are let go. */
export class SlowRegistry {
  /** `127.0.0.1:port`. */
  readonly host: string;
  /** Resolves once somebody waits for a layer. */
  readonly asked: Promise<void>;
  readonly #waiting: (() => void)[] = [];
  #isOpen = false;
  readonly #close: () => Promise<void>;

  private constructor(host: string, asked: Promise<void>, close: () => Promise<void>) {
    this.host = host;
    this.asked = asked;
    this.#close = close;
  }

  static async open(behind: string): Promise<SlowRegistry> {
    let slow: SlowRegistry | null = null;
    let sayAsked = () => {};
    const asked = new Promise<void>((resolve) => {
      sayAsked = resolve;
    });
    const server = createServer((incoming, outgoing) => {
      const forward = () => {
        const [host, port] = behind.split(':');
        const onward = request({ host, port, path: incoming.url, method: incoming.method, headers: incoming.headers }, (answer) => {
          outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
          answer.pipe(outgoing);
        });
        onward.on('error', () => outgoing.destroy());
        incoming.pipe(onward);
      };
      if (!slow || slow.#isOpen || incoming.method !== 'GET' || !/\/blobs\//.test(incoming.url ?? '')) return forward();
      sayAsked();
      slow.#waiting.push(forward);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    slow = new SlowRegistry(`127.0.0.1:${port}`, asked, async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    });
    return slow;
  }

  /** Layers come from now on. */
  letGo(): void {
    this.#isOpen = true;
    for (const forward of this.#waiting.splice(0)) forward();
  }

  close(): Promise<void> {
    return this.#close();
  }
}
