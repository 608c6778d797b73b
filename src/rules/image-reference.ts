import { digestInvalidLength, digestUnsupported, nameEmpty, nameTooLong, referenceInvalidFormat } from '../errors/catalogue.ts';

/** An image name taken apart: `registry.example:5000/app:1@sha256:…`. */
export interface ImageReference {
  /** With the registry's domain, when it has one. */
  name: string;
  tag: string | null;
  digest: string | null;
  /** The registry's domain, empty when the name has none: only a first part with a dot, a colon, or `localhost` is one. */
  domain: string;
  /** The name without the domain. */
  path: string;
}

/** Of the name alone, without tag and digest. */
const MAX_NAME_LENGTH = 255;
/** Hexadecimal characters by algorithm. */
const DIGEST_LENGTHS: Record<string, number> = { sha256: 64, sha384: 96, sha512: 128 };

// Components take no empty separator, unlike the original's: the same names match, without its exponential backtracking.
const COMPONENT = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*';
const PATH = `${COMPONENT}(?:/${COMPONENT})*`;
const HOST_LABEL = '[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?';
const HOST = `${HOST_LABEL}(?:\\.${HOST_LABEL})*(?::[0-9]+)?`;
// Python's `$` lets a final newline pass.
const END = '\\n?$';
const REFERENCE = new RegExp(`^((?:${HOST}/)?${PATH})(?::([A-Za-z0-9_][\\w.-]{0,127}))?(?:@([a-zA-Z0-9-_+.]+:[a-fA-F0-9]+))?${END}`);
const NAME = new RegExp(`^(?:(${HOST})/)?(${PATH})$`);

/**
 * Takes an image name apart. Throws ReferenceInvalidFormat, NameEmpty, NameTooLong, DigestUnsupported or DigestInvalidLength
 * (400 each; the original answers 500). Tags are ASCII, as every engine wants them; the original lets other letters through.
 * Origin: zun/common/docker_image/reference.py, Reference.parse and split_hostname; digest.py, validate_digest.
 */
export function parseImageReference(text: string): ImageReference {
  if (text === '') {
    throw nameEmpty();
  }
  const matched = REFERENCE.exec(text);
  if (!matched?.[1]) {
    throw referenceInvalidFormat('invalid reference format');
  }
  const [, name, tag = null, digest = null] = matched;
  if (name.length > MAX_NAME_LENGTH) {
    throw nameTooLong(MAX_NAME_LENGTH);
  }
  if (digest !== null) {
    checkDigest(digest);
  }
  return { name, tag, digest, ...splitDomain(name) };
}

function checkDigest(digest: string): void {
  const [algorithm = '', checksum = ''] = digest.split(':');
  const length = Object.hasOwn(DIGEST_LENGTHS, algorithm) ? DIGEST_LENGTHS[algorithm] : undefined;
  if (length === undefined) {
    throw digestUnsupported();
  }
  if (checksum.length !== length) {
    throw digestInvalidLength();
  }
}

function splitDomain(name: string): { domain: string; path: string } {
  const [, domain, path] = NAME.exec(name) ?? [];
  const isDomain = domain !== undefined && (/[.:]/.test(domain) || domain === 'localhost');
  return isDomain && path !== undefined ? { domain, path } : { domain: '', path: name };
}
