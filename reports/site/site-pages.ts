/** Every page of the site that follows from data, `clauses.json`, and the entries of its search. Documents and the front page are Markdown. */

import { placeText } from '../../spec/clause.js';
import { clauses, sections } from '../../spec/clauses/index.js';
import { decisions } from '../../spec/decisions.js';
import { protocolNumbers } from '../../spec/protocol.js';
import { html } from '../views/markup.js';
import { STYLE } from '../views/style.js';
import { clausePage } from './clause-page.js';
import { addressOf, FOLDERS, type Kind, type SiteFacts } from './facts.js';
import { listed, listPage } from './lists.js';
import { numberPage } from './number-page.js';
import { sitePage } from './page.js';
import { SITE_STYLE } from './style.js';
import { checkPage, decisionPage, errorCodes, errorPage } from './thing-pages.js';

const kinds = Object.keys(FOLDERS) as readonly Kind[];

const REGISTRY_PAGES = [
  {
    id: 'registry/index.html',
    title: 'Registry of implementations',
    text: 'who passes: servers that were judged, by section, and their history',
  },
  {
    id: 'registry/clauses.html',
    title: 'Clauses, and who passes them',
    text: 'for each clause the implementations that pass and fail it',
  },
];

/** A place that the search finds. */
interface SearchEntry {
  /** Its address. */
  readonly id: string;
  readonly kind: string;
  /** The id of the thing. */
  readonly name: string;
  readonly title: string;
  readonly text: string;
}

/** The files of the site that follow from data, by their addresses. */
export function sitePages(facts: SiteFacts): ReadonlyMap<string, string> {
  return new Map([
    ...clauses.map((clause) => [addressOf('clause', clause.id), clausePage(clause, facts)] as const),
    ...decisions.map((decision) => [addressOf('decision', decision.id), decisionPage(decision, facts)] as const),
    ...errorCodes.map((code) => [addressOf('error', code), errorPage(code, facts)] as const),
    ...facts.checks.map((check) => [addressOf('check', check.id), checkPage(check, facts)] as const),
    ...protocolNumbers().map((number) => [addressOf('number', number.path), numberPage(number, facts)] as const),
    ...kinds.map((kind) => [`${FOLDERS[kind]}/index.html`, listPage(kind, facts)] as const),
    ['find/index.html', findPage(facts)],
    ['go/index.html', goPage(facts)],
    ['clauses.json', clausesJson(facts)],
    ['site.css', `${STYLE}${SITE_STYLE}`],
  ]);
}

/** Everything with a page of its own, and the sections of the specification, for the search and for the redirects by id. */
export function searchEntries(facts: SiteFacts): readonly SearchEntry[] {
  const things = kinds.flatMap((kind) =>
    listed(kind, facts).map(({ id, title, text }) => ({
      ...{ id: addressOf(kind, id), kind, name: id, text },
      title: title === undefined ? id : `${id} ${title}`,
    })),
  );
  const named = new Set(clauses.map(({ section }) => section));
  const parts = sections
    .filter(({ section }) => named.has(section))
    .map(({ section, title }) => ({
      ...{ id: `c/index.html#section-${section}`, kind: 'section of the specification', name: section },
      ...{ title: `${section} ${title}`, text: 'its clauses' },
    }));
  const registry = facts.registry === undefined ? [] : REGISTRY_PAGES;
  return [...things, ...parts, ...registry.map((each) => ({ ...each, kind: 'implementations', name: each.id }))];
}

/** `clauses.json`: each clause with its address, for tools that link to clauses. */
function clausesJson({ judges }: SiteFacts): string {
  const rows = clauses.map((clause) => ({
    id: clause.id,
    text: clause.text,
    level: clause.level,
    source: placeText(clause),
    address: addressOf('clause', clause.id),
    checks: judges.get(clause.id) ?? [],
  }));
  return `${JSON.stringify({ schema: 'aips-lab/clauses/1', clauses: rows }, null, 1)}\n`;
}

const WITHOUT_SCRIPT = html`<noscript><p>Without script, use the lists above: <a href="../c/index.html">clauses</a>, <a href="../check/index.html">checks</a>.</p></noscript>`;

function findPage(facts: SiteFacts): string {
  const content = html`<h1>Search</h1><p class="lead" id="found-count" role="status">Type an id or words above.</p>${WITHOUT_SCRIPT}<ol class="things" id="found"></ol>`;
  return sitePage(
    { address: 'find/index.html', title: 'Search aips-lab', about: 'Search of the site', content },
    facts,
  );
}

/** The redirects: `go/index.html?heartbeat.interval.min` leads to the page of the id. */
function goPage(facts: SiteFacts): string {
  const content = html`<h1>Go to an id</h1><p class="lead" id="go-status" role="status">An id follows the question mark of this address: <a href="?heartbeat.interval.min">go/?heartbeat.interval.min</a>, <a href="?D-09">go/?D-09</a>.</p>${WITHOUT_SCRIPT}<ol class="things" id="found"></ol>`;
  return sitePage({ address: 'go/index.html', title: 'Go to an id', about: 'Redirects by id', content }, facts);
}
