/** Sponsorships: who may sponsor whom, under which terms, and what listings show. Payments are in sponsor-heartbeat.ts. */

import { instantMs } from '../../model/reading/field-tests.js';
import { HOUR_MS } from '../../spec/time.js';
import type { Reply } from '../assertions/reply.js';
import { lapse } from '../steps/resync-call.js';
import { makeChild } from '../steps/spawn-call.js';
import { family, isListedActive, listed, sponsor, sponsored } from '../steps/sponsor-call.js';
import { HOURS_OF_SEASONS, untilFrozen } from '../steps/waits.js';
import { linkWith } from '../steps/wallet-call.js';
import type { Check } from '../trial/check.js';
import type { Agent } from '../trial/fixtures.js';
import type { Trial } from '../trial/trial.js';

const base = { needs: ['beats'], registers: 1, walletRegisters: 2, writes: true } as const;
/** A server may take this long from its clock to the reply. */
const NEAR_MS = 10_000;

function near(ms: number | undefined, expectedMs: number): boolean {
  return ms !== undefined && Math.abs(ms - expectedMs) <= NEAR_MS;
}

const create: Check = {
  ...base,
  id: 'sponsor/create',
  title: 'An ancestor sponsors a child, for 100 heartbeats an epoch where it names no cap',
  clauses: [
    'sponsor.route.post',
    'sponsor.auth',
    'key.parent.sponsor',
    'sponsor.post.body.child-hash',
    'sponsor.post.body.max-heartbeats-epoch.default',
    'sponsor.post.reply',
    'sponsor.transition.create',
    'sponsor.field.parent-hash',
    'sponsor.field.child-hash',
    'sponsor.field.status',
    'sponsor.field.max-heartbeats-epoch',
    'sponsor.field.heartbeats-used-epoch',
    'sponsor.expires-at.none',
    'sponsor.created-at.listing',
  ],
  requests: 11,
  async run(t) {
    const { parent, child } = await family(t);
    const sent = await sponsor(t, parent, child.hash);
    const reply = t.accepted(
      sent,
      'sponsor.auth',
      'key.parent.sponsor',
      'sponsor.post.body.child-hash',
      'sponsor.post.body.max-heartbeats-epoch.default',
      'sponsor.transition.create',
    );
    t.shows('sponsor.field.parent-hash').field(reply, 'sponsorship.parent_hash', parent.hash);
    t.shows('sponsor.field.child-hash').field(reply, 'sponsorship.child_hash', child.hash);
    const cap = t.protocol.sponsor.heartbeatsEpochDefault;
    t.shows('sponsor.post.body.max-heartbeats-epoch.default').field(reply, 'sponsorship.max_heartbeats_epoch', cap);
    t.shows('sponsor.field.heartbeats-used-epoch').field(reply, 'sponsorship.heartbeats_used_epoch', 0);
    t.shows('sponsor.expires-at.none').field(reply, 'sponsorship.expires_at', null);
    t.shows('sponsor.created-at.listing').field(reply, 'sponsorship.created_at', undefined);
  },
};

const list: Check = {
  ...base,
  id: 'sponsor/list-and-update',
  title: 'Sponsoring again replaces the terms, and the listing shows them',
  clauses: [
    'sponsor.route.get',
    'sponsor.get.body',
    'sponsor.get.reply',
    'sponsor.transition.update',
    'sponsor.update.terms',
    'sponsor.update.created-at',
    'sponsor.field.expires-at',
    'sponsor.field.created-at',
    'convention.time.expires-at',
    'convention.time.created-at',
    'sponsor.created-at.listing',
    'sponsor.field.max-heartbeats-epoch',
    'sponsor.post.body.expires-in-hours',
    'sponsor.post.body.max-heartbeats-epoch',
  ],
  needs: ['beats', 'clock'],
  requests: 27,
  async run(t) {
    const { parent, child } = await family(t);
    // A sponsorship is younger than its child.
    await t.sleep({ sec: 60 });
    await sponsored(t, parent, child, { max_heartbeats_epoch: 7 });
    const first = await listed(t, parent, child.hash);
    const createdMs = instantMs(first.reply.get(`${first.path}.created_at`));
    const created = first.reply.get(`${first.path}.created_at`);
    t.shows('sponsor.field.created-at').of(first.reply, 'created_at', near(createdMs, t.nowMs()), 'now', created);
    t.shows('sponsor.created-at.listing').that('created_at in a listing', createdMs !== undefined, 'a time', 'nothing');
    await t.sleep({ sec: 60 });
    const later = await listed(t, parent, child.hash);
    const shown = later.reply.get(`${later.path}.created_at`);
    const kept = instantMs(shown) === createdMs;
    t.shows('sponsor.field.created-at').of(later.reply, 'created_at a minute later', kept, 'as it was', shown);
    const again = await sponsor(t, parent, child.hash, { max_heartbeats_epoch: 9, expires_in_hours: 2 });
    t.accepted(
      again,
      'sponsor.transition.update',
      'sponsor.post.body.expires-in-hours',
      'sponsor.post.body.max-heartbeats-epoch',
    );
    t.shows('sponsor.transition.update').field(again, 'sponsorship.status', 'active');
    // The model judges expires_at.
    for (const expires_in_hours of [...HOURS_OF_SEASONS, 2])
      t.accepted(await sponsor(t, parent, child.hash, { max_heartbeats_epoch: 9, expires_in_hours }));
    const { reply, path } = await listed(t, parent, child.hash);
    const all = reply.get('sponsorships');
    const count = Array.isArray(all) ? all.length : 0;
    t.shows('sponsor.transition.update').of(reply, 'sponsorships of one child', count === 1, '1', count);
    t.shows('sponsor.get.body').succeeds(reply);
    t.shows('sponsor.update.terms').field(reply, `${path}.max_heartbeats_epoch`, 9);
    const cap = reply.get(`${path}.max_heartbeats_epoch`);
    t.shows(
      'sponsor.post.body.max-heartbeats-epoch',
      'sponsor.field.max-heartbeats-epoch',
      'sponsor.transition.update',
    ).of(reply, 'max_heartbeats_epoch as it was last set', cap === 9, '9', cap);
    const untilMs = instantMs(reply.get(`${path}.expires_at`));
    const hours = t.shows(
      'sponsor.post.body.expires-in-hours',
      'sponsor.field.expires-at',
      'sponsor.transition.update',
    );
    hours.of(
      reply,
      'expires_at',
      near(untilMs, t.nowMs() + 2 * HOUR_MS),
      'two hours from now',
      reply.get(`${path}.expires_at`),
    );
    // Terms can be lowered, too.
    const lower = t.accepted(
      await sponsor(t, parent, child.hash, { max_heartbeats_epoch: 3 }),
      'sponsor.transition.update',
    );
    const lowered = t.shows('sponsor.transition.update', 'sponsor.field.max-heartbeats-epoch');
    lowered.field(lower, 'sponsorship.max_heartbeats_epoch', 3);
    const last = await listed(t, parent, child.hash);
    lowered.field(last.reply, `${last.path}.max_heartbeats_epoch`, 3);
    // A call that is refused updates nothing, whichever of its terms is at fault.
    const { heartbeatsEpochMax, expiresHoursMin } = t.protocol.sponsor;
    for (const terms of [
      { max_heartbeats_epoch: heartbeatsEpochMax + 1, expires_in_hours: 24 },
      { max_heartbeats_epoch: 5, expires_in_hours: expiresHoursMin - 1 },
    ]) {
      if ((await sponsor(t, parent, child.hash, terms)).status < 400) return;
      const kept = await listed(t, parent, child.hash);
      lowered.field(kept.reply, `${kept.path}.max_heartbeats_epoch`, 3);
      const until = kept.reply.get(`${kept.path}.expires_at`);
      const same = until === last.reply.get(`${last.path}.expires_at`);
      t.shows('sponsor.transition.update').of(kept.reply, 'expires_at after a refusal', same, 'as it was', until);
    }
    // The default is that of each body, whatever the terms were before.
    const plain = t.accepted(await sponsor(t, parent, child.hash), 'sponsor.post.body.max-heartbeats-epoch');
    const byDefault = t.shows('sponsor.post.body.max-heartbeats-epoch');
    byDefault.field(plain, 'sponsorship.max_heartbeats_epoch', t.protocol.sponsor.heartbeatsEpochDefault);
    t.shows('sponsor.update.created-at').equal(
      'created_at after an update',
      instantMs(reply.get(`${path}.created_at`)),
      createdMs,
    );
  },
};

/** Over a year: the text gives expires_in_hours a minimum alone. */
const HOURS_LONG = 9_000;

const bodyClauses = {
  expires_in_hours: 'sponsor.post.body.expires-in-hours',
  max_heartbeats_epoch: 'sponsor.post.body.max-heartbeats-epoch',
} as const;

const bounds = (
  [
    [
      'cap-least',
      'A cap of 0 heartbeats is refused, one of 1 accepted',
      'max_heartbeats_epoch',
      'heartbeatsEpochMin',
      -1,
    ],
    [
      'cap-most',
      'A cap of 10,001 heartbeats is refused, one of 10,000 accepted',
      'max_heartbeats_epoch',
      'heartbeatsEpochMax',
      1,
    ],
    [
      'hours-least',
      'An expiry before one hour is refused, one after an hour accepted',
      'expires_in_hours',
      'expiresHoursMin',
      -1,
    ],
  ] as const
).map(
  ([word, title, field, bound, step]): Check => ({
    ...base,
    id: `sponsor/${word}`,
    title,
    clauses: ['sponsor.error.validation.parameters', bodyClauses[field]],
    requests: 17,
    refusal: true,
    async run(t) {
      const { parent, child } = await family(t);
      const limit = t.protocol.sponsor[bound];
      const clauses = ['sponsor.error.validation.parameters', bodyClauses[field]];
      // One beyond the bound, and the bound itself as a text.
      const refuses = async (): Promise<void> => {
        for (const bad of [limit + step, String(limit)]) {
          t.refused(await sponsor(t, parent, child.hash, { [field]: bad }), 'sponsor/VALIDATION', ...clauses);
        }
      };
      await refuses();
      for (const taken of field === 'expires_in_hours' ? [limit, HOURS_LONG] : [limit]) {
        const reply = t.accepted(await sponsor(t, parent, child.hash, { [field]: taken }), bodyClauses[field]);
        const shown = reply.get(`sponsorship.${field === 'expires_in_hours' ? 'expires_at' : field}`);
        const ok = field === 'expires_in_hours' ? near(instantMs(shown), t.nowMs() + taken * HOUR_MS) : shown === taken;
        const expected = field === 'expires_in_hours' ? `${taken} hours from now` : `${taken}`;
        t.shows(bodyClauses[field]).of(reply, `${field} as it was set`, ok, expected, shown);
      }
      // New terms of one that there is are held to the same bounds.
      await refuses();
      if (field === 'expires_in_hours') await partOfHour(t, parent, child, limit);
    },
  }),
);

/** A number of hours need not be whole: where one that is not is taken, it lasts as long as it says. */
async function partOfHour(t: Trial, parent: Agent, child: Agent, least: number): Promise<void> {
  const hours = least + 0.5;
  const reply = await sponsor(t, parent, child.hash, { expires_in_hours: hours });
  const clause = 'sponsor.post.body.expires-in-hours';
  const shown = reply.get('sponsorship.expires_at');
  if (reply.status >= 300) t.alsoShows(clause).unjudged('a fraction of an hour is not taken');
  else
    t.alsoShows(clause).of(
      reply,
      'expires_at',
      near(instantMs(shown), t.nowMs() + hours * HOUR_MS),
      `in ${hours} hours`,
      shown,
    );
}

const targetClauses = (code: string, clause: string): readonly string[] =>
  code === 'SPONSOR_INVALID' ? [clause, 'sponsor.rule.not-self'] : [clause, 'sponsor.post.body.child-hash'];

const capFraction: Check = {
  ...base,
  id: 'sponsor/cap-fraction',
  title: 'A cap of one heartbeat and a half is refused',
  clauses: ['sponsor.cap.whole'],
  requests: 12,
  refusal: true,
  async run(t) {
    const { parent, child } = await family(t);
    const half = await sponsor(t, parent, child.hash, { max_heartbeats_epoch: 1.5 });
    t.refused(half, 'sponsor/VALIDATION', 'sponsor.cap.whole');
    t.accepted(await sponsor(t, parent, child.hash, { max_heartbeats_epoch: 1 }));
  },
};

/** Whom a sponsorship cannot be for. */
const targets = (
  [
    [
      'child-malformed',
      'Sponsoring what is no agent hash is refused',
      'VALIDATION',
      'sponsor.error.validation',
      () => 'none',
    ],
    [
      'child-unknown',
      'Sponsoring an agent that does not exist is refused',
      'AGENT_NOT_FOUND',
      'sponsor.error.agent-not-found',
      (unknown: string) => unknown,
    ],
    [
      'self',
      'An agent cannot sponsor itself',
      'SPONSOR_INVALID',
      'sponsor.error.sponsor-invalid',
      (_: string, own: string) => own,
    ],
  ] as const
).map(
  ([word, title, code, clause, hashOf]): Check => ({
    ...base,
    id: `sponsor/${word}`,
    title,
    clauses: targetClauses(code, clause),
    requests: 15,
    refusal: true,
    async run(t) {
      const { parent, child } = await family(t);
      const bad = hashOf(`0x${t.hex(t.protocol.agent.hashBytes)}`, parent.hash);
      const reply = await sponsor(t, parent, bad, {}, { mayMiss: code === 'AGENT_NOT_FOUND' });
      t.refused(reply, `sponsor/${code}`, ...targetClauses(code, clause));
      t.accepted(await sponsor(t, parent, child.hash));
      if (code !== 'VALIDATION') return;
      for (const child_hash of [bad, undefined]) {
        const ended = await t.call('sponsor.delete', { key: parent.key, body: { child_hash }, mayMiss: true });
        t.refused(ended, 'sponsor/VALIDATION', clause);
      }
      t.refused(await sponsor(t, parent, undefined), 'sponsor/VALIDATION', ...targetClauses(code, clause));
    },
  }),
);

const stranger: Check = {
  ...base,
  id: 'sponsor/not-ancestor',
  title: 'An agent sponsors no agent that does not descend from it',
  clauses: ['sponsor.error.sponsor-not-ancestor', 'sponsor.rule.descendant'],
  registers: 2,
  requests: 13,
  refusal: true,
  async run(t) {
    const { parent, child } = await family(t);
    const refused = await sponsor(t, parent, (await t.root()).hash);
    t.refused(refused, 'sponsor/SPONSOR_NOT_ANCESTOR', 'sponsor.error.sponsor-not-ancestor', 'sponsor.rule.descendant');
    t.accepted(await sponsor(t, parent, child.hash));
  },
};

const unlinked: Check = {
  ...base,
  id: 'sponsor/before-link',
  title: 'A child is sponsored once it has been linked, and not before',
  clauses: ['spawn.finalize.link', 'spawn.flow.finalize'],
  requests: 11,
  refusal: true,
  async run(t) {
    const parent = await t.walletRoot({ init: true });
    const child = await makeChild(t, parent, { link: false });
    t.refused(await sponsor(t, parent, child.hash), 'sponsor/SPONSOR_NOT_ANCESTOR', 'spawn.finalize.link');
    const body = { child_name: child.name, child_hash: child.hash };
    await t.setup('the link', async () => t.accepted(await t.call('spawn', { key: parent.key, body })));
    // 3.6 and 4.13: the link makes a descendant, and a descendant can be sponsored.
    t.accepted(await sponsor(t, parent, child.hash), 'spawn.flow.finalize');
  },
};

const noWallet: Check = {
  ...base,
  id: 'sponsor/wallet-required',
  title: 'A parent without a wallet sponsors nobody until it links one',
  clauses: ['sponsor.error.wallet-required', 'sponsor.rule.wallet'],
  registers: 2,
  walletRegisters: 0,
  requests: 12,
  refusal: true,
  async run(t) {
    const without = await t.root({ init: true });
    const own = await makeChild(t, without);
    const refused = await sponsor(t, without, own.hash);
    t.refused(refused, 'sponsor/WALLET_REQUIRED', 'sponsor.error.wallet-required', 'sponsor.rule.wallet');
    await t.setup('a linked wallet', async () => t.accepted(await linkWith(t, without, t.wallet())));
    t.accepted(await sponsor(t, without, own.hash));
  },
};

const frozen: Check = {
  ...base,
  id: 'sponsor/parent-frozen',
  title: 'A frozen parent sponsors nobody',
  clauses: ['sponsor.error.sponsor-parent-frozen', 'sponsor.rule.not-frozen'],
  needs: ['beats', 'clock'],
  registers: 2,
  walletRegisters: 4,
  requests: 23,
  refusal: true,
  waits: untilFrozen(),
  async run(t) {
    const asleep = await family(t);
    await lapse(t, asleep.parent);
    const awake = await family(t);
    const clauses = ['sponsor.error.sponsor-parent-frozen', 'sponsor.rule.not-frozen'];
    t.refused(await sponsor(t, asleep.parent, asleep.child.hash), 'sponsor/SPONSOR_PARENT_FROZEN', ...clauses);
    t.accepted(await sponsor(t, awake.parent, awake.child.hash));
  },
};

const revoke: Check = {
  ...base,
  id: 'sponsor/revoke',
  title: 'A sponsorship is revoked once, stays in the listing, and is made again',
  clauses: [
    'sponsor.route.delete',
    'sponsor.delete.body',
    'sponsor.delete.reply',
    'sponsor.transition.create',
    'sponsor.transition.revoke',
    'sponsor.field.status',
    'sponsor.error.sponsor-not-found',
    'sponsor.get.all',
  ],
  requests: 18,
  refusal: true,
  async run(t) {
    const { parent, child } = await family(t);
    const body = { child_hash: child.hash };
    const send = (mayMiss: boolean): Promise<Reply> => t.call('sponsor.delete', { key: parent.key, body, mayMiss });
    await sponsored(t, parent, child);
    t.accepted(await send(false), 'sponsor.delete.body', 'sponsor.transition.revoke');
    t.refused(
      await send(true),
      'sponsor/SPONSOR_NOT_FOUND',
      'sponsor.transition.revoke',
      'sponsor.error.sponsor-not-found',
    );
    const listing = t.accepted(await t.call('sponsor.get', { key: parent.key }));
    const all = listing.get('sponsorships');
    const active = isListedActive(listing, child.hash);
    t.shows('sponsor.transition.revoke').of(listing, 'a revoked sponsorship', !active, 'not active', all);
    t.shows('sponsor.get.all').field(listing, 'sponsorships.0.status', 'revoked');
    const again = t.accepted(await sponsor(t, parent, child.hash), 'sponsor.transition.create');
    t.shows('sponsor.transition.create', 'sponsor.field.status').field(again, 'sponsorship.status', 'active');
    const renewed = t.accepted(await t.call('sponsor.get', { key: parent.key }));
    const shown = renewed.get('sponsorships');
    const lives = isListedActive(renewed, child.hash);
    t.shows('sponsor.transition.create').of(renewed, 'a sponsorship that was made again', lives, 'active', shown);
    t.accepted(await send(false), 'sponsor.transition.revoke', 'sponsor.delete.body');
  },
};

export const sponsorChecks: readonly Check[] = [
  create,
  list,
  ...bounds,
  capFraction,
  ...targets,
  stranger,
  unlinked,
  noWallet,
  frozen,
  revoke,
];
