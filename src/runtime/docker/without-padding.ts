const block = 512;

/**
 * A tar without what follows its end, the two blocks of zeros: writers fill it up to 10 KiB. Podman's reader ends there, and when that
 * is before the rest was written Podman answers `passing bulk input to subprocess: write |1: broken pipe`, with the files in place.
 * What is not understood as a tar stays as it is.
 */
export function withoutPadding(tar: Buffer): Buffer {
  let at = 0;
  while (at + block <= tar.length && !isZero(tar, at)) {
    const size = contentSize(tar, at);
    if (size === null) return tar;
    at += block + Math.ceil(size / block) * block;
  }
  const end = at + 2 * block;
  return end < tar.length && isZero(tar, at) && isZero(tar, at + block) ? tar.subarray(0, end) : tar;
}

const isZero = (tar: Buffer, at: number): boolean => tar.subarray(at, at + block).every((byte) => byte === 0);

/** Bytes that follow a header; `null` for what is no header, and for a size that is not octal digits. */
function contentSize(tar: Buffer, at: number): number | null {
  const header = tar.subarray(at, at + block);
  const sum = header.reduce((total, byte, index) => total + (index >= 148 && index < 156 ? 0x20 : byte), 0);
  if (octal(header.subarray(148, 156)) !== sum) return null;
  return octal(header.subarray(124, 136));
}

function octal(field: Buffer): number | null {
  const digits = field
    .toString('latin1')
    .replace(/(?<![\0 ])[\0 ]+$/, '')
    .trim();
  return /^[0-7]+$/.test(digits) ? Number.parseInt(digits, 8) : null;
}
