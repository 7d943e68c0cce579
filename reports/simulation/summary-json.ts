/** Writes manifest.json and summary.json of a simulation, checked by their schemas. */

import { jsonText, sortedRecord } from '../../results/json-text.js';
import {
  type OperationCount,
  type SimulationManifest,
  type SimulationResult,
  simulationManifestSchema,
  simulationSummarySchema,
} from '../../results/simulation-result.js';

function inOrder<T extends OperationCount>(counts: readonly T[]): T[] {
  return counts.map((count) => ({ ...count, refused: sortedRecord(count.refused) }));
}

/** `manifest.json`, with what varies between runs under `run`, last. Throws on a manifest that breaks the schema. */
export function manifestJson(manifest: SimulationManifest): string {
  const parsed = simulationManifestSchema.parse(manifest);
  return jsonText({ ...parsed, operations: { ...parsed.operations, by_kind: inOrder(parsed.operations.by_kind) } });
}

/**
 * `summary.json`: the result without `manifest.run`. Runs of the same scenario, seed and version give the same bytes.
 * Throws on a result that breaks the schema.
 */
export function summaryJson(result: SimulationResult): string {
  const { manifest, ...rest } = simulationSummarySchema.parse(result);
  const operations = { ...manifest.operations, by_kind: inOrder(manifest.operations.by_kind) };
  return jsonText({ manifest: { ...manifest, operations }, ...rest, totals: sortedRecord(rest.totals) });
}
