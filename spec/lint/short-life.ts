/** Lint: nonces, tokens, passports, receipts and warnings that end before anybody can use them. */

import type { Protocol } from '../protocol.js';
import { HOUR_SEC } from '../time.js';
import type { Finding, LintFacts, LintRule } from './finding.js';
import { anchorTime, intervalAnchors, shown, time } from './quantities.js';

/** Lives that begin with one request and end before or after the next. */
const LIVES: readonly (readonly [
  id: string,
  path: string,
  secondsOf: (protocol: Protocol) => number,
  clause: string,
])[] = [
  [
    'registration-nonce',
    'registration.nonceTtlSec',
    ({ registration }) => registration.nonceTtlSec,
    'register.nonce.ttl',
  ],
  [
    'registration-token',
    'registration.tokenTtlSec',
    ({ registration }) => registration.tokenTtlSec,
    'register-token.use.window',
  ],
  ['wallet-nonce', 'wallet.nonceTtlSec', ({ wallet }) => wallet.nonceTtlSec, 'wallet.transition.nonce'],
  ['resync-nonce', 'resync.nonceTtlSec', ({ resync }) => resync.nonceTtlSec, 'resync.nonce.ttl'],
  [
    'spawn-authorization',
    'spawn.authorizationTtlSec',
    ({ spawn }) => spawn.authorizationTtlSec,
    'spawn.authorization.ttl',
  ],
  ['delivery', 'webhook.timeoutSec', ({ webhook }) => webhook.timeoutSec, 'delivery.timeout'],
];

function lives({ protocol }: LintFacts): Finding[] {
  return LIVES.filter(([, , secondsOf]) => secondsOf(protocol) === 0).map(([id, path, , clause]) => ({
    id: `short-life/${id}`,
    severity: 'error',
    clauses: [clause],
    arithmetic: `${path} is 0 s: it is over when the reply arrives, and the next request is always too late`,
    harm: 1,
    remedy: `${path} of at least a few seconds`,
  }));
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
      remedy: `passport.validityHours of at least ${shown(Math.ceil(gap / HOUR_SEC))}`,
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

/** A warning is for acting before the freeze, and only for who is late. */
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
      remedy: `dms.warningAnchors between ${shown(interval + 1)} and ${shown(missedAnchorsMax - 1)}`,
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
  find: (facts) => [lives, passport, receipt, warning, anchors].flatMap((rule) => rule(facts)),
};
