/**
 * So many bytes at the end, 0 to 3, begin a character of UTF-8 that is not complete. What is no UTF-8 at all may look so, too. For cutting
 * a stream between characters: python-zunclient decodes each frame by itself and ends with a traceback at half a character.
 */
export function incompleteTail(bytes: Uint8Array): number {
  for (let length = 1; length <= Math.min(3, bytes.length); length += 1) {
    const byte = bytes[bytes.length - length] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return length < lengthFrom(byte) ? length : 0;
  }
  return 0;
}

/** Of the character that begins with that byte; 0 for one that begins none. */
function lengthFrom(byte: number): number {
  if (byte < 0xe0) return 2;
  if (byte < 0xf0) return 3;
  return byte < 0xf5 ? 4 : 0;
}
