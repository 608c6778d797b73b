/** A part of a word: literal text, or a variable's value (`$NAME`, `${NAME}`, `$?`). */
export type WordPart = { kind: 'text'; text: string } | { kind: 'variable'; name: string };
export type Word = WordPart[];

/** `>&2`, `2>&1`, `> file`, `>> file`. */
export interface Redirect {
  from: 'stdout' | 'stderr';
  to: { stream: 'stdout' | 'stderr' } | { file: Word; append: boolean };
}

export type ShellCommand =
  | { kind: 'simple'; words: Word[]; redirects: Redirect[] }
  | { kind: 'while'; condition: ShellList; body: ShellList }
  | { kind: 'for'; variable: string; words: Word[]; body: ShellList }
  | { kind: 'if'; condition: ShellList; then: ShellList; otherwise: ShellList };

/** Each command with the operator before it; the first has `;`. */
export type ShellList = { operator: ';' | '&&' | '||'; command: ShellCommand }[];

/** The message is what a shell would say after `sh: `. */
export class ShellSyntaxError extends Error {}

type Token = { operator: string } | { word: Word /** Plain text without any quote, where keywords are recognised. */; bare: string | null };

const OPERATOR = /^(?:2>&1|1?>&2|>&1|2>>|2>|>>|>|&&|\|\||;|\n|\||&|<|\(|\))/;
const VARIABLE = /^\$(?:(\?)|\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))/;

/**
 * Parses the small part of the POSIX shell that the memory runtime runs: lists, `while`, `for`, `if`, quotes, variables and
 * output redirects. Pipes, subshells, background jobs and substitutions are refused with `ShellSyntaxError`.
 */
export function parseShell(source: string): ShellList {
  const reader = new TokenReader(tokenize(source));
  const list = parseList(reader, []);
  if (!reader.atEnd()) throw new ShellSyntaxError(`syntax error: unexpected "${reader.describe()}"`);
  return list;
}

class TokenReader {
  readonly #tokens: Token[];
  #at = 0;

  constructor(tokens: Token[]) {
    this.#tokens = tokens;
  }

  peek(): Token | undefined {
    return this.#tokens[this.#at];
  }

  next(): Token | undefined {
    return this.#tokens[this.#at++];
  }

  atEnd(): boolean {
    return this.#at >= this.#tokens.length;
  }

  keyword(): string | null {
    const token = this.peek();
    return token && 'bare' in token ? token.bare : null;
  }

  operator(): string | null {
    const token = this.peek();
    return token && 'operator' in token ? token.operator : null;
  }

  expect(keyword: string): void {
    if (this.keyword() !== keyword) throw new ShellSyntaxError(`syntax error: unexpected "${this.describe()}" (expecting "${keyword}")`);
    this.#at++;
  }

  skipSeparators(): void {
    while (this.operator() === ';' || this.operator() === '\n') this.#at++;
  }

  describe(): string {
    return this.operator() ?? this.keyword() ?? 'end of file';
  }
}

function parseList(reader: TokenReader, closers: string[]): ShellList {
  const list: ShellList = [];
  let operator: ';' | '&&' | '||' = ';';
  reader.skipSeparators();
  while (!reader.atEnd() && !closers.includes(reader.keyword() ?? '')) {
    list.push({ operator, command: parseCommand(reader) });
    const found = reader.operator();
    if (found === '&&' || found === '||') {
      operator = found;
      reader.next();
    } else if (found === ';' || found === '\n') {
      operator = ';';
    } else break;
    reader.skipSeparators();
  }
  return list;
}

function parseCommand(reader: TokenReader): ShellCommand {
  switch (reader.keyword()) {
    case 'while': {
      reader.next();
      const condition = parseList(reader, ['do']);
      return { kind: 'while', condition, body: parseBody(reader) };
    }
    case 'for':
      return parseFor(reader);
    case 'if':
      return parseIf(reader);
    default:
      return parseSimple(reader);
  }
}

function parseBody(reader: TokenReader): ShellList {
  reader.skipSeparators();
  reader.expect('do');
  const body = parseList(reader, ['done']);
  reader.expect('done');
  return body;
}

function parseFor(reader: TokenReader): ShellCommand {
  reader.next();
  const variable = reader.keyword();
  if (variable === null) throw new ShellSyntaxError('syntax error: bad for loop variable');
  reader.next();
  reader.expect('in');
  const words: Word[] = [];
  for (let token = reader.peek(); token && 'word' in token; token = reader.peek()) {
    words.push(token.word);
    reader.next();
  }
  return { kind: 'for', variable, words, body: parseBody(reader) };
}

function parseIf(reader: TokenReader): ShellCommand {
  reader.next();
  const condition = parseList(reader, ['then']);
  reader.expect('then');
  const then = parseList(reader, ['else', 'fi']);
  let otherwise: ShellList = [];
  if (reader.keyword() === 'else') {
    reader.next();
    otherwise = parseList(reader, ['fi']);
  }
  reader.expect('fi');
  return { kind: 'if', condition, then, otherwise };
}

function parseSimple(reader: TokenReader): ShellCommand {
  const words: Word[] = [];
  const redirects: Redirect[] = [];
  for (let token = reader.peek(); token; token = reader.peek()) {
    if ('word' in token) words.push(token.word);
    else if (token.operator.includes('>')) redirects.push(parseRedirect(reader, token.operator));
    else break;
    reader.next();
  }
  if (words.length === 0 && redirects.length === 0) throw new ShellSyntaxError(`syntax error: unexpected "${reader.describe()}"`);
  return { kind: 'simple', words, redirects };
}

/** Leaves the reader on the redirect's last token. */
function parseRedirect(reader: TokenReader, operator: string): Redirect {
  if (operator === '2>&1') return { from: 'stderr', to: { stream: 'stdout' } };
  if (operator === '>&1') return { from: 'stdout', to: { stream: 'stdout' } };
  if (operator.endsWith('>&2')) return { from: 'stdout', to: { stream: 'stderr' } };
  reader.next();
  const target = reader.peek();
  if (!target || !('word' in target)) throw new ShellSyntaxError('syntax error: unexpected redirection');
  return { from: operator.startsWith('2') ? 'stderr' : 'stdout', to: { file: target.word, append: operator.endsWith('>>') } };
}

function tokenize(source: string): Token[] {
  const tokens: Token[] = [];
  let rest = source;
  for (;;) {
    rest = rest.replace(/^[ \t]+|^#[^\n]*/, '');
    if (rest === '') return tokens;
    const operator = OPERATOR.exec(rest)?.[0];
    if (operator !== undefined) {
      if (['|', '&', '<', '(', ')'].includes(operator)) throw new ShellSyntaxError(`syntax error: unexpected "${operator}"`);
      tokens.push({ operator });
      rest = rest.slice(operator.length);
    } else {
      const { token, length } = readWord(rest);
      tokens.push(token);
      rest = rest.slice(length);
    }
  }
}

function readWord(source: string): { token: Token; length: number } {
  const word: Word = [];
  let quoted = false;
  let at = 0;
  const text = (added: string) => {
    const last = word.at(-1);
    if (last?.kind === 'text') last.text += added;
    else word.push({ kind: 'text', text: added });
  };
  let inDouble = false;
  while (at < source.length) {
    const char = source.charAt(at);
    const variable = VARIABLE.exec(source.slice(at));
    if (char === "'" && !inDouble) {
      const end = source.indexOf("'", at + 1);
      if (end < 0) throw new ShellSyntaxError('syntax error: unterminated quoted string');
      text(source.slice(at + 1, end));
      quoted = true;
      at = end + 1;
    } else if (char === '"') {
      inDouble = !inDouble;
      quoted = true;
      text('');
      at++;
    } else if (variable) {
      word.push({ kind: 'variable', name: variable[1] ?? variable[2] ?? variable[3] ?? '' });
      at += variable[0].length;
    } else if (char === '`' || source.startsWith('$(', at)) {
      throw new ShellSyntaxError('syntax error: command substitution is not supported');
    } else if (char === '\\' && (!inDouble || /["\\$`]/.test(source.charAt(at + 1)))) {
      text(source.charAt(at + 1));
      quoted = true;
      at += 2;
    } else if (!inDouble && /[\s;&|<>()]/.test(char)) {
      break;
    } else {
      text(char);
      at++;
    }
  }
  if (inDouble) throw new ShellSyntaxError('syntax error: unterminated quoted string');
  const only = word[0];
  return { token: { word, bare: !quoted && word.length === 1 && only?.kind === 'text' ? only.text : null }, length: at };
}
