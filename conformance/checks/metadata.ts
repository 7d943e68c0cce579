import type { Protocol } from '../../spec/protocol.js';
import { capabilities, complianceRegimes, protocols, substrates } from '../../spec/vocabulary.js';
import type { Reply } from '../assertions/reply.js';
import { judgeLimit } from '../steps/limit.js';
import { windowOf } from '../steps/waits.js';
import type { Check } from '../trial/check.js';
import type { Agent } from '../trial/fixtures.js';
import type { Trial } from '../trial/trial.js';
import { look } from './lookup.js';

/** What every check of PATCH /agent/metadata costs that needs an agent with a SIGIL. */
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
  substrate_model: 'a model',
  capability: 'analyst',
  capability_scope: 'a scope',
  tools: ['search', 'write'],
  modality_input: ['text'],
  modality_output: ['text', 'image'],
  protocol: 'mcp',
  endpoint: 'https://agent.example/',
  compliance_regime: 'gdpr',
  generation_trigger: 'retrained',
};

const all: Check = {
  ...metadataBase,
  id: 'metadata/every-field',
  title: 'An agent with a SIGIL sets every mutable field, and lookups show them',
  clauses: [
    'metadata.route',
    'metadata.body',
    'metadata.only-way',
    'metadata.reply',
    'metadata.reply.sigil',
    'metadata.reply.generation',
    'metadata.reply.updated-fields',
    'metadata.field.modality-input',
    'metadata.field.modality-output',
    'metadata.field.generation-trigger.reason',
    'verify.reply.sigil',
  ],
  async run(t) {
    const agent = await t.walletRoot({ sigil: 'narrow_task' });
    const reply = t.accepted(await change(t, agent, everyField));
    t.equal('ok', reply.get('ok'), true);
    const updated = reply.get('updated_fields');
    const names = Array.isArray(updated) ? updated.map(String).toSorted() : updated;
    t.equal('updated_fields', names, Object.keys(everyField).toSorted());
    const verified = t.accepted(await look(t, 'status', agent.hash));
    t.shown(verified, 'sigil', reply.get('sigil'), 'D-19');
    const found = await look(t, 'verify', agent.hash);
    t.that(`${found.name}: status`, found.status === 200, '200', `${found.status}`);
    for (const [field, value] of Object.entries(everyField)) t.shown(found, `sigil.${field}`, value, 'D-20');
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
      `metadata.field.${field.replaceAll('_', '-')}`,
      'metadata.error.validation',
      'metadata.error.validation.code',
      ...(field === 'substrate_provider' ? ['dialect.vendors'] : []),
    ],
    requests: 19,
    refusal: true,
    async run(t) {
      const agent = await t.walletRoot({ sigil: 'narrow_task' });
      for (const value of ['no-such-word', 7]) {
        t.refused(await change(t, agent, { [field]: value }), 'metadata/VALIDATION');
      }
      for (const word of wordsOf(t)) {
        const reply = await change(t, agent, { [field]: word });
        const taken = (): void => t.equal('updated_fields', t.accepted(reply).get('updated_fields'), [field]);
        if (field === 'substrate_provider' && word !== 'custom') t.decided('D-01', taken);
        else taken();
      }
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

const immutable = Object.entries(immutables).map(
  ([field, value]): Check => ({
    ...metadataBase,
    id: `metadata/immutable-${field.replaceAll('_', '-')}`,
    title: `A metadata change that names ${field} is refused, and ${field} stays as it was`,
    clauses: [
      `metadata.immutable.${field.replaceAll('_', '-')}`,
      'metadata.error.validation.immutable',
      'sigil.immutable',
    ],
    refusal: true,
    async run(t) {
      const agent = await t.walletRoot({ sigil: 'narrow_task' });
      const before = await look(t, 'verify', agent.hash);
      t.refused(await change(t, agent, { ...FINE, [field]: value }), 'metadata/VALIDATION');
      t.accepted(await change(t, agent, FINE));
      const after = await look(t, 'verify', agent.hash);
      t.equal(`sigil.${field}`, after.get(`sigil.${field}`), before.get(`sigil.${field}`));
    },
  }),
);

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
      t.refused(await change(t, agent, body), 'metadata/VALIDATION');
      t.accepted(await change(t, agent, { ...body, ...FINE }));
    },
  }),
);

const sigilRequired: Check = {
  ...metadataBase,
  id: 'metadata/sigil-required',
  title: 'An agent without a SIGIL changes no metadata',
  clauses: ['metadata.sigil-needed', 'metadata.error.sigil-required', 'metadata.error.sigil-required.code'],
  registers: 1,
  refusal: true,
  async run(t) {
    t.refused(await change(t, await t.root({ init: true }), FINE), 'metadata/SIGIL_REQUIRED');
    t.accepted(await change(t, await t.walletRoot({ sigil: 'narrow_task' }), FINE));
  },
};

const generation: Check = {
  ...metadataBase,
  id: 'metadata/generation',
  title: 'Each time that generation_trigger is set the generation rises by 1, and by nothing else',
  clauses: [
    'metadata.field.generation-trigger.counter',
    'metadata.field.generation-trigger.reason',
    'metadata.reply.generation',
    'metadata.generation.start',
  ],
  requests: 14,
  async run(t) {
    const agent = await t.walletRoot({ sigil: 'narrow_task' });
    const generationOf = async (body: object): Promise<number> =>
      t.accepted(await change(t, agent, body)).number('generation');
    const start = await generationOf(FINE);
    t.decided('D-47', () => t.equal('generation before any trigger', start, t.protocol.metadata.generationStart));
    t.equal('generation after a trigger', await generationOf({ generation_trigger: 'retrained' }), start + 1);
    t.equal('generation after another field', await generationOf({ capability: 'witness' }), start + 1);
    t.equal('generation after the same trigger', await generationOf({ generation_trigger: 'retrained' }), start + 2);
    t.equal('generation after a third', await generationOf({ ...FINE, generation_trigger: 'moved' }), start + 3);
    const verified = await look(t, 'verify', agent.hash);
    t.shown(verified, 'sigil.generation', start + 3, 'D-20');
    t.shown(verified, 'sigil.generation_trigger', 'moved', 'D-20');
  },
};

const limit: Check = {
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
  requests: 38,
  writes: true,
  refusal: true,
  waits: windowOf('metadata'),
  async run(t) {
    const [agent, other] = [await t.root(), await t.root()];
    // Refused for want of a SIGIL, and counted all the same.
    const send = ({ key }: Agent) => t.call('metadata', { key, body: FINE, mayLimit: true });
    await judgeLimit(t, { limit: 'metadata', send: () => send(agent), other: () => send(other) });
  },
};

export const metadataChecks: readonly Check[] = [
  all,
  ...words,
  ...immutable,
  ...nothing,
  sigilRequired,
  generation,
  limit,
];
