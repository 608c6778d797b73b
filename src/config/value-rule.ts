/** What a setting may be. `orNull`: `null` counts, and means what the setting's sentence says. */
export type ValueRule =
  | { type: 'number'; whole?: true; minimum?: number; maximum?: number; above?: number; orNull?: true }
  | { type: 'text'; oneOf?: readonly string[]; pattern?: RegExp; wanted?: string; orNull?: true }
  | { type: 'boolean' }
  | { type: 'list'; oneOf?: readonly string[]; pattern?: RegExp; wanted?: string }
  /** Of texts; the rule is of its values. */
  | { type: 'map'; pattern?: RegExp; wanted?: string };

/** The rule in words: `a whole number from 1 to 65535`. */
export function ruleInWords(rule: ValueRule): string {
  if (rule.type === 'boolean') return 'true or false';
  if (rule.type === 'map') return `a map of ${rule.wanted ?? 'texts'}`;
  if (rule.type === 'list') return `a list of ${rule.oneOf ? `these: ${rule.oneOf.join(', ')}` : (rule.wanted ?? 'texts')}`;
  const words = rule.type === 'number' ? numberInWords(rule) : rule.oneOf ? `one of ${rule.oneOf.join(', ')}` : (rule.wanted ?? 'text');
  return rule.orNull ? `${words}, or null` : words;
}

function numberInWords({ whole, minimum, maximum, above }: Extract<ValueRule, { type: 'number' }>): string {
  const kind = whole ? 'a whole number' : 'a number';
  if (above !== undefined) return `${kind} above ${above}`;
  if (maximum !== undefined) return `${kind} from ${minimum} to ${maximum}`;
  return minimum === undefined ? kind : `${kind}, ${minimum} or more`;
}

/** Whether a plain value, as YAML has it, keeps to the rule. */
export function keepsTo(rule: ValueRule, value: unknown): boolean {
  if (rule.type === 'list') return Array.isArray(value) && value.every((item) => isText(rule, item));
  if (rule.type === 'map') return isMap(value) && Object.values(value).every((item) => isText(rule, item));
  if (rule.type === 'boolean') return typeof value === 'boolean';
  if (value === null) return rule.orNull === true;
  if (rule.type === 'text') return isText(rule, value);
  if (typeof value !== 'number' || !Number.isFinite(value) || (rule.whole && !Number.isSafeInteger(value))) return false;
  return value >= (rule.minimum ?? value) && value <= (rule.maximum ?? value) && (rule.above === undefined || value > rule.above);
}

function isText({ oneOf, pattern }: { oneOf?: readonly string[]; pattern?: RegExp }, value: unknown): value is string {
  return typeof value === 'string' && (oneOf?.includes(value) ?? true) && (pattern?.test(value) ?? true);
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
