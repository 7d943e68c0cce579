/** Writes and reads `conformance.json`. Its fields are described in docs/conformance-json.md. */

import {
  CONFORMANCE_SCHEMA,
  type ConformanceResult,
  conformanceResultSchema,
} from '../../results/conformance-result.js';
import { jsonText } from '../../results/json-text.js';
import { LEVELS_MAX, type Parsed, tooDeep } from '../../spec/document.js';
import { isObject, jsonDeeperAt, jsonOf, notJson, otherFormat } from '../../spec/formats.js';

/** `conformance.json`: the fields of the contract and no other, in its order. Throws on a result that breaks the schema. */
export function conformanceJson(result: ConformanceResult): string {
  return jsonText(conformanceResultSchema.parse(result));
}

/** Reads `conformance.json`. Says where the file is not one that this version reads. */
export function parseConformanceJson(text: string, file: string): Parsed<ConformanceResult> {
  const no = (message: string, key = '', line = 1): Parsed<ConformanceResult> => {
    return { ok: false, problems: [{ file, line, key, message }] };
  };
  const deepAt = jsonDeeperAt(text, LEVELS_MAX);
  if (deepAt !== undefined) return no(tooDeep(LEVELS_MAX), '', text.slice(0, deepAt).split('\n').length);
  const json = jsonOf(text);
  if (json === undefined) return no(notJson(text));
  if (!isObject(json)) return no('is not the JSON of a conformance run');
  const other = otherFormat(json['schema'], CONFORMANCE_SCHEMA);
  if (other !== undefined) return no(other, 'schema');
  const result = conformanceResultSchema.safeParse(json);
  if (result.success) return { ok: true, value: result.data };
  const path = result.error.issues[0]?.path.map(String).join('.') ?? '';
  return no('is not as the schema of conformance.json has it (docs/schemas/conformance.schema.json)', path);
}
