import { invalid } from '../errors/catalogue.ts';
import { pythonNumber } from '../validation/python-number.ts';

/**
 * The CPU numbers of a set such as `1-4,6`, ascending. Throws Invalid (400); a range must rise.
 * Origin: zun/common/utils.py, parse_floating_cpu.
 */
export function parseCpuSet(spec: string): number[] {
  const cpus = new Set<number>();
  for (const rule of spec.split(',')) {
    const dash = rule.indexOf('-');
    const first = wholeNumber(dash < 0 ? rule : rule.slice(0, dash));
    const last = dash < 0 ? first : wholeNumber(rule.slice(dash + 1));
    if (dash >= 0 && first >= last) {
      throw invalid();
    }
    for (let cpu = first; cpu <= last; cpu += 1) {
      cpus.add(cpu);
    }
  }
  return [...cpus].sort((one, two) => one - two);
}

function wholeNumber(text: string): number {
  const value = pythonNumber(text);
  if (typeof value !== 'number') {
    throw invalid();
  }
  return value;
}
