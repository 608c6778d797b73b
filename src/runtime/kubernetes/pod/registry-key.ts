/** Docker Hub's key in configurations of Docker; the kubelet knows it under this one. */
const dockerHub = 'https://index.docker.io/v1/';

/** The registry of an image reference as the key of a login: `registry:5000`, or Docker Hub's for a name without one. Pure. */
export function registryKey(image: string): string {
  const host = registryHost(image);
  return host === null ? dockerHub : host;
}

/** Key of a login for one repository of that registry alone, which the kubelet prefers. */
export function repositoryKey(image: string): string {
  const host = registryHost(image);
  const [name = ''] = image.split('@');
  const repository = name.replace(/:[^/:]*$/, '');
  if (host !== null) return repository;
  const path = repository.replace(/^(index\.)?docker\.io\//, '');
  return `docker.io/${path.includes('/') ? path : `library/${path}`}`;
}

/** `null` for Docker Hub. Only a first part with a dot, a colon, or `localhost` is a host. */
function registryHost(image: string): string | null {
  const [first = '', ...rest] = image.split('/');
  const isHost = rest.length > 0 && (/[.:]/.test(first) || first === 'localhost');
  return !isHost || first === 'docker.io' || first === 'index.docker.io' ? null : first;
}
