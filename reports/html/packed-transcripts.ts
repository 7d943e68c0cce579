/**
 * Puts the transcripts of checks that passed into a page, packed and compressed, and their place where the page's script unfolds
 * them when they are asked for (script.ts). Those of all other checks are in the page as they are, to be read without script.
 */

import type { CheckResult, ConformanceResult, Exchange } from '../conformance-result.js';
import { TRANSCRIPTS_FILE } from '../conformance-transcripts.js';
import { countText } from '../numbers.js';
import { BODY_MAX, isLeftOut, PRETTY_MAX } from './exchange.js';
import { type Html, html } from './markup.js';
import { packedElement } from './packed-element.js';
import { packTexts } from './packed-texts.js';
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
 * The transcripts of checks as bytes, which `unpackTranscripts` reads again: their ids and lengths, all heads of requests, all heads
 * of replies, all bodies of requests, and all of replies, as texts of one kind pack best side by side. Of a body of which a page
 * shows only the beginning, spaces stand for what it does not show; of a reply that it leaves out the status is kept, for curl.
 */
export function packTranscripts(checks: readonly Pick<CheckResult, 'id' | 'transcript'>[]): Buffer {
  const exchanges = checks.flatMap(({ transcript }) =>
    transcript.map((exchange, at) => (isLeftOut(at, transcript.length) ? withStatusOnly(exchange) : exchange)),
  );
  return packTexts([
    JSON.stringify(checks.map(({ id, transcript }) => [id, transcript.length])),
    ...exchanges.map(({ response: _, ...head }) => JSON.stringify({ ...head, request: withoutBody(head.request) })),
    ...exchanges.map(({ response }) => (response === undefined ? '' : JSON.stringify({ ...response, body: '' }))),
    ...exchanges.map(({ request }) => shownPart(request.body ?? '')),
    ...exchanges.map(({ response }) => shownPart(response?.body ?? '')),
  ]);
}

function withStatusOnly(exchange: Exchange): Exchange {
  const { response } = exchange;
  return response === undefined ? exchange : { ...exchange, response: { ...response, headers: {}, body: '' } };
}

function withoutBody(request: Exchange['request']): Exchange['request'] {
  return request.body === undefined ? request : { ...request, body: '' };
}

function shownPart(body: string): string {
  return body.length <= PRETTY_MAX ? body : body.slice(0, BODY_MAX).padEnd(body.length);
}

function isPacked({ verdict, transcript }: CheckResult): boolean {
  return verdict === 'pass' && transcript.length > 0;
}
