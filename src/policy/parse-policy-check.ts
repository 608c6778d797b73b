import { pythonNumber } from '../validation/python-number.ts';
import { pythonRepr } from '../validation/python-repr.ts';
import type { PolicyCheck, PolicyTemplate } from './policy-check.ts';

/** Kinds that oslo.policy answers by asking a server; they are not supported. */
const REMOTE_KINDS = new Set(['http', 'https', 'remote']);

/**
 * Parses one check, `kind:match`, `@` or `!`. A word without a kind denies, as in the original. Null is a check that can't be
 * decided, where the original crashes: the whole rule is then unreadable, because below a `not` a denial would allow.
 * Origin: oslo.policy, _parser._parse_check and the checks in _checks.py.
 */
export function parsePolicyCheck(text: string): PolicyCheck | null {
  if (text === '@') {
    return { kind: 'allow' };
  }
  const colon = text.indexOf(':');
  if (colon < 0) {
    return { kind: 'deny' };
  }
  const kind = text.slice(0, colon);
  if (kind === '' || REMOTE_KINDS.has(kind)) {
    return null;
  }
  const match = text.slice(colon + 1);
  if (kind === 'rule') {
    return { kind: 'rule', name: match };
  }
  const template = parseTemplate(match);
  if (!template) {
    return null;
  }
  if (kind === 'role') {
    return { kind: 'role', role: template };
  }
  const value = literal(kind);
  if (value === null && !isExpression(kind)) {
    return null;
  }
  return value === null ? { kind: 'credential', path: kind.split('.'), match: template } : { kind: 'literal', value, match: template };
}

const PYTHON_KEYWORDS = new Set(
  (
    'and as assert async await break class continue def del elif else except finally for from global if import in is lambda ' +
    'nonlocal not or pass raise return try while with yield'
  ).split(' '),
);

/** Whether Python reads it as an expression: the original asks, and crashes on what is none. Names with dots, dashes and brackets are. */
function isExpression(kind: string): boolean {
  const parts = kind.split(/[.-]/);
  return parts.every((part) => /^[\p{L}_][\p{L}\p{N}_]*(\[\w+\])*$/u.test(part) && !PYTHON_KEYWORDS.has(part));
}

/** `%(key)s` and `%%` of Python's formatting; null for any other use of `%`. */
function parseTemplate(text: string): PolicyTemplate | null {
  const parts: string[] = text.match(/%%|%\([^)]*\)s|[^%]+|%/g) ?? [];
  if (parts.includes('%')) {
    return null;
  }
  return parts.map((part) => (part === '%%' ? '%' : part.startsWith('%') ? { key: part.slice(2, -2) } : part));
}

/** A Python constant as `str()` prints it; null for anything else, which is then the name of a credential. */
function literal(text: string): string | null {
  if (text === 'True' || text === 'False' || text === 'None') {
    return text;
  }
  const quoted = /^(['"])([^\\]*)\1$/.exec(text);
  if (quoted?.[2] !== undefined && !quoted[2].includes(quoted[1] ?? '')) {
    return quoted[2];
  }
  const number = /^[+-]?\.?[0-9]/.test(text) ? pythonNumber(text) : null;
  return number === null ? null : pythonRepr(number);
}
