/** A key acts for its own agent and for no other (section 5): on every route that takes one. Child registration: register-child.ts. */
import { costOf, type ProtectedRoute, protectedRoutes, sendAs, twoReady } from '../steps/protected-routes.js';
import { authorizationFor, registerChild, spawn } from '../steps/spawn-call.js';
import { family, listed, sponsor, sponsored } from '../steps/sponsor-call.js';
import { finalize, link, nonceFor, walletIs } from '../steps/wallet-call.js';
import type { Check } from '../trial/check.js';
import type { Trial } from '../trial/trial.js';
import { look } from './lookup.js';

/** Routes where one agent's request names another: their checks are written out below. */
const NAMING: ReadonlySet<string> = new Set([
  'spawn',
  'wallet',
  'sponsor.post',
  'sponsor.delete',
  'sponsor.get',
  'register',
]);

/** Fields of the status of an agent that only its own requests may change (D-19). */
const OWN = ['status', 'wallet', 'sigil', 'identity_class', 'metadata', 'beat_state'] as const;

/** That the status of an agent is the same as it was before steps of somebody else. */
async function untouched(t: Trial, hash: string, steps: () => Promise<void>): Promise<void> {
  const before = t.accepted(await look(t, 'status', hash));
  await steps();
  const after = t.accepted(await look(t, 'status', hash));
  for (const field of OWN) {
    if (before.get(field) === undefined) continue;
    t.shows('key.agent.bound').through('D-19').field(after, field, before.get(field));
  }
}

const ownOnly = protectedRoutes
  .filter(({ id }) => !NAMING.has(id))
  .map(
    (route: ProtectedRoute): Check => ({
      ...costOf(route, 2, 6),
      id: `auth/${route.word}-of-another`,
      title: `A key calls ${route.word} for its own agent, and leaves another one untouched`,
      clauses: ['key.agent.bound'],
      async run(t) {
        const [one, other] = await twoReady(t, route);
        await untouched(t, one.hash, async () => {
          const reply = t.accepted(await sendAs(t, route, other), 'key.agent.bound');
          if (other.names !== undefined)
            t.shows('key.agent.bound')
              .through('D-12')
              .field(reply, ...other.names);
        });
        // The other agent's requests have used up nothing of this one's limits.
        const reply = t.accepted(await sendAs(t, route, one), 'key.agent.bound');
        if (one.names !== undefined)
          t.shows('key.agent.bound')
            .through('D-12')
            .field(reply, ...one.names);
      },
    }),
  );

const authWalletOfAnother: Check = {
  id: 'auth/wallet-of-another',
  title: 'A link that was signed for one agent is refused under the key of another',
  clauses: ['key.agent.bound', 'wallet.self-custody.message'],
  needs: [],
  registers: 2,
  requests: 8,
  writes: true,
  refusal: true,
  async run(t) {
    const [one, other, wallet] = [await t.root(), await t.root(), t.wallet()];
    const body = finalize(t, 'self-custody', { agent: one, nonce: await nonceFor(t, one), wallet });
    t.refusedWith(await link(t, other, body), '4xx', 'key.agent.bound', 'wallet.self-custody.message');
    const nonce = await nonceFor(t, one);
    t.accepted(await link(t, one, finalize(t, 'self-custody', { agent: one, nonce, wallet })), 'key.agent.bound');
    walletIs(t, t.accepted(await look(t, 'status', one.hash)), wallet, 'key.agent.bound');
    const left = t.accepted(await look(t, 'status', other.hash));
    t.shows('key.agent.bound').through('D-19').field(left, 'wallet', null);
  },
};

const authSpawnOfAnother: Check = {
  id: 'auth/spawn-of-another',
  title: 'Nobody but its parent makes the lineage link of a child',
  clauses: ['key.parent.spawn', 'key.agent.bound'],
  needs: ['beats'],
  registers: 3,
  requests: 10,
  writes: true,
  refusal: true,
  async run(t) {
    const [parent, other] = [await t.root({ init: true }), await t.root({ init: true })];
    const child_name = t.word();
    const spawn_authorization = await authorizationFor(t, parent, child_name);
    const body = { name: child_name, parent: parent.hash, spawn_authorization };
    const registered = t.accepted(await registerChild(t, parent.key, body)).get('hash');
    const child_hash = t.need(typeof registered === 'string' ? registered : undefined, 'the hash of a child', 'D-16');
    t.refusedWith(await spawn(t, other, { child_name, child_hash }), '4xx', 'key.parent.spawn', 'key.agent.bound');
    t.accepted(await spawn(t, parent, { child_name, child_hash }), 'key.parent.spawn');
  },
};

const sponsoring = { needs: ['beats'], registers: 1, walletRegisters: 4, writes: true, refusal: true } as const;

const authSponsorPostOfAnother: Check = {
  ...sponsoring,
  id: 'auth/sponsor-post-of-another',
  title: 'The key of an agent that is no ancestor sponsors nobody',
  clauses: ['key.parent.sponsor', 'key.agent.bound', 'sponsor.error.sponsor-not-ancestor'],
  requests: 17,
  async run(t) {
    const [{ parent, child }, other] = [await family(t), await t.walletRoot({ init: true })];
    const refused = await sponsor(t, other, child.hash);
    const clauses = ['key.parent.sponsor', 'key.agent.bound', 'sponsor.error.sponsor-not-ancestor'];
    t.refused(refused, 'sponsor/SPONSOR_NOT_ANCESTOR', ...clauses);
    const made = t.accepted(await sponsor(t, parent, child.hash), 'key.parent.sponsor');
    t.shows('key.agent.bound').field(made, 'sponsorship.parent_hash', parent.hash);
  },
};

const authSponsorDeleteOfAnother: Check = {
  ...sponsoring,
  id: 'auth/sponsor-delete-of-another',
  title: 'The key of another agent revokes no sponsorship',
  clauses: ['key.parent.sponsor', 'key.agent.bound'],
  requests: 19,
  async run(t) {
    const [{ parent, child }, other] = [await family(t), await t.walletRoot({ init: true })];
    await sponsored(t, parent, child);
    const body = { child_hash: child.hash };
    const refused = await t.call('sponsor.delete', { key: other.key, body, mayMiss: true });
    t.refusedWith(refused, '4xx', 'key.parent.sponsor', 'key.agent.bound');
    const { reply, path } = await listed(t, parent, child.hash);
    t.shows('key.agent.bound').field(reply, `${path}.status`, 'active');
    t.accepted(await t.call('sponsor.delete', { key: parent.key, body }), 'key.parent.sponsor');
  },
};

const authSponsorGetOfAnother: Check = {
  ...sponsoring,
  refusal: false,
  id: 'auth/sponsor-get-of-another',
  title: "The key of another agent lists none of a sponsor's sponsorships",
  clauses: ['key.agent.bound'],
  requests: 18,
  async run(t) {
    const [{ parent, child }, other] = [await family(t), await t.walletRoot({ init: true })];
    await sponsored(t, parent, child);
    const list = t.accepted(await t.call('sponsor.get', { key: other.key }));
    const own = t.shows('key.agent.bound');
    own.of(list, 'sponsorships of somebody else', !list.text.includes(child.hash), 'none of them', list.excerpt());
    const { reply, path } = await listed(t, parent, child.hash);
    own.field(reply, `${path}.parent_hash`, parent.hash);
  },
};

export const authOfAnotherChecks: readonly Check[] = [
  ...ownOnly,
  authWalletOfAnother,
  authSpawnOfAnother,
  authSponsorPostOfAnother,
  authSponsorDeleteOfAnother,
  authSponsorGetOfAnother,
];
