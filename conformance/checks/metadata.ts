/** Changes of a SIGIL's metadata (2.8, 4.11): the fields with their words, lengths and lists, and what changes with them. */

import { endpointOf } from '../../spec/endpoint-ids.js';
import type { Protocol } from '../../spec/protocol.js';
import { capabilities, complianceRegimes, protocols, substrates } from '../../spec/vocabulary.js';
import type { Reply } from '../assertions/reply.js';
import { judgeLimit, otherPaths } from '../steps/limit.js';
import { buy, purchase } from '../steps/paid.js';
import { windowOf } from '../steps/waits.js';
import { linkWith } from '../steps/wallet-call.js';
import type { WrittenCheck } from '../trial/check.js';
import type { Agent } from '../trial/fixtures.js';
import type { Trial } from '../trial/trial.js';
import { look } from './lookup.js';

/** Needs and costs of a check that uses an agent with a SIGIL. */
const base = {
  needs: ['payments'],
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

const metadataEveryField: WrittenCheck = {
  ...base,
  id: 'metadata/every-field',
  title: 'An agent with a SIGIL sets every mutable field, and lookups show them',
  async run(t) {
    const agent = await t.walletRoot({ sigil: 'narrow_task' });
    await change(t, agent, everyField);
    // A call for something else that names a field changes none.
    await t.call('init', { key: agent.key, body: { substrate: 'human', metadata: { substrate: 'human' } } });
    await look(t, 'verify', agent.hash);
    await change(t, agent, { substrate: 'local' });
    await look(t, 'verify', agent.hash);
  },
};

/** A field with values that it refuses, and values that it takes. */
type Values = readonly [field: string, refused: readonly unknown[], taken: readonly unknown[]];

/** A word of a vocabulary in capitals, in a list or after a comma is another value. */
function words(field: string, vocabulary: readonly string[]): Values {
  const [word = '', other = ''] = vocabulary.toReversed();
  return [field, ['no such word', '', 7, word.toUpperCase(), [word], `${other},${word}`], vocabulary];
}

/** A character of the astral planes: one code point, two UTF-16 units, four bytes. */
const ASTRAL = '\u{1f7e2}';

function texts({ metadata: { textCharsMax: most, textCharsMin: least } }: Protocol): readonly Values[] {
  const url = 'https://agent.example/';
  return [
    [
      'substrate_model',
      ['x'.repeat(most + 1), ASTRAL.repeat(most + 1), 7, ''],
      ['x'.repeat(least), ASTRAL.repeat(most)],
    ],
    ...['substrate_model', 'capability_scope', 'generation_trigger'].map(
      (field): Values => [field, ['x'.repeat(most + 1), 7], ['é'.repeat(most)]],
    ),
    [
      'endpoint',
      [url.padEnd(most + 1, 'x'), 7, 'not url', 'agent.example', '/a2a', 'https://'],
      [url.padEnd(most, 'x'), 'http://127.0.0.1:8080/', 'wss://agent.example/socket', 'grpc://agent.example:50051'],
    ],
  ];
}

function lists({ metadata }: Protocol): readonly Values[] {
  const { toolsMax, toolCharsMax, modalityWordsMax, modalityCharsMax } = metadata;
  // Each another one: a list may be kept as a set.
  const each = (count: number): readonly string[] => Array.from({ length: count }, (_, n) => `tool ${n}`);
  const copies = (count: number): readonly string[] => Array.from({ length: count }, () => 'text');
  const long = 'x'.repeat(toolCharsMax + 1);
  return [
    [
      'tools',
      [each(toolsMax + 1), 'tool', '', [7], [long], ['tool', long]],
      [['é'.repeat(toolCharsMax)], each(toolsMax)],
    ],
    ['tools', [], [[]]],
    ['modality_input', ['text', [7], copies(modalityWordsMax + 1)], [['text'], copies(modalityWordsMax)]],
    [
      'modality_output',
      ['text', [7], ['x'.repeat(modalityCharsMax + 1)], ['Text'], ['1d'], ['']],
      [['text'], ['x'.repeat(modalityCharsMax)], ['point-cloud_3d']],
    ],
    ['substrate', [null], ['open']],
  ];
}

/** Fields of which one agent sets values, as many as its limit admits in a minute. */
type Group = readonly Values[];

const values = (
  [
    [
      'words',
      'A field with a vocabulary takes its words and no other',
      ({ facts: { dialect } }) => [
        [words('substrate', substrates), words('compliance_regime', complianceRegimes)],
        [words('substrate_provider', [...dialect.vendors, 'custom']), words('protocol', protocols)],
        [words('capability', capabilities)],
      ],
    ],
    ['texts', 'Texts have 1 to 256 characters, and an endpoint is a URL', ({ protocol }) => [texts(protocol)]],
    ['lists', 'Lists have their bounds, and so have the texts in them', ({ protocol }) => [lists(protocol)]],
  ] as readonly (readonly [word: string, title: string, groupsOf: (t: Trial) => readonly Group[]])[]
).map(
  ([word, title, groupsOf]): WrittenCheck => ({
    ...base,
    id: `metadata/${word}`,
    title,
    async run(t) {
      for (const group of groupsOf(t)) {
        const agent = await t.walletRoot({ sigil: 'narrow_task' });
        for (const [field, refused, taken] of group) {
          for (const value of [...refused, ...taken]) await change(t, agent, { [field]: value });
          await look(t, 'verify', agent.hash);
        }
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

const refused: WrittenCheck = {
  ...base,
  id: 'metadata/refused',
  title: 'A change that names an immutable field, or no field, or is by an agent without a SIGIL, changes nothing',
  async run(t) {
    const agent = await t.walletRoot({ sigil: 'narrow_task' });
    await change(t, await t.root({ init: true }), FINE);
    await change(t, agent, { ...FINE, capability_scope: 'a scope' });
    const beside = { substrate: 'hybrid', capability_scope: 'another', generation_trigger: 'never' };
    for (const [field, value] of Object.entries(immutables)) {
      for (const body of [{ [field]: value }, { ...beside, [field]: value }, { ...beside, [field]: '' }])
        await change(t, agent, body);
    }
    for (const body of [{}, { colour: 'red' }, { ...beside, substrate: 'never' }]) await change(t, agent, body);
    await look(t, 'verify', agent.hash);
    await change(t, agent, FINE);
  },
};

const metadataGeneration: WrittenCheck = {
  ...base,
  id: 'metadata/generation',
  title: 'Each time that generation_trigger is set the generation rises by 1, and by nothing else',
  async run(t) {
    const [agent, other] = [await t.walletRoot({ sigil: 'narrow_task' }), await t.walletRoot({ sigil: 'narrow_task' })];
    for (const body of [
      FINE,
      { generation_trigger: 'retrained' },
      { capability: 'witness' },
      { generation_trigger: 'retrained' },
      everyField,
      { ...FINE, generation_trigger: 'moved' },
      FINE,
      { capability: 'guardian', tools: ['b', 'a'] },
    ])
      await change(t, agent, body);
    // 2.8: the counter is the agent's own.
    for (const body of [FINE, { generation_trigger: 'of another agent' }]) await change(t, other, body);
    await look(t, 'verify', agent.hash);
  },
};

const metadataRegistrationKept: WrittenCheck = {
  ...base,
  id: 'metadata/registration-kept',
  title: 'The metadata of the registration is what it was after a wallet, a SIGIL and a metadata change',
  async run(t) {
    const metadata = { purpose: t.word(), substrate: 'of the registration', list: [1, null, { a: '' }] };
    const root = await t.root({ metadata });
    await look(t, 'status', root.hash);
    const agent = { ...root, wallet: t.wallet() };
    await linkWith(t, root, agent.wallet);
    await t.fund(agent.wallet, 2 * t.protocol.sigil.narrowTaskFeeLamports);
    await buy(t, agent, purchase(t));
    for (const body of [{ metadata: { purpose: 'another' } }, FINE]) await change(t, agent, body);
    for (const lookup of ['status', 'verify'] as const) await look(t, lookup, root.hash);
  },
};

const metadataLimit: WrittenCheck = {
  id: 'metadata/limit',
  title: 'An agent tries 30 metadata changes a minute',
  needs: ['clock'],
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

export const metadataChecks: readonly WrittenCheck[] = [
  metadataEveryField,
  ...values,
  refused,
  metadataGeneration,
  metadataRegistrationKept,
  metadataLimit,
];
