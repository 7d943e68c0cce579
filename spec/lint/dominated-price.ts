/** Lint: prices that another free or cheaper way to the same thing dominates. */

import { groups } from '../clauses/groups.js';
import { classesOf } from '../parts.js';
import { DAY_SEC } from '../time.js';
import type { Finding, LintFacts, LintRule } from './finding.js';
import { resyncAnchors } from './flow-gaps.js';
import {
  anchorTime,
  capClause,
  capOf,
  countOf,
  epochAnchors,
  firstChildBeats,
  graceSec,
  hashesPerBeat,
  heartbeatFees,
  heartbeatsPossible,
  heartbeatsToLive,
  penaltyBeats,
  shown,
  sigilFee,
  sol,
  time,
} from './quantities.js';

/** A passport at a fee, compared with one without. */
function passports({ protocol, endpoints }: LintFacts): Finding[] {
  const { reissue, limits } = protocol;
  const free = endpoints.some(({ id }) => id === 'passport') && limits.passport.count > 0;
  if (!free || reissue.feeLamports === 0) return [];
  return [
    {
      id: 'dominated-price/reissue',
      severity: 'error',
      clauses: ['reissue-proof.reprint', 'passport.purpose', 'passport.free'],
      arithmetic: `POST /agent/reissue-proof takes ${sol(reissue.feeLamports)} for a passport, GET /agent/passport 0, ${shown(limits.passport.count)} in ${time(limits.passport.windowSec)}`,
      harm: reissue.feeLamports,
      remedy: 'no fee for the reissue, or none but the last passport from GET /agent/passport',
    },
  ];
}

/** A passport for being alive, compared with one for asking. */
function passportsOfTheFrozen({ protocol, endpoints, errors }: LintFacts): Finding[] {
  const open = endpoints.some(({ id }) => id === 'passport') && errors['passport/AGENT_FROZEN'] === undefined;
  const needed = heartbeatsToLive(protocol);
  if (!open || protocol.limits.passport.count === 0 || !Number.isFinite(needed)) return [];
  const fees = heartbeatFees(protocol, needed);
  if (fees === 0) return [];
  return [
    {
      id: 'dominated-price/passport-without-heartbeat',
      severity: 'error',
      clauses: ['service.heartbeat.passport', 'passport.purpose', 'passport.free', 'agent.frozen.open'],
      arithmetic: `a valid passport for an epoch costs ${shown(needed)} heartbeats, ${sol(fees)}, or one GET /agent/passport every ${shown(protocol.passport.validityHours)} hours, 0, which a frozen agent may make too`,
      harm: fees,
      remedy: 'refuse GET /agent/passport to an agent that is frozen, or give it the last paid passport',
    },
  ];
}

/** Life by heartbeats, compared with life by resyncs. */
function keepAlive(facts: LintFacts): Finding[] {
  const { protocol, hashesPerSec } = facts;
  const first = protocol.dms.missedAnchorsMax + 1;
  const needed = heartbeatsToLive(protocol);
  const workSec = (penaltyBeats(protocol, first) * hashesPerBeat(protocol.work.receiptDifficultyMin)) / hashesPerSec;
  const roundSec = first * protocol.anchor.intervalSec;
  if (workSec > Math.min(roundSec, graceSec(protocol)) || first >= epochAnchors(protocol)) return [];
  // An agent that waits for its next resync is frozen meanwhile.
  if (resyncAnchors(facts) > first) return [];
  const fees = Number.isFinite(needed) ? heartbeatFees(protocol, needed) : 0;
  const rounds = Math.ceil(epochAnchors(protocol) / first);
  const resyncs = rounds * (protocol.resync.feeLamports + protocol.deposit.lamports);
  if (fees <= resyncs) return [];
  return [
    {
      id: 'dominated-price/heartbeat',
      severity: 'error',
      clauses: ['fee.heartbeat.tier-1', 'resync.penalty', 'dms.count.resync', 'resync.transition.active'],
      arithmetic: `an epoch alive costs ${shown(needed)} heartbeats, ${sol(fees)}; who is frozen on purpose and resyncs every ${shown(first)} anchors pays ${resyncs === 0 ? '0' : sol(resyncs)} and works ${time(workSec)} in ${anchorTime(protocol, first)} at ${shown(hashesPerSec)} hashes a second, ${shown((100 * workSec) / roundSec)} % of its time`,
      harm: fees / workSec,
      remedy: 'a fee for a resync, or a penalty of the order of the time that it makes up for',
    },
  ];
}

/** A SIGIL at a fee, compared with a child that needs none. */
function children({ protocol, hashesPerSec }: LintFacts): Finding[] {
  const workSec = (firstChildBeats(protocol) * hashesPerBeat(protocol.work.receiptDifficultyMin)) / hashesPerSec;
  const fee = protocol.sigil.narrowTaskFeeLamports;
  if (fee === 0 || workSec > DAY_SEC || protocol.limits.spawn.count === 0) return [];
  return [
    {
      id: 'dominated-price/sigil',
      severity: 'warning',
      clauses: ['heartbeat.sigil.root', 'heartbeat.sigil.child', 'heartbeat.cap.child', 'spawn.cost.depth'],
      arithmetic: `a root pays ${sol(fee)} before its first heartbeat and passport; a child of a root without a SIGIL has the same cap for ${shown(firstChildBeats(protocol))} beats × ${shown(hashesPerBeat(protocol.work.receiptDifficultyMin))} hashes = ${time(workSec)} of work`,
      harm: fee / workSec,
      remedy: 'a SIGIL for the parent of every agent that sends heartbeats, or dearer first children',
    },
  ];
}

/** A class of SIGILs, compared with one that is no dearer and has no lower cap. */
function classes({ protocol }: LintFacts): Finding[] {
  const possible = heartbeatsPossible(protocol);
  const all = classesOf(protocol).map((name) => ({
    name,
    fee: sigilFee(protocol, name),
    cap: capOf(protocol, name),
    most: Math.min(capOf(protocol, name), possible),
  }));
  return all.flatMap((one): Finding[] => {
    const better = all.find(
      (other) => other.fee <= one.fee && other.most >= one.most && (other.fee < one.fee || other.most > one.most),
    );
    if (better === undefined) return [];
    return [
      {
        id: `dominated-price/class-${one.name.replaceAll('_', '-')}`,
        severity: one.cap < better.cap ? 'error' : 'warning',
        clauses: [...new Set([capClause(one.name), capClause(better.name), 'sigil.caps'])],
        arithmetic: `a SIGIL of ${one.name} takes ${sol(one.fee)} for ${countOf(one.most, 'heartbeat')} an epoch, one of ${better.name} ${sol(better.fee)} for ${shown(better.most)}`,
        harm: (one.fee + 1) / (better.fee + 1) + (better.most + 1) / (one.most + 1),
        remedy: `a cap of ${one.name} above ${shown(better.most)}, or a lower fee`,
      },
    ];
  });
}

/** Work at the difficulty of the chain, compared with work at the least that is taken. */
function difficulties({ protocol }: LintFacts): Finding[] {
  const { beat, work } = protocol;
  if (work.receiptDifficultyMin >= beat.difficulty) return [];
  const [dear, cheap] = [hashesPerBeat(beat.difficulty), hashesPerBeat(work.receiptDifficultyMin)];
  return [
    {
      id: 'dominated-price/difficulty',
      severity: 'warning',
      clauses: [...groups.difficulty, 'receipt.difficulty-min'],
      arithmetic: `a beat of the chain takes ${shown(dear)} hashes, one of a receipt ${shown(cheap)} and counts as much: ${shown(dear / cheap)} times less work for a penalty or a child`,
      harm: dear / cheap,
      remedy: 'work.receiptDifficultyMin at beat.difficulty, or penalties and costs in hashes',
    },
  ];
}

/** A proof of all beats, compared with one of those that are shown. */
function forgeries({ protocol }: LintFacts): Finding[] {
  const { proof, resync, work } = protocol;
  if (proof.challengeChecks > 0 || resync.beatsMax <= proof.spotChecksMin) return [];
  const perBeat = hashesPerBeat(work.receiptDifficultyMin);
  return [
    {
      id: 'dominated-price/proof',
      severity: 'error',
      clauses: ['proof.field.spot-checks', 'proof.spot-checks.min', 'proof.spot-checks.recomputed'],
      arithmetic: `the prover picks the beats that are checked: ${shown(proof.spotChecksMin)} × ${shown(perBeat)} = ${shown(proof.spotChecksMin * perBeat)} hashes prove what should take ${shown(resync.beatsMax)} × ${shown(perBeat)} = ${shown(resync.beatsMax * perBeat)}`,
      harm: resync.beatsMax / proof.spotChecksMin,
      remedy: 'proof.challengeChecks above 0: the checked indexes follow from to_hash (D-07)',
    },
  ];
}

export const dominatedPrice: LintRule = {
  kind: 'dominated-price',
  says: 'A price that another free or cheaper way dominates.',
  find: (facts) =>
    [passports, passportsOfTheFrozen, keepAlive, children, classes, difficulties, forgeries].flatMap((rule) =>
      rule(facts),
    ),
};
