const secretKey = /token|password|passwd|secret|credential|authorization|cookie|encryption_?key|private_?key|^auth$/i;
const placeholder = '[redacted]';
/** Deeper than what any log line holds; below, values are left out. */
const deepest = 8;

/**
 * A copy of a log line's context without what must not be written: the values of keys that name secrets, however deep they are.
 * Errors are kept for `plainError`.
 */
export function redacted(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Error || Buffer.isBuffer(value)) return value;
  if (depth >= deepest) return '[deeper]';
  if (Array.isArray(value)) return value.map((item) => redacted(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, secretKey.test(key) && item !== null ? placeholder : redacted(item, depth + 1)]),
  );
}

/** Each begins where a word begins and not within one, so that none is slow on a long line. */
const secretTexts: [RegExp, string][] = [
  // Fernet tokens: Keystone's, and what this service encrypts.
  [/gAAAA[\w-]{20,}={0,2}/g, placeholder],
  // Tokens of the local identity and JSON web tokens: parts of base64url, each of some length.
  [/(?<![\w-])[\w-]{40,}\.[\w-]{27,}(\.[\w-]{27,})?/g, placeholder],
  [/(?<![\w+.-])([a-z][a-z0-9+.-]*:\/\/[^\s/:@"]*:)[^\s/@"]+@/gi, `$1${placeholder}@`],
  [
    /(?<![\w-])((?:x-auth-token|x-subject-token|x-registry-auth|authorization)\\?["']?\s*[:=]\s*\\?["']?)(?:(?:basic|bearer) )?[^\s"',\\]+/gi,
    `$1${placeholder}`,
  ],
  [/(\\?["'](?:password|passwd|secret)\\?["']\s*:\s*\\?["'])[^"'\\]+/gi, `$1${placeholder}`],
  [/(?<![\w-])((?:password|passwd|secret)=)[^\s"'&\\]+/gi, `$1${placeholder}`],
];

/** Text without tokens, passwords in URLs and headers with secrets: the last look at what is about to be written. */
export function scrubbed(text: string): string {
  return secretTexts.reduce((rest, [pattern, replacement]) => rest.replace(pattern, replacement), text);
}
