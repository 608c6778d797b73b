import type { CheckResult } from './upgrade-checks.ts';

const title = 'Upgrade Check Results';
const results = ['Success', 'Warning', 'Failure'];
const width = 60;

/** The results as a table, or as JSON, in the original's form. Origin: oslo_upgradecheck, UpgradeCommands.check. */
export function upgradeCheckTable(checks: CheckResult[], json: boolean): string {
  if (json) return JSON.stringify({ name: title, checks });
  const cells = checks.map(({ check, result, details }) => [
    `Check: ${check}`,
    `Result: ${results[result]}`,
    ...wrapped(details ?? 'None').map((line, index) => (index === 0 ? `Details: ${line}` : line)),
  ]);
  const columns = Math.max(title.length, ...cells.flat().map((line) => line.length));
  const rule = `+${'-'.repeat(columns + 2)}+`;
  const row = (lines: string[]) => [...lines.map((line) => `| ${line.padEnd(columns)} |`), rule];
  return [rule, ...row([title]), ...cells.flatMap(row)].join('\n');
}

/** Python's textwrap at 60 columns, further lines two in; words that are longer are cut. */
function wrapped(text: string): string[] {
  const lines: string[] = [];
  let line = '';
  let empty = true;
  const end = () => {
    lines.push(line);
    line = '  ';
    empty = true;
  };
  for (const word of text.split(/\s+/).filter(Boolean)) {
    let rest = word;
    if (!empty && line.length + 1 + rest.length > width) end();
    while (empty && line.length + rest.length > width) {
      const room = width - line.length;
      line += rest.slice(0, room);
      rest = rest.slice(room);
      end();
    }
    line += empty ? rest : ` ${rest}`;
    empty = false;
  }
  lines.push(line);
  return lines;
}
