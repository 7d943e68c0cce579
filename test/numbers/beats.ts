/** Rows for the numbers of beats, proofs, receipts and anchors: how each shows on the wire. */

import { challengeIndexes } from '../../reference/beats/spot-checks.js';
import { answerOf, type Lab } from './lab.js';
import { comes, edged, least, most, type Numbers, type Row, told } from './row.js';

/** Beats that cost next to nothing, where a row is about how many. */
export const CHEAP: Numbers = { 'work.difficultyMin': 1, 'work.receiptDifficultyMin': 1 };

const BEATS = 30;
/** So many indexes at the end of a run. */
const last = (count: number): number[] => Array.from({ length: count }, (_, i) => BEATS - count + 1 + i);

async function shown(lab: Lab, checks: number): Promise<string> {
  return lab.submitWork(await lab.workProof({ beats: BEATS, indexes: last(checks) }));
}

/** A proof that shows the indexes of a challenge of so many; with 0, indexes of the prover's own choice. */
async function challenged(lab: Lab, count: number): Promise<string> {
  if (count === 0) return shown(lab, 3);
  const proof = await lab.workProof({ beats: BEATS });
  const run = { toHash: proof.to_hash, fromBeat: 0, toBeat: BEATS, count };
  const every = await lab.workProof({ beats: BEATS, fromHash: proof.from_hash, indexes: challengeIndexes(run) });
  return lab.submitWork(every);
}

async function submitted(lab: Lab, beats: number, difficulty: number): Promise<string> {
  const { key } = await lab.plain();
  const { genesis } = await lab.done('POST /agent/init', {}, key);
  const proof = await lab.chainProof(genesis, beats, difficulty);
  return answerOf(await lab.call('POST /agent/beats/submit', proof, key));
}

/** A receipt as the price of a child. */
async function spent(lab: Lab, beats_receipt: unknown): Promise<string> {
  const { key } = await lab.plain();
  return answerOf(await lab.call('POST /agent/spawn', { child_name: 'child', beats_receipt }, key));
}

/** The anchors that come in some time after one. */
async function anchorsIn(lab: Lab, ms: number): Promise<number> {
  await lab.anchors(1);
  const before = await lab.anchor();
  await lab.advance(ms);
  return (await lab.anchor()).beat_index - before.beat_index;
}

/** Whether the network looks degraded so long after its latest anchor. */
async function degradedAfter(lab: Lab, ms: number): Promise<boolean> {
  const { hash } = await lab.plain();
  await lab.pass(ms);
  return (await lab.done(`GET /verify/${hash}`)).network.anchor_degraded;
}

async function epochAt(lab: Lab, index: number): Promise<number> {
  await lab.anchors(index - (await lab.anchor()).beat_index);
  return (await lab.anchor()).epoch;
}

/** Global beats between an anchor and the next. */
async function beatsPerAnchor(lab: Lab): Promise<number> {
  const { hash } = await lab.plain();
  const beat = async (): Promise<number> =>
    (await lab.done(`GET /agent/beat-status/${hash}`)).whitelist.current_global_beat;
  const before = await beat();
  await lab.anchors(1);
  return (await beat()) - before;
}

async function chainOf(lab: Lab, length: number): Promise<string> {
  const hash = 'ab'.repeat(32);
  const beats = Array.from({ length }, (_, index) => ({ index, hash, prev: hash }));
  return answerOf(await lab.call('POST /beat/verify', { mode: 'chain', difficulty: 1, beats }));
}

/** Where a chain starts: what init and its repetition tell, and whether a proof from there is taken. */
async function genesisIndex(lab: Lab) {
  const { hash, key } = await lab.plain();
  const { genesis } = await lab.done('POST /agent/init', {}, key);
  const { latest_beat } = await lab.done('POST /agent/init', {}, key);
  const { heartbeat } = await lab.done(`GET /agent/beat-status/${hash}`);
  const proof = await lab.chainProof(genesis, 3, 1_000);
  const taken = answerOf(await lab.call('POST /agent/beats/submit', proof, key));
  return { genesis: genesis.index, again: latest_beat, lookup: heartbeat.latest_beat, taken };
}

const FEW = 'insufficient_spot_checks';
const CHALLENGE_OFF = [
  [0, 'ok'],
  [2, 'ok'],
  [3, 'ok'],
  [4, 'ok'],
] as const;

/** Chains, proofs, anchors and receipts. */
export const beatRows: readonly Row[] = [
  edged(
    'beat.difficulty',
    1_000,
    (n) => [
      [n - 1, '400 PROOF_INVALID'],
      [n, 'ok'],
      [n + 1, '400 PROOF_INVALID'],
    ],
    { ask: (lab, difficulty) => submitted(lab, 3, difficulty) },
  ),
  told('beat.genesisIndex', 0, genesisIndex, { as: (n) => ({ genesis: n, again: n, lookup: n, taken: 'ok' }) }),

  least('proof.spotChecksMin', 3, { ask: shown, outside: FEW }),
  most('proof.spotChecksMax', 25, { ask: shown, outside: FEW }),
  most('proof.submitBeatsMax', 10_000, {
    ask: (lab, beats) => submitted(lab, beats, 1),
    outside: '400 PROOF_INVALID',
    alongside: { ...CHEAP, 'beat.difficulty': 1 },
  }),
  edged(
    'proof.challengeChecks',
    0,
    (n) =>
      n === 0
        ? CHALLENGE_OFF
        : [
            [0, FEW],
            [n - 1, FEW],
            [n, 'ok'],
            [n + 1, FEW],
          ],
    { ask: challenged, changed: [2, 3] },
  ),

  comes('anchor.intervalSec', 60, { ask: anchorsIn, before: 0, after: 1 }),
  told('anchor.beatsPerAnchor', 1, beatsPerAnchor, { changed: [2, 3] }),
  most('anchor.graceAnchors', 5, {
    ask: async (lab, anchors) => {
      const proof = await lab.workProof({ beats: 3 });
      await lab.anchors(anchors - 1);
      return lab.submitWork(proof);
    },
    outside: 'stale_anchor',
  }),
  edged(
    'anchor.anchorsPerEpoch',
    100,
    (n) => [
      [n - 1, 0],
      [n, 1],
    ],
    { ask: epochAt },
  ),
  edged(
    'anchor.degradedIntervals',
    3,
    (n) => [
      [n * 60_000, false],
      [n * 60_000 + 1, true],
    ],
    { ask: degradedAfter, alone: true },
  ),

  least('work.difficultyMin', 100, {
    ask: async (lab, difficulty) => lab.submitWork(await lab.workProof({ beats: 3, difficulty })),
    outside: 'insufficient_difficulty',
  }),
  most('work.difficultyMax', 5_000, {
    ask: async (lab, difficulty) => lab.submitWork(await lab.workProof({ beats: 3, difficulty })),
    outside: 'insufficient_difficulty',
  }),
  least('work.receiptDifficultyMin', 100, {
    ask: async (lab, difficulty) => spent(lab, await lab.receipt({ beats: 3, difficulty })),
    outside: '400 VALIDATION',
    alongside: { 'work.difficultyMin': 1, 'spawn.baseBeats': 3 },
  }),
  most('work.receiptAnchorsMax', 60, {
    ask: async (lab, anchors) => {
      const receipt = await lab.receipt({ beats: 3 });
      await lab.anchors(anchors);
      return spent(lab, receipt);
    },
    outside: '400 VALIDATION',
    alongside: { 'spawn.baseBeats': 3 },
  }),

  most('beatVerify.chainBeatsMax', 1_000, { ask: chainOf, outside: '400 VALIDATION' }),
];
