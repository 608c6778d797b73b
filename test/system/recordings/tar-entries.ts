const block = 512;

/** What the recording says of an archive: name, size, mode and type of each entry, as Python's tarfile reads them. */
export function tarEntries(text: string): [string, number, string, string][] {
  const bytes = Buffer.from(text, /^[A-Za-z0-9+/=\s]*$/.test(text) ? 'base64' : 'utf8');
  const entries: [string, number, string, string][] = [];
  for (let at = 0; at + block <= bytes.length && bytes[at] !== 0; ) {
    const field = (from: number, to: number) => bytes.toString('utf8', at + from, at + to).replace(/\0.*$/s, '');
    const size = Number.parseInt(field(124, 136), 8) || 0;
    entries.push([field(0, 100).replace(/\/$/, ''), size, octal(field(100, 108)), field(156, 157)]);
    at += block + Math.ceil(size / block) * block;
  }
  return entries;
}

/** Docker of that time put the type of the file into the mode as well. */
export const octal = (mode: string): string => (Number.parseInt(mode.replace('0o', ''), 8) & 0o7777).toString(8);
