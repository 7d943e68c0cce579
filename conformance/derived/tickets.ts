/**
 * Checks of tickets: nonces, tokens, authorizations and receipts. A ticket is valid once, for one purpose and one owner, for a limited time. Each
 * kind is used for every other purpose, by another agent, just before and after its expiry, after a later ticket, and a second time.
 */

import type { Protocol } from '../../spec/protocol.js';
import { heartbeat } from '../moves/heartbeat.js';
import type { Move } from '../moves/move.js';
import {
  challengeOf,
  finalizeOf,
  type Registration,
  register,
  registerByToken,
  registerChild,
  secretHeader,
  signerOf,
} from '../moves/register.js';
import { resync, resyncChallenge, resyncProof } from '../moves/resync.js';
import { spawn } from '../moves/spawn.js';
import { link, linkBody, linkChallenge } from '../moves/wallet.js';
import { flagging } from '../steps/flagging.js';
import { fewest, lapse, penalty } from '../steps/resync-call.js';
import { authorizationFor, costBeats } from '../steps/spawn-call.js';
import { linkOf } from '../steps/wallet-call.js';
import { receiptOf } from '../steps/work.js';
import type { WrittenCheck } from '../trial/check.js';
import type { Trial } from '../trial/trial.js';
import { send } from './after.js';
import { type Actor, childOf, contexts, makeRow, nextBeats, type Row } from './cast.js';

/** A ticket: its value, and the name for which it was requested. */
interface Ticket {
  readonly value: unknown;
  readonly name: string;
}

/** A kind of ticket. */
interface Kind {
  readonly title: string;
  /** Its lifetime; absent if the text gives none. */
  readonly ttlSec?: (protocol: Protocol) => number;
  /** Only a frozen agent can get or use it. */
  readonly whenFrozen?: true;
  readonly make: (row: Row, who: Actor) => Promise<Ticket>;
  /** The request for which the ticket is meant. */
  readonly use: Use;
  /** The same request with a wrong signature, if it has a signature. */
  readonly forge?: Use;
}

type Use = (row: Row, who: Actor, ticket: Ticket) => Promise<Move | undefined> | Move | undefined;

const textOf = ({ value }: Ticket): string => (typeof value === 'string' ? value : JSON.stringify(value));

const registrationOf = (t: Trial, ticket: Ticket): Registration => ({
  ...{ dialect: t.facts.dialect, mode: 'self-custody', name: ticket.name, nonce: textOf(ticket) },
  signer: signerOf('self-custody', t.wallet()),
});

/** All kinds, by the word in the id of their check. */
export const kinds: Readonly<Record<string, Kind>> = {
  'wallet-nonce': {
    title: 'A nonce for linking a wallet',
    ttlSec: ({ wallet }) => wallet.nonceTtlSec,
    make: async ({ t }, who) => ({
      value: t.mustSucceed(await t.send(linkChallenge(who))).get('nonce'),
      name: t.word(),
    }),
    use: ({ t }, who, ticket) => link(who, linkBody(linkOf(t, 'self-custody', who, textOf(ticket)))),
    forge: ({ t, stranger }, who, ticket) => {
      const wallet = t.wallet();
      const { wallet_signature } = linkBody(linkOf(t, 'self-custody', stranger, textOf(ticket), wallet));
      return link(who, linkBody(linkOf(t, 'self-custody', who, textOf(ticket), wallet), wallet_signature));
    },
  },
  'registration-nonce': {
    title: 'A nonce of a registration',
    ttlSec: ({ registration }) => registration.nonceTtlSec,
    make: async ({ t }) => {
      const name = t.word();
      const reply = await t.send(register(t.target, challengeOf('self-custody', name)));
      return { value: t.mustSucceed(reply).get('nonce'), name };
    },
    use: ({ t }, _, ticket) => register(t.target, finalizeOf(registrationOf(t, ticket))),
    forge: ({ t }, _, ticket) => {
      const made = registrationOf(t, ticket);
      return register(t.target, finalizeOf(made, made.signer.sign(ticket.name)));
    },
  },
  token: {
    title: 'A registration token',
    ttlSec: ({ registration }) => registration.tokenTtlSec,
    make: async ({ t }) => {
      const reply = await t.call('register-token', { address: t.newAddress() });
      return { value: t.mustSucceed(reply).get('token'), name: t.word() };
    },
    use: ({ t }, _, ticket) => registerByToken(textOf(ticket), { name: t.word() }),
  },
  authorization: {
    title: 'A spawn authorization',
    ttlSec: ({ spawn }) => spawn.authorizationTtlSec,
    make: async ({ t }, who) => {
      const name = t.word();
      return { value: await authorizationFor(t, who, name, costBeats(t, who.line.length, who.children.length)), name };
    },
    use: (_, who, { name, value }) => registerChild(who, { name, parent: who.hash, spawn_authorization: value }),
  },
  receipt: {
    title: 'A receipt of the beats service',
    make: async ({ t }, who) => ({
      value: await receiptOf(t, costBeats(t, who.line.length, who.children.length)),
      name: t.word(),
    }),
    use: (_, who, { name, value }) => spawn(who, { child_name: name, beats_receipt: value }),
  },
  'resync-receipt': {
    title: 'A receipt for a resync',
    whenFrozen: true,
    make: async ({ t }) => ({ value: await receiptOf(t, penalty(t, fewest(t) + 8)), name: t.word() }),
    use: (_, who, { value }) => resync(who, value),
  },
  'resync-nonce': {
    title: 'A nonce of a resync by challenge',
    ttlSec: ({ resync: numbers }) => numbers.nonceTtlSec,
    whenFrozen: true,
    make: async ({ t }, who) => ({
      value: (await t.send(resyncChallenge(who), { address: t.newAddress() })).get('challenge.nonce'),
      name: t.word(),
    }),
    // Three beats are too few, but enough beats would take seconds. The model knows which refusal comes first.
    use: async (row, who, ticket) => {
      const proof = await nextBeats(row, who);
      return proof && resyncProof(who, textOf(ticket), proof);
    },
  },
};

/** By purpose: the request that uses a ticket of any kind. To pay for a heartbeat is one of the purposes. */
const purposes: Readonly<Record<string, Use>> = {
  ...Object.fromEntries(Object.entries(kinds).map(([word, { use }]) => [word, use])),
  payment: (_, who, ticket) => heartbeat(who, textOf(ticket)),
  'token-beside-secret': ({ t }, _, ticket) => {
    const { headers, ...move } = registerByToken(textOf(ticket), { name: t.word() });
    return { ...move, headers: { 'x-registration-secret': t.word(), ...secretHeader(t.target), ...headers } };
  },
};

/**
 * Uses tickets of one kind in all these ways. The agents: the owner, its child, another root, a root with two tickets, and a root that uses
 * a ticket just before its expiry.
 */
async function play(row: Row, word: string, { make: ask, use, forge, ttlSec, whenFrozen }: Kind): Promise<void> {
  const { t, subject: owner } = row;
  const kin = await childOf(t, owner);
  const [other, twice, late] = [await contexts.bare.make(t), await contexts.bare.make(t), await contexts.bare.make(t)];
  const make = async (who: Actor): Promise<Ticket> => {
    const { value, name } = await ask(row, who);
    return { value: t.need(value ?? undefined, `a ${word.replaceAll('-', ' ')}`), name };
  };
  const by = async (who: Actor, ticket: Ticket, how = use): Promise<void> => send(row, await how(row, who, ticket));
  // All agents are made at one moment, so they are frozen at one moment.
  if (whenFrozen === true)
    for (const who of [owner, kin, other, twice, late]) await lapse(t, who, who === owner ? {} : { left: 0 });

  await t.part(async () => {
    const ofKin = await make(kin);
    await by(owner, ofKin);
    const ticket = await make(owner);
    for (const [purpose, how] of Object.entries(purposes)) if (purpose !== word) await by(owner, ticket, how);
    for (const who of [kin, other, owner, owner]) await by(who, ticket);
    await by(kin, ofKin);
  });
  await t.part(async () => {
    const [first, second] = [await make(twice), await make(twice)];
    for (const ticket of [first, second]) await by(twice, ticket);
  });
  const ttl = ttlSec?.(t.protocol);
  if (ttl === undefined) return;
  await t.part(async () => {
    const [before, after] = [await make(late), await make(other)];
    await t.sleep({ sec: ttl - 1 });
    await by(late, before);
    // A refused request does not extend the lifetime of a ticket.
    await by(other, after, forge ?? (() => undefined));
    await t.sleep({ sec: 2 });
    for (const [who, ticket] of [
      [other, after],
      [late, before],
    ] as const)
      await by(who, ticket);
  });
}

export const ticketChecks: readonly WrittenCheck[] = Object.entries(kinds).map(([word, kind]) => ({
  id: `tickets/${word}`,
  title: `${kind.title} is valid once, only for its owner and its purpose, and until it expires`,
  needs: ['clock', 'payments', 'beats', 'control'],
  controls: ['flags/:id/review'],
  readsItself: true,
  run: (t) => flagging(t, async (flags) => play(await makeRow(t, flags, 'bare'), word, kind)),
}));
