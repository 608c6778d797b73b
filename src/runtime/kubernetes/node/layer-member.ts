import { plainPath } from './plain-path.ts';

/** A member of a layer's tar. */
export interface LayerMember {
  /** Without `./` in front and `/` behind. */
  path: string;
  type: 'file' | 'directory' | 'other';
  size: number;
}

const block = 512;
/** Types that have no content, whatever their size says. */
const contentless = new Set(['1', '2', '3', '4', '5', '6']);

/** What the records before a member's header say of it, which the header has no room for. */
export interface LongerFields {
  path?: string;
  size?: number;
}

/** The member that a header begins; pure. */
export function layerMember(header: Buffer, longer: LongerFields): LayerMember {
  const flag = String.fromCharCode(header[156] ?? 0);
  const type = flag === '5' ? 'directory' : flag === '0' || flag === '\0' ? 'file' : 'other';
  const path = plainPath(longer.path ?? headerPath(header));
  return { path, type, size: contentless.has(flag) ? 0 : (longer.size ?? number(header.subarray(124, 136))) };
}

/** What kind of record about the next member a header begins; `null` for the header of a member. */
export function recordKind(header: Buffer): 'pax' | 'gnu-path' | 'gnu-link' | 'global' | null {
  const kinds = { x: 'pax', L: 'gnu-path', K: 'gnu-link', g: 'global' } as const;
  const flag = String.fromCharCode(header[156] ?? 0);
  return flag in kinds ? kinds[flag as keyof typeof kinds] : null;
}

/** Size of the content after a header, filled up to whole blocks. */
export const paddedSize = (size: number): number => Math.ceil(size / block) * block;

/** The size that a header itself says. */
export const headerSize = (header: Buffer): number => number(header.subarray(124, 136));

/** `path` and `size` of a pax record: lines `<length> <key>=<value>\n`, whose values may be any bytes. */
export function paxFields(content: Buffer): LongerFields {
  const fields: LongerFields = {};
  for (let at = 0; at < content.length; ) {
    const space = content.indexOf(0x20, at);
    const length = space < 0 ? 0 : Number(content.toString('latin1', at, space));
    if (!(length > 0)) break;
    const line = content.subarray(space + 1, at + length - 1);
    const equals = line.indexOf(0x3d);
    const [key, value] = [line.toString('latin1', 0, equals), line.toString('utf8', equals + 1)];
    if (key === 'path') fields.path = value;
    if (key === 'size') fields.size = Number(value);
    at += length;
  }
  return fields;
}

/** The path that a GNU long name record holds. */
export const gnuPath = (content: Buffer): LongerFields => ({ path: text(content) });

function headerPath(header: Buffer): string {
  const isUstar = header.toString('latin1', 257, 263) === 'ustar\0';
  const prefix = isUstar ? text(header.subarray(345, 500)) : '';
  const name = text(header.subarray(0, 100));
  return prefix === '' ? name : `${prefix}/${name}`;
}

function text(field: Buffer): string {
  const end = field.indexOf(0);
  return field.toString('utf8', 0, end < 0 ? field.length : end);
}

/** Octal digits, or from 8 GiB on a big-endian number behind the highest bit. */
function number(field: Buffer): number {
  if ((field[0] ?? 0) & 0x80) return field.subarray(1).reduce((total, byte) => total * 256 + byte, 0);
  return Number.parseInt(text(field).trim() || '0', 8);
}
