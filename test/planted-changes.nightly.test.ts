// Every planted change, found in the small world and played on two servers.
import { expect, it } from 'vitest';
import { plantedChanges } from './fixtures/planted-changes.js';
import { expectReplayed, found, SERVERS } from './fixtures/planted-replay.js';

it('has thirty', () => {
  expect(plantedChanges).toHaveLength(30);
});

it.each(plantedChanges)('$kind, $change: is found, and its script plays', { timeout: 300_000 }, async (planted) => {
  const each = found(planted);
  for (const server of SERVERS) await expectReplayed(server, each);
});
