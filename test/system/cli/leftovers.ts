import type { EngineContainer, ZunSession } from './zun-session.ts';

/**
 * What there is of a container, one line a thing: in the engine its container, volumes that are not another's, and network endpoints;
 * in the database every row that names it, but for the actions that tell its history.
 */
export async function leftovers(zun: ZunSession, uuid: string): Promise<string[]> {
  return [...(await engineLeftovers(zun, uuid)), ...rowLeftovers(zun, uuid)];
}

async function engineLeftovers({ engine }: ZunSession, uuid: string): Promise<string[]> {
  const containers = await engine.json<{ Id: string; Names: string[] }[]>({
    method: 'GET',
    path: '/containers/json',
    query: { all: true },
  });
  const own = containers.filter(({ Names }) => Names.some((name) => name.includes(uuid)));
  const used = new Set<string>();
  for (const { Id } of containers) {
    const { Mounts } = await engine.json<EngineContainer>({ method: 'GET', path: `/containers/${Id}/json` });
    for (const { Name } of Mounts) if (Name) used.add(Name);
  }
  const volumes = await engine.json<{ Volumes: { Name: string }[] | null }>({ method: 'GET', path: '/volumes' });
  const networks = await engine.json<{ Name: string; Id: string }[]>({ method: 'GET', path: '/networks' });
  const endpoints: string[] = [];
  for (const { Id, Name } of networks) {
    const network = await engine.json<{ Containers: Record<string, { Name: string }> | null }>({ method: 'GET', path: `/networks/${Id}` });
    for (const member of Object.values(network.Containers ?? {})) if (member.Name.includes(uuid)) endpoints.push(`endpoint in ${Name}`);
  }
  return [
    ...own.map(() => 'engine container'),
    ...(volumes.Volumes ?? []).filter(({ Name }) => !used.has(Name)).map(({ Name }) => `unused volume ${Name}`),
    ...endpoints,
  ];
}

/** Tables with a history keep it: an action is readable as long as an operator keeps it. */
const history = new Set(['container_actions', 'container_actions_events', 'openkeel_task']);

function rowLeftovers(zun: ZunSession, uuid: string): string[] {
  const tables = zun
    .rows("select name from sqlite_master where type = 'table' and name not like 'sqlite_%'")
    .map(({ name }) => String(name));
  return tables.flatMap((table) => {
    if (history.has(table)) return [];
    const columns = zun.rows(`select name from pragma_table_info('${table}')`).map(({ name }) => `"${name}"`);
    const [found] = zun.rows(
      `select count(*) as count from "${table}" where ${columns.map((column) => `cast(${column} as text) like ?`).join(' or ')}`,
      ...columns.map(() => `%${uuid}%`),
    );
    return Number(found?.count) > 0 ? [`rows of ${table}: ${found?.count}`] : [];
  });
}
