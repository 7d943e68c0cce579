/** Collects the permitted forms of all files. chaos.ts draws them, permitting.ts applies them. */
import { boundForms } from './bounds.js';
import type { PermittedForm } from './form.js';
import { refusalForms } from './refusals.js';
import { rememberingForms } from './remembering.js';
import { shapeForms } from './shapes.js';
import { valueForms } from './values.js';
import { wireForms } from './wire.js';

/**
 * All permitted forms, in the order in which they are applied to a reply: values, then their places, then the notation. No
 * server with any of them may have a failure against the text.
 */
export const permittedForms: readonly PermittedForm[] = [
  valueForms,
  boundForms,
  rememberingForms,
  refusalForms,
  shapeForms,
  wireForms,
].flatMap((table) => Object.entries(table).map(([id, form]) => ({ id, lost: 0, ...form })));
