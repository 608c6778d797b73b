import { LocalBench } from '../bench/local-bench.ts';
import { endsOnTerm } from '../contract/runtime/scripts.ts';

/** A bench with one of everything that a path can name. */
export interface InputWorld {
  bench: LocalBench;
  /** A real ident for each path parameter. */
  idents: Record<string, string>;
  /** Makes anew what a probe has taken away, stopped or paused. */
  restore(): Promise<void>;
}

/** What each operation needs besides the parameter under test, so that this one is reached. */
export const enough: Record<string, Record<string, unknown>> = {
  'POST /v1/containers': { image: 'busybox', command: endsOnTerm(0), memory: '64' },
  'POST /v1/containers/{container_ident}/execute': { command: 'true' },
  'POST /v1/containers/{container_ident}/kill': { signal: 'SIGUSR1' },
  'POST /v1/containers/{container_ident}/put_archive': { path: '/tmp', data: '' },
  'POST /v1/containers/{container_ident}/commit': { repository: 'committed', tag: 'latest' },
  'POST /v1/containers/{container_ident}/network_attach': { network: 'second' },
  'POST /v1/containers/{container_ident}/network_detach': { network: 'second' },
  'POST /v1/containers/{container_ident}/rename': { name: 'other' },
  'POST /v1/containers/{container_ident}/resize': { width: '80', height: '24' },
  'POST /v1/containers/{container_ident}/execute_resize': { exec_id: 'x', width: '80', height: '24' },
  'GET /v1/containers/{container_ident}/get_archive': { path: '/etc' },
  'POST /v1/images': { repo: 'busybox', host: 'bench' },
  'POST /v1/networks': { neutron_net_id: 'second' },
  'POST /v1/registries': { registry: { domain: 'registry.example', name: 'store', username: 'reader', password: 'secret' } },
  'DELETE /v1/services': { host: 'nosuchhost', binary: 'zun-compute' },
  'PUT /v1/services/enable': { host: 'bench', binary: 'zun-compute' },
  'PUT /v1/services/disable': { host: 'nosuchhost', binary: 'zun-compute' },
  'PUT /v1/services/force_down': { host: 'nosuchhost', binary: 'zun-compute', forced_down: 'true' },
};

export async function inputWorld(): Promise<InputWorld> {
  const bench = await LocalBench.open();
  const idents: Record<string, string> = {
    request_ident: 'req-none',
    image_id: '00000000-0000-0000-0000-000000000001',
    image: 'busybox',
    network_ident: 'second',
    host_ident: 'bench',
    capsule_ident: '00000000-0000-0000-0000-000000000001',
    project_id: 'demo-project',
    quota_class_name: 'default',
    registry_ident: '',
    container_ident: '',
  };
  const world: InputWorld = {
    bench,
    idents,
    async restore() {
      await bench.report();
      const { queries } = bench.database;
      const rows = await queries.selectFrom('container').select(['uuid', 'status', 'name']).execute();
      const mine = rows.find(({ uuid }) => uuid === idents.container_ident);
      if (mine?.status === 'Paused') await bench.ask('POST', `/v1/containers/${mine.uuid}/unpause`);
      if (mine?.status === 'Stopped') await bench.ask('POST', `/v1/containers/${mine.uuid}/start`);
      for (const { uuid } of rows) if (uuid !== mine?.uuid) await bench.ask('DELETE', `/v1/containers/${uuid}?force=true`);
      await bench.runTasks();
      if (!mine) {
        const made = await bench.ask('POST', '/v1/containers?run=true', { ...enough['POST /v1/containers'], name: 'web' });
        await bench.runTasks();
        idents.container_ident = String(made.uuid);
      }
      const registry = await queries.selectFrom('registry').select('uuid').executeTakeFirst();
      idents.registry_ident = String(registry?.uuid ?? (await bench.ask('POST', '/v1/registries', enough['POST /v1/registries'])).uuid);
      await queries.deleteFrom('quota_classes').execute();
      await queries.deleteFrom('quotas').execute();
    },
  };
  await world.restore();
  return world;
}
