import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** A certificate that vouches for itself, and its key, in PEM. */
export interface SelfSigned {
  cert: string;
  key: string;
}

const oids = {
  ecdsaWithSha256: '06082a8648ce3d040302',
  commonName: '0603550403',
  subjectAltName: '0603551d11',
  basicConstraints: '0603551d13',
};

/** For a server on 127.0.0.1 or for a client, made with Node alone, so that the tests need no openssl. Valid for 2020 to 2049. */
export function selfSigned(commonName: string): SelfSigned {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = sequence(Buffer.from(oids.ecdsaWithSha256, 'hex'));
  const name = sequence(tagged(0x31, sequence(Buffer.from(oids.commonName, 'hex'), tagged(0x0c, Buffer.from(commonName)))));
  const time = (text: string) => tagged(0x17, Buffer.from(text));
  const address = tagged(0x87, Buffer.of(127, 0, 0, 1));
  const extension = (oid: string, value: Buffer) => sequence(Buffer.from(oid, 'hex'), tagged(0x04, value));
  const authority = sequence(tagged(0x01, Buffer.of(0xff)));
  const body = sequence(
    tagged(0xa0, tagged(0x02, Buffer.of(2))),
    tagged(0x02, Buffer.concat([Buffer.of(1), randomBytes(8)])),
    algorithm,
    name,
    sequence(time('200101000000Z'), time('491231235959Z')),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, sequence(extension(oids.subjectAltName, sequence(address)), extension(oids.basicConstraints, authority))),
  );
  const signature = sign('sha256', body, privateKey);
  const certificate = sequence(body, algorithm, tagged(0x03, Buffer.concat([Buffer.of(0), signature])));
  const lines = certificate.toString('base64').replace(/.{64}/g, '$&\n');
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

const sequence = (...parts: Buffer[]) => tagged(0x30, Buffer.concat(parts));

/** DER: tag, length, value. */
function tagged(tag: number, value: Buffer): Buffer {
  const { length } = value;
  const head = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(tag, ...head), value]);
}
