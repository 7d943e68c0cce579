/** Right and wrong work at the beats service and at POST /beat/verify (2.5, 4.1, 4.8). */

import * as fc from 'fast-check';
import { at } from '../../../model/reading/values.js';
import { computeChain, spotCheck } from '../../protocol/beats.js';
import { mostly, near, request } from '../operation.js';

/** POST /beat/work-proof: work that is not there earns no receipt. */
export const workProof = request(
  'work-proof',
  {
    beats: { usual: 6, arbitrary: fc.integer({ min: 6, max: 30 }) },
    wrong: mostly('nothing', 'hash', 'prev', 'count', 'end', 'anchor'),
  },
  async (player, { beats, wrong }) => {
    const right = await player.work(beats);
    const checks = right.spot_checks.map((each, nth) =>
      nth === 1 && (wrong === 'hash' || wrong === 'prev') ? { ...each, [wrong]: near(each[wrong]) } : each,
    );
    const work_proof = {
      ...right,
      beats_computed: wrong === 'count' ? beats - 3 : beats,
      spot_checks: wrong === 'end' ? checks.slice(0, -1) : checks,
      anchor_hash: wrong === 'anchor' ? near(right.anchor_hash) : right.anchor_hash,
    };
    return {
      request: { method: 'POST', path: '/beat/work-proof', service: 'beats', body: { work_proof } },
      note: ({ json }) => {
        const receipt = at(json, 'receipt');
        if (receipt != null) player.receipts.push(receipt);
      },
    };
  },
);

/** POST /beat/verify of one beat (D-10). */
export const verifyBeat = request(
  'beat-verify',
  { wrong: mostly('nothing', 'hash', 'prev', 'index') },
  (player, { wrong }) => {
    const { difficulty } = player.target.protocol.beat;
    const anchor = { index: 0, hash: player.draws.hex(32) };
    const { index, hash, prev } = spotCheck(computeChain(player.draws.hex(32), 1, anchor, { difficulty }), 1);
    const beat = {
      index: wrong === 'index' ? index + 1 : index,
      hash: wrong === 'hash' ? near(hash) : hash,
      prev: wrong === 'prev' ? near(prev) : prev,
      anchor_hash: anchor.hash,
    };
    return { request: { method: 'POST', path: '/beat/verify', body: { mode: 'beat', beat, difficulty } } };
  },
);
