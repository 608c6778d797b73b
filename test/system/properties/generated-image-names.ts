import * as fc from 'fast-check';

const letters = (characters: string, maximum: number) =>
  fc.string({ unit: fc.constantFrom(...characters), minLength: 1, maxLength: maximum });
const component = fc
  .tuple(
    letters('abz09', 4),
    fc.array(fc.tuple(fc.constantFrom('.', '_', '__', '-', '--', '___', '..'), letters('ab1', 3)), { maxLength: 2 }),
  )
  .map(([first, rest]) => first + rest.map((parts) => parts.join('')).join(''));
const domain = fc.constantFrom('', 'localhost/', 'localhost:5000/', 'r.io/', 'r.x:443/', 'A.b-c.D/', 'UPPER/', '-bad/', 'a..b/', 'host:/');
const tag = fc.oneof(
  { weight: 3, arbitrary: fc.constant('') },
  letters('abZ019._-', 6).map((text) => `:${text}`),
  fc.constant(`:${'t'.repeat(129)}`),
);
const digest = fc.oneof(
  { weight: 4, arbitrary: fc.constant('') },
  fc
    .tuple(
      fc.constantFrom('sha256', 'sha384', 'sha512', 'md5', 'sha256+b64', 'SHA256'),
      fc.constantFrom(63, 64, 96, 128, 1),
      fc.constantFrom('a', 'F', '0', 'g'),
    )
    .map(([algorithm, length, character]) => `@${algorithm}:${character.repeat(length)}`),
);
const wellFormed = fc
  .tuple(domain, fc.array(component, { minLength: 1, maxLength: 3 }), tag, digest)
  .map(([host, path, tagged, digested]) => host + path.join('/') + tagged + digested);

/** With one character put in, taken out or put in another's place; ASCII, since the original lets other letters through in tags. */
const damaged = fc
  .tuple(wellFormed, fc.nat(), fc.constantFrom('', '/', ':', '@', '.', '-', '_', 'A', ' ', '\n', '\0', '%'), fc.boolean())
  .map(([text, place, character, replaces]) => {
    const at = place % (text.length + 1);
    return text.slice(0, at) + character + text.slice(at + (replaces ? 1 : 0));
  });

/** Names of images and what is nearly one. Short, because the original's pattern takes exponential time on some. */
export const imageNames: fc.Arbitrary<string> = fc.oneof(wellFormed, wellFormed, damaged);
