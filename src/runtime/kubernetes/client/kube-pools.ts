import { createHash } from 'node:crypto';
import { type Dispatcher, Pool, ProxyAgent } from 'undici';
import type { KubeTls } from './kube-credentials.ts';

/** Connections for calls that end by themselves. More calls than that wait for one. */
const mostExchanges = 32;
const connectMilliseconds = 10_000;

/** Connections that were made with the same certificates. */
export interface ConnectionPools {
  readonly certificates: string;
  readonly exchanges: Dispatcher;
  readonly streams: Dispatcher;
}

/**
 * The connections to one API server. Streams (watches, logs that are followed) have a pool of their own without a limit: each holds
 * its connection for long, and within the limit of the others they would stop everything.
 */
export class KubePools {
  readonly #origin: string;
  readonly #proxy: string | null;
  #made: ConnectionPools | null = null;

  /** `origin`: scheme, host and port of the server; `proxy`: URL of an HTTP proxy on the way. */
  constructor(origin: string, proxy: string | null) {
    this.#origin = origin;
    this.#proxy = proxy;
  }

  /** Certificates that have changed (a plugin, a renewed file) mean new connections; calls that are under way end on the old ones. */
  of(tls: KubeTls): ConnectionPools {
    const certificates = fingerprint(tls);
    if (this.#made?.certificates === certificates) return this.#made;
    if (this.#made) this.leave(this.#made);
    this.#made = { certificates, exchanges: this.#make(tls, mostExchanges), streams: this.#make(tls, null) };
    return this.#made;
  }

  /** The next call is made on a new connection; what is under way on these ends there. Does nothing when they were left before. */
  leave(pools: ConnectionPools): void {
    if (pools !== this.#made) return;
    this.#made = null;
    for (const pool of [pools.exchanges, pools.streams]) void pool.close();
  }

  async close(): Promise<void> {
    const pools = this.#made;
    this.#made = null;
    if (pools) await Promise.all([pools.exchanges.destroy(), pools.streams.destroy()]);
  }

  #make(tls: KubeTls, connections: number | null): Dispatcher {
    // HTTP/2 would put all calls on one connection, and one dead connection would hang them all.
    const options = { connections, allowH2: false, keepAliveTimeout: 30_000 };
    if (this.#proxy !== null)
      return new ProxyAgent({ ...options, connections: connections ?? mostProxied, uri: this.#proxy, requestTls: tls });
    return new Pool(this.#origin, { ...options, connect: { ...tls, timeout: connectMilliseconds } });
  }
}

/** `ProxyAgent` takes no `null` for "without a limit". */
const mostProxied = 10_000;

function fingerprint(tls: KubeTls): string {
  const hash = createHash('sha256');
  for (const [name, value] of Object.entries(tls)) hash.update(`${name}=${String(value)}\n`);
  return hash.digest('hex');
}
