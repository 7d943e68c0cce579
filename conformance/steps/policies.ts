/** Decides which deployment policies (beats required, own wallets) a check can judge, from the target file. */
import { errorRows } from '../../spec/parts.js';
import type { Reply } from '../assertions/reply.js';
import { Unjudged } from '../assertions/unjudged.js';
import type { Target } from '../target/target.js';
import { makeRoot } from '../trial/fixtures.js';
import { once } from '../trial/session.js';
import type { Trial } from '../trial/trial.js';
import { purchase } from './paid.js';

/** Why a check cannot judge a deployment of this policy; undefined when it can. */
type Unfit = (target: Target) => string | undefined;

/** For checks of a resync that takes a receipt (4.10). */
export const beatsRequiredOnly: Unfit = ({ beatsRequired }) =>
  beatsRequired ? undefined : 'it applies while BEATS_REQUIRED is true, and the target file says beats_required: false';

/** For checks of a free resync (D-35). */
export const beatsFreeOnly: Unfit = ({ beatsRequired }) =>
  beatsRequired
    ? 'it applies while BEATS_REQUIRED is false, which a target file says with beats_required: false'
    : undefined;

/** For checks of paid routes that require a linked wallet (5, rule 2). */
export const byoWalletOnly: Unfit = ({ byoWallet }) =>
  byoWallet ? undefined : 'it applies under the BYO-wallet policy, and the target file says byo_wallet: false';

/** Why the clauses of the policy are not judged if a target does not follow it. */
const POLICY_OFF =
  'the target does not enforce the BYO-wallet policy (D-28): state byo_wallet: false in the target file';

/** Ends a check of the BYO-wallet policy if neither the target file states it nor a purchase without a wallet shows it. */
export async function needByoWallet(t: Trial): Promise<void> {
  if (t.session.target.statedPolicies?.includes('byo_wallet') === true) return;
  const isOn = await once(t.session, 'BYO-wallet policy', async () => {
    const own = t.session.runTrial();
    const { key } = await makeRoot(own, { init: true });
    const body = { ...purchase(own), payment_tx: own.hex(32) };
    return policyShows(own, await own.call('sigil', { key, body }));
  });
  if (!isOn) throw new Unjudged('not-tested', POLICY_OFF);
}

/** Whether the BYO-wallet policy is on: the target file says so, or a purchase of an agent without a wallet shows it. */
export function policyIsOn(t: Trial, reply: Reply): boolean {
  return policyShows(t, reply) || t.session.target.statedPolicies?.includes('byo_wallet') === true;
}

/** Whether a purchase was refused because the agent has no wallet, and not because of its payment. */
function policyShows(t: Trial, reply: Reply): boolean {
  const rows = Object.entries(errorRows(t.protocol)).filter(([key]) => key.startsWith('sigil/PAYMENT_'));
  return reply.status >= 400 && !rows.some(([, { code }]) => code === reply.get('code'));
}
