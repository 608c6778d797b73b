import { randomUUID } from 'node:crypto';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'undici';
import { readEnvironment } from '../../../src/config/environment.ts';
import { buildBusyboxImage } from '../../../src/local/busybox-image/build-busybox-image.ts';
import { probeEngine } from '../../../src/local/engine/engine-probe.ts';
import { openSecrets, writePrivately } from '../../../src/local/identity/local-secrets.ts';
import type { Network } from '../../../src/networking/networking.ts';
import { type RunningStandalone, startStandalone } from '../../../src/programs/start-standalone.ts';
import { EngineClient } from '../../../src/runtime/docker/engine-client.ts';
import { randomIds } from '../../../src/telemetry/ids.ts';
import { freePorts } from '../engine/free-ports.ts';
import { type LocalRegistry, registryLogin, startLocalRegistry } from '../engine/local-registry.ts';
import { startPrivateDocker } from '../engine/private-docker.ts';
import { pushImage } from '../engine/push-image.ts';
import { removeAllContainers } from '../engine/remove-all-containers.ts';
import { removeEngineFolder } from '../engine/remove-engine-folder.ts';
import type { Person } from './recording.ts';

export type EngineName = 'podman' | 'docker';

/** Who acts in a scenario: users and projects of its own, so that scenarios at the same time don't see each other. */
export type ScenarioPeople = Record<Person, { token: string; userId: string; projectId: string }>;

/** `standalone` on a real engine with the registries, images and networks that the recorded node had. */
export interface RecordedWorld {
  url: string;
  engineName: EngineName;
  /** Asked behind Zun's back. */
  engine: EngineClient;
  standalone: RunningStandalone;
  registry: LocalRegistry;
  /** Wants `registryLogin`. */
  lockedRegistry: LocalRegistry;
  networks: { first: Network; second: Network; alone: Network };
  people(scenario: string): Promise<ScenarioPeople>;
  /** A port that a user brings; its id. */
  makePort(networkId: string, projectId: string): Promise<string>;
  /** A volume that a user brings; its id. */
  makeVolume(name: string, projectId: string): Promise<string>;
  close(): Promise<void>;
}

/** Starts it for the scenarios named. `hostname` is that of the recorded node. */
export async function startRecordedWorld(engineName: EngineName, scenarios: string[]): Promise<RecordedWorld> {
  const closing: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const one of closing.splice(0)) await one();
  };
  try {
    const registry = await startLocalRegistry();
    closing.unshift(() => registry.close());
    const lockedRegistry = await startLocalRegistry({ login: true });
    closing.unshift(() => lockedRegistry.close());
    await pushImages(registry, lockedRegistry);
    const docker = engineName === 'docker' ? await startPrivateDocker() : null;
    if (docker) closing.unshift(() => docker.close());
    const dataFolder = await mkdtemp(join(tmpdir(), 'zun-recordings-'));
    closing.unshift(() => removeEngineFolder(dataFolder));
    await addPeople(dataFolder, scenarios);
    const port = await freePorts(4);
    const standalone = await startStandalone({
      environment: readEnvironment({
        ...process.env,
        ZUN_DATA: dataFolder,
        ZUN_PORT: String(port),
        ZUN_ENGINE: docker ? 'any' : 'private',
        ZUN_DEFAULT_REGISTRY: registry.host,
        ZUN_LOG: process.env.ZUN_LOG ?? 'error',
        DOCKER_HOST: docker ? `unix://${docker.target.socketPath}` : '',
      }),
      hostname: 'node',
      progress: (line) => console.error(line),
    });
    const engine = new EngineClient(await probeEngine(/ at (\S+)\. Data:/.exec(standalone.welcome)?.[1] ?? ''));
    closing.unshift(async () => {
      await removeAllContainers(engine);
      await engine.close();
      await standalone.stop();
    });
    const { networking } = standalone.core.services;
    const network = (name: string) => networking.createNetwork({ neutronNetId: name, name, projectId: '' });
    const identity = `http://127.0.0.1:${port + 1}/v3`;
    const secrets = await openSecrets(dataFolder, randomIds);
    const login = async (name: string, user: { id: string; password: string }, projectId: string) => ({
      token: await tokenOf(identity, name, user.password, projectId),
      userId: user.id,
      projectId,
    });
    const other = (name: string) => {
      const found = secrets.others?.[name];
      if (!found) throw new Error(`there is no user ${name}`);
      return login(name, found, found.projectId);
    };
    return {
      url: standalone.url,
      engineName,
      engine,
      standalone,
      registry,
      lockedRegistry,
      networks: { first: await network('rec-net'), second: await network('rec-net2'), alone: await network('rec-net3') },
      people: async (scenario) => ({
        demo: await other(`demo-${scenario}`),
        alt: await other(`alt-${scenario}`),
        admin: await login('admin', secrets.users.admin, secrets.projects.admin.id),
      }),
      makePort: async (networkId, projectId) => {
        const nothing = { fixedIpv4: null, fixedIpv6: null, securityGroups: [], containerUuid: '' };
        return (await networking.createPort({ key: `brought-${randomUUID()}`, networkId, projectId, ...nothing })).id;
      },
      makeVolume: async (name, projectId) => {
        await engine.request({ method: 'POST', path: '/volumes/create', json: { Name: name } });
        return (await standalone.core.services.volumes.find(name, projectId)).id;
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function pushImages(registry: LocalRegistry, lockedRegistry: LocalRegistry): Promise<void> {
  const busybox = await buildBusyboxImage();
  const command = ['httpd', '-f', '-p', '80', '-h', '/www'];
  const nginx = await buildBusyboxImage({ command, exposedPorts: ['80/tcp'], files: { '/www/index.html': 'nginx\n' } });
  await pushImage(registry.host, 'busybox', 'latest', busybox);
  await pushImage(registry.host, 'nginx', 'latest', nginx);
  await pushImage(registry.host, 'busybox-alone', 'latest', await buildBusyboxImage({ files: { '/etc/alone': 'alone\n' } }));
  await pushImage(lockedRegistry.host, 'private', 'latest', busybox, registryLogin);
}

/** Two plain users a scenario, each with a project, written where `standalone` keeps its secrets. */
async function addPeople(dataFolder: string, scenarios: string[]): Promise<void> {
  // A folder with a lock is one of ours.
  await writeFile(join(dataFolder, 'lock'), '');
  const secrets = await openSecrets(dataFolder, randomIds);
  const digits = () => randomUUID().replaceAll('-', '');
  const names = scenarios.flatMap((scenario) => [`demo-${scenario}`, `alt-${scenario}`]);
  const others = Object.fromEntries(names.map((name) => [name, { id: digits(), password: digits(), projectId: digits() }]));
  await writePrivately(join(dataFolder, 'identity.json'), JSON.stringify({ ...secrets, others }));
}

async function tokenOf(identity: string, name: string, password: string, projectId: string): Promise<string> {
  const user = { name, domain: { id: 'default' }, password };
  const body = { auth: { identity: { methods: ['password'], password: { user } }, scope: { project: { id: projectId } } } };
  const answer = await request(`${identity}/auth/tokens`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await answer.body.text();
  if (answer.statusCode !== 201) throw new Error(`no token for ${name}: ${answer.statusCode} ${text}`);
  return String(answer.headers['x-subject-token']);
}
