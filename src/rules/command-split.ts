import { invalidValue } from '../errors/catalogue.ts';

/** One step of the scan: a quoted part, an escaped character, white space, or plain text. */
const PART = /'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|\\([\s\S])|([ \t\r\n]+)|([^\s'"\\]|[^ \t\r\n'"\\])/y;

/**
 * A command line as its words, by the shell's quoting rules but without its expansions; `#` begins no comment. Throws InvalidValue (400)
 * for a quotation or escape that does not end (the original answers 500).
 * Origin: Python's shlex.split, used in zun/api/controllers/v1/containers.py for string commands before 1.20.
 */
export function splitCommand(command: string): string[] {
  const words: string[] = [];
  let word: string | null = null;
  let position = 0;
  while (position < command.length) {
    PART.lastIndex = position;
    const part = PART.exec(command);
    if (!part) {
      throw invalidValue(unfinished(command.slice(position)));
    }
    position = PART.lastIndex;
    const [, single, double, escaped, space, plain] = part;
    if (space !== undefined) {
      if (word !== null) {
        words.push(word);
      }
      word = null;
    } else {
      // Inside double quotes a backslash only escapes the quote and itself.
      word = (word ?? '') + (single ?? double?.replace(/\\(["\\])/g, '$1') ?? escaped ?? plain ?? '');
    }
  }
  return word === null ? words : [...words, word];
}

function unfinished(rest: string): string {
  const endsInEscape = !rest.startsWith("'") && /(?:^|[^\\])(?:\\\\)*\\$/.test(rest);
  return endsInEscape ? 'No escaped character' : 'No closing quotation';
}
