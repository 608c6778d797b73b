import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** Both ends of a connection. */
interface Pair {
  here: Socket;
  there: Socket;
}

/** A port of 127.0.0.1 in front of another one, whose connections can be cut, and left hanging as when a load balancer fails over. */
export class TcpProxy {
  readonly #server: Server;
  readonly #pairs = new Set<Pair>();
  /** Pairs that hang, to be closed in the end. */
  readonly #hanging = new Set<Pair>();

  private constructor(target: number) {
    this.#server = createServer((here) => {
      const there = connect(target, '127.0.0.1');
      const pair = { here, there };
      this.#pairs.add(pair);
      for (const [from, to] of [
        [here, there],
        [there, here],
      ] as const) {
        from.on('data', (chunk) => this.#pairs.has(pair) && to.write(chunk));
        from.on('error', () => {});
        // Of a pair that hangs neither end hears anything of the other.
        from.on('close', () => this.#pairs.delete(pair) && to.destroy());
      }
    });
  }

  static async open(target: number): Promise<TcpProxy> {
    const proxy = new TcpProxy(target);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Connections that work. */
  get connections(): number {
    return this.#pairs.size;
  }

  /** Breaks all connections. New ones work. */
  cut(): void {
    for (const { here } of this.#pairs) here.destroy();
  }

  /** Nothing goes through the present connections any more, and nobody is told. New ones work. */
  hang(): void {
    for (const pair of this.#pairs) this.#hanging.add(pair);
    this.#pairs.clear();
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.cut();
    for (const { here, there } of this.#hanging) for (const end of [here, there]) end.destroy();
    await closed;
  }
}
