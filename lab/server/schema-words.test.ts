import { expect, it } from 'vitest';
import { commandFolder } from '../../test/fixtures/command-folder.js';
import { ConformanceDesk } from './conformance/conformance-desk.js';
import { schemaWords } from './schema-words.js';
import { packageSweeps } from './simulation/given-sweeps.js';
import { simulationActions } from './simulation/simulation-actions.js';
import { SimulationDesk } from './simulation/simulation-desk.js';
import { specificationActions } from './specification/specification-actions.js';

it('has each key and each fixed value of a schema once, and no other word', () => {
  const schema = {
    title: 'no word',
    properties: { kind: { enum: ['a', 'b', 3] }, list: { items: { anyOf: [{ const: 'c' }, { $ref: '#/$defs/x' }] } } },
    required: ['kind'],
    $defs: { x: { properties: { properties: { type: 'string', pattern: 'no' }, kind: { const: 'a' } } } },
  };
  expect(schemaWords(schema).toSorted()).toEqual(['a', 'b', 'c', 'kind', 'list', 'properties']);
});

it('an editor offers keys of its own schema alone', async () => {
  const actions = [
    ...simulationActions(new SimulationDesk(() => undefined), commandFolder(), await packageSweeps()),
    ...specificationActions(new ConformanceDesk(undefined, 1, () => undefined), commandFolder()),
  ];
  const offered = (path: string, body: object): readonly string[] => {
    const answer = actions.find((each) => each.path === path)?.run(body) as { readonly words: readonly string[] };
    return answer.words;
  };
  const scenario = offered('simulation/problems', { text: '', name: 'keep-alive-cost' });
  const sweep = offered('simulation/problems', { text: '', name: 'sweep/flat-fees' });
  const change = offered('specification/problems', { text: '' });
  expect(scenario).toEqual(expect.arrayContaining(['populations', 'hash_rate', 'keep_alive', 'intervalBeatsMin']));
  expect(sweep).toEqual(expect.arrayContaining(['design', 'replicates', 'grid']));
  expect(sweep).not.toContain('hash_rate');
  expect(change).toEqual(expect.arrayContaining(['dms', 'missedAnchorsMax', 'tiers']));
  expect(change).not.toContain('populations');
  for (const words of [scenario, sweep, change]) {
    for (const part of ['amports', 'eats']) expect(words).not.toContain(part);
    expect(new Set(words).size).toBe(words.length);
  }
});
