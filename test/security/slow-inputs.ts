import vm from 'node:vm';

/** Characters that the words of users are made of, beside those that an expression names itself. */
const everyday = [...'a0A /-_.={}"\'\\;%(:@\n\t+,'];
const around = [
  ['', ''],
  ['', '\u0001'],
  ['\u0001', '\u0001'],
  ['a:', '\u0001'],
] as const;

/**
 * Text on which an expression that backtracks gets slow: runs of a character, and of two that the expression names, whole and with
 * something before and after that matches nothing.
 */
export function slowInputs(source: string, length: number): string[] {
  const own = [...new Set(source.replace(/\\./g, ''))].slice(0, 12);
  const runs = [...new Set([...everyday, ...own]), ...own.flatMap((one) => own.map((other) => one + other))];
  return runs.flatMap((run) => around.map(([before, after]) => before + run.repeat(length / run.length) + after));
}

/** A process that others hold up gets so many times its time. */
const patience = 20;

/** Where an expression takes longer than so many milliseconds for a text; `null` when it does for none. */
export function slowOn(expression: RegExp, texts: string[], milliseconds: number): string | null {
  const global = new RegExp(expression.source, expression.flags.includes('g') ? expression.flags : `${expression.flags}g`);
  const context = vm.createContext({ global, texts });
  const replaceAt = new vm.Script('texts[at].replace(global, "")');
  const replaceAll = new vm.Script('for (const text of texts) text.replace(global, "")');
  try {
    // All at once: most expressions take no time at all.
    replaceAll.runInContext(context, { timeout: milliseconds });
    return null;
  } catch {
    for (const at of texts.keys()) {
      Object.assign(context, { at });
      if (attempts.every(() => takesLonger(() => replaceAt.runInContext(context, { timeout: milliseconds * patience }), milliseconds)))
        return `${JSON.stringify(texts[at]?.slice(0, 12))}…${JSON.stringify(texts[at]?.slice(-4))}`;
    }
    return null;
  }
}

/** The compiler and the collector of garbage take their time now and then, not each time. */
const attempts = [1, 2, 3];

/** By this process's own time: a busy machine makes nothing slow. */
function takesLonger(run: () => unknown, milliseconds: number): boolean {
  const before = process.cpuUsage();
  try {
    run();
  } catch {
    // It would have gone on.
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 > milliseconds;
}
