/** The small parts that every view is made of: a verdict, figures, tables, notes, commands. They know no result. */
import type { Verdict } from '../conformance/verdict-text.js';
import { html, type Markup } from './markup.js';

/** The sign of a verdict. */
export const SIGNS: Readonly<Record<Verdict['tone'], string>> = { good: '✓', bad: '✗', open: '?' };

/** The verdict in a word and a sentence: what a page begins with. */
export function VerdictBanner({ tone, word, text }: Verdict): Markup {
  return html`<div class="verdict ${tone}"><span class="sign" aria-hidden="true">${SIGNS[tone]}</span><div><p class="word">${word}</p><p>${text}</p></div></div>`;
}

/** A number that matters, with its name. */
interface Figure {
  readonly label: string;
  readonly value: string;
}

/** A few figures in a row. */
export function Figures({ figures }: { readonly figures: readonly Figure[] }): Markup {
  return html`<dl class="stats">${figures.map(({ label, value }) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`)}</dl>`;
}

/** Something that the reader must know before any number: with an alarm where it is bad. */
export function Note({ head, text }: { readonly head?: string; readonly text: string }): Markup {
  return html`<p class="note">${head === undefined ? undefined : html`<b>${head}</b> `}${text}</p>`;
}

/** Lines to type; the page's script adds a button that copies them. */
export function Command({ text }: { readonly text: string }): Markup {
  return html`<div class="script"><pre>${text}</pre></div>`;
}

/** A verdict or state as a word in its colour. */
export function Badge({ kind, label }: { readonly kind: string; readonly label: string }): Markup {
  return html`<span class="badge ${kind}">${label}</span>`;
}

/** Pass or fail. */
export function PassBadge({ holds }: { readonly holds: boolean }): Markup {
  return Badge(holds ? { kind: 'pass', label: 'pass' } : { kind: 'fail', label: 'fail' });
}

/** A card of an overview: its tone, what it is about, and where the page has more of it. */
interface Card {
  readonly id: string;
  readonly tone: Verdict['tone'];
  readonly title: Markup;
  readonly content: Markup;
  readonly more: string;
}

/** A card of an overview. */
export function OverviewCard({ id, tone, title, content, more }: Card): Markup {
  return html`<div class="card ${tone}"><h2>${title}</h2>${content}<p class="more"><a href="#${id}">${more}</a></p></div>`;
}

/** Names and values, one below another. */
export function Facts({ kind, facts }: { readonly kind: string; readonly facts: readonly Fact[] }): Markup {
  const shown = facts.filter(([, value]) => value !== undefined);
  if (shown.length === 0) return undefined;
  return html`<dl class=${kind}>${shown.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`;
}

/** A name and its value; nothing is shown for undefined. */
type Fact = readonly [name: string, value: Markup | undefined];

/** A table in words and numbers. */
interface Table {
  readonly label: string;
  /** The head of a column of numbers begins with `#`. */
  readonly heads: readonly string[];
  /** The cells of each row; the one at `named` is its head. */
  readonly rows: readonly (readonly Markup[])[];
  readonly named?: number;
  readonly plain?: boolean;
}

/** A table that scrolls sideways on a narrow screen. */
export function DataTable({ label, heads, rows, named = 0, plain = false }: Table): Markup {
  const kind = (at: number): string | undefined => (heads[at]?.startsWith('#') === true ? 'number' : undefined);
  const cell = (content: Markup, at: number): Markup =>
    at === named
      ? html`<th scope="row" class=${kind(at)}>${content}</th>`
      : html`<td class=${kind(at)}>${content}</td>`;
  const head = heads.map((text, at) => html`<th scope="col" class=${kind(at)}>${text.replace(/^#/u, '')}</th>`);
  return html`<div class="scroll ${plain ? 'plain' : 'card'}" role="group" aria-label=${label} tabindex="0"><table><thead><tr>${head}</tr></thead><tbody>${rows.map((row) => html`<tr>${row.map(cell)}</tr>`)}</tbody></table></div>`;
}

/** Text in the letters of code. */
export function mono(text: string): Markup {
  return html`<span class="mono">${text}</span>`;
}
