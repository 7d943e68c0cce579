/** Lint: rights that outlive what they rest on. */

import { HOUR_SEC } from '../time.js';
import type { Finding, LintFacts, LintRule } from './finding.js';
import { anchorTime, shown, time } from './quantities.js';

function passport({ protocol }: LintFacts): Finding[] {
  const validSec = protocol.passport.validityHours * HOUR_SEC;
  const frozenSec = (protocol.dms.missedAnchorsMax + 1) * protocol.anchor.intervalSec;
  if (validSec <= frozenSec) return [];
  return [
    {
      id: 'outlived-right/passport',
      severity: 'error',
      clauses: ['passport.validity', 'dms.freeze', 'service.passport.offline'],
      arithmetic: `a passport verifies offline for ${time(validSec)}, and its agent is frozen ${time(frozenSec)} after its last heartbeat: it shows a frozen agent as alive for ${time(validSec - frozenSec)}`,
      harm: validSec - frozenSec,
      remedy: `passport.validityHours of ${shown(Math.floor(frozenSec / HOUR_SEC))}, or a list of the frozen that verifiers read`,
    },
  ];
}

/** A receipt names no freeze: one that is made before it pays for it. */
function receipt({ protocol }: LintFacts): Finding[] {
  const { receiptAnchorsMax } = protocol.work;
  const first = protocol.dms.missedAnchorsMax + 1;
  if (receiptAnchorsMax <= protocol.anchor.graceAnchors) return [];
  const ahead = Math.min(receiptAnchorsMax, first);
  return [
    {
      id: 'outlived-right/receipt',
      severity: 'warning',
      clauses: ['receipt.window', 'proof.anchor.grace', 'resync.receipt.body'],
      arithmetic: `a proof must weave one of the latest ${shown(protocol.anchor.graceAnchors)} anchors, and its receipt is good for ${shown(receiptAnchorsMax)}: the penalty can be worked off up to ${anchorTime(protocol, ahead)} before the freeze, which then lasts as long as one request`,
      harm: receiptAnchorsMax - protocol.anchor.graceAnchors,
      remedy: `work.receiptAnchorsMax of ${shown(protocol.anchor.graceAnchors)}, or a challenge in every receipt`,
    },
  ];
}

export const outlivedRight: LintRule = {
  kind: 'outlived-right',
  says: 'A right that outlives what it rests on.',
  find: (facts) => [...passport(facts), ...receipt(facts)],
};
