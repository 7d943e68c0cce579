/**
 * Puts the transcripts of checks that passed into a page, compressed, and their place where the page's script unfolds
 * them when they are asked for (script.ts). Those of all other checks are in the page as they are, to be read without script.
 */

import type { CheckResult, ConformanceResult, Exchange } from '../conformance-result.js';
import { TRANSCRIPTS_FILE } from '../conformance-transcripts.js';
import { countText } from '../numbers.js';
import { BODY_MAX, isLeftOut, PRETTY_MAX } from './exchange.js';
import { type Html, html } from './markup.js';
import { packedElement } from './packed-element.js';
import { transcriptBlock } from './transcript-block.js';

/** The transcript of a check and the same by curl, or the place where they unfold; nothing where no request was sent. */
export function checkTranscript(check: CheckResult): Html {
  if (check.transcript.length === 0) return html``;
  if (!isPacked(check)) return transcriptBlock(check.transcript, 'conformance.json');
  return html`<div class="packed" data-check="${check.id}"><p class="why">${countText(check.transcript.length, 'request')} and their replies unfold here by script; ${TRANSCRIPTS_FILE} has them too.</p></div>`;
}

/** The transcripts that unfold, compressed: an element that is not shown. */
export function packedTranscripts({ checks }: ConformanceResult): Html {
  const packed = checks.filter(isPacked);
  return packed.length === 0 ? html`` : packedElement('packed-transcripts', packTranscripts(packed), TRANSCRIPTS_FILE);
}

/**
 * The transcripts of checks by their ids. Of a body of which a page shows only the beginning, spaces stand for what it does not
 * show; of a reply that it leaves out the status is kept, for curl.
 */
export function packTranscripts(
  checks: readonly Pick<CheckResult, 'id' | 'transcript'>[],
): readonly (readonly [string, readonly Exchange[]])[] {
  return checks.map(({ id, transcript }) => [
    id,
    transcript.map((exchange, at) =>
      shownParts(isLeftOut(at, transcript.length) ? withStatusOnly(exchange) : exchange),
    ),
  ]);
}

function shownParts(exchange: Exchange): Exchange {
  const { request, response } = exchange;
  return {
    ...exchange,
    request: request.body === undefined ? request : { ...request, body: shownPart(request.body) },
    ...(response === undefined ? {} : { response: { ...response, body: shownPart(response.body) } }),
  };
}

function withStatusOnly(exchange: Exchange): Exchange {
  const { response } = exchange;
  return response === undefined ? exchange : { ...exchange, response: { ...response, headers: {}, body: '' } };
}

function shownPart(body: string): string {
  return body.length <= PRETTY_MAX ? body : body.slice(0, BODY_MAX).padEnd(body.length);
}

function isPacked({ verdict, transcript }: CheckResult): boolean {
  return verdict === 'pass' && transcript.length > 0;
}
