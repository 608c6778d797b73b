import { createCipheriv, createDecipheriv, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { invalidEncryptionKey } from '../errors/catalogue.ts';

const VERSION = 0x80;
/** Version, time and initialisation vector stand before the text; the signature after it. */
const HEADER_BYTES = 1 + 8 + 16;
const SIGNATURE_BYTES = 32;
const CIPHER = 'aes-128-cbc';

/**
 * Fernet tokens under the configured `auth_encryption_key`, readable by the original and the other way round. The first 32
 * characters of the key count: 16 sign (HMAC-SHA256), 16 encrypt (AES-128-CBC). Tokens do not expire.
 * Origin: zun/common/crypt.py, encrypt and decrypt.
 */
export class Fernet {
  readonly #signingKey: Buffer;
  readonly #encryptionKey: Buffer;

  /** Throws unless the key's first 32 characters are 32 bytes, i.e. it is long enough and plain ASCII. */
  constructor(key: string) {
    const bytes = Buffer.from([...key].slice(0, 32).join(''), 'utf8');
    if (bytes.length !== 32) {
      throw new Error('auth_encryption_key must have at least 32 characters, all of them ASCII');
    }
    this.#signingKey = bytes.subarray(0, 16);
    this.#encryptionKey = bytes.subarray(16);
  }

  /** `now` in epoch milliseconds; the vector is only given by tests. */
  encrypt(text: string, now: number, vector: Uint8Array = randomBytes(16)): string {
    const header = Buffer.alloc(HEADER_BYTES);
    header.writeUInt8(VERSION);
    header.writeBigUInt64BE(BigInt(Math.floor(now / 1000)), 1);
    header.set(vector, 9);
    const cipher = createCipheriv(CIPHER, this.#encryptionKey, vector);
    const signed = Buffer.concat([header, cipher.update(text, 'utf8'), cipher.final()]);
    const token = Buffer.concat([signed, this.#signature(signed)]);
    return token.toString('base64').replaceAll('+', '-').replaceAll('/', '_');
  }

  /** Throws InvalidEncryptionKey (500) for a token of another key, or one that is none. */
  decrypt(token: string): string {
    const bytes = Buffer.from(token, 'base64url');
    const signed = bytes.subarray(0, -SIGNATURE_BYTES);
    if (
      bytes[0] !== VERSION ||
      signed.length < HEADER_BYTES ||
      !timingSafeEqual(this.#signature(signed), bytes.subarray(-SIGNATURE_BYTES))
    ) {
      throw invalidEncryptionKey();
    }
    const decipher = createDecipheriv(CIPHER, this.#encryptionKey, signed.subarray(9, HEADER_BYTES));
    return Buffer.concat([decipher.update(signed.subarray(HEADER_BYTES)), decipher.final()]).toString('utf8');
  }

  #signature(signed: Uint8Array): Buffer {
    return createHmac('sha256', this.#signingKey).update(signed).digest();
  }
}
