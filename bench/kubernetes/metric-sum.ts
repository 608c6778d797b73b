/** How much the series of a metric that this pattern matches have grown between two readings of a program's metrics. */
export function metricSum(before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>, series: RegExp): number {
  let sum = 0;
  for (const [name, value] of after) if (series.test(name)) sum += value - (before.get(name) ?? 0);
  return sum;
}
