/** The transcript of a check for a page, and the same by curl. Where it is, and whether it unfolds, is not decided here. */

import type { Exchange } from '../conformance-result.js';
import { curlScript } from '../curl.js';
import { countText } from '../numbers.js';
import { clipped } from '../visible.js';
import { BODY_MAX, PRETTY_MAX, transcript } from './exchange.js';
import { type Html, html } from './markup.js';

/** How many characters of a script are shown. */
const CURL_MAX = 40_000;

/** The requests of a check with their replies, and the script of curl that sends them again; `file` is named as the one that has the rest. */
export function transcriptBlock(exchanges: readonly Exchange[], file: string): Html {
  return html`<h5>Transcript, ${countText(exchanges.length, 'request')}</h5>${transcript(exchanges, file)}<h5>The same by curl</h5>${curlBlock(exchanges, file)}`;
}

function curlBlock(exchanges: readonly Exchange[], file: string): Html {
  const short = exchanges.map(withShortBody);
  const { text, left } = clipped(curlScript(short), CURL_MAX);
  // Half a script is not worth copying: it has no copy button.
  if (left > 0 || short.some((each, at) => each !== exchanges[at]))
    return html`<pre>${text}…</pre><p class="why">What is left out here is in the transcript of ${file}.</p>`;
  return html`<div class="script"><pre>${text}</pre></div>`;
}

function withShortBody(exchange: Exchange): Exchange {
  const { request } = exchange;
  if (request.body === undefined || request.body.length <= PRETTY_MAX) return exchange;
  return { ...exchange, request: { ...request, body: `${clipped(request.body, BODY_MAX).text}…` } };
}
