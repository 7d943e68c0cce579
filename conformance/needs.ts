import type { Check, Need } from './check.js';
import type { Control } from './control.js';
import { isLoopback, type Target } from './target.js';

/** What a target offers to its judges, and why it lacks the rest. */
export interface Offers {
  readonly has: ReadonlySet<Need>;
  /** The calls of its control API. */
  readonly controls: ReadonlySet<string>;
  readonly lacks: Readonly<Partial<Record<Need, string>>>;
}

const LEDGER = ['ledger/wallets', 'ledger/transfers'];
const ADVANCE = 'clock/advance';

/** Every call of the control API: what a plan supposes, since it asks nobody. */
const SUPPOSED = { has: () => true };

/** What the target file alone offers, supposing that a control API has every call. */
export function supposedOffers(target: Target): Offers {
  return offersFrom(target, SUPPOSED, new Set(), undefined);
}

/** What the target offers: its file, and what its control API says about itself. Sends three requests at most. */
export async function askedOffers(target: Target, control: Control | undefined): Promise<Offers> {
  if (control === undefined) return offersFrom(target, new Set<string>(), new Set(), undefined);
  const controls = await control.capabilities();
  const drifts = controls.has(ADVANCE) && (await isMoving(control));
  const clockFault = drifts ? "the target's clock moves by itself, so no moment can be met exactly" : undefined;
  return offersFrom(target, controls, controls, clockFault);
}

const DRIFT_MS = 20;

async function isMoving(control: Control): Promise<boolean> {
  const before = await control.advance(0);
  await new Promise((resolve) => setTimeout(resolve, DRIFT_MS));
  const after = await control.advance(0);
  return after.nowMs !== before.nowMs;
}

function offersFrom(
  target: Target,
  calls: { has(name: string): boolean },
  controls: ReadonlySet<string>,
  clockFault: string | undefined,
): Offers {
  const lacks: Partial<Record<Need, string>> = {};
  const has = new Set<Need>();
  const offer = (need: Need, there: boolean, reason: string): void => {
    if (there) has.add(need);
    else lacks[need] = reason;
  };
  const controlled = target.control !== undefined;
  const noControl = 'the target file names no control API';
  offer('control', controlled, noControl);
  offer(
    'clock',
    controlled && calls.has(ADVANCE) && clockFault === undefined,
    clockFault ?? 'no clock can be moved: the target file names no control API with clock/advance',
  );
  const ledger = LEDGER.every((name) => calls.has(name));
  offer(
    'payments',
    target.payments.kind === 'control' ? controlled && ledger : target.payments.kind !== 'none',
    target.payments.kind === 'none'
      ? 'the target file names no way to pay (payments)'
      : 'the control API cannot make payments',
  );
  offer('client-ip', target.clientIp === 'x-forwarded-for', 'the target does not tell clients apart (client_ip)');
  offer('beats', target.beatsUrl !== null, 'the target file names no beats service (beats_url)');
  const issues = (call: string): boolean => controlled && calls.has(call);
  offer(
    'admin',
    target.adminKey !== undefined || issues('admin-keys'),
    'the target file has no admin_key, and no control API makes one',
  );
  offer(
    'partner',
    target.partnerKey !== undefined || issues('partners'),
    'the target file has no partner_key, and no control API makes one',
  );
  offer('webhooks', target.webhooks !== undefined, 'the target file does not say where webhooks can be received');
  return { has, controls, lacks };
}

/** The offers without one that turns out not to be there, whatever the target file says. */
export function withoutOffer({ has, controls, lacks }: Offers, lacking: Need, reason: string): Offers {
  return {
    has: new Set([...has].filter((need) => need !== lacking)),
    controls,
    lacks: { ...lacks, [lacking]: reason },
  };
}

/** Why `client-ip` is not there although the target file says so. */
export const ADDRESSES_ALIKE =
  'the target counts requests with different X-Forwarded-For together, though its file says client_ip: x-forwarded-for';

/** Why a check that needs something of the ledger itself is left out where fees are paid by other ways than the control API. */
export function unlessByControl(why: string): (target: Target) => string | undefined {
  return ({ payments }) =>
    payments.kind === 'control' ? undefined : `${why}: payments: { kind: control } would do it`;
}

/** Root registration on mainnet takes a secret (4.2): without it no agent can be made. */
export const SECRET_LACKING =
  'root registration on mainnet needs the secret, and the target file has no registration_secret';

/** Whether no root agent can be registered with the target. */
export function lacksSecret({ network, registrationSecret }: Target): boolean {
  return network === 'mainnet' && registrationSecret === undefined;
}

/** Why a check cannot be run against a target; undefined when it can. Registrations are allotted apart (plan.ts). */
export function lackOf(check: Check, target: Target, offers: Offers, allowWrites: boolean): string | undefined {
  const need = check.needs.find((name) => !offers.has.has(name));
  if (need !== undefined) return offers.lacks[need] ?? `the target lacks ${need}`;
  const call = check.controls?.find((name) => offers.controls.size > 0 && !offers.controls.has(name));
  if (call !== undefined) return `the control API has no ${call}`;
  const registers = check.registers > 0 || (check.walletRegisters ?? 0) > 0 || (check.tokens ?? 0) > 0;
  if (registers && lacksSecret(target)) return SECRET_LACKING;
  const unfit = check.unfit?.(target);
  if (unfit !== undefined) return unfit;
  if (check.writes && !allowWrites && !isLoopback(target.baseUrl)) {
    return 'it writes, and the target is not on this machine: --allow-writes lets it';
  }
  return undefined;
}
