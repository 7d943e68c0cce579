/** The pages of the registry: who passes, by section and over time; every clause with the implementations that pass it; and each entry. */

import { type ConformanceResult, withoutTranscript } from '../../results/conformance-result.js';
import { countText, numberText } from '../../results/numbers.js';
import type { Registry, RegistryRow } from '../../results/registry.js';
import { clauses, sections } from '../../spec/clauses/index.js';
import { verdictText } from '../conformance/verdict-text.js';
import { withShortNames } from '../text/short-names.js';
import { clauseContext } from './clauses.js';
import { ConformanceView, conformancePlaces } from './conformance.js';
import { anchorOf, html, type Markup } from './markup.js';
import { PackedResult } from './packed.js';
import { type PageSite, page } from './page.js';
import { Badge, DataTable, Facts, mono, Note } from './parts.js';

/** A site that has the registry among its pages, for a page by its path in the registry: its head and style, and the way to its pages of clauses. */
export type AroundRegistry = (path: string) => PageSite & { readonly clauses: string };

/** The newest entry of each implementation, of rows in the order of `registry.json`. */
export function latest(entries: readonly RegistryRow[]): readonly RegistryRow[] {
  return entries.filter((row, at) => row.implementation !== entries[at - 1]?.implementation);
}

/** The state of an entry as a word: expired comes before all else, since it says nothing about the present text. */
function stateOf({ expired, judged }: RegistryRow): Markup {
  if (expired) return Badge({ kind: 'advisory', label: 'expired' });
  if (judged.must.fail > 0) return Badge({ kind: 'fail', label: `${numberText(judged.must.fail)} fail` });
  if (judged.exit_status !== 0) return Badge({ kind: 'inconclusive', label: 'could not be judged' });
  const isWhole = judged.must.judged === judged.must.total;
  return Badge({ kind: 'pass', label: isWhole ? 'all pass' : 'what was judged passes' });
}

/** `quick, profile paid, a part`: which checks were recorded. */
function extentOf({ profile, quick, part }: RegistryRow): string {
  return [...(quick ? ['quick'] : []), `profile ${profile}`, ...(part ? ['a part of it'] : [])].join(', ');
}

const share = (count: number, total: number): string => `${numberText(count)} of ${numberText(total)}`;

const HEADS = [
  'implementation',
  'version',
  'state',
  '#pass',
  '#judged',
  '#decisions followed',
  'recorded',
  'what was recorded',
  'dialect',
];

function cellsOf(row: RegistryRow): readonly Markup[] {
  const { must, decision } = row.judged;
  return [
    html`<a href=${row.page}>${row.implementation}</a>`,
    row.version,
    stateOf(row),
    share(must.hold, must.judged),
    share(must.judged, must.total),
    share(decision.hold, decision.judged),
    row.recorded,
    extentOf(row),
    row.dialect,
  ];
}

/** The table of the registry: clauses that pass, of those that were judged, by section, and the history of each implementation. */
export function registryPage(registry: Registry, around?: AroundRegistry): string {
  const { entries, refused } = registry;
  const now = latest(entries);
  const place = (id: string, label: string, is: boolean) => (is ? [{ id, label }] : []);
  return page({
    title: 'Registry of implementations',
    lead: 'Recordings of servers, each judged again by this version of the suite. No verdict is kept.',
    places: [
      { id: 'now', label: 'Implementations' },
      ...place('sections', 'By section', now.length > 0),
      ...place('history', 'History', entries.length > now.length),
      ...place('refused', 'Not judged', refused.length > 0),
      { id: 'more', label: 'More' },
    ],
    parts: [
      allExpired(now),
      html`<h2 id="now">Implementations</h2>${now.length === 0 ? Note({ text: 'No entry was judged.' }) : DataTable({ label: 'Implementations', heads: HEADS, rows: now.map(cellsOf) })}
<p class="why">A recording shows a part of the clauses: of those, "pass" says how many pass. It expires when the text changes, and says nothing of other deployments.</p>`,
      now.length === 0 ? undefined : bySections(now),
      entries.length === now.length
        ? undefined
        : html`<h2 id="history">History</h2>${DataTable({ label: 'History', heads: HEADS, rows: entries.map(cellsOf) })}`,
      refused.length === 0
        ? undefined
        : html`<h2 id="refused">Not judged</h2>${DataTable({ label: 'Not judged', heads: ['entry', 'why'], rows: refused.map(({ entry, problems }) => [mono(entry), problems.map((text) => html`<p class="mono">${text}</p>`)]) })}`,
      html`<h2 id="more">More</h2><ul><li><a href="clauses.html">Each clause, and who passes it</a></li><li><a href="registry.json">All of this as JSON</a></li></ul>
<p class="why">Text ${mono(registry.text.slice(0, 12))}, suite ${mono(registry.suite.slice(0, 12))}, aips-lab ${registry.tool_version}.</p>`,
    ],
    tool_version: registry.tool_version,
    site: around?.('index.html'),
  });
}

function allExpired(now: readonly RegistryRow[]): Markup {
  if (now.length === 0 || now.some(({ expired }) => !expired)) return undefined;
  return Note({
    head: 'All entries are expired.',
    text: 'The text has changed since they were recorded. What they pass is shown in grey until they are recorded again.',
  });
}

/** The newest entries for which a clause has a state, with links to their pages from `root`; expired ones in grey, with that word. Undefined for none. */
export function implementationsOf(
  id: string,
  state: 'holds' | 'fails',
  entries: readonly RegistryRow[],
  root = '',
): Markup | undefined {
  const found = latest(entries).filter(({ judged }) => judged[state].includes(id));
  if (found.length === 0) return undefined;
  return found.map(({ implementation, page: href, expired }, at) => {
    const link = html`<a href="${root}${href}">${implementation}</a>`;
    return html`${at === 0 ? '' : ', '}${expired ? html`<span class="why">${link} (expired)</span>` : link}`;
  });
}

/** Clauses that pass, of those that were judged, by the sections of the first level. */
function bySections(rows: readonly RegistryRow[]): Markup {
  const top = (section: string): string => section.split('.')[0] ?? section;
  const tops = [...new Set(rows.flatMap(({ judged }) => judged.sections.map(({ section }) => top(section))))];
  const cells = ({ judged }: RegistryRow): readonly string[] =>
    tops.map((name) => {
      const within = judged.sections.filter(({ section }) => top(section) === name);
      const sum = (key: 'hold' | 'judged' | 'total') => within.reduce((total, each) => total + each[key], 0);
      return sum('judged') === 0 ? 'not judged' : `${share(sum('hold'), sum('judged'))} (${numberText(sum('total'))})`;
    });
  const table = rows.map((row) => [html`<a href=${row.page}>${row.implementation}</a>`, ...cells(row)]);
  const heads = ['implementation', ...tops.map((name) => `#section ${name}`)];
  return html`<h2 id="sections">By section</h2>${DataTable({ label: 'By section', heads, rows: table })}<p class="why">Clauses that pass, of those that were judged; in brackets all clauses of the section.</p>`;
}

/** Every must clause by section, and the newest entries that pass and fail it; the others do not show it. */
export function registryClausesPage({ entries, tool_version }: Registry, around?: AroundRegistry): string {
  const site = around?.('clauses.html');
  const shown = clauses.filter(({ level, excluded }) => level === 'must' && excluded === undefined);
  const parts = sections.flatMap(({ section, title }) => {
    const within = shown.filter((clause) => clause.section === section);
    const rows = within.map(({ id, text }) => [
      html`<span class="mono" id=${anchorOf('clause', id)}>${site === undefined ? id : html`<a href="${site.clauses}${id}/index.html">${id}</a>`}</span><br />${text}`,
      implementationsOf(id, 'holds', entries),
      implementationsOf(id, 'fails', entries),
    ]);
    const failed = rows.filter(([, , fails]) => fails !== undefined).length;
    const label = `${section} ${title}`;
    const counts = `${countText(rows.length, 'clause')}${failed === 0 ? '' : `, ${numberText(failed)} that an implementation fails`}`;
    return rows.length === 0
      ? []
      : html`<details class="section card" id=${anchorOf('section', section)}><summary><h3>${label}</h3><p class="counts">${counts}</p></summary>${DataTable({ label, heads: ['clause', 'passes', 'fails'], rows })}</details>`;
  });
  return page({
    title: 'Clauses, and who passes them',
    lead: 'By the newest recording of each implementation; one in grey has expired. An implementation that is not named does not show the clause.',
    places: [{ id: 'clauses', label: 'Clauses' }],
    parts: [
      allExpired(latest(entries)),
      html`<p><a href="index.html">Registry of implementations</a></p><h2 id="clauses">Clauses of the specification</h2>${parts}`,
    ],
    tool_version,
    site,
  });
}

/** An entry: what it is of, and the report of its recording, in full where something fails. `command`: that of the recorded run. */
export function registryEntryPage(
  row: RegistryRow,
  given: ConformanceResult,
  command: string,
  around?: AroundRegistry,
): string {
  // A finding has the exchange that shows it; the recording has all others.
  const result = withShortNames({ ...given, checks: given.checks.map(withoutTranscript) });
  const site = around?.(row.page);
  const writing = { command, ...(site && { clausePages: site.clauses }) };
  const { recorded_by: by } = row;
  const text = row.text_version === undefined ? by.text.slice(0, 12) : `${row.text_version} (${by.text.slice(0, 12)})`;
  return page({
    title: `${row.implementation} ${row.version}`,
    lead: `${verdictText(result, writing)}.`,
    places: conformancePlaces({ result, writing }).slice(1),
    parts: [
      html`<p><a href="../../index.html">Registry of implementations</a></p>`,
      row.expired
        ? Note({ head: 'Expired.', text: 'The text has changed since: what follows is judged by the present text.' })
        : undefined,
      Facts({
        kind: 'facts',
        facts: [
          ['project', row.url],
          ['licence', row.licence],
          ['recorded', `${row.recorded} by aips-lab ${by.version}: ${extentOf(row)}`],
          ['by the text', text],
          ['by the suite', row.same_suite ? 'that of this version' : by.suite.slice(0, 12)],
          [
            'not shown',
            row.judged.unshown === 0 ? undefined : `${numberText(row.judged.unshown)} requests of this version`,
          ],
        ],
      }),
      ConformanceView({ result, writing }),
      PackedResult(clauseContext(result, writing)),
    ],
    tool_version: result.tool_version,
    site,
  });
}
