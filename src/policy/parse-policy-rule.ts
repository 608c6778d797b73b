import { parsePolicyCheck } from './parse-policy-check.ts';
import type { PolicyCheck } from './policy-check.ts';

/** A rule as written: text, or the older lists (the outer joined by `or`, the inner by `and`). */
export type PolicyRuleSource = string | (string | string[])[];

type Token = '(' | ')' | 'and' | 'or' | 'not' | PolicyCheck;

/**
 * Parses a rule of the oslo.policy language: `and` binds closer than `or`, `not` closest. The empty rule allows; a rule that
 * can't be read is null, and its user denies.
 * Origin: oslo.policy, _parser.parse_rule.
 */
export function parsePolicyRule(source: PolicyRuleSource): PolicyCheck | null {
  if (source.length === 0) {
    return { kind: 'allow' };
  }
  return typeof source === 'string' ? parseText(source) : parseLists(source);
}

function parseLists(source: (string | string[])[]): PolicyCheck | null {
  const alternatives: PolicyCheck[] = [];
  for (const inner of source.filter((each) => each.length > 0)) {
    const checks = [inner].flat().map(parsePolicyCheck);
    if (!checks.every((check) => check !== null)) {
      return null;
    }
    alternatives.push(joined('and', checks));
  }
  return alternatives.length === 0 ? { kind: 'deny' } : joined('or', alternatives);
}

function joined(kind: 'and' | 'or', checks: PolicyCheck[]): PolicyCheck {
  const [first] = checks;
  return first && checks.length === 1 ? first : { kind, checks };
}

function parseText(source: string): PolicyCheck | null {
  const tokens = tokenize(source);
  if (!tokens) {
    return null;
  }
  let position = 0;
  const takes = (token: Token) => {
    const found = tokens[position] === token;
    position += found ? 1 : 0;
    return found;
  };

  const sequence = (kind: 'and' | 'or', operand: () => PolicyCheck | null): PolicyCheck | null => {
    const checks: PolicyCheck[] = [];
    do {
      const check = operand();
      if (!check) {
        return null;
      }
      checks.push(check);
    } while (takes(kind));
    return joined(kind, checks);
  };
  const alternatives = (): PolicyCheck | null => sequence('or', () => sequence('and', operand));
  const operand = (): PolicyCheck | null => {
    if (takes('not')) {
      const check = operand();
      return check && { kind: 'not', check };
    }
    if (takes('(')) {
      const check = alternatives();
      return takes(')') ? check : null;
    }
    const token = tokens[position];
    position += 1;
    return typeof token === 'object' ? token : null;
  };

  const check = alternatives();
  return position === tokens.length ? check : null;
}

/**
 * Tokens stand between white space; parentheses only at the ends of a word, since `%(key)s` has them inside.
 * A word wholly in quotes is a string, which no rule can be made of: null, as for a check that can't be read.
 */
function tokenize(source: string): Token[] | null {
  const tokens: Token[] = [];
  for (const word of source.split(/\s+/).filter(Boolean)) {
    const inner = word.replace(/^\(+/, '');
    const bare = inner.replace(/\)+$/, '');
    tokens.push(...Array<Token>(word.length - inner.length).fill('('));
    if (/^(['"]).*\1$/s.test(inner) && inner.length >= 2) {
      return null;
    }
    const operator = bare.toLowerCase();
    if (operator === 'and' || operator === 'or' || operator === 'not') {
      tokens.push(operator);
    } else if (bare) {
      const check = parsePolicyCheck(bare);
      if (!check) {
        return null;
      }
      tokens.push(check);
    }
    tokens.push(...Array<Token>(inner.length - bare.length).fill(')'));
  }
  return tokens;
}
