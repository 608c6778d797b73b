import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { buildBusyboxImage } from '../../src/local/busybox-image/build-busybox-image.ts';
import { DemoClient } from '../../src/programs/demo-client.ts';
import { EngineClient } from '../../src/runtime/docker/engine-client.ts';
import { zunCommands } from '../model/zun-commands.ts';
import type { ZunSystem } from '../model/zun-system.ts';
import { loadImage } from './engine/load-image.ts';
import { until } from './engine/until.ts';
import { StandaloneProcess } from './standalone-process.ts';

/** So long the test makes new sequences; what has begun is brought to its end. */
const seconds = 40;

let standalone: StandaloneProcess;
let real: ZunSystem;

before(async () => {
  standalone = await StandaloneProcess.start();
  const engine = new EngineClient(await standalone.engine());
  await loadImage(engine, await buildBusyboxImage(), 'busybox:latest');
  await engine.close();
  const { token } = await DemoClient.login(standalone.cloudsFile, 'zun-admin');
  real = systemAt(standalone.url, token);
});

after(() => standalone?.close());

test('on Podman too every container is what the table of states makes of it', async () => {
  const property = fc.asyncProperty(zunCommands(15, { missingImages: false }), async (commands) => {
    try {
      await fc.asyncModelRun(() => ({ model: { containers: [] }, real }), commands);
    } finally {
      await removeAll();
    }
  });
  await fc.assert(property, { numRuns: 100, interruptAfterTimeLimit: seconds * 1_000, maxSkipsPerRun: 0 });
});

function systemAt(url: string, token: string): ZunSystem {
  const headers = { accept: 'application/json', 'x-auth-token': token, 'openstack-api-version': 'container 1.40' };
  return {
    async request(method, path, json) {
      const body = json === undefined ? {} : { body: JSON.stringify(json), headers: { ...headers, 'content-type': 'application/json' } };
      const answer = await fetch(new URL(path, url), { method, headers, ...body });
      const text = await answer.text();
      return { status: answer.status, json: text === '' ? null : JSON.parse(text) };
    },
    async settled() {
      await until('nobody at work', async () => {
        const { json } = await this.request('GET', '/v1/containers');
        const rows = (json as { containers: { status: string; task_state: string | null }[] }).containers;
        const busy = ({ status, task_state: state }: (typeof rows)[number]) => state !== null || ['Creating', 'Deleting'].includes(status);
        return rows.some(busy) ? null : rows;
      });
    },
  };
}

async function removeAll(): Promise<void> {
  const rows = async () =>
    ((await real.request('GET', '/v1/containers')).json as { containers: { uuid: string; status: string }[] }).containers;
  for (const { uuid, status } of await rows()) {
    if (status === 'Paused') await real.request('POST', `/v1/containers/${uuid}/unpause`);
    await real.settled();
    await real.request('DELETE', `/v1/containers/${uuid}?force=true`);
  }
  await until('no container is left', async () => ((await rows()).length === 0 ? true : null));
}
