/** A table of numbers on a page. Its rows are made by who knows them. */
import { type Html, html } from './markup.js';

/** A table in a card that scrolls sideways on a narrow screen; the head of a column of numbers begins with `#`. */
export function dataTable(label: string, heads: readonly string[], rows: readonly Html[]): Html {
  const cells = heads.map((head) =>
    head.startsWith('#')
      ? html`<th scope="col" class="number">${head.slice(1)}</th>`
      : html`<th scope="col">${head}</th>`,
  );
  return html`<div class="card scroll" role="region" aria-label="${label}" tabindex="0"><table>
<thead><tr>${cells}</tr></thead>
<tbody>${rows}</tbody></table></div>`;
}
