/** Puts the clauses that unfold into a page, packed and compressed. Which ones these are, and their markup, is not decided here. */

import { type Html, html } from './markup.js';
import { packedElement } from './packed-element.js';
import { packTexts } from './packed-texts.js';

/** The clauses that unfold, each as it will stand on the page, in the order of their places. */
export function packedClauses(clauses: readonly Html[]): Html {
  return clauses.length === 0 ? html`` : packedElement('packed-clauses', packMarkup(clauses.map(({ text }) => text)));
}

/** Markup as bytes, which `unpackMarkup` reads again: by tags, as the same tag with the same text is often there. */
export function packMarkup(markup: readonly string[]): Buffer {
  const pieces = markup.map((text) => text.split(/(?=<)/u));
  return packTexts([JSON.stringify(pieces.map(({ length }) => length)), ...pieces.flat()]);
}
