import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { buildBusyboxImage } from '../../../src/local/busybox-image/build-busybox-image.ts';
import { EngineClient } from '../../../src/runtime/docker/engine-client.ts';
import { type LocalRegistry, registryLogin, startLocalRegistry } from '../engine/local-registry.ts';
import { startPrivateDocker } from '../engine/private-docker.ts';
import { pushImage } from '../engine/push-image.ts';
import { until } from '../engine/until.ts';
import { StandaloneProcess } from '../standalone-process.ts';
import type { CloudName, HttpAnswer, TerminalStep } from './python-session.ts';
import { ClientError, PythonSession } from './python-session.ts';

export type EngineName = 'podman' | 'docker';

/** What the API says of a container, as far as tests look at it. */
export interface ContainerView extends Record<string, unknown> {
  uuid: string;
  name: string;
  status: string;
  status_detail: string | null;
  status_reason: string | null;
  task_state: string | null;
  image: string;
  addresses: Record<string, { addr: string; port: string; subnet_id: string; version: number; preserve_on_delete: boolean }[]> | null;
}

/** An engine's own view of a container, as far as tests look at it. */
export interface EngineContainer {
  Id: string;
  State: { Status: string; Running: boolean; Paused: boolean; ExitCode: number };
  Config: Record<string, unknown> & { Env: string[] | null; Labels: Record<string, string> | null; Hostname: string };
  HostConfig: Record<string, unknown> & {
    CpuShares: number;
    Runtime?: string;
    Memory: number;
    Privileged: boolean;
    RestartPolicy: { Name: string; MaximumRetryCount: number };
  };
  Mounts: { Type: string; Name?: string; Destination: string }[];
  NetworkSettings: { Networks: Record<string, { IPAddress: string }> };
}

/** Sleeps until it is told to stop, and then ends at once with 0: as process 1 a shell ignores what it does not trap. */
export const sleeper = ['sh', '-c', 'trap "exit 0" TERM; while :; do sleep 1 & wait $!; done'];

const settled = ['Created', 'Running', 'Stopped', 'Paused', 'Error', 'Deleted', 'Restarting'];

/** A `npm start` with its clients, registries, engine and database, all for one test file. */
export class ZunSession {
  readonly engineName: EngineName;
  readonly standalone: StandaloneProcess;
  /** Asked behind Zun's back. */
  readonly engine: EngineClient;
  readonly registry: LocalRegistry;
  /** Wants `registryLogin`. */
  readonly lockedRegistry: LocalRegistry;
  /** busybox in `registry`. */
  readonly image: string;
  #python: PythonSession;
  readonly #closing: (() => Promise<unknown>)[];

  private constructor(
    parts: Pick<ZunSession, 'engineName' | 'standalone' | 'engine' | 'registry' | 'lockedRegistry'>,
    python: PythonSession,
    closing: (() => Promise<unknown>)[],
  ) {
    this.engineName = parts.engineName;
    this.standalone = parts.standalone;
    this.engine = parts.engine;
    this.registry = parts.registry;
    this.lockedRegistry = parts.lockedRegistry;
    this.image = `${parts.registry.host}/busybox:1.0`;
    this.#python = python;
    this.#closing = closing;
  }

  static async open(engineName: EngineName): Promise<ZunSession> {
    const closing: (() => Promise<unknown>)[] = [];
    try {
      const registry = await startLocalRegistry();
      closing.unshift(() => registry.close());
      const lockedRegistry = await startLocalRegistry({ login: true });
      closing.unshift(() => lockedRegistry.close());
      const busybox = await buildBusyboxImage();
      const other = await buildBusyboxImage({ files: { '/etc/version': 'two\n' } });
      await pushImage(registry.host, 'busybox', '1.0', busybox);
      await pushImage(registry.host, 'busybox', '2.0', other);
      await pushImage(registry.host, 'unused', '1.0', busybox);
      await pushImage(lockedRegistry.host, 'team/busybox', '1.0', busybox, registryLogin);
      const docker = engineName === 'docker' ? await startPrivateDocker() : null;
      if (docker) closing.unshift(() => docker.close());
      const standalone = await StandaloneProcess.start(docker ? { engine: docker.target } : {});
      closing.unshift(() => standalone.close());
      const engine = new EngineClient(await standalone.engine());
      closing.unshift(() => engine.close());
      const python = await PythonSession.open(standalone.cloudsFile);
      return new ZunSession({ engineName, standalone, engine, registry, lockedRegistry }, python, closing);
    } catch (error) {
      for (const close of closing) await close();
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#python.close();
    for (const close of this.#closing) await close();
  }

  /** What `openstack ARGUMENT…` prints; throws with what it complained about. */
  async openstack(...argv: string[]): Promise<string> {
    return this.openstackAs('zun', ...argv);
  }

  async openstackAs(cloud: CloudName, ...argv: string[]): Promise<string> {
    const { exitCode, stdout, stderr } = await this.#python.openstack(cloud, argv);
    if (exitCode !== 0) throw new Error(`openstack ${argv.join(' ')} ended with ${exitCode}:\n${stderr}${stdout}`);
    return stdout;
  }

  /** `openstack COMMAND -f json ARGUMENT…`: of a list, rows with the column names as keys. `command` is all its words. */
  async json<Shape>(command: string, ...argv: string[]): Promise<Shape> {
    return this.jsonAs<Shape>('zun', command, ...argv);
  }

  async jsonAs<Shape>(cloud: CloudName, command: string, ...argv: string[]): Promise<Shape> {
    return JSON.parse(await this.openstackAs(cloud, ...command.split(' '), '-f', 'json', ...argv)) as Shape;
  }

  /** Runs `openstack` in `folder` and tells how it ended. */
  try(cloud: CloudName, argv: string[], folder: string | null = null) {
    return this.#python.openstack(cloud, argv, folder);
  }

  /** `openstack ARGUMENT…` at a terminal: what it showed. */
  terminal(argv: string[], steps: readonly TerminalStep[]): Promise<string> {
    return this.#python.terminal('zun', argv, steps);
  }

  /** zunclient's `containers.list` and the like, as the plain user. Throws `ClientError`. */
  call<Shape>(name: string, args: unknown[] = [], kwargs: Record<string, unknown> = {}): Promise<Shape> {
    return this.#python.call<Shape>('zun', name, args, kwargs);
  }

  callAs<Shape>(cloud: CloudName, name: string, args: unknown[] = [], kwargs: Record<string, unknown> = {}): Promise<Shape> {
    return this.#python.call<Shape>(cloud, name, args, kwargs);
  }

  http(cloud: CloudName, method: string, path: string, body: unknown = null, headers: Record<string, string> = {}) {
    return this.#python.http(cloud, method, path, body, headers);
  }

  /** Runs a container of the test's image under a name of its own, and waits until it is in one of `statuses`. */
  async run(wishes: Record<string, unknown> = {}, ...statuses: string[]): Promise<ContainerView> {
    return this.#made('containers.run', wishes, statuses.length > 0 ? statuses : ['Running']);
  }

  /** As `run`, without starting it. */
  async create(wishes: Record<string, unknown> = {}, ...statuses: string[]): Promise<ContainerView> {
    return this.#made('containers.create', wishes, statuses.length > 0 ? statuses : ['Created']);
  }

  async show(container: string): Promise<ContainerView> {
    return this.call<ContainerView>('containers.get', [container]);
  }

  /** Waits until no task works on the container and it is in one of `statuses`; fails at once in another settled status. */
  async until(container: string, ...statuses: string[]): Promise<ContainerView> {
    let last: ContainerView | null = null;
    await until(`${container} is ${statuses}`, async () => {
      last = await this.show(container);
      return last.task_state === null && settled.includes(last.status) && (statuses.includes(last.status) || last.status === 'Error')
        ? last
        : null;
    }).catch((error) => {
      throw new Error(`${error.message}: ${JSON.stringify(last)}\n${this.standalone.log}`, { cause: error });
    });
    const seen = last as ContainerView | null;
    assert.ok(seen && statuses.includes(seen.status), `${container} is ${seen?.status} and not ${statuses}: ${seen?.status_reason}`);
    return seen;
  }

  async untilGone(container: string): Promise<void> {
    let last: HttpAnswer | null = null;
    await until(`${container} is gone`, async () => {
      last = await this.http('zun', 'GET', `/v1/containers/${container}`);
      return last.status === 404 ? true : null;
    }).catch((error) => {
      throw new Error(`${error.message}: ${JSON.stringify(last)}\n${this.standalone.log}`, { cause: error });
    });
  }

  /** Deletes it by force, whatever it does, and waits until it is gone. */
  async remove(...containers: string[]): Promise<void> {
    for (const container of containers) {
      await this.callAs('zun-admin', 'containers.delete', [container], { force: true, all_projects: true });
      await this.untilGone(container);
    }
  }

  /** `rules` of policy.yaml hold while `test` runs. */
  async withPolicy(rules: Record<string, string>, test: () => Promise<void>): Promise<void> {
    const file = join(this.standalone.dataFolder, 'policy.yaml');
    await writeFile(file, JSON.stringify(rules));
    // The file is looked at once a second.
    await pause(1_100);
    try {
      await test();
    } finally {
      await rm(file);
    }
  }

  inspect(uuid: string): Promise<EngineContainer> {
    return this.engine.json<EngineContainer>({ method: 'GET', path: `/containers/zun-${uuid}/json` });
  }

  /** Rows of the database, read beside the running program. */
  rows(sql: string, ...values: SQLInputValue[]): Record<string, unknown>[] {
    const database = new DatabaseSync(join(this.standalone.dataFolder, 'zun.sqlite'), { readOnly: true });
    try {
      return database.prepare(sql).all(...values);
    } finally {
      database.close();
    }
  }

  /** After a restart of standalone: the same clients. */
  async reconnect(): Promise<void> {
    await this.#python.close();
    this.#python = await PythonSession.open(this.standalone.cloudsFile);
  }

  async #made(call: string, wishes: Record<string, unknown>, statuses: string[]): Promise<ContainerView> {
    const made = await this.call<ContainerView>(call, [], {
      name: `c-${randomUUID().slice(0, 8)}`,
      image: this.image,
      command: sleeper,
      ...wishes,
    });
    return this.until(made.uuid, ...statuses);
  }
}

/** Asserts that zunclient refuses, with this status and text. */
export async function refused(promise: Promise<unknown>, status: number, text: RegExp): Promise<void> {
  await assert.rejects(promise, (error) => {
    assert.ok(error instanceof ClientError, String(error));
    assert.equal(error.status, status, error.message);
    assert.match(error.message, text);
    return true;
  });
}
