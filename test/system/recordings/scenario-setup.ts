import type { Placeholders } from './placeholders.ts';
import type { RecordedWorld, ScenarioPeople } from './recorded-world.ts';

/** What happened behind Zun's back right before a step; the recording only tells what Zun said afterwards. */
type BehindTheBack = (world: RecordedWorld, placeholders: Placeholders) => Promise<void>;

const removed =
  (...names: string[]): BehindTheBack =>
  async (world, placeholders) => {
    for (const name of names)
      await world.engine.request({ method: 'DELETE', path: `/containers/zun-${placeholders.value(name)}`, query: { force: true } });
  };

const killed =
  (name: string): BehindTheBack =>
  async (world, placeholders) => {
    await world.engine.request({ method: 'POST', path: `/containers/zun-${placeholders.value(name)}/kill` });
  };

/** `standalone` does not pull what is there already, with whose login so ever. */
const forgotten =
  (image: string): BehindTheBack =>
  async (world, placeholders) => {
    await world.engine.request({ method: 'DELETE', path: `/images/${placeholders.filled(image)}` });
  };

/** By `scenario/step`. */
export const behindTheBack: Record<string, BehindTheBack> = {
  'removed-behind-the-back/3': removed('container'),
  'removed-behind-the-back/13': killed('container2'),
  'healthcheck/10': killed('container4'),
  'healthcheck/12': removed('container4'),
  'registry/23': forgotten('{private_registry}/private:latest'),
  'auto-heal/5': removed('container', 'container2'),
};

/** Networks that a scenario names in its requests, beside `{network}`. */
const namedNetworks: Record<string, string[]> = {
  networks: ['network2'],
  nets: ['network2'],
  'admin-settings': ['network3'],
  quota: ['network4'],
};

/** The placeholders whose values are there before a scenario begins, and the port and the volume that two kinds of scenario use. */
export async function beforehand(scenario: string, world: RecordedWorld, people: ScenarioPeople): Promise<[string, string][]> {
  const values: [string, string][] = [
    ['zun', world.url],
    ['registry', world.registry.host],
    ['private_registry', world.lockedRegistry.host],
    ['network', world.networks.first.id],
  ];
  for (const [name, { userId, projectId }] of Object.entries(people)) values.push([`${name}_user`, userId], [`${name}_project`, projectId]);
  for (const name of namedNetworks[scenario] ?? []) values.push([name, world.networks.second.id]);
  if (scenario === 'networks-resource') values.push(['network9', world.networks.alone.id]);
  const free = (last: number) => world.networks.first.subnets[0]?.cidr.replace(/\d+\/\d+$/, String(last)) ?? '';
  if (scenario === 'networks')
    values.push(['ip9', free(231)], ['own_port', await world.makePort(world.networks.second.id, people.demo.projectId)]);
  if (scenario === 'nets') {
    values.push(
      ['ip8', free(232)],
      ['ip9', '198.51.100.7'],
      ['own_port', await world.makePort(world.networks.first.id, people.demo.projectId)],
    );
  }
  if (scenario === 'mounts' || scenario === 'capsule-volumes') {
    values.push(['own_volume', await world.makeVolume(scenario === 'mounts' ? 'rec-vol' : 'rec-vol-of-capsule', people.demo.projectId)]);
  }
  return values;
}
