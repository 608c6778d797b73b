/** The addresses that the catalogue names. */
export interface ServiceUrls {
  /** With `/v3`. */
  identity: string;
  /** With `/v1`. */
  container: string;
}

/** The one region of the local identity. */
export const localRegion = 'RegionOne';

const interfaces = ['public', 'internal', 'admin'] as const;

/** Keystone's catalogue: the container service and the identity itself, the same address on all interfaces. */
export function serviceCatalog(urls: ServiceUrls) {
  return [service('container', 'zun', urls.container), service('identity', 'keystone', urls.identity)];
}

function service(type: string, name: string, url: string) {
  const endpoints = interfaces.map((side) => ({
    id: `${type}-${side}`,
    interface: side,
    region: localRegion,
    region_id: localRegion,
    url,
  }));
  return { id: type, type, name, endpoints };
}
