/** Lint: nonces, tokens, passports, receipts and warnings that end before anybody can use them. */

import type { Protocol } from '../protocol.js';
import { HOUR_SEC } from '../time.js';
import type { Finding, LintFacts, LintRule } from './finding.js';
import { anchorTime, intervalAnchors, shown, time } from './quantities.js';
import { eitherOf, setTo } from './remedy.js';

/** Seconds for a reply on its way, a signature by somebody's wallet, and the next request on its way. */
const NEXT_REQUEST_SEC = 10;
/** Seconds for a request and its reply over a long way. */
const ROUND_TRIP_SEC = 1;

interface Life {
  readonly id: string;
  readonly path: string;
  readonly secondsOf: (protocol: Protocol) => number;
  readonly floorSec: number;
  readonly clause: string;
}

/** Lives that begin with one request or reply and must not end before the next. */
const LIVES: readonly Life[] = [
  {
    id: 'registration-nonce',
    path: 'registration.nonceTtlSec',
    secondsOf: ({ registration }) => registration.nonceTtlSec,
    floorSec: NEXT_REQUEST_SEC,
    clause: 'register.nonce.ttl',
  },
  {
    id: 'registration-token',
    path: 'registration.tokenTtlSec',
    secondsOf: ({ registration }) => registration.tokenTtlSec,
    floorSec: NEXT_REQUEST_SEC,
    clause: 'register-token.use.window',
  },
  {
    id: 'wallet-nonce',
    path: 'wallet.nonceTtlSec',
    secondsOf: ({ wallet }) => wallet.nonceTtlSec,
    floorSec: NEXT_REQUEST_SEC,
    clause: 'wallet.transition.nonce',
  },
  {
    id: 'resync-nonce',
    path: 'resync.nonceTtlSec',
    secondsOf: ({ resync }) => resync.nonceTtlSec,
    floorSec: NEXT_REQUEST_SEC,
    clause: 'resync.nonce.ttl',
  },
  {
    id: 'spawn-authorization',
    path: 'spawn.authorizationTtlSec',
    secondsOf: ({ spawn }) => spawn.authorizationTtlSec,
    floorSec: NEXT_REQUEST_SEC,
    clause: 'spawn.authorization.ttl',
  },
  {
    id: 'delivery',
    path: 'webhook.timeoutSec',
    secondsOf: ({ webhook }) => webhook.timeoutSec,
    floorSec: ROUND_TRIP_SEC,
    clause: 'delivery.timeout',
  },
];

function lives({ protocol }: LintFacts): Finding[] {
  return LIVES.filter(({ secondsOf, floorSec }) => secondsOf(protocol) < floorSec).map(
    ({ id, path, secondsOf, floorSec, clause }) => ({
      id: `short-life/${id}`,
      severity: 'error',
      clauses: [clause],
      arithmetic: `${path} is ${shown(secondsOf(protocol))} s, and ${floorSec === ROUND_TRIP_SEC ? 'a request with its reply takes' : 'the reply, a signature and the next request take'} up to ${time(floorSec)}: it is over before it can be used`,
      harm: floorSec - secondsOf(protocol),
      remedy: `${path} of at least ${shown(floorSec)}`,
    }),
  );
}

/** A delivery is tried again when the try before has ended, which takes up to the time-out. */
function retries({ protocol: { webhook } }: LintFacts): Finding[] {
  const waits = [webhook.retry1Sec, webhook.retry2Sec, webhook.retry3Sec, webhook.retry4Sec, webhook.retry5Sec];
  const at = waits.findIndex((sec) => sec <= webhook.timeoutSec);
  if (at === -1) return [];
  const path = `webhook.retry${at + 1}Sec`;
  return [
    {
      id: 'short-life/delivery-retry',
      severity: 'error',
      clauses: ['delivery.retry', 'delivery.timeout'],
      arithmetic: `${path} is ${shown(waits[at] as number)} s, and a delivery may take ${shown(webhook.timeoutSec)} s before it fails: the retry is due while the delivery may still arrive`,
      harm: webhook.timeoutSec - (waits[at] as number),
      remedy: eitherOf(
        setTo(path, 'of at least', webhook.timeoutSec + 1),
        setTo('webhook.timeoutSec', 'below', waits[at] as number),
        'a shorter time-out',
      ),
    },
  ];
}

/** Each heartbeat brings a passport, and the next may come as late as the freeze allows. */
function passport({ protocol }: LintFacts): Finding[] {
  const valid = protocol.passport.validityHours * HOUR_SEC;
  const gap = protocol.dms.missedAnchorsMax * protocol.anchor.intervalSec;
  if (valid >= gap) return [];
  return [
    {
      id: 'short-life/passport',
      severity: valid === 0 ? 'error' : 'warning',
      clauses: ['passport.validity', 'service.heartbeat.passport', 'dms.freeze'],
      arithmetic: `a passport is valid for ${time(valid)}, and the heartbeat that brings the next may come ${time(gap)} later: an agent that is alive shows none for ${time(gap - valid)}`,
      harm: gap - valid,
      remedy: eitherOf(
        setTo('passport.validityHours', 'of at least', Math.ceil(gap / HOUR_SEC)),
        'a lower dms.missedAnchorsMax',
      ),
    },
  ];
}

/** The beats service takes a proof until its anchor is too old; the registry counts the receipt's age from the same anchor. */
function receipt({ protocol }: LintFacts): Finding[] {
  const [last, most] = [protocol.anchor.graceAnchors - 1, protocol.work.receiptAnchorsMax];
  if (most >= last) return [];
  return [
    {
      id: 'short-life/receipt',
      severity: 'warning',
      clauses: ['receipt.window', 'proof.anchor.grace'],
      arithmetic: `a proof may be ${shown(last)} anchors old, and a receipt ${shown(most)}: the receipts of proofs that took longer than ${anchorTime(protocol, most + 1)} are refused`,
      harm: last - most,
      remedy: `work.receiptAnchorsMax of at least ${shown(last)}`,
    },
  ];
}

/** A warning must leave time to act before the freeze, and must only reach late agents. */
function warning({ protocol }: LintFacts): Finding[] {
  const { warningAnchors, missedAnchorsMax } = protocol.dms;
  const interval = intervalAnchors(protocol);
  const left = missedAnchorsMax - warningAnchors;
  if (left > 0 && warningAnchors > interval) return [];
  const late = left <= 0;
  return [
    {
      id: 'short-life/warning',
      severity: 'warning',
      clauses: ['status.reply.status.warning', late ? 'dms.freeze' : 'heartbeat.interval.min'],
      arithmetic: late
        ? `the warning comes at ${shown(warningAnchors)} missed anchors and the freeze at ${shown(missedAnchorsMax + 1)}: no anchor is left between them`
        : `the warning comes at ${shown(warningAnchors)} missed anchors, and a heartbeat may come ${shown(interval)} after the last at the earliest: everybody is warned`,
      harm: late ? 1 - left : interval - warningAnchors,
      remedy:
        interval + 1 < missedAnchorsMax
          ? `dms.warningAnchors between ${shown(interval + 1)} and ${shown(missedAnchorsMax - 1)}`
          : `a dms.missedAnchorsMax above ${shown(interval + 1)}`,
    },
  ];
}

/** A proof weaves an anchor that was the latest when it was begun; the next may come at any moment. */
function grace({ protocol }: LintFacts): Finding[] {
  const { graceAnchors, intervalSec } = protocol.anchor;
  if (graceAnchors > 1) return [];
  return [
    {
      id: 'short-life/anchor-grace',
      severity: 'warning',
      clauses: ['proof.anchor.grace'],
      arithmetic: `a proof must weave the latest ${shown(graceAnchors)} anchor, and the next comes up to ${time(intervalSec)} later, or at once: no time is sure to be left for any work`,
      harm: 2 - graceAnchors,
      remedy: 'anchor.graceAnchors of at least 2',
    },
  ];
}

/** An anchor is degraded when none has followed it for some intervals. */
function anchors({ protocol }: LintFacts): Finding[] {
  const { degradedIntervals, intervalSec } = protocol.anchor;
  if (degradedIntervals > 1) return [];
  return [
    {
      id: 'short-life/anchor',
      severity: 'warning',
      clauses: ['verify.reply.anchor-degraded'],
      arithmetic: `an anchor is degraded after ${time(degradedIntervals * intervalSec)}, and the next comes after ${time(intervalSec)}: each is shown as degraded before the next is there`,
      harm: 2 - degradedIntervals,
      remedy: 'anchor.degradedIntervals of at least 2',
    },
  ];
}

export const shortLife: LintRule = {
  kind: 'short-life',
  says: 'A life that ends before what it is for.',
  find: (facts) => [lives, retries, passport, receipt, warning, grace, anchors].flatMap((rule) => rule(facts)),
};
