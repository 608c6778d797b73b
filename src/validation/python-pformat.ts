import { pythonRepr } from './python-repr.ts';
import { PYTHON_SPACE } from './python-space.ts';
import { isPythonDict, type PythonDict, type PythonValue } from './python-value.ts';

/** What `str.splitlines` breaks at. */
const BREAKS = `\\n\\r\\v\\f${String.fromCharCode(0x1c, 0x1d, 0x1e, 0x85, 0x2028, 0x2029)}`;
const LINES = new RegExp(`[^${BREAKS}]*(?:\\r\\n|[${BREAKS}])|[^${BREAKS}]+`, 'g');
const WORDS = new RegExp(`[^${PYTHON_SPACE}]+[${PYTHON_SPACE}]*|[${PYTHON_SPACE}]+`, 'g');

/**
 * A value as Python's `pprint.pformat(value, width=width, sort_dicts=False)` prints it: on one line when it fits, else one
 * member a line, aligned under the first; long strings in pieces broken after spaces.
 */
export function pythonPformat(value: PythonValue, width: number): string {
  return new Layout(width).format(value, { indent: 0, allowance: 0, level: 1 });
}

/** Columns already taken on the left, columns needed on the right for closing brackets and commas, depth from 1. */
interface Place {
  indent: number;
  allowance: number;
  level: number;
}

class Layout {
  readonly #width: number;

  constructor(width: number) {
    this.#width = width;
  }

  format(value: PythonValue, place: Place): string {
    const oneLine = pythonRepr(value);
    if (codePoints(oneLine) <= this.#width - place.indent - place.allowance) {
      return oneLine;
    }
    if (Array.isArray(value)) {
      return this.#list(value, place);
    }
    if (typeof value === 'string' && value !== '') {
      return this.#text(value, place);
    }
    return isPythonDict(value) ? this.#dict(value, place) : oneLine;
  }

  #dict(value: PythonDict, place: Place): string {
    const indent = place.indent + 1;
    const entries = Object.entries(value);
    const lines = entries.map(([key, member], index) => {
      const label = `${pythonRepr(key)}: `;
      const allowance = index === entries.length - 1 ? place.allowance + 1 : 1;
      return label + this.format(member, { indent: indent + codePoints(label), allowance, level: place.level + 1 });
    });
    return `{${lines.join(`,\n${' '.repeat(indent)}`)}}`;
  }

  #list(value: PythonValue[], place: Place): string {
    const indent = place.indent + 1;
    const lines = value.map((member, index) => {
      const allowance = index === value.length - 1 ? place.allowance + 1 : 1;
      return this.format(member, { indent, allowance, level: place.level + 1 });
    });
    return `[${lines.join(`,\n${' '.repeat(indent)}`)}]`;
  }

  #text(value: string, place: Place): string {
    // At the top a broken string stands in parentheses, which take a column on each side.
    const outer = place.level === 1 ? 1 : 0;
    const indent = place.indent + outer;
    const pieces = brokenText(value, this.#width - indent, place.allowance + outer);
    if (pieces.length === 1) {
      return pieces[0] ?? '';
    }
    const joined = pieces.join(`\n${' '.repeat(indent)}`);
    return outer ? `(${joined})` : joined;
  }
}

/** The string's lines, and those too long broken after white space, each as a literal; the last leaves `allowance` columns free. */
function brokenText(text: string, width: number, allowance: number): string[] {
  const pieces: string[] = [];
  const lines = text.match(LINES) ?? [];
  lines.forEach((line, index) => {
    const isLast = index === lines.length - 1;
    const literal = pythonRepr(line);
    if (codePoints(literal) <= width - (isLast ? allowance : 0)) {
      pieces.push(literal);
    } else {
      pieces.push(...brokenLine(line, width, isLast ? allowance : 0));
    }
  });
  return pieces;
}

function brokenLine(line: string, width: number, allowance: number): string[] {
  const pieces: string[] = [];
  const words = line.match(WORDS) ?? [];
  let current = '';
  words.forEach((word, index) => {
    const room = index === words.length - 1 ? width - allowance : width;
    if (codePoints(pythonRepr(current + word)) <= room) {
      current += word;
      return;
    }
    if (current) {
      pieces.push(pythonRepr(current));
    }
    current = word;
  });
  if (current) {
    pieces.push(pythonRepr(current));
  }
  return pieces;
}

function codePoints(text: string): number {
  return [...text].length;
}
