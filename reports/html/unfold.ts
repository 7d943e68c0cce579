/**
 * Unfolds packed clauses and transcripts in the reader's browser: build/bundle-page-script.mjs makes unfold-bundle.ts of this file and of what
 * it imports, which must therefore need nothing of Node. Finding their places on the page is the task of script.ts.
 */

import type { Exchange } from '../conformance-result.js';
import { transcriptBlock } from './transcript-block.js';
import { unpackTexts } from './unpacked-texts.js';

export { bytesOfDenseText } from './dense-text.js';

/** Stands in the markup of a packed clause for its text, which is on the page already. */
export const CLAUSE_TEXT = '\ue006';

/** The markup of packed-clauses.ts, one text for each clause. */
export function unpackMarkup(bytes: Uint8Array): string[] {
  const [list = '[]', ...pieces] = unpackTexts(bytes);
  let at = 0;
  return (JSON.parse(list) as number[]).map((length) => {
    at += length;
    return pieces.slice(at - length, at).join('');
  });
}

/** Unpacks transcripts, and returns the function that gives the markup of a check by its id. */
export function unfolding(bytes: Uint8Array, file: string): (check: string) => string {
  const transcripts = unpackTranscripts(bytes);
  return (check) => transcriptBlock(transcripts.get(check) ?? [], file).text;
}

/** The transcripts of packed-transcripts.ts by check. */
export function unpackTranscripts(bytes: Uint8Array): Map<string, Exchange[]> {
  const [list = '[]', ...texts] = unpackTexts(bytes);
  const checks = JSON.parse(list) as [check: string, exchanges: number][];
  const total = checks.reduce((sum, [, exchanges]) => sum + exchanges, 0);
  let at = 0;
  return new Map(
    checks.map(([check, exchanges]) => {
      at += exchanges;
      return [
        check,
        Array.from({ length: exchanges }, (_, row) => {
          const place = at - exchanges + row;
          return exchangeOf([0, 1, 2, 3].map((part) => texts[part * total + place] ?? ''));
        }),
      ];
    }),
  );
}

/** An exchange of its four texts: all but the reply and the bodies, the reply but its body, and both bodies. */
function exchangeOf([head = '', reply = '', asked, came = '']: readonly (string | undefined)[]): Exchange {
  const exchange = JSON.parse(head) as Exchange;
  const request = exchange.request.body === undefined ? exchange.request : { ...exchange.request, body: asked ?? '' };
  if (reply === '') return { ...exchange, request };
  return { ...exchange, request, response: { ...JSON.parse(reply), body: came } };
}
