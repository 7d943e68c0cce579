/** The form of an accepted reply: each field that the text shows is there and of its kind. */

import type { EndpointId } from '../../spec/endpoint-ids.js';
import { show } from '../reading/compare.js';
import { fieldsSeen, formOf } from '../reading/forms.js';
import type { Case } from '../settle.js';

/** Judges the fields of a reply by the table of forms. */
export function judgeForm({ state, call, judgement }: Case): void {
  const form = formOf(call.endpoint.id as EndpointId, call.body, call.json, state.settings);
  if (form === undefined) return;
  for (const { about, ok, expected, value, clauses } of fieldsSeen(call.json, form)) {
    if (ok !== undefined) judgement.that(about, ok, expected, show(value), ...clauses);
  }
}
