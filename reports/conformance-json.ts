import type { ConformanceResult } from './conformance-result.js';
import { jsonText } from './json-text.js';
import { conformanceResultSchema } from './schemas.js';

/** `conformance.json`: the fields of the contract and no other, in its order. Throws on a result that breaks the schema. */
export function conformanceJson(result: ConformanceResult): string {
  return jsonText(conformanceResultSchema.parse(result));
}
