/** Control calls that move the clock and stop or resume the anchors. Anchors are issued by service.ts. */

import { z } from 'zod';
import { DAY_MS } from '../../../spec/time.js';
import { anchorPaceMs, catchUp } from '../../service.js';
import { clockMsMax } from '../request/clock.js';
import type { Host } from '../request/host.js';
import { accepted, type ControlReply, controlCall, refused } from './call.js';

/** A century: more would be a mistake, and every anchor of it is issued. */
const ADVANCE_MS_MAX = 100 * 366 * DAY_MS;
/** The most anchors that one call issues. */
const ADVANCE_ANCHORS_MAX = 1_000_000;

/** The path of the call that moves the clock, which only a manual clock offers. */
export const ADVANCE = 'clock/advance';

const advanceBody = z.union([
  z.strictObject({ ms: z.int().min(0).max(ADVANCE_MS_MAX) }),
  z.strictObject({ anchors: z.int().min(1).max(ADVANCE_ANCHORS_MAX) }),
]);

/** Anchors that are issued before others are served: some milliseconds of work. */
const ANCHORS_A_PORTION = 1_000;

/** The latest advance of each host: one follows the other. */
const latest = new WeakMap<Host, Promise<ControlReply>>();

/** Advances when those that came before have arrived. */
function advanceInTurn(host: Host, body: z.output<typeof advanceBody>): Promise<ControlReply> {
  const before = latest.get(host) ?? Promise.resolve();
  const reply = before.then(() => advance(host, body));
  latest.set(
    host,
    reply.catch(() => refused(500, 'INTERNAL', 'the advance before this one failed')),
  );
  return reply;
}

/** Moves the clock in portions, each recorded by the time that it leads to, and lets others be served between them. */
async function advance(host: Host, body: z.output<typeof advanceBody>): Promise<ControlReply> {
  const { clock, service } = host;
  if (clock.advance === undefined) {
    return refused(409, 'CLOCK_RUNS', 'this clock runs by itself; start the server with --clock manual');
  }
  const intervalMs = anchorPaceMs(service);
  const toMs = 'ms' in body ? clock.nowMs() + body.ms : service.nextAnchorMs + (body.anchors - 1) * intervalMs;
  if (toMs > clockMsMax(service.registry.protocol))
    return refused(400, 'VALIDATION', 'the clock does not go past the year 9999');
  const due = service.stalled ? 0 : Math.floor((toMs - service.nextAnchorMs) / intervalMs) + 1;
  if (due > ADVANCE_ANCHORS_MAX) {
    return refused(
      400,
      'VALIDATION',
      `that would issue ${due} anchors, more than ${ADVANCE_ANCHORS_MAX}; advance in smaller steps, or stall the anchors`,
    );
  }
  const portionMs = service.stalled ? toMs : ANCHORS_A_PORTION * intervalMs;
  for (;;) {
    const at = Math.min(toMs, clock.nowMs() + portionMs);
    const ms = at - clock.nowMs();
    clock.advance(ms);
    // A reset may have replaced the service meanwhile.
    catchUp(host.service, at);
    host.keeper?.record({ at, name: `control:${ADVANCE}`, agent: -1, body: { ms }, given: {} });
    if (at >= toMs) return accepted({ now_ms: toMs, anchor_index: host.service.anchors.latestIndex });
    await new Promise<void>((served) => setImmediate(served));
  }
}

/** Calls about time and anchors. */
export const timeCalls = [
  controlCall(`POST ${ADVANCE}`, {
    purpose: 'Moves the clock forward by some milliseconds, or to the n-th anchor from now.',
    body: advanceBody,
    reply: z.strictObject({ now_ms: z.int(), anchor_index: z.int() }),
    refusals: [[409, 'CLOCK_RUNS']],
    // It records itself, portion by portion.
    kind: 'query',
    run: advanceInTurn,
  }),
  controlCall('POST anchors/stall', {
    purpose: 'Stops the anchor chain, or resumes it; anchors that were due meanwhile are skipped.',
    body: z.strictObject({ on: z.boolean() }),
    reply: z.strictObject({ stalled: z.boolean() }),
    run: (host, { on }) => {
      host.service.stalled = on;
      return accepted({ stalled: on });
    },
  }),
];
