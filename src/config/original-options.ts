import { readFileSync } from 'node:fs';

/** An option that Zun 18.0.0 registers itself (`contract/config-options.json`). */
export interface OriginalOption {
  group: string;
  name: string;
  /** oslo.config's type: `Integer`, `List`, … */
  type: string;
  /** May refer to others with `$name`; `<…>` stands for what the original finds out on its machine. */
  default?: unknown;
  sample_default?: boolean;
}

/** The options of the original, as recorded. */
export function originalOptions(): OriginalOption[] {
  const { options }: { options: OriginalOption[] } = JSON.parse(
    readFileSync(new URL('../../contract/config-options.json', import.meta.url), 'utf8'),
  );
  return options;
}
