/** Judges the form of an accepted reply: presence and type of the fields of the text, then the forms of decisions. */

import { type EndpointId, routeClauseOf } from '../../spec/endpoint-ids.js';
import type { Case } from '../case.js';
import { show } from '../reading/compare.js';
import { decisionClauseOf, decisionClausesShown, deviations, successSchema } from '../reading/decision-forms.js';
import { type Form, fieldsSeen, formOf } from '../reading/forms.js';

/** Judges an accepted call: that the endpoint exists, and that the reply has the fields of the forms. */
export function judgeForm(given: Case): void {
  const { state, call, judgement } = given;
  const id = call.endpoint.id as EndpointId;
  const form = formOf(id, call.body, call.json, state.settings);
  judgement.that('acceptance', true, '', '', routeClauseOf(id), ...(form?.accepted ?? []));
  judgeDecisionForm(given, id, form === undefined ? [] : judgeFields(given, form));
}

/** Judges the fields of the text. Returns the paths that deviate. */
function judgeFields({ call: { json }, judgement }: Case, form: Form): readonly string[] {
  const isObject = typeof json === 'object' && json !== null;
  if (form.fields.length > 0 && !isObject) {
    judgement.because(
      'field',
      'reply',
      false,
      'a JSON object',
      json === undefined ? json : show(json),
      ...form.accepted.slice(0, 1),
    );
    return [''];
  }
  const failed: string[] = [];
  for (const { path, about, ok, expected, value, clauses } of fieldsSeen(json, form)) {
    // If a whole object is missing, only the row of the object reports it.
    if (ok !== undefined)
      judgement.because('field', about, ok, expected, ok || value === undefined ? value : show(value), ...clauses);
    if (ok !== true) failed.push(path);
  }
  return failed;
}

/** Judges the fields that decisions define, except those that deviate from the text. */
function judgeDecisionForm({ state, call, judgement }: Case, id: EndpointId, failed: readonly string[]): void {
  const schema = successSchema(id, call.status, state.settings);
  if (schema === undefined) return;
  const against = new Set<string>();
  for (const { path, expected, actual } of deviations(schema, call.json)) {
    const clause = decisionClauseOf(id, path);
    if (clause === undefined || failed.some((one) => one === path || path.startsWith(`${one}.`))) continue;
    against.add(clause);
    judgement.because('field', path.replaceAll(/\.\d+(?=\.|$)/g, '.*'), false, expected, actual, clause);
  }
  const shown = [...decisionClausesShown(id, call.json)].filter((clause) => !against.has(clause));
  judgement.that('form', true, '', '', ...shown);
}
