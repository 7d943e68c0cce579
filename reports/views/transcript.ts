/** A transcript: requests, replies, where protocol time went on between them, and the same by curl. */

import type { Exchange } from '../../results/conformance-result.js';
import { countText } from '../../results/numbers.js';
import { clipped, shortLine } from '../../results/visible.js';
import { clockMoves } from '../conformance/clock-moves.js';
import { curlScript, type Marks } from '../conformance/curl.js';
import { numbersOf, untilFailed } from '../conformance/failed-exchanges.js';
import { prettyJson } from '../text/pretty-json.js';
import { html, type Markup } from './markup.js';
import { Command } from './parts.js';

/** How many characters of a body are shown. */
export const BODY_MAX = 4000;
/** A longer body is cut before it is laid out: the layout would take long, and no terminal accepts such a command. */
export const PRETTY_MAX = 100_000;
const FIRST_SHOWN = 3;
const LAST_SHOWN = 4;
/** How many characters of a script are shown. */
const CURL_MAX = 40_000;

/** A transcript, and the file that has what is left out of it. */
interface Transcript {
  readonly exchanges: readonly Exchange[];
  readonly file?: string;
  /** The number of the first exchange that is shown. */
  readonly first?: number;
  /** Words about exchanges that failed, by their places from 0. */
  readonly marks?: Marks;
}

const NO_MARKS: Marks = new Map();

/** The requests of a check with their replies, and the script of curl that sends them again, up to the last that failed. */
export function TranscriptBlock({ exchanges, file = 'conformance.json', marks = NO_MARKS }: Transcript): Markup {
  const title = marks.size === 0 ? 'The same by curl' : 'The same by curl, up to the request that failed';
  return html`<h5>Transcript, ${countText(exchanges.length, 'request')}</h5>${Exchanges({ exchanges, file, marks })}<h5>${title}</h5>${curlBlock(untilFailed(exchanges, marks), file, marks)}`;
}

/** The requests of a check and their replies. A long transcript is cut to its beginning, its end and what failed between them. */
export function Exchanges({ exchanges, file = 'conformance.json', first = 1, marks = NO_MARKS }: Transcript): Markup {
  const left = leftOut(exchanges.length);
  const [moves, numbers] = [clockMoves(exchanges), numbersOf(exchanges)];
  const shown = exchanges.map((one, at) =>
    exchange(one, { number: (numbers[at] ?? 0) + first - 1, move: moves[at], file, failed: marks.get(at) ?? [] }),
  );
  if (left === 0) return shown;
  const between = [...marks.keys()].filter((at) => isLeftOut(at, exchanges.length)).toSorted((a, b) => a - b);
  const note = html`<p class="why">${countText(left - between.length, 'more request')} between these; ${file} has them.</p>`;
  return [shown.slice(0, FIRST_SHOWN), note, between.map((at) => shown[at]), shown.slice(-LAST_SHOWN)];
}

/** True where a page leaves out the exchange at this place, from 0, of a transcript of `exchanges`. */
export function isLeftOut(at: number, exchanges: number): boolean {
  return leftOut(exchanges) > 0 && at >= FIRST_SHOWN && at < exchanges - LAST_SHOWN;
}

/** How many of `exchanges` exchanges are left out: a single one never is, as a line that says so would be as long. */
function leftOut(exchanges: number): number {
  const left = exchanges - FIRST_SHOWN - LAST_SHOWN;
  return left > 1 ? left : 0;
}

interface Shown {
  readonly number: number;
  readonly move: string | undefined;
  readonly file: string;
  readonly failed: readonly string[];
}

function exchange({ request, response, failure, at }: Exchange, { number, move, file, failed }: Shown): Markup {
  // A note in a long transcript counts the exchanges that it leaves out.
  const moved = move === undefined ? undefined : html`<p class="why">${move}</p>`;
  if (request.method === 'NOTE') return [moved, html`<p class="why">${failure ?? ''}</p>`];
  const asked = message(`${request.method} ${request.url}`, request.headers, request.body, file);
  const came =
    response === undefined
      ? `no reply: ${failure ?? 'no reason recorded'}`
      : message(`status ${response.status}`, response.headers, response.body, file);
  const time = at === undefined ? undefined : html` <span class="why">at ${at}</span>`;
  const against = failed.map((text) => html`<p class="against">✗ ${text}</p>`);
  return html`${moved}<div class="${failed.length === 0 ? 'exchange' : 'exchange failed'}" data-number=${number}><p>${number}. <b>${request.method}</b> <span class="mono">${shortLine(request.url, 200)}</span> → <b>${response === undefined ? 'no reply' : response.status}</b>${time}</p>${against}
<div class="pair"><pre>${asked}</pre><pre>${came}</pre></div></div>`;
}

function message(
  first: string,
  headers: Readonly<Record<string, string>>,
  body: string | undefined,
  file: string,
): string {
  const head = [first, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)].join('\n');
  return body === undefined || body === '' ? head : `${head}\n\n${shownBody(body, file)}`;
}

/** A body as JSON laid out, its first part only when it is long; `file` has all of it. */
export function shownBody(body: string, file = 'conformance.json'): string {
  const { text, left } = clipped(body.length <= PRETTY_MAX ? prettyJson(body) : body, BODY_MAX);
  return left === 0 ? text : `${text}…\n[${countText(left, 'character')} more; the whole body is in ${file}]`;
}

function curlBlock(exchanges: readonly Exchange[], file: string, marks: Marks): Markup {
  const short = exchanges.map(withShortBody);
  const { text, left } = clipped(curlScript(short, marks), CURL_MAX);
  // Half a script is not worth copying: it has no copy button.
  if (left > 0 || short.some((each, at) => each !== exchanges[at]))
    return html`<pre>${text}…</pre><p class="why">What is left out here is in the transcript of ${file}.</p>`;
  return Command({ text });
}

function withShortBody(exchange: Exchange): Exchange {
  const { request } = exchange;
  if (request.body === undefined || request.body.length <= PRETTY_MAX) return exchange;
  return { ...exchange, request: { ...request, body: `${clipped(request.body, BODY_MAX).text}…` } };
}
