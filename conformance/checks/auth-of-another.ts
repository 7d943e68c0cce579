/**
 * Requests whose body or path names another agent than their key (section 5). Requests that name no agent are in auth.ts, child registration is in
 * register-child.ts.
 */

import { spawn } from '../moves/spawn.js';
import { endSponsorship, listSponsorships, sponsor } from '../moves/sponsor.js';
import { link, linkBody } from '../moves/wallet.js';
import { authorizationFor, registerChild } from '../steps/spawn-call.js';
import { family, listed } from '../steps/sponsor-call.js';
import { linkOf, nonceFor } from '../steps/wallet-call.js';
import type { WrittenCheck } from '../trial/check.js';
import { look } from './lookup.js';

const authWalletOfAnother: WrittenCheck = {
  id: 'auth/wallet-of-another',
  title: 'A wallet link signed for one agent is refused under the key of another',
  async run(t) {
    const [one, other, wallet] = [await t.root(), await t.root(), t.wallet()];
    const body = linkBody(linkOf(t, 'self-custody', one, await nonceFor(t, one), wallet));
    t.refused(await t.send(link(other, body)), '4xx', 'key.agent.bound', 'wallet.self-custody.message');
    const nonce = await nonceFor(t, one);
    t.accepted(await t.send(link(one, linkBody(linkOf(t, 'self-custody', one, nonce, wallet)))), 'key.agent.bound');
    for (const { hash } of [one, other]) await look(t, 'status', hash);
  },
};

const authSpawnOfAnother: WrittenCheck = {
  id: 'auth/spawn-of-another',
  title: 'A lineage link of a child under the key of another agent is refused',
  needs: ['beats'],
  async run(t) {
    const [parent, other] = [await t.root({ init: true }), await t.root({ init: true })];
    const child_name = t.word();
    const spawn_authorization = await authorizationFor(t, parent, child_name);
    const body = { name: child_name, parent: parent.hash, spawn_authorization };
    const registered = t.mustSucceed(await registerChild(t, parent.key, body)).get('hash');
    const child_hash = t.need(typeof registered === 'string' ? registered : undefined, 'the hash of a child', 'D-16');
    t.refused(await t.send(spawn(other, { child_name, child_hash })), '4xx', 'key.parent.spawn', 'key.agent.bound');
    t.accepted(await t.send(spawn(parent, { child_name, child_hash })), 'key.parent.spawn');
  },
};

const sponsoring = { needs: ['beats'] } as const;

const authSponsorPostOfAnother: WrittenCheck = {
  ...sponsoring,
  id: 'auth/sponsor-post-of-another',
  title: 'A sponsorship under the key of an agent that is not an ancestor is refused',
  async run(t) {
    const [{ parent, child }, other] = [await family(t), await t.walletRoot({ init: true })];
    t.refused(await t.send(sponsor(other, child.hash)), '4xx', 'key.parent.sponsor', 'key.agent.bound');
    t.accepted(await t.send(sponsor(parent, child.hash)), 'key.parent.sponsor');
  },
};

const authSponsorDeleteOfAnother: WrittenCheck = {
  ...sponsoring,
  id: 'auth/sponsor-delete-of-another',
  title: 'A revocation of a sponsorship under the key of another agent is refused',
  async run(t) {
    const [{ parent, child }, other] = [await family(t), await t.walletRoot({ init: true })];
    await t.send(sponsor(parent, child.hash));
    const refused = await t.send(endSponsorship(other, child.hash), { mayMiss: true });
    t.refused(refused, '4xx', 'key.parent.sponsor', 'key.agent.bound');
    await listed(t, parent, child.hash);
    t.accepted(await t.send(endSponsorship(parent, child.hash)), 'key.parent.sponsor');
  },
};

const authSponsorGetOfAnother: WrittenCheck = {
  ...sponsoring,
  id: 'auth/sponsor-get-of-another',
  title: "A listing under the key of another agent does not show a sponsor's sponsorships",
  async run(t) {
    const [{ parent, child }, other] = [await family(t), await t.walletRoot({ init: true })];
    await t.send(sponsor(parent, child.hash));
    const list = t.mustSucceed(await t.send(listSponsorships(other)));
    const none = !list.text.includes(child.hash);
    t.shows('key.agent.bound').that('sponsorships of another agent', none, 'none listed', list.excerpt(), list);
    await listed(t, parent, child.hash);
  },
};

export const authOfAnotherChecks: readonly WrittenCheck[] = [
  authWalletOfAnother,
  authSpawnOfAnother,
  authSponsorPostOfAnother,
  authSponsorDeleteOfAnother,
  authSponsorGetOfAnother,
];
