import { isFault } from '../../../src/runtime/runtime-fault.ts';
import { engineFacts, isEmpty, spokenOf } from './engine-facts.ts';
import { type Difference, matchJson } from './match-json.ts';
import type { Placeholders } from './placeholders.ts';
import type { RecordedWorld } from './recorded-world.ts';

/** A container as the recording has it: `{"status": 404}` when there is none. */
type RecordedContainer = Record<string, unknown>;

interface Outside {
  world: RecordedWorld;
  placeholders: Placeholders;
  /** The container or capsule that the steps before were about. */
  subject: string;
}

/**
 * Holds what was recorded beside Zun against what standalone has in its place: the engine's containers and networks, ports, claims and
 * volumes. Neutron's bindings and security groups, Glance, inventories and files of the original's node have no counterpart.
 */
export async function compareOutside(recorded: Record<string, unknown>, outside: Outside): Promise<Difference[]> {
  const differences: Difference[] = [];
  for (const [name, value] of Object.entries(recorded)) differences.push(...(await (comparisons[name]?.(value, outside, name) ?? [])));
  return differences;
}

type Comparison = (recorded: unknown, outside: Outside, place: string) => Promise<Difference[]>;

const comparisons: Record<string, Comparison> = {
  docker: compareEngine,
  docker_container: compareEngine,
  ports: comparePorts,
  neutron_ports: comparePorts,
  allocations: compareClaims,
  placement_allocations: compareClaims,
  cinder_volumes: compareVolumes,
  volumes: compareVolumes,
  volume: (recorded, outside, place) => compareVolumes([recorded], outside, place),
  docker_images: compareImages,
};

async function compareEngine(recorded: unknown, outside: Outside, place: string): Promise<Difference[]> {
  const { world, placeholders, subject } = outside;
  if (typeof recorded !== 'object' || recorded === null) return [];
  if ('Driver' in recorded) return [];
  const entries: RecordedContainer[] = Array.isArray(recorded) ? recorded.filter((entry) => typeof entry === 'object') : [recorded];
  const unnamed = Array.isArray(recorded) ? placeholders.all('container') : [subject];
  const differences: Difference[] = [];
  for (const [index, entry] of entries.entries()) {
    const name =
      typeof entry.Name === 'string' && entry.Name.startsWith('/zun-') ? placeholders.filled(entry.Name.slice(1)) : `zun-${unnamed[index]}`;
    const where = Array.isArray(recorded) ? `${place}/${index}` : place;
    differences.push(...compareContainer(entry, name === null ? null : await inspected(world, name), placeholders, where));
  }
  return differences;
}

function compareContainer(
  recorded: RecordedContainer,
  actual: Record<string, unknown> | null,
  placeholders: Placeholders,
  place: string,
): Difference[] {
  if (recorded.status === 404) return actual === null ? [] : [{ place, expected: 'gone', actual: 'there' }];
  if (actual === null) return [{ place, expected: 'there', actual: 'gone' }];
  // A list of restart policies alone is given as the policies.
  const isPolicy = 'Name' in recorded && !String(recorded.Name).startsWith('/');
  const whole = isPolicy ? { RestartPolicy: recorded } : recorded;
  const expected = engineFacts(isPolicy ? { HostConfig: whole } : whole);
  const facts = engineFacts(actual);
  return [...spokenOf(whole)].flatMap((name) => compareFact(name, expected[name], facts[name], placeholders, place));
}

function compareFact(name: string, expected: unknown, actual: unknown, placeholders: Placeholders, place: string): Difference[] {
  // A process that ends and is started again is found in one of both.
  if (name === 'Status' && expected === 'restarting' && ['running', 'stopped', 'exited'].includes(String(actual))) return [];
  if (isEmpty(expected)) return isEmpty(actual) || name === 'Labels' ? [] : [{ place: `${place}/${name}`, expected, actual }];
  // Engines add variables, labels and mounts of their own.
  if (name === 'Env' && Array.isArray(expected) && Array.isArray(actual)) {
    const missing = expected.filter((variable) => !actual.includes(variable));
    return missing.length === 0 ? [] : [{ place: `${place}/Env`, expected, actual }];
  }
  if (name === 'Labels' && typeof actual === 'object' && actual !== null) {
    const kept = Object.fromEntries(Object.entries(actual).filter(([label]) => label in Object(expected)));
    return matchJson(expected, kept, placeholders, `${place}/Labels`);
  }
  return matchJson(expected, actual, placeholders, `${place}/${name}`);
}

async function inspected(world: RecordedWorld, name: string): Promise<Record<string, unknown> | null> {
  try {
    return await world.engine.json<Record<string, unknown>>({ method: 'GET', path: `/containers/${name}/json` });
  } catch (error) {
    if (isFault(error, 'not-found')) return null;
    throw error;
  }
}

/** Ports of the scenario's containers, and the one that the user brought. */
async function comparePorts(recorded: unknown, { world, placeholders, subject }: Outside, place: string): Promise<Difference[]> {
  if (!Array.isArray(recorded)) return [];
  const all = [...placeholders.all('container'), ...placeholders.all('capsule')];
  const subjects = place === 'ports' && recorded.length === 0 ? [subject] : all;
  const own = placeholders.value('own_port');
  const rows = await world.standalone.core.services.database.queries.selectFrom('openkeel_local_port').selectAll().orderBy('id').execute();
  const actual = rows
    .filter(
      (row) => (row.container_uuid !== '' && subjects.includes(row.container_uuid)) || (row.id === own && mentions(recorded, '{own_port}')),
    )
    .map((row) => ({
      id: row.id,
      device_id: row.container_uuid,
      network_id: row.network_id,
      project_id: row.project_id,
      mac_address: row.mac_address,
      addresses: (JSON.parse(row.fixed_ips) as { address: string; subnetId: string }[]).map(({ address }) => address),
    }));
  // `ports` names some that are looked at; what is left is told in full.
  const isWhole = place === 'neutron_ports' || recorded.length === 0;
  if (isWhole ? actual.length !== recorded.length : actual.length < recorded.length)
    return [{ place, expected: `${recorded.length} ports`, actual }];
  const left = [...actual];
  return recorded.flatMap((port, index) => {
    const expected = portFacts(port);
    const found = left.findIndex((candidate) => matchJson(expected, pick(candidate, expected), placeholders.copy(), '').length === 0);
    const [one] = left.splice(Math.max(found, 0), 1);
    return matchJson(expected, pick(one, expected), placeholders, `${place}/${index}`);
  });
}

function portFacts(port: Record<string, unknown>): Record<string, unknown> {
  const kept = Object.fromEntries(
    ['id', 'device_id', 'network_id', 'project_id', 'mac_address'].flatMap((name) => (name in port ? [[name, port[name]]] : [])),
  );
  return Array.isArray(port.fixed_ips) ? { ...kept, addresses: port.fixed_ips.map((ip) => ip.ip_address) } : kept;
}

const pick = (value: Record<string, unknown> | undefined, names: object): Record<string, unknown> =>
  Object.fromEntries(Object.keys(names).map((name) => [name, value?.[name]]));

/** Names that commits made. */
async function compareImages(recorded: unknown, { world }: Outside, place: string): Promise<Difference[]> {
  const listed = await world.engine.json<{ RepoTags: string[] | null }[]>({ method: 'GET', path: '/images/json' });
  const names = listed.flatMap(({ RepoTags }) => RepoTags ?? []).map((name) => name.replace(/^(localhost|docker\.io(\/library)?)\//, ''));
  const missing = (recorded as string[][]).flat().filter((name) => !names.includes(name));
  return missing.length === 0 ? [] : [{ place, expected: missing, actual: names }];
}

/** What the subject holds of the node. */
async function compareClaims(recorded: unknown, { world, subject }: Outside, place: string): Promise<Difference[]> {
  const providers = Object.values(part(recorded, 'allocations') ?? Object(recorded)) as { resources?: Record<string, number> }[];
  const expected = providers[0]?.resources ?? {};
  const row = await world.standalone.core.services.database.queries
    .selectFrom('openkeel_local_allocation')
    .selectAll()
    .where('consumer', '=', subject)
    .executeTakeFirst();
  const all = { VCPU: row?.vcpu ?? 0, MEMORY_MB: row?.memory_mb ?? 0, DISK_GB: row?.disk_gb ?? 0 };
  const actual = Object.fromEntries(Object.entries(all).filter(([, amount]) => amount > 0));
  const same = Object.entries({ ...actual, ...expected }).every(([name]) => expected[name] === actual[name]);
  return same ? [] : [{ place, expected, actual }];
}

/** Volumes that the scenario's containers hold, or that were made for them, and the one that the user brought. */
async function compareVolumes(recorded: unknown, { world, placeholders }: Outside, place: string): Promise<Difference[]> {
  if (!Array.isArray(recorded)) return [];
  const subjects = [...placeholders.all('container'), ...placeholders.all('capsule')];
  const { Volumes: listed } = await world.engine.json<{ Volumes: { Name: string }[] | null }>({ method: 'GET', path: '/volumes' });
  const held = await world.standalone.core.services.database.queries.selectFrom('openkeel_local_attachment').selectAll().execute();
  const project = placeholders.value('demo_project') ?? '';
  const own = placeholders.value('own_volume');
  const holderOf = (id: string) => held.find((row) => row.volume_id === id)?.container_uuid;
  const found: { id: string; status: string; holder: string | undefined }[] = [];
  for (const { Name } of listed ?? []) {
    const volume = await world.standalone.core.services.volumes.find(Name, project).catch(() => null);
    if (volume === null) continue;
    const made = subjects.some((uuid) => Name.includes(uuid));
    const isOwn = volume.id === own && mentions(recorded, '{own_volume}');
    const isHeld = !made && volume.id !== own && subjects.includes(holderOf(volume.id) ?? '');
    if (place === 'volume' ? isOwn : made || isOwn || isHeld)
      found.push({ id: volume.id, status: volume.status, holder: holderOf(volume.id) });
  }
  const expected = recorded.map((volume) => ({ id: volume.id, status: volume.status, holder: volume.attachments?.[0]?.server_id }));
  if (found.length !== expected.length) return [{ place, expected, actual: found }];
  return expected.flatMap((volume, index) => matchJson(volume, pick(found[index], volume), placeholders, `${place}/${index}`));
}

const mentions = (value: unknown, text: string): boolean => JSON.stringify(value).includes(text);

function part(value: unknown, name: string): Record<string, unknown> | null {
  const found = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : null;
  return typeof found === 'object' ? (found as Record<string, unknown> | null) : null;
}
