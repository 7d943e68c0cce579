import { describe, expect, it } from 'vitest';
import { jsonText } from '../results/json-text.js';
import {
  cleanConformance,
  conformanceFixture,
  emptyConformance,
  emptySimulation,
  hostileConformance,
  hostileSimulation,
  simulationFixture,
} from '../test/fixtures/results.js';
import { conformanceJson } from './conformance/conformance-json.js';
import { manifestJson, summaryJson } from './simulation/summary-json.js';

/** The same value with the keys of every object in the opposite order. */
function backwards(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(backwards);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, field]) => [key, backwards(field)] as const);
  return Object.fromEntries(entries.reverse());
}

describe('jsonText', () => {
  it('indents objects and keeps lists of plain values on one line', () => {
    expect(jsonText({ a: [1, 2.5, null], b: [{ c: 'd' }], e: {}, f: [], g: undefined })).toBe(
      '{\n  "a": [1, 2.5, null],\n  "b": [\n    {\n      "c": "d"\n    }\n  ],\n  "e": {},\n  "f": []\n}\n',
    );
  });
});

describe('conformanceJson', () => {
  it.each([
    ['every verdict', conformanceFixture()],
    ['only passes', cleanConformance()],
    ['no check', emptyConformance()],
    ['hostile text', hostileConformance()],
  ])('reads back the same with %s', (_, result) => {
    expect(JSON.parse(conformanceJson(result))).toEqual(result);
  });

  it('begins with the version of its shape and ends in a newline', () => {
    const text = conformanceJson(conformanceFixture());
    expect(text.startsWith('{\n  "schema": "aips-lab/conformance/2",\n  "tool_version": "0.1.0",')).toBe(true);
    expect(text.endsWith('}\n')).toBe(true);
  });

  it('writes the fields in one order and no field that the contract lacks', () => {
    // Headers are in the order in which they were sent.
    const without = conformanceFixture({ checks: [], findings: [] });
    const turned = { ...(backwards(without) as object), session: 'private' };
    expect(conformanceJson(Object.assign(conformanceFixture(), turned))).toBe(conformanceJson(without));
  });

  it('throws on a result that breaks the schema', () => {
    expect(() => conformanceJson(conformanceFixture({ requests: -1 }))).toThrow(/requests/);
  });
});

describe('manifestJson', () => {
  it('reads back the same, with what varies last', () => {
    const { manifest } = simulationFixture();
    const text = manifestJson(manifest);
    expect(JSON.parse(text)).toEqual(manifest);
    expect(Object.keys(JSON.parse(text)).at(-1)).toBe('run');
    expect(text).toContain('"event_hash": "e2e2');
  });
});

describe('summaryJson', () => {
  it('is the result without what varies between runs', () => {
    const result = simulationFixture();
    const { run, ...manifest } = result.manifest;
    expect(run.wall_s).toBe(1.84);
    expect(JSON.parse(summaryJson(result))).toEqual({ ...result, manifest });
  });

  it('gives the same bytes for another wall time and another order of counting', () => {
    const result = simulationFixture();
    const run = { wall_s: 99, operations_per_s: 1, peak_rss_mb: 1, node: 'v24.0.0' };
    const totals = Object.fromEntries(Object.entries(result.totals).reverse());
    const by_kind = result.manifest.operations.by_kind.map((kind) => ({
      ...kind,
      refused: Object.fromEntries(Object.entries(kind.refused).reverse()),
    }));
    const operations = { ...result.manifest.operations, by_kind };
    const other = simulationFixture({ totals, manifest: { ...result.manifest, run, operations } });
    expect(summaryJson(other)).toBe(summaryJson(result));
    expect(manifestJson(other.manifest)).not.toBe(manifestJson(result.manifest));
  });

  it('differs when a number differs', () => {
    const result = simulationFixture();
    expect(summaryJson(simulationFixture({ totals: { ...result.totals, resyncs: 201 } }))).not.toBe(
      summaryJson(result),
    );
  });

  it.each([
    ['nothing in it', emptySimulation()],
    ['hostile text', hostileSimulation()],
  ])('reads back the same with %s', (_, result) => {
    const { run: _run, ...manifest } = result.manifest;
    expect(JSON.parse(summaryJson(result))).toEqual({ ...result, manifest });
  });
});
