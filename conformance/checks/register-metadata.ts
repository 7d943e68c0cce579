/** Registration metadata (2.2): what is taken, how much of it, and that it comes back as it was given. */
import { identical } from '../../model/reading/compare.js';
import type { Reply } from '../assertions/reply.js';
import { metadataOf, refusal, register } from '../steps/register-call.js';
import type { Check } from '../trial/check.js';
import type { Trial } from '../trial/trial.js';

/** Metadata of every kind of JSON, by what its report calls it. All of them together stay well below 4 KB. */
const kinds: Readonly<Record<string, unknown>> = {
  text: 'a text',
  'empty text': '',
  'long text': 'a text of more than a few hundred characters '.repeat(20),
  'Key In Capitals': { Of: 'Some', ALL: 'All' },
  null: null,
  true: true,
  false: false,
  zero: 0,
  'negative number': -17,
  fraction: 0.30000000000000004,
  'small number': 1e-7,
  'large number': 1e21,
  'largest exact integer': Number.MAX_SAFE_INTEGER,
  'empty list': [],
  'empty object': {},
  'list of all kinds': [null, true, 0, -0.5, '', [], {}, [[1], [2, [3]]]],
  'nested objects': { a: { b: { c: { d: { e: { f: { g: { h: [{ i: null }] } } } } } } } },
  'empty key': { '': 'nothing', ' ': 'a space' },
  'keys with dots and dollars': { 'a.b': 1, $set: { $ne: null }, 'x[0]': 2, 'a/b~c': 3 },
  'keys that objects have': { constructor: 1, toString: 'two', hasOwnProperty: null },
  'numbers as text': { 1: '1', 2: '1e3', '03': 'NaN' },
  'other scripts': { ünï: 'çödé', 名: '日本語', ключ: 'ערך' },
  'beyond the basic plane': { '🜁': '𝒏🧬👩🏽‍🚀', tag: '🏴󠁧󠁢󠁳󠁣󠁴󠁿' },
  'unnormalised text': { composed: 'é', decomposed: 'e\u0301' },
  'white space': ' \t\n\r\u00a0 leading and trailing ',
  'quotes and escapes': '"double" \'single\' \\ back / slash \b\f\u0001\u001f\u007f',
  markup: "<script>&amp;</script> %s $HOME {{y}} '; DROP TABLE agents;--",
  'line separators': 'a\u2028b\u2029c',
  'what looks like a date': ['2026-01-01T00:00:00Z', '1e5', '0x10', 'true', 'null'],
  'names of our own fields': { hash: '0x00', ok: false, status: 'frozen', metadata: { name: 7 } },
};

/** That a lookup returns registration metadata: at all, and every kind of it as it was given. */
function returnedBy(
  t: Trial,
  reply: Reply,
  sent: Readonly<Record<string, unknown>> & { readonly mark: string },
  {
    clauses,
    path,
    decision,
  }: { readonly clauses: readonly string[]; readonly path: string; readonly decision: string },
): void {
  // A server may write any of its characters as escapes.
  const isThere = (JSON.stringify(reply.json) ?? reply.text).includes(sent.mark);
  t.shows(...clauses).of(reply, 'registration metadata', isThere, 'what was given at registration', reply.excerpt());
  const found = reply.get(path);
  if (found === undefined) {
    // It is there, or the line above has told that it is not: where it is to be found is our decision.
    t.shows(...clauses)
      .through(decision)
      .field(reply, path, sent);
    return;
  }
  for (const [kind, value] of Object.entries(sent)) {
    const actual = typeof found === 'object' && found !== null ? (found as Record<string, unknown>)[kind] : undefined;
    t.shows(...clauses).of(reply, `${path}: ${kind}`, identical(actual, value), JSON.stringify(value), actual);
  }
  const keys = Object.keys(Object(found)).toSorted();
  t.shows(...clauses).exactly(`${path}: its keys`, keys, Object.keys(sent).toSorted());
}

const registerMetadata: Check = {
  id: 'register/metadata',
  title: 'Metadata of every kind of JSON is taken, and registration and lookups return it as it was given',
  clauses: [
    'register.no-wallet.body.metadata',
    'register.metadata.object',
    'register.metadata.free',
    'register.metadata.set-once',
    'register.metadata.returned.verify',
    'register.metadata.returned.status',
    'agent.optional-metadata',
    'agent.field.metadata',
  ],
  needs: [],
  registers: 1,
  requests: 7,
  writes: true,
  async run(t) {
    const metadata = { mark: t.word(), ...kinds };
    const taken = ['register.no-wallet.body.metadata', 'register.metadata.object', 'register.metadata.free'];
    const reply = t.accepted(await register(t, { name: t.word(), metadata }), ...taken, 'agent.optional-metadata');
    t.shows('agent.field.metadata').exactField(reply, 'metadata', metadata);
    const hash = reply.string('hash');
    const look = async (more: readonly string[]): Promise<void> => {
      const status = t.accepted(await t.call('status', { params: { hash } }));
      const inStatus = ['register.metadata.returned.status', ...more];
      returnedBy(t, status, metadata, { clauses: inStatus, path: 'metadata', decision: 'D-19' });
      const verify = t.accepted(await t.call('verify', { params: { hash } }));
      const inVerify = ['register.metadata.returned.verify', ...more];
      returnedBy(t, verify, metadata, { clauses: inVerify, path: 'agent.metadata', decision: 'D-20' });
    };
    await t.part(() => look([]));
    const key = reply.string('api_key');
    t.accepted(await t.call('init', { key }));
    // No call but registration takes metadata: one that carries some may be refused, and changes none.
    await t.call('init', { key, body: { metadata: { mark: 'another' } } });
    await look(['register.metadata.set-once']);
  },
};

/** Keys that name something elsewhere (2.1, 2.7, 2.8), with values that these would not have there. */
const namesElsewhere: Readonly<Record<string, unknown>> = {
  substrate: 'clockwork',
  substrate_provider: 'Nobody Inc.',
  substrate_model: 7,
  capability: 'cooking',
  capability_scope: ['all', 'and more'],
  tools: 'a hammer',
  modality_input: { taste: true },
  modality_output: 'smell',
  protocol: 'smtp',
  endpoint: 'no address',
  compliance_regime: 'our own',
  generation_trigger: null,
  identity_class: 'emperor',
  tier: 'top',
  principal: 'No Principal!',
  sigil: false,
  name: '',
  hash: '0x00',
  parent: 'none',
  depth: -1,
  type: 'leaf',
  wallet: 0,
  wallet_model: 'shared',
  wallet_chain: 'none',
  status: 'gone',
  secret: 'none',
  ok: false,
};

const namedElsewhere: Check = {
  id: 'register/metadata-keys-of-others',
  title: 'Metadata is free: keys that have a vocabulary elsewhere have none in it, and name nothing of the agent',
  clauses: ['register.metadata.free', 'register.metadata.returned.status', 'register.metadata.returned.verify'],
  needs: [],
  registers: 1,
  requests: 4,
  writes: true,
  async run(t) {
    const metadata = { mark: t.word(), ...namesElsewhere };
    const name = t.word();
    const reply = t.accepted(await register(t, { name, metadata }), 'register.metadata.free');
    const own = t.shows('register.metadata.free');
    own.exactField(reply, 'name', name);
    own.field(reply, 'type', 'root');
    own.field(reply, 'depth', 0);
    const hash = reply.string('hash');
    own.that('hash of the agent', hash !== namesElsewhere['hash'], 'none that its metadata names', hash);
    const status = t.accepted(await t.call('status', { params: { hash } }));
    const inStatus = ['register.metadata.returned.status'];
    returnedBy(t, status, metadata, { clauses: inStatus, path: 'metadata', decision: 'D-19' });
    const verify = t.accepted(await t.call('verify', { params: { hash } }));
    const inVerify = ['register.metadata.returned.verify'];
    returnedBy(t, verify, metadata, { clauses: inVerify, path: 'agent.metadata', decision: 'D-20' });
  },
};

const registerMetadataAbsent: Check = {
  id: 'register/metadata-absent',
  title: 'Metadata that was not given reads null in lookups',
  clauses: ['agent.metadata.absent.lookup'],
  needs: [],
  registers: 1,
  requests: 3,
  writes: true,
  async run(t) {
    const { hash } = await t.root();
    const absent = t.shows('agent.metadata.absent.lookup');
    absent.field(t.accepted(await t.call('status', { params: { hash } })), 'metadata', null);
    absent.field(t.accepted(await t.call('verify', { params: { hash } })), 'agent.metadata', null);
  },
};

/** The fewest bytes that a kilobyte can mean, with room for the spaces that a serializer may write. */
const leastOf = (bytes: number): number => Math.floor((bytes * 1_000) / 1_024) - 2;

const size = { needs: [], registers: 2, requests: 2, writes: true, refusal: true } as const;

const registerMetadataSize: Check = {
  ...size,
  id: 'register/metadata-size',
  title: 'Metadata of 4,000 bytes is taken, of more than 4,096 refused, in whatever script',
  registers: 3,
  requests: 3,
  clauses: ['register.metadata.size', 'constant.registration-metadata', 'register.error.validation.metadata'],
  async run(t) {
    const bytes = t.protocol.registration.metadataBytesMax;
    const musts = ['register.metadata.size', 'constant.registration-metadata'];
    const tooLarge = await register(t, { name: t.word(), metadata: metadataOf(bytes + 1, 'x') });
    t.refused(tooLarge, 'register/VALIDATION', ...musts, 'register.error.validation.metadata');
    // Fewer characters than the limit in bytes, and in every encoding more bytes: even UTF-16 has two for each.
    const pad = '名'.repeat(Math.ceil(bytes * 0.9));
    if (Buffer.byteLength(pad) + 1_000 < t.protocol.body.bytesMax) {
      const wide = await register(t, { name: t.word(), metadata: { pad } });
      t.refused(wide, 'register/VALIDATION', ...musts, 'register.error.validation.metadata');
    }
    // Other fields do not count: here the bytes of the name.
    const name = `${t.word()} ${'名'.repeat(40)}`;
    t.accepted(await register(t, { name, metadata: metadataOf(leastOf(bytes), 'x') }), ...musts);
  },
};

const registerMetadataBytes: Check = {
  ...size,
  id: 'register/metadata-bytes',
  title: 'The size of metadata is counted in bytes, not in characters, and may be 4,096',
  clauses: ['register.metadata.bytes'],
  async run(t) {
    const bytes = t.protocol.registration.metadataBytesMax;
    const tooLarge = await register(t, { name: t.word(), metadata: metadataOf(bytes + 1, 'é') });
    t.refused(tooLarge, 'register/VALIDATION', 'register.metadata.bytes');
    const largest = await register(t, { name: t.word(), metadata: metadataOf(bytes, 'é') });
    t.accepted(largest, 'register.metadata.bytes');
  },
};

/** Values that a careless test for presence takes for absent. */
const registerMetadataFalsy: Check = {
  ...size,
  id: 'register/metadata-falsy',
  title: 'Metadata that is false, 0 or an empty text is refused',
  clauses: ['register.metadata.object', 'register.error.validation.metadata'],
  registers: 4,
  requests: 4,
  async run(t) {
    for (const metadata of [false, 0, '']) {
      const refused = await register(t, { name: t.word(), metadata });
      t.refused(refused, 'register/VALIDATION', 'register.metadata.object', 'register.error.validation.metadata');
    }
    t.accepted(await register(t, { name: t.word(), metadata: { given: false } }), 'register.metadata.object');
  },
};

const noObjects: readonly (readonly [word: string, value: unknown])[] = [
  ['array', ['no', 'object']],
  ['string', 'no object'],
  ['number', 7],
  ['boolean', true],
];

export const registerMetadataChecks: readonly Check[] = [
  registerMetadata,
  namedElsewhere,
  registerMetadataAbsent,
  registerMetadataSize,
  registerMetadataBytes,
  registerMetadataFalsy,
  ...noObjects.map(([word, value]) =>
    refusal(
      `register/metadata-${word}`,
      `Metadata that is a JSON ${word} is refused`,
      {
        clauses: ['register.metadata.object', 'register.error.validation.metadata'],
        twin: ['register.metadata.object'],
      },
      (t) => ({ bad: { name: t.word(), metadata: value }, good: { name: t.word(), metadata: { value } } }),
    ),
  ),
];
