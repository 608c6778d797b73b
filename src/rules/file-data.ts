import { base64Exception } from '../errors/catalogue.ts';

/** Bytes, or text as UTF-8, in base 64. Origin: zun/common/utils.py, encode_file_data. */
export function encodeFileData(data: Uint8Array | string): string {
  return Buffer.from(data).toString('base64');
}

/**
 * The bytes of base 64 text. Characters outside the alphabet are dropped, and what follows the padding is not read, as in
 * Python. Throws Base64Exception (400) when characters are missing.
 * Origin: zun/common/utils.py, decode_file_data.
 */
export function decodeFileData(text: string): Buffer {
  if (/[^\p{ASCII}]/u.test(text)) {
    throw base64Exception();
  }
  const clean = text.replace(/[^A-Za-z0-9+/=]/g, '');
  const data = leadingData(clean);
  if (data.length % 4 !== 0) {
    throw base64Exception();
  }
  return Buffer.from(data, 'base64');
}

/** Up to the first padding that completes a group of four; padding elsewhere counts for nothing. */
function leadingData(clean: string): string {
  let data = '';
  for (const [, run = '', pads = ''] of clean.matchAll(/([^=]*)(=*)/g)) {
    data += run;
    const filled = data.length % 4;
    if (filled >= 2 && filled + pads.length >= 4) {
      return data + '='.repeat(4 - filled);
    }
  }
  return data;
}
