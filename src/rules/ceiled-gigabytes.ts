/** Megabytes as whole gigabytes (of 1024), rounded up; 0 for none. Origin: zun/common/utils.py, convert_mb_to_ceil_gb. */
export function ceiledGigabytes(megabytes: number | null): number {
  return Math.ceil((megabytes ?? 0) / 1024);
}
