/** Collections whose next segment is a name or id, unless it is one of the words. */
const named: Record<string, string[]> = {
  containers: ['json', 'create', 'prune'],
  images: ['json', 'create', 'load', 'search', 'prune'],
  networks: ['create', 'prune'],
  volumes: ['create', 'prune'],
  exec: [],
};

/** What a call is, without whom it is about: `POST /containers/{id}/start`. For metrics, which must not grow with what exists. */
export function engineOperation(method: string, path: string): string {
  const segments = path.split('/').filter((segment) => segment !== '');
  const [collection = '', second] = segments;
  const words = named[collection];
  if (!words || second === undefined || (segments.length === 2 && words.includes(second))) return `${method} /${segments.join('/')}`;
  // An image's name has slashes; what is done with it is one word at the end.
  const last = segments.length > 2 ? `/${segments.at(-1)}` : '';
  return `${method} /${collection}/{id}${last}`;
}
