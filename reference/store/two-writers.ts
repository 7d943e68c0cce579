/**
 * Tells a journal that two servers have written at the same time from one in which a line was changed. Each wrote its own lines
 * over the other's at the same bytes: lines lose their beginning or their end, and numbers come twice.
 */

import { isJson } from '../../spec/formats.js';
import type { Mark } from './marks.js';
import type { SegmentReader } from './segment.js';

const START = /\{"seq":(\d+),"command":\{"at":/g;
const CHECKSUM = /"check":\{|"columns":"/;
const BEGINNINGS = ['{"seq":', '{"check":', '{"format":'];

/**
 * How many servers have written a journal at a time. `perhaps-two`: a whole line follows another one than that before it, as it
 * does when a part of it was changed, too.
 */
export type Writers = 'one' | 'perhaps-two' | 'two';

/** The number of servers that wrote the lines after the last intact line that was read. */
export async function writersAfter(
  reader: SegmentReader,
  {
    commands,
    segment,
    marks,
  }: { readonly commands: number; readonly segment: number; readonly marks: readonly Mark[] },
): Promise<Writers> {
  const isThere = (mark: Mark): boolean =>
    mark.segment < segment || (mark.segment === segment && mark.bytes <= reader.size);
  const search = new OverlapSearch(commands, marks.every(isThere));
  for await (const texts of reader.rest()) for (const text of texts) search.look(text);
  return search.writers;
}

/** Looks through the lines from the first one on that is not sound. */
class OverlapSearch {
  private isFirst = true;
  private least: number;
  writers: Writers = 'one';

  constructor(
    /** Sound commands before. */
    private readonly commands: number,
    /** Whether all segments in the marks have their bytes; otherwise a part was cut out. */
    private readonly isWhole: boolean,
  ) {
    // The first line that is not sound is command number `commands`, unless it is a checksum.
    this.least = commands + 1;
  }

  look(text: string): void {
    const numbers = numbersIn(text);
    if (this.isFirst) {
      this.isFirst = false;
      if (CHECKSUM.test(text)) this.least -= 1;
      if (numbers[0] === this.commands && isJson(text)) this.writers = 'perhaps-two';
      if (this.isWhole && hasLostItsBeginning(text)) this.writers = 'two';
      // The changed part of the line may be its number.
      if (text.startsWith('{"seq":')) numbers.shift();
    }
    for (const number of numbers) {
      if (number < this.least) this.writers = 'two';
      this.least = number + 1;
    }
  }
}

/** The numbers of the commands that begin in a line: one, unless the end of another is missing. */
function numbersIn(text: string): number[] {
  const numbers = [...text.matchAll(START)].map(({ 1: digits }) => Number(digits));
  // Text of a client inside a complete command may look like a command.
  return numbers.length > 1 && isJson(text) ? numbers.slice(0, 1) : numbers;
}

/** A changed byte leaves the rest of a beginning intact; sectors that a disk has lost read as zeros. */
function hasLostItsBeginning(text: string): boolean {
  const differences = (beginning: string): number =>
    [...beginning].filter((character, i) => text[i] !== character).length;
  return !text.includes('\0') && text.endsWith('"}') && BEGINNINGS.every((beginning) => differences(beginning) > 1);
}
