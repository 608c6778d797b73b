import { createHash } from 'node:crypto';

/** Of this project alone; the names under it begin with what they name. */
const namespace = Buffer.from('9f2c1f0e8f8f4c0f9a5c2a6f0e4b7d31', 'hex');

/** The same UUID (version 5, RFC 9562) for the same name, always: for things of an engine, which has names and no UUIDs. */
export function stableUuid(name: string): string {
  const hash = createHash('sha1').update(namespace).update(name, 'utf8').digest().subarray(0, 16);
  hash.writeUInt8((hash.readUInt8(6) & 0x0f) | 0x50, 6);
  hash.writeUInt8((hash.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = hash.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
