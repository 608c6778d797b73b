import path from 'node:path';
import type { Cluster } from '../../cluster/cluster.ts';

export interface Answer {
  status: number;
  text: string;
}

/** A user of the API: calls the Service of a release at its cluster address, which exists inside of the cluster only. */
export class ServiceClient {
  readonly #cluster: Cluster;
  readonly #address: string;
  readonly #token: string;

  private constructor(cluster: Cluster, address: string, token: string) {
    this.#cluster = cluster;
    this.#address = address;
    this.#token = token;
  }

  /** Logs in at the identity beside the API. */
  static async login(cluster: Cluster, address: string, user: string, password: string): Promise<ServiceClient> {
    const domain = { name: 'Default' };
    const identity = { methods: ['password'], password: { user: { name: user, domain, password } } };
    const body = JSON.stringify({ auth: { identity, scope: { project: { name: user, domain } } } });
    const post = ['-X', 'POST', '-H', 'content-type: application/json', '--data-binary', body];
    const printed = await curl(cluster, [...post, '--dump-header', '-', `http://${address}:9518/v3/auth/tokens`]);
    const [, token] = /^x-subject-token: (\S+)/im.exec(printed) ?? [];
    if (token === undefined) throw new Error(`nobody logs in: ${printed}`);
    return new ServiceClient(cluster, address, token);
  }

  /** Throws when nobody answers, not when the answer is a refusal. */
  async ask(method: string, path: string, body?: unknown): Promise<Answer> {
    const sent = body === undefined ? [] : ['-H', 'content-type: application/json', '--data-binary', JSON.stringify(body)];
    const headers = ['-H', `X-Auth-Token: ${this.#token}`, '-H', 'OpenStack-API-Version: container 1.40'];
    const printed = await curl(this.#cluster, [
      '-X',
      method,
      ...headers,
      ...sent,
      '-w',
      '\n%{http_code}',
      `http://${this.#address}:9517${path}`,
    ]);
    const end = printed.lastIndexOf('\n');
    return { status: Number(printed.slice(end + 1)), text: printed.slice(0, end) };
  }

  /** The JSON of an answer that is none of refusal; `undefined` for none. */
  async get<T>(method: string, path: string, body?: unknown): Promise<T> {
    const { status, text } = await this.ask(method, path, body);
    if (status >= 400) throw new Error(`${method} ${path}: ${status} ${text}`);
    return (text === '' ? undefined : JSON.parse(text)) as T;
  }
}

/** Types into a console at its address inside of the cluster, and answers all that came until it was closed, and the close code. */
export async function talkIn(cluster: Cluster, url: string, typed: string): Promise<{ said: string; code: number }> {
  const { exitCode, stdout, stderr } = await cluster.exec([
    process.execPath,
    path.join(import.meta.dirname, 'console-client.ts'),
    url,
    typed,
  ]);
  if (exitCode !== 0) throw new Error(`the console's client ended with ${exitCode}: ${stderr}`);
  return JSON.parse(stdout);
}

async function curl(cluster: Cluster, args: string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await cluster.exec(['curl', '-sS', '--max-time', '30', ...args]);
  if (exitCode !== 0) throw new Error(`curl ended with ${exitCode}: ${stderr}`);
  return stdout;
}
