/** Checks of subsidies as administrators grant, list and end them. Their effect on fees is in subsidy-fees.ts. */

import { instantMs, isInstant } from '../../model/reading/field-tests.js';
import { at } from '../../model/reading/values.js';
import type { ErrorKey } from '../../spec/errors.js';
import { HOUR_MS } from '../../spec/time.js';
import { feeTypes } from '../../spec/vocabulary.js';
import type { Reply } from '../assertions/reply.js';
import { adminKey, freshAdminKey } from '../steps/keys.js';
import { judgeLimit } from '../steps/limit.js';
import { turningPoints, windowOf } from '../steps/waits.js';
import type { CallOptions } from '../trial/caller.js';
import type { Check } from '../trial/check.js';
import type { Agent } from '../trial/fixtures.js';
import type { Trial } from '../trial/trial.js';

const base = { needs: ['admin'], registers: 1, requests: 8, writes: true } as const;

/** The body of a grant for an agent: half off heartbeat fees, with `more` over that. */
export const terms = ({ hash }: Pick<Agent, 'hash'>, more: object = {}): object => ({
  agent_hash: hash,
  fee_type: 'heartbeat',
  discount_bps: 5_000,
  reason: 'a check of the suite',
  ...more,
});

/** Grants a subsidy with a key. */
export const grant = (t: Trial, key: string, body: object, how: Pick<CallOptions, 'mayMiss'> = {}): Promise<Reply> =>
  t.call('subsidy.post', { key, body, ...how });

/** Ends the subsidy of a fee with a key. */
export const end = (t: Trial, key: string, { hash }: Agent, { fee_type = 'heartbeat', mayMiss = false } = {}) =>
  t.call('subsidy.delete', { key, body: { agent_hash: hash, fee_type }, mayMiss });

/** Fields of a subsidy that come back as they were sent. */
const fieldClauses = [
  ['agent_hash', 'subsidy.field.agent-hash'],
  ['fee_type', 'subsidy.field.fee-type'],
  ['discount_bps', 'subsidy.field.discount-bps'],
  ['reason', 'subsidy.field.reason'],
] as const;

const granted: Check = {
  ...base,
  id: 'subsidy/granted',
  title: 'An administrator grants a subsidy on its terms, and the floor is 5,000 lamports without one',
  clauses: [
    'subsidy.route.post',
    'subsidy.auth',
    'key.admin',
    'service.subsidy',
    'subsidy.post.body.agent-hash',
    'subsidy.post.body.fee-type',
    'subsidy.post.body.floor-lamports',
    'subsidy.post.body.valid-until',
    'subsidy.post.reply',
    'subsidy.post.reply.no-created',
    'subsidy.field.agent-hash',
    'subsidy.field.fee-type',
    'subsidy.field.discount-bps',
    'subsidy.field.floor-lamports',
    'subsidy.field.reason',
    'subsidy.field.valid-until',
    'subsidy.valid-until.iso',
    'fee.floor.default',
    'constant.subsidy-floor',
  ],
  requests: 15,
  async run(t) {
    const [agent, key] = [await t.root(), await adminKey(t)];
    t.shows('key.admin', 'subsidy.auth').that('the admin key', key.startsWith('pva_'), 'pva_…', `${key.slice(0, 4)}…`);
    // In whole seconds: the specification does not say whether a server keeps fractions.
    const until = new Date(Math.ceil((t.nowMs() + HOUR_MS) / 1_000) * 1_000).toISOString();
    const floor = t.protocol.subsidy.floorLamportsDefault;
    for (const fee_type of feeTypes) {
      const body = terms(agent, { fee_type, reason: `Für <R&D>: "half" of ${fee_type}, it's 50 % 𝒏` });
      const sent = await grant(t, key, body);
      const plain = t.accepted(
        sent,
        'key.admin',
        'service.subsidy',
        'subsidy.post.body.agent-hash',
        'subsidy.post.body.fee-type',
        'subsidy.post.body.floor-lamports',
        'subsidy.post.body.valid-until',
      );
      for (const [field, clause] of fieldClauses) t.shows(clause).field(plain, `subsidy.${field}`, at(body, field));
      t.shows('fee.floor.default', 'constant.subsidy-floor').field(plain, 'subsidy.floor_lamports', floor);
    }
    const full = await grant(t, key, terms(agent, { floor_lamports: 60_000, valid_until: until }));
    t.accepted(full, 'subsidy.post.body.floor-lamports', 'subsidy.post.body.valid-until');
    const floored = t.shows('subsidy.field.floor-lamports', 'subsidy.post.body.floor-lamports');
    floored.field(full, 'subsidy.floor_lamports', 60_000);
    const shown = instantMs(full.get('subsidy.valid_until'));
    const validUntil = t.shows('subsidy.field.valid-until', 'subsidy.post.body.valid-until');
    validUntil.of(full, 'subsidy.valid_until', shown === Date.parse(until), until, full.get('subsidy.valid_until'));
    t.shows('subsidy.valid-until.iso').fieldIs(full, 'subsidy.valid_until', isInstant);
    // ISO 8601 also writes a time with an offset: where that is taken, it is the same moment.
    const offset = `${new Date(Date.parse(until) + 2 * HOUR_MS).toISOString().slice(0, -1)}+02:00`;
    const elsewhere = await grant(t, key, terms(agent, { valid_until: offset }));
    const told = instantMs(elsewhere.get('subsidy.valid_until'));
    if (elsewhere.status < 400) {
      validUntil.of(
        elsewhere,
        'subsidy.valid_until',
        told === Date.parse(until),
        offset,
        elsewhere.get('subsidy.valid_until'),
      );
    }
    for (const day of turningPoints(t.nowMs())) {
      const dated = t.accepted(await grant(t, key, terms(agent, { valid_until: day })));
      const kept = instantMs(dated.get('subsidy.valid_until')) === Date.parse(day);
      validUntil.of(dated, 'subsidy.valid_until', kept, day, dated.get('subsidy.valid_until'));
    }
    // The specification does not say whether a floor of 0 is accepted. If it is, it is kept, and not replaced by the default.
    const none = await grant(t, key, terms(agent, { floor_lamports: 0 }));
    if (none.status < 400) floored.field(none, 'subsidy.floor_lamports', 0);
    // The default is that of each body, whatever the subsidy had before.
    t.accepted(await grant(t, key, terms(agent, { floor_lamports: 60_000 })), 'subsidy.post.body.floor-lamports');
    const anew = t.accepted(await grant(t, key, terms(agent)), 'subsidy.post.body.floor-lamports');
    t.shows('subsidy.post.body.floor-lamports').field(anew, 'subsidy.floor_lamports', floor);
  },
};

const deleted: Check = {
  ...base,
  id: 'subsidy/deleted',
  title: 'A subsidy is deleted once',
  clauses: [
    'subsidy.route.delete',
    'subsidy.delete.body',
    'subsidy.delete.reply',
    'subsidy.error.subsidy-not-found',
    'key.admin',
  ],
  requests: 11,
  refusal: true,
  async run(t) {
    const [agent, key] = [await t.root(), await adminKey(t)];
    for (const fee_type of ['heartbeat', 'sigil']) {
      await t.setup('a subsidy', async () => void t.accepted(await grant(t, key, terms(agent, { fee_type }))));
    }
    const reply = t.accepted(await end(t, key, agent), 'subsidy.delete.body', 'key.admin');
    t.shows('subsidy.delete.reply').field(reply, 'agent_hash', agent.hash);
    t.shows('subsidy.delete.reply').field(reply, 'fee_type', 'heartbeat');
    const clause = 'subsidy.error.subsidy-not-found';
    const again = await end(t, key, agent, { mayMiss: true });
    t.refused(again, 'subsidy/SUBSIDY_NOT_FOUND', clause, 'subsidy.delete.body');
    const none = await end(t, key, agent, { fee_type: 'reissuance', mayMiss: true });
    t.refused(none, 'subsidy/SUBSIDY_NOT_FOUND', clause, 'subsidy.delete.body');
    // One deletion ends one subsidy: the other fee still has its own.
    t.accepted(await end(t, key, agent, { fee_type: 'sigil' }), 'subsidy.delete.body');
  },
};

const bounds: Check = {
  ...base,
  id: 'subsidy/discount-bounds',
  title: 'discount_bps is a number from 1 to 10000',
  clauses: ['subsidy.post.body.discount-bps', 'subsidy.error.subsidy-invalid.discount-bps'],
  requests: 15,
  refusal: true,
  async run(t) {
    const { discountBpsMin, discountBpsMax } = t.protocol.subsidy;
    const [agent, key] = [await t.root(), await adminKey(t)];
    const refuses = async (): Promise<void> => {
      for (const discount_bps of [discountBpsMin - 1, discountBpsMax + 1, 'half', `${discountBpsMax}`, undefined]) {
        const clauses = ['subsidy.post.body.discount-bps', 'subsidy.error.subsidy-invalid.discount-bps'];
        t.refused(await grant(t, key, terms(agent, { discount_bps })), 'subsidy/SUBSIDY_INVALID', ...clauses);
      }
    };
    await refuses();
    for (const discount_bps of [discountBpsMin, discountBpsMax]) {
      const reply = t.accepted(await grant(t, key, terms(agent, { discount_bps })), 'subsidy.post.body.discount-bps');
      t.shows('subsidy.post.body.discount-bps').field(reply, 'subsidy.discount_bps', discount_bps);
    }
    // A replacement of a subsidy has the same bounds.
    await refuses();
  },
};

/** One fault in the body of a grant. */
interface Fault {
  /** The last part of the check's id. */
  readonly word: string;
  readonly title: string;
  readonly clauses: readonly string[];
  /** The error that the clauses demand; SUBSIDY_INVALID if absent. */
  readonly key?: ErrorKey;
  /** A clause of the text by which the body has to be refused, with any error. */
  readonly needed?: string;
  /** The faulty fields. */
  readonly more: (t: Trial) => object;
}

const faults: readonly Fault[] = [
  {
    word: 'fee-type-unknown',
    title: 'A subsidy on an unknown fee_type is refused',
    clauses: ['subsidy.error.subsidy-invalid', 'subsidy.post.body.fee-type'],
    more: () => ({ fee_type: 'registration' }),
  },
  {
    word: 'fee-type-capital',
    title: 'A subsidy on a fee_type that is written with a capital letter is refused',
    clauses: ['subsidy.error.subsidy-invalid', 'subsidy.post.body.fee-type'],
    more: () => ({ fee_type: 'Heartbeat' }),
  },
  {
    word: 'fee-type-missing',
    title: 'A subsidy without fee_type is refused',
    clauses: ['subsidy.error.subsidy-invalid', 'subsidy.post.body.fee-type'],
    more: () => ({ fee_type: undefined }),
  },
  {
    word: 'reason-missing',
    title: 'A subsidy without reason is refused',
    clauses: ['subsidy.error.subsidy-invalid.reason'],
    needed: 'subsidy.post.body.reason',
    more: () => ({ reason: undefined }),
  },
  {
    word: 'floor-text',
    title: 'A subsidy whose floor_lamports is a text is refused, as digits too',
    clauses: [],
    needed: 'subsidy.post.body.floor-lamports',
    more: () => ({ floor_lamports: '6000' }),
  },
  {
    word: 'past',
    title: 'A subsidy whose valid_until lies in the past is refused',
    clauses: ['subsidy.error.subsidy-invalid.valid-until'],
    more: (t) => ({ valid_until: new Date(t.nowMs() - HOUR_MS).toISOString() }),
  },
  {
    word: 'agent-unknown',
    title: 'A subsidy for an agent that does not exist is refused',
    clauses: ['subsidy.error.agent-not-found', 'subsidy.post.body.agent-hash'],
    key: 'subsidy/AGENT_NOT_FOUND',
    more: (t) => ({ agent_hash: `0x${t.hex(t.protocol.agent.hashBytes)}` }),
  },
  {
    word: 'agent-missing',
    title: 'A subsidy without agent_hash is refused',
    clauses: [],
    needed: 'subsidy.post.body.agent-hash',
    more: () => ({ agent_hash: undefined }),
  },
];

const faulty = faults.map(
  ({ word, title, clauses, key: row = 'subsidy/SUBSIDY_INVALID', needed, more }): Check => ({
    ...base,
    id: `subsidy/${word}`,
    title,
    clauses: needed === undefined ? clauses : [...clauses, needed],
    refusal: true,
    async run(t) {
      const [agent, key] = [await t.root(), await adminKey(t)];
      const how = { mayMiss: row === 'subsidy/AGENT_NOT_FOUND' };
      const refused = async (): Promise<Reply> => {
        const reply = await grant(t, key, terms(agent, more(t)), how);
        if (needed !== undefined) t.shows(needed).refuses(reply);
        return clauses.length > 0 ? t.refused(reply, row, ...clauses) : reply;
      };
      await refused();
      t.accepted(await grant(t, key, terms(agent)));
      // One that is there stays as it was.
      if ((await refused()).status < 400) return;
      t.alsoShows('subsidy.delete.body').succeeds(await end(t, key, agent, { mayMiss: true }));
    },
  }),
);

/** Keys that are not an administrator's, by the word that they have in the check's id. */
const badKeys: Readonly<
  Record<string, { title: string; clause: string; key: (t: Trial, agent: Agent) => string | undefined; row: ErrorKey }>
> = {
  missing: {
    title: 'without a key',
    clause: 'subsidy.error.auth-missing',
    key: () => undefined,
    row: 'subsidy/AUTH_MISSING',
  },
  unknown: {
    title: 'with an admin key that was never issued',
    clause: 'subsidy.error.auth-invalid',
    key: (t) => `pva_${t.hex(32)}`,
    row: 'subsidy/AUTH_INVALID',
  },
  agent: {
    title: 'with the key of an agent',
    clause: 'subsidy.error.auth-invalid',
    key: (_, agent) => agent.key,
    row: 'subsidy/AUTH_INVALID',
  },
};

const keys = Object.entries(badKeys).flatMap(([word, bad]) =>
  (['post', 'delete'] as const).map(
    (method): Check => ({
      ...base,
      id: `subsidy/key-${word}-${method}`,
      title: `${method.toUpperCase()} of a subsidy is refused ${bad.title}`,
      clauses: [`subsidy.route.${method}`, 'subsidy.auth', bad.clause],
      refusal: true,
      async run(t) {
        const [agent, key] = [await t.root(), await adminKey(t)];
        if (method === 'delete') {
          await t.setup('a subsidy', async () => void t.accepted(await grant(t, key, terms(agent))));
        }
        const body = method === 'post' ? terms(agent) : { agent_hash: agent.hash, fee_type: 'heartbeat' };
        const id = `subsidy.${method}` as const;
        const reply = await t.call(id, { key: bad.key(t, agent), body });
        // With another key than an administrator's there is no admin key: the refusal may say that it is missing, too.
        if (word === 'agent' && reply.get('code') === 'AUTH_MISSING') {
          t.refused(reply, 'subsidy/AUTH_MISSING', 'subsidy.auth');
          t.shows(bad.clause).unjudged('the key of an agent is no admin key here, which is missing');
        } else t.refused(reply, bad.row, 'subsidy.auth', bad.clause);
        t.accepted(await t.call(id, { key, body }), 'subsidy.auth');
      },
    }),
  ),
);

const expired: Check = {
  ...base,
  id: 'subsidy/key-expired',
  title: 'An admin key that has expired is refused',
  clauses: ['subsidy.error.auth-invalid.expired'],
  needs: ['control'],
  controls: ['admin-keys', 'admin-keys/expire'],
  requests: 9,
  refusal: true,
  async run(t) {
    const agent = await t.root();
    const [key, other] = [await freshAdminKey(t), await freshAdminKey(t)];
    t.accepted(await grant(t, key, terms(agent)));
    await t.control('POST admin-keys/expire', { key });
    t.refused(await grant(t, key, terms(agent)), 'subsidy/AUTH_INVALID', 'subsidy.error.auth-invalid.expired');
    const body = { agent_hash: agent.hash, fee_type: 'heartbeat' };
    const ended = await t.call('subsidy.delete', { key, body });
    t.refused(ended, 'subsidy/AUTH_INVALID', 'subsidy.error.auth-invalid.expired');
    t.accepted(await grant(t, other, terms(agent)));
    t.accepted(await t.call('subsidy.delete', { key: other, body }));
  },
};

const limit: Check = {
  ...base,
  id: 'subsidy/limit',
  title: 'An address grants and ends 30 subsidies a minute, all told',
  clauses: ['limit.subsidy', 'limit.window', 'limit.refused-count'],
  needs: ['admin', 'clock', 'client-ip'],
  registers: 0,
  requests: 37,
  refusal: true,
  runsAlone: true,
  waits: windowOf('subsidy'),
  async run(t) {
    const [key, elsewhere] = [await adminKey(t), t.newAddress()];
    // These requests are refused, since the agent does not exist, but still count. Both methods of the path share a bucket.
    const body = terms({ hash: `0x${t.hex(t.protocol.agent.hashBytes)}` });
    const send = (n: number, address?: string) =>
      t.call(n % 2 === 0 ? 'subsidy.delete' : 'subsidy.post', { key, body, mayLimit: true, mayMiss: true, address });
    await judgeLimit(t, {
      limit: 'subsidy',
      clause: 'limit.subsidy',
      send: (n) => send(n),
      other: elsewhere === undefined ? undefined : () => send(1, elsewhere),
    });
  },
};

export const subsidyChecks: readonly Check[] = [granted, deleted, bounds, ...faulty, ...keys, expired, limit];
