/** Writes the path data of an SVG in few letters: the same lines by relative steps. It knows nothing of charts. */

/** In tenths of a unit, so that sums are exact. */
type Point = readonly [x: number, y: number];

const ONLY_LINES = /^(?:[MLl]-?[\d.]+ -?[\d.]+|Z)+$/u;
const COMMAND = /([MLlZ])(?:(-?[\d.]+) (-?[\d.]+))?/gu;

/**
 * The path in relative steps, rounded to a tenth of a unit; each point lies where it lay, however long the line is. Points within
 * a level or upright stretch go. A path of anything but straight lines comes back as it is.
 */
export function shortPath(path: string): string {
  if (!ONLY_LINES.test(path)) return path;
  const written: string[] = [];
  let at: Point = [0, 0];
  let start = at;
  let stretch: Point = [0, 0];
  let letter = '';
  const endStretch = (): void => {
    const [next, ...numbers] = stepOf(stretch);
    if (next === '') return;
    const [first = '', ...rest] = numbers.map(tenthsText);
    written.push(next === letter ? spaced(first) : `${next}${first}`, ...rest.map(spaced));
    letter = next;
    stretch = [0, 0];
  };
  for (const [, command = '', x = '0', y = '0'] of path.matchAll(COMMAND)) {
    const [baseX, baseY] = command === 'l' ? at : [0, 0];
    const point: Point = command === 'Z' ? start : [baseX + tenths(x), baseY + tenths(y)];
    const step: Point = [point[0] - at[0], point[1] - at[1]];
    at = point;
    if (command === 'L' || command === 'l') {
      if (!goesOn(stretch, step)) endStretch();
      stretch = [stretch[0] + step[0], stretch[1] + step[1]];
      continue;
    }
    endStretch();
    written.push(command === 'Z' ? 'Z' : `M${tenthsText(point[0])}${spaced(tenthsText(point[1]))}`);
    letter = command;
    if (command === 'M') start = point;
  }
  endStretch();
  return written.join('');
}

/** Both go the same way, level or upright. */
function goesOn([x, y]: Point, [nextX, nextY]: Point): boolean {
  return (y === 0 && nextY === 0 && x * nextX > 0) || (x === 0 && nextX === 0 && y * nextY > 0);
}

/** The command of a step and its numbers; no command where it leads nowhere. */
function stepOf([x, y]: Point): readonly [letter: '' | 'h' | 'v' | 'l', ...numbers: readonly number[]] {
  if (x === 0 && y === 0) return [''];
  if (y === 0) return ['h', x];
  return x === 0 ? ['v', y] : ['l', x, y];
}

function tenths(text: string): number {
  return Math.round(10 * Number(text));
}

/** `-1.5`, `.5`, `12`. */
function tenthsText(value: number): string {
  return String(value / 10).replace(/^(-?)0\./u, '$1.');
}

/** A number after another one: its sign parts them too. */
function spaced(text: string): string {
  return text.startsWith('-') ? text : ` ${text}`;
}
