/** Writes a transcript for a page: requests, replies, and where protocol time went on between them. */

import { clockMoves } from '../clock-moves.js';
import type { Exchange } from '../conformance-result.js';
import { countText } from '../numbers.js';
import { prettyJson } from '../pretty-json.js';
import { clipped, shortLine } from '../visible.js';
import { type Html, html } from './markup.js';

/** How many characters of a body are shown. */
export const BODY_MAX = 4000;
/** A longer body is cut before it is laid out: the layout would take long, and no terminal accepts such a command. */
export const PRETTY_MAX = 100_000;
const FIRST_SHOWN = 3;
const LAST_SHOWN = 5;

/**
 * The requests of a check and their replies. A long transcript is cut to its beginning and its end, where the fault is. `file` is named
 * as the one that has the rest.
 */
export function transcript(exchanges: readonly Exchange[], file = 'conformance.json'): Html {
  const left = leftOut(exchanges.length);
  const moves = clockMoves(exchanges);
  const shown = exchanges.map((one, index) => exchange(one, index + 1, moves[index], file));
  if (left === 0) return html`${shown}`;
  return html`${shown.slice(0, FIRST_SHOWN)}
<p class="why">${countText(left, 'more request')} between these; ${file} has them.</p>
${shown.slice(-LAST_SHOWN)}`;
}

/** Whether `transcript` leaves out the exchange at this place, from 0, of a transcript of `exchanges`. */
export function isLeftOut(at: number, exchanges: number): boolean {
  return leftOut(exchanges) > 0 && at >= FIRST_SHOWN && at < exchanges - LAST_SHOWN;
}

/** How many of `exchanges` exchanges are left out: a single one never is, as a line that says so would be as long. */
function leftOut(exchanges: number): number {
  const left = exchanges - FIRST_SHOWN - LAST_SHOWN;
  return left > 1 ? left : 0;
}

function exchange(
  { request, response, failure, at }: Exchange,
  number: number,
  move: string | undefined,
  file: string,
): Html {
  // A note in a long transcript counts the exchanges that it leaves out.
  const moved = move === undefined ? undefined : html`<p class="why">${move}</p>\n`;
  if (request.method === 'NOTE') return html`${moved}<p class="why">${failure ?? ''}</p>\n`;
  const outcome = response === undefined ? 'no reply' : String(response.status);
  const asked = message(`${request.method} ${request.url}`, request.headers, request.body, file);
  const came =
    response === undefined
      ? `no reply: ${failure ?? 'no reason recorded'}`
      : message(`status ${response.status}`, response.headers, response.body, file);
  const time = at === undefined ? undefined : html` <span class="why">at ${at}</span>`;
  return html`${moved}<div class="exchange"><p>${number}. <b>${request.method}</b> <span class="mono">${shortLine(request.url, 200)}</span> → <b>${outcome}</b>${time}</p>
<div class="pair"><pre>${asked}</pre><pre>${came}</pre></div></div>
`;
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
