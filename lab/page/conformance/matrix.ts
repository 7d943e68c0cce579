/** The matrix of clauses: a square for each, in rows by section, that can be searched and opened. Each row says its counts in words. */

import { html, useState, type VNode } from '../markup.js';
import type { ResultView } from './conformance-view.js';

type Clause = ResultView['clauses'][number];
const MARKS: Readonly<Record<Clause['state'], string>> = {
  holds: 's-good',
  fails: 's-bad',
  'not-judged': 's-plain',
  excluded: 's-out',
};
const WORDS: readonly Clause['state'][] = ['holds', 'fails', 'not-judged', 'excluded'];

/** The matrix, failing sections first. */
export function Matrix({
  clauses,
  open,
}: {
  readonly clauses: readonly Clause[];
  readonly open: (id: string) => void;
}): VNode {
  const [search, setSearch] = useState('');
  const wanted = search.trim().toLowerCase();
  const shown = clauses.filter(({ id, text, section }) => `${id} ${section} ${text}`.toLowerCase().includes(wanted));
  const sections = Map.groupBy(shown, ({ section }) => section);
  const fails = (of: readonly Clause[]): number => of.filter(({ state }) => state === 'fails').length;
  const rows = [...sections].toSorted(([, a], [, b]) => Math.sign(fails(b)) - Math.sign(fails(a)));
  const move = (event: KeyboardEvent): void => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const cells = [...(event.currentTarget as Element).querySelectorAll<HTMLElement>('button')];
    const next = step === undefined ? undefined : cells[cells.indexOf(document.activeElement as HTMLElement) + step];
    if (next === undefined) return;
    event.preventDefault();
    next.focus();
  };
  return html`<div class="tools"><label class="grow"><span class="unseen">Search clauses</span><input type="search" placeholder="Search clauses by id, section or words" value=${search} onInput=${(event: Event) => setSearch((event.target as HTMLInputElement).value)} /></label>
    <p class="legend">${WORDS.map((word) => html`<span class="key"><i class=${MARKS[word]} aria-hidden="true"></i>${word.replace('-', ' ')} <b>${shown.filter(({ state }) => state === word).length}</b></span>`)}</p></div>
    <div class="matrix">${rows.map(
      ([section, own]) => html`<div class="line" key=${section} onKeyDown=${move}><span class="name">${section}</span>
      <span class="cells">${own.map(({ id, state }, at) => html`<button type="button" class=${MARKS[state]} tabindex=${at === 0 ? 0 : -1} title=${id} aria-label=${`${id}: ${state}`} onClick=${() => open(id)}></button>`)}</span>
      <span class="soft">${fails(own) > 0 ? `${fails(own)} fail` : `${own.filter(({ state }) => state === 'holds').length} hold`}</span></div>`,
    )}</div>
    ${wanted === '' || shown.length > 20 ? null : html`<ul class="found">${shown.map(({ id, text, state }) => html`<li><button type="button" class="link" onClick=${() => open(id)}>${id}</button> <span class="soft">${state}</span> ${text}</li>`)}</ul>`}`;
}
