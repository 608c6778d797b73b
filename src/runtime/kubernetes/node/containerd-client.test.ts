import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { Server, ServerCredentials, type ServerUnaryCall, type sendUnaryData, status } from '@grpc/grpc-js';
import { systemClock } from '../../../telemetry/clock.ts';
import { isFault, type RuntimeFaultKind } from '../../runtime-fault.ts';
import { ContainerdClient } from './containerd-client.ts';

let folder: string;
before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'zun-containerd-'));
});
after(() => rm(folder, { recursive: true }));

async function assertFault(socket: string, kind: RuntimeFaultKind, words: RegExp, deadlineMs = 20_000): Promise<void> {
  const client = new ContainerdClient(socket, systemClock);
  try {
    const call = client.call('containerd.services.tasks.v1.Tasks/Get', { containerId: 'c' }, { deadlineMs });
    await assert.rejects(call, (error) => isFault(error, kind) && words.test(error.message));
  } finally {
    client.close();
  }
}

test('a socket that is not there is the operator’s to mount', async () => {
  await assertFault(path.join(folder, 'none.sock'), 'unsupported', /no containerd socket \(ENOENT .*none\.sock\)/);
});

test('a socket that nobody listens at may be listened at again', async () => {
  await assertFault(import.meta.filename, 'unreachable', /containerd cannot be reached/);
});

test('an answer that does not come is a timeout', async () => {
  const socket = path.join(folder, 'silent.sock');
  const sockets: Socket[] = [];
  const silent = createServer((accepted) => sockets.push(accepted)).listen(socket);
  await new Promise((resolve) => silent.once('listening', resolve));
  await assertFault(socket, 'timeout', /deadline/i, 300);
  for (const accepted of sockets) accepted.destroy();
  silent.close();
});

test('what containerd refuses is told in its words, in the namespace of the kubelet', async () => {
  const socket = path.join(folder, 'refusing.sock');
  const namespaces: unknown[] = [];
  const answers: [code: status, words: string][] = [
    [status.NOT_FOUND, 'no running task found: task c not found: not found'],
    [status.FAILED_PRECONDITION, 'cannot pause: failed precondition'],
    [status.UNKNOWN, 'OCI runtime pause failed: frozen: unknown'],
  ];
  const server = refusingServer((call, callback) => {
    namespaces.push(call.metadata.get('containerd-namespace')[0]);
    const [code, details] = answers.shift() ?? [status.INTERNAL, ''];
    callback({ code, details });
  });
  await new Promise((resolve) => server.bindAsync(`unix://${socket}`, ServerCredentials.createInsecure(), resolve));
  await assertFault(socket, 'not-found', /^no running task found: task c not found$/);
  await assertFault(socket, 'conflict', /^cannot pause$/);
  await assertFault(socket, 'failed', /^OCI runtime pause failed: frozen$/);
  assert.deepEqual(namespaces, ['k8s.io', 'k8s.io', 'k8s.io']);
  server.forceShutdown();
});

function refusingServer(handle: (call: ServerUnaryCall<Buffer, Buffer>, callback: sendUnaryData<Buffer>) => void): Server {
  const bytes = (value: Buffer) => value;
  const method = {
    path: '/containerd.services.tasks.v1.Tasks/Get',
    requestStream: false,
    responseStream: false,
    requestSerialize: bytes,
    requestDeserialize: bytes,
    responseSerialize: bytes,
    responseDeserialize: bytes,
  };
  const server = new Server();
  server.addService({ get: method }, { get: handle });
  return server;
}
