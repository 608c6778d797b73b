import type { Operation } from '../../../api/operation.ts';
import { requireState } from '../../../rules/valid-states.ts';
import type { WorkloadStats } from '../../../runtime/container-runtime.ts';
import type { ContainerServices } from '../container-services.ts';
import { loadAuthorized } from '../load-container.ts';
import { askRuntime } from '../runtime-refusal.ts';

/** What a running container uses at this moment. Origin: containers.py (stats). */
export function stats(services: ContainerServices): Operation {
  return {
    route: 'GET /v1/containers/{container_ident}/stats',
    async handle(request) {
      const { container } = await loadAuthorized(services, request, 'container:stats');
      requireState('stats', container);
      const figures = await askRuntime(services, container, (runtime, signal) => runtime.stats(container.uuid, signal));
      return { status: 200, body: statsDocument(container.name, figures) };
    },
  };
}

const mebibyte = 1024 * 1024;

/** The figures under the names that clients print. Origin: zun/container/docker/driver.py (stats). */
function statsDocument(name: string, figures: WorkloadStats): Record<string, string | number> {
  const { memoryUsedBytes: used, memoryLimitBytes: limit } = figures;
  return {
    CONTAINER: name,
    'CPU %': figures.cpuPercent,
    'MEM USAGE(MiB)': used / mebibyte,
    'MEM LIMIT(MiB)': limit / mebibyte,
    'MEM %': limit > 0 ? (used / limit) * 100 : 0,
    'BLOCK I/O(B)': `${figures.blockReadBytes}/${figures.blockWriteBytes}`,
    'NET I/O(B)': `${figures.networkReceivedBytes}/${figures.networkSentBytes}`,
  };
}
