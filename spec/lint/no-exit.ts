/** Lint: states that refuse something and cannot be left, by the table of moves or because the work is impossible. */

import { penaltyFormula } from '../formula/formulas.js';
import type { Protocol } from '../protocol.js';
import type { State } from '../states.js';
import type { Finding, LintFacts, LintRule } from './finding.js';
import { anchorTime, epochAnchors, graceSec, hashesPerBeat, penaltyBeats, shown } from './quantities.js';
import { eitherOf, setTo } from './remedy.js';

/** States that are meant to be final: a name is bought once. */
const FINAL: readonly string[] = ['sigil/issued'];

function withoutMove(state: State, { moves }: LintFacts): Finding[] {
  const { subject, name, refuses, clauses } = state;
  if (refuses.length === 0) return [];
  const out = moves.filter((move) => move.subject === subject && move.from === name && move.to !== name);
  if (out.some(({ source }) => source === 'spec')) return [];
  const decided = out.map(({ source }) => source);
  const arithmetic = `${subject} ${name}: ${refuses.join(', ')}; 0 moves of section 3 lead out of it${decided.length > 0 ? `, ${decided.length} by ${[...new Set(decided)].join(', ')}` : ''}`;
  const final = FINAL.includes(`${subject}/${name}`);
  const severity = decided.length > 0 ? 'warning' : final || subject === 'wallet' ? 'note' : 'error';
  const remedy = decided.length > 0 ? 'the specification names the move' : `a move out of ${subject} ${name}`;
  return [{ id: `no-exit/${subject}-${name}`, severity, clauses, arithmetic, harm: 1, remedy }];
}

/** The move out of frozen takes work, which an agent must do while the anchor that it weaves is one of the latest. */
function tooMuchWork(facts: LintFacts): Finding[] {
  const { protocol, hashesPerSec, moves } = facts;
  if (!moves.some(({ from, penalty }) => from === 'frozen' && penalty)) return [];
  const beats = Math.floor((hashesPerSec * graceSec(protocol)) / hashesPerBeat(protocol.work.receiptDifficultyMin));
  const most = penaltyBeats(protocol, epochAnchors(protocol));
  if (most <= beats) return [];
  const missed = bearable(protocol, beats);
  const each = penaltyFormula(protocol) === undefined ? ` at ${shown(protocol.resync.beatsPerMissedAnchor)} each` : '';
  return [
    {
      id: 'no-exit/agent-frozen',
      severity: 'error',
      clauses: ['resync.transition.active', 'resync.penalty', 'proof.anchor.grace', 'resync.gap.receipt'],
      arithmetic: `one receipt holds at most ${shown(beats)} beats at ${shown(hashesPerSec)} hashes a second, ${shown(missed)} missed anchors${each}: who is away for longer than ${anchorTime(protocol, missed)} never comes back`,
      harm: most / beats,
      remedy:
        each === ''
          ? `a penalty of at most ${shown(beats)} beats, or receipts that add up`
          : eitherOf(setTo('resync.beatsMax', 'of at most', beats), 'receipts that add up'),
    },
  ];
}

/** The longest absence, in missed anchors, whose penalty is at most `beats`; by a formula, the last one before it is more. */
function bearable(protocol: Protocol, beats: number): number {
  if (penaltyFormula(protocol) === undefined) return Math.floor(beats / protocol.resync.beatsPerMissedAnchor);
  let [low, high] = [0, epochAnchors(protocol)];
  while (low + 1 < high) {
    const middle = Math.floor((low + high) / 2);
    if (penaltyBeats(protocol, middle) <= beats) low = middle;
    else high = middle;
  }
  return low;
}

export const noExit: LintRule = {
  kind: 'no-exit',
  says: 'A state without exit.',
  find: (facts) => [...facts.states.flatMap((state) => withoutMove(state, facts)), ...tooMuchWork(facts)],
};
