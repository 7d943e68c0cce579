/** The view of a search: what it found, how it ended and how far its starts agree. */
import { measureText, percentText } from '../../results/numbers.js';
import type { ResponseResult, SearchResult, SearchStarts } from '../../results/search-result.js';
import type { Verdict } from '../conformance/verdict-text.js';
import { responseText, searchText } from '../experiment/search-console.js';
import { html, type Markup } from './markup.js';
import { Command, DataTable, Facts, mono, OverviewCard, VerdictBanner } from './parts.js';

/** A search of either kind. */
export type ReportedSearch = SearchResult | ResponseResult;

function agreementText(starts: SearchStarts | null): string {
  return starts === null
    ? ''
    : ` ${starts.agreeing} of ${starts.begun} starts came within ${percentText(starts.tolerance)} of the best point.`;
}

/** The verdict on a search: whether its goals are reached, or a best policy is known. */
export function searchVerdict(search: ReportedSearch): Verdict {
  if (search.find === 'numbers') {
    const word = `The goals are ${search.reached ? '' : 'not shown to be '}reached`;
    return { tone: search.reached ? 'good' : 'bad', word, text: agreementText(search.starts).trim() };
  }
  const best = search.policies.find(({ verdict }) => verdict === 'best');
  const leading = search.policies.filter(({ verdict }) => verdict !== 'another life').length;
  const text = `${leading} of ${search.policies.length} policies lead the life.`;
  return best === undefined
    ? { tone: 'bad', word: 'No best policy', text }
    : { tone: 'good', word: `Best: ${best.policy}`, text };
}

/** A summary card of a search. */
export function SearchCard({ search }: { readonly search: ReportedSearch }): Markup {
  const { tone, word, text } = searchVerdict(search);
  return OverviewCard({
    id: 'search',
    tone,
    title: html`Search ${mono(search.name)}`,
    content: html`<p class="figure">${word}</p><p>${text}</p>`,
    more: 'To the search part',
  });
}

/** The view of a search as a part of a page. */
export function SearchView({ search }: { readonly search: ReportedSearch }): Markup {
  const text = search.find === 'numbers' ? searchText(search) : responseText(search);
  return html`<section class="part" id="search" aria-labelledby="search-title">
<h2 id="search-title">Search: ${search.name}</h2>
<p class="question">${search.question}</p>
${VerdictBanner(searchVerdict(search))}
${search.find === 'numbers' ? startsTable(search) : policyTable(search)}
<h3 id="search-text">In full</h3><div class="card">${Command({ text })}${Facts({ kind: 'proof', facts: [['digest', mono(search.digest)]] })}</div></section>`;
}

function startsTable({ starts, best }: SearchResult): Markup {
  if (starts === null) return undefined;
  const rows = starts.ends.map(({ set, ended, value, excess, agrees }) => {
    const shown = value === null || best.extreme === null ? 'none' : measureText(value, best.extreme.unit);
    const reached = excess === 0 ? 'reached' : excess === null ? 'a run failed' : `missed by ${percentText(excess)}`;
    return [mono(JSON.stringify(set)), ended ? 'yes' : 'no', shown, reached, agrees ? 'yes' : 'no'];
  });
  const heads = ['best point of the start', 'finished', '#value', 'goals', 'agrees with the best'];
  return html`<h3 id="search-starts">Starts</h3>${DataTable({ label: 'Starts', heads, rows })}`;
}

function policyTable({ policies }: ResponseResult): Markup {
  const rows = policies.map(({ class: identityClass, policy, verdict, points, stopped, starts }) => {
    const agree = starts === null ? '' : `${starts.agreeing} of ${starts.begun}`;
    return [identityClass ?? '', policy, verdict, String(points), stopped, agree];
  });
  const heads = ['class', 'policy', 'verdict', '#points', 'ended', '#starts that agree'];
  return html`<h3 id="search-starts">Policies</h3>${DataTable({ label: 'Policies', heads, rows, named: 1 })}`;
}
