/** Registration metadata (2.2): its types and its size. Replies must return it unchanged. */

import { groups } from '../../spec/clauses/groups.js';
import { unreachable } from '../assertions/unjudged.js';
import { metadataOf, register } from '../moves/register.js';
import type { WrittenCheck } from '../trial/check.js';

/** Metadata of every JSON type, by its name in the report. */
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
  'texts that look like dates or numbers': ['2026-01-01T00:00:00Z', '1e5', '0x10', 'true', 'null'],
  'names of our own fields': { hash: '0x00', ok: false, status: 'frozen', metadata: { name: 7 } },
};

/** Keys that are fields elsewhere (2.1, 2.7, 2.8), with values that those fields could not have. */
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

/** Registers an agent with each of these as metadata, reads it before and after the start of its chain, and expects it to change no field of the agent. */
const registerMetadata = Object.entries({ '': kinds, '-keys-of-others': namesElsewhere }).map(
  ([word, some]): WrittenCheck => ({
    id: `register/metadata${word}`,
    title: `Metadata with ${word === '' ? 'values of every JSON type' : 'keys that are fields elsewhere'} is returned unchanged`,
    async run(t) {
      const metadata = { mark: t.word(), ...some };
      const [bytes, most] = [Buffer.byteLength(JSON.stringify(metadata)), t.protocol.registration.metadataBytesMax];
      if (bytes > most) throw unreachable(`metadata has at most ${most} bytes, and this check sends ${bytes}`);
      const taken = ['register.no-wallet.body.metadata', 'register.metadata.object', 'register.metadata.free'];
      const sent = await t.send(register(t.target, { name: t.word(), metadata }));
      const reply = t.accepted(sent, ...taken, 'agent.optional-metadata');
      const [params, key] = [{ hash: reply.string('hash') }, reply.string('api_key')];
      for (const body of [{}, { metadata: { mark: 'another' } }]) {
        for (const id of ['status', 'verify'] as const) await t.call(id, { params });
        // Only registration takes metadata. Another call with metadata may be refused, and changes nothing.
        await t.call('init', { key, body });
      }
      for (const id of ['status', 'verify'] as const) await t.call(id, { params });
    },
  }),
);

const registerMetadataAbsent: WrittenCheck = {
  id: 'register/metadata-absent',
  title: 'Lookups of an agent without metadata show null',
  async run(t) {
    const params = { hash: (await t.root()).hash };
    for (const id of ['status', 'verify'] as const) await t.call(id, { params });
  },
};

/** The fewest bytes that a kilobyte can mean, with room for the spaces that a serializer may write. */
const leastOf = (bytes: number): number => Math.floor((bytes * 1_000) / 1_024) - 2;

const registerMetadataSize: WrittenCheck = {
  id: 'register/metadata-size',
  title: 'Metadata of 4,000 bytes is accepted, of more than 4,096 bytes refused, also if it has fewer characters',
  async run(t) {
    const bytes = t.protocol.registration.metadataBytesMax;
    // Fewer characters than the limit in bytes, and in every encoding more bytes: even UTF-16 has two for each.
    const wide = { pad: '名'.repeat(Math.ceil(bytes * 0.9)) };
    const fits = Buffer.byteLength(wide.pad) + 1_000 < t.protocol.body.bytesMax;
    for (const metadata of [metadataOf(bytes + 1, 'x'), metadataOf(bytes + 1, 'é'), ...(fits ? [wide] : [])])
      await t.send(register(t.target, { name: t.word(), metadata }));
    // Other fields do not count: here the bytes of the name.
    const name = [...`${t.word()} ${'名'.repeat(30)}`].slice(0, Math.min(30, t.protocol.agent.nameCharsMax)).join('');
    const least = await t.send(register(t.target, { name, metadata: metadataOf(leastOf(bytes), 'x') }));
    t.accepted(least, ...groups.metadataSize);
    const most = await t.send(register(t.target, { name: t.word(), metadata: metadataOf(bytes, 'é') }));
    t.accepted(most, 'register.metadata.kilobyte');
  },
};

/** Values that are not JSON objects, including the falsy ones. */
const noObjects: readonly unknown[] = [['no', 'object'], 'no object', 7, true, false, 0, ''];

const registerMetadataNoObject: WrittenCheck = {
  id: 'register/metadata-no-object',
  title: 'Metadata that is not a JSON object is refused',
  async run(t) {
    for (const metadata of noObjects) await t.send(register(t.target, { name: t.word(), metadata }));
    t.accepted(
      await t.send(register(t.target, { name: t.word(), metadata: { given: noObjects } })),
      'register.metadata.object',
    );
  },
};

export const registerMetadataChecks: readonly WrittenCheck[] = [
  ...registerMetadata,
  registerMetadataAbsent,
  registerMetadataSize,
  registerMetadataNoObject,
];
