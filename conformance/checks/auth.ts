import type { Reply } from '../assertions/reply.js';
import { proofOf } from '../protocol/beats.js';
import type { EndpointId } from '../protocol/endpoints.js';
import { heartbeatFee, purchase } from '../steps/paid.js';
import { fewest, frozen, penalty } from '../steps/resync-call.js';
import { untilFrozen } from '../steps/waits.js';
import { receiptFor, sharedChain } from '../steps/work.js';
import type { Check } from '../trial/check.js';
import type { WalletRootOptions } from '../trial/fixtures.js';
import type { Trial } from '../trial/trial.js';

/** A request that would be accepted, but for its key. */
interface Ready {
  readonly key: string;
  readonly body: unknown;
}

/** An agent route, and how a request that it accepts is made ready. */
interface Route {
  readonly id: EndpointId;
  readonly clause: string;
  readonly cost: Pick<Check, 'needs' | 'registers' | 'walletRegisters' | 'requests' | 'waits'>;
  readonly ready: (t: Trial) => Promise<Ready>;
}

const paid = { needs: ['payments'], registers: 0, walletRegisters: 2, requests: 11 } as const;

/** As setup: an agent in a state, and the payment of a fee. */
async function readyToPay(t: Trial, options: WalletRootOptions, lamports: number, fields: object = {}): Promise<Ready> {
  const { key, wallet } = await t.walletRoot(options);
  return { key, body: { ...fields, payment_tx: await t.pay({ from: wallet, lamports }) } };
}

const routes: readonly Route[] = [
  {
    id: 'init',
    clause: 'init.route',
    cost: { needs: [], registers: 0, requests: 4 },
    ready: async (t) => ({ key: (await t.sharedRoot()).key, body: {} }),
  },
  {
    id: 'heartbeat',
    clause: 'heartbeat.route',
    cost: paid,
    ready: (t) => readyToPay(t, { sigil: 'narrow_task' }, heartbeatFee(t.protocol, 1).lamports),
  },
  {
    id: 'sigil',
    clause: 'sigil.route',
    cost: paid,
    ready: (t) => readyToPay(t, { init: true }, t.protocol.sigil.narrowTaskFeeLamports, purchase(t)),
  },
  {
    id: 'reissue-proof',
    clause: 'reissue-proof.route',
    cost: paid,
    ready: (t) => readyToPay(t, { sigil: 'narrow_task' }, t.protocol.reissue.feeLamports),
  },
  {
    id: 'passport',
    clause: 'passport.route',
    cost: paid,
    ready: async (t) => ({ key: (await t.walletRoot({ sigil: 'narrow_task' })).key, body: undefined }),
  },
  {
    id: 'metadata',
    clause: 'metadata.error.auth-missing',
    cost: paid,
    ready: async (t) => ({ key: (await t.walletRoot({ sigil: 'narrow_task' })).key, body: { substrate: 'open' } }),
  },
  {
    id: 'resync',
    clause: 'resync.route',
    cost: { needs: ['clock', 'beats'], registers: 1, requests: 10, waits: untilFrozen() },
    ready: async (t) => {
      const { key } = await frozen(t, fewest(t));
      const chain = await sharedChain(t, penalty(t, fewest(t)));
      return { key, body: { beats_receipt: await receiptFor(t, proofOf(chain)) } };
    },
  },
];

/** What a request may carry in place of a valid key. */
interface BadKey {
  readonly title: string;
  readonly clauses: readonly string[];
  readonly send: (t: Trial, id: EndpointId, key: string, body: unknown) => Promise<Reply>;
}

const invalid = ['auth.agent-key.invalid', 'auth.error.auth-missing.invalid'];

/** The other hex digit, so that a signature stays one in form. */
const flipped = (digit: string): string => (digit === '0' ? '1' : '0');

const badKeys: Readonly<Record<string, BadKey>> = {
  missing: {
    title: 'without a key',
    clauses: ['auth.agent-key.missing', 'auth.error.auth-missing', 'error.body.code'],
    send: (t, id, _key, body) => t.call(id, { body }),
  },
  malformed: {
    title: 'with a key of another form',
    clauses: invalid,
    send: (t, id, _key, body) => t.call(id, { key: 'not-a-key', body }),
  },
  'other-scheme': {
    title: 'with its key under another scheme than Bearer',
    clauses: ['convention.bearer', 'key.agent.header', ...invalid],
    send: (t, id, key, body) => t.call(id, { body, headers: { authorization: `Basic ${key}` } }),
  },
  forged: {
    title: 'with a key whose signature is off by one digit',
    clauses: ['key.agent.signature', ...invalid],
    send: (t, id, key, body) => t.call(id, { key: key.slice(0, -1) + flipped(key.slice(-1)), body }),
  },
  swapped: {
    title: "with its own payload under another agent's signature",
    clauses: ['key.agent.bound', 'key.agent.signature', ...invalid],
    send: async (t, id, key, body) => {
      const other = await t.root();
      return t.call(id, { key: `${key.split('.')[0]}.${other.key.split('.')[1]}`, body });
    },
  },
};

const matrix = routes.flatMap((route) =>
  Object.entries(badKeys).map(
    ([word, bad]): Check => ({
      ...route.cost,
      id: `auth/${route.id}-${word}`,
      title: `${route.id} is refused ${bad.title}`,
      clauses: [route.clause, ...bad.clauses],
      registers: route.cost.registers + (word === 'swapped' ? 1 : 0),
      lamports: ({ sigil, heartbeat }) =>
        route.cost === paid ? sigil.narrowTaskFeeLamports + heartbeat.tier1FeeLamports : 0,
      writes: true,
      refusal: true,
      async run(t) {
        const { key, body } = await route.ready(t);
        t.refused(await bad.send(t, route.id, key, body), 'any/AUTH_MISSING');
        t.accepted(await t.call(route.id, { key, body }));
      },
    }),
  ),
);

const revoked: Check = {
  id: 'auth/revoked',
  title: 'A revoked key is refused, and other keys are not',
  clauses: ['key.agent.revocation', 'key.agent.revoked'],
  needs: ['control'],
  controls: ['agents/:hash/revoke-key'],
  registers: 2,
  requests: 6,
  writes: true,
  refusal: true,
  async run(t) {
    const [agent, other] = [await t.root(), await t.root()];
    t.accepted(await t.call('init', { key: agent.key }));
    await t.control(`POST agents/${agent.hash}/revoke-key`, {});
    t.refused(await t.call('init', { key: agent.key }), 'any/AUTH_MISSING');
    t.accepted(await t.call('init', { key: other.key }));
  },
};

export const authChecks: readonly Check[] = [...matrix, revoked];
