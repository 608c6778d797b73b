import { readdirSync } from 'node:fs';
import { type CallOptions, Client, type ClientDuplexStream, credentials, Metadata, type MethodDefinition } from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import type { Clock } from '../../../telemetry/clock.ts';
import type { ContainerdCalls } from './containerd-messages.ts';
import { rpcFault } from './rpc-fault.ts';

/** Where the kubelet's containers are. */
const namespace = 'k8s.io';
/** containerd itself takes messages up to 16 MiB. */
const largestMessage = 16 * 1024 * 1024;
/** For what only looks things up, or waits for one act of the kernel. */
const defaultDeadlineMs = 20_000;

/** The bodies of `Content/Read` and `Content/Write`. */
export interface ReadMessage {
  data: Buffer;
}
export interface WriteMessage {
  action: 'STAT' | 'WRITE' | 'COMMIT';
  ref: string;
  total?: number;
  expected?: string;
  offset?: number;
  data?: Buffer;
  labels?: Record<string, string>;
}
export interface WriteAnswer {
  offset: number;
}

/** gRPC to the containerd behind a socket. What it refuses is thrown as a `RuntimeFault`. */
export class ContainerdClient {
  readonly clock: Clock;
  readonly #client: Client;
  readonly #methods: Map<string, MethodDefinition<object, object>>;

  constructor(socketPath: string, clock: Clock) {
    this.clock = clock;
    this.#client = new Client(`unix://${socketPath}`, credentials.createInsecure(), { 'grpc.max_receive_message_length': largestMessage });
    this.#methods = loadMethods();
  }

  /** One question, one answer. What is made under a lease stays for at least as long as that. */
  call<M extends keyof ContainerdCalls>(
    name: M,
    request: ContainerdCalls[M][0],
    { lease, deadlineMs = defaultDeadlineMs }: { lease?: string; deadlineMs?: number } = {},
  ): Promise<ContainerdCalls[M][1]> {
    const method = this.#method(name);
    const options: CallOptions = { deadline: this.clock.now() + deadlineMs };
    return new Promise((resolve, reject) => {
      this.#client.makeUnaryRequest(
        method.path,
        method.requestSerialize,
        method.responseDeserialize,
        request,
        metadata(lease),
        options,
        (error, answer) => (error ? reject(rpcFault(error)) : resolve(answer as ContainerdCalls[M][1])),
      );
    });
  }

  /** The bytes of a blob as they come. Ends with a fault. */
  async *read(digest: string): AsyncGenerator<Buffer> {
    const method = this.#method('containerd.services.content.v1.Content/Read');
    const { path, requestSerialize, responseDeserialize } = method;
    const stream = this.#client.makeServerStreamRequest(path, requestSerialize, responseDeserialize, { digest }, metadata());
    stream.on('error', () => {});
    try {
      for await (const message of stream) yield (message as ReadMessage).data;
    } catch (error) {
      throw rpcFault(error);
    } finally {
      stream.cancel();
    }
  }

  /** A stream to write a blob by. Its errors are not faults yet. */
  write(lease: string): ClientDuplexStream<WriteMessage, WriteAnswer> {
    const method = this.#method('containerd.services.content.v1.Content/Write');
    const { path, requestSerialize, responseDeserialize } = method;
    const stream = this.#client.makeBidiStreamRequest(path, requestSerialize, responseDeserialize, metadata(lease));
    // Whoever reads the answers meets the error there. Without a listener, letting go of the stream would end the process.
    stream.on('error', () => {});
    return stream as ClientDuplexStream<WriteMessage, WriteAnswer>;
  }

  close(): void {
    this.#client.close();
  }

  #method(name: string): MethodDefinition<object, object> {
    const method = this.#methods.get(name);
    if (!method) throw new Error(`protos/ has no ${name}`);
    return method;
  }
}

function metadata(lease?: string): Metadata {
  const sent = new Metadata();
  sent.set('containerd-namespace', namespace);
  if (lease !== undefined) sent.set('containerd-lease', lease);
  return sent;
}

/** By `<package>.<service>/<method>`. */
function loadMethods(): Map<string, MethodDefinition<object, object>> {
  const folder = `${import.meta.dirname}/protos`;
  const definitions = loadSync(readdirSync(folder), { includeDirs: [folder], longs: Number, enums: String, defaults: true });
  const methods = new Map<string, MethodDefinition<object, object>>();
  for (const [name, definition] of Object.entries(definitions)) {
    if ('format' in definition) continue;
    for (const [method, described] of Object.entries(definition)) methods.set(`${name}/${method}`, described);
  }
  return methods;
}
