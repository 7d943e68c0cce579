/**
 * Logarithm, exponential and gamma function from additions, multiplications and divisions, which IEEE 754 rounds alike on
 * every engine. Not a general math library: `Math.log` and the like differ in their last bits, and events would with them.
 */

/** ln 2 in two parts: the first has so few bits that its product with an exponent is exact. */
const LN2_HIGH = 0.6931471803691238;
const LN2_LOW = 1.9082149292705877e-10;
const TERMS = 12;

/** The natural logarithm of a finite number above zero; relative error below 1e-15 away from 1. */
export function ln(x: number): number {
  if (!(x > 0) || x === Number.POSITIVE_INFINITY) throw new RangeError(`ln(${x}): needs a finite number above zero`);
  let mantissa = x;
  let exponent = 0;
  for (let step = 512; step >= 1; step /= 2) {
    const power = twoTo(step);
    while (mantissa >= power) {
      mantissa /= power;
      exponent += step;
    }
    while (mantissa * power < 2) {
      mantissa *= power;
      exponent -= step;
    }
  }
  // The mantissa is in [1, 2); the series converges fastest around 1.
  if (mantissa > Math.SQRT2) {
    mantissa /= 2;
    exponent += 1;
  }
  const s = (mantissa - 1) / (mantissa + 1);
  const square = s * s;
  let sum = 0;
  for (let k = 2 * TERMS - 1; k >= 1; k -= 2) sum = sum * square + 1 / k;
  return exponent * LN2_HIGH + (2 * s * sum + exponent * LN2_LOW);
}

/** e to the power of x; 0 and Infinity where a double cannot hold it. Relative error below 1e-15. */
export function exp(x: number): number {
  if (x > 709.782712893384) return Number.POSITIVE_INFINITY;
  if (x < -745.1332191019412) return 0;
  const exponent = Math.round(x / Math.LN2);
  const rest = x - exponent * LN2_HIGH - exponent * LN2_LOW;
  let sum = 1;
  for (let k = 16; k >= 1; k -= 1) sum = 1 + (sum * rest) / k;
  // Two factors, since one factor of 2^1024 or 2^-1074 is out of range.
  const half = Math.floor(exponent / 2);
  return sum * twoTo(half) * twoTo(exponent - half);
}

/** A number from 0 to Infinity to a power. */
export function power(base: number, exponent: number): number {
  if (exponent === 0 || base === 1) return 1;
  if (base === 0 || base === Number.POSITIVE_INFINITY) {
    return (base === 0) === exponent > 0 ? 0 : Number.POSITIVE_INFINITY;
  }
  return exponent === 1 ? base : exp(exponent * ln(base));
}

/** 2 to a whole power from -1022 to 1023, exactly. */
function twoTo(power: number): number {
  let result = 1;
  let base = power < 0 ? 0.5 : 2;
  for (let rest = Math.abs(power); rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) result *= base;
    base *= base;
  }
  return result;
}

/** Lanczos' series with g = 7 (Godfrey's coefficients). */
const LANCZOS = [
  0.9999999999998099, 676.5203681218851, -1259.1392167224028, 771.3234287776531, -176.6150291621406, 12.507343278686905,
  -0.13857109526572012, 9.984369578019572e-6, 1.5056327351493116e-7,
] as const;
const SQRT_TWO_PI = 2.5066282746310002;

/** The gamma function of a number from 1 to 100; relative error below 1e-13. */
export function gamma(x: number): number {
  if (!(x >= 1 && x <= 100)) throw new RangeError(`gamma(${x}): needs a number from 1 to 100`);
  const z = x - 1;
  let sum: number = LANCZOS[0];
  for (let i = 1; i < LANCZOS.length; i += 1) sum += (LANCZOS[i] as number) / (z + i);
  const t = z + 7.5;
  return SQRT_TWO_PI * exp((z + 0.5) * ln(t) - t) * sum;
}
