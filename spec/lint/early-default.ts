/** Lint: a default that expires before its purpose. */

import type { LintRule } from './finding.js';
import { anchorTime, epochAnchors, heartbeatsToLive, shown } from './quantities.js';

export const earlyDefault: LintRule = {
  kind: 'early-default',
  says: 'A default that lapses before what it is for.',
  find: ({ protocol }) => {
    const needed = heartbeatsToLive(protocol);
    const { heartbeatsEpochDefault, heartbeatsEpochMax } = protocol.sponsor;
    if (heartbeatsEpochDefault >= needed) return [];
    const paid = Math.min(epochAnchors(protocol), heartbeatsEpochDefault * protocol.dms.missedAnchorsMax);
    return [
      {
        id: 'early-default/sponsorship',
        severity: 'error',
        clauses: ['sponsor.post.body.max-heartbeats-epoch.default', 'dms.freeze', 'sponsor.transition.frozen.child'],
        arithmetic: `${shown(heartbeatsEpochDefault)} sponsored heartbeats, one every ${shown(protocol.dms.missedAnchorsMax)} anchors, last ${anchorTime(protocol, paid)} of an epoch of ${anchorTime(protocol, epochAnchors(protocol))}; then the child is frozen, and the freeze ends the sponsorship`,
        harm: 1 - paid / epochAnchors(protocol),
        remedy: Number.isFinite(needed)
          ? `a default of at least ${shown(needed)}${heartbeatsEpochMax < needed ? ', and a maximum of as much' : ''}`
          : 'a dms.missedAnchorsMax above 0',
      },
    ];
  },
};
