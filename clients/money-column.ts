// Amounts of money that stand below each other, as terminal and console write them.

const [CENTS, FINEST] = [2, 4];
/** The digits of the least amount, as far as decimals go. */
const LEAST_DIGITS = 2;

/** The decimals that an amount needs. */
function decimalsOf(usd: number): number {
  const needed = LEAST_DIGITS - 1 - Math.floor(Math.log10(usd));
  return Math.min(FINEST, Math.max(CENTS, needed));
}

/**
 * Writes the amounts of one column: all with the decimals that the least one above zero needs, from cents to hundredths
 * of a cent. `0`, `1,204.5000`, `0.0079`, `<0.0001`; `sign` is before the digits.
 */
export function moneyColumn(amounts: readonly number[], sign = ''): (usd: number) => string {
  const digits = Math.max(CENTS, ...amounts.filter((usd) => usd > 0).map(decimalsOf));
  const least = 10 ** -FINEST;
  const options = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return (usd) => {
    if (usd === 0) return `${sign}0`;
    return usd < least ? `<${sign}${least}` : `${sign}${usd.toLocaleString('en', options)}`;
  };
}
