/**
 * Epoch milliseconds of a time in a Kubernetes object, whether it was parsed or not. `null` for none, and for the two zero times:
 * Go's, and the Unix epoch that the kubelet writes for a process that was never started. Pure.
 */
export function instant(time: Date | string | undefined): number | null {
  if (time === undefined || time === null) return null;
  const milliseconds = new Date(time).getTime();
  return Number.isNaN(milliseconds) || milliseconds <= 0 ? null : milliseconds;
}
