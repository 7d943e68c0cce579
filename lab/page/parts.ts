/** The small parts that views are made of: figures, panels, tables, commands, words for numbers and times. They read no signals. */

import { html, useState, type VNode } from './markup.js';

/** Anything that a template takes. */
export type Markup = VNode | string | number | null | undefined | false | readonly Markup[];

/** A protocol time: day and minute in UTC. */
export function timeText(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
}

/** A figure with its name. */
export function figure(name: string, value: Markup, more: Markup = null, tone = ''): VNode {
  return html`<div class=${`figure ${tone}`}><dt>${name}</dt><dd>${value}</dd>${more === null ? null : html`<dd class="more">${more}</dd>`}</div>`;
}

/** A panel with a headline. */
export function panel(title: string, content: Markup, more: Markup = null): VNode {
  return html`<section class="panel" aria-label=${title}><header><h2>${title}</h2>${more}</header>${content}</section>`;
}

/** A state in words, never by colour alone. */
export function pill(text: string, tone: string = text): VNode {
  return html`<span class=${`pill t-${tone}`}>${text}</span>`;
}

/** A column of a table. */
export interface Column<Row> {
  readonly name: string;
  readonly of: (row: Row) => Markup;
  readonly numeric?: boolean;
}

/** A table that scrolls in itself where it is wide. */
export function table<Row>(
  caption: string,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  empty: string,
): VNode {
  if (rows.length === 0) return html`<p class="empty">${empty}</p>`;
  return html`<div class="scroll" tabindex="0" role="region" aria-label=${caption}><table>
    <caption class="unseen">${caption}</caption>
    <thead><tr>${columns.map(({ name, numeric }) => html`<th scope="col" class=${numeric ? 'n' : ''}>${name}</th>`)}</tr></thead>
    <tbody>${rows.map((row) => html`<tr>${columns.map(({ of, numeric }) => html`<td class=${numeric ? 'n' : ''}>${of(row)}</td>`)}</tr>`)}</tbody>
  </table></div>`;
}

/** A command line that can be copied. */
export function Command({ text }: { readonly text: string }): VNode {
  const [copied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
  };
  return html`<div class="command"><code>${text}</code><button type="button" class="quiet" onClick=${copy}>${copied ? 'Copied' : 'Copy'}</button></div>`;
}

/** Choices of which one is taken: a row of buttons. */
export function choices<T extends string>(
  label: string,
  names: readonly (readonly [id: T, text: string])[],
  chosen: T,
  choose: (id: T) => void,
): VNode {
  return html`<div class="choices" role="group" aria-label=${label}>${names.map(
    ([id, text]) =>
      html`<button type="button" aria-pressed=${String(id === chosen)} onClick=${() => choose(id)}>${text}</button>`,
  )}</div>`;
}
