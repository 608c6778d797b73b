import { hostname } from 'node:os';
import type { DemoClient } from '../../../src/programs/demo-client.ts';
import type { RecordedCall } from './recorded-call.ts';
import type { SeenRequest } from './recording-proxy.ts';

interface Thing {
  uuid: string;
  name: string;
  status: string;
  task_state?: string | null;
}

/** The uuid that records have for whatever they name by one. */
const recordedUuid = 'c0000000-0000-4000-8000-000000000001';

/** Makes the things that recorded calls name be there, in a state in which the call is accepted. */
export class ClientWorld {
  readonly #client: DemoClient;
  #container: Thing | null = null;
  #image = '';
  #port = '';
  #request = '';

  constructor(client: DemoClient) {
    this.#client = client;
  }

  /** What stays as it is: an image, networks, registries, room in the quotas. */
  async settle(): Promise<void> {
    const { projectId } = this.#client;
    await this.#client.request('PUT', `/v1/quotas/${projectId}`, { containers: -1, memory: -1, cpu: -1, disk: -1 });
    this.#image = (await this.#client.request('POST', '/v1/images', { repo: 'busybox', host: hostname() })).uuid;
    for (const name of ['nn', 'private']) await this.#client.request('POST', '/v1/networks', { name });
    await this.#client.request('POST', '/v1/registries', { registry: { name: 'hub', domain: 'hub.example' } });
  }

  async prepare({ call }: RecordedCall): Promise<void> {
    const service = `host=${hostname()}&binary=zun-compute`;
    await this.#client.request('PUT', `/v1/services/enable?${service}`);
    await this.#client.request('PUT', `/v1/services/force_down?${service}&forced_down=false`);
    const network = /network[_ ]detach/.test(call) ? 'nn' : /network[_ ]attach/.test(call) ? 'private' : null;
    this.#container = await this.#containerNamed('web', wantedStatus(call), network);
    if (/delete$/.test(call)) await this.#containerNamed('db', 'Stopped', null);
    const [image] = (await this.#list('images', 'images')).filter(({ uuid }) => uuid === this.#image);
    if (!image) this.#image = (await this.#client.request('POST', '/v1/images', { repo: 'busybox', host: hostname() })).uuid;
    if ((await this.#list('registries', 'registries')).every(({ name }) => name !== 'reg'))
      await this.#client.request('POST', '/v1/registries', { registry: { name: 'reg', domain: 'registry.example' } });
    if (call.includes('capsule')) await this.#capsule();
    const actions = await this.#read<{ containerActions: { request_id: string }[] }>(
      `containers/${this.#container.uuid}/container_actions`,
    );
    this.#request = actions.containerActions[0]?.request_id ?? '';
    const { networks } = await this.#read<{ networks: { port_id: string }[] }>(`containers/${this.#container.uuid}/network_list`);
    this.#port = networks[0]?.port_id ?? '';
  }

  /** The text of a request with the names of what is really there. */
  rewrite(text: string, { path }: SeenRequest): string {
    const uuid = path.startsWith('/v1/images/') ? this.#image : (this.#container?.uuid ?? '');
    return (
      text
        .replaceAll(recordedUuid, uuid)
        .replaceAll(/\b(nginx|redis)\b/g, 'busybox')
        .replaceAll('compute-1', hostname())
        .replaceAll(/host=h(?=&|$)/g, `host=${hostname()}`)
        .replaceAll('"host": "h"', `"host": "${hostname()}"`)
        .replaceAll('container_actions/req-1', `container_actions/${this.#request}`)
        // Names have two characters at least.
        .replaceAll(/network=n(?=&|$)/g, 'network=nn')
        .replaceAll('"name": "n"', '"name": "nn"')
        .replaceAll(/registries\/r$/g, 'registries/reg')
        // What the records send as an archive is none.
        .replaceAll('"dGFy"', JSON.stringify(Buffer.alloc(1024).toString('base64')))
        .replaceAll('"tar"', JSON.stringify('\0'.repeat(1024)))
        .replaceAll(/port=p(?=&|$)/g, `port=${this.#port}`)
    );
  }

  /** One container of the name in the state; a new one when it shall be on a network. */
  async #containerNamed(name: string, status: string, network: string | null): Promise<Thing> {
    const named = async () => (await this.#list(`containers?name=${name}`, 'containers')).filter((one) => one.name === name);
    // What the call before asked for goes on in the background.
    for (const { uuid } of await named()) await this.#untilIdle(uuid);
    const found = await named();
    const [only] = found;
    if (only && found.length === 1 && only.status === status && status === 'Running' && network === null) return only;
    for (const { uuid, status: now } of found) {
      if (now === 'Paused') {
        await this.#client.request('POST', `/v1/containers/${uuid}/unpause`);
        await this.#until(uuid, 'Running');
      }
      await this.#client.request('DELETE', `/v1/containers/${uuid}?force=true`);
      await this.#client.untilGone(`/v1/containers/${uuid}`);
    }
    const content = Buffer.from('content\n').toString('base64');
    const { uuid } = await this.#client.request('POST', `/v1/containers?run=${status !== 'Created'}`, {
      name,
      image: 'busybox',
      // Ends at once when it is told to.
      command: ['sh', '-c', "trap 'exit 0' TERM; while true; do sleep 0.1; done"],
      cpu: 0.1,
      memory: '32',
      interactive: true,
      mounts: [{ type: 'bind', source: content, destination: '/etc/f' }],
      ...(network === null ? {} : { nets: [{ network }] }),
    });
    await this.#until(uuid, status === 'Created' ? 'Created' : 'Running');
    if (status === 'Stopped') await this.#client.request('POST', `/v1/containers/${uuid}/stop`);
    if (status === 'Paused') await this.#client.request('POST', `/v1/containers/${uuid}/pause`);
    await this.#until(uuid, status);
    return { uuid, name, status };
  }

  async #capsule(): Promise<void> {
    const found = (await this.#list('capsules', 'capsules')).filter(({ name }) => name === 'cap');
    if (found.length === 1 && found[0]?.status === 'Running') return;
    for (const { uuid } of found) {
      await this.#client.request('DELETE', `/v1/capsules/${uuid}`);
      await this.#client.untilGone(`/v1/capsules/${uuid}`);
    }
    const containers = [{ image: 'busybox', command: ['sleep', '100000'] }];
    const template = { kind: 'capsule', capsuleVersion: 'beta', metadata: { name: 'cap' }, spec: { containers } };
    const { uuid } = await this.#client.request('POST', '/v1/capsules', { template });
    await this.#client.until(`/v1/capsules/${uuid}`, ({ status }) => status === 'Running');
  }

  async #untilIdle(uuid: string): Promise<void> {
    const path = `/v1/containers/${uuid}`;
    const deadline = AbortSignal.timeout(30_000);
    for (;;) {
      const one = await this.#client.request('GET', path).catch(() => null);
      if (one === null || (one as unknown as Thing).task_state === null) return;
      if (deadline.aborted) throw new Error(`${path} is busy for half a minute`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  async #until(uuid: string, status: string): Promise<void> {
    await this.#client.until(`/v1/containers/${uuid}`, (container) => container.status === status, 20);
  }

  async #list(path: string, member: string): Promise<Thing[]> {
    return (await this.#read<Record<string, Thing[]>>(path))[member] ?? [];
  }

  async #read<T>(path: string): Promise<T> {
    return (await this.#client.request('GET', `/v1/${path}`)) as unknown as T;
  }
}

/** The state in which a call on a container is accepted. */
function wantedStatus(call: string): string {
  const verb = call.split(/[ .]/).at(-1);
  if (verb === 'unpause') return 'Paused';
  if (verb === 'start' || verb === 'delete') return 'Stopped';
  return 'Running';
}
