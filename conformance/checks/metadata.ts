/** Changes of a SIGIL's metadata (2.8, 4.11): its fields and their words. Lengths and lists are in metadata-bounds.ts. */

import { endpointOf } from '../../spec/endpoint-ids.js';
import type { Protocol } from '../../spec/protocol.js';
import { capabilities, complianceRegimes, protocols, substrates } from '../../spec/vocabulary.js';
import type { Reply } from '../assertions/reply.js';
import { judgeLimit, otherPaths } from '../steps/limit.js';
import { buy, purchase } from '../steps/paid.js';
import { isInLookup } from '../steps/register-call.js';
import { windowOf } from '../steps/waits.js';
import { linkWith } from '../steps/wallet-call.js';
import type { Check } from '../trial/check.js';
import type { Agent, WalletAgent } from '../trial/fixtures.js';
import type { Trial } from '../trial/trial.js';
import { look } from './lookup.js';

/** Needs and costs of a check of PATCH /agent/metadata that uses an agent with a SIGIL. */
export const metadataBase = {
  needs: ['payments'],
  registers: 0,
  walletRegisters: 2,
  requests: 13,
  lamports: ({ sigil }: Protocol): number => sigil.narrowTaskFeeLamports,
  writes: true,
} as const;

/** Sends a change of metadata. */
export const change = (t: Trial, { key }: Agent, body: unknown): Promise<Reply> => t.call('metadata', { key, body });

/** A change that every SIGIL takes. */
const FINE = { substrate: 'open' };

const everyField = {
  substrate: 'hybrid',
  substrate_provider: 'custom',
  substrate_model: 'a <model> & "Söhne", v1.0',
  capability: 'analyst',
  capability_scope: "it's <all> & 100 %",
  tools: ['write', 'search', 'Write'],
  modality_input: ['text', 'audio'],
  modality_output: ['text', 'image', 'audio'],
  protocol: 'mcp',
  endpoint: 'https://agent.example:8443/a2a/in?tenant=1&mode=x#card',
  compliance_regime: 'gdpr',
  generation_trigger: 'Retrained <twice> & tested',
};

/** The clause of a mutable field. */
const clauseOf = (field: string): string => `metadata.field.${field.replaceAll('_', '-')}`;

/** 4.11: the fields that a change has set are named in its reply. The counter, which may rise with one of them, is not in 2.8. */
export function updatedAre(t: Trial, reply: Reply, names: readonly string[], ...clauses: readonly string[]): void {
  const updated = reply.get('updated_fields');
  const told = Array.isArray(updated) ? updated.map(String).filter((name) => name !== 'generation') : updated;
  const sorted = Array.isArray(told) ? told.toSorted() : told;
  t.shows(...clauses).exactly('updated_fields', sorted, names.toSorted());
}

/**
 * A field of a SIGIL as a lookup tells it. Where it is shown rests on D-20; one that shows the generation there shows the fields
 * of 2.8 next to it (the same decision), so that a field which is not there was not kept.
 */
export function keptIs(t: Trial, found: Reply, field: string, value: unknown, ...clauses: readonly string[]): void {
  const follows = found.get('sigil.generation') !== undefined;
  const kept = t.shows(...clauses);
  (follows ? kept : kept.through('D-20')).exactField(found, `sigil.${field}`, value);
}

/** As setup: an agent with a SIGIL, and the SIGIL's fields in the reply to its purchase. */
async function holder(t: Trial): Promise<{ readonly agent: WalletAgent; readonly bought: Reply }> {
  const agent = await t.walletRoot({ init: true });
  return { agent, bought: await t.setup('a SIGIL', async () => t.accepted(await buy(t, agent, purchase(t)))) };
}

const metadataEveryField: Check = {
  ...metadataBase,
  id: 'metadata/every-field',
  title: 'An agent with a SIGIL sets every mutable field, and lookups show them',
  requests: 15,
  clauses: [
    'metadata.route',
    'metadata.body',
    'metadata.only-way',
    'metadata.reply',
    'metadata.reply.sigil',
    'metadata.reply.generation',
    'metadata.reply.updated-fields',
    ...Object.keys(everyField).map(clauseOf),
    'metadata.field.generation-trigger.reason',
    'verify.reply.sigil',
  ],
  async run(t) {
    const { agent, bought } = await holder(t);
    const reply = t.accepted(await change(t, agent, everyField), 'metadata.body');
    t.shows('metadata.reply.sigil').field(reply, 'sigil', bought.string('sigil.sigil'));
    updatedAre(t, reply, Object.keys(everyField), 'metadata.reply.updated-fields');
    // A call for something else that names a field changes none; whether it is accepted does not matter.
    await t.call('init', { key: agent.key, body: { substrate: 'human', metadata: { substrate: 'human' } } });
    const found = t.accepted(await look(t, 'verify', agent.hash));
    for (const [field, value] of Object.entries(everyField)) {
      keptIs(t, found, field, value, clauseOf(field));
      t.shows('verify.reply.sigil').exactField(found, `sigil.${field}`, value);
    }
    keptIs(t, found, 'substrate', everyField.substrate, 'metadata.only-way');
    const reason = everyField.generation_trigger;
    keptIs(t, found, 'generation_trigger', reason, 'metadata.field.generation-trigger.reason');
    // A change of one field is a change of that field alone.
    t.accepted(await change(t, agent, { substrate: 'local' }), 'metadata.body');
    const later = t.accepted(await look(t, 'verify', agent.hash));
    for (const [field, value] of Object.entries({ ...everyField, substrate: 'local' })) {
      keptIs(t, later, field, value, 'metadata.body');
    }
  },
};

/** The fields that take a word of a vocabulary. Which words name the vendors is the dialect's to say (D-01). */
const vocabularies: Readonly<Record<string, (t: Trial) => readonly string[]>> = {
  substrate: () => substrates,
  substrate_provider: (t) => [...t.facts.dialect.vendors, 'custom'],
  capability: () => capabilities,
  protocol: () => protocols,
  compliance_regime: () => complianceRegimes,
};

const words = Object.entries(vocabularies).map(
  ([field, wordsOf]): Check => ({
    ...metadataBase,
    id: `metadata/words-${field.replaceAll('_', '-')}`,
    title: `${field} takes the words of its vocabulary and no other`,
    clauses: [
      clauseOf(field),
      'metadata.error.validation',
      'metadata.error.validation.code',
      'metadata.reply.updated-fields',
      'metadata.field.capability-scope',
      'sigil.immutable',
      ...(field === 'substrate_provider' ? ['dialect.vendors'] : []),
    ],
    requests: 28,
    refusal: true,
    async run(t) {
      const agent = await t.walletRoot({ sigil: 'narrow_task' });
      const [word = '', other = ''] = wordsOf(t).toReversed();
      // A word of the vocabulary in capitals or in a list is another value.
      for (const value of ['no-such-word', '', 7, word.toUpperCase(), [word], `${other},${word}`]) {
        const clauses = [clauseOf(field), 'metadata.error.validation', 'metadata.error.validation.code'];
        t.refused(await change(t, agent, { [field]: value }), 'metadata/VALIDATION', ...clauses);
      }
      // Nor is a bad word passed over because another field is fine.
      t.accepted(await change(t, agent, { capability_scope: 'a scope' }));
      const beside = { capability_scope: 'another', [field]: 'no-such-word' };
      const refused = await change(t, agent, beside);
      t.refused(refused, 'metadata/VALIDATION', clauseOf(field), 'metadata.error.validation');
      if (refused.status >= 400) {
        const found = t.accepted(await look(t, 'verify', agent.hash));
        keptIs(t, found, 'capability_scope', 'a scope', 'metadata.field.capability-scope');
      }
      const taken: string[] = [];
      for (const word of wordsOf(t)) {
        await t.part(async () => {
          // The text names the vendors in place of their identifiers, which are D-01's.
          const isVendor = field === 'substrate_provider' && word !== 'custom';
          const clause = isVendor ? 'dialect.vendors' : clauseOf(field);
          const reply = t.accepted(await change(t, agent, { [field]: word }), clause);
          taken.push(word);
          updatedAre(t, reply, [field], 'metadata.reply.updated-fields');
        });
      }
      // Nor has a word that is called like a class changed the one that was bought; where a reply shows it is D-12's.
      const printed = t.accepted(await t.call('passport', { key: agent.key }));
      t.shows('sigil.immutable').through('D-12').field(printed, 'passport.identity_class', 'narrow_task');
      if (field !== 'substrate_provider') return;
      // Eight vendors: which they are is D-01's, but where it knows one of them the others are no fewer.
      const vendors = taken.filter((word) => word !== 'custom').length;
      if (vendors === 0) t.shows(clauseOf(field)).notFollowed('D-01', 'the vendors have other identifiers');
      else t.shows(clauseOf(field)).equal('number of vendors', vendors, wordsOf(t).length - 1);
    },
  }),
);

const immutables = {
  sigil: 'other*other*org',
  sigil_name: 'other',
  principal: 'other',
  tier: 'org',
  identity_class: 'autonomous',
};

const immutable = Object.entries(immutables).map(([field, value]): Check => {
  const clauses = [
    `metadata.immutable.${field.replaceAll('_', '-')}`,
    'metadata.error.validation.immutable',
    'sigil.immutable',
  ];
  return {
    ...metadataBase,
    requests: 17,
    id: `metadata/immutable-${field.replaceAll('_', '-')}`,
    title: `A metadata change that names ${field} is refused, and ${field} stays as it was`,
    clauses: [...clauses, 'metadata.field.generation-trigger.counter', 'metadata.field.capability-scope'],
    refusal: true,
    async run(t) {
      const { agent, bought } = await holder(t);
      const before = t.accepted(await change(t, agent, { ...FINE, capability_scope: 'a scope' }));
      const beside = { substrate: 'hybrid', capability_scope: 'another', generation_trigger: 'never' };
      for (const body of [{ [field]: value }, { ...beside, [field]: value }, { ...beside, [field]: '' }]) {
        t.refused(await change(t, agent, body), 'metadata/VALIDATION', ...clauses);
      }
      await change(t, agent, { generation_trigger: 'never', substrate: 'cloud' });
      const changed = t.accepted(await change(t, agent, FINE));
      // A refused change sets nothing.
      const counter = t.shows('metadata.field.generation-trigger.counter');
      counter.field(changed, 'generation', before.get('generation'));
      t.shows('sigil.immutable').field(changed, 'sigil', bought.string('sigil.sigil'));
      const after = t.accepted(await look(t, 'verify', agent.hash));
      keptIs(t, after, 'capability_scope', 'a scope', 'metadata.field.capability-scope');
      for (const name of Object.keys(immutables)) {
        const own = bought.string(`sigil.${name}`);
        t.shows('sigil.immutable').through('D-20').exactField(after, `sigil.${name}`, own);
      }
    },
  };
});

const nothing = (
  [
    ['no-field', 'empty', {}],
    ['unknown-field', 'of unknown fields alone', { colour: 'red' }],
  ] as const
).map(
  ([word, what, body]): Check => ({
    ...metadataBase,
    id: `metadata/${word}`,
    title: `A metadata change that is ${what} is refused`,
    clauses: ['metadata.error.validation.no-field', 'metadata.error.validation.code'],
    refusal: true,
    async run(t) {
      const agent = await t.walletRoot({ sigil: 'narrow_task' });
      const clauses = ['metadata.error.validation.no-field', 'metadata.error.validation.code'];
      t.refused(await change(t, agent, body), 'metadata/VALIDATION', ...clauses);
      t.accepted(await change(t, agent, FINE));
    },
  }),
);

const metadataSigilRequired: Check = {
  ...metadataBase,
  id: 'metadata/sigil-required',
  title: 'An agent without a SIGIL changes no metadata',
  clauses: ['metadata.sigil-needed', 'metadata.error.sigil-required', 'metadata.error.sigil-required.code'],
  registers: 1,
  refusal: true,
  async run(t) {
    const refused = await change(t, await t.root({ init: true }), FINE);
    const clauses = ['metadata.sigil-needed', 'metadata.error.sigil-required'];
    t.refused(refused, 'metadata/SIGIL_REQUIRED', ...clauses, 'metadata.error.sigil-required.code');
    t.accepted(await change(t, await t.walletRoot({ sigil: 'narrow_task' }), FINE), 'metadata.sigil-needed');
  },
};

const metadataGeneration: Check = {
  ...metadataBase,
  id: 'metadata/generation',
  title: 'Each time that generation_trigger is set the generation rises by 1, and by nothing else',
  clauses: [
    'metadata.field.generation-trigger.counter',
    'metadata.field.generation-trigger.reason',
    'metadata.reply.generation',
    'metadata.reply.updated-fields',
    'metadata.body',
    'metadata.generation.start',
  ],
  requests: 24,
  walletRegisters: 4,
  lamports: ({ sigil }) => 2 * sigil.narrowTaskFeeLamports,
  async run(t) {
    const [agent, other] = [await t.walletRoot({ sigil: 'narrow_task' }), await t.walletRoot({ sigil: 'narrow_task' })];
    const send = async (body: object): Promise<Reply> => t.accepted(await change(t, agent, body));
    const first = await send(FINE);
    t.shows('metadata.generation.start').field(first, 'generation', t.protocol.metadata.generationStart);
    const start = first.number('generation');
    const counter = t.shows('metadata.field.generation-trigger.counter');
    for (const [body, rises] of [
      [{ generation_trigger: 'retrained' }, 1],
      [{ capability: 'witness' }, 1],
      [{ generation_trigger: 'retrained' }, 2],
      // However many fields it is set with.
      [everyField, 3],
      [{ ...FINE, generation_trigger: 'moved' }, 4],
      [FINE, 4],
      [{ capability: 'guardian', tools: ['b', 'a'] }, 4],
    ] as const) {
      const reply = await send(body);
      counter.field(reply, 'generation', start + rises);
      t.shows('metadata.reply.generation').field(reply, 'generation', start + rises);
      updatedAre(t, reply, Object.keys(body), 'metadata.reply.updated-fields');
    }
    // 2.8: the counter is the agent's own.
    const another = t.accepted(await change(t, other, { generation_trigger: 'of another agent' }));
    counter.field(another, 'generation', start + 1);
    const found = t.accepted(await look(t, 'verify', agent.hash));
    counter.through('D-20').field(found, 'sigil.generation', start + 4);
    keptIs(t, found, 'generation_trigger', 'moved', 'metadata.field.generation-trigger.reason');
    // The latest value of each field, and those that a later change did not name.
    for (const [field, value] of Object.entries({ ...FINE, capability: 'guardian', tools: ['b', 'a'] })) {
      keptIs(t, found, field, value, 'metadata.body');
    }
  },
};

const metadataRegistrationKept: Check = {
  ...metadataBase,
  id: 'metadata/registration-kept',
  title: 'The metadata of the registration is what it was after a wallet, a SIGIL and a metadata change',
  clauses: [
    'register.metadata.set-once',
    'register.metadata.returned.status',
    'register.metadata.returned.verify',
    'metadata.error.validation.no-field',
  ],
  registers: 1,
  walletRegisters: 0,
  requests: 14,
  refusal: true,
  async run(t) {
    const metadata = { purpose: t.word(), substrate: 'of the registration', list: [1, null, { a: '' }] };
    const [root, wallet] = [await t.root({ metadata }), t.wallet()];
    const agent = { ...root, wallet };
    await t.setup('an agent with a SIGIL', async () => {
      t.accepted(await linkWith(t, root, wallet));
      await t.fund(wallet, 2 * t.protocol.sigil.narrowTaskFeeLamports);
      t.accepted(await buy(t, agent, purchase(t)));
    });
    const refused = await change(t, agent, { metadata: { purpose: 'another' } });
    t.refused(refused, 'metadata/VALIDATION', 'metadata.error.validation.no-field');
    t.accepted(await change(t, agent, FINE));
    const once = t.shows('register.metadata.set-once');
    const status = t.accepted(await look(t, 'status', agent.hash));
    once.through('D-19').exactField(status, 'metadata', metadata);
    const found = t.accepted(await look(t, 'verify', agent.hash));
    once.through('D-20').exactField(found, 'agent.metadata', metadata);
    // A SIGIL takes nothing out of a lookup: what was given at registration is in both.
    isInLookup(t, status, metadata.purpose, 'register.metadata.returned.status');
    isInLookup(t, found, metadata.purpose, 'register.metadata.returned.verify');
  },
};

const metadataLimit: Check = {
  id: 'metadata/limit',
  title: 'An agent tries 30 metadata changes a minute',
  clauses: [
    'limit.metadata',
    'limit.error.rate-limited',
    'auth.rate-bucket.agent',
    'limit.window',
    'limit.refused-count',
  ],
  needs: ['clock'],
  registers: 2,
  requests: 46,
  writes: true,
  refusal: true,
  waits: windowOf('metadata'),
  async run(t) {
    const [agent, other] = [await t.root(), await t.root()];
    const { path } = endpointOf('metadata');
    // Refused for want of a SIGIL, and counted all the same.
    const send = ({ key }: Agent) => t.call('metadata', { key, body: FINE, mayLimit: true });
    await judgeLimit(t, {
      limit: 'metadata',
      clause: 'limit.metadata',
      bucket: 'auth.rate-bucket.agent',
      send: () => send(agent),
      other: () => send(other),
      // The path is the same with a query; a server that takes none is asked without.
      alsoOver: [
        async () => {
          const asked = await t.raw({ method: 'PATCH', path: `${path}?n=1`, key: agent.key, body: FINE });
          return [400, 404].includes(asked.status) ? send(agent) : asked;
        },
      ],
      elsewhere: otherPaths(t, agent.key, 'metadata'),
    });
  },
};

export const metadataChecks: readonly Check[] = [
  metadataEveryField,
  ...words,
  ...immutable,
  ...nothing,
  metadataSigilRequired,
  metadataGeneration,
  metadataRegistrationKept,
  metadataLimit,
];
