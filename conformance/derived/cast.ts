/**
 * The agents of a derived check: the subject of an event, its ancestors, and a stranger. Events are in events.ts, the requests after an event
 * in probes.ts.
 */

import { feeNow, type Item } from '../../model/facts/fees.js';
import type { Agent as Known, Ticket } from '../../model/facts/state.js';
import { Unjudged } from '../assertions/unjudged.js';
import { type Payment, RIGHT } from '../moves/payment.js';
import { sponsor } from '../moves/sponsor.js';
import type { BeatProof } from '../protocol/beats.js';
import type { Wallet } from '../protocol/wallet.js';
import type { Flags } from '../steps/flagging.js';
import { makeChild } from '../steps/spawn-call.js';
import { linkWith } from '../steps/wallet-call.js';
import { chainProof, type Receipt } from '../steps/work.js';
import { type Agent, sigilPriceLamports } from '../trial/fixtures.js';
import type { Trial } from '../trial/trial.js';

/** An agent of a row. */
export interface Actor extends Agent {
  wallet: Wallet | undefined;
  /** Its ancestors, the parent first. */
  readonly line: readonly Actor[];
  readonly children: Actor[];
  /** The latest receipt that it has used. */
  receipt?: Receipt;
}

/** The agents of one check. */
export interface Row {
  readonly t: Trial;
  readonly flags: Flags;
  /** The agent to which the event happens. */
  readonly subject: Actor;
  /** A root with a wallet and a SIGIL, unrelated to the subject. */
  readonly stranger: Actor;
}

const actor = (agent: Agent, wallet?: Wallet, ...line: readonly Actor[]): Actor => ({
  ...agent,
  ...{ wallet, line, children: [] },
});

/** A root with a wallet and a started chain. `sigil`: the class of its SIGIL; absent: no SIGIL. */
export async function root(t: Trial, sigil?: string): Promise<Actor> {
  const made = await t.walletRoot(sigil === undefined ? { init: true } : { sigil });
  return actor(made, made.wallet);
}

/** Makes a child of an agent, starts its chain, and adds it to the parent's children. */
export async function childOf(t: Trial, parent: Actor): Promise<Actor> {
  const { line, children } = parent;
  const made = await makeChild(t, parent, { depth: line.length, siblings: children.length, init: true });
  const child = actor(made, undefined, parent, ...line);
  children.push(child);
  return child;
}

/** A linked wallet gets lamports for this many payments of the cheapest SIGIL's fee. */
const PAYMENTS = 12;

/** Links a wallet with lamports to an agent. */
export async function giveWallet(
  t: Trial,
  who: Actor,
  form: 'self-custody' | 'operator' = 'self-custody',
  wallet = t.wallet(),
): Promise<void> {
  t.mustSucceed(await linkWith(t, who, wallet, form));
  await t.fund(wallet, PAYMENTS * sigilPriceLamports(t.protocol, 'narrow_task'));
  who.wallet = wallet;
}

async function child(t: Trial): Promise<Actor> {
  const parent = await root(t, 'narrow_task');
  const own = await childOf(t, parent);
  t.mustSucceed(await t.send(sponsor(parent, own.hash)));
  return own;
}

async function childWithWallet(t: Trial): Promise<Actor> {
  const own = await child(t);
  await giveWallet(t, own);
  return own;
}

/** Makes a grandchild with two sponsors. `isOne`: the sponsors share one wallet. */
async function grandchild(t: Trial, isOne = false): Promise<Actor> {
  const first = await root(t, 'narrow_task');
  const parent = await childOf(t, first);
  await giveWallet(t, parent, 'self-custody', isOne ? first.wallet : undefined);
  const own = await childOf(t, parent);
  // The farther sponsor comes first: the oldest sponsorship must not be the one of the nearest sponsor.
  for (const by of [first, parent]) t.mustSucceed(await t.send(sponsor(by, own.hash)));
  return own;
}

/** The kinds of subjects by name, each with its words in titles. `make` makes such an agent. */
export const contexts = {
  bare: { title: 'a root without a wallet', make: async (t) => actor(await t.root({ init: true })) },
  plain: { title: 'a root with a wallet', make: (t) => root(t) },
  root: { title: 'a root with a SIGIL', make: (t) => root(t, 'narrow_task') },
  child: { title: 'a sponsored child', make: child },
  'child-with-wallet': { title: 'a sponsored child with a wallet', make: childWithWallet },
  grandchild: { title: 'a grandchild with two sponsors', make: (t) => grandchild(t) },
  'grandchild-of-one-wallet': {
    title: 'a grandchild with two sponsors that share a wallet',
    make: (t) => grandchild(t, true),
  },
} as const satisfies Readonly<Record<string, { title: string; make: (t: Trial) => Promise<Actor> }>>;
export type ContextName = keyof typeof contexts;

/** Makes the agents of a row. */
export async function makeRow(t: Trial, flags: Flags, context: ContextName): Promise<Row> {
  const subject = await contexts[context].make(t);
  return { t, flags, subject, stranger: await root(t, 'narrow_task') };
}

/** The model's entry of an agent. A derived check cannot be judged without a model. */
function known({ session }: Trial, { hash }: Actor): Known {
  const found = session.model?.agents.get(hash.toLowerCase());
  if (found === undefined) throw new Unjudged('not-tested', `needs an agent that the run has seen registered: ${hash}`);
  return found;
}

/** The fee of an agent, in lamports; 1 where the model does not know it, so that the request is refused as underpaid. */
export function feeOf(t: Trial, who: Actor, item: Item): number {
  const state = t.session.model;
  return (state && feeNow(state, known(t, who), item)) ?? 1;
}

/** The payer for an agent: itself, or the nearest of its ancestors that has a wallet. */
export const payerOf = (who: Actor): Actor | undefined => [who, ...who.line].find(({ wallet }) => wallet !== undefined);

/** Pays a fee, correctly or with a fault. Returns its payment_tx; undefined if the fault is a missing payment, or if no wallet can pay. */
export async function pay(row: Row, who: Actor, item: Item, fault: Partial<Payment> = {}): Promise<string | undefined> {
  const { t, stranger } = row;
  const { tx, from, to, excess, status } = { ...RIGHT, ...fault };
  if (tx === 'none') return undefined;
  if (tx === 'unknown') return t.hex(32);
  const wallet = from === 'stranger' ? stranger.wallet : payerOf(who)?.wallet;
  if (wallet === undefined) return undefined;
  const lamports = feeOf(t, who, item) + excess;
  const elsewhere = to === 'elsewhere' ? { to: t.wallet().address } : {};
  return t.pay({ from: wallet, lamports, status, ...elsewhere });
}

/** Returns the latest ticket of an agent: of one kind, and used if `used` is true, else unused. Undefined if the agent has none. */
export function ticketOf({ t }: Row, { hash }: Actor, kind: Ticket['kind'], used: boolean): string | undefined {
  const tickets = t.session.model?.tickets;
  return tickets?.keys().findLast((id) => {
    const ticket = tickets.get(id);
    return ticket?.kind === kind && ticket.of === hash && ticket.used === used;
  });
}

/** Returns the latest used payment of the wallet that pays for an agent; undefined if it has used no payment. */
export function usedPayment({ t }: Row, who: Actor): string | undefined {
  const payments = t.session.model?.payments;
  const from = payerOf(who)?.wallet?.address;
  return payments?.keys().findLast((id) => {
    const payment = payments.get(id);
    return payment?.from === from && payment?.usedFor !== null;
  });
}

/** A proof of the next three beats of an agent's chain; undefined if the model does not know the end of the chain. */
export async function nextBeats({ t }: Row, who: Actor): Promise<BeatProof | undefined> {
  const { beat, hash } = known(t, who).chain;
  return beat === undefined || hash === undefined ? undefined : chainProof(t, { beat, hash }, 3);
}
