import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { dialects } from '../../../spec/dialect.js';
import type { TestAgent } from '../../../test/fixtures/http.js';
import { once, Session } from '../../../test/fixtures/session.js';
import { findTransaction } from '../../ledger/ledger.js';

let session: Session;
beforeAll(async () => {
  session = await Session.start({ overlay: { limits: { metadata: { count: 1_000 } } } });
});
afterAll(() => session.close());

describe('a SIGIL (2.7)', () => {
  let agent: TestAgent;
  let sigil: Record<string, unknown>;
  beforeEach(
    once(async () => {
      session.pass(4);
      agent = await session.root();
      session.pass(2);
      const fields = { identity_class: 'orchestrator', principal: 'acme-labs', tier: 'sov', name: 'weather' };
      ({ sigil } = await session.buySigil(agent, fields));
    }),
  );

  it.each<[clause: string, field: string, value: () => unknown]>([
    ['sigil.field.sigil', 'sigil', () => 'weather*acme-labs*sov'],
    ['service.sigil.identity', 'sigil', () => 'weather*acme-labs*sov'],
    ['sigil.field.sigil-name', 'sigil_name', () => 'weather'],
    ['sigil.field.principal', 'principal', () => 'acme-labs'],
    ['sigil.field.tier', 'tier', () => 'sov'],
    ['sigil.field.identity-class', 'identity_class', () => 'orchestrator'],
    ['sigil.field.issued-at-beat', 'issued_at_beat', () => 6],
    ['clock.issued-at-beat', 'issued_at_beat', () => 6],
    ['sigil.field.birth-tx', 'birth_tx', () => expect.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{80,90}$/)],
    ['sigil.field.explorer-url', 'explorer_url', () => expect.any(String)],
    [
      'sigil.explorer-url.form',
      'explorer_url',
      () => `https://explorer.solana.com/tx/${sigil['birth_tx']}?cluster=devnet`,
    ],
  ])('[%s] %s', (_clause, field, value) => {
    expect(sigil[field]).toEqual(value());
  });

  it('[sigil.birth-tx.form] [service.sigil.on-chain] is written to the ledger by the service, when it is bought', async () => {
    const { ledger, paymentAccount } = session.deployment.host.service;
    const bare = await session.root();
    expect((await session.status(bare)).tx_signature).toBeNull();
    const born = (await session.buySigil(bare, { name: 'born' })).sigil;
    const memo = { kind: 'memo', from: paymentAccount, text: `sigil born*acme*org ${bare.hash}` };
    expect(findTransaction(ledger, born.birth_tx)).toMatchObject(memo);
    expect((await session.status(bare)).tx_signature).toBe(born.birth_tx);
  });

  it.each(['sov', 'org', 'ind', 'eph', 'sbx'])('[sigil.field.tier] may be of tier %s', async (tier) => {
    const bought = (await session.buySigil(await session.root(), { tier, name: `of-${tier}` })).sigil;
    expect([bought.tier, bought.sigil]).toEqual([tier, `of-${tier}*acme*${tier}`]);
  });

  it.each(['narrow_task', 'autonomous', 'orchestrator'])(
    '[sigil.field.identity-class] [service.sigil.class] gives the class %s',
    async (identity_class) => {
      const buyer = await session.root();
      expect((await session.status(buyer)).identity_class).toBeNull();
      expect((await session.buySigil(buyer, { identity_class })).sigil.identity_class).toBe(identity_class);
      expect((await session.status(buyer)).identity_class).toBe(identity_class);
    },
  );

  it('[sigil.immutable] reads the same after changes, refused changes, a second purchase, a freeze and a return', async () => {
    const read = async () => {
      const { sigil: shown } = await session.ok(`GET /verify/${agent.hash}`);
      return Object.fromEntries(Object.keys(sigil).map((field) => [field, shown[field]]));
    };
    const changes = { sigil: 'a*b*org', sigil_name: 'a', principal: 'b', tier: 'org', identity_class: 'narrow_task' };
    for (const [field, value] of Object.entries(changes)) {
      const body = { [field]: value, capability: 'analyst' };
      expect(await session.outcome('PATCH /agent/metadata', body, agent.authorization)).toBe('400 VALIDATION');
    }
    const rest = { issued_at_beat: 1, birth_tx: 'x', explorer_url: 'x', generation_trigger: 'again' };
    await session.ok('PATCH /agent/metadata', rest, agent.authorization);
    const second = { identity_class: 'narrow_task', principal: 'b', tier: 'org', payment_tx: agent.pay(50_000_000) };
    expect(await session.outcome('POST /sigil', second, agent.authorization)).toBe('409 SIGIL_ALREADY_EXISTS');
    expect((await session.heartbeat(agent)).status).toBe(200);
    session.pass(61);
    expect(await read()).toEqual(sigil);
    await session.resync(agent);
    expect(await read()).toEqual(sigil);
  });
});

describe('what a SIGIL holder can set (2.8)', () => {
  let agent: TestAgent;
  beforeEach(
    once(async () => {
      agent = await session.sigilAgent();
    }),
  );

  /** Sets fields, and returns what the lookup shows of them afterwards, or the refusal. */
  async function set(fields: Record<string, unknown>): Promise<unknown> {
    const { status, body } = await session.call('PATCH /agent/metadata', fields, agent.authorization);
    if (status !== 200) return `${status} ${body.code}`;
    expect(body.updated_fields).toEqual(Object.keys(fields));
    const { sigil } = await session.ok(`GET /verify/${agent.hash}`);
    return Object.fromEntries(Object.keys(fields).map((field) => [field, sigil[field]]));
  }

  const vendors = Array.from({ length: 8 }, (_, i) => `vendor_${i + 1}`);
  const words = (count: number) => Array.from({ length: count }, (_, i) => `word${i}`);
  const vocabularies: readonly (readonly [clause: string, field: string, words: readonly string[]])[] = [
    ['metadata.field.substrate', 'substrate', ['frontier', 'open', 'local', 'symbolic', 'hybrid', 'human']],
    ['metadata.field.substrate-provider', 'substrate_provider', [...vendors, 'custom']],
    ['dialect.vendors', 'substrate_provider', [...vendors, 'custom']],
    [
      'metadata.field.capability',
      'capability',
      ['analyst', 'executor', 'orchestrator', 'guardian', 'retriever', 'renderer', 'witness'],
    ],
    ['metadata.field.protocol', 'protocol', ['http', 'grpc', 'websocket', 'mcp', 'a2a', 'custom']],
    [
      'metadata.field.compliance-regime',
      'compliance_regime',
      ['gdpr', 'pdpa', 'hipaa', 'sox', 'aisi', 'none', 'custom'],
    ],
  ];

  it.each(vocabularies)('[%s] %s is one of %j', async (_clause, field, allowed) => {
    for (const word of allowed) expect(await set({ [field]: word })).toEqual({ [field]: word });
    for (const other of ['', 'other', (allowed[0] as string).toUpperCase(), 'vendor_9', 'openai', 1, [allowed[0]]]) {
      expect(await set({ [field]: other })).toBe('400 VALIDATION');
    }
  });

  it('[dialect.vendors] the vendors have their own names in the dialect provenonce', async () => {
    const published = await Session.start({ dialect: dialects.provenonce });
    try {
      const { authorization } = await published.sigilAgent();
      const names = ['anthropic', 'openai', 'google', 'meta', 'mistral', 'xai', 'cohere', 'deepseek', 'custom'];
      for (const substrate_provider of names) {
        expect(await published.outcome('PATCH /agent/metadata', { substrate_provider }, authorization)).toBe('200');
      }
      const neutral = { substrate_provider: 'vendor_1' };
      expect(await published.outcome('PATCH /agent/metadata', neutral, authorization)).toBe('400 VALIDATION');
    } finally {
      await published.close();
    }
  });

  it.each([
    ['metadata.field.substrate-model', 'substrate_model'],
    ['metadata.field.capability-scope', 'capability_scope'],
    ['metadata.field.generation-trigger', 'generation_trigger'],
  ])('[%s] [metadata.free-text.min] [body.text.code-points] %s has 1 to 256 characters', async (_clause, field) => {
    for (const text of ['x', 'x'.repeat(256), '😀'.repeat(256)])
      expect(await set({ [field]: text })).toEqual({ [field]: text });
    for (const text of ['', 'x'.repeat(257), '😀'.repeat(257), 7])
      expect(await set({ [field]: text })).toBe('400 VALIDATION');
  });

  const at = (chars: number) => `https://agent.example/${'x'.repeat(chars - 22)}`;
  it.each([
    ['metadata.field.endpoint', 'https://agent.example', true],
    ['metadata.field.endpoint', at(256), true],
    ['metadata.field.endpoint', at(257), false],
    ['metadata.field.endpoint', 'not url', false],
    ['metadata.field.endpoint', '', false],
    ['metadata.field.endpoint', 7, false],
    ['metadata.endpoint.absolute', 'http://127.0.0.1:8080/', true],
    ['metadata.endpoint.absolute', 'wss://agent.example/socket?v=1#a', true],
    ['metadata.endpoint.absolute', 'grpc://agent.example:50051', true],
    ['metadata.endpoint.absolute', 'https://agent.example/😀', true],
    ['metadata.endpoint.absolute', 'agent.example', false],
    ['metadata.endpoint.absolute', '/a2a', false],
    ['metadata.endpoint.absolute', '//agent.example/', false],
    ['metadata.endpoint.absolute', 'mailto:a@agent.example', false],
    ['metadata.endpoint.absolute', 'https://', false],
    ['metadata.endpoint.absolute', 'file:///tmp/agent', false],
    ['metadata.endpoint.absolute', 'https://agent.example:99999/', false],
    ['metadata.endpoint.absolute', ' https://agent.example/', false],
    ['metadata.endpoint.absolute', 'https://agent.example/a b', false],
  ])('[%s] endpoint %j: taken %s', async (_clause, endpoint, taken) => {
    expect(await set({ endpoint })).toEqual(taken ? { endpoint } : '400 VALIDATION');
  });

  const lists: readonly (readonly [clause: string, field: string, value: unknown, taken: boolean])[] = [
    ['metadata.field.tools', 'tools', words(32), true],
    ['metadata.field.tools', 'tools', words(33), false],
    ['metadata.field.tools', 'tools', 'hammer', false],
    ['metadata.field.tools', 'tools', [1], false],
    ['metadata.field.tools.item', 'tools', ['x'.repeat(64)], true],
    ['metadata.field.tools.item', 'tools', ['x'.repeat(65)], false],
    ['metadata.field.tools.item', 'tools', ['ok', '😀'.repeat(64)], true],
    ['metadata.field.modality-input', 'modality_input', ['text', 'image'], true],
    ['metadata.field.modality-input', 'modality_input', 'text', false],
    ['metadata.field.modality-input', 'modality_input', [1], false],
    ['metadata.field.modality-output', 'modality_output', ['text', 'image'], true],
    ['metadata.field.modality-output', 'modality_output', 'text', false],
    ['metadata.field.modality-output', 'modality_output', [1], false],
    ['metadata.modality.count', 'modality_input', words(16), true],
    ['metadata.modality.count', 'modality_input', words(17), false],
    ['metadata.modality.count', 'modality_output', words(16), true],
    ['metadata.modality.count', 'modality_output', words(17), false],
    ['metadata.modality.word', 'modality_input', [`a${'b'.repeat(31)}`, 'a_-9'], true],
    ['metadata.modality.word', 'modality_input', [`a${'b'.repeat(32)}`], false],
    ['metadata.modality.word', 'modality_input', ['9a'], false],
    ['metadata.modality.word', 'modality_input', ['Text'], false],
    ['metadata.modality.word', 'modality_output', ['a b'], false],
    ['metadata.modality.word', 'modality_output', [''], false],
    ['metadata.empty-array', 'tools', [], true],
    ['metadata.empty-array', 'modality_input', [], true],
    ['metadata.empty-array', 'modality_output', [], true],
  ];
  it.each(lists)('[%s] %s of %j: taken %s', async (_clause, field, value, taken) => {
    expect(await set({ [field]: value })).toEqual(taken ? { [field]: value } : '400 VALIDATION');
  });

  it.each([
    ...['substrate', 'substrate_provider', 'substrate_model', 'capability', 'capability_scope', 'tools', 'endpoint'],
    ...['modality_input', 'modality_output', 'protocol', 'compliance_regime', 'generation_trigger'],
  ])('[metadata.null] %s cannot be null', async (field) => {
    expect(await set({ [field]: null })).toBe('400 VALIDATION');
    expect(await set({ capability: 'analyst', substrate: 'open', [field]: null })).toBe('400 VALIDATION');
  });

  it('[metadata.generation.start] [metadata.field.generation-trigger.counter] [metadata.field.generation-trigger.reason] counts its triggers and keeps the last as the reason', async () => {
    const fresh = await session.sigilAgent();
    const shown = async () => {
      const { generation, generation_trigger } = (await session.ok(`GET /verify/${fresh.hash}`)).sigil;
      return [generation, generation_trigger];
    };
    const patch = (fields: object) => session.call('PATCH /agent/metadata', fields, fresh.authorization);
    expect(await shown()).toEqual([1, undefined]);
    expect((await patch({ generation_trigger: 'retrained' })).body.generation).toBe(2);
    expect(await shown()).toEqual([2, 'retrained']);
    expect((await patch({ capability: 'analyst' })).body.generation).toBe(2);
    expect((await patch({ generation_trigger: 'x'.repeat(257) })).status).toBe(400);
    expect(await shown()).toEqual([2, 'retrained']);
    expect((await patch({ generation_trigger: 'retrained' })).body.generation).toBe(3);
    expect((await patch({ generation_trigger: 'merged', tools: [] })).body.generation).toBe(4);
    expect(await shown()).toEqual([4, 'merged']);
  });
});
