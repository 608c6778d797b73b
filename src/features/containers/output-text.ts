/** The sequences of two to four bytes that are UTF-8 (RFC 3629), in a string of one character a byte. */
const multibyte =
  /[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xed[\x80-\x9f][\x80-\xbf]|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2}/g;

/**
 * What a workload wrote, as text for JSON: UTF-8, and a byte that is none as the character of its number (0xFF → ÿ), so
 * that every output is answered and no byte hides behind a replacement character. The original fails, after a minute.
 */
export function outputText(bytes: Buffer): string {
  return bytes.toString('latin1').replace(multibyte, (sequence) => Buffer.from(sequence, 'latin1').toString('utf8'));
}
