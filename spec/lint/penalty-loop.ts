/** Lint: agents that are frozen, pay the penalty and are frozen again, without a way of theirs to end it. */

import { classesOf } from '../parts.js';
import type { State } from '../states.js';
import type { Finding, LintFacts, LintRule } from './finding.js';
import { resyncAnchors } from './flow-gaps.js';
import { anchorTime, capClause, capOf, epochAnchors, heartbeatsToLive, penaltyBeats, shown } from './quantities.js';

/** By the table: frozen leads to active for a penalty, and active to frozen by time. */
function loops({ moves }: LintFacts): boolean {
  const out = moves.some(
    ({ subject, from, to, penalty }) => subject === 'agent' && from === 'frozen' && to === 'active' && penalty,
  );
  return out && moves.some(({ subject, to, by }) => subject === 'agent' && to === 'frozen' && by === 'time');
}

/** A state that refuses heartbeats, and that others alone can end. */
function endedByOthers({ subject, name, refuses }: State, { moves }: LintFacts): boolean {
  if (subject === 'agent' || !refuses.some((row) => row.startsWith('heartbeat/'))) return false;
  return !moves.some((move) => move.subject === subject && move.from === name && move.by === 'agent');
}

function find(facts: LintFacts): readonly Finding[] {
  const { protocol } = facts;
  const round = resyncAnchors(facts);
  const anchors = epochAnchors(protocol);
  if (!loops(facts) || round > anchors) return [];
  const beats = penaltyBeats(protocol, round);
  const rounds = (count: number): string =>
    `a freeze every ${shown(round)} anchors, ${shown(Math.floor(count / round))} in ${anchorTime(protocol, count)}, each ${shown(beats)} beats`;
  const refused = facts.states
    .filter((state) => endedByOthers(state, facts))
    .map(
      ({ subject, name, clauses }): Finding => ({
        id: `penalty-loop/${subject}-${name}`,
        severity: 'error',
        clauses: [...clauses, 'dms.freeze', 'resync.penalty'],
        arithmetic: `heartbeats are refused while a ${subject} is ${name}, and only others end that: ${rounds(anchors)} = ${shown(Math.floor(anchors / round) * beats)} beats an epoch for who stays`,
        harm: Math.floor(anchors / round) * beats,
        remedy: 'no freeze while heartbeats are refused, or a resync that counts as long as they are',
      }),
    );
  const capped = classesOf(protocol)
    .filter((each) => capOf(protocol, each) < heartbeatsToLive(protocol) && Number.isFinite(heartbeatsToLive(protocol)))
    .map((each): Finding => {
      const left = Math.max(0, anchors - (capOf(protocol, each) + 1) * protocol.dms.missedAnchorsMax);
      return {
        id: `penalty-loop/cap-${each.replaceAll('_', '-')}`,
        severity: 'warning',
        clauses: [capClause(each), 'heartbeat.cap.reached', 'dms.freeze', 'resync.penalty'],
        arithmetic: `after ${shown(capOf(protocol, each))} heartbeats ${shown(left)} anchors of the epoch are left: ${rounds(left)}`,
        harm: Math.floor(left / round) * beats,
        remedy: `a cap of at least ${shown(heartbeatsToLive(protocol))}`,
      };
    });
  return [...refused, ...capped];
}

export const penaltyLoop: LintRule = {
  kind: 'penalty-loop',
  says: 'A loop of penalties that its victim cannot end.',
  find,
};
