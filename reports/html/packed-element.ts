/** Holds bytes in a page for its script: compressed, as letters, in an element that is not shown. */

import { deflateSync } from 'node:zlib';
import { denseText } from './dense-text.js';
import { type Html, html, trusted } from './markup.js';

/** The element, of which script.ts reads the bytes again. `file` names one that has the same. */
export function packedElement(id: string, bytes: Uint8Array, file = ''): Html {
  return html`<template id="${id}" data-file="${file}">${trusted(denseText(deflateSync(bytes, { level: 9 })))}</template>`;
}
