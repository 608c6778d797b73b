/** Settings of an oslo.config file, such as the original's `zun.conf`: section → name → values in order of appearance. */
export type OsloFile = ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>;

/**
 * Reads an oslo.config file. A name may be given more than once; a line that begins with a space goes on with the value before it.
 * Names and sections keep their case. Throws with the line's number for a line that is neither. Origin: oslo.config, iniparser.
 */
export function readOsloFile(text: string): OsloFile {
  const sections = new Map<string, Map<string, string[]>>();
  let section = 'DEFAULT';
  let values: string[] | null = null;
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const trimmed = line.trim();
    if (trimmed === '') values = null;
    else if (/^[#;]/.test(line)) continue;
    else if (/^\s/.test(line) && values) values.push(`${values.pop()}\n${trimmed}`);
    else if (/^\[.+\]$/.test(trimmed)) {
      section = trimmed.slice(1, -1);
      values = null;
    } else {
      const [, name, value] = /^\s*([^=:\s]+)\s*[=:]\s*(.*)$/.exec(line) ?? [];
      if (name === undefined || value === undefined) throw new Error(`line ${index + 1} is neither a section nor a setting: ${trimmed}`);
      const names = sections.get(section) ?? new Map<string, string[]>();
      sections.set(section, names);
      values = names.get(name) ?? [];
      names.set(name, values);
      values.push(unquoted(value.trim()));
    }
  }
  return sections;
}

/** The last value given, which counts for a setting that takes one. */
export function osloValue(file: OsloFile, section: string, name: string): string | null {
  return file.get(section)?.get(name)?.at(-1) ?? null;
}

const unquoted = (text: string) => (/^(".*"|'.*')$/.test(text) && text.length > 1 ? text.slice(1, -1) : text);
