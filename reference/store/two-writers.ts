/**
 * Tells a journal that two servers have written at the same time from one in which a line was changed. Each wrote its own lines
 * over the other's at the same bytes: lines lose their beginning or their end, and numbers come twice.
 */

const START = /\{"seq":(\d+),"command":\{"at":/g;
const CHECKSUM = /"check":\{|"columns":"/;
const BEGINNINGS = ['{"seq":', '{"check":', '{"format":'];

/** Looks through the lines from the first one on that is not sound. */
export class OverlapSearch {
  private isFirst = true;
  private least: number;
  found = false;

  constructor(
    /** Sound commands before. */
    commands: number,
    /** Whether all that the marks name has its bytes: otherwise a part was cut out. */
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
      this.found ||= this.isWhole && hasLostItsBeginning(text);
      // What is changed in the line may be its number.
      if (text.startsWith('{"seq":')) numbers.shift();
    }
    for (const number of numbers) {
      if (number < this.least) this.found = true;
      this.least = number + 1;
    }
  }
}

/** The numbers of the commands that begin in a line: one, unless the end of another is missing. */
function numbersIn(text: string): number[] {
  const numbers = [...text.matchAll(START)].map(({ 1: digits }) => Number(digits));
  // What a client sent may look like a command, inside one that is whole.
  return numbers.length > 1 && isJson(text) ? numbers.slice(0, 1) : numbers;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

/** A byte that was changed leaves the others of a beginning; sectors that a disk has lost are zeros. */
function hasLostItsBeginning(text: string): boolean {
  const differences = (beginning: string): number =>
    [...beginning].filter((character, i) => text[i] !== character).length;
  return !text.includes('\0') && text.endsWith('"}') && BEGINNINGS.every((beginning) => differences(beginning) > 1);
}
