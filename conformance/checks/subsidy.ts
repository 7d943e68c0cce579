import type { ErrorKey } from '../../spec/errors.js';
import type { Reply } from '../assertions/reply.js';
import { adminKey, freshAdminKey } from '../steps/keys.js';
import { judgeLimit } from '../steps/limit.js';
import { windowOf } from '../steps/waits.js';
import type { CallOptions } from '../trial/caller.js';
import type { Check } from '../trial/check.js';
import type { Agent } from '../trial/fixtures.js';
import type { Trial } from '../trial/trial.js';

const base = { needs: ['admin'], registers: 1, requests: 8, writes: true } as const;

/** Half off for heartbeats, and whatever else is said. */
export const terms = ({ hash }: Agent, more: object = {}): object => ({
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

const HOUR_MS = 3_600_000;

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
    'subsidy.post.body.reason',
    'subsidy.post.body.floor-lamports',
    'subsidy.post.body.valid-until',
    'subsidy.post.reply',
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
  async run(t) {
    const [agent, key] = [await t.root(), await adminKey(t)];
    t.that('the admin key', key.startsWith('pva_'), 'pva_…', `${key.slice(0, 4)}…`);
    const valid_until = new Date(t.nowMs() + HOUR_MS).toISOString();
    for (const fee_type of ['sigil', 'heartbeat', 'reissuance']) {
      const body = terms(agent, { fee_type });
      const plain = t.accepted(await grant(t, key, body));
      t.equal('ok', plain.get('ok'), true);
      for (const [field, value] of Object.entries(body)) t.equal(field, plain.get(`subsidy.${field}`), value);
      const floor = t.protocol.subsidy.floorLamportsDefault;
      t.equal('subsidy.floor_lamports', plain.get('subsidy.floor_lamports'), floor);
    }
    const full = t.accepted(await grant(t, key, terms(agent, { floor_lamports: 60_000, valid_until })));
    t.equal('subsidy.floor_lamports', full.get('subsidy.floor_lamports'), 60_000);
    const until = full.string('subsidy.valid_until');
    t.equal('subsidy.valid_until', Date.parse(until), Date.parse(valid_until));
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
  refusal: true,
  async run(t) {
    const [agent, key] = [await t.root(), await adminKey(t)];
    await t.setup('a subsidy', async () => void t.accepted(await grant(t, key, terms(agent))));
    const reply = t.accepted(await end(t, key, agent));
    t.equal('deleted', reply.get('deleted'), true);
    t.equal('agent_hash', reply.get('agent_hash'), agent.hash);
    t.equal('fee_type', reply.get('fee_type'), 'heartbeat');
    t.refused(await end(t, key, agent, { mayMiss: true }), 'subsidy/SUBSIDY_NOT_FOUND');
    await t.setup('another subsidy', async () => void t.accepted(await grant(t, key, terms(agent))));
    t.refused(await end(t, key, agent, { fee_type: 'sigil', mayMiss: true }), 'subsidy/SUBSIDY_NOT_FOUND');
  },
};

const bounds: Check = {
  ...base,
  id: 'subsidy/discount-bounds',
  title: 'discount_bps is a number from 1 to 10000',
  clauses: ['subsidy.post.body.discount-bps', 'subsidy.error.subsidy-invalid.discount-bps'],
  requests: 9,
  refusal: true,
  async run(t) {
    const { discountBpsMin, discountBpsMax } = t.protocol.subsidy;
    const [agent, key] = [await t.root(), await adminKey(t)];
    for (const discount_bps of [discountBpsMin - 1, discountBpsMax + 1, 'half', undefined]) {
      t.refused(await grant(t, key, terms(agent, { discount_bps })), 'subsidy/SUBSIDY_INVALID');
    }
    for (const discount_bps of [discountBpsMin, discountBpsMax]) {
      const reply = t.accepted(await grant(t, key, terms(agent, { discount_bps })));
      t.equal('subsidy.discount_bps', reply.get('subsidy.discount_bps'), discount_bps);
    }
  },
};

/** One fault in the body of a subsidy. `decision`: the specification does not say that it is refused. */
interface Fault {
  readonly word: string;
  readonly title: string;
  readonly clauses: readonly string[];
  readonly key?: ErrorKey;
  readonly decision?: string;
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
    word: 'fee-type-missing',
    title: 'A subsidy without fee_type is refused',
    clauses: ['subsidy.error.subsidy-invalid', 'subsidy.post.body.fee-type'],
    more: () => ({ fee_type: undefined }),
  },
  {
    word: 'reason-missing',
    title: 'A subsidy without reason is refused',
    clauses: ['subsidy.error.subsidy-invalid.reason'],
    decision: 'D-53',
    more: () => ({ reason: undefined }),
  },
  {
    word: 'past',
    title: 'A subsidy whose valid_until lies in the past is refused',
    clauses: ['subsidy.error.subsidy-invalid.valid-until'],
    decision: 'D-53',
    more: (t) => ({ valid_until: new Date(t.nowMs() - HOUR_MS).toISOString() }),
  },
  {
    word: 'agent-unknown',
    title: 'A subsidy for an agent that does not exist is refused',
    clauses: ['subsidy.error.agent-not-found', 'subsidy.post.body.agent-hash'],
    key: 'subsidy/AGENT_NOT_FOUND',
    more: (t) => ({ agent_hash: `0x${t.hex(t.protocol.agent.hashBytes)}` }),
  },
];

const faulty = faults.map(
  ({ word, title, clauses, key: row = 'subsidy/SUBSIDY_INVALID', decision, more }): Check => ({
    ...base,
    id: `subsidy/${word}`,
    title,
    clauses,
    refusal: true,
    async run(t) {
      const [agent, key] = [await t.root(), await adminKey(t)];
      const how = { mayMiss: row === 'subsidy/AGENT_NOT_FOUND' };
      t.refused(await grant(t, key, terms(agent, more(t)), how), row, decision);
      t.accepted(await grant(t, key, terms(agent)));
    },
  }),
);

/** What a call may carry in place of an admin key. */
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
        t.refused(await t.call(id, { key: bad.key(t, agent), body }), bad.row);
        t.accepted(await t.call(id, { key, body }));
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
  refusal: true,
  async run(t) {
    const agent = await t.root();
    const [key, other] = [await freshAdminKey(t), await freshAdminKey(t)];
    t.accepted(await grant(t, key, terms(agent)));
    await t.control('POST admin-keys/expire', { key });
    t.refused(await grant(t, key, terms(agent)), 'subsidy/AUTH_INVALID');
    t.accepted(await grant(t, other, terms(agent)));
  },
};

const limit: Check = {
  ...base,
  id: 'subsidy/limit',
  title: 'An address grants and ends 30 subsidies a minute, all told',
  clauses: ['limit.subsidy', 'limit.per-ip.path', 'limit.window', 'limit.refused-count'],
  needs: ['admin', 'clock', 'client-ip'],
  registers: 0,
  requests: 37,
  refusal: true,
  quiet: true,
  waits: windowOf('subsidy'),
  async run(t) {
    const [key, elsewhere] = [await adminKey(t), t.newAddress()];
    // Refused for an empty body, and counted all the same; both methods of the path in one bucket.
    const send = (n: number, address?: string) =>
      t.call(n % 2 === 0 ? 'subsidy.delete' : 'subsidy.post', { key, body: {}, mayLimit: true, address });
    await judgeLimit(t, {
      limit: 'subsidy',
      send: (n) => send(n),
      other: elsewhere === undefined ? undefined : () => send(1, elsewhere),
    });
  },
};

export const subsidyChecks: readonly Check[] = [granted, deleted, bounds, ...faulty, ...keys, expired, limit];
