import { invalidValue } from '../errors/catalogue.ts';

const INTEGER = /^\s*[+-]?\d+(?:_\d+)*\s*$/;

/**
 * `{"80": {}, "53/udp": {}}` as `{"80/tcp": {}, "53/udp": {}}`: a protocol on every port. 400 for another protocol or no number.
 * The range of the number is the schema's business. Of `80` and `80/tcp` in one request the bare port's value is kept: which of them
 * came last, as the original decides it, JavaScript's objects do not tell.
 * Origin: zun/common/utils.py, build_exposed_ports.
 */
export function exposedPorts<T>(ports: Record<string, T>): Record<string, T> {
  const exposed: Record<string, T> = {};
  for (const [key, value] of Object.entries(ports).toSorted(([a], [b]) => Number(b.includes('/')) - Number(a.includes('/')))) {
    const parts = key.split('/');
    const [port = '', protocol = ''] = parts.length === 2 ? parts : [key, 'tcp'];
    if (protocol !== 'tcp' && protocol !== 'udp') throw invalidValue(`value ${protocol} is an invalid protocol`);
    if (!INTEGER.test(port)) throw invalidValue(`value ${port} is invalid as publish port.`);
    exposed[`${port}/${protocol}`] = value;
  }
  return exposed;
}
