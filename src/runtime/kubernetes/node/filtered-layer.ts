import { ByteReader } from './byte-reader.ts';
import {
  gnuPath,
  headerSize,
  type LayerMember,
  type LongerFields,
  layerMember,
  paddedSize,
  paxFields,
  recordKind,
} from './layer-member.ts';

const block = 512;

/**
 * The tar of a layer without the members that are not kept; all other bytes stay as they are (tar libraries read extended attributes as text, and
 * so break file capabilities). Throws what `keeps` throws, and for a tar that ends in the middle of a member.
 */
export async function* filteredLayer(source: AsyncIterable<Buffer>, keeps: (member: LayerMember) => boolean): AsyncGenerator<Buffer> {
  const reader = new ByteReader(source);
  try {
    yield* members(reader, keeps);
    yield* reader.rest();
  } finally {
    await reader.close();
  }
}

/** All that comes before the second block of zeros, which ends a tar. */
async function* members(reader: ByteReader, keeps: (member: LayerMember) => boolean): AsyncGenerator<Buffer> {
  let longer: LongerFields = {};
  /** Records whose member has not come yet. */
  let held: Buffer[] = [];
  for (;;) {
    const header = await reader.take(block);
    if (header === null) throw new Error('The layer has no end.');
    if (header.every((byte) => byte === 0)) return yield header;
    const record = recordKind(header);
    if (record === null) {
      const member = layerMember(header, longer);
      const size = paddedSize(member.size);
      if (keeps(member)) {
        yield Buffer.concat([...held, header]);
        yield* reader.pass(size);
      } else {
        await reader.skip(size);
      }
      [longer, held] = [{}, []];
      continue;
    }
    const size = headerSize(header);
    const content = await reader.take(paddedSize(size));
    if (content === null) throw new Error('The layer ends within a record.');
    if (record === 'pax') longer = { ...longer, ...paxFields(content.subarray(0, size)) };
    if (record === 'gnu-path') longer = { ...longer, ...gnuPath(content.subarray(0, size)) };
    held.push(header, content);
  }
}
