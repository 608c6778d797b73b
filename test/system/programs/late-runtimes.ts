import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { FakeApiServer } from '../../kubernetes-fake/fake-api-server.ts';
import { FakeCluster } from '../../kubernetes-fake/fake-cluster.ts';
import { freePort } from '../engine/free-port.ts';

/** What programs run containers on, which is there or not as the test says: as much of it as programs ask without containers. */
export interface LateRuntime {
  /** For `zun.yaml`. */
  settings: Record<string, unknown>;
  /** What `/readyz` says while nobody is there. */
  away: RegExp;
  /** From now on it answers. */
  come(): Promise<void>;
  /** From now on nobody is there, and what was open is cut. */
  go(): Promise<void>;
}

const node = { name: 'node-1', cpus: 4, memoryGiB: 8 };

/** A Docker whose socket is not there at first. */
export async function lateDocker(folder: string): Promise<LateRuntime> {
  const socket = join(folder, 'engine.sock');
  let server: Server | null = null;
  return {
    settings: { engine: { address: `unix://${socket}` } },
    away: /ENOENT|ECONNREFUSED/,
    async come() {
      server = createServer(answerAsDocker).listen(socket);
      await once(server, 'listening');
    },
    async go() {
      server?.closeAllConnections();
      server?.close();
      server = null;
      await rm(socket, { force: true });
    },
  };
}

function answerAsDocker({ url = '' }: IncomingMessage, response: ServerResponse): void {
  const [path = ''] = url.replace(/^\/v[\d.]+/, '').split('?');
  const answers: Record<string, unknown> = {
    '/version': { ApiVersion: '1.41', MinAPIVersion: '1.12' },
    '/info': { Name: node.name, NCPU: node.cpus, MemTotal: node.memoryGiB * 2 ** 30, Containers: 0, DefaultRuntime: 'runc' },
    '/containers/json': [],
    '/networks': [],
    '/volumes': { Volumes: [] },
  };
  const answer = answers[path];
  response.writeHead(answer || path === '/events' ? 200 : 404, { 'content-type': 'application/json' });
  if (path === '/events') response.flushHeaders();
  else response.end(JSON.stringify(answer ?? { message: `no ${path}` }));
}

export interface LateCluster extends LateRuntime {
  /** Makes a Pod of a workload that runs. */
  runPod(uuid: string): Promise<void>;
  /** Ends all connections; new ones are taken. */
  cut(): void;
  /** Ends all connections, and knows no version that the next watch wants to go on from. */
  forget(): void;
}

/** A cluster whose API server is not there at first. */
export async function lateCluster(folder: string): Promise<LateCluster> {
  const port = await freePort();
  const kubeconfig = await writeKubeconfig(folder, port);
  const cluster = new FakeCluster();
  let server: FakeApiServer | null = null;
  let isForgetful = false;
  return {
    settings: { runtime: { kind: 'kubernetes' }, kubernetes: { kubeconfig } },
    away: /ECONNREFUSED/,
    async runPod(uuid) {
      const labels = { 'app.kubernetes.io/instance': 'zun', 'zun.openstack.org/workload': uuid, 'zun.openstack.org/kind': 'container' };
      const pod = { metadata: { name: `zun-${uuid}`, labels }, spec: { containers: [{ name: 'main', image: 'busybox' }] } };
      const address = `http://127.0.0.1:${port}/api/v1/namespaces/zun-p/pods`;
      const { status } = await fetch(address, { method: 'POST', body: JSON.stringify(pod) });
      if (status !== 201) throw new Error(`the Pod was not made: ${status}`);
    },
    cut: () => server?.cut(),
    forget() {
      isForgetful = true;
      server?.cut();
    },
    async come() {
      server = await FakeApiServer.start(null, port);
      server.answer = (asked) => {
        if (isForgetful && asked.query.get('watch') === 'true') {
          isForgetful = false;
          asked.refuse(410, 'Expired', 'too old resource version');
        } else if (asked.path === '/readyz') asked.json(200, {});
        else if (asked.path === '/api/v1/nodes') asked.json(200, { metadata: {}, items: [kubeNode] });
        else if (asked.path === `/api/v1/nodes/${node.name}`) asked.json(200, kubeNode);
        else cluster.answer(asked);
      };
    },
    async go() {
      await server?.[Symbol.asyncDispose]();
      server = null;
    },
  };
}

const kubeNode = {
  metadata: { name: node.name, uid: '8e4b2d0e-4a68-4c6c-9d5f-5d1c5e0d3a11' },
  status: {
    capacity: { cpu: String(node.cpus), memory: `${node.memoryGiB}Gi`, 'ephemeral-storage': '100Gi' },
    allocatable: { cpu: String(node.cpus), memory: `${node.memoryGiB}Gi`, 'ephemeral-storage': '100Gi' },
    nodeInfo: { architecture: 'amd64', operatingSystem: 'linux', osImage: 'Debian', kernelVersion: '6.1.0' },
  },
};

/** An API server that takes connections and never says a word, as one behind a load balancer may. */
export async function silentCluster(folder: string): Promise<LateRuntime> {
  const port = await freePort();
  const kubeconfig = await writeKubeconfig(folder, port);
  const server = createTcpServer((socket) => socket.on('error', () => {}));
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const nothing = async () => {};
  const go = async () => void server.close();
  return { settings: { runtime: { kind: 'kubernetes' }, kubernetes: { kubeconfig } }, away: /no answer within 5 s/, come: nothing, go };
}

async function writeKubeconfig(folder: string, port: number): Promise<string> {
  const path = join(folder, 'kubeconfig');
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'late', cluster: { server: `http://127.0.0.1:${port}`, 'insecure-skip-tls-verify': true } }],
    users: [{ name: 'tester', user: { token: 'secret' } }],
    contexts: [{ name: 'late', context: { cluster: 'late', user: 'tester' } }],
    'current-context': 'late',
  };
  await writeFile(path, stringify(config));
  return path;
}
