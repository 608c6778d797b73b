const binary = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi'];

/**
 * Quantities as the API server writes them, so that what was asked for and what it answers can be compared as texts. Pure.
 */
export const canonicalQuantity = {
  /** Whole KiB with the largest unit that leaves a whole number. */
  kibibytes(amount: number): string {
    let unit = 1;
    let rest = amount;
    while (rest !== 0 && rest % 1024 === 0 && unit < binary.length - 1) {
      rest /= 1024;
      unit += 1;
    }
    return rest === 0 ? '0' : `${rest}${binary[unit]}`;
  },
  /** Whole thousandths of a core. */
  millicores: (amount: number): string => (amount % 1000 === 0 ? String(amount / 1000) : `${amount}m`),
};
