/** The control call by which a flag is reviewed (3.5, D-36). The transitions are in registry/flag.ts. */

import { z } from 'zod';
import { type FlagOutcome, flagOutcomes, reviewFlag } from '../../registry/flag.js';
import { hashOf } from '../../registry/state.js';
import type { Host } from '../request/host.js';
import { accepted, type ControlReply, controlCall, refused } from './call.js';

function review(host: Host, id: string, outcome: FlagOutcome): ControlReply {
  const { registry } = host.service;
  const reviewed = reviewFlag(registry, id, outcome);
  if (reviewed.ok) {
    const { status, target } = reviewed.flag;
    return accepted({ flag_id: id, status, target_hash: hashOf(registry, target) });
  }
  if (reviewed.why === 'unknown') return refused(404, 'FLAG_NOT_FOUND', 'no flag has this id');
  return refused(409, 'FLAG_WRONG_STATE', `a flag that is ${reviewed.status} does not allow ${outcome}`);
}

/** 3.5: calls about flags. */
export const flagCalls = [
  controlCall('POST flags/:id/review', {
    purpose: 'Sustains or dismisses a pending flag, or resolves a sustained one.',
    body: z.strictObject({ outcome: z.enum(flagOutcomes) }),
    reply: z.strictObject({
      flag_id: z.string(),
      status: z.enum(['sustained', 'dismissed', 'resolved']),
      target_hash: z.string(),
    }),
    refusals: [
      [404, 'FLAG_NOT_FOUND'],
      [409, 'FLAG_WRONG_STATE'],
    ],
    run: (host, { outcome }, { params }) => review(host, params['id'] ?? '', outcome),
  }),
];
