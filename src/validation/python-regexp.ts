/**
 * A Python `re` pattern as a RegExp that finds the same. Two things differ in the patterns the contract holds: `$` also
 * matches before a final newline, and `.` stops only at `\n`.
 */
export function pythonRegExp(pattern: string): RegExp {
  const source = pattern.replace(/\\.|\[(?:\\.|[^\]\\])*\]|\$|\./gs, (part) => {
    if (part === '$') {
      return '(?=\\n?(?![\\s\\S]))';
    }
    return part === '.' ? '[^\\n]' : part;
  });
  return new RegExp(source, 'u');
}
