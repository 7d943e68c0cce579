/** Lint: nonces, receipts and grace windows that an honest agent of the given hash rate cannot meet. */

import { formulaOf } from '../formula/formulas.js';
import type { Finding, LintFacts, LintRule } from './finding.js';
import { anchorTime, firstChildBeats, graceSec, hashesPerBeat, penaltyMost, shown, spawnBeats } from './quantities.js';

interface Deadline {
  readonly id: string;
  readonly what: string;
  readonly beats: number;
  readonly difficulty: number;
  readonly seconds: number;
  readonly clauses: readonly string[];
  readonly remedy: string;
}

function deadlines({ protocol }: LintFacts): readonly Deadline[] {
  const { beat, work, resync } = protocol;
  const grace = graceSec(protocol);
  const most = penaltyMost(protocol);
  return [
    {
      id: 'resync-nonce',
      what: 'the highest penalty by challenge, in the life of its nonce',
      beats: most,
      difficulty: beat.difficulty,
      seconds: Math.min(resync.nonceTtlSec, grace),
      clauses: ['resync.nonce.ttl', 'resync.penalty.cap', 'proof.anchor.grace'],
      remedy: 'a longer nonce and grace, a lower cap, or the difficulty that receipts may have',
    },
    {
      id: 'resync-receipt',
      what: 'the highest penalty by receipt, while its anchor is one of the latest',
      beats: most,
      difficulty: work.receiptDifficultyMin,
      seconds: grace,
      clauses: ['resync.penalty.cap', 'receipt.difficulty-min', 'proof.anchor.grace'],
      remedy: 'a lower cap of the penalty, more anchor.graceAnchors, or receipts that add up',
    },
    {
      id: 'first-child',
      what: "the first child's work, while its anchor is one of the latest",
      beats: firstChildBeats(protocol),
      difficulty: work.receiptDifficultyMin,
      seconds: grace,
      clauses: ['spawn.cost.depth', 'receipt.difficulty-min', 'proof.anchor.grace'],
      remedy: 'fewer spawn.baseBeats, more anchor.graceAnchors, or receipts that add up',
    },
  ];
}

function missed(facts: LintFacts): Finding[] {
  return deadlines(facts).flatMap(({ id, what, beats, difficulty, seconds, clauses, remedy }) => {
    const hashes = beats * hashesPerBeat(difficulty);
    if (hashes <= facts.hashesPerSec * seconds) return [];
    const arithmetic = `${what}: ${shown(beats)} beats × ${shown(hashesPerBeat(difficulty))} hashes / ${shown(seconds)} s = ${shown(hashes / seconds)} hashes a second, and an agent has ${shown(facts.hashesPerSec)}`;
    return [{ id: `hash-rate/${id}`, severity: 'error' as const, clauses, arithmetic, harm: hashes / seconds, remedy }];
  });
}

/** The number of children from which a root cannot prove the next one's work in time. */
function family(facts: LintFacts): Finding[] {
  const { protocol, hashesPerSec } = facts;
  const beatsMax = (hashesPerSec * graceSec(protocol)) / hashesPerBeat(protocol.work.receiptDifficultyMin);
  const { siblingFactorNumerator, siblingFactorDenominator } = protocol.spawn;
  if (formulaOf(protocol, 'spawn.costBeats') !== undefined) return [];
  if (siblingFactorNumerator <= siblingFactorDenominator || spawnBeats(protocol, 0, 0) > beatsMax) return [];
  let children = 0;
  while (spawnBeats(protocol, 0, children) <= beatsMax) children += 1;
  return [
    {
      id: 'hash-rate/siblings',
      severity: 'warning',
      clauses: ['spawn.cost.siblings', 'receipt.difficulty-min', 'proof.anchor.grace'],
      arithmetic: `${shown(hashesPerSec)} hashes a second for ${anchorTime(protocol, protocol.anchor.graceAnchors)} are ${shown(Math.floor(beatsMax))} beats; child ${children + 1} of a root costs ${shown(spawnBeats(protocol, 0, children))}: by receipt there is no child after number ${children}`,
      harm: -children,
      remedy: 'a sum in place of a power of the siblings, or receipts that add up',
    },
  ];
}

export const hashRate: LintRule = {
  kind: 'hash-rate',
  says: 'A nonce, receipt or grace that an honest agent at so many hashes a second cannot meet.',
  find: (facts) => [...missed(facts), ...family(facts)],
};
