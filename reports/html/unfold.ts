/**
 * Unfolds transcripts in the reader's browser: build/bundle-page-script.mjs makes unfold-bundle.ts of this file and of what it
 * imports, which must therefore need nothing of Node. script.ts finds the places of transcripts on the page.
 */

import type { Exchange } from '../conformance-result.js';
import { transcriptBlock } from './transcript-block.js';

/** A placeholder for the text of a folded clause in its markup: the page has the text already. */
export const CLAUSE_TEXT = '\ue006';

/** Takes the transcripts of packed-transcripts.ts, and returns the function that gives the markup of a check by its id. */
export function unfolding(
  rows: readonly (readonly [string, readonly Exchange[]])[],
  file: string,
): (check: string) => string {
  const transcripts = new Map(rows);
  return (check) => transcriptBlock(transcripts.get(check) ?? [], file).text;
}
