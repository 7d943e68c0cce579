/**
 * Steps that obtain administrator and partner keys by the control API. Keys of agents come from registration
 * (trial/fixtures.ts).
 */
import type { Reply } from '../assertions/reply.js';
import { needGivenKey } from '../trial/control-effects.js';
import type { Agent } from '../trial/fixtures.js';
import { once } from '../trial/session.js';
import type { Trial } from '../trial/trial.js';

/** A partner that the control API has registered. */
export interface Partner {
  readonly key: string;
  /** The value of `ref` that puts an agent under it at registration (D-37). */
  readonly ref: string;
}

/** An admin key: that of the target file, otherwise a fresh one from the control API. */
export async function adminKey(t: Trial): Promise<string> {
  return (await given(t, 'admin_key', t.session.target.adminKey)) ?? freshAdminKey(t);
}

/** A partner key: that of the target file, which all checks share, otherwise that of a fresh partner. */
export async function partnerKey(t: Trial): Promise<string> {
  return (await given(t, 'partner_key', t.session.target.partnerKey)) ?? (await freshPartner(t)).key;
}

/** A key of the target file, which the target must accept. */
async function given(
  t: Trial,
  name: 'admin_key' | 'partner_key',
  key: string | undefined,
): Promise<string | undefined> {
  // A check that counts the requests of its address cannot share it with other requests.
  const counts = t.check.runsAlone === true && !t.session.offers.has('client-ip');
  if (key !== undefined && !counts) await t.busyWith(() => needGivenKey(t.session, name, key));
  return key;
}

/** Revokes the key of an agent, by the control API. */
export const revokeKey = (t: Trial, { hash }: Pick<Agent, 'hash'>): Promise<Reply> =>
  t.control(`POST agents/${encodeURIComponent(hash)}/revoke-key`, {});

/** A fresh admin key from the control API. */
export async function freshAdminKey(t: Trial): Promise<string> {
  const reply = await t.control('POST admin-keys', {});
  return reply.string('key');
}

/**
 * The first partner of a run: a faulty server may treat the first number as absent. If webhooks reach the suite, it is the partner of the
 * probe (partner-webhook-call.ts).
 */
export function firstPartner({ session }: Trial): Promise<Partner> {
  return once(session, 'first partner', () => makePartner(session.runTrial()));
}

/** A fresh partner from the control API. If webhooks can be received, it is not the first partner of the run. */
export async function freshPartner(t: Trial): Promise<Partner> {
  if (t.session.receiver !== undefined) await firstPartner(t);
  return makePartner(t);
}

async function makePartner(t: Trial): Promise<Partner> {
  const reply = await t.control('POST partners', { name: t.word() });
  return { key: reply.string('key'), ref: reply.string('ref') };
}
