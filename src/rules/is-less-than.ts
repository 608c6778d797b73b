/** Fractions closer than this part of the larger count as equal. */
const TOLERANCE = 1e-6;

/** Whether a quota's limit is below another. Whole numbers compare exactly. Origin: zun/common/utils.py, is_less_than. */
export function isLessThan(one: number, two: number): boolean {
  if (Number.isInteger(one) && Number.isInteger(two)) {
    return one < two;
  }
  return one < two && Math.abs(one - two) > TOLERANCE * Math.max(Math.abs(one), Math.abs(two));
}
