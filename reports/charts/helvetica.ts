/** Helvetica, which every reader of PDF has: the widths of its letters (Adobe Font Metrics, in thousandths of the size), and its encoding. */

const FIRST = 32;
/** The letters from 128 to 159; the others have their number in Unicode. */
const [EXTRA_FROM, EXTRA] = [128, [...'€\0‚ƒ„…†‡ˆ‰Š‹Œ\0Ž\0\0‘’“”•–—˜™š›œ\0žŸ']] as const;

/** A text by the codes of its letters. A letter that the font does not have is written as its number, such as U+4E2D. */
export function winAnsi(text: string): readonly number[] {
  return [...text].flatMap((letter) => {
    const unicode = letter === '\u2212' ? 45 : (letter.codePointAt(0) ?? 0);
    const extra = EXTRA.indexOf(letter);
    const isOwn = unicode < EXTRA_FROM || unicode >= EXTRA_FROM + EXTRA.length;
    const code = extra >= 0 ? EXTRA_FROM + extra : isOwn ? unicode : 0;
    if ((HELVETICA_WIDTHS[code - FIRST] ?? 0) > 0) return [code];
    const hex = unicode.toString(16).toUpperCase().padStart(4, '0');
    return [...`U+${hex}`].map((each) => each.charCodeAt(0));
  });
}

/** By code, from 32 on; 0 where there is no letter. */
export const HELVETICA_WIDTHS: readonly number[] = `
278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 278 278 584 584 584 556
1015 667 667 722 722 667 611 778 722 278 500 667 556 833 722 778 667 778 722 667 611 722 667 944 667 667 611 278 278 278 469 556
333 556 556 500 556 556 278 556 556 222 222 500 222 833 556 556 556 556 333 500 278 556 500 722 500 500 500 334 260 334 584 0
556 0 222 556 333 1000 556 556 333 1000 667 333 1000 0 611 0 0 222 222 333 333 350 556 1000 333 1000 500 333 944 0 500 667
278 333 556 556 556 556 260 556 333 737 370 556 584 333 737 333 400 584 333 333 333 556 537 278 333 333 365 556 834 834 834 611
667 667 667 667 667 667 1000 722 667 667 667 667 278 278 278 278 722 722 778 778 778 778 778 584 778 722 722 722 722 667 667 611
556 556 556 556 556 556 889 500 556 556 556 556 278 278 278 278 556 556 556 556 556 556 556 584 611 556 556 556 556 500 556 500
`
  .trim()
  .split(/\s+/)
  .map(Number);
