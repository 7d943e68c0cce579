/** The page of a clause: its text, its source, the checks that judge it, a request and its reply, and the shortest script that shows it. */

import { countText, numberText } from '../../results/numbers.js';
import type { Pair, PairStep } from '../../results/pairs.js';
import { type Clause, placeText } from '../../spec/clause.js';
import { clauses, sections } from '../../spec/clauses/index.js';
import { snippets } from '../conformance/snippets.js';
import { prettyJson } from '../text/pretty-json.js';
import { html, type Markup } from '../views/markup.js';
import { Command, Facts } from '../views/parts.js';
import { implementationsOf } from '../views/registry.js';
import { addressOf, type RecordedExchange, rootFrom, type SiteFacts } from './facts.js';
import { numbersOfClause } from './number-page.js';
import { sitePage, Thing, Things } from './page.js';

/** A longer body is cut, and has no programs. */
const BODY_MAX = 5_000;

/** The page of a clause as text. */
export function clausePage(clause: Clause, facts: SiteFacts): string {
  const { id, text, section } = clause;
  const address = addressOf('clause', id);
  const root = rootFrom(address);
  const title = sections.find((each) => each.section === section)?.title ?? '';
  const pair = facts.pairs.get(id);
  const recorded = facts.recorded.get(id);
  const content = html`<p class="crumbs"><a href="${root}c/index.html">Clauses</a> › <a href="${root}c/index.html#section-${section}">${section} ${title}</a> · <a href="${root}docs/words.html">Words</a></p>
<h1 class="mono">${id}</h1>
<p class="statement">${text}</p>
${clause.excluded === undefined ? undefined : html`<p class="note">No check judges it: ${clause.excluded}.</p>`}
${source(clause, root)}
${judged(clause, facts, root)}
${passing(id, facts, root)}
${recorded === undefined ? undefined : shown(recorded, root)}
${pair === undefined ? undefined : pairPart(id, pair, root)}
${neighbours(id, root)}`;
  return sitePage({ address, title: `${id}: a clause`, about: text, content }, facts);
}

function source(clause: Clause, root: string): Markup {
  const { id, level, decision, demand } = clause;
  const numbers = numbersOfClause(id);
  const level_ = level === 'must' ? 'must: the text of the specification says so' : 'decision: the text leaves it open';
  return Facts({
    kind: 'facts',
    facts: [
      ['level', level_],
      ['rests on', `${level === 'must' ? 'Agent Identity and Provenance Service, ' : ''}${placeText(clause)}`],
      ['decision', decision && Thing({ kind: 'decision', id: decision, root })],
      ['error', demand?.code && Thing({ kind: 'error', id: demand.code, root })],
      [
        'numbers',
        numbers.length === 0
          ? undefined
          : numbers.map(
              ({ path, value }) => html`${Thing({ kind: 'number', id: path, root })} = ${numberText(value)} `,
            ),
      ],
    ],
  });
}

function judged({ id, excluded }: Clause, { judges, checks, power }: SiteFacts, root: string): Markup {
  if (excluded !== undefined) return undefined;
  const own = (judges.get(id) ?? []).flatMap((check) => checks.find((each) => each.id === check) ?? []);
  const planted = power.get(id);
  const byUrl = own.some(({ needs }) => needs.length === 0);
  const to = byUrl ? 'http://127.0.0.1:8787' : '--target target.yaml';
  return html`<h2>Checks that judge it</h2>
${Things(
  'check',
  root,
  own.map((check) => ({ id: check.id, text: html`${check.title} <span class="why">${needsText(check.needs)}</span>` })),
)}
${planted === undefined ? undefined : html`<p>Planted mistakes that break it, and that runs of the suite have noticed: ${numberText(planted.noticed)} of ${numberText(planted.of)}.</p>`}
${Command({ text: `aips conform ${to} --only ${id}\naips conform explain ${id}` })}
${byUrl ? undefined : html`<p class="why">The URL alone is not enough: <a href="${root}docs/conform.html#the-target-file">target.yaml</a> says what else your server offers.</p>`}`;
}

/** The implementations of the registry that pass and fail a clause; nothing where none shows it. */
function passing(id: string, { registry }: SiteFacts, root: string): Markup {
  const [holds, fails] = (['holds', 'fails'] as const).map((state) =>
    implementationsOf(id, state, registry?.entries ?? [], `${root}registry/`),
  );
  if (holds === undefined && fails === undefined) return undefined;
  return html`<h2>Implementations that pass it</h2><p>${holds ?? 'None of those that show it'}${fails && html`; it fails at ${fails}`}. <a href="${root}registry/index.html">All implementations</a>.</p>`;
}

/** The needs of a check in words. */
export function needsText(needs: readonly string[]): string {
  return needs.length === 0 ? 'needs nothing but the URL' : `needs ${needs.join(', ')}`;
}

const cut = (text: string): string =>
  text.length <= BODY_MAX ? text : `${text.slice(0, 500)} … and ${numberText(text.length - 500)} more characters`;

/** A recorded request and its reply. */
export function shown({ check, n, of, about, exchange }: RecordedExchange, root: string): Markup {
  const { request, response } = exchange;
  const isLong = (request.body ?? '').length > BODY_MAX;
  const programs = isLong ? [] : snippets(request);
  const secrets = [...new Set(JSON.stringify(request).match(/\[[A-Z]+(?:_[A-Z0-9]+)+\]/g) ?? [])];
  return html`<h2>A request that shows it</h2>
<p>Request ${numberText(n)} of ${numberText(of)} of ${Thing({ kind: 'check', id: check, root })} to the reference, recorded. Judged: ${about}.</p>
<div class="script"><pre>${request.method} ${request.url}${request.body === undefined ? '' : `\n\n${cut(prettyJson(request.body))}`}</pre></div>
${programs.map(({ language, code }, at) => html`<details class="snippet" name="language" open=${at === 0}><summary>${language}</summary>${Command({ text: code })}</details>`)}
${secrets.length === 0 ? undefined : html`<p class="why">Set first, from earlier replies or your target file: ${secrets.map((name) => name.slice(1, -1)).join(', ')}.</p>`}
<h3>The reply</h3>
<div class="script"><pre>${response?.status}${response?.body === '' ? '' : `\n\n${cut(prettyJson(response?.body ?? ''))}`}</pre></div>`;
}

function pairPart(id: string, { steps, right, shows }: Pair, root: string): Markup {
  const own = shows.find(({ clause }) => clause === id);
  if (own === undefined) return undefined;
  const json = (status: number, body: unknown): string => `${status}\n${JSON.stringify(body, null, 2)}`;
  return html`<h2>The shortest script that tells right from wrong</h2>
<p>${countText(steps.length, 'step')}, from 0, as <code>\${0.api_key}</code> names a value of the reply to step 0; the reply to the last one differs, of which the tested fields are shown. The wrong server has this mistake planted: ${own.wrong.title}. <a href="${root}docs/vectors.html">How to play it</a>.</p>
<ol class="steps" start="0">${steps.map((step) => html`<li><code>${stepText(step)}</code></li>`)}</ol>
<div class="pair"><div><h3>A right server</h3><div class="script"><pre>${json(right.status, right.body)}</pre></div></div><div><h3>A wrong server</h3><div class="script"><pre>${json(own.wrong.status, own.wrong.body)}</pre></div></div></div>`;
}

function stepText({ to, method, path, body, raw, repeat }: PairStep): string {
  const sent = raw ?? (body === undefined ? '' : JSON.stringify(body));
  const service = to === undefined ? '' : ` (${to})`;
  return `${method} ${path}${service}${sent === '' ? '' : ` ${cut(sent)}`}${repeat === undefined ? '' : `, ${numberText(repeat)} times`}`;
}

function neighbours(id: string, root: string): Markup {
  const at = clauses.findIndex((clause) => clause.id === id);
  const [before, after] = [clauses[at - 1], clauses[at + 1]];
  return html`<nav class="neighbours" aria-label="Neighbours">${before && html`<span>‹ ${Thing({ kind: 'clause', id: before.id, root })}</span>`}${after && html`<span>${Thing({ kind: 'clause', id: after.id, root })} ›</span>`}</nav>`;
}
