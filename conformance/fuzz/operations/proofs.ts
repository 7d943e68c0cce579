/** Right and wrong work at the beats service and at POST /beat/verify (2.5, 4.1, 4.8). */

import * as fc from 'fast-check';
import { at } from '../../../model/reading/values.js';
import { namesOf, near } from '../../moves/move.js';
import { moreProofFaults, proofFaults } from '../../moves/proof.js';
import { proveWork } from '../../moves/work-proof.js';
import { computeChain, spotCheck, type WorkProof } from '../../protocol/beats.js';
import { mostly, request } from '../operation.js';

const FAULTS: Readonly<Record<string, (proof: WorkProof) => object>> = { ...proofFaults, ...moreProofFaults };

/** POST /beat/work-proof: a proof without its work earns no receipt. */
export const workProof = request(
  'work-proof',
  {
    beats: { usual: 6, arbitrary: fc.integer({ min: 6, max: 30 }) },
    wrong: mostly<string>('nothing', ...namesOf(FAULTS)),
  },
  async (player, { beats, wrong }) => {
    const right = await player.work(beats);
    return {
      ...proveWork(FAULTS[wrong]?.(right) ?? right),
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
    return { endpoint: 'beat-verify', body: { mode: 'beat', beat, difficulty } };
  },
);
