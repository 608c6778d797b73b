const factors: Record<string, number> = {
  '': 1,
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
};

/** The number that a Kubernetes quantity (`16384Ki`, `128M`, `500m`) stands for; `NaN` for what is none. Pure. */
export function quantityOf(text: string): number {
  const [, digits, unit = ''] = /^([\d.]+(?:e\d+)?)([a-zA-Z]*)$/.exec(text.trim()) ?? [];
  return digits === undefined ? Number.NaN : Number(digits) * (factors[unit] ?? Number.NaN);
}

/** The whole bytes of a quantity. */
export const bytesOf = (text: string): number => Math.round(quantityOf(text));
