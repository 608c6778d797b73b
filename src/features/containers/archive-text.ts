import { isUtf8 } from 'node:buffer';

/** tar is made of blocks of so many bytes. */
const blockSize = 512;

/** An archive as clients before 1.25 get it: the text that its bytes are, or one character a byte when they are no text. */
export function archiveText(tar: Buffer): string {
  return tar.toString(isUtf8(tar) ? 'utf8' : 'latin1');
}

/**
 * The bytes of an archive that came as text. Of the two readings above, the one that makes whole blocks; UTF-8, as the
 * original reads it, when both or neither do.
 */
export function archiveBytes(text: string): Buffer {
  const utf8 = Buffer.from(text, 'utf8');
  const bytewise = /^[^\u0100-\uffff]*$/.test(text) && text.length % blockSize === 0;
  return bytewise && utf8.length % blockSize !== 0 ? Buffer.from(text, 'latin1') : utf8;
}
