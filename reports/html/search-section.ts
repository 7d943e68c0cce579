/** The part of a page on a search: what it found, how it ended and how far its starts agree. The shell of the page is in page.ts. */
import { measureText, percentText } from '../numbers.js';
import { responseText, searchText } from '../search-console.js';
import type { ResponseResult, SearchResult, SearchStarts } from '../search-result.js';
import { dataTable } from './data-table.js';
import { type Html, html } from './markup.js';

/** A search of either kind. */
export type ReportedSearch = SearchResult | ResponseResult;

function isFound(search: ReportedSearch): boolean {
  return search.find === 'numbers' ? search.reached : search.policies.some(({ verdict }) => verdict === 'best');
}

function agreementText(starts: SearchStarts | null): string {
  return starts === null
    ? ''
    : ` ${starts.agreeing} of ${starts.begun} starts came within ${percentText(starts.tolerance)} of the best point.`;
}

/** A summary card of a search. */
export function searchCard(search: ReportedSearch): Html {
  const found =
    search.find === 'numbers'
      ? `The goals are ${search.reached ? '' : 'not shown to be '}reached.${agreementText(search.starts)}`
      : `${search.policies.filter(({ verdict }) => verdict !== 'another life').length} of ${search.policies.length} policies lead the life.`;
  return html`<section class="card ${isFound(search) ? 'good' : 'bad'}" aria-labelledby="card-search">
<h2 id="card-search">Search <span class="mono">${search.name}</span></h2>
<p>${found}</p>
<p class="more"><a href="#search">To the search part</a></p>
</section>`;
}

/** The search part of a page. */
export function searchSection(search: ReportedSearch): Html {
  const text = search.find === 'numbers' ? searchText(search) : responseText(search);
  return html`<section class="part" id="search" aria-labelledby="search-title">
<h2 id="search-title">Search: ${search.name}</h2>
<p class="question">${search.question}</p>
<div class="card"><div class="script"><pre>${text}</pre></div></div>
${search.find === 'numbers' ? startsTable(search) : policyTable(search)}
<dl class="proof"><dt>digest</dt><dd class="mono">${search.digest}</dd></dl>
</section>`;
}

function startsTable({ starts, best }: SearchResult): Html {
  if (starts === null) return html``;
  const rows = starts.ends.map(({ set, ended, value, excess, agrees }) => {
    const shown = value === null || best.extreme === null ? 'none' : measureText(value, best.extreme.unit);
    const reached = excess === 0 ? 'reached' : excess === null ? 'a run failed' : `missed by ${percentText(excess)}`;
    return html`<tr><td class="mono">${JSON.stringify(set)}</td><td>${ended ? 'yes' : 'no'}</td><td class="number">${shown}</td><td>${reached}</td><td>${agrees ? 'yes' : 'no'}</td></tr>`;
  });
  return html`<h3 id="search-starts">Starts</h3>
${dataTable('Starts', ['best point of the start', 'came to its end', '#value', 'goals', 'agrees with the best'], rows)}`;
}

function policyTable({ policies }: ResponseResult): Html {
  const rows = policies.map(({ class: identityClass, policy, points, stopped, starts }) => {
    const agree = starts === null ? '' : `${starts.agreeing} of ${starts.begun}`;
    return html`<tr><td>${identityClass ?? ''}</td><td>${policy}</td><td class="number">${points}</td><td>${stopped}</td><td class="number">${agree}</td></tr>`;
  });
  return html`<h3 id="search-starts">Policies</h3>
${dataTable('Policies', ['class', 'policy', '#points', 'ended', '#starts that agree'], rows)}`;
}
