// Every check that waits, in real time in place of a clock.
import { expect, it } from 'vitest';
import { allChecks } from '../conformance/checks/index.js';
import { plan } from '../conformance/run/plan.js';
import { protocol } from '../spec/protocol.js';
import { found, judged, longestSec, serverOf, waiting, withServers } from './fixtures/real-time.js';

withServers('devnet', 'free', 'mainnet');

it('real time judges every check that says how long it waits, as with a clock, and takes no longer than foretold', async () => {
  const devnet = await judged('devnet', { waitSec: longestSec });
  expect(found(devnet, 'fail', 'advisory', 'inconclusive', 'error')).toEqual([]);
  const unsuitable = devnet.checks.filter(({ verdict }) => verdict === 'not-tested').map(({ id }) => id);
  expect(unsuitable).toEqual(['register/token-late', 'resync/free']);
  // The same target as far as a plan can know it: no clock that can be moved, and payments.
  const paying = { kind: 'command', command: ['pays'] } as const;
  const target = { ...serverOf('devnet').target, protocol, control: undefined, payments: paying };
  const { seconds } = plan(target, allChecks, {
    only: waiting.map(({ id }) => id),
    waitSec: longestSec,
  });
  expect(devnet.wall_s).toBeGreaterThan(longestSec);
  expect(devnet.wall_s).toBeLessThan(seconds);
  for (const [kind, id] of [
    ['mainnet', 'register/token-late'],
    ['free', 'resync/free'],
  ] as const) {
    const { summary } = await judged(kind, { waitSec: longestSec, only: [id] });
    expect(summary).toMatchObject({ pass: 1, not_tested: 0 });
  }
});
