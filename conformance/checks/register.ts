/** Registration of roots without a wallet (4.2, mode 1): its reply and its names. Metadata is in register-metadata.ts, limits are in register-limits.ts. */
import { isFilled, matches } from '../../model/reading/field-tests.js';
import type { Reply } from '../assertions/reply.js';
import { localeName, type NameLocale, nameLocales } from '../steps/locale-names.js';
import { nameIsNoOther, refusal, register } from '../steps/register-call.js';
import type { Check } from '../trial/check.js';

/** Clauses for which an accepted bare registration is evidence. */
const bare = [
  'register.no-wallet.body.name',
  'register.no-wallet.default',
  'register.header.content-type',
  'register.header.authorization',
  'register.metadata.optional',
  'agent.optional-metadata',
  'service.register.free',
] as const;

const registerRoot: Check = {
  id: 'register/root',
  title: 'A name alone makes a root agent, answered with the agent object',
  clauses: [
    'register.route',
    ...bare,
    'register.no-wallet.reply',
    'service.registers',
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
    'agent.field.wallet-model',
    'agent.field.wallet-chain.none',
    'agent.field.birth-tx',
    'key.agent.form',
    'key.agent.payload',
    'key.secret.form',
    'agent.metadata.absent',
    'agent.birth-tx.form',
  ],
  needs: [],
  registers: 1,
  requests: 1,
  writes: true,
  async run(t) {
    const name = t.word();
    const reply = t.accepted(await register(t, { name }), ...bare);
    t.shows('agent.field.name', 'service.registers').exactField(reply, 'name', name);
    t.shows('service.registers').fieldIs(reply, 'hash', isFilled);
    t.shows('agent.metadata.absent').field(reply, 'metadata', {});
    t.shows('agent.birth-tx.form').fieldIs(
      reply,
      'birth_tx',
      matches(/^rec_[0-9a-f]{32}$/, 'rec_ and 32 hex characters'),
    );
    const payload = payloadOf(reply.get('api_key'));
    const form = t.shows('key.agent.payload');
    form.of(
      reply,
      'h in the payload of api_key',
      payload?.['h'] === reply.get('hash'),
      'the hash of the agent',
      payload?.['h'],
    );
    const fields = Object.keys(payload ?? {});
    const whole = ['h', 'k', 'iat'].every((field) => fields.includes(field));
    form.of(reply, 'the payload of api_key', whole, 'an object of h, k and iat', fields);
  },
};

/** The payload of an agent key as D-15 writes it; undefined for any other form. */
function payloadOf(key: unknown): Readonly<Record<string, unknown>> | undefined {
  const [, payload = ''] = /^pvn_([^.]+)\./.exec(String(key)) ?? [];
  try {
    const value: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const registerDistinct: Check = {
  id: 'register/distinct',
  title: 'Two agents of one name have hashes and keys of their own',
  clauses: ['service.registers', 'key.agent.bound'],
  needs: [],
  registers: 3,
  requests: 5,
  writes: true,
  async run(t) {
    const name = t.word();
    const made = await Promise.all([register(t, { name }), register(t, { name })]);
    // Whether two agents may have one name is not shown: where they may not, the other has a name of its own.
    const refused = made.findIndex(({ status }) => status >= 400 && status < 500);
    if (refused >= 0) made[refused] = await register(t, { name: t.word() });
    const [one, other] = made.map((reply) => t.accepted(reply)) as [Reply, Reply];
    for (const [field, clause] of [
      ['hash', 'service.registers'],
      ['api_key', 'key.agent.bound'],
    ] as const) {
      const differ = one.string(field) !== other.string(field);
      t.shows(clause).of(one, `${field} of two agents`, differ, 'two values', 'the same value twice');
    }
    for (const reply of [one, other]) {
      const init = t.accepted(await t.call('init', { key: reply.string('api_key') }));
      t.shows('key.agent.bound').field(init, 'agent_hash', reply.get('hash'));
    }
  },
};

const registerIdentityOnly: Check = {
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
    t.shows('register.no-wallet.identity-only', 'wallet.state.none').through('D-19').field(status, 'wallet', null);
    t.shows('agent.wallet-model.none').field(status, 'wallet_model', 'self-custody');
  },
};

const nameNeeded = {
  clauses: ['register.no-wallet.body.name', 'register.error.validation'],
  twin: ['register.no-wallet.body.name'],
};
const nameBounds = { clauses: ['name.length'], twin: ['name.length'] };

const faults: readonly Check[] = [
  refusal('register/name-missing', 'A registration without a name is refused', nameNeeded, (t) => ({
    bad: { metadata: {} },
    good: { name: t.word(), metadata: {} },
  })),
  refusal('register/name-number', 'A name that is no string is refused', nameNeeded, (t) => ({
    bad: { name: 7 },
    good: { name: t.word() },
  })),
  refusal('register/name-empty', 'A name of spaces is refused: it is trimmed', nameBounds, (t) => ({
    bad: { name: '   ' },
    good: { name: ` ${t.hex(1).slice(0, 1)} ` },
  })),
  refusal('register/name-length', 'A name has at most 64 characters', nameBounds, ({ protocol }) => ({
    bad: { name: 'n'.repeat(protocol.agent.nameCharsMax + 1) },
    good: { name: 'n'.repeat(protocol.agent.nameCharsMax) },
  })),
  refusal('register/name-shortest', 'A name has at least 1 character', nameBounds, ({ protocol }) => ({
    bad: { name: 'n'.repeat(protocol.agent.nameCharsMin - 1) },
    good: { name: 'n'.repeat(protocol.agent.nameCharsMin) },
  })),
  {
    ...refusal(
      'register/name-code-points',
      'The length of a name counts code points',
      { clauses: ['body.text.code-points'], twin: ['body.text.code-points'] },
      ({ protocol }) => ({
        bad: { name: '𝒏'.repeat(protocol.agent.nameCharsMax + 1) },
        good: { name: '𝒏'.repeat(protocol.agent.nameCharsMax) },
      }),
    ),
    replacedBy: 'nameCharacters',
  },
];

/** Names that hold nothing but letters, digits, space, underscore, full stop and hyphen. */
const plainNames = ['Agent 7', 'a', 'worker_12.eu-west', '007', 'UPPER lower', '-.-'];

const registerNamesPlain: Check = {
  id: 'register/names-plain',
  title: 'A name of plain letters, digits, spaces and hyphens comes back as it was given',
  clauses: ['register.no-wallet.body.name', 'agent.field.name'],
  needs: [],
  registers: plainNames.length,
  requests: plainNames.length,
  writes: true,
  async run(t) {
    for (const name of plainNames) {
      await t.part(async () => {
        const reply = t.accepted(await register(t, { name }), 'register.no-wallet.body.name');
        t.shows('agent.field.name').exactField(reply, 'name', name);
      });
    }
  },
};

/** Names as people and machines of many places write them, and what is easily mangled on the way into a database and back. */
const names: Readonly<Record<string, readonly string[]>> = {
  latin: ['Zoë Ångström-Øst', 'Nguyễn Thị Ánh', 'Łucja Żółć', 'İbrahim Çağlar', "Siobhán O'Brien"],
  european: ['Ελένη Παπαδοπούλου', 'Юлия Ёжикова', 'Նարեկ Սարգսյան', 'ნინო ბერიძე'],
  'right-to-left': ['محمد عبد الرحمن', 'שרה בן־דוד', 'فاطمه زهرا', 'اُردُو نام'],
  brahmic: ['अनीता शर्मा', 'தமிழ்ச்செல்வி', 'রবীন্দ্রনাথ', 'ธนพร วงศ์'],
  'east-asian': ['李小龍', '山田 太郎', '김민준', '𠮷野家'],
  emoji: ['👩🏽‍🚀 Ada', '🇦🇶', 'e\u0301\u0327', 'ﬁrst №1'],
  markup: ['<b>&amp;</b>', '"quoted" \\ back', "'; DROP TABLE agents;--", '%s {{x}} $HOME'],
  words: ['null', 'undefined', 'true', 'NaN', '__proto__', '[object Object]'],
};

const registerNames = Object.entries(names).map(
  ([word, some]): Check => ({
    id: `register/names-${word}`,
    title: `Names like ${some[0]} are taken and come back as they were given`,
    clauses: ['name.text', 'agent.field.name'],
    needs: [],
    registers: some.length,
    requests: some.length,
    writes: true,
    async run(t) {
      for (const name of some) {
        await t.part(async () => {
          const reply = t.accepted(await register(t, { name }), 'name.text');
          t.shows('name.text').exactField(reply, 'name', name);
          nameIsNoOther(t, reply, name);
        });
      }
    },
  }),
);

/** How many locales a run takes names from: no more than an address may register in an hour. */
const LOCALES_TAKEN = 8;

const registerNamesLocales: Check = {
  id: 'register/names-locales',
  title: "Names of people in eight languages, which follow from the run's seed, come back as they were given",
  clauses: ['name.text', 'agent.field.name'],
  needs: [],
  registers: LOCALES_TAKEN,
  requests: LOCALES_TAKEN,
  writes: true,
  async run(t) {
    const left: NameLocale[] = [...nameLocales];
    for (let i = 0; i < LOCALES_TAKEN; i += 1) {
      const [locale] = left.splice(Number.parseInt(t.hex(4), 16) % left.length, 1);
      if (locale === undefined) throw new Error('there are fewer locales than a run takes');
      // Names of a locale are a large file: a busy machine reads it slowly.
      const seed = Number.parseInt(t.hex(4), 16);
      const name = await t.busyWith(() => localeName(locale, seed, t.protocol.agent.nameCharsMax));
      await t.part(async () => {
        const reply = t.accepted(await register(t, { name }), 'name.text');
        t.shows('name.text').exactField(reply, 'name', name);
        nameIsNoOther(t, reply, name);
      });
    }
  },
};

const registerUnknownFields: Check = {
  id: 'register/unknown-fields',
  title: 'Unknown fields of a body are ignored',
  clauses: ['body.unknown-fields'],
  needs: [],
  registers: 1,
  requests: 1,
  writes: true,
  async run(t) {
    const body = { name: t.word(), colour: 'blue', depth: 7 };
    const reply = t.accepted(await register(t, body), 'body.unknown-fields');
    t.shows('body.unknown-fields').field(reply, 'depth', 0);
  },
};

export const registerChecks: readonly Check[] = [
  registerRoot,
  registerDistinct,
  registerIdentityOnly,
  ...faults,
  registerNamesPlain,
  ...registerNames,
  registerNamesLocales,
  registerUnknownFields,
];
