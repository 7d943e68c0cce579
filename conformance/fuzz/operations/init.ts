/** Starting a chain (4.4), and credited work (4.9). */

import * as fc from 'fast-check';
import { malformedProofs, submitBeats as submit } from '../../moves/beats-submit.js';
import { namesOf } from '../../moves/move.js';
import { moreProofFaults, proofFaults } from '../../moves/proof.js';
import { type BeatProof, beatProofOf } from '../../protocol/beats.js';
import { mostly, place, request } from '../operation.js';

export const init = request('init', { agent: place }, (player, { agent }) => ({
  endpoint: 'init',
  key: player.agent(agent).key,
}));

const FAULTS: Readonly<Record<string, (proof: BeatProof) => object>> = {
  ...proofFaults,
  ...moreProofFaults,
  ...malformedProofs,
};

/** POST /agent/beats/submit. `start` and `from-hash`: beats from another index or hash. */
export const submitBeats = request(
  'beats-submit',
  {
    agent: place,
    beats: { usual: 3, arbitrary: fc.integer({ min: 3, max: 40 }) },
    wrong: mostly<string>('nothing', ...namesOf(FAULTS), 'start', 'from-hash'),
  },
  async (player, { agent, beats, wrong }) => {
    const { chain, started } = player.known(agent);
    // A chain that has not started has no beat that a proof could continue.
    const { beat, hash } = started ? chain : { beat: 0, hash: player.draws.hex(32) };
    if (beat === undefined || hash === undefined) return undefined;
    const from = wrong === 'start' ? beat + 1 : beat;
    const proof = beatProofOf(await player.work(beats, wrong === 'from-hash' ? undefined : hash, from), from);
    return submit(player.agent(agent), FAULTS[wrong]?.(proof) ?? proof);
  },
);
