/** Changes of a SIGIL's metadata (2.8, 4.11): the fields with their words, lengths and lists, and what changes with them. */

import { endpointOf } from '../../spec/endpoint-ids.js';
import { change, FINE, immutables, lists, texts, type Values, vocabularies } from '../moves/metadata.js';
import { judgeLimit, otherPaths } from '../steps/limit.js';
import { buy, purchase } from '../steps/paid.js';
import { windowOf } from '../steps/waits.js';
import { linkWith } from '../steps/wallet-call.js';
import type { WrittenCheck } from '../trial/check.js';
import { type Agent, sigilPriceLamports } from '../trial/fixtures.js';
import type { Trial } from '../trial/trial.js';
import { look } from './lookup.js';

/** Needs and costs of a check that uses an agent with a SIGIL. */
const base = {
  needs: ['payments'],
} as const;

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
    await t.send(change(agent, everyField));
    // A call of another endpoint that carries a mutable field does not change it.
    await t.call('init', { key: agent.key, body: { substrate: 'human', metadata: { substrate: 'human' } } });
    await look(t, 'verify', agent.hash);
    await t.send(change(agent, { substrate: 'local' }));
    await look(t, 'verify', agent.hash);
  },
};

/** Fields that one agent can change within its limit of a minute. */
type Group = readonly Values[];

const values = (
  [
    [
      'words',
      'A field with a vocabulary accepts its words and refuses all others',
      ({ facts: { dialect } }) => vocabularies(dialect),
    ],
    [
      'texts',
      'A text that is empty or over 256 characters, or an endpoint that is not a URL, is refused',
      ({ protocol }) => [texts(protocol)],
    ],
    [
      'lists',
      'A list over its bounds, or with a text over its bounds, is refused',
      ({ protocol }) => [lists(protocol)],
    ],
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
          for (const value of [...refused, ...taken]) await t.send(change(agent, { [field]: value }));
          await look(t, 'verify', agent.hash);
        }
      }
    },
  }),
);

const refused: WrittenCheck = {
  ...base,
  id: 'metadata/refused',
  title: 'A change of an immutable field, of no field, or by an agent without a SIGIL, is refused and changes nothing',
  async run(t) {
    const agent = await t.walletRoot({ sigil: 'narrow_task' });
    await t.send(change(await t.root({ init: true }), FINE));
    await t.send(change(agent, { ...FINE, capability_scope: 'a scope' }));
    const beside = { substrate: 'hybrid', capability_scope: 'another', generation_trigger: 'never' };
    for (const [field, value] of Object.entries(immutables)) {
      for (const body of [{ [field]: value }, { ...beside, [field]: value }, { ...beside, [field]: '' }])
        await t.send(change(agent, body));
    }
    for (const body of [{}, { colour: 'red' }, { ...beside, substrate: 'never' }]) await t.send(change(agent, body));
    await look(t, 'verify', agent.hash);
    await t.send(change(agent, FINE));
  },
};

const metadataGeneration: WrittenCheck = {
  ...base,
  id: 'metadata/generation',
  title: 'The generation rises by 1 each time generation_trigger is set, and never otherwise',
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
      await t.send(change(agent, body));
    // 2.8: the counter is the agent's own.
    for (const body of [FINE, { generation_trigger: 'of another agent' }]) await t.send(change(other, body));
    await look(t, 'verify', agent.hash);
  },
};

const metadataRegistrationKept: WrittenCheck = {
  ...base,
  id: 'metadata/registration-kept',
  title: 'The metadata of the registration stays the same after a wallet, a SIGIL and a metadata change',
  async run(t) {
    const metadata = { purpose: t.word(), substrate: 'of the registration', list: [1, null, { a: '' }] };
    const root = await t.root({ metadata });
    await look(t, 'status', root.hash);
    const agent = { ...root, wallet: t.wallet() };
    await linkWith(t, root, agent.wallet);
    await t.fund(agent.wallet, 2 * sigilPriceLamports(t.protocol, 'narrow_task'));
    await buy(t, agent, purchase(t));
    for (const body of [{ metadata: { purpose: 'another' } }, FINE]) await t.send(change(agent, body));
    for (const lookup of ['status', 'verify'] as const) await look(t, lookup, root.hash);
  },
};

const metadataLimit: WrittenCheck = {
  id: 'metadata/limit',
  title: 'The 31st metadata change of an agent in a minute is refused',
  needs: ['clock'],
  waits: windowOf('metadata'),
  async run(t) {
    const [agent, other] = [await t.root(), await t.root()];
    const { path } = endpointOf('metadata');
    // A change by an agent without a SIGIL is refused, and counts all the same.
    const send = (by: Agent) => t.send(change(by, FINE), { mayLimit: true });
    await judgeLimit(t, {
      limit: 'metadata',
      clause: 'limit.metadata',
      bucket: 'auth.rate-bucket.agent',
      send: () => send(agent),
      other: () => send(other),
      // The path with a query is the same path; a server that refuses a query gets none.
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
