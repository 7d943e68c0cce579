import { describe, expect, it } from 'vitest';
import { overlayOf, withOverlay } from '../../spec/overlay.js';
import { protocol, protocolNumbers } from '../../spec/protocol.js';
import { differencesOutOfReach } from '../../test/fixtures/standard-effects.js';
import { standardScenarios } from './effects.js';
import { reachedScenarios } from './reach.js';

const reached = (path: string, value: number) =>
  reachedScenarios([path], [protocol, withOverlay(overlayOf(path, value))]);

describe('the scenarios that a change can reach', () => {
  it.each([
    ['limits.flagReporter.count', 30, []],
    ['reissue.feeLamports', 1, []],
    ['flag.breakerPendingMax', 3, ['complaints']],
    ['sponsor.heartbeatsEpochDefault', 2_000, ['sybil-family']],
    ['feeSplit.operationsBps', 1_000, ['epoch-of-life']],
    ['heartbeat.tier1FeeLamports', 400_000, ['epoch-of-life', 'sybil-family']],
    ['heartbeat.tier1FeeLamports', 500_000_000, standardScenarios],
    ['heartbeat.autonomousCap', 2_500, ['epoch-of-life']],
    ['heartbeat.autonomousCap', 10, standardScenarios],
    ['dms.missedAnchorsMax', 61, standardScenarios],
  ])('%s of %i: %j', (path, value, expected) => {
    expect(reached(path, value)).toEqual(expected);
  });

  it('are all where a number makes a difference: one of the numbers', () => {
    const paths = ['flag.breakerPendingMax'];
    const numbers = protocolNumbers().filter(({ path }) => paths.includes(path));
    const all = numbers.map(({ path, value }) => differencesOutOfReach(path, value));
    expect([all.length, all.every(({ tried }) => tried > 2), all.flatMap(({ found }) => found)]).toEqual([1, true, []]);
  });
});
