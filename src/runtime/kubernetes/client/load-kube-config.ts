import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { KubeConfig } from '@kubernetes/client-node';
import { parse } from 'yaml';

export interface KubeConfigChoice {
  /** Path of a kubeconfig file; `null`: `KUBECONFIG`, `~/.kube/config`, or the service account of the Pod that this runs in. */
  kubeconfig: string | null;
  /** One of the file's contexts; `null`: its current one. */
  context: string | null;
}

/**
 * Which API server to ask, and as whom. Throws an `Error` that names the file and the context when there is none, or when it leads
 * nowhere. Servers without TLS are refused unless the kubeconfig says `insecure-skip-tls-verify`.
 */
export function loadKubeConfig({ kubeconfig, context }: KubeConfigChoice): KubeConfig {
  const config = new KubeConfig();
  const where = kubeconfig === null ? 'the kubeconfig' : `kubeconfig ${kubeconfig}`;
  try {
    if (kubeconfig === null) config.loadFromDefault();
    else loadFile(config, kubeconfig);
  } catch (error) {
    throw new Error(`${where} cannot be used: ${error instanceof Error ? error.message : error}`, { cause: error });
  }
  // The library's last resort.
  if (
    kubeconfig === null &&
    config.getCurrentCluster()?.server === 'http://localhost:8080' &&
    config.getCurrentContext() === 'loaded-context'
  ) {
    throw new Error('no Kubernetes is configured: name a kubeconfig file, set KUBECONFIG, or run in a Pod with a service account');
  }
  if (context !== null) config.setCurrentContext(context);
  check(config, where);
  return config;
}

/** With the `tokenFile` of users, which the library reads only for Pods. */
function loadFile(config: KubeConfig, path: string): void {
  config.loadFromFile(path);
  const document = parse(readFileSync(path, 'utf8')) as { users?: { name?: string; user?: { token?: string; tokenFile?: string } }[] };
  for (const { name, user } of document.users ?? []) {
    if (!user?.tokenFile || user.token) continue;
    const at = config.users.findIndex((known) => known.name === name);
    const tokenFile = resolve(dirname(path), user.tokenFile);
    const known = config.users[at];
    if (known) config.users[at] = { ...known, authProvider: { name: 'tokenFile', config: { tokenFile } } };
  }
}

function check(config: KubeConfig, where: string): void {
  const name = config.getCurrentContext();
  if (!name) throw new Error(`${where} has no current-context: name one of ${names(config.getContexts())}`);
  const context = config.getContextObject(name);
  if (!context) throw new Error(`${where} has no context '${name}'; it has ${names(config.getContexts())}`);
  const of = `context '${name}' of ${where}`;
  const cluster = config.getCluster(context.cluster);
  if (!cluster)
    throw new Error(`${of} names the cluster '${context.cluster}', which is not there; there is ${names(config.getClusters())}`);
  if (!config.getUser(context.user)) {
    throw new Error(`${of} names the user '${context.user ?? ''}', which is not there; there is ${names(config.getUsers())}`);
  }
  const url = URL.parse(cluster.server);
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw new Error(`${of} has the server '${cluster.server}', which is not an https:// URL`);
  }
  if (url.protocol === 'http:' && !cluster.skipTLSVerify) {
    throw new Error(`${of} has the server '${cluster.server}' without TLS: use https://, or set insecure-skip-tls-verify`);
  }
  if (cluster.proxyUrl && !/^https?:/.test(cluster.proxyUrl)) {
    throw new Error(`${of} has the proxy-url '${cluster.proxyUrl}': only http:// and https:// proxies are supported`);
  }
}

function names(items: { name: string }[]): string {
  return items.length === 0 ? 'none' : items.map(({ name }) => `'${name}'`).join(', ');
}
