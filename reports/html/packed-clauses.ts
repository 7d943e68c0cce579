/** Puts the clauses that a page expands on demand into it, packed and compressed. It does not choose them or write their markup. */

import { type Html, html } from './markup.js';
import { packedElement } from './packed-element.js';
import { packTexts } from './packed-texts.js';

/** The element with these clauses: their markup, in the order in which the page shows them. */
export function packedClauses(clauses: readonly Html[]): Html {
  return clauses.length === 0 ? html`` : packedElement('packed-clauses', packMarkup(clauses.map(({ text }) => text)));
}

/** Encodes markup as bytes, for `unpackMarkup`. It is split before each tag, because the same tag with the same text occurs often. */
export function packMarkup(markup: readonly string[]): Buffer {
  const pieces = markup.map((text) => text.split(/(?=<)/u));
  return packTexts([JSON.stringify(pieces.map(({ length }) => length)), ...pieces.flat()]);
}
