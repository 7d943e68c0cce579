import { expect, it } from 'vitest';
import { type Overlay, withOverlay } from '../spec/overlay.js';
import { protocol } from '../spec/protocol.js';
import { isShut } from './move.js';
import { smallNumbers } from './small-numbers.js';
import { World } from './world.js';

it.each([
  ['resync-challenge', {}, { resyncChallenge: { count: 0 } }, true],
  ['resync', { receipt: 'made' }, { resyncChallenge: { count: 0 } }, false],
  ['resync', { receipt: 'made' }, { workProof: { count: 0 } }, true],
  ['resync', { receipt: 'none' }, { workProof: { count: 0 } }, false],
  ['spawn-link', {}, { spawn: { count: 0 } }, true],
  ['register-child', {}, { registerWalletFlow: { count: 0 } }, false],
  ['sponsor', {}, { sponsorGet: { count: 0 } }, false],
  ['flag', {}, { flagReporter: { count: 1 } }, false],
] satisfies [string, object, Overlay['limits'], boolean][])(
  'a move %s %o under %o: is shut: %s',
  (op, fields, limits, shut) => {
    const world = new World({ protocol: smallNumbers(withOverlay({ limits }, protocol)), agents: 2 });
    expect(isShut(world, op, fields)).toBe(shut);
  },
);
