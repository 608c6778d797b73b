import type { ValueRule } from '../value-rule.ts';

/** A number to count with. */
export const positive: ValueRule = { type: 'number', whole: true, minimum: 1 };
