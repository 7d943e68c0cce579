import { describe, expect, it } from 'vitest';
import { shortPath } from './svg-path.js';

describe('shortPath', () => {
  it.each([
    ['M41.8 230L43.1 220.6L44.4 221', 'M41.8 230l1.3-9.4 1.3 .4'],
    ['M10 20L11 20L12.5 20L12.5 19L12.5 18Z', 'M10 20h2.5v-2Z'],
    ['M41 35.5l435 0l0 195l-435 0Z', 'M41 35.5h435v195h-435Z'],
    ['M0 0L1 1ZM5 5L6 6', 'M0 0l1 1ZM5 5l1 1'],
    ['M0 0L1 1Zl2 0', 'M0 0l1 1Zh2'],
    ['M10 5L11 5L10 5', 'M10 5h1-1'],
    ['M.26 -3.14L1e3', 'M.26 -3.14L1e3'],
    ['M0.26 -3.14L-0.26 3.14', 'M.3-3.1l-.6 6.2'],
    ['M1 1L1 1', 'M1 1'],
  ])('writes %s as %s', (path, short) => {
    expect(shortPath(path)).toBe(short);
  });

  it.each(['', 'M0 0A5 5 0 0 1 10 10', 'M0 0C1 1 2 2 3 3Z', 'M0,0L1,1'])('leaves %j', (path) => {
    expect(shortPath(path)).toBe(path);
  });

  it('does not drift, however many steps there are', () => {
    const points = Array.from({ length: 5000 }, (_, at) => [at * 0.13, Math.sin(at) * 100] as const);
    const path = points.map(([x, y], at) => `${at === 0 ? 'M' : 'L'}${x.toFixed(3)} ${y.toFixed(3)}`).join('');
    const [lastX, lastY] = placesOf(shortPath(path)).at(-1) ?? [];
    expect(lastX).toBeCloseTo(Math.round(49_99 * 1.3) / 10, 6);
    expect(lastY).toBeCloseTo(Math.round((points.at(-1)?.[1] ?? 0) * 10) / 10, 6);
  });

  it('keeps every turn of a line', () => {
    const values = Array.from({ length: 200 }, (_, at) => (at % 7) * 10);
    const path = values.map((y, x) => `${x === 0 ? 'M' : 'L'}${x} ${y}`).join('');
    expect(placesOf(shortPath(path))).toEqual(values.map((y, x) => [x, y]));
  });
});

/** Where a path of M, l, h and v goes, read by another way than it is written. */
function placesOf(path: string): number[][] {
  const places: number[][] = [];
  let [x, y] = [0, 0];
  for (const [, letter = '', text = ''] of path.matchAll(/([Mlhv])([^A-Za-z]*)/gu)) {
    const numbers = [...text.matchAll(/-?(?:\d+(?:\.\d+)?|\.\d+)/gu)].map(([number]) => Number(number));
    const size = letter === 'h' || letter === 'v' ? 1 : 2;
    for (let at = 0; at < numbers.length; at += size) {
      const [first = 0, second = 0] = numbers.slice(at, at + size);
      if (letter === 'M') [x, y] = [first, second];
      else if (letter === 'h') x += first;
      else if (letter === 'v') y += first;
      else [x, y] = [x + first, y + second];
      places.push([Number(x.toFixed(6)), Number(y.toFixed(6))]);
    }
  }
  return places;
}
