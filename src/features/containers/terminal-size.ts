import { invalidValue } from '../../errors/catalogue.ts';
import type { TerminalSize } from '../../runtime/console.ts';

/** `h` and `w` of a request, which its schema lets be left out, though a terminal has both. The original fails with a 500 then. */
export function terminalSize({ h, w }: Record<string, unknown>): TerminalSize {
  for (const [name, value] of Object.entries({ h, w })) {
    if (value === undefined) throw invalidValue(`Missing value for ${name}: a terminal's size is h rows and w columns.`);
  }
  return { width: Number(w), height: Number(h) };
}
