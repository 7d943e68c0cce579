/** Lint: rights that are still valid after the facts that gave them. */

import { servesMode } from '../parts.js';
import { HOUR_SEC } from '../time.js';
import type { Finding, LintFacts, LintRule } from './finding.js';
import { anchorTime, shown, time } from './quantities.js';
import { eitherOf, setTo } from './remedy.js';

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
      remedy: eitherOf(
        setTo('passport.validityHours', 'of', Math.floor(frozenSec / HOUR_SEC)),
        'a list of the frozen that verifiers read',
      ),
    },
  ];
}

/**
 * Neither a receipt nor the anchor of a proof names a freeze, so work from before a freeze pays for it. A receipt that outlives the anchors that a
 * proof may weave does so, and so does a proof whose anchor may be older than half of the way to a freeze.
 */
function receipt({ protocol }: LintFacts): Finding[] {
  const { receiptAnchorsMax } = protocol.work;
  const { graceAnchors } = protocol.anchor;
  const first = protocol.dms.missedAnchorsMax + 1;
  const byReceipt = Math.min(receiptAnchorsMax, first);
  const byChallenge = servesMode(protocol, 'resync/challenge') ? Math.min(graceAnchors - 1, first) : 0;
  if (receiptAnchorsMax <= graceAnchors && Math.max(byReceipt, byChallenge) <= first / 2) return [];
  const ahead = Math.max(byReceipt, byChallenge);
  const whole = byChallenge >= first;
  return [
    {
      id: 'outlived-right/receipt',
      severity: whole ? 'error' : 'warning',
      clauses: ['receipt.window', 'proof.anchor.grace', 'resync.receipt.body'],
      arithmetic: `a proof must weave one of the latest ${shown(graceAnchors)} anchors, and its receipt is good for ${shown(receiptAnchorsMax)}: the penalty can be worked off up to ${anchorTime(protocol, ahead)} before the freeze${whole ? ', by challenge too' : ''}, which then lasts as long as one request`,
      harm: (byReceipt + byChallenge) * protocol.anchor.intervalSec,
      remedy: eitherOf(
        [
          setTo('work.receiptAnchorsMax', 'of at most', Math.min(graceAnchors, Math.floor(first / 2))),
          ...(byChallenge > first / 2 ? [setTo('anchor.graceAnchors', 'of at most', Math.floor(first / 2))] : []),
        ]
          .filter((way) => way !== undefined)
          .join(' with '),
        'a challenge in every receipt',
      ),
    },
  ];
}

export const outlivedRight: LintRule = {
  kind: 'outlived-right',
  says: 'A right that outlives what it rests on.',
  find: (facts) => [...passport(facts), ...receipt(facts)],
};
