/** Control calls about the state as a whole: its fingerprint, and a reset. */

import { z } from 'zod';
import { LONG_SEED } from '../../registry/columns/stream.js';
import { serviceFingerprint } from '../../state-digest.js';
import { resetHost } from '../request/host.js';
import { accepted, controlCall } from './call.js';

/** A whole number, or 64 hex digits. */
const seed = z.union([z.int().min(0), z.string().regex(LONG_SEED)]);

/** Calls about the whole state. */
export const stateCalls = [
  controlCall('GET fingerprint', {
    purpose:
      'Returns a hash of the whole state, ledger and anchors included: two servers with the same hash answer alike.',
    body: null,
    reply: z.strictObject({ sha256: z.string().regex(/^[0-9a-f]{64}$/) }),
    run: (host) => accepted({ sha256: serviceFingerprint(host.service) }),
  }),
  controlCall('POST reset', {
    purpose: 'Starts over: no agents, anchor 0, empty rate limits, with the same or another seed.',
    body: z.strictObject({ seed: seed.optional() }),
    reply: z.strictObject({ ok: z.literal(true), seed }),
    run: (host, body, { nowMs }) => {
      resetHost(host, body.seed ?? host.service.options.seed, nowMs);
      return accepted({ ok: true, seed: host.service.options.seed });
    },
  }),
];
