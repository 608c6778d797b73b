import { networkAnnotations } from '../../src/runtime/kubernetes/networks/network-annotations.ts';
import type { NetworkSelection } from '../../src/runtime/kubernetes/networks/network-selections.ts';
import { StandingClock } from '../bench/standing-clock.ts';
import { until } from '../system/engine/until.ts';
import { FakeMultus, networkNamespace } from './fake-multus.ts';
import { runtimeOnFake } from './runtime-on-fake.ts';

/** An interface on the Pod network (`cluster`), or on one of the definitions, as the engine chooses. */
export const on = (name: string) => ({
  engineNetwork: name === 'cluster' ? name : `${networkNamespace}/${name}`,
  ipv4: null,
  ipv6: null,
  mac: null,
});
const bridge = { type: 'bridge', capabilities: { ips: true }, ipam: { type: 'host-local', subnet: '10.5.0.0/24' } };

/** A runtime on a fake cluster with Multus and the networks red, green and blue, whose clock stands: an interface has a minute of it. */
export async function networkedRuntime() {
  const clock = new StandingClock();
  const bench = await runtimeOnFake(undefined, { settings: { networkNamespace, networkDeadlineSeconds: 60 }, clock });
  const multus = new FakeMultus(bench.cluster, { red: bridge, green: bridge, blue: bridge });
  const annotation = (uuid: string, key: keyof typeof networkAnnotations) =>
    bench.find('pods', uuid)?.[1].metadata?.annotations?.[networkAnnotations[key]];
  return Object.assign(bench, {
    multus,
    clock,
    annotation,
    async started(networks = [on('cluster')]): Promise<string> {
      const uuid = await bench.created({ networks });
      await bench.runtime.start(uuid);
      return uuid;
    },
    /** What the Pod asks for, by interface. */
    selections(uuid: string): Record<string, string> {
      const list = JSON.parse(annotation(uuid, 'further') ?? '[]') as NetworkSelection[];
      return Object.fromEntries(list.map((each) => [each.interface, each.name]));
    },
    async networks(uuid: string): Promise<string[]> {
      return Object.keys((await bench.runtime.inspect(uuid))?.addresses ?? {}).toSorted();
    },
    async startedAgain(uuid: string): Promise<void> {
      await bench.runtime.stop(uuid, 10);
      await bench.runtime.start(uuid);
    },
    /** Moves on once the Pod is watched: longer than an interface may take. */
    async tooLong(): Promise<void> {
      let watches = 0;
      bench.intercept = (asked) => {
        if (asked.query.get('watch') === 'true') watches += 1;
        return false;
      };
      await until('the Pod is watched', async () => (watches > 0 ? true : null));
      await clock.advance(61_000);
    },
  });
}
