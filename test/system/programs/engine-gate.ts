import { rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { join } from 'node:path';

/** Where one of a container's calls is caught: the n-th (from 0), before the engine has it or when it has taken effect. */
export interface Catch {
  call: number;
  moment: 'before' | 'after';
}

/** What becomes of the calls for one container. */
interface Plan {
  catch: Catch | null;
  /** `POST /containers/{id}/start`, in order. */
  readonly calls: string[];
  readonly caught: PromiseWithResolvers<string>;
}

/**
 * A socket in front of an engine, for one worker. It counts the calls that change something, by container, and catches one of each, so that
 * the worker can be killed exactly there. Calls for a container that nobody has planned for wait until somebody has. Reads pass: what is
 * killed at a read is killed after the change before it.
 */
export class EngineGate {
  /** For `DOCKER_HOST`. */
  readonly address: string;
  readonly #socketPath: string;
  readonly #behind: string;
  readonly #containerOf: (uuid: string) => Promise<string>;
  readonly #server: Server;
  readonly #plans = new Map<string, Plan>();
  /** Calls for containers without a plan. */
  readonly #unplanned = new Map<string, PromiseWithResolvers<Plan>>();
  /** Resolved when what was caught after its effect may be answered. */
  readonly #answering = Promise.withResolvers<void>();

  private constructor(behind: string, socketPath: string, containerOf: (uuid: string) => Promise<string>) {
    this.#behind = behind;
    this.#socketPath = socketPath;
    this.address = `unix://${socketPath}`;
    this.#containerOf = containerOf;
    this.#server = createServer((incoming, outgoing) => {
      this.#serve(incoming, outgoing).catch(() => outgoing.destroy());
    });
  }

  /** `containerOf` tells the container of a volume's uuid, and a container's own. */
  static async open(behind: string, folder: string, name: string, containerOf: (uuid: string) => Promise<string>): Promise<EngineGate> {
    const gate = new EngineGate(behind, join(folder, `${name}.sock`), containerOf);
    await new Promise<void>((resolve) => gate.#server.listen(gate.#socketPath, resolve));
    return gate;
  }

  /** From now on calls for the container are counted anew, and one of them is caught. */
  plan(container: string, wanted: Catch | null): void {
    const plan: Plan = { catch: wanted, calls: [], caught: Promise.withResolvers() };
    this.#plans.set(container, plan);
    this.#unplanned.get(container)?.resolve(plan);
  }

  /** The calls of a container so far. */
  calls(container: string): readonly string[] {
    return this.#plans.get(container)?.calls ?? [];
  }

  /** Resolves, with the call, when the container's was caught. */
  async caught(container: string): Promise<string> {
    return (await this.#plan(container)).caught.promise;
  }

  /** Answers what was caught after its effect; what was caught before is cut off, and never reaches the engine. */
  letGo(): void {
    this.#answering.resolve();
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
    await rm(this.#socketPath, { force: true });
  }

  async #plan(container: string): Promise<Plan> {
    const planned = this.#plans.get(container);
    if (planned) return planned;
    const waiting = this.#unplanned.get(container) ?? Promise.withResolvers<Plan>();
    this.#unplanned.set(container, waiting);
    return waiting.promise;
  }

  async #serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    if (incoming.method === 'GET' || incoming.method === 'HEAD') return this.#pass(incoming, outgoing);
    const body = await bytesOf(incoming);
    const plan = await this.#planOf(`${incoming.url} ${body}`);
    const call = plan?.calls.push(operationOf(incoming)) ?? 0;
    const caught = plan?.catch?.call === call - 1 ? plan.catch.moment : null;
    if (caught === 'before') {
      plan?.caught.resolve(operationOf(incoming));
      await this.#answering.promise;
      outgoing.destroy();
      return;
    }
    const answer = await this.#send(incoming, body);
    if (caught === 'after') {
      plan?.caught.resolve(operationOf(incoming));
      await this.#answering.promise;
    }
    outgoing.writeHead(answer.status, answer.headers).end(answer.body);
  }

  /** `null` for a call that is no container's own: a network, an image. */
  async #planOf(text: string): Promise<Plan | null> {
    const [, uuid] = /zun-([0-9a-f]{8}-[0-9a-f-]{27})/.exec(text) ?? [];
    return uuid === undefined ? null : this.#plan(await this.#containerOf(uuid));
  }

  /** Streams, such as events, come as they come. */
  #pass(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const onward = request(this.#onward(incoming), (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      outgoing.flushHeaders();
      answer.pipe(outgoing);
      answer.on('error', () => outgoing.destroy());
    });
    onward.on('error', () => outgoing.destroy());
    outgoing.on('close', () => onward.destroy());
    onward.end();
  }

  #send(incoming: IncomingMessage, body: Buffer): Promise<{ status: number; headers: IncomingMessage['headers']; body: Buffer }> {
    return new Promise((resolve, reject) => {
      const onward = request(this.#onward(incoming), (answer) => {
        const { 'transfer-encoding': _, ...headers } = answer.headers;
        bytesOf(answer).then((bytes) => resolve({ status: answer.statusCode ?? 502, headers, body: bytes }), reject);
      });
      onward.on('error', reject);
      onward.end(body);
    });
  }

  #onward({ method, url, headers }: IncomingMessage) {
    const { connection: _, 'transfer-encoding': __, ...passed } = headers;
    return { socketPath: this.#behind, method, path: url, headers: passed };
  }
}

/** `POST /containers/{id}/start`, whatever the version and the name. */
function operationOf({ method, url = '' }: IncomingMessage): string {
  const [path = ''] = url.replace(/^\/v[\d.]+/, '').split('?');
  return `${method} ${path.replace(/zun-[0-9a-f-]{36}/, '{id}').replace(/^\/networks\/[^/]+/, '/networks/{id}')}`;
}

async function bytesOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
