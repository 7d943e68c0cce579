/** Steps that flag agents. Assertions about flags are in the flag checks. */

import { sigilTiersOf } from '../../spec/parts.js';
import type { SigilTier } from '../../spec/vocabulary.js';
import type { Reply } from '../assertions/reply.js';
import { type Complaint, flag } from '../moves/flag.js';
import type { CallOptions } from '../trial/caller.js';
import type { Agent, WalletAgent } from '../trial/fixtures.js';
import type { Trial } from '../trial/trial.js';
import { buy, purchase } from './paid.js';
import { withCleanup } from './with-cleanup.js';

/** Options of sending a flag. */
export type FlagOptions = Pick<CallOptions, 'mayLimit' | 'mayMiss' | 'address'>;

/** The flags of one check, and their review by the control API. */
export class Flags {
  readonly #pending = new Set<string>();

  constructor(readonly t: Trial) {}

  /** Files a flag; an accepted one is pending until a review. */
  async file(by: Agent, body: Complaint, options: FlagOptions = {}): Promise<Reply> {
    const reply = await this.t.send(flag(by, body), options);
    const id = reply.get('flag_id');
    if (typeof id === 'string') this.#pending.add(id);
    return reply;
  }

  /** Reviews the flag that a reply names (D-36). */
  async review(filed: Reply, outcome: 'sustain' | 'dismiss' | 'resolve'): Promise<void> {
    const id = filed.string('flag_id');
    await this.t.control(`POST flags/${encodeURIComponent(id)}/review`, { outcome });
    this.#pending.delete(id);
  }

  /** Dismisses the flags that are still pending. */
  async dismissAll(): Promise<void> {
    for (const id of this.#pending)
      await this.t.control(`POST flags/${encodeURIComponent(id)}/review`, { outcome: 'dismiss' });
    this.#pending.clear();
  }
}

/** Files flags, and leaves none pending: the circuit breaker counts them for the whole service (section 8). */
export async function flagging(t: Trial, steps: (flags: Flags) => Promise<void>): Promise<void> {
  const flags = new Flags(t);
  await withCleanup(
    () => steps(flags),
    () => flags.dismissAll(),
  );
}

/**
 * A reporter with a SIGIL, and a target without one. Two registrations with a wallet and one without. A removed tier is replaced by `ind`, which is
 * not the sandbox either.
 */
export async function pair(
  t: Trial,
  wanted: Exclude<SigilTier, 'sbx'> = 'ind',
): Promise<{ readonly reporter: WalletAgent; readonly target: Agent }> {
  const tier = sigilTiersOf(t.protocol).includes(wanted) ? wanted : 'ind';
  const target = await t.root();
  const reporter = await t.walletRoot({ init: true });
  t.mustSucceed(await buy(t, reporter, purchase(t, { tier })));
  return { target, reporter };
}
