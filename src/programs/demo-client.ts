import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';

interface Cloud {
  auth: {
    auth_url: string;
    username: string;
    password: string;
    project_name: string;
    user_domain_name: string;
    project_domain_name: string;
  };
}

/** What the demo reads of an answer. */
export interface DemoAnswer {
  uuid: string;
  status: string;
  status_detail: string | null;
  status_reason: string | null;
}

/** A few lines of a client: logs in with a cloud of `clouds.yaml` and calls the endpoint of the catalogue. */
export class DemoClient {
  readonly user: string;
  readonly projectId: string;
  readonly token: string;
  readonly #endpoint: string;

  private constructor(login: { user: string; projectId: string; token: string; endpoint: string }) {
    this.user = login.user;
    this.projectId = login.projectId;
    this.token = login.token;
    this.#endpoint = login.endpoint;
  }

  static async login(cloudsFile: string, cloudName: string): Promise<DemoClient> {
    const { clouds }: { clouds: Record<string, Cloud> } = parse(await readFile(cloudsFile, 'utf8'));
    const cloud = clouds[cloudName];
    if (!cloud) throw new Error(`${cloudsFile} has no cloud ${cloudName}`);
    const { auth } = cloud;
    const response = await fetch(`${auth.auth_url}/auth/tokens`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        auth: {
          identity: {
            methods: ['password'],
            password: { user: { name: auth.username, domain: { name: auth.user_domain_name }, password: auth.password } },
          },
          scope: { project: { name: auth.project_name, domain: { name: auth.project_domain_name } } },
        },
      }),
    });
    const token = response.headers.get('x-subject-token');
    if (!token) throw new Error(`login failed: ${response.status} ${await response.text()}`);
    const document = (await response.json()) as {
      token: { project: { id: string }; catalog: { type: string; endpoints: { interface: string; url: string }[] }[] };
    };
    const endpoint = document.token.catalog.find(({ type }) => type === 'container')?.endpoints.find((one) => one.interface === 'public');
    if (!endpoint) throw new Error('the catalogue has no container service');
    return new DemoClient({
      user: auth.username,
      projectId: document.token.project.id,
      token,
      endpoint: endpoint.url.replace(/\/v1\/?$/, ''),
    });
  }

  /** The JSON of the answer. Throws with the sentence of an error document. */
  async request(method: string, path: string, body?: unknown): Promise<DemoAnswer> {
    const answer = await this.#send(method, path, body);
    if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer.status === 204 ? ({} as DemoAnswer) : ((await answer.json()) as DemoAnswer);
  }

  /** Reads until the condition holds, for a minute at most. */
  async until(path: string, condition: (answer: DemoAnswer) => boolean, pause = 100): Promise<DemoAnswer> {
    for (const signal = AbortSignal.timeout(60_000); ; ) {
      const answer = await this.request('GET', path);
      if (condition(answer)) return answer;
      if (signal.aborted) throw new Error(`${path} is still ${answer.status} after a minute`);
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }

  async untilGone(path: string): Promise<void> {
    for (const signal = AbortSignal.timeout(60_000); (await this.#send('GET', path)).status !== 404; ) {
      if (signal.aborted) throw new Error(`${path} is still there after a minute`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  #send(method: string, path: string, body?: unknown): Promise<Response> {
    const headers = { 'x-auth-token': this.token, 'openstack-api-version': 'container 1.40', 'content-type': 'application/json' };
    return fetch(`${this.#endpoint}${path}`, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
  }
}
