/** The pages of a decision, of an error code and of a check. */

import { countText, numberText } from '../../results/numbers.js';
import { clauseById, clauses } from '../../spec/clauses/index.js';
import type { Decision } from '../../spec/decisions.js';
import { type ErrorRow, errors } from '../../spec/errors.js';
import { isObject, jsonOf } from '../../spec/formats.js';
import { html, type Markup } from '../views/markup.js';
import { Command, DataTable, Facts } from '../views/parts.js';
import { needsText, shown } from './clause-page.js';
import { addressOf, rootFrom, type SiteCheck, type SiteFacts } from './facts.js';
import { sitePage, Thing, Things } from './page.js';

const crumbs = (root: string, folder: string, label: string): Markup =>
  html`<p class="crumbs"><a href="${root}${folder}/index.html">${label}</a></p>`;

const clauseThings = (root: string, ids: readonly string[]): Markup =>
  Things(
    'clause',
    root,
    ids.map((id) => ({ id, text: clauseById(id).text })),
  );

function checkThings(root: string, { checks }: SiteFacts, ids: readonly string[]): Markup {
  const found = checks.filter(({ id }) => ids.includes(id));
  return Things(
    'check',
    root,
    found.map(({ id, title }) => ({ id, text: title })),
  );
}

/** The page of a decision as text: the open point, how the reference settles it, and its meaning for a server and its run of the suite. */
export function decisionPage({ id, title, open, does, why }: Decision, facts: SiteFacts): string {
  const address = addressOf('decision', id);
  const root = rootFrom(address);
  const own = clauses.filter(({ decision }) => decision === id).map((clause) => clause.id);
  const unjudged = clauses.flatMap(({ decision, excluded }) =>
    decision === id && excluded !== undefined ? [excluded] : [],
  );
  const { what, built, judged } = facts.uses.get(id) ?? { what: [], built: [], judged: [] };
  const content = html`${crumbs(root, 'd', 'Decisions')}
<h1>${id} ${title}</h1>
${Facts({
  kind: 'facts',
  facts: [
    ['left open', open],
    ['the reference', does],
    ['why', why],
  ],
})}
<h2>What it means for your server</h2>
<p>The text leaves this open, so your server may do otherwise. ${
    judged.length === 0
      ? `No check judges it${unjudged.map((reason) => `: ${reason}`).join('')}.`
      : `${countText(judged.length, 'check')} judge${judged.length === 1 ? 's' : ''} it: a server that does otherwise is told so (advisory), and fails only with --strict.`
  }</p>
${built.length === 0 ? undefined : html`<p>${countText(built.length, 'check')} build${built.length === 1 ? 's' : ''} on it, since the text does not give their steps: ${what.join('; ')}. A server that does otherwise is not judged by them, or fails them.</p>`}
${own.length === 0 ? undefined : html`<h2>Clauses of this decision</h2>`}${clauseThings(root, own)}
${judged.length === 0 ? undefined : html`<h2>Checks that judge it</h2>`}${checkThings(root, facts, judged)}
${built.length === 0 ? undefined : html`<details><summary><h2 class="inline">Checks that build on it</h2></summary>${checkThings(root, facts, built)}</details>`}
${Command({ text: `aips spec decisions ${id}` })}`;
  return sitePage({ address, title: `${id} ${title}: a decision`, about: does.slice(0, 160), content }, facts);
}

const rows = Object.values(errors);

/** Every error code once, in the order of the table. */
export const errorCodes: readonly string[] = [...new Set(rows.map(({ code }) => code))];

function codeOf(body = ''): unknown {
  const reply = jsonOf(body);
  return isObject(reply) ? reply['code'] : undefined;
}

/** The page of an error code as text: where it is given, for what, and in which order it is checked. */
export function errorPage(code: string, facts: SiteFacts): string {
  const address = addressOf('error', code);
  const root = rootFrom(address);
  const own = rows.filter((row) => row.code === code);
  const order = ({ endpoint }: ErrorRow): readonly ErrorRow[] => rows.filter((row) => row.endpoint === endpoint);
  const stated = clauses.filter(({ demand }) => demand?.code === code).map(({ id }) => id);
  const recorded = [...stated.flatMap((id) => facts.recorded.get(id) ?? []), ...facts.recorded.values()];
  const example = recorded.find(({ exchange }) => codeOf(exchange.response?.body) === code);
  const content = html`${crumbs(root, 'e', 'Errors')}
<h1 class="mono">${code}</h1>
${DataTable({
  label: `Where ${code} is given`,
  heads: ['endpoint', '#status', 'cause', 'source', 'is checked'],
  rows: own.map((row) => [
    html`<a href="${root}docs/errors.html#${row.endpoint}">${row.endpoint === 'any' ? 'every endpoint' : row.endpoint}</a>`,
    String(row.status),
    row.cause,
    row.source === 'spec'
      ? `section 7${row.codeBinds ? '' : ', which names no code'}`
      : Thing({ kind: 'decision', id: row.source, root }),
    `${numberText(order(row).indexOf(row) + 1)} of ${numberText(order(row).length)}`,
  ]),
})}
${stated.length === 0 ? undefined : html`<h2>Clauses about it</h2>`}${clauseThings(root, stated)}
${example === undefined ? undefined : shown(example, root)}`;
  const causes = [...new Set(own.map(({ cause }) => cause))].join('; ');
  return sitePage({ address, title: `${code}: an error`, about: `${code}: ${causes}`, content }, facts);
}

/** The page of a check as text: the clauses that it judges, its needs, and how to run it alone. */
export function checkPage({ id, title, needs, clauses: own, requests }: SiteCheck, facts: SiteFacts): string {
  const address = addressOf('check', id);
  const root = rootFrom(address);
  const also = [...facts.judges].filter(([clause, checks]) => checks.includes(id) && !own.includes(clause));
  const content = html`${crumbs(root, 'check', 'Checks')}
<h1 class="mono">${id}</h1>
<p class="statement">${title}</p>
<p>It ${needsText(needs)}, and sends ${countText(requests, 'request')}.</p>
${Command({ text: `aips conform --target target.yaml --only ${id}\naips conform explain ${id}` })}
<h2>Clauses that it judges</h2>
${clauseThings(root, own)}
${also.length === 0 ? undefined : html`<h2>Further clauses that its requests show</h2>`}${clauseThings(
  root,
  also.map(([clause]) => clause),
)}`;
  return sitePage({ address, title: `${id}: a check`, about: title, content }, facts);
}
