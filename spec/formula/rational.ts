/**
 * Exact arithmetic of formulas: fractions of whole numbers, with an unlimited value and an undefined one. A fraction of more than 2,048 bits is
 * cut to these, so that every value has a bounded size and is the same on every machine.
 */

/** `above / below`, below at least 0: 1/0 is unlimited, -1/0 unlimited below zero, 0/0 undefined. */
export interface Rational {
  readonly above: bigint;
  readonly below: bigint;
}

const BITS = 2_048n;
const LIMIT = 1n << BITS;
const UNDEFINED: Rational = { above: 0n, below: 0n };

export const whole = (value: number): Rational => ({ above: BigInt(value), below: 1n });

/** The exact value of a finite number: every double is a whole number over a power of two. */
export function exact(value: number): Rational {
  let [above, below] = [value, 1n];
  while (!Number.isInteger(above)) {
    above *= 2;
    below *= 2n;
  }
  return bounded(BigInt(above), below);
}

const sized = (value: bigint): bigint => (value < 0n ? -value : value);
const bitsOf = (value: bigint): bigint => BigInt(sized(value).toString(16).length) * 4n;

/** A fraction of bounded size: beyond 2^2048 it is unlimited, below 2^-2048 it is 0, and in between both parts lose their last bits. */
function bounded(above: bigint, below: bigint): Rational {
  if (below === 0n) return { above: above === 0n ? 0n : above < 0n ? -1n : 1n, below };
  const size = sized(above);
  if (size < LIMIT && below < LIMIT) return { above, below };
  if (size / below >= LIMIT) return { above: above < 0n ? -1n : 1n, below: 0n };
  const longer = size > below ? size : below;
  const shift = bitsOf(longer) - BITS;
  const cut = below >> shift;
  const left = size >> shift;
  if (cut === 0n) return { above: above < 0n ? -1n : 1n, below: 0n };
  return { above: above < 0n ? -left : left, below: cut };
}

const isUndefined = ({ above, below }: Rational): boolean => above === 0n && below === 0n;
const isUnlimited = ({ above, below }: Rational): boolean => above !== 0n && below === 0n;

export function add(a: Rational, b: Rational): Rational {
  if (isUndefined(a) || isUndefined(b)) return UNDEFINED;
  if (isUnlimited(a)) return isUnlimited(b) && a.above !== b.above ? UNDEFINED : a;
  if (isUnlimited(b)) return b;
  return bounded(a.above * b.below + b.above * a.below, a.below * b.below);
}

export const negative = ({ above, below }: Rational): Rational => ({ above: -above, below });

export const times = (a: Rational, b: Rational): Rational => bounded(a.above * b.above, a.below * b.below);

/** A value over zero is unlimited, zero over zero undefined. */
export function over(a: Rational, b: Rational): Rational {
  if (isUndefined(b)) return UNDEFINED;
  return b.above < 0n ? times(a, { above: -b.below, below: -b.above }) : times(a, { above: b.below, below: b.above });
}

function isLess(a: Rational, b: Rational): boolean {
  if (isUnlimited(a) && isUnlimited(b)) return a.above < b.above;
  return a.above * b.below < b.above * a.below;
}

/** The least or the greatest of two values; undefined if one of them is. */
export function chosen(a: Rational, b: Rational, wanted: 'min' | 'max'): Rational {
  if (isUndefined(a) || isUndefined(b)) return UNDEFINED;
  return isLess(a, b) === (wanted === 'min') ? a : b;
}

/** The next whole number below, or at, a value. */
export function floor(value: Rational): Rational {
  if (value.below === 0n) return value;
  const down = value.above / value.below;
  return { above: value.above < 0n && down * value.below !== value.above ? down - 1n : down, below: 1n };
}

export const ceil = (value: Rational): Rational => negative(floor(negative(value)));

const EXPONENT_MAX = 1_000_000n;

/** A power with a whole exponent from 0 to 1,000,000; any other exponent gives an undefined value. */
export function power(base: Rational, exponent: Rational): Rational {
  if (exponent.below === 0n || exponent.above % exponent.below !== 0n || isUndefined(base)) return UNDEFINED;
  const count = exponent.above / exponent.below;
  if (count < 0n || count > EXPONENT_MAX) return UNDEFINED;
  let result = whole(1);
  let square = base;
  for (let left = count; left > 0n; left >>= 1n) {
    if ((left & 1n) === 1n) result = times(result, square);
    if (left > 1n) square = times(square, square);
  }
  return result;
}

/** Bits that a quotient needs to be rounded once: those of a double, and more. */
const QUOTIENT_BITS = 64n;

/** The nearest number; null for a value without limit, undefined, or too large for a double. */
export function nearestNumber({ above, below }: Rational): number | null {
  if (below === 0n) return null;
  const size = sized(above);
  const shift = bitsOf(below) - bitsOf(size) + QUOTIENT_BITS + 8n;
  const [dividend, divisor] = shift >= 0n ? [size << shift, below] : [size, below << -shift];
  // A last bit that is set where anything is left over keeps a tie from being taken for one.
  const quotient = (dividend / divisor) | (dividend % divisor === 0n ? 0n : 1n);
  let number = Number(quotient);
  for (let left = shift; left > 0n; left -= 1n) number /= 2;
  for (let left = shift; left < 0n; left += 1n) number *= 2;
  return Number.isFinite(number) ? (above < 0n ? -number : number) : null;
}

/** A value rounded down to a number from 0; null for one above 2^53 - 1, without limit or undefined. */
export function wholeNumber(value: Rational): number | null {
  if (value.below === 0n) return value.above < 0n ? 0 : null;
  const { above } = floor(value);
  return above > BigInt(Number.MAX_SAFE_INTEGER) ? null : above < 0n ? 0 : Number(above);
}
