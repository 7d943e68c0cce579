/** Holds a value in a page for its script: as JSON, deflated, in Base64, in an element that is not shown. */

import { deflateSync } from 'node:zlib';
import { type Html, html, trusted } from './markup.js';

/** The element, of which script.ts reads the value again. `file` names one that has the same. */
export function packedElement(id: string, value: unknown, file = ''): Html {
  const bytes = deflateSync(JSON.stringify(value), { level: 9 });
  return html`<template id="${id}" data-file="${file}">${trusted(bytes.toString('base64'))}</template>`;
}
