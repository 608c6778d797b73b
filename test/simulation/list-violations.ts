import { isDeepStrictEqual } from 'node:util';
import type { World } from './world.ts';

type Shown = Record<string, unknown> & { uuid: string };

/** A list says of each container what its own view says. Asked while nobody has anything to do, so that nothing changes between. */
export async function listViolations(world: World): Promise<string[]> {
  const violations: string[] = [];
  for (const kind of ['containers', 'capsules']) {
    const { body } = await world.auditor.request('admin', 'GET', `/v1/${kind}?all_projects=true`);
    const listed = (body as Record<string, Shown[]>)[kind] ?? [];
    for (const entry of listed) {
      const shown = (await world.auditor.request('admin', 'GET', `/v1/${kind}/${entry.uuid}?all_projects=true`)).body as Shown;
      const differing = Object.keys(entry).filter((key) => key in shown && key !== 'links' && !isDeepStrictEqual(entry[key], shown[key]));
      for (const key of differing)
        violations.push(
          `${kind} ${entry.uuid}: the list says ${key} ${JSON.stringify(entry[key])}, its view ${JSON.stringify(shown[key])}`,
        );
    }
    const type = kind === 'containers' ? 0 : 1;
    const { queries } = world.observer;
    const rows = await queries.selectFrom('container').select('uuid').where('container_type', '=', type).execute();
    const missing = rows.filter(({ uuid }) => !listed.some((entry) => entry.uuid === uuid));
    violations.push(...missing.map(({ uuid }) => `${kind} ${uuid} is not in the list`));
  }
  return violations;
}
