/**
 * What a call is, without whom it is about: `GET /api/v1/namespaces/{namespace}/pods/{name}/log`. For metrics, which must not grow with
 * what exists.
 */
export function kubeOperation(method: string, path: string): string {
  const segments = path.split('/').filter((segment) => segment !== '');
  // /api/v1/…, /apis/<group>/<version>/…; anything else (/version, /readyz) is no object.
  const head = segments[0] === 'api' ? 2 : segments[0] === 'apis' ? 3 : segments.length;
  const told = segments.slice(0, head);
  let rest = segments.slice(head);
  if (rest[0] === 'namespaces' && rest.length > 2) {
    told.push('namespaces', '{namespace}');
    rest = rest.slice(2);
  }
  const [resource, name, subresource] = rest;
  if (resource !== undefined) told.push(resource);
  if (name !== undefined) told.push('{name}');
  // What follows a proxy is the business of what is behind it.
  if (subresource !== undefined) told.push(subresource);
  return `${method} /${told.join('/')}`;
}
