import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { runCommandWell } from '../system/run-command.ts';
import { node } from './cluster-facts.ts';

/** Who talks to kube-apiserver: the user's name and group by the name of its kubeconfig. */
const users = {
  admin: ['admin', 'system:masters'],
  'kube-controller-manager': ['system:kube-controller-manager', ''],
  'kube-scheduler': ['system:kube-scheduler', ''],
  kubelet: [`system:node:${node.name}`, 'system:nodes'],
  'kube-proxy': ['system:kube-proxy', ''],
} as const;

/** A kubeconfig's two ways to log in: by a token, or by a certificate. */
type Credentials = { token: string } | { 'client-certificate-data': string; 'client-key-data': string };

/**
 * Makes in `pki` one authority, its certificates and a token for each user, and in `etc` a kubeconfig for each user. The
 * administrator's certificate is `pki/admin.crt`.
 */
export async function makeCertificates(folder: string): Promise<void> {
  const pki = path.join(folder, 'pki');
  const openssl = (...args: string[]) => runCommandWell('openssl', args, { cwd: pki });
  await openssl('req', '-x509', ...newKey('ca'), '-subj', '/CN=test-ca', '-days', '3650', '-out', 'ca.crt');
  const sign = async (name: string, subject: string, extension: string) => {
    await writeFile(path.join(pki, `${name}.ext`), extension);
    await openssl('req', ...newKey(name), '-subj', subject, '-out', `${name}.csr`);
    const authority = ['-CA', 'ca.crt', '-CAkey', 'ca.key', '-CAcreateserial', '-CAserial', `${name}.srl`];
    await openssl('x509', '-req', '-in', `${name}.csr`, ...authority, '-days', '3650', '-extfile', `${name}.ext`, '-out', `${name}.crt`);
  };
  const client = 'extendedKeyUsage=clientAuth';
  const addresses = ['127.0.0.1', node.address, '10.96.0.1'].map((address) => `IP:${address}`);
  const names = ['localhost', 'kubernetes', 'kubernetes.default.svc'].map((name) => `DNS:${name}`);
  await Promise.all([
    sign('kube-apiserver', '/CN=kube-apiserver', `subjectAltName=${[...addresses, ...names].join(',')}`),
    sign('kubelet-client', '/O=system:masters/CN=kube-apiserver-kubelet-client', client),
    sign('front-proxy', '/CN=front-proxy', client),
    sign('admin', '/O=system:masters/CN=admin', client),
    openssl('genrsa', '-out', 'service-accounts.key', '2048'),
  ]);
  await writeKubeconfigs(folder);
}

const newKey = (name: string) => ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', `${name}.key`];

async function writeKubeconfigs(folder: string): Promise<void> {
  const tokens: string[] = [];
  for (const [name, [user, group]] of Object.entries(users)) {
    const token = randomBytes(16).toString('hex');
    tokens.push(`${token},${user},${name},"${group}"\n`);
    await writeFile(path.join(folder, 'etc', `${name}.kubeconfig`), await kubeconfig(folder, 6443, { token }));
  }
  await writeFile(path.join(folder, 'pki/tokens.csv'), tokens.join(''));
}

/**
 * Writes the administrator's kubeconfigs for use outside, where the API is on `port` of 127.0.0.1: `outside.kubeconfig` with a token
 * and `outside-certificate.kubeconfig` with a client certificate. Both hold all that they need. The first one's path is answered.
 */
export async function writeOutsideKubeconfigs(folder: string, port: number): Promise<string> {
  const [token = ''] = (await readFile(path.join(folder, 'pki/tokens.csv'), 'utf8')).split(',');
  const certificate = {
    'client-certificate-data': await base64(folder, 'admin.crt'),
    'client-key-data': await base64(folder, 'admin.key'),
  };
  const file = path.join(folder, 'outside.kubeconfig');
  await writeFile(file, await kubeconfig(folder, port, { token }));
  await writeFile(path.join(folder, 'outside-certificate.kubeconfig'), await kubeconfig(folder, port, certificate));
  return file;
}

/** JSON is YAML. */
async function kubeconfig(folder: string, port: number, user: Credentials): Promise<string> {
  const cluster = { server: `https://127.0.0.1:${port}`, 'certificate-authority-data': await base64(folder, 'ca.crt') };
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'test',
    clusters: [{ name: 'test', cluster }],
    users: [{ name: 'test', user }],
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'test' } }],
  });
}

const base64 = (folder: string, name: string) => readFile(path.join(folder, 'pki', name), 'base64');
