import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { startAgent } from '../../src/agent/agent.ts';
import { defaultSettings } from '../../src/config/settings.ts';
import { Fernet } from '../../src/crypto/fernet.ts';
import { buildBusyboxImage } from '../../src/local/busybox-image/build-busybox-image.ts';
import { LocalInventory } from '../../src/local/inventory/local-inventory.ts';
import { DockerEngineNetworks } from '../../src/local/networking/docker-engine-networks.ts';
import { LocalNetworking } from '../../src/local/networking/local-networking.ts';
import { DockerEngineVolumes } from '../../src/local/volumes/docker-engine-volumes.ts';
import { LocalVolumes } from '../../src/local/volumes/local-volumes.ts';
import { zunCore } from '../../src/programs/zun-core.ts';
import { DockerImageStore } from '../../src/runtime/docker/docker-image-store.ts';
import { DockerRuntime } from '../../src/runtime/docker/docker-runtime.ts';
import { EngineClient } from '../../src/runtime/docker/engine-client.ts';
import { systemClock } from '../../src/telemetry/clock.ts';
import { randomIds } from '../../src/telemetry/ids.ts';
import { silentLogger } from '../../src/telemetry/logger.ts';
import type { ShownCapsule } from '../bench/capsule-bench.ts';
import { memoryDatabase } from '../contract/memory-database.ts';
import { loadImage } from './engine/load-image.ts';
import { startPrivateDocker } from './engine/private-docker.ts';
import { startPrivatePodman } from './engine/private-podman.ts';
import type { TestEngine } from './engine/test-engine.ts';
import { until } from './engine/until.ts';

const image = 'zun-test/busybox';
const sh = (script: string) => ({ image, command: ['sh', '-c', script] });
/** BusyBox's httpd in the foreground, on the capsule's port 8080. */
const server = sh('mkdir -p /www && echo hello > /www/index.html && exec httpd -f -p 8080 -h /www');

capsulesOn('Docker', startPrivateDocker);
capsulesOn('Podman', startPrivatePodman);

function capsulesOn(name: string, start: () => Promise<TestEngine>): void {
  describe(`capsules on ${name}`, () => {
    let node: Awaited<ReturnType<typeof openNode>>;
    before(async () => {
      node = await openNode(await start());
    });
    after(() => node?.close());

    test('containers see each other on localhost, init containers ran before them, and a delete leaves nothing', async () => {
      const client = sh('until wget -q -O /tmp/page http://127.0.0.1:8080/; do sleep 0.1; done; cat /tmp/page; exec sleep 1000');
      const capsule = await node.make({
        initContainers: [{ ...sh('sleep 1; echo made > /v/made'), volumeMounts: mounts }],
        containers: [{ ...server, volumeMounts: mounts }, client],
        volumes: [{ name: 'vol', cinder: { size: 1, autoRemove: true } }],
      });
      assert.equal(capsule.status, 'Running', String(capsule.status_reason));
      assert.match(String(capsule.init_containers[0]?.status_detail), /^Exited\(0\)/);
      const [first = '', second = ''] = capsule.containers.map(({ uuid }) => uuid);
      const log = () => node.runtime.logs(second, { stdout: true, stderr: true, timestamps: false, tail: 'all', since: 0 });
      await until('the page', async () => ((await log()).toString() === 'hello\n' ? true : null));
      assert.equal((await node.runtime.exec(first, ['cat', '/v/made'], 5000)).output.toString(), 'made\n');
      const [shown] = Object.values(capsule.addresses as Record<string, { addr: string }[]>).flat();
      const { output } = await node.runtime.exec(second, ['ip', '-4', 'addr', 'show', 'eth0'], 5000);
      assert.match(output.toString(), new RegExp(`inet ${shown?.addr.replaceAll('.', '\\.')}/`));
      await node.remove(capsule.uuid);
      assert.deepEqual(await node.leftovers(), { containers: [], volumes: [], ports: 0, claims: 0, rows: 0 });
    });

    test('a failing init container keeps the others from being made, and only the rows stay', async () => {
      const capsule = await node.make({ restartPolicy: 'Never', initContainers: [sh('exit 3')], containers: [server] });
      const [init] = capsule.init_containers;
      assert.deepEqual([capsule.status, capsule.status_reason], ['Error', `Init container ${init?.name} ended with exit code 3.`]);
      assert.match(String(init?.status_detail), /^Exited\(3\)/);
      assert.deepEqual(await node.leftovers(), { containers: [], volumes: [], ports: 0, claims: 0, rows: 3 });
      await node.remove(capsule.uuid);
    });

    test('a missing command is Error in the engine’s words, and nothing of the capsule stays on the node', async () => {
      const capsule = await node.make({ containers: [server, { image, command: ['nosuchcommand'] }] });
      assert.equal(capsule.status, 'Error');
      assert.match(String(capsule.status_reason), /nosuchcommand/);
      assert.deepEqual((await node.leftovers()).containers, []);
      await node.remove(capsule.uuid);
    });

    test('what ends by itself is seen: one Stopped beside others that run, all Stopped a Stopped capsule', async () => {
      const capsule = await node.make({ restartPolicy: 'Never', containers: [sh('sleep 1; exit 0'), sh('sleep 3; exit 4')] });
      const statuses = async () => {
        const { status, containers } = await node.show(capsule.uuid);
        return [status, ...containers.map((member) => member.status)].join(' ');
      };
      const shows = (wanted: string) => until(wanted, async () => ((await statuses()) === wanted ? true : null));
      await shows('Running Stopped Running');
      await shows('Stopped Stopped Stopped');
      assert.match(String((await node.show(capsule.uuid)).containers[1]?.status_detail), /^Exited\(4\)/);
      await node.remove(capsule.uuid);
    });

    test('a sandbox that the engine restarts gets its containers back into its network', async () => {
      const capsule = await node.make({ restartPolicy: 'Always', containers: [sh('exec sleep 1000')] });
      const [member = ''] = capsule.containers.map(({ uuid }) => uuid);
      await node.runtime.restart(capsule.uuid, 0);
      await until('the interface', async () => {
        const { exitCode } = await node.runtime.exec(member, ['ip', 'addr', 'show', 'eth0'], 5000);
        const [sandbox, inside] = await Promise.all([capsule.uuid, member].map((uuid) => node.runtime.inspect(uuid)));
        return exitCode === 0 && Number(inside?.state.startedAt) > Number(sandbox?.state.startedAt) ? true : null;
      });
      await until('Running', async () => ((await node.show(capsule.uuid)).status === 'Running' ? true : null));
      await node.remove(capsule.uuid);
    });

    test('containers that ignore the signal are ended together', async () => {
      const stubborn = sh("trap '' TERM; while true; do sleep 1; done");
      const capsule = await node.make({ containers: [stubborn, stubborn, stubborn] });
      const begun = performance.now();
      await node.remove(capsule.uuid);
      // One after another they would take three times the grace period.
      assert.ok(performance.now() - begun < 8000);
    });
  });
}

const mounts = [{ name: 'vol', mountPath: '/v' }];

/** Zun whole, but for its network side, on one engine. */
async function openNode(engine: TestEngine) {
  const [client, database] = [new EngineClient(engine.target), await memoryDatabase()];
  await loadImage(client, await buildBusyboxImage(), `${image}:latest`);
  const dataFolder = await mkdtemp(join(tmpdir(), 'zun-capsules-'));
  const settings = defaultSettings('node');
  settings.containers.defaultImagePullPolicy = 'ifnotpresent';
  settings.containers.stopGraceSeconds = 3;
  settings.sync.listIntervalMilliseconds = 2000;
  const common = { database, clock: systemClock, ids: randomIds, logger: silentLogger };
  const runtime = new DockerRuntime({ engine: client, dataFolder, clock: systemClock });
  const inventory = new LocalInventory(database);
  const core = await zunCore({
    ...common,
    settings,
    runtime,
    inventory,
    images: new DockerImageStore(client),
    networking: new LocalNetworking({ ...common, engine: new DockerEngineNetworks(client) }),
    volumes: new LocalVolumes({ database, engine: new DockerEngineVolumes(client) }),
    identity: { validate: async () => caller },
    identityUrl: 'http://identity.example/v3',
    fernet: new Fernet(Buffer.alloc(32).toString('base64url').concat('=')),
    policyFile: join(dataFolder, 'policy.yaml'),
  });
  const agent = startAgent({
    ...common,
    runtime,
    inventory,
    hostname: 'node',
    availabilityZone: 'nova',
    allocationRatios: settings.allocationRatios,
    cpuPinning: false,
    intervalSeconds: 60,
  });
  await agent.started;
  const [worker, sync] = [core.startWorker('test'), core.startSync()];
  const ask = async (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) => {
    const headers = { 'x-auth-token': 'demo', 'openstack-api-version': 'container 1.40', 'content-type': 'application/json' };
    const answer = await core.server.inject({ method, url: path, headers, ...(body ? { payload: JSON.stringify(body) } : {}) });
    return { status: answer.statusCode, json: answer.body === '' ? null : JSON.parse(answer.body) };
  };
  const show = async (uuid: string): Promise<ShownCapsule> => (await ask('GET', `/v1/capsules/${uuid}`)).json;
  return {
    runtime,
    show,
    async make(spec: object): Promise<ShownCapsule> {
      const answer = await ask('POST', '/v1/capsules', { template: { kind: 'capsule', metadata: { name: 'cap' }, spec } });
      assert.equal(answer.status, 202, JSON.stringify(answer.json));
      const { uuid } = answer.json as ShownCapsule;
      return until('an end of the create', async () => {
        const shown = await show(uuid);
        return ['Running', 'Stopped', 'Error'].includes(shown.status) ? shown : null;
      });
    },
    async remove(uuid: string): Promise<void> {
      assert.equal((await ask('DELETE', `/v1/capsules/${uuid}`)).status, 204);
      await until('404', async () => ((await ask('GET', `/v1/capsules/${uuid}`)).status === 404 ? true : null));
    },
    async leftovers() {
      const containers = await client.json<{ Names: string[] }[]>({ method: 'GET', path: '/containers/json', query: { all: true } });
      const volumes = await client.json<{ Volumes: { Name: string }[] | null }>({ method: 'GET', path: '/volumes' });
      const count = async (table: 'openkeel_local_port' | 'openkeel_local_allocation' | 'container') =>
        (
          await database.queries
            .selectFrom(table)
            .select(({ lit }) => lit(1).as('one'))
            .execute()
        ).length;
      return {
        containers: containers.flatMap(({ Names }) => Names),
        volumes: (volumes.Volumes ?? []).map(({ Name }) => Name),
        ports: await count('openkeel_local_port'),
        claims: await count('openkeel_local_allocation'),
        rows: await count('container'),
      };
    },
    async close() {
      await sync.stop();
      await worker.stop(1000);
      await agent.stop();
      await client.close();
      await engine.close();
      await rm(dataFolder, { recursive: true, force: true });
    },
  };
}

const caller = {
  userId: 'demo-user',
  userName: 'demo',
  projectId: 'demo-project',
  projectName: 'demo',
  userDomainId: 'default',
  projectDomainId: 'default',
  roles: ['member', 'reader'],
  expiresAt: Number.MAX_SAFE_INTEGER,
};
