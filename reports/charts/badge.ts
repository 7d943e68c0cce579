/** Writes the badge of a conformance report: one line of SVG for a README. The numbers are counted elsewhere. */

import type { ConformanceResult } from '../../results/conformance-result.js';
import { countText } from '../../results/numbers.js';
import { xmlElement, xmlText } from '../text/xml.js';
import { lightOf } from './palette.js';

const LABEL = 'AIPS conformance';
const HEIGHT_PX = 20;
const PAD_PX = 6;
/** The approximate mean width of a letter. The SVG stretches the text to its width, so that any font fits. */
const LETTER_PX = 6.5;

/**
 * A badge, as SVG. It says how many clauses of the text pass, or after a failed run how many fail, or that the run could
 * not be judged. Decisions are not counted. `expired`: the run is by an older text.
 */
export function badge(result: ConformanceResult, { expired = false }: { readonly expired?: boolean } = {}): string {
  const message = messageOf(result);
  const { text, colour } = expired ? { text: `${message.text}, of an older text`, colour: lightOf('plain') } : message;
  const [left, right] = [widthOf(LABEL), widthOf(text)];
  const width = left + right;
  const title = `${LABEL}: ${text}`;
  const box = (x: number, wide: number, fill: string): string =>
    xmlElement('rect', { x, width: wide, height: HEIGHT_PX, fill });
  const word = (said: string, x: number, wide: number): string =>
    xmlElement('text', { x: x + PAD_PX, y: 14, textLength: wide - 2 * PAD_PX, lengthAdjust: 'spacingAndGlyphs' }, [
      xmlText(said),
    ]);
  const font = { fill: '#ffffff', 'font-family': 'Verdana,DejaVu Sans,sans-serif', 'font-size': 11 };
  const svg = xmlElement(
    'svg',
    { xmlns: 'http://www.w3.org/2000/svg', width, height: HEIGHT_PX, role: 'img', 'aria-label': title },
    [
      xmlElement('title', {}, [xmlText(title)]),
      box(0, left, lightOf('text')),
      box(left, right, colour),
      xmlElement('g', font, [word(LABEL, 0, left), word(text, left, right)]),
    ],
  );
  return `${svg}\n`;
}

function widthOf(text: string): number {
  return Math.round(text.length * LETTER_PX) + 2 * PAD_PX;
}

function messageOf({ exit_status: status, summary }: ConformanceResult): {
  readonly text: string;
  readonly colour: string;
} {
  const { total, hold, fail } = summary.clauses.must;
  switch (status) {
    case 0:
      return { text: `${hold} of ${countText(total, 'clause')} pass`, colour: lightOf('good') };
    case 1:
      return {
        text: fail === 0 ? 'not conformant' : `${countText(fail, 'clause')} ${fail === 1 ? 'fails' : 'fail'}`,
        colour: lightOf('bad'),
      };
    case 2:
      return { text: 'could not be judged', colour: lightOf('plain') };
    default:
      return status satisfies never;
  }
}
