// Every number of the protocol: no effect of a scenario that a change is said not to reach differs.
import { expect, it } from 'vitest';
import { protocolNumbers } from '../../spec/protocol.js';
import { differencesOutOfReach } from '../../test/fixtures/standard-effects.js';

it.each(protocolNumbers().map(({ path, value }) => [path, value] as const))('%s', (path, value) => {
  expect(differencesOutOfReach(path, value).found).toEqual([]);
});
