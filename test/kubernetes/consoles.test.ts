import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { type Cluster, startCluster } from '../cluster/cluster.ts';
import { withCapsule } from '../contract/runtime/capsule.ts';
import { shell, stubborn } from '../contract/runtime/scripts.ts';
import { attached, inTerminal, withTalk } from '../contract/runtime/talk.ts';
import { refused, withStarted } from '../contract/runtime/workload.ts';
import { TcpProxy } from './faults/tcp-proxy.ts';
import { type KubernetesFixture, kubernetesFixture } from './kubernetes-fixture.ts';

let cluster: Cluster;
let folder: string;
let proxy: TcpProxy;
let fixture: KubernetesFixture;
before(async () => {
  cluster = await startCluster({ mode: 'node' });
  folder = await mkdtemp(path.join(tmpdir(), 'zun-consoles-'));
  const document = JSON.parse(await readFile(cluster.kubeconfig, 'utf8'));
  const [first] = document.clusters;
  const server = new URL(first.cluster.server);
  proxy = await TcpProxy.open(Number(server.port));
  server.port = String(proxy.port);
  first.cluster.server = server.href;
  const kubeconfig = path.join(folder, 'kubeconfig');
  await writeFile(kubeconfig, JSON.stringify(document), { mode: 0o600 });
  fixture = await kubernetesFixture(cluster, { runtimeClass: 'runc', hasNodeAccess: false, kubeconfig });
});
after(async () => {
  await fixture?.cleanup();
  await proxy?.close();
  if (folder) await rm(folder, { recursive: true });
  await cluster?.stop();
});

/** Says each line that it reads, until that is `bye`. */
const says = shell('while read word; do [ "$word" = bye ] && exit; echo "got $word"; done');

test('a console whose connection is lost says so, and what it was of is there for the next', async () => {
  await withStarted(fixture, { command: says, interactive: true }, async ({ uuid }) => {
    const { runtime } = fixture;
    const lost = await Promise.all([attached, inTerminal(['sh'])].map((target) => runtime.openConsole(uuid, target)));
    const told = lost.map(({ output }) => refused(text(output), 'unreachable'));
    proxy.cut();
    await Promise.all(told);
    for (const console of lost) {
      console.input.write('for nobody\n');
      await console.resize({ width: 80, height: 24 });
      console.close();
    }
    await withTalk(fixture, uuid, attached, async (talk) => {
      await talk.type('again\n');
      await talk.untilSaid(/got again\n/);
    });
  });
});

test('each container of a capsule has consoles of its own, and an init container has them while it runs', async () => {
  const wishes = {
    initContainers: [{ command: says, interactive: true }],
    containers: [
      { command: shell('while read word; do echo "first $word"; done'), interactive: true },
      { command: stubborn, tty: true },
    ],
  };
  await withCapsule(fixture, wishes, async (capsule) => {
    const [init, first, second] = [...capsule.initContainers, ...capsule.containers].map(({ uuid }) => uuid);
    assert.ok(init && first && second);
    await capsule.start();
    await refused(fixture.runtime.openConsole(first, attached), 'conflict');
    await withTalk(fixture, init, attached, async (talk) => {
      await talk.type('word\n');
      await talk.untilSaid(/got word\n/);
    });
    await withTalk(fixture, init, attached, async (talk) => {
      await talk.type('bye\n');
      await talk.untilEnded();
    });
    await Promise.all(capsule.containers.map((container) => container.until('running')));
    await withTalk(fixture, first, attached, async (talk) => {
      await talk.type('word\n');
      await talk.untilSaid(/first word\n/);
    });
    await withTalk(fixture, second, inTerminal(['tty']), async (talk) => {
      assert.match((await talk.untilEnded()).toString(), /^\/dev\/pts\/\d+\r\n$/);
    });
    await refused(fixture.runtime.openConsole(capsule.uuid, attached), 'conflict');
    await refused(fixture.runtime.openConsole(init, attached), 'conflict');
  });
});

test('a Pod that goes ends the consoles of it', async () => {
  await withStarted(fixture, { command: ['sh'], interactive: true, tty: true }, async ({ uuid }) => {
    await withTalk(fixture, uuid, attached, async (talk) => {
      await fixture.runtime.remove(uuid);
      await talk.untilEnded();
    });
  });
});
