/**
 * Puts the transcripts of checks that passed into a page compressed, and their place where the page's script unfolds them when
 * they are asked for (script.ts). Those of all other checks are in the page as they are, to be read without script.
 */

import { gzipSync } from 'node:zlib';
import type { CheckResult, ConformanceResult, Exchange } from '../conformance-result.js';
import { TRANSCRIPTS_FILE } from '../conformance-transcripts.js';
import { curlScript } from '../curl.js';
import { countText } from '../numbers.js';
import { clipped } from '../visible.js';
import { transcript } from './exchange.js';
import { type Html, html, trusted } from './markup.js';

const CURL_MAX = 40_000;

/** The transcript of a check and the same by curl, or the place where they unfold; nothing where no request was sent. */
export function checkTranscript(check: CheckResult): Html {
  if (check.transcript.length === 0) return html``;
  if (!isPacked(check)) return unfolded(check.transcript, 'conformance.json');
  return html`<div class="packed" data-check="${check.id}"><p class="why">${countText(check.transcript.length, 'request')} and their replies unfold here by script; ${TRANSCRIPTS_FILE} has them too.</p></div>`;
}

/** The transcripts that unfold, compressed: an element that is not shown. */
export function packedTranscripts({ checks }: ConformanceResult): Html {
  const texts = checks.filter(isPacked).map(({ id, transcript }) => [id, unfolded(transcript, TRANSCRIPTS_FILE).text]);
  if (texts.length === 0) return html``;
  const packed = gzipSync(JSON.stringify(Object.fromEntries(texts)), { level: 9 }).toString('base64');
  return html`<template id="transcripts">${trusted(packed)}</template>`;
}

function isPacked({ verdict, transcript }: CheckResult): boolean {
  return verdict === 'pass' && transcript.length > 0;
}

function unfolded(exchanges: readonly Exchange[], file: string): Html {
  return html`<h5>Transcript, ${countText(exchanges.length, 'request')}</h5>${transcript(exchanges, file)}<h5>The same by curl</h5>${curlBlock(curlScript(exchanges), file)}`;
}

function curlBlock(curl: string, file: string): Html {
  const { text, left } = clipped(curl, CURL_MAX);
  // Half a script is not worth copying: it has no copy button.
  if (left > 0)
    return html`<pre>${text}…</pre><p class="why">What is left out here is in the transcript of ${file}.</p>`;
  return html`<div class="script"><pre>${text}</pre></div>`;
}
