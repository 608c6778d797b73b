import type { ContainerRuntime, ExecResult, PathStat, ProcessTable, WorkloadStats } from '../../src/runtime/container-runtime.ts';
import type { ImageStore } from '../../src/runtime/image-store.ts';
import { type AskNode, partialPort } from './world.ts';

/** A runtime whose answers are those of the original's node, brought to the shapes of the port. */
export function recordedRuntime(ask: AskNode): ContainerRuntime {
  return partialPort<ContainerRuntime>('runtime', {
    name: 'recorded',
    runsHealthchecks: true,
    spansHosts: false,
    pullsAtStart: false,
    refuses: {},
    logs: async () => Buffer.from(String(ask('container_logs') ?? '')),
    exec: async () => execResult(ask('container_exec')),
    top: async () => ask('container_top') as ProcessTable,
    stats: async () => workloadStats(ask('container_stats')),
    getArchive: async () => archive(ask('container_get_archive')),
    putArchive: async () => {
      ask('container_put_archive');
    },
    update: async () => {
      ask('container_update');
    },
    // The workload is there, whatever the node says of a call.
    inspect: async (uuid) => ({
      uuid,
      engineId: 'recorded',
      state: { status: 'running', exitCode: 0, error: '', oomKilled: false, startedAt: 0, finishedAt: null, health: null },
      hostname: null,
      ports: [],
      addresses: {},
      image: '',
      runtime: null,
    }),
  });
}

/** Searches answer as the original's node did. */
export function recordedImages(ask: AskNode): ImageStore {
  const images: ImageStore = partialPort<ImageStore>('images', {
    on: () => images,
    remove: async () => {},
    search: async () => {
      const found = ask('image_search') as Record<string, unknown> | Record<string, unknown>[];
      const hits = Array.isArray(found) ? found : [found];
      return hits.map((hit) => ({
        name: String(hit.name ?? ''),
        description: String(hit.description ?? ''),
        isOfficial: Boolean(hit.is_official),
        isAutomated: Boolean(hit.is_automated),
        starCount: Number(hit.star_count ?? 0),
      }));
    },
  });
  return images;
}

function execResult(recorded: unknown): ExecResult {
  const { output, exit_code: exitCode } = (recorded || {}) as { output?: string; exit_code?: number };
  return { output: Buffer.from(output ?? ''), exitCode: exitCode ?? 0 };
}

function workloadStats(recorded: unknown): WorkloadStats {
  const figures = (recorded || {}) as Record<string, number | string>;
  const pair = (name: string) =>
    String(figures[name] ?? '0/0')
      .split('/')
      .map(Number);
  const [blockReadBytes = 0, blockWriteBytes = 0] = pair('BLOCK I/O(B)');
  const [networkReceivedBytes = 0, networkSentBytes = 0] = pair('NET I/O(B)');
  const mebibytes = (name: string) => Number(figures[name] ?? 0) * 1024 * 1024;
  return {
    cpuPercent: Number(figures['CPU %'] ?? 0),
    memoryUsedBytes: mebibytes('MEM USAGE(MiB)'),
    memoryLimitBytes: mebibytes('MEM LIMIT(MiB)'),
    blockReadBytes,
    blockWriteBytes,
    networkReceivedBytes,
    networkSentBytes,
  };
}

function archive(recorded: unknown): { tar: Buffer; stat: PathStat } {
  const [data, stat] = (Array.isArray(recorded) ? recorded : ['', '']) as [string, PathStat];
  return { tar: Buffer.from(data, 'base64'), stat };
}
