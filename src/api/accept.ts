/** `*`/`*` 0, `type`/`*` 1, `type/subtype` 2: the more a range says, the more it counts. */
const rangePattern = /^\s*(\*|[\w!#$&^.+-]+)\/(\*|[\w!#$&^.+-]+)\s*((?:;[^;]*)*)$/;

/** How much an `Accept` header wants a type: 0 to 1. A header that can't be read wants everything. */
function wanted(accept: string, type: string): number {
  const [main] = type.split('/');
  let best = { quality: 0, precision: -1 };
  for (const range of accept.split(',')) {
    const match = rangePattern.exec(range);
    if (!match) return 1;
    const precision = range.includes('*/*') ? 0 : match[2] === '*' ? 1 : 2;
    const fits = precision === 0 || (match[1] === main && (precision === 1 || `${match[1]}/${match[2]}`.toLowerCase() === type));
    const quality = Number(/;\s*q\s*=\s*([\d.]+)/i.exec(match[3] ?? '')?.[1] ?? 1);
    if (fits && precision > best.precision) best = { quality, precision };
  }
  return best.quality;
}

/** Whether an answer in JSON may be sent. Origin: pecan, find_controller. */
export function acceptsJson(accept: string | undefined): boolean {
  return !accept || accept.startsWith('application/json') || wanted(accept, 'application/json') > 0;
}

/**
 * Whether the refusals of routing say what they are: only to those who ask for JSON before HTML, as WebOb has it; the original
 * can't read its own text in others. Origin: webob.exc; zun/api/middleware/parsable_error.py.
 */
export function prefersJson(accept: string | undefined): boolean {
  return Boolean(accept) && wanted(accept ?? '', 'application/json') > wanted(accept ?? '', 'text/html');
}
