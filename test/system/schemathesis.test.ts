import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { DemoClient } from '../../src/programs/demo-client.ts';
import { pythonEnvironment } from './python-environment.ts';
import { runCommand, runCommandWell } from './run-command.ts';
import { StandaloneProcess } from './standalone-process.ts';

/** The parts of schemathesis's JSON report that count. `valid_rates`: how the requests of each operation ended, by phase. */
interface Report {
  exit_code: number;
  complete: boolean;
  operations: { total: number; selected: number; tested: number };
  test_cases: { generated: number; with_failures: number };
  failures: unknown[];
  errors: unknown[];
  valid_rates: Record<string, Record<string, { accepted: number; conflicts: number }>>;
}

const checks = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
];

/** What halts and what ends the things that the other operations work on. They come later, on things of their own. */
const halts = '^post-.*-(start|stop|kill|pause|unpause|reboot)$';
const deletions = '^delete-|-rebuild$';

describe('the OpenAPI document and the service, by schemathesis', () => {
  let standalone: StandaloneProcess;
  let client: DemoClient;
  let python: string;
  let folder: string;
  let imageUuid: string;
  const document = () => `${standalone.url}/v1/openapi.json`;

  before(async () => {
    const requirements = path.join(import.meta.dirname, 'schemathesis-requirements.txt');
    python = path.join(await pythonEnvironment('schemathesis', requirements), 'bin/python');
    folder = await mkdtemp(path.join(tmpdir(), 'zun-schemathesis-'));
    standalone = await StandaloneProcess.start({ environment: { ZUN_ENGINE: 'memory' } });
    client = await DemoClient.login(standalone.cloudsFile, 'zun-admin');
    await client.request('PUT', `/v1/quotas/${client.projectId}`, { containers: -1, memory: -1, cpu: -1, disk: -1 });
    imageUuid = (await client.request('POST', '/v1/images', { repo: 'busybox', host: hostname() })).uuid;
  });

  after(async () => {
    await standalone?.close();
    if (folder) await rm(folder, { recursive: true });
  });

  test('the document is served without a token and is valid OpenAPI 3.1', async () => {
    const answer = await fetch(document());
    assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'application/json']);
    const file = path.join(folder, 'openapi.json');
    await writeFile(file, await answer.text());
    await runCommandWell(python, ['-m', 'openapi_spec_validator', file]);
  });

  test('no operation answers 5xx, with a status that is not documented, or with what its schema does not say', async () => {
    const report = await run(await seed('kept', 3), ['--exclude-operation-id-regex', `${halts}|${deletions}`, '-n', '10']);
    assert.deepEqual(unreached(report), beyond);
  });

  test('nor do those that start and halt containers', async () => {
    const names = await seed('halted', 12);
    for (const [index, uuid] of (names.container_ident ?? []).entries()) {
      const [action, status] = index % 3 === 0 ? ['stop', 'Stopped'] : ['pause', 'Paused'];
      if (index % 3 === 2) continue;
      await client.request('POST', `/v1/containers/${uuid}/${action}`);
      await client.until(`/v1/containers/${uuid}`, (container) => container.status === status);
    }
    assert.deepEqual(unreached(await run(names, ['--include-operation-id-regex', halts, '-n', '15'])), []);
  });

  test('nor do those that delete and rebuild', async () => {
    const report = await run(await seed('deleted', 5), ['--include-operation-id-regex', deletions, '-n', '10']);
    // The only image there is is in use.
    assert.deepEqual(unreached(report), ['DELETE /v1/images/{image_id}']);
  });

  /** Makes things of every kind; answers what names them, by parameter. */
  async function seed(name: string, count: number): Promise<Record<string, string[]>> {
    const uuids: Record<'container' | 'capsule' | 'registry' | 'network', string[]> = {
      container: [],
      capsule: [],
      registry: [],
      network: [],
    };
    // What ran before may have taken the only node out of service.
    const service = `host=${hostname()}&binary=zun-compute`;
    await client.request('PUT', `/v1/services/enable?${service}`);
    await client.request('PUT', `/v1/services/force_down?${service}&forced_down=false`);
    for (let index = 0; index < count; index += 1) {
      const one = `${name}-${index}`;
      // Ends at once when it is told to, so that stopping takes no ten seconds.
      const busybox = { image: 'busybox', command: ['sh', '-c', "trap 'exit 0' TERM; while true; do sleep 0.1; done"] };
      const container = { ...busybox, name: one, cpu: 0.1, memory: '32', interactive: true };
      const template = { kind: 'capsule', capsuleVersion: 'beta', metadata: { name: one }, spec: { containers: [busybox] } };
      uuids.container.push((await client.request('POST', '/v1/containers?run=true', container)).uuid);
      uuids.capsule.push((await client.request('POST', '/v1/capsules', { template })).uuid);
      await client.request('POST', '/v1/networks', { name: one });
      await client.request('POST', '/v1/registries', { registry: { name: one, domain: 'registry.example', username: 'u', password: 'p' } });
      uuids.registry.push(one);
      uuids.network.push(one);
    }
    for (const uuid of uuids.container) await client.until(`/v1/containers/${uuid}`, ({ status }) => status === 'Running');
    const execs = uuids.container.map((uuid) => client.request('POST', `/v1/containers/${uuid}/execute?command=true&run=false`));
    const { containerActions } = await read<{ containerActions: { request_id: string }[] }>(`${uuids.container[0]}/container_actions`);
    const { networks } = await read<{ networks: { net_id: string }[] }>(`${uuids.container[0]}/network_list`);
    return {
      request_ident: containerActions.map((action) => action.request_id),
      container_ident: uuids.container,
      capsule_ident: uuids.capsule,
      registry_ident: uuids.registry,
      network_ident: uuids.network,
      host_ident: [hostname()],
      image_id: [imageUuid],
      image: ['busybox'],
      repo: ['busybox'],
      host: [hostname()],
      binary: ['zun-compute'],
      network: [...uuids.network, ...networks.map((network) => network.net_id)],
      path: ['/etc/passwd', '/'],
      command: ['true', 'ls /'],
      exec_id: (await Promise.all(execs)).map((exec) => (exec as unknown as { exec_id: string }).exec_id),
      repository: ['made/here'],
      // A tar archive with nothing in it.
      data: [Buffer.alloc(1024).toString('base64')],
      neutron_net_id: [`${name}-made`],
    };
  }

  const read = async <T>(what: string): Promise<T> => (await client.request('GET', `/v1/containers/${what}`)) as unknown as T;

  async function run(names: Record<string, string[]>, options: string[]): Promise<Report> {
    const file = path.join(folder, 'report.json');
    const { stdout, stderr } = await runCommand(
      python,
      [
        ...['-m', 'schemathesis.cli', 'run', document(), '--header', `X-Auth-Token: ${client.token}`],
        ...['--checks', checks.join(','), '--phases', 'coverage,fuzzing', '--seed', '1', '--continue-on-failure', '--no-color'],
        ...['--report', 'json', '--report-json-path', file, ...options],
      ],
      {
        cwd: folder,
        env: {
          ...process.env,
          SCHEMATHESIS_HOOKS: 'schemathesis-hooks',
          PYTHONPATH: import.meta.dirname,
          PYTHONDONTWRITEBYTECODE: '1',
          ZUN_NAMES: JSON.stringify(names),
        },
      },
    );
    const report = JSON.parse(await readFile(file, 'utf8').catch(() => assert.fail(stdout + stderr))) as Report;
    assert.deepEqual([report.exit_code, report.failures, report.errors], [0, [], []], stdout);
    assert.ok(report.complete && report.operations.tested === report.operations.selected && report.test_cases.generated > 200, stdout);
    return report;
  }
});

/** What `standalone` refuses to everybody: it has no security groups that change. */
const beyond = ['POST /v1/containers/{container_ident}/add_security_group', 'POST /v1/containers/{container_ident}/remove_security_group'];

/** The operations that refused whatever they were asked. */
function unreached({ valid_rates: rates }: Report): string[] {
  return Object.keys(rates).filter((operation) => !Object.values(rates[operation] ?? {}).some(({ accepted }) => accepted > 0));
}
