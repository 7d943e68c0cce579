import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { schemaFaults } from '../../test/fixtures/json-schema.js';
import { root } from '../../test/source-tree.js';
import { madeDocuments } from './spec.js';

const made = madeDocuments();
const schemaAt = (name: string): Record<string, unknown> => JSON.parse(made[name] ?? '') as Record<string, unknown>;
const SCHEMA_LINE = /yaml-language-server: \$schema=(\S+)/;

describe('the golden vectors', () => {
  const files = readdirSync(join(root, 'spec/golden')).filter((file) => file.endsWith('.json'));

  it.each(files)('%s fits its JSON Schema, which knows each field', (file) => {
    const schema = schemaAt(`schemas/golden/${file.replace('.json', '.schema.json')}`);
    const vectors = JSON.parse(readFileSync(join(root, 'spec/golden', file), 'utf8')) as { cases: object[] };
    expect(schemaFaults(schema, vectors)).toEqual([]);
    const [first, ...rest] = vectors.cases;
    const lacking = Object.fromEntries(Object.entries(first ?? {}).slice(0, -1));
    for (const other of [{ ...first, no_such_field: 1 }, lacking])
      expect(schemaFaults(schema, { ...vectors, cases: [other, ...rest] })).not.toEqual([]);
  });

  it('have no schema of a file that is not there', () => {
    const schemas = Object.keys(made).filter((name) => name.startsWith('schemas/golden/'));
    expect(schemas.map((name) => name.replace(/^.*\/|\.schema\.json$/g, ''))).toEqual(
      files.map((file) => file.replace('.json', '')),
    );
  });

  it('and the minimal pairs are plain JSON by its schema', () => {
    const pairs = JSON.parse(readFileSync(join(root, 'examples/vectors/pairs.json'), 'utf8')) as object;
    expect(schemaFaults(schemaAt('schemas/pairs.schema.json'), pairs)).toEqual([]);
  });
});

describe('a file that names its JSON Schema for editors', () => {
  it.each([
    'examples/scenario.yaml',
    'scenarios/experiments/cheap-enough.yaml',
    'scenarios/experiments/cheapest-life.yaml',
    'scenarios/experiments/class-for-life.yaml',
    'scenarios/experiments/live-day-profit.yaml',
    'scenarios/experiments/paid-resync.yaml',
    'scenarios/experiments/passport-at-hand.yaml',
  ])('%s names one that the build makes, and fits it', (path) => {
    const text = readFileSync(join(root, path), 'utf8');
    const named = relative('docs', join(dirname(path), SCHEMA_LINE.exec(text)?.[1] ?? ''));
    expect(Object.keys(made)).toContain(named);
    expect(schemaFaults(schemaAt(named), parse(text))).toEqual([]);
    expect(schemaFaults(schemaAt(named), { ...(parse(text) as object), no_such_key: 1 })).not.toEqual([]);
  });

  it.each(['docs/simulate.md', 'docs/experiments.md'])('an example of %s does too', (path) => {
    const lines = readFileSync(join(root, path), 'utf8').split('\n');
    const named = lines.flatMap((line) => SCHEMA_LINE.exec(line)?.[1] ?? []);
    expect(named.length).toBeGreaterThan(0);
    for (const name of named) expect(Object.keys(made)).toContain(relative('docs', join('examples', name)));
  });
});
