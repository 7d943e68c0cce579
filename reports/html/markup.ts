/** Templates of HTML that escape what is put into them. It knows nothing of reports. */
import { visible } from '../visible.js';

/** Text that is HTML already. Only `html` and `trusted` make it, so that nothing else reaches a page unescaped. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** A value that a place in a template takes: HTML as it is, text and numbers escaped, lists one after another, nothing for undefined. */
export type Part = Html | string | number | undefined | readonly Part[];

/** Text escaped for an element, or for an attribute between double quotes. */
export function escapeHtml(text: string): string {
  return visible(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

function written(part: Part): string {
  if (part === undefined) return '';
  if (part instanceof Html) return part.text;
  if (typeof part === 'string') return escapeHtml(part);
  return typeof part === 'number' ? String(part) : part.map(written).join('');
}

/** A template of HTML whose places are escaped. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(strings.map((text, at) => text + written(parts[at])).join(''));
}

/** Text of our own making that is HTML: SVG, style sheet, script. Nothing that came from outside. */
export function trusted(text: string): Html {
  return new Html(text);
}

/** Our own prose with `code` between backticks. */
export function withCode(text: string): Html {
  const pieces = text.split('`').map((piece, at) => (at % 2 === 1 ? html`<code>${piece}</code>` : html`${piece}`));
  return html`${pieces}`;
}

/** An id for a thing by its name: different names give different ids, all of letters that need no escape in a link. */
export function anchorOf(kind: string, name: string): string {
  const safe = name.replace(/[^A-Za-z0-9.-]/gu, (letter) =>
    letter === '/' ? '__' : `_${(letter.codePointAt(0) ?? 0).toString(16)}_`,
  );
  return `${kind}-${safe}`;
}
