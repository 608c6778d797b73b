import { randomUUID } from 'node:crypto';
import type { WorkloadSpec } from '../../src/runtime/container-runtime.ts';
import { KubeClient, type KubeObserver } from '../../src/runtime/kubernetes/client/kube-client.ts';
import { KubernetesRuntime } from '../../src/runtime/kubernetes/kubernetes-runtime.ts';
import type { KubernetesSettings } from '../../src/runtime/kubernetes/kubernetes-settings.ts';
import { ProjectNamespaces } from '../../src/runtime/kubernetes/project-namespaces.ts';
import { plainWorkload } from '../../src/runtime/plain-workload.ts';
import { type Clock, systemClock } from '../../src/telemetry/clock.ts';
import { type Asked, FakeApiServer } from './fake-api-server.ts';
import { FakeCluster, type FakeThing } from './fake-cluster.ts';
import { plainSettings } from './plain-settings.ts';

/** A runtime on a fake cluster whose answers a test may change. */
export async function runtimeOnFake(
  observer?: KubeObserver,
  { settings = {}, clock = systemClock }: { settings?: Partial<KubernetesSettings>; clock?: Clock } = {},
) {
  const stack = new AsyncDisposableStack();
  const fake = stack.use(await FakeApiServer.start());
  const cluster = new FakeCluster();
  const bench = {
    cluster,
    /** Answers a call before the cluster does; true when it has. */
    intercept: (_asked: Asked): boolean => false,
  };
  fake.answer = (asked) => {
    if (!bench.intercept(asked)) cluster.answer(asked);
  };
  const client = new KubeClient(fake.config(), observer);
  stack.defer(() => client.close());
  const namespaces = new ProjectNamespaces(client, 'zun');
  const options = { client, settings: { ...plainSettings, ...settings }, clock, nodeAccess: null, namespaces, node: null };
  const runtime = new KubernetesRuntime({ ...options, ownerOf: async () => null });
  const find = (kind: 'pods' | 'secrets', uuid: string): [path: string, object: FakeThing] | null =>
    [...cluster.objects].find(([path]) => path.endsWith(`/${kind}/zun-${uuid}`)) ?? null;
  return Object.assign(bench, {
    runtime,
    fake,
    /** Makes a workload that runs nothing yet; answers its uuid. */
    async created(wishes: Partial<WorkloadSpec> = {}): Promise<string> {
      const spec = plainWorkload({ uuid: randomUUID(), image: 'busybox', ...wishes });
      await runtime.create(spec);
      return spec.uuid;
    },
    find,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  });
}
