/**
 * Checks once per run, by client requests, that a call of the control API had its effect. A missing effect may also be a fault of an endpoint, so
 * only these are faults of the call: an effect that comes late, a key or a mint that no endpoint accepts, a clock that moves no anchor or moves by
 * another amount, a stall in which anchors are issued, and one that does not end.
 */

import { forgetFreezes, moveTo } from '../../model/facts/rules.js';
import { anchorOf } from '../../model/reading/anchor.js';
import { jsonIn } from '../../model/reading/values.js';
import type { Reason } from '../../results/conformance-result.js';
import { controlCallName, controlPathOf } from '../../spec/control-calls.js';
import { type EndpointId, endpointOf, nameOf } from '../../spec/endpoint-ids.js';
import { lacking, Unjudged } from '../assertions/unjudged.js';
import type { Target } from '../target/target.js';
import type { Wire } from '../wire/wire.js';
import { type Control, ControlFault } from './control.js';
import { clientOf, type Made, TRIALS, type Tried } from './control-trials.js';
import { once, RUN_TRIAL_ID, type Session } from './session.js';

/** An effect that shows only after this time (ms of the wall clock) is late. */
const LATE_MS = 1_500;
/** The number of anchor intervals between two reads of the latest anchor. */
const INTERVALS = 2;

/** A running check, which can let time pass. */
interface Sleeper {
  readonly session: Session;
  sleep(span: { readonly sec: number }): Promise<void>;
}

const STALL = 'anchors/stall';
const STALL_REQUESTS = 7;

/** The largest number of requests in a run that verify the effects of these calls. */
export function effectRequests(calls: ReadonlySet<string>): number {
  return [...calls].reduce((sum, call) => sum + (call === STALL ? STALL_REQUESTS : (TRIALS[call]?.requests ?? 0)), 0);
}

/** Ends a check if a call of the control API does not have its effect, and this cannot be a fault of an endpoint. */
export async function needEffect(session: Session, name: string, made: Made): Promise<void> {
  const call = controlPathOf(name);
  const trial = call && TRIALS[call];
  const { control } = session;
  if (trial?.fits?.(made) === false) return;
  // With a single address, limits count these requests together with those of checks.
  if (call === undefined || trial === undefined || control === undefined || !session.offers.has('client-ip')) return;
  const look = async (): Promise<string | undefined> => {
    const tried = await trial.try(clientOf(session, control), made);
    return tried && effectFault(controlCallName(call), tried, session.waitMs);
  };
  const fault = await once(session, `effect of ${call}`, () => unlessRefused(look));
  endIf(fault, call);
}

/** The fault of a call: its effect is late, or missing and no endpoint can be the cause. */
async function effectFault(call: string, tried: Tried, waitMs: Session['waitMs']): Promise<string | undefined> {
  if ((await tried.seen()) !== false) return undefined;
  await waitMs(LATE_MS);
  const later = await tried.seen();
  if (later === true) return lateText(call, tried.effect);
  return later === false ? tried.missing?.() : undefined;
}

const lateText = (call: string, effect: string): string =>
  `${call} takes effect late: ${effect} ${LATE_MS / 1_000} s after its reply, and not at once`;

/** The result of steps; undefined where the target does not allow them, or where another call fails. */
async function unlessRefused<T>(steps: () => Promise<T>): Promise<T | undefined> {
  try {
    return await steps();
  } catch (error) {
    if (error instanceof Unjudged && !(error instanceof ControlFault && error.isLost)) return undefined;
    throw error;
  }
}

/** Ends a check that relies on the clock if the clock does not move as it reports. */
export function needClock({ clockFault }: Session): void {
  endIf(clockFault, 'clock/advance');
}

/** From now on no check relies on the clock, nor the model on conclusions from it. */
export function loseClock(session: Session, reason: string): void {
  session.clockFault ??= reason;
  const { model } = session;
  if (model === undefined) return;
  moveTo(model, undefined, undefined);
  model.isTimed = false;
  forgetFreezes(model);
}

function endIf(fault: string | undefined, call: string): void {
  if (fault !== undefined) throw new Unjudged('inconclusive', lacking('effect', fault, call));
}

/** The keys that a target file can give: the endpoints that take them, and the need that they meet. */
const GIVEN = {
  admin_key: { ids: ['subsidy.delete', 'subsidy.post'], need: 'admin' },
  partner_key: { ids: ['partner-webhook.get', 'partner-webhook.put', 'partner-webhook.delete'], need: 'partner' },
} as const satisfies Record<string, { readonly ids: readonly EndpointId[]; readonly need: 'admin' | 'partner' }>;

/** Ends a check that needs a key of the target file, if every endpoint refuses that key. */
export async function needGivenKey(session: Session, name: keyof typeof GIVEN, key: string): Promise<void> {
  const { ids, need } = GIVEN[name];
  const refused = await once(session, name, async (): Promise<Reason | undefined> => {
    if (!(await clientOf(session).refuses(ids, key))) return undefined;
    return lacking(
      need,
      `the target refuses the ${name} of the target file: ${ids.map(nameOf).join(', ')} answer 401 or 403`,
    );
  });
  if (refused !== undefined) throw new Unjudged('inconclusive', refused);
}

/** Ends a check that needs stalled anchors, if a stall has no effect or does not end. Afterwards anchors are issued. */
export async function needStall(t: Sleeper): Promise<void> {
  const { session } = t;
  const { control, wire, target } = session;
  if (control === undefined || !session.offers.has('clock')) return;
  const fault = await once(session, `effect of ${STALL}`, async () => {
    const sec = INTERVALS * target.protocol.anchor.intervalSec;
    const setTo = async (on: boolean) => {
      await control.call(`POST ${STALL}`, { on }, undefined, { owner: RUN_TRIAL_ID, watched: false });
      session.anchors.forget(on);
      return anchorShown(wire, target);
    };
    const before = await setTo(true);
    await t.sleep({ sec });
    const during = await anchorShown(wire, target);
    const ended = await setTo(false);
    await t.sleep({ sec });
    // The model sees the anchors that have come.
    const after = await anchorShown(wire, target, true);
    if (before === undefined || during === undefined || ended === undefined || after === undefined) return undefined;
    const shown = (from: number, to: number): string =>
      `GET /beat/anchor shows anchor ${from}, and anchor ${to} after ${sec} s`;
    if (before !== during) return `POST ${STALL} {"on": true} stops no anchor: ${shown(before, during)}`;
    if (ended === after) return `POST ${STALL} {"on": false} does not end the stall: ${shown(ended, after)}`;
    return undefined;
  });
  endIf(fault, STALL);
}

/** The fault of a clock that does not move as it reports; undefined if anchors and the chain of a new agent show none. */
export async function clockFault(session: Session, control: Control): Promise<string | undefined> {
  const { wire, target } = session;
  const before = await anchorShown(wire, target);
  if (before === undefined) return undefined;
  const intervalMs = target.protocol.anchor.intervalSec * 1_000;
  const ms = INTERVALS * intervalMs;
  const { nowMs } = await control.advance(ms, { watched: false });
  const { nowMs: again } = await control.advance(0, { watched: false });
  const call = 'POST clock/advance';
  if (again !== nowMs) return `${call} answers now_ms ${nowMs}, and ${again} when it is asked again with {"ms": 0}`;
  const passed = async (): Promise<number | undefined> => {
    const shown = await anchorShown(wire, target);
    return shown === undefined ? undefined : shown - before;
  };
  const anchors = await passed();
  if (anchors === undefined || anchors === INTERVALS) return undefined;
  // Two more requests show the time of the server, and whether anchors are issued late.
  const startedMs = session.offers.has('client-ip') ? await clientOf(session, control).start() : undefined;
  const aheadMs = startedMs === undefined ? undefined : startedMs - nowMs;
  const isNear = (expectedMs: number): boolean =>
    aheadMs !== undefined && Math.abs(aheadMs - expectedMs) < intervalMs / 2;
  if (anchors !== 0) {
    const movedMs = anchors * intervalMs;
    if (isNear(0) || !isNear(movedMs - ms)) return undefined;
    return `${call} {"ms": ${ms}} moves the time of the service by ${movedMs} ms: GET /beat/anchor and POST /agent/init show that`;
  }
  if ((await passed()) === 0) await session.waitMs(LATE_MS);
  if (((await passed()) ?? 0) > 0) return lateText(call, 'another anchor is there');
  // If the server's time has moved, its anchors are at fault, not the call.
  if (isNear(0)) return undefined;
  return `${call} {"ms": ${ms}} moves no anchor: GET /beat/anchor shows anchor ${before} before it and after it`;
}

/** The index of the latest anchor; undefined where none can be read. */
async function anchorShown(wire: Wire, { baseUrl }: Target, watched = false): Promise<number | undefined> {
  const request = { method: 'GET', url: `${baseUrl}${endpointOf('beat-anchor').path}`, headers: {} };
  const { status, body } = await wire.send(request, undefined, { watched, again: true });
  return status === 200 ? anchorOf({ json: jsonIn({ body }) }).index : undefined;
}
