/**
 * Others in the life of an agent, whatever kind it is and whatever has become of it: they look it up, complain of it, and lower a fee
 * of it. What each call answers in full is judged by the checks of its endpoint.
 */
import type { Reply } from '../assertions/reply.js';
import type { Agent, WalletAgent } from '../trial/fixtures.js';
import { tried } from '../trial/presence.js';
import type { Trial } from '../trial/trial.js';
import { GONE, gone } from './checkin-call.js';
import { complaint, type Flags } from './flagging.js';
import { adminKey } from './keys.js';
import { AS_VERIFY, batchAsVerify } from './verify-batch-call.js';

/** The clauses that others show of every kind. */
export const OF_OTHERS = [
  'flag.rule.target-exists',
  'subsidy.post.reply',
  'subsidy.delete.reply',
  'status.purpose',
  ...AS_VERIFY,
  'verify-batch.reply.summary',
  ...GONE,
] as const;

/** Those who have to do with one agent: a reporter with a SIGIL, and an administrator where the target has one. */
export class Others {
  #filed: Reply | undefined;

  constructor(
    readonly t: Trial,
    readonly agent: Agent,
    readonly flags: Flags,
    readonly reporter: WalletAgent,
  ) {}

  /** 4.14, 4.1 and 4.15: it is found, by each lookup that is there, and the retired call is gone for it. */
  async find(): Promise<void> {
    const { t, agent } = this;
    await tried(() => batchAsVerify(t, agent.hash));
    await tried(async () => gone(t, await t.call('checkin', { key: agent.key, body: {}, mayMiss: true })));
    await tried(async () => {
      const status = await t.call('status', { params: { hash: agent.hash }, mayMiss: true });
      t.alsoShows('status.purpose').succeeds(status);
    });
  }

  /** 4.16: it may be complained of, and whichever class is asserted. */
  async complain(asserted_class: string): Promise<void> {
    const { t, agent, flags, reporter } = this;
    const filed = await flags.file(reporter, complaint(agent, { asserted_class }));
    this.#filed = t.accepted(filed, 'flag.rule.target-exists');
  }

  /** 3.5: the complaint is sustained. */
  async sustain(): Promise<void> {
    await this.flags.review(this.t.need(this.#filed, 'a complaint'), 'sustain');
  }

  /** 3.5: the complaint is no more, whether it was sustained or not. */
  async settle(outcome: 'dismiss' | 'resolve'): Promise<void> {
    await this.flags.review(this.t.need(this.#filed, 'a complaint'), outcome);
  }

  /** 4.17: it is granted a discount of the fee of a SIGIL, which one that has its SIGIL never pays again. */
  async discount(): Promise<void> {
    const { t, agent } = this;
    if (!t.session.offers.has('admin')) return;
    const terms = { fee_type: 'sigil', discount_bps: 5_000, reason: 'a check of the suite' };
    await tried(async () => {
      const body = { agent_hash: agent.hash, ...terms };
      const reply = await t.call('subsidy.post', { key: await adminKey(t), body, mayMiss: true });
      t.alsoShows('subsidy.post.reply').succeeds(reply);
    });
  }

  /** 4.17: the discount ends. */
  async endDiscount(): Promise<void> {
    const { t, agent } = this;
    if (!t.session.offers.has('admin')) return;
    await tried(async () => {
      const body = { agent_hash: agent.hash, fee_type: 'sigil' };
      const reply = await t.call('subsidy.delete', { key: await adminKey(t), body, mayMiss: true });
      t.alsoShows('subsidy.delete.reply').succeeds(reply);
    });
  }
}
