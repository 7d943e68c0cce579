// The model next to the checks, where it takes long: each setting of a dialect alone, and permitted servers.
import { it } from 'vitest';
import {
  expectNothingAgainstChaos,
  expectNothingAgainstSettings,
  settings,
} from '../../test/fixtures/model-traffic.js';

it.each(settings)('has nothing against a server whose dialect has %s alone', async (setting) => {
  await expectNothingAgainstSettings([setting]);
});

it.each([1, 29, 37])('has no must evidence against the permitted server of seed %d', expectNothingAgainstChaos);
