/**
 * What Python counts as white space, as the inside of a RegExp character class. JavaScript's `\s` lacks the separators
 * U+001C to U+001F and U+0085, and takes U+FEFF.
 */
export const PYTHON_SPACE = `\\t-\\r ${String.fromCharCode(0x1c, 0x1d, 0x1e, 0x1f, 0x85)}\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000`;
