import { createHash } from 'node:crypto';
import { access, mkdir, readdir, readFile, symlink } from 'node:fs/promises';
import path from 'node:path';
import { runCommandWell } from '../system/run-command.ts';
import { testCache } from '../system/test-cache.ts';
import type { ClusterPlace } from './cluster-facts.ts';

const components = [
  ...['etcd', 'expose', 'helm', 'kube-apiserver', 'kube-controller-manager', 'kube-proxy'],
  ...['kube-scheduler', 'kubectl', 'kubelet', 'metrics-server'],
];

/**
 * The cluster's programs, which are built when the cache holds none of the same sources: about ten minutes on two cores when Go's own
 * cache is empty, seconds when it is not.
 */
export async function clusterPrograms(): Promise<Pick<ClusterPlace, 'programs' | 'kwok' | 'networks'>> {
  const kubernetes = await builtProgram('kubernetes', '.', await versionFlags());
  const kwok = await builtProgram('kwok', 'sigs.k8s.io/kwok/cmd/kwok', []);
  const networks = await builtProgram('networks', '.', []);
  const programs = path.dirname(kubernetes);
  for (const name of components)
    await symlink('kubernetes', path.join(programs, name)).catch((error) => {
      if (error.code !== 'EEXIST') throw error;
    });
  return { programs, kwok, networks };
}

/**
 * Builds a Go module of this folder. The program appears under its name when it is whole, and two that want it at once build it once.
 * Its path is answered.
 */
async function builtProgram(name: string, goPackage: string, flags: string[]): Promise<string> {
  const sources = path.join(import.meta.dirname, name);
  const folder = await testCache('cluster', `${name}-${await hashOf(sources, flags)}`);
  const program = path.join(folder, name);
  const present = await access(program).then(
    () => true,
    () => false,
  );
  if (present) return program;
  console.error(`building ${name} for the test cluster, once; this takes minutes`);
  const making = path.join(folder, 'making');
  await mkdir(making, { recursive: true });
  const build = [
    'go',
    'build',
    '-buildvcs=false',
    '-trimpath',
    '-ldflags',
    `-s -w ${flags.join(' ')}`,
    '-o',
    `${making}/${name}`,
    goPackage,
  ];
  const script = `[ -e "$0" ] || { "$@" && mv '${making}/${name}' "$0"; }`;
  // Debian's Go stays with the version that it is unless it is told otherwise.
  const env = { ...process.env, CGO_ENABLED: '0', GOTOOLCHAIN: 'auto', GOFLAGS: '' };
  await runCommandWell('flock', [path.join(folder, 'lock'), 'sh', '-c', script, program, ...build], { cwd: sources, env });
  return program;
}

async function hashOf(folder: string, flags: string[]): Promise<string> {
  const hash = createHash('sha256').update(flags.join(' '));
  for (const file of (await readdir(folder)).toSorted()) hash.update(await readFile(path.join(folder, file)));
  return hash.digest('hex').slice(0, 16);
}

/** The components tell each other their versions, and refuse what has none; charts ask helm for Kubernetes's. */
async function versionFlags(): Promise<string[]> {
  const modules = await readFile(path.join(import.meta.dirname, 'kubernetes/go.mod'), 'utf8');
  const [, version = '', minor = ''] = /k8s\.io\/kubernetes (v1\.(\d+)\.\d+)/.exec(modules) ?? [];
  const [, helm = ''] = /helm\.sh\/helm\/v4 (v\S+)/.exec(modules) ?? [];
  const kubernetes = { gitVersion: version, gitMajor: '1', gitMinor: minor, gitTreeState: 'archive' };
  const forCharts = { k8sVersionMajor: '1', k8sVersionMinor: minor };
  const values = {
    'k8s.io/component-base/version': kubernetes,
    'k8s.io/client-go/pkg/version': kubernetes,
    'helm.sh/helm/v4/internal/version': { version: helm, kubeClientVersionMajor: '1', kubeClientVersionMinor: minor },
    'helm.sh/helm/v4/pkg/chart/common': forCharts,
    'helm.sh/helm/v4/pkg/chart/v2/lint/rules': forCharts,
  };
  return Object.entries(values).flatMap(([place, named]) => Object.entries(named).map(([name, value]) => `-X ${place}.${name}=${value}`));
}
