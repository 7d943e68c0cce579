/**
 * Decides whether a target offers what a check needs, and says what is lacking. How to provide it is in
 * reports/conformance/need-hints.ts.
 */

import type { Reason } from '../../results/conformance-result.js';
import type { Protocol } from '../../spec/protocol.js';
import { asReason, lacking } from '../assertions/unjudged.js';
import { isLoopback, type Target } from '../target/target.js';
import type { Check, Need } from './check.js';
import { type Control, ControlFault } from './control.js';
import { spanMs, waitText } from './observed.js';

/** Everything that a target offers to the suite, and the reason for each thing that it lacks. */
export interface Offers {
  readonly has: ReadonlySet<Need>;
  /** The calls of its control API. */
  readonly controls: ReadonlySet<string>;
  /** How many transfers one call of `ledger/transfers` makes; absent: one. */
  readonly transfersMax?: number;
  readonly lacks: Readonly<Partial<Record<Need, Reason>>>;
  /** Seconds that checks may wait in real time; 0 if the clock can be moved. */
  readonly observedSec: number;
  /** Whether, as far as is known, the target's clock runs as fast as ours, so that the suite can wait for time to pass. */
  readonly waitable: boolean;
}

const LEDGER = ['ledger/wallets', 'ledger/transfers'];
const ADVANCE = 'clock/advance';

/** Every call of the control API; a plan assumes all of them, since it sends nothing. */
const SUPPOSED = { has: () => true };

/** The offers by the target file alone, assuming that a control API has every call. */
export function supposedOffers(target: Target, waitSec = 0): Offers {
  return offersFrom(target, SUPPOSED, new Set(), { waitSec });
}

/**
 * The settings of a run that the offers depend on: its time to wait, and the clock and the timer of its own machine.
 */
interface Asking {
  readonly waitSec: number;
  readonly wallMs: () => number;
  readonly waitMs: (ms: number) => Promise<void>;
}

/** The offers of the target, by its file and by the capabilities of its control API. Sends at most five requests. */
export async function askedOffers(target: Target, control: Control | undefined, asking: Asking): Promise<Offers> {
  const { waitSec } = asking;
  if (control === undefined) return offersFrom(target, new Set<string>(), new Set(), { waitSec });
  let controls: ReadonlySet<string> = new Set();
  try {
    const { calls, transfersMax } = await control.capabilities();
    controls = calls;
    return { ...(await offersByClock(target, control, controls, asking)), transfersMax };
  } catch (error) {
    if (!(error instanceof ControlFault)) throw error;
    // It is unknown whether the clock is stopped, so no check can wait.
    return offersFrom(target, controls, controls, { waitSec: 0, broken: error.because, waitable: false });
  }
}

/** The offers of a target with a control API. Its clock may be stopped, or run by itself. */
async function offersByClock(
  target: Target,
  control: Control,
  controls: ReadonlySet<string>,
  asking: Asking,
): Promise<Offers> {
  const { waitSec } = asking;
  if (!controls.has(ADVANCE) || (await paceOf(control, asking, DRIFT_MS)) === 0) {
    return offersFrom(target, controls, controls, { waitSec });
  }
  const pace = waitSec > 0 ? await paceOf(control, asking, PACE_MS) : 1;
  const inTime = Math.abs(pace - 1) <= PACE_APART_MAX;
  const moving = "the target's clock moves by itself";
  const fault = inTime
    ? `${moving}, so the suite cannot stop at an exact moment`
    : `${moving}, ${pace.toFixed(1)} times as fast as ours, so the suite can neither stop at a moment nor wait for one`;
  return offersFrom(target, controls, controls, { waitSec: inTime ? waitSec : 0, fault, waitable: inTime });
}

const DRIFT_MS = 20;
const PACE_MS = 1_000;
const PACE_APART_MAX = 0.2;

/** The speed of the target's clock: 0 if it stands still, 1 if it runs as fast as ours. */
async function paceOf(control: Control, { wallMs, waitMs }: Asking, spanMs: number): Promise<number> {
  const startMs = wallMs();
  const before = await control.advance(0, { watched: false });
  await waitMs(spanMs);
  const after = await control.advance(0, { watched: false });
  return (after.nowMs - before.nowMs) / Math.max(1, wallMs() - startMs);
}

function offersFrom(
  target: Target,
  calls: { has(name: string): boolean },
  controls: ReadonlySet<string>,
  {
    waitSec,
    fault,
    broken,
    waitable = true,
  }: {
    readonly waitSec: number;
    /** Why the clock cannot be moved although there is a call for it. */
    readonly fault?: string;
    /** The failing call: that of the clock, or that of the capabilities if these are unknown. */
    readonly broken?: Reason;
    readonly waitable?: boolean;
  },
): Offers {
  const lacks: Partial<Record<Need, Reason>> = {};
  const has = new Set<Need>();
  const controlled = target.control !== undefined;
  const unknown = controls.size === 0 ? broken : undefined;
  /** `by`: the calls with which a control API offers it. */
  const offer = (need: Need, there: boolean, reason: string, by?: string): void => {
    if (there) has.add(need);
    else lacks[need] = (by === undefined ? undefined : unknown) ?? lacking(need, reason, controlled ? by : undefined);
  };
  offer('control', controlled && unknown === undefined, 'the target file names no control API');
  if (unknown !== undefined) lacks.control = unknown;
  offer(
    'clock',
    controlled && calls.has(ADVANCE) && fault === undefined && broken === undefined,
    fault ??
      `no clock can be moved: ${controlled ? 'the control API has no' : 'the target file names no control API with'} clock/advance`,
    ADVANCE,
  );
  if (broken !== undefined) lacks.clock = broken;
  const ledger = LEDGER.every((name) => calls.has(name));
  if (target.payments.kind === 'control')
    offer('payments', controlled && ledger, 'the control API cannot make payments', LEDGER.join(' '));
  else {
    // If a control API is given and lacks these calls, they have to be built; if it shows no calls at all, that is the reason.
    const by = ledger || unknown !== undefined ? undefined : LEDGER.join(' ');
    offer('payments', target.payments.kind !== 'none', 'the target file names no way to pay (payments)', by);
  }
  offer('client-ip', target.clientIp === 'x-forwarded-for', 'the target does not tell clients apart (client_ip)');
  offer('beats', target.beatsUrl !== null, 'the target file names no beats service (beats_url)');
  const issues = (call: string): boolean => controlled && calls.has(call);
  offer(
    'admin',
    target.adminKey !== undefined || issues('admin-keys'),
    'the target file has no admin_key, and no control API makes one',
    'admin-keys',
  );
  offer(
    'partner',
    target.partnerKey !== undefined || issues('partners'),
    'the target file has no partner_key, and no control API makes one',
    'partners',
  );
  offer('webhooks', target.webhooks !== undefined, 'the target file does not say where webhooks can be received');
  return { has, controls, lacks, observedSec: has.has('clock') ? 0 : waitSec, waitable };
}

/** The offers except one that the target file claims and the target does not have. */
export function withoutOffer({ has, lacks, ...rest }: Offers, gone: Need, reason: string): Offers {
  return {
    ...rest,
    has: new Set([...has].filter((need) => need !== gone)),
    lacks: { ...lacks, [gone]: lacking(gone, reason) },
  };
}

/** Why the target does not offer `client-ip` although its file claims it. */
export const ADDRESSES_ALIKE =
  'the target counts requests with different X-Forwarded-For together, though its file says client_ip: x-forwarded-for';

/** Why a check that needs to control the ledger cannot run if fees are not paid through the control API. */
export function unlessByControl(why: string): (target: Target) => Reason | undefined {
  return ({ payments }) =>
    payments.kind === 'control' ? undefined : lacking('ledger', `${why}; payments: { kind: control } avoids that`);
}

/** Root registration on mainnet takes a secret (4.2): without it no agent can be registered. */
export const SECRET_LACKING = lacking(
  'secret',
  'root registration on mainnet needs the secret, and the target file has no registration_secret',
);

/** Why a check of mainnet's credentials cannot run. */
export function mainnetOnly({ network, registrationSecret }: Target): Reason | undefined {
  if (network === 'mainnet' && registrationSecret !== undefined) return undefined;
  return lacking('mainnet', 'it applies to mainnet, with a registration_secret in the target file');
}

/** Whether no root agent can be registered with the target. */
export function lacksSecret({ network, registrationSecret }: Target): boolean {
  return network === 'mainnet' && registrationSecret === undefined;
}

/** Whether a check can run without a need. A check that runs alone can share its address with others. */
function runsWithout({ runsAlone }: Check, need: Need): boolean {
  return need === 'client-ip' && runsAlone === true;
}

/** Whether a check reuses agents of other checks: if it may, and there are too few registrations for new ones. */
export function reusesAgents(offers: ReadonlySet<Need>, { shares }: Pick<Check, 'shares'>): boolean {
  return shares === true && !offers.has('client-ip') && !offers.has('clock');
}

/** Why a check lacks time: the clock cannot be moved, and the run may not wait long enough. */
function clockLackOf(
  check: Check,
  { protocol }: Target,
  { has, lacks, observedSec, waitable }: Offers,
): Reason | undefined {
  if (!check.needs.includes('clock') || has.has('clock')) return undefined;
  if (check.waits === undefined || !waitable) return lacks.clock ?? lacking('clock', 'the target lacks clock');
  const sec = waitSecOf(check, protocol);
  if (sec <= observedSec) return undefined;
  return lacking('wait', `no clock can be moved; --wait ${waitText(sec)} would wait for it`);
}

/** Seconds that a check has to wait in real time if no clock can be moved; 0 for one that does not wait. */
export function waitSecOf({ waits }: Check, protocol: Protocol): number {
  return waits === undefined ? 0 : Math.ceil(spanMs(waits(protocol), protocol) / 1_000);
}

/** Why a check cannot be run against a target; undefined if it can. Registrations are allotted separately (schedule.ts). */
export function lackOf(
  check: Check,
  target: Target,
  offers: Offers,
  { allowWrites }: { readonly allowWrites: boolean },
): Reason | undefined {
  const need = check.needs.find((name) => name !== 'clock' && !offers.has.has(name) && !runsWithout(check, name));
  if (need !== undefined) return offers.lacks[need] ?? lacking(need, `the target lacks ${need}`);
  const clock = clockLackOf(check, target, offers);
  if (clock !== undefined) return clock;
  const call = check.controls?.find((name) => offers.controls.size > 0 && !offers.controls.has(name));
  if (call !== undefined) return lacking('control', `the control API has no ${call}`, call);
  const registers = check.registers > 0 || (check.walletRegisters ?? 0) > 0 || (check.tokens ?? 0) > 0;
  if (registers && lacksSecret(target)) return SECRET_LACKING;
  const unsuitableFor = check.unsuitableFor?.(target);
  if (unsuitableFor !== undefined) return asReason(unsuitableFor);
  if (check.writes && !allowWrites && !isLoopback(target.baseUrl)) {
    return lacking('writes', 'it writes, and the target is not on this machine: --allow-writes lets it');
  }
  return undefined;
}
