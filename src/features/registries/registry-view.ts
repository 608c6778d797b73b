import type { Authorizer } from '../../api/authorizer.ts';
import { ownTarget } from '../../api/authorizer.ts';
import { resourceLinks } from '../../api/links.ts';
import type { RequestContext } from '../../api/request-context.ts';
import type { RegistryRow } from './registry-store.ts';

type Field = 'uuid' | 'name' | 'project_id' | 'user_id' | 'domain' | 'username' | 'password';
const fields: Field[] = ['uuid', 'name', 'project_id', 'user_id', 'domain', 'username', 'password'];

/**
 * Shows registries without their passwords; `baseUrl` adds links. Which fields the caller may see is decided once, not per row.
 * Origin: zun/api/controllers/v1/views/registries_view.py.
 */
export function registryView(
  policy: Authorizer,
  context: RequestContext,
  baseUrl: string | null,
): (row: Pick<RegistryRow, Field>) => unknown {
  const visible = fields.filter((field) =>
    policy.allows(context, `registry:get_one:${field}`, ownTarget(context), { mightNotExist: true }),
  );
  return (row) => {
    const view: Record<string, unknown> = {};
    for (const field of visible) {
      view[field] = field === 'password' ? '***' : row[field];
      if (field === 'uuid' && baseUrl !== null) view.links = resourceLinks(baseUrl, 'registries', row.uuid ?? '');
    }
    return view;
  };
}
