import { describe, expect, it } from 'vitest';
import { parseExpression } from './expression.js';
import { exact, nearestNumber, over, type Rational, whole, wholeNumber } from './rational.js';

const KNOWN = new Set(['x', 'y', 'a.b']);

function valueOfText(text: string, values: Readonly<Record<string, number>> = {}): Rational {
  const parsed = parseExpression(text, KNOWN);
  if (!parsed.ok) throw new Error(`${parsed.position}: ${parsed.message}`);
  return parsed.expression.evaluate((name) => values[name] ?? 0);
}

const wholeOf = (text: string, values?: Readonly<Record<string, number>>): number | null =>
  wholeNumber(valueOfText(text, values));

describe('an expression', () => {
  it.each([
    ['1 + 2 * 3', 7],
    ['(1 + 2) * 3', 9],
    ['10 - 4 - 3', 3],
    ['24 / 4 / 3', 2],
    ['-2 + 5', 3],
    ['5 - -2', 7],
    ['7 / 2', 3],
    ['ceil(7 / 2)', 4],
    ['floor(7 / 2) * 2', 6],
    ['7 / 2 * 2', 7],
    ['floor(0 - 7 / 2) + 10', 6],
    ['ceil(0 - 7 / 2) + 10', 7],
    ['min(3, 1, 2)', 1],
    ['max(3, 1, 2)', 3],
    ['pow(2, 10)', 1_024],
    ['pow(0, 0)', 1],
    ['0.1 + 0.2 - 0.3', 0],
    ['1000 * pow(1.2, 3)', 1_728],
    ['2 - 5', 0],
    ['9007199254740991', 9_007_199_254_740_991],
  ])('%s is %i', (text, value) => {
    expect(wholeOf(text)).toBe(value);
  });

  it('reads names, with dots too', () => {
    expect(wholeOf('x * a.b + y', { x: 3, y: 4, 'a.b': 5 })).toBe(19);
    const parsed = parseExpression('x + x + a.b', KNOWN);
    expect(parsed.ok && parsed.expression.names).toEqual(['x', 'a.b']);
  });

  it('is exact where doubles are not', () => {
    expect(wholeOf('9007199254740991 * 3 / 3')).toBe(9_007_199_254_740_991);
    expect(wholeOf('pow(3, 400) / pow(3, 398)')).toBe(9);
  });

  it('has no value above 2^53 - 1, after a division by zero, or where it is undefined', () => {
    expect(wholeOf('9007199254740991 + 1')).toBeNull();
    expect(wholeOf('1 / 0')).toBeNull();
    expect(wholeOf('0 / 0')).toBeNull();
    expect(wholeOf('pow(2, 0.5)')).toBeNull();
    expect(wholeOf('pow(2, 0 - 1)')).toBeNull();
    expect(wholeOf('pow(2, 1000001)')).toBeNull();
    expect(wholeOf('1 / 0 - 1 / 0')).toBeNull();
  });

  it('joins a value without limit to others as a bound does', () => {
    expect(wholeOf('min(1 / 0, 5)')).toBe(5);
    expect(wholeOf('max(0 - 1 / 0, 5)')).toBe(5);
    expect(wholeOf('5 / (1 / 0)')).toBe(0);
    expect(wholeOf('0 - 1 / 0')).toBe(0);
    expect(wholeOf('min(pow(2, 1000000), 7)')).toBe(7);
    expect(wholeOf('1000000 * pow(0.5, 1000000)')).toBe(0);
  });

  it('keeps the first 2,048 bits of a fraction that has more', () => {
    // Two fractions of 3,963 bits.
    expect(wholeOf('1000 * pow(1.5, 2500) / pow(1.5, 2499) + 0.5')).toBe(1_500);
    expect(wholeOf('pow(0.999, 100000) * pow(10, 44)')).toBe(
      Number(BigInt('999') ** 100_000n / 10n ** (300_000n - 44n)),
    );
  });
});

describe('a faulty expression', () => {
  it.each([
    ['', 1, 'the end is unexpected'],
    ['1 +', 4, 'the end is unexpected'],
    ['(1 + 2', 7, 'a ) should stand there'],
    ['1 2', 3, '2 is unexpected'],
    ['1 + $', 5, '$ is no part of a formula'],
    ['x = 1', 3, '= is no part of a formula'],
    ['x; y', 2, '; is no part of a formula'],
    ['z + 1', 1, 'z is no name of this formula'],
    ['x.constructor', 1, 'x.constructor is no name of this formula'],
    ['min(1)', 1, 'min takes two values or more'],
    ['floor(1, 2)', 1, 'floor takes one value'],
    ['2 * pow(1, 2, 3)', 5, 'pow takes two values'],
    ['min + 1', 1, 'min is a function'],
    ['1e5', 2, 'e5 is unexpected'],
    ['.5', 1, '. is no part of a formula'],
    [`${'('.repeat(30)}1${')'.repeat(30)}`, 21, 'is deeper than 20 levels'],
    [`1${' + 1'.repeat(200)}`, 401, 'is longer than 400 characters'],
  ])('%s: position %i: %s', (text, position, message) => {
    const parsed = parseExpression(text, KNOWN);
    expect(parsed).toMatchObject({ ok: false, position });
    expect(!parsed.ok && parsed.message).toContain(message);
  });

  it('of any characters is refused with a position, never thrown', () => {
    const letters = ['1', 'x', '+', '-', '*', '/', '(', ')', ',', 'min', 'pow', ' ', '.', 'é', '\n', '0', 'floor'];
    let state = 7;
    for (let n = 0; n < 3_000; n += 1) {
      let text = '';
      for (let i = 0; i < 12; i += 1) {
        state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
        text += letters[state % letters.length];
      }
      const parsed = parseExpression(text, KNOWN);
      if (parsed.ok) parsed.expression.evaluate(() => 3);
      else expect(parsed.position).toBeGreaterThan(0);
    }
  });
});

describe('a formula of real numbers', () => {
  it.each([0, 1, -2.5, 0.1, 1 / 3, 5e-324, Number.MAX_VALUE, 123_456.789, -1e-300])(
    'takes %d exactly and gives it back',
    (value) => {
      expect(nearestNumber(exact(value))).toBe(value);
    },
  );

  it('is the double nearest to the exact value', () => {
    const numberOf = (text: string, values: Readonly<Record<string, number>>) =>
      nearestNumber(valueOfText(text, values));
    expect(numberOf('x + y', { x: 0.1, y: 0.2 })).toBe(0.30000000000000004);
    expect(numberOf('x / y', { x: 1, y: 3 })).toBe(1 / 3);
    // In doubles 0.1 * 3 - 0.3 is 5.6e-17 because the product is rounded; exactly it is 0.1's error times three less that of 0.3.
    expect(numberOf('x * 3 - y', { x: 0.1, y: 0.3 })).toBe(2.7755575615628914e-17);
    expect(nearestNumber({ above: 9_007_199_254_740_993n, below: 1n })).toBe(9_007_199_254_740_992);
    expect(nearestNumber(over(whole(1), whole(0)))).toBeNull();
    expect(nearestNumber(over(whole(0), whole(0)))).toBeNull();
  });

  it('knows where it divides by zero, even where a min hides it', () => {
    const divides = (text: string, y: number): boolean => {
      const parsed = parseExpression(text, KNOWN);
      return parsed.ok && parsed.expression.dividesByZero((name) => (name === 'y' ? y : 1));
    };
    expect([divides('min(x / y, 5)', 0), divides('min(x / y, 5)', 2)]).toEqual([true, false]);
    expect(divides('1 / (x / y)', 0)).toBe(true);
    expect(divides('x / (y - 2)', 2)).toBe(true);
  });
});
