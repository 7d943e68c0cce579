import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { schemaFaults } from '../../test/fixtures/json-schema.js';
import { root } from '../../test/source-tree.js';
import { madeDocuments } from './spec.js';

const made = madeDocuments();
const schemaAt = (name: string): Record<string, unknown> => JSON.parse(made[name] ?? '') as Record<string, unknown>;
const SCHEMA_LINE = /yaml-language-server: \$schema=(\S+)/;

describe('a file that names its JSON Schema for editors', () => {
  it.each([
    'examples/scenario.yaml',
    'scenarios/experiments/cheap-enough.yaml',
    'scenarios/experiments/cheapest-life.yaml',
    'scenarios/experiments/class-for-life.yaml',
    'scenarios/experiments/live-day-profit.yaml',
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
