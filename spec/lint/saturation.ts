/** Lint: penalties and discounts that stop growing, and from where. */

import { penaltyFormula } from '../formula/formulas.js';
import type { Finding, LintFacts, LintRule } from './finding.js';
import { anchorTime, epochAnchors, penaltyBeats, shown, sol } from './quantities.js';

function penalty({ protocol }: LintFacts): Finding[] {
  if (penaltyFormula(protocol) !== undefined) return [];
  const { beatsPerMissedAnchor, beatsMax } = protocol.resync;
  const from = Math.ceil(beatsMax / Math.max(1, beatsPerMissedAnchor));
  if (beatsPerMissedAnchor === 0 || from >= epochAnchors(protocol)) return [];
  const first = protocol.dms.missedAnchorsMax + 1;
  const grows = Math.max(0, from - first);
  return [
    {
      id: 'saturation/resync-penalty',
      severity: grows === 0 ? 'error' : 'warning',
      clauses: ['resync.penalty', 'resync.penalty.cap', 'dms.freeze'],
      arithmetic: `${shown(beatsMax)} / ${shown(beatsPerMissedAnchor)} = ${shown(from)} missed anchors, and a freeze comes at ${shown(first)} with ${shown(penaltyBeats(protocol, first))} beats: it grows for ${anchorTime(protocol, grows)} more, and being away for a month costs what ${anchorTime(protocol, from)} cost`,
      harm: epochAnchors(protocol) / from,
      remedy: 'a higher resync.beatsMax, or none',
    },
  ];
}

const BPS = 10_000;

function discounts({ protocol }: LintFacts): Finding[] {
  const fee = Math.min(protocol.reissue.feeLamports, protocol.heartbeat.tier3FeeLamports);
  const { floorLamportsDefault, discountBpsMax } = protocol.subsidy;
  if (fee <= floorLamportsDefault) return [];
  const from = BPS - Math.floor((floorLamportsDefault * BPS) / fee);
  if (from >= discountBpsMax) return [];
  return [
    {
      id: 'saturation/discount',
      severity: 'note',
      clauses: ['subsidy.post.body.discount-bps', 'subsidy.post.body.floor-lamports', 'fee.subsidy.formula'],
      arithmetic: `the floor of ${shown(floorLamportsDefault)} lamports is ${shown((floorLamportsDefault * BPS) / fee)} bps of the fee of ${sol(fee)}: a discount of ${shown(from)} bps and one of ${shown(discountBpsMax)} take off the same`,
      harm: discountBpsMax - from,
      remedy: `subsidy.discountBpsMax of ${shown(from)}`,
    },
  ];
}

export const saturation: LintRule = {
  kind: 'saturation',
  says: 'A penalty or discount that saturates, and from where.',
  find: (facts) => [...penalty(facts), ...discounts(facts)],
};
