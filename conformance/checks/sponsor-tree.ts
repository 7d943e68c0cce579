/** Several sponsorships in one lineage: whom each agent of it may sponsor, list and revoke. One sponsorship is judged in sponsor.ts. */

import { heartbeatFee } from '../steps/paid.js';
import { byoWalletOnly, needByoWallet } from '../steps/policies.js';
import { fewest, lapse } from '../steps/resync-call.js';
import { makeChild } from '../steps/spawn-call.js';
import {
  isListedActive,
  listed,
  notActive,
  onlyOwn,
  sponsor,
  sponsored,
  sponsoredHeartbeat,
} from '../steps/sponsor-call.js';
import { untilFrozen } from '../steps/waits.js';
import { linkWith } from '../steps/wallet-call.js';
import type { Check } from '../trial/check.js';
import type { Agent } from '../trial/fixtures.js';
import type { Trial } from '../trial/trial.js';

const base = { needs: ['beats'], registers: 4, writes: true } as const;

/** Revokes the sponsorship of a child with a key; any sponsor may have given it. */
const end = (t: Trial, { key }: Agent, child_hash: string) =>
  t.call('sponsor.delete', { key, body: { child_hash }, mayMiss: true });

/** A sponsor's listing names an active sponsorship of each of these children. */
async function active(t: Trial, sponsorAgent: Agent, children: readonly Agent[], ...clauses: readonly string[]) {
  const reply = t.accepted(await t.call('sponsor.get', { key: sponsorAgent.key }));
  onlyOwn(t, reply, sponsorAgent.hash);
  const shown = children.every(({ hash }) => isListedActive(reply, hash));
  const expected = `active: ${children.map(({ hash }) => hash).join(', ')}`;
  t.shows(...clauses).of(reply, 'active sponsorships in the listing', shown, expected, reply.get('sponsorships'));
}

/** The terms of a sponsorship, as 2.10 names them. */
const TERMS = ['heartbeats_used_epoch', 'max_heartbeats_epoch', 'expires_at', 'created_at'] as const;

const family: Check = {
  ...base,
  id: 'sponsor/grandchild',
  title: "An agent sponsors its child's child beside its children, and nobody above or beside itself",
  clauses: [
    'sponsor.auth',
    'key.parent.sponsor',
    'sponsor.pays',
    'sponsor.rule.descendant',
    'sponsor.rule.wallet',
    'sponsor.error.sponsor-not-ancestor',
    'sponsor.field.parent-hash',
    'sponsor.get.reply',
    'sponsor.transition.create',
    'register.child.no-wallet',
    'agent.field.parent',
  ],
  requests: 53,
  refusal: true,
  async run(t) {
    const root = await t.root({ init: true });
    // The wallet of an operator is a linked one too.
    await t.setup('a linked wallet', async () => t.accepted(await linkWith(t, root, t.wallet(), 'operator')));
    const elder = await makeChild(t, root, { init: true });
    // A child gets no wallet, in whichever form its parent has one.
    const born = t.accepted(await t.call('status', { params: { hash: elder.hash } }));
    t.shows('register.child.no-wallet').through('D-19').field(born, 'wallet', null);
    const younger = await makeChild(t, root, { siblings: 1 });
    await t.setup('a linked wallet', async () => t.accepted(await linkWith(t, elder)));
    const grandchild = await makeChild(t, elder, { depth: 1, init: true });
    t.accepted(await sponsor(t, root, elder.hash), 'sponsor.rule.wallet');
    t.accepted(await sponsor(t, root, younger.hash), 'sponsor.transition.create');
    const reply = t.accepted(await sponsor(t, root, grandchild.hash), 'sponsor.pays', 'sponsor.rule.descendant');
    t.shows('sponsor.field.parent-hash').field(reply, 'sponsorship.parent_hash', root.hash);
    t.shows('sponsor.rule.descendant').field(reply, 'sponsorship.child_hash', grandchild.hash);
    for (const other of [root, younger]) {
      const refused = await sponsor(t, elder, other.hash);
      const clauses = ['sponsor.rule.descendant', 'sponsor.error.sponsor-not-ancestor'];
      t.refused(refused, 'sponsor/SPONSOR_NOT_ANCESTOR', ...clauses, 'sponsor.auth', 'key.parent.sponsor');
    }
    t.accepted(await sponsor(t, elder, grandchild.hash), 'sponsor.rule.descendant');
    // A new sponsorship leaves those of the same and of other sponsors as they are.
    await active(t, root, [elder, younger, grandchild], 'sponsor.get.reply', 'sponsor.transition.create');
    await active(t, elder, [grandchild], 'sponsor.get.reply');
    const listing = t.accepted(await t.call('sponsor.get', { key: grandchild.key }));
    onlyOwn(t, listing, grandchild.hash);
    const hashes = [root, elder, younger].flatMap(({ hash }) => (isListedActive(listing, hash) ? [hash] : []));
    t.shows('sponsor.get.reply').of(listing, 'sponsorships of others', hashes.length === 0, 'none', hashes);
  },
};

const revokedByOthers: Check = {
  ...base,
  id: 'sponsor/revoked-by-others',
  title: 'Nobody but its sponsor revokes a sponsorship, and the revocation of one leaves the others',
  clauses: [
    'sponsor.auth',
    'key.parent.sponsor',
    'sponsor.delete.body',
    'sponsor.error.sponsor-not-found',
    'sponsor.transition.revoke',
  ],
  registers: 3,
  walletRegisters: 2,
  requests: 44,
  refusal: true,
  async run(t) {
    const root = await t.walletRoot({ init: true });
    const parent = await makeChild(t, root, { init: true });
    await t.setup('a linked wallet', async () => t.accepted(await linkWith(t, parent)));
    const child = await makeChild(t, parent, { depth: 1 });
    const stranger = await t.root();
    const clauses = ['sponsor.auth', 'sponsor.error.sponsor-not-found', 'key.parent.sponsor'];
    await sponsored(t, root, parent);
    await sponsored(t, root, child);
    for (const [who, whose] of [
      [stranger, child],
      [child, child],
      [child, root],
      [parent, root],
      [parent, parent],
    ] as const) {
      t.shows(...clauses).refuses(await end(t, who, whose.hash));
    }
    // An ancestor too, which may sponsor the child and does not.
    const none = await end(t, parent, child.hash);
    t.refused(none, 'sponsor/SPONSOR_NOT_FOUND', ...clauses);
    await active(t, root, [parent, child], 'sponsor.auth');
    await sponsored(t, parent, child);
    t.accepted(await end(t, root, child.hash), 'sponsor.delete.body', 'sponsor.transition.revoke');
    await active(t, parent, [child], 'sponsor.transition.revoke');
    await active(t, root, [parent], 'sponsor.transition.revoke');
    const { reply } = await listed(t, root, parent.hash);
    t.shows('sponsor.transition.revoke').of(
      reply,
      'the sponsorship that was revoked',
      !isListedActive(reply, child.hash),
      'not active',
      reply.get('sponsorships'),
    );
  },
};

const payerAbove: Check = {
  ...base,
  id: 'sponsor/payer-above',
  title: "A sponsor's parent, which sponsors nobody, pays for no child of the sponsor",
  clauses: ['heartbeat.sender.sponsor', 'heartbeat.error.payment-sender-mismatch'],
  needs: ['beats', 'payments'],
  registers: 2,
  walletRegisters: 2,
  requests: 32,
  lamports: (protocol) => 2 * heartbeatFee(protocol, 1).lamports,
  refusal: true,
  unsuitableFor: byoWalletOnly,
  async run(t) {
    await needByoWallet(t);
    const root = await t.walletRoot({ init: true });
    const parent = await makeChild(t, root, { init: true });
    const wallet = t.wallet();
    await t.setup('a linked wallet', async () => t.accepted(await linkWith(t, parent, wallet)));
    await t.fund(wallet, 2 * heartbeatFee(t.protocol, 1).lamports);
    const child = await makeChild(t, parent, { depth: 1, init: true });
    await sponsored(t, parent, child);
    const refused = await sponsoredHeartbeat(t, child, root);
    const clauses = ['heartbeat.sender.sponsor', 'heartbeat.error.payment-sender-mismatch'];
    t.refused(refused, 'heartbeat/PAYMENT_SENDER_MISMATCH', ...clauses);
    if (refused.status < 400) return;
    t.accepted(await sponsoredHeartbeat(t, child, { wallet }), 'heartbeat.sender.sponsor');
  },
};

const rootFroze: Check = {
  ...base,
  id: 'sponsor/root-froze',
  title: "The freeze of a root ends its sponsorship of a child's child, and keeps it from another",
  clauses: [
    'sponsor.transition.frozen.parent',
    'dms.freeze.sponsorships',
    'sponsor.error.sponsor-parent-frozen',
    'sponsor.rule.not-frozen',
  ],
  needs: ['beats', 'clock'],
  registers: 2,
  walletRegisters: 2,
  requests: 30,
  refusal: true,
  waits: untilFrozen(),
  async run(t) {
    const root = await t.walletRoot({ init: true });
    const parent = await makeChild(t, root, { init: true });
    const child = await makeChild(t, parent, { depth: 1 });
    // It starts later than the root, so that it is not frozen with it.
    const late = Math.min(30, fewest(t) - 1);
    await t.sleep({ anchors: late });
    await t.setup('a started child', async () => t.accepted(await t.call('init', { key: child.key })));
    t.accepted(await sponsor(t, root, child.hash));
    await lapse(t, root, { left: fewest(t) - late });
    await notActive(t, root, child.hash, 'sponsor.transition.frozen.parent', 'dms.freeze.sponsorships');
    const clauses = ['sponsor.error.sponsor-parent-frozen', 'sponsor.rule.not-frozen'];
    t.refused(await sponsor(t, root, child.hash), 'sponsor/SPONSOR_PARENT_FROZEN', ...clauses);
  },
};

const siblings: Check = {
  ...base,
  id: 'sponsor/siblings',
  title: 'What a parent does with one child leaves the sponsorship of another as it is',
  clauses: [
    'sponsor.transition.create',
    'sponsor.field.heartbeats-used-epoch',
    'sponsor.field.max-heartbeats-epoch',
    'sponsor.field.expires-at',
    'sponsor.field.created-at',
    'heartbeat.sender.charged',
    'sponsor.pays',
  ],
  needs: ['beats', 'payments'],
  registers: 2,
  walletRegisters: 2,
  requests: 48,
  lamports: (protocol) => 4 * heartbeatFee(protocol, 1).lamports,
  async run(t) {
    const parent = await t.walletRoot({ init: true });
    const child = await makeChild(t, parent, { init: true });
    await sponsored(t, parent, child, { max_heartbeats_epoch: 7, expires_in_hours: 48 });
    t.accepted(await sponsoredHeartbeat(t, child, parent), 'sponsor.pays');
    const terms = async (of: Agent): Promise<ReadonlyMap<string, unknown>> => {
      const { reply, path } = await listed(t, parent, of.hash);
      return new Map(TERMS.map((field) => [field, reply.get(`${path}.${field}`)]));
    };
    const given = await terms(child);
    const kept = async (after: string): Promise<void> => {
      const { reply, path } = await listed(t, parent, child.hash);
      const active = isListedActive(reply, child.hash);
      t.shows('sponsor.transition.create').of(reply, path, active, `active ${after}`, reply.get(`${path}.status`));
      t.shows('heartbeat.sender.charged').field(reply, `${path}.heartbeats_used_epoch`, 1);
      for (const [field, value] of given)
        t.shows(`sponsor.field.${field.replaceAll('_', '-')}`).field(reply, `${path}.${field}`, value);
    };
    const sibling = await makeChild(t, parent, { siblings: 1, init: true });
    await kept('after the birth of a sibling');
    await sponsored(t, parent, sibling, { max_heartbeats_epoch: 9 });
    await kept('after a sibling was sponsored');
    t.accepted(await sponsoredHeartbeat(t, sibling, parent), 'sponsor.pays');
    await kept('after a heartbeat of the sibling');
    t.accepted(await sponsor(t, parent, sibling.hash, { max_heartbeats_epoch: 11, expires_in_hours: 3 }));
    await kept("after the sibling's terms were changed");
    t.accepted(await end(t, parent, sibling.hash));
    await kept("after the sibling's was revoked");
  },
};

export const sponsorTreeChecks: readonly Check[] = [family, revokedByOthers, payerAbove, rootFroze, siblings];
