import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { stringify } from 'yaml';
import { KubeCredentials } from './kube-credentials.ts';
import { loadKubeConfig } from './load-kube-config.ts';

let folder = '';
before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'load-kube-config-'));
});
after(() => rm(folder, { recursive: true }));

const plain = () => ({
  apiVersion: 'v1',
  kind: 'Config',
  'current-context': 'one',
  clusters: [
    { name: 'near', cluster: { server: 'https://near.example:6443' } },
    { name: 'far', cluster: { server: 'https://far.example:6443' } },
  ],
  users: [{ name: 'me', user: { token: 'secret' } as object }],
  contexts: [
    { name: 'one', context: { cluster: 'near', user: 'me' } },
    { name: 'two', context: { cluster: 'far', user: 'me' } },
  ],
});

/** The path of a kubeconfig that is the plain one, changed. */
async function fileWith(change: (document: ReturnType<typeof plain>) => void): Promise<string> {
  const document = plain();
  change(document);
  const file = path.join(folder, 'config');
  await writeFile(file, stringify(document));
  return file;
}

test('the file says the server, by its current context or the one asked for', async () => {
  const kubeconfig = await fileWith(() => {});
  const server = (context: string | null) => loadKubeConfig({ kubeconfig, context }).getCurrentCluster()?.server;
  assert.equal(server(null), 'https://near.example:6443');
  assert.equal(server('two'), 'https://far.example:6443');
});

test("a user's tokenFile is read, beside the kubeconfig when its path is relative", async () => {
  const kubeconfig = await fileWith((document) => {
    document.users = [{ name: 'me', user: { tokenFile: 'token' } }];
  });
  await writeFile(path.join(folder, 'token'), 'from-file\n');
  const { headers } = await new KubeCredentials(loadKubeConfig({ kubeconfig, context: null })).current();
  assert.equal(headers.authorization, 'Bearer from-file');
});

const mistakes: [string, (document: ReturnType<typeof plain>) => void, string | null, RegExp][] = [
  ['a context that is not there', () => {}, 'three', /^kubeconfig .*\/config has no context 'three'; it has 'one', 'two'$/],
  [
    'no current context',
    (document) => {
      document['current-context'] = '';
    },
    null,
    /^kubeconfig .* has no current-context: name one of 'one', 'two'$/,
  ],
  [
    'a cluster that is not there',
    (document) => {
      document.clusters.shift();
    },
    null,
    /^context 'one' of kubeconfig .* names the cluster 'near', which is not there; there is 'far'$/,
  ],
  [
    'a user that is not there',
    (document) => {
      document.users = [];
    },
    null,
    /^context 'one' of kubeconfig .* names the user 'me', which is not there; there is none$/,
  ],
  [
    'a server that is no URL',
    (document) => {
      document.clusters = [{ name: 'near', cluster: { server: 'near.example' } }];
    },
    null,
    /has the server 'near.example', which is not an https:\/\/ URL$/,
  ],
  [
    'a server without TLS',
    (document) => {
      document.clusters = [{ name: 'near', cluster: { server: 'http://near.example' } }];
    },
    null,
    /has the server 'http:\/\/near.example' without TLS: use https:\/\/, or set insecure-skip-tls-verify$/,
  ],
  [
    'a proxy that is not HTTP',
    (document) => {
      document.clusters = [{ name: 'near', cluster: { server: 'https://near.example', 'proxy-url': 'socks5://p' } as { server: string } }];
    },
    null,
    /has the proxy-url 'socks5:\/\/p': only http:\/\/ and https:\/\/ proxies are supported$/,
  ],
  [
    'an entry without a name',
    (document) => {
      document.clusters = [{ name: '', cluster: { server: 'https://x' } }];
    },
    null,
    /^kubeconfig .*\/config cannot be used: clusters\[0\]\.name is missing$/,
  ],
];

for (const [what, change, context, message] of mistakes)
  test(`${what} is told with the file and the context`, async () => {
    const kubeconfig = await fileWith(change);
    assert.throws(() => loadKubeConfig({ kubeconfig, context }), { message });
  });

test('a file that is not there, is no YAML, or holds something else is told with its path', async () => {
  const file = path.join(folder, 'other');
  assert.throws(() => loadKubeConfig({ kubeconfig: file, context: null }), { message: /^kubeconfig .*\/other cannot be used: ENOENT/ });
  for (const text of ['a: [', 'just words', '']) {
    await writeFile(file, text);
    assert.throws(() => loadKubeConfig({ kubeconfig: file, context: null }), {
      message: /^kubeconfig .*\/other (cannot be used: |has no)/,
    });
  }
});
