import { registeredAgent } from '../../spec/endpoints/register.js';
import { show } from '../assertions/mismatch.js';
import { judgeLimit } from '../steps/limit.js';
import { refusal, register } from '../steps/register-call.js';
import { windowOf } from '../steps/waits.js';
import type { Check } from '../trial/check.js';

const root: Check = {
  id: 'register/root',
  title: 'A name alone makes a root agent, answered with the agent object',
  clauses: [
    'register.route',
    'register.no-wallet.body.name',
    'register.no-wallet.default',
    'register.no-wallet.reply',
    'register.header.content-type',
    'register.metadata.optional',
    'agent.optional-metadata',
    'service.base-url',
    'service.registers',
    'service.register.free',
    'lineage.place',
    'lineage.root',
    'convention.agent-hash',
    'agent.field.ok',
    'agent.field.hash',
    'agent.field.api-key',
    'agent.field.secret',
    'agent.field.type',
    'agent.field.parent',
    'agent.field.depth',
    'agent.field.name',
    'agent.field.metadata',
    'agent.field.wallet-model',
    'agent.field.wallet-chain.none',
    'agent.field.birth-tx',
    'key.agent.form',
    'key.agent.payload',
    'key.secret.form',
    'agent.metadata.absent',
    'agent.birth-tx.form',
    'versioning.path',
  ],
  needs: [],
  registers: 1,
  requests: 1,
  writes: true,
  async run(t) {
    const name = t.word();
    const reply = t.accepted(await register(t, { name }), registeredAgent);
    for (const [field, value, ...about] of [
      ['type', 'root', 'agent.field.type', 'lineage.root'],
      ['parent', null, 'agent.field.parent', 'lineage.place', 'lineage.root'],
      ['depth', 0, 'agent.field.depth', 'lineage.place', 'lineage.root'],
      ['name', name, 'agent.field.name'],
      ['wallet_model', 'self-custody', 'agent.field.wallet-model'],
      ['wallet_chain', null, 'agent.field.wallet-chain.none'],
    ] as const) {
      t.about(about, () => t.equal(field, reply.get(field), value));
    }
    t.decided('D-45', () => t.equal('metadata', reply.get('metadata'), {}));
    const birth = reply.string('birth_tx');
    t.decided('D-45', () => t.that('birth_tx', /^rec_[0-9a-f]{32}$/.test(birth), 'rec_ and 32 hex characters', birth));
    const key = reply.string('api_key');
    const [payload = '', signature = ''] = key.replace(/^pvn_/, '').split('.');
    const formed = key.startsWith('pvn_') && payload !== '' && signature !== '';
    t.about(['agent.field.api-key', 'key.agent.form'], () =>
      t.that('api_key', formed, 'pvn_<payload>.<signature>', 'another form'),
    );
    t.decided('D-15', () => {
      const fields = Buffer.from(payload, 'base64url').toString('utf8');
      t.equal('h in the payload of api_key', safeJson(fields)?.['h'], reply.get('hash'));
      t.that('api_key', /^[0-9a-f]{64}$/.test(signature), 'a signature of 64 hex characters', 'another form');
    });
  },
};

function safeJson(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const distinct: Check = {
  id: 'register/distinct',
  title: 'Two agents of one name have hashes and keys of their own',
  clauses: ['service.registers', 'key.agent.bound'],
  needs: [],
  registers: 2,
  requests: 4,
  writes: true,
  async run(t) {
    const name = t.word();
    const [one, other] = await Promise.all([register(t, { name }), register(t, { name })]);
    for (const field of ['hash', 'api_key']) {
      const different = t.accepted(one).string(field) !== t.accepted(other).string(field);
      t.that(`${field} of two agents`, different, 'two values', 'the same value twice');
    }
    for (const reply of [one, other]) {
      const init = t.accepted(await t.call('init', { key: reply.string('api_key') }));
      t.equal('agent_hash of init', init.get('agent_hash'), reply.get('hash'));
    }
  },
};

const identityOnly: Check = {
  id: 'register/identity-only',
  title: 'A no-wallet registration links no wallet',
  clauses: ['register.no-wallet.identity-only', 'wallet.state.none', 'agent.wallet-model.none'],
  needs: [],
  registers: 1,
  requests: 2,
  writes: true,
  async run(t) {
    const agent = await t.root();
    const status = t.accepted(await t.call('status', { params: { hash: agent.hash } }));
    t.shown(status, 'wallet', null, 'D-19');
    t.decided('D-45', () => t.equal('wallet_model', status.get('wallet_model'), 'self-custody'));
  },
};

const faults: readonly Check[] = [
  refusal(
    'register/name-missing',
    'A registration without a name is refused',
    ['register.no-wallet.body.name', 'register.error.validation'],
    (t) => ({ bad: { metadata: {} }, good: { name: t.word(), metadata: {} } }),
  ),
  refusal(
    'register/name-number',
    'A name that is no string is refused',
    ['register.no-wallet.body.name', 'register.error.validation'],
    (t) => ({ bad: { name: 7 }, good: { name: t.word() } }),
  ),
  refusal('register/name-empty', 'A name of spaces is refused: it is trimmed', ['name.length'], (t) => ({
    bad: { name: '   ' },
    good: { name: ` ${t.hex(1).slice(0, 1)} ` },
  })),
  refusal('register/name-length', 'A name has at most 64 characters', ['name.length'], ({ protocol }) => ({
    bad: { name: 'n'.repeat(protocol.agent.nameCharsMax + 1) },
    good: { name: 'n'.repeat(protocol.agent.nameCharsMax) },
  })),
  refusal('register/name-shortest', 'A name has at least 1 character', ['name.length'], ({ protocol }) => ({
    bad: { name: 'n'.repeat(protocol.agent.nameCharsMin - 1) },
    good: { name: 'n'.repeat(protocol.agent.nameCharsMin) },
  })),
  refusal(
    'register/name-code-points',
    'The length of a name counts code points',
    ['name.length', 'body.text.code-points'],
    ({ protocol }) => ({
      bad: { name: '𝒏'.repeat(protocol.agent.nameCharsMax + 1) },
      good: { name: '𝒏'.repeat(protocol.agent.nameCharsMax) },
    }),
  ),
];

const unknownFields: Check = {
  id: 'register/unknown-fields',
  title: 'Unknown fields of a body are ignored',
  clauses: ['body.unknown-fields'],
  needs: [],
  registers: 1,
  requests: 1,
  writes: true,
  async run(t) {
    const reply = t.accepted(await register(t, { name: t.word(), colour: 'blue', depth: 7 }), registeredAgent);
    t.equal('depth', reply.get('depth'), 0);
  },
};

const limit: Check = {
  id: 'register/limit',
  title: 'An address registers 10 agents without a wallet an hour',
  clauses: [
    'limit.register',
    'limit.error.rate-limited',
    'limit.window',
    'limit.retry-after',
    'limit.retry-after-ms',
    'error.body.error',
    'error.body.code',
  ],
  needs: ['clock', 'client-ip'],
  registers: 15,
  requests: 15,
  writes: true,
  refusal: true,
  waits: windowOf('register'),
  async run(t) {
    const other = t.newAddress();
    await judgeLimit(t, {
      limit: 'register',
      send: (n) => register(t, { name: `${t.word()}-${n}` }, { mayLimit: true }),
      other: () => register(t, { name: t.word() }, { address: other, mayLimit: true }),
    });
  },
};

const limitsApart: Check = {
  id: 'register/limits-apart',
  title: 'The wallet flow has a limit of its own beside that of registrations without a wallet',
  clauses: ['limit.register', 'limit.register.wallet-flow'],
  needs: ['clock', 'client-ip'],
  registers: 11,
  walletRegisters: 1,
  requests: 12,
  writes: true,
  refusal: true,
  async run(t) {
    const { count } = t.protocol.limits.register;
    const fill = Array.from({ length: count }, () => register(t, { name: t.word() }, { mayLimit: true }));
    for (const reply of await Promise.all(fill)) t.accepted(reply, registeredAgent);
    t.refused(await register(t, { name: t.word() }, { mayLimit: true }), 'any/RATE_LIMITED');
    const challenge = await register(t, { name: t.word(), action: 'challenge' }, { mayLimit: true });
    t.that('a wallet challenge from the same address', challenge.status !== 429, 'admitted', show(challenge.status));
  },
};

export const registerChecks: readonly Check[] = [
  root,
  distinct,
  identityOnly,
  ...faults,
  unknownFields,
  limit,
  limitsApart,
];
