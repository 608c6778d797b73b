import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { buildBusyboxImage } from '../../../src/local/busybox-image/build-busybox-image.ts';
import { type DemoAnswer, DemoClient } from '../../../src/programs/demo-client.ts';
import { EngineClient } from '../../../src/runtime/docker/engine-client.ts';
import type { EngineTarget } from '../../../src/runtime/docker/engine-target.ts';
import { type LocalRegistry, startLocalRegistry } from '../engine/local-registry.ts';
import { pushImage } from '../engine/push-image.ts';
import { StandaloneProcess } from '../standalone-process.ts';

export interface SeenContainer extends DemoAnswer {
  task_state: string | null;
}

/** Ends at once when it is told to. */
export const obedient = ['sh', '-c', 'trap "exit 0" TERM; while :; do sleep 1 & wait $!; done'];
/** As process 1, `sleep` ignores SIGTERM: a stop takes its whole grace period. */
export const stubborn = ['sleep', '1000'];

/** A `npm start` on a Podman of its own (or the engine given), with a registry that has a busybox, for tests that hurt it. */
export class FaultWorld {
  readonly standalone: StandaloneProcess;
  readonly registry: LocalRegistry;
  readonly image: string;

  private constructor(standalone: StandaloneProcess, registry: LocalRegistry) {
    this.standalone = standalone;
    this.registry = registry;
    this.image = `${registry.host}/busybox:1.0`;
  }

  static async open(engine?: EngineTarget): Promise<FaultWorld> {
    const registry = await startLocalRegistry();
    try {
      await pushImage(registry.host, 'busybox', '1.0', await buildBusyboxImage());
      return new FaultWorld(await StandaloneProcess.start(engine ? { engine } : {}), registry);
    } catch (error) {
      await registry.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.standalone.close();
    await this.registry.close();
  }

  /** A client that is logged in; a restart of standalone needs a new one no more than a user does. */
  client(): Promise<DemoClient> {
    return DemoClient.login(this.standalone.cloudsFile, 'zun-admin');
  }

  /** Asks for a container that runs; answers its uuid at once. */
  async ask(client: DemoClient, wishes: Record<string, unknown> = {}): Promise<string> {
    const { uuid } = await client.request('POST', '/v1/containers?run=true', {
      image: this.image,
      command: obedient,
      cpu: 0.1,
      memory: '32',
      mounts: [{ size: '1', destination: '/data' }],
      ...wishes,
    });
    return uuid;
  }

  /** Waits until no task works on it, for `seconds` at most. */
  async settled(client: DemoClient, uuid: string, seconds = 60): Promise<SeenContainer> {
    const end = performance.now() + seconds * 1000;
    for (;;) {
      const seen = (await client.request('GET', `/v1/containers/${uuid}`)) as SeenContainer;
      if (seen.task_state === null && !['Creating', 'Deleting', 'Rebuilding'].includes(seen.status)) return seen;
      if (performance.now() > end) throw new Error(`${uuid} is ${JSON.stringify(seen)} after ${seconds} s\n${this.standalone.log}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  async removed(client: DemoClient, uuid: string): Promise<void> {
    await client.request('DELETE', `/v1/containers/${uuid}?force=true`);
    await client.untilGone(`/v1/containers/${uuid}`).catch(async (error) => {
      const seen = await client.request('GET', `/v1/containers/${uuid}`);
      throw new Error(`${error.message}: ${JSON.stringify(seen)}\n${this.standalone.log}`, { cause: error });
    });
  }

  /** Everything in the engine and the database that belongs to a container, or to none. */
  async holdings(): Promise<Record<string, number>> {
    const engine = new EngineClient(await this.standalone.engine());
    const database = new DatabaseSync(join(this.standalone.dataFolder, 'zun.sqlite'), { readOnly: true });
    try {
      const containers = await engine.json<{ Names: string[] }[]>({ method: 'GET', path: '/containers/json', query: { all: true } });
      const volumes = await engine.json<{ Volumes: { Name: string }[] | null }>({ method: 'GET', path: '/volumes' });
      const tables = [
        'container',
        'openkeel_task',
        'openkeel_local_allocation',
        'openkeel_local_port',
        'openkeel_local_attachment',
        'volume',
      ];
      return {
        workloads: containers.length,
        volumes: (volumes.Volumes ?? []).length,
        ...Object.fromEntries(tables.map((table) => [table, Number(database.prepare(`select count(*) as n from ${table}`).get()?.n)])),
      };
    } finally {
      database.close();
      await engine.close();
    }
  }
}

export const nothing: Record<string, number> = {
  workloads: 0,
  volumes: 0,
  container: 0,
  openkeel_task: 0,
  openkeel_local_allocation: 0,
  openkeel_local_port: 0,
  openkeel_local_attachment: 0,
  volume: 0,
};
