import type { OriginalOption } from './original-options.ts';
import { type OsloFile, osloValue } from './oslo-file.ts';

/** References within references, which also ends those that go in a circle. */
const deepest = 10;

/**
 * `text` with each `$name`, `${name}`, `$group.name` and `${group.name}` replaced by what the file says, else by the original's default.
 * A name without a group is looked for in `group` first. `$$` and `\$` are a dollar. What cannot be known here stays as it is written.
 * Origin: oslo.config, cfg.py (_substitute).
 */
export function withReferences(text: string, group: string, file: OsloFile, options: readonly OriginalOption[], depth = 0): string {
  const knownValue = (wanted: string, name: string): string | null => {
    const given = osloValue(file, wanted, name);
    if (given !== null) return given;
    const option = options.find((each) => each.group === wanted && each.name === name);
    const usual = option?.default;
    return option?.sample_default || usual === undefined || usual === null ? null : String(usual);
  };
  return text
    .replaceAll(String.raw`\$`, () => '$$')
    .replace(/\$(?:(\$)|\{([\w.-]+)\}|(\w+(?:\.\w+)?))/g, (written, dollar, braced, plain) => {
      if (dollar) return '$';
      const names = String(braced ?? plain).split('.');
      const name = names.pop() ?? '';
      const groups = names.length > 0 ? names : [group, 'DEFAULT'];
      const [found] = groups.map((each) => ({ group: each, value: knownValue(each, name) })).filter(({ value }) => value !== null);
      if (found?.value == null || depth >= deepest) return written;
      return withReferences(found.value, found.group, file, options, depth + 1);
    });
}
