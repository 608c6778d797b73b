import { existsSync } from 'node:fs';
import { readFile, statfs } from 'node:fs/promises';
import type { NodeFacts } from '../container-runtime.ts';
import type { EngineTarget } from './engine-target.ts';

/** What this adapter reads of `GET /info`. */
export interface EngineInfo {
  Name?: string;
  NCPU?: number;
  MemTotal?: number;
  Containers?: number;
  ContainersRunning?: number;
  ContainersPaused?: number;
  ContainersStopped?: number;
  Architecture?: string;
  OSType?: string;
  OperatingSystem?: string;
  KernelVersion?: string;
  Labels?: string[] | null;
  Runtimes?: Record<string, unknown> | null;
  DefaultRuntime?: string;
  DockerRootDir?: string;
  Driver?: string;
  DriverStatus?: [string, string][] | null;
}

const bytesPerGiB = 1024 ** 3;

/** Docker names the machine as the kernel does, Podman as Go does. */
const machineNames: Record<string, string> = { amd64: 'x86_64', arm64: 'aarch64' };

/** Zun's docker/driver.py `get_host_info` and `get_total_disk_for_container`, docker/host.py `check_supported_disk_quota`. */
export async function nodeFacts(info: EngineInfo, kind: EngineTarget['kind']): Promise<NodeFacts> {
  const root = info.DockerRootDir !== undefined && existsSync(info.DockerRootDir) ? info.DockerRootDir : '/';
  const disk = await statfs(root);
  return {
    hostname: info.Name ?? '',
    cpus: info.NCPU ?? 0,
    memoryTotalMiB: Math.floor((info.MemTotal ?? 0) / 1024 ** 2),
    diskTotalGiB: Math.floor((disk.blocks * disk.bsize) / bytesPerGiB),
    diskUsedGiB: Math.floor(((disk.blocks - disk.bfree) * disk.bsize) / bytesPerGiB),
    diskQuotaSupported: diskQuotaSupported(info, root, await readFile('/proc/mounts', 'utf8').catch(() => '')),
    architecture: machineNames[info.Architecture ?? ''] ?? info.Architecture ?? '',
    osType: info.OSType ?? '',
    os: info.OperatingSystem ?? '',
    kernelVersion: info.KernelVersion ?? '',
    labels: Object.fromEntries((info.Labels ?? []).map(splitLabel)),
    runtimes: runtimes(info, kind),
    containers: {
      total: info.Containers ?? 0,
      running: info.ContainersRunning ?? 0,
      paused: info.ContainersPaused ?? 0,
      stopped: info.ContainersStopped ?? 0,
    },
  };
}

/** Podman lists every runtime it knows of, installed or not, and its Docker API runs the default one only. */
function runtimes(info: EngineInfo, kind: EngineTarget['kind']): string[] {
  if (kind === 'podman') return [info.DefaultRuntime ?? 'runc'];
  return Object.keys(info.Runtimes ?? { runc: {} });
}

function splitLabel(label: string): [string, string] {
  const at = label.indexOf('=');
  return at === -1 ? [label, ''] : [label.slice(0, at), label.slice(at + 1)];
}

/** Zun's consts.SUPPORTED_STORAGE_DRIVERS; overlay needs xfs with project quotas besides. */
export function diskQuotaSupported(info: EngineInfo, root: string, mounts: string): boolean {
  if (['devicemapper', 'zfs', 'btrfs'].includes(info.Driver ?? '')) return true;
  if (info.Driver !== 'overlay2' && info.Driver !== 'overlay') return false;
  const backing = Object.fromEntries(info.DriverStatus ?? [])['Backing Filesystem'];
  if (backing !== 'xfs') return false;
  const candidates = mounts.split('\n').map((line) => line.split(' '));
  const within = candidates.filter(([, point = '']) => point === '/' || root === point || root.startsWith(`${point}/`));
  const nearest = within.sort(([, one = ''], [, other = '']) => other.length - one.length)[0];
  return /\b(pquota|prjquota)\b/.test(nearest?.[3] ?? '');
}
