import { registeredAgent } from '../../spec/endpoints/register.js';
import { refusal, register } from '../steps/register-call.js';
import type { Check } from '../trial/check.js';

const nested = {
  purpose: 'testing',
  nested: { list: [1, 'two', null, { deep: true }] },
  'key with spaces': 0.5,
  ünï: 'çödé',
};

const metadata: Check = {
  id: 'register/metadata',
  title: 'Any JSON object is taken as metadata, and registration and lookups return it',
  clauses: [
    'register.no-wallet.body.metadata',
    'register.metadata.object',
    'register.metadata.free',
    'register.metadata.set-once',
    'register.metadata.returned.verify',
    'register.metadata.returned.status',
    'agent.field.metadata',
  ],
  needs: [],
  registers: 1,
  requests: 4,
  writes: true,
  async run(t) {
    const reply = t.accepted(await register(t, { name: t.word(), metadata: nested }), registeredAgent);
    t.equal('metadata of the agent object', reply.get('metadata'), nested);
    t.proves(
      'register.no-wallet.body.metadata',
      'register.metadata.object',
      'register.metadata.free',
      'agent.field.metadata',
    );
    const hash = reply.string('hash');
    t.accepted(await t.call('init', { key: reply.string('api_key') }));
    const status = t.accepted(await t.call('status', { params: { hash } }));
    t.shown(status, 'metadata', nested, 'D-19');
    const verify = t.accepted(await t.call('verify', { params: { hash } }));
    t.shown(verify, 'agent.metadata', nested, 'D-20');
  },
};

const absentMetadata: Check = {
  id: 'register/metadata-absent',
  title: 'Metadata that was not given reads null in lookups',
  clauses: ['agent.metadata.absent.lookup'],
  needs: [],
  registers: 1,
  requests: 3,
  writes: true,
  async run(t) {
    const { hash } = await t.root();
    t.equal('metadata', (await t.call('status', { params: { hash } })).get('metadata'), null);
    t.equal('agent.metadata', (await t.call('verify', { params: { hash } })).get('agent.metadata'), null);
  },
};

/** Metadata whose JSON has exactly so many bytes; `fill` is the character that fills it. */
function metadataOf(bytes: number, fill: string): { pad: string } {
  const each = Buffer.byteLength(fill);
  const room = bytes - Buffer.byteLength(JSON.stringify({ pad: '' }));
  return { pad: fill.repeat(Math.floor(room / each)) + 'x'.repeat(room % each) };
}

function metadataSize(id: string, title: string, clauses: readonly string[], fill: string): Check {
  return {
    id,
    title,
    clauses,
    needs: [],
    registers: 2,
    requests: 2,
    writes: true,
    refusal: true,
    async run(t) {
      const bytes = t.protocol.registration.metadataBytesMax;
      const tooLarge = await register(t, { name: t.word(), metadata: metadataOf(bytes + 1, fill) });
      t.refused(tooLarge, 'register/VALIDATION');
      t.accepted(await register(t, { name: t.word(), metadata: metadataOf(bytes, fill) }), registeredAgent);
    },
  };
}

const metadataKinds: readonly (readonly [word: string, value: unknown])[] = [
  ['array', ['no', 'object']],
  ['string', 'no object'],
  ['number', 7],
  ['boolean', true],
];

export const registerMetadataChecks: readonly Check[] = [
  metadata,
  absentMetadata,
  metadataSize(
    'register/metadata-size',
    'Metadata of 4096 bytes is taken, of 4097 refused',
    ['register.metadata.size', 'constant.registration-metadata', 'register.error.validation.metadata'],
    'x',
  ),
  metadataSize(
    'register/metadata-bytes',
    'The size of metadata is counted in bytes, not in characters',
    ['register.metadata.bytes'],
    'é',
  ),
  ...metadataKinds.map(([word, value]) =>
    refusal(
      `register/metadata-${word}`,
      `Metadata that is a JSON ${word} is refused`,
      ['register.metadata.object', 'register.error.validation.metadata'],
      (t) => ({ bad: { name: t.word(), metadata: value }, good: { name: t.word(), metadata: { value } } }),
    ),
  ),
];
