import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { ContainerdClient } from '../runtime/kubernetes/node/containerd-client.ts';
import { nodeOperations, type OperationAnswer } from '../runtime/kubernetes/node/node-operations.ts';
import { OperationArguments } from '../runtime/kubernetes/node/operation-arguments.ts';
import { RuntimeFault } from '../runtime/runtime-fault.ts';
import { systemClock } from '../telemetry/clock.ts';
import { randomIds } from '../telemetry/ids.ts';

/** The streams of the process. */
export interface NodeCommandStreams {
  stdin: Readable;
  stdout: Writable;
  stderr: Writable;
}

const usage = [
  'usage: zun node [--socket PATH] OPERATION [ARGUMENTS]',
  `  OPERATION is one of ${Object.keys(nodeOperations).join(', ')}`,
  '  ARGUMENTS is one JSON object; - reads it from standard input, where a password belongs',
].join('\n');

/** Where the node agent's Pod has the socket of its node's containerd. */
const usualSocket = '/run/containerd/containerd.sock';

/**
 * `zun node`: what workers ask of a node, through `exec` into its agent's Pod. Answers one line of JSON, or the bytes of a tar. What failed is one line
 * of JSON on standard error, `{"kind":"conflict","message":"…"}` as of `RuntimeFault`, with exit code 1; 2 is for a command line that can't be understood.
 */
export async function nodeCommand(args: string[], streams: NodeCommandStreams): Promise<number> {
  const parsed = parseCommandLine(args);
  if (parsed === null) {
    streams.stderr.write(`${usage}\n`);
    return 2;
  }
  const { operation, argument, socket } = parsed;
  const client = new ContainerdClient(socket, systemClock);
  try {
    const asked = new OperationArguments(parseJson(argument === '-' ? await text(streams.stdin) : argument));
    await send(await operation(asked, client, randomIds), streams.stdout);
    return 0;
  } catch (error) {
    const kind = error instanceof RuntimeFault ? error.kind : 'failed';
    const message = error instanceof Error ? error.message : String(error);
    streams.stderr.write(`${JSON.stringify({ kind, message })}\n`);
    return 1;
  } finally {
    client.close();
  }
}

/** `null` for a command line that can't be understood. */
function parseCommandLine(args: string[]) {
  try {
    const options = { socket: { type: 'string', default: usualSocket } } as const;
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    const [name = '', argument = '{}', ...others] = positionals;
    const operation = Object.hasOwn(nodeOperations, name) ? nodeOperations[name] : undefined;
    return operation && others.length === 0 ? { operation, argument, socket: values.socket } : null;
  } catch {
    return null;
  }
}

function parseJson(argument: string): unknown {
  try {
    return JSON.parse(argument);
  } catch (error) {
    throw new RuntimeFault('invalid', `The argument is no JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function send(answer: OperationAnswer, stdout: Writable): Promise<void> {
  if ('value' in answer) return void stdout.write(`${JSON.stringify(answer.value)}\n`);
  for await (const part of answer.bytes) if (!stdout.write(part)) await once(stdout, 'drain');
}
