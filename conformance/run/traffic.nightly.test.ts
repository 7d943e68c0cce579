// The model next to the checks, where it takes long: each setting of a dialect alone, and permitted servers.
import { it } from 'vitest';
import { type Dialect, dialects } from '../../spec/dialect.js';
import {
  expectMostJudged,
  expectNothingAgainstChaos,
  expectNothingAgainstSettings,
  settings,
} from '../../test/fixtures/model-traffic.js';
import type { Deployment } from '../in-process/reference.js';

it.each(settings)('has nothing against a server whose dialect has %s alone', async (setting) => {
  await expectNothingAgainstSettings([setting]);
});

it.each([1, 11, 29, 37])('has no must evidence against the permitted server of seed %d', expectNothingAgainstChaos);

it.each<[Deployment, number, Dialect]>([
  ['devnet', 11, dialects.service],
  ['mainnet', 12, dialects.service],
  ['free', 13, dialects.provenonce],
])('has evidence of most clauses of a whole run on %s of seed %d, and none against any', expectMostJudged);
