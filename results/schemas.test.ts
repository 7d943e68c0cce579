import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  conformanceFixture,
  emptyConformance,
  emptySimulation,
  hostileConformance,
  hostileSimulation,
  lackingConformance,
  simulationFixture,
  standingConformance,
} from '../test/fixtures/results.js';
import { conformanceResultSchema } from './conformance-result.js';
import { jsonSchemas } from './schemas.js';
import { simulationResultSchema, simulationSummarySchema } from './simulation-result.js';

describe('the schemas', () => {
  it.each([
    ['every verdict', conformanceFixture()],
    ['no check', emptyConformance()],
    ['known and flaky checks', standingConformance()],
    ['a missing endpoint', lackingConformance()],
    ['hostile text', hostileConformance()],
  ])('take a conformance result with %s as it is', (_, result) => {
    expect(conformanceResultSchema.parse(result)).toEqual(result);
  });

  it.each([
    ['curves', simulationFixture()],
    ['nothing in it', emptySimulation()],
    ['hostile text', hostileSimulation()],
  ])('take a simulation with %s as it is', (_, result) => {
    expect(simulationResultSchema.parse(result)).toEqual(result);
  });
});

describe('a result that breaks the contract', () => {
  const [first] = conformanceFixture().checks;
  it.each([
    ['another schema', { schema: 'aips-lab/conformance/1' }],
    ['an exit status that does not exist', { exit_status: 3 }],
    ['a count below zero', { requests: -1 }],
    ['a failure without what was expected', { checks: [{ ...first, verdict: 'fail', about: 'a', actual: 'b' }] }],
    ['an untested check without a reason', { checks: [{ ...first, verdict: 'not-tested' }] }],
    ['a state that does not exist', { clauses: [{ ...conformanceFixture().clauses[0], state: 'broken' }] }],
    ['an unknown verdict', { checks: [{ ...first, verdict: 'skipped' }] }],
  ])('is refused: %s', (_, fault) => {
    expect(conformanceResultSchema.safeParse({ ...conformanceFixture(), ...fault }).success).toBe(false);
  });

  it('is refused when a sample is not a number that JSON can hold', () => {
    const series = [{ name: 'a', unit: '', label: 'A', values: [1, Number.NaN] }];
    expect(simulationResultSchema.safeParse({ ...simulationFixture(), series }).success).toBe(false);
  });
});

describe('the published JSON Schemas', () => {
  const schemas = jsonSchemas();

  it('are draft 2020-12 and name the version of the shape', () => {
    for (const schema of Object.values(schemas)) {
      expect(schema['$schema']).toBe('https://json-schema.org/draft/2020-12/schema');
    }
    expect(schemas.conformance['title']).toBe('aips-lab/conformance/2');
    expect(schemas.manifest['title']).toBe('aips-lab/simulation/1 manifest.json');
    expect(schemas.simulation['title']).toBe('aips-lab/simulation/1 summary.json');
  });

  it('require every field but the optional ones', () => {
    expect(schemas.conformance['required']).toEqual([
      'schema',
      'tool_version',
      'target',
      'seed',
      'started_at',
      'wall_s',
      'requests',
      'lamports',
      'summary',
      'exit_status',
      'findings',
      'checks',
      'coverage',
      'clauses',
    ]);
    expect(JSON.stringify(schemas)).not.toContain('readOnly');
  });

  it('accept what they describe and refuse what they do not', () => {
    const conformance = z.fromJSONSchema(schemas.conformance);
    expect(conformance.safeParse(conformanceFixture()).success).toBe(true);
    expect(conformance.safeParse({ ...conformanceFixture(), seed: 'seven' }).success).toBe(false);
    const manifest = z.fromJSONSchema(schemas.manifest);
    expect(manifest.safeParse(simulationFixture().manifest).success).toBe(true);
    expect(manifest.safeParse({ ...simulationFixture().manifest, agents: -1 }).success).toBe(false);
    const summary = z.fromJSONSchema(schemas.simulation);
    expect(summary.safeParse(simulationSummarySchema.parse(simulationFixture())).success).toBe(true);
    expect(summary.safeParse(simulationFixture()).success).toBe(false);
  });
});
