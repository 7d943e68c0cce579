import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ask, outcomeOf } from '../../../test/fixtures/ask.js';
import { childOf, ethereumAgent } from '../../../test/fixtures/family.js';
import { Deployment, TestAgent } from '../../../test/fixtures/http.js';
import { signingKey } from '../../beats/signing.js';

let deployment: Deployment;
let agent: TestAgent;

beforeEach(async () => {
  const limits = { spawn: { count: 100 }, sponsorPost: { count: 100 }, metadata: { count: 100 } };
  deployment = await Deployment.start({ overlay: { limits } });
  agent = await deployment.agent();
});
afterEach(() => deployment.close());

const MINUTE_MS = 60_000;
const statusOf = async (hash: string) => (await ask(deployment, `GET /status/${hash}`)).body;

describe('PATCH /agent/metadata (4.11)', () => {
  const change = (body: object, as = agent) => ask(deployment, 'PATCH /agent/metadata', { as, body });

  it('[metadata.sigil-needed] is for holders of a SIGIL', async () => {
    const other = await deployment.register();
    expect(outcomeOf(await change({ capability: 'witness' }, other))).toBe('403 SIGIL_REQUIRED');
    expect((await other.buySigil()).status).toBe(200);
    expect(outcomeOf(await change({ capability: 'witness' }, other))).toBe('200');
  });

  it('[metadata.reply] [metadata.reply.sigil] [metadata.reply.generation] [metadata.reply.updated-fields] returns the SIGIL, its generation and the fields that were set', async () => {
    const reply = (await change({ tools: ['a'], generation_trigger: 'retrained' })).body;
    expect(reply).toEqual({
      ok: true,
      sigil: expect.stringMatching(/^auto-[0-9a-f]{8}\*tests\*org$/),
      generation: 2,
      updated_fields: ['tools', 'generation_trigger'],
    });
  });

  it.each([
    ['substrate', 'open', 'none'],
    ['substrate_provider', 'custom', 'acme'],
    ['substrate_model', 'any text', ''],
    ['capability', 'witness', 'king'],
    ['capability_scope', 'any text', 1],
    ['tools', ['a', 'b'], 'a'],
    ['modality_input', ['text'], ['Text']],
    ['modality_output', ['text'], [1]],
    ['protocol', 'mcp', 'smtp'],
    ['endpoint', 'https://a.example', null],
    ['compliance_regime', 'gdpr', 'any'],
    ['generation_trigger', 'retrained', ''],
  ])('[metadata.body] %s alone will do: %j is set, %j is 400', async (field, good, bad) => {
    expect(outcomeOf(await change({ [field]: bad }))).toBe('400 VALIDATION');
    expect((await change({ [field]: good })).body.updated_fields).toEqual([field]);
    expect((await ask(deployment, `GET /verify/${agent.hash}`)).body.sigil[field]).toEqual(good);
  });

  it('[metadata.body] none of them is 400', async () => {
    expect(outcomeOf(await change({}))).toBe('400 VALIDATION');
    expect(outcomeOf(await change({ nobody_knows: 1 }))).toBe('400 VALIDATION');
  });

  it.each([
    ['[metadata.immutable.sigil]', 'sigil', 'a*b*org'],
    ['[metadata.immutable.sigil-name]', 'sigil_name', 'a'],
    ['[metadata.immutable.principal]', 'principal', 'b'],
    ['[metadata.immutable.tier]', 'tier', 'org'],
    ['[metadata.immutable.identity-class]', 'identity_class', 'narrow_task'],
  ])('%s %s is 400, even beside a field that may change, and changes nothing', async (_clause, field, value) => {
    const { sigil } = (await ask(deployment, `GET /verify/${agent.hash}`)).body;
    expect(outcomeOf(await change({ [field]: value }))).toBe('400 VALIDATION');
    expect(outcomeOf(await change({ capability: 'witness', [field]: value }))).toBe('400 VALIDATION');
    expect((await ask(deployment, `GET /verify/${agent.hash}`)).body.sigil).toEqual(sigil);
    expect(outcomeOf(await change({ capability: 'witness' }))).toBe('200');
  });
});

describe('POST /agent/wallet (4.12)', () => {
  const key = signingKey(Buffer.alloc(32, 'the wallet to link'));
  let bare: TestAgent;
  beforeEach(async () => {
    bare = new TestAgent(deployment, key, (await deployment.post('/register', { name: 'bare' })).body);
  });

  const wallet = (body: object, as = bare) => ask(deployment, 'POST /agent/wallet', { as, body });
  const nonceFor = async (as = bare): Promise<string> => (await wallet({ action: 'challenge' }, as)).body.nonce;
  const forms = {
    'link-wallet': {
      address: key.publicKeyHex,
      body: { wallet_public_key: key.publicKeyHex },
      model: 'self-custody',
    },
    'link-wallet-operator': {
      address: key.publicKeyBase58,
      body: { wallet_model: 'operator', operator_wallet_address: key.publicKeyBase58 },
      model: 'operator',
    },
  } as const;
  type Form = keyof typeof forms;
  const signed = (form: Form, nonce: string, word: string = form, subject = bare.hash) => ({
    ...forms[form].body,
    wallet_nonce: nonce,
    wallet_signature: key.signHex(`service-${word}:${nonce}:${forms[form].address}:${subject}`),
  });

  it('[wallet.challenge.body] [wallet.challenge.reply] [wallet.challenge.reply.expires-in] [wallet.nonce.form] begins with a nonce', async () => {
    expect((await wallet({ action: 'challenge' })).body).toEqual({
      ok: true,
      action: 'challenge',
      nonce: expect.stringMatching(/^[0-9a-f]{64}$/),
      expires_in: 300,
    });
    expect(outcomeOf(await wallet({ action: 'start' }))).toBe('400 VALIDATION');
  });

  it.each([
    ['[wallet.self-custody.body]', 'link-wallet'],
    ['[wallet.operator.body]', 'link-wallet-operator'],
  ] as const)(
    '[wallet.purpose] [wallet.finalize.reply] %s ends with %s, and the wallet is linked',
    async (_clause, form) => {
      const body = signed(form, await nonceFor());
      for (const field of Object.keys(body)) {
        if (field === 'wallet_model') continue;
        expect(outcomeOf(await wallet({ ...body, [field]: undefined }))).toBe('400 VALIDATION');
      }
      const linked = { wallet: key.publicKeyBase58, wallet_model: forms[form].model, wallet_chain: 'solana' };
      expect((await wallet(body)).body).toEqual({ ok: true, agent_hash: bare.hash, ...linked });
      expect(await statusOf(bare.hash)).toMatchObject(linked);
    },
  );

  it.each([
    ['[wallet.self-custody.message]', 'link-wallet', 'link-wallet', '200'],
    ['[wallet.self-custody.message]', 'link-wallet', 'link-wallet-operator', '400 SIGNATURE_INVALID'],
    ['[wallet.self-custody.message]', 'link-wallet', 'register', '400 SIGNATURE_INVALID'],
    ['[wallet.operator.message]', 'link-wallet-operator', 'link-wallet-operator', '200'],
    ['[wallet.operator.message]', 'link-wallet-operator', 'link-wallet', '400 SIGNATURE_INVALID'],
    ['[wallet.operator.message]', 'link-wallet-operator', 'register-operator', '400 SIGNATURE_INVALID'],
  ] as const)('%s the form %s signed over service-%s: %s', async (_clause, form, word, outcome) => {
    const nonce = await nonceFor();
    expect(outcomeOf(await wallet(signed(form, nonce, word, agent.hash)))).toBe('400 SIGNATURE_INVALID');
    expect(outcomeOf(await wallet(signed(form, nonce, word)))).toBe(outcome);
  });

  it('[wallet.nonce.bound] a nonce serves no other flow, and no other agent', async () => {
    const registration = { name: 'x', action: 'challenge' };
    const foreign = (await ask(deployment, 'POST /register', { body: registration })).body.nonce;
    expect(outcomeOf(await wallet(signed('link-wallet', foreign)))).toBe('400 NONCE_INVALID');
    const own = await nonceFor();
    const message = `service-register:${own}:${key.publicKeyHex}:x`;
    const proof = { wallet_public_key: key.publicKeyHex, wallet_nonce: own, wallet_signature: key.signHex(message) };
    expect(outcomeOf(await ask(deployment, 'POST /register', { body: { name: 'x', ...proof } }))).toBe(
      '400 NONCE_INVALID',
    );
    const other = new TestAgent(deployment, key, (await deployment.post('/register', { name: 'other' })).body);
    expect(outcomeOf(await wallet(signed('link-wallet', own, 'link-wallet', other.hash), other))).toBe(
      '400 NONCE_INVALID',
    );
    expect(outcomeOf(await wallet(signed('link-wallet', own)))).toBe('200');
  });
});

describe('/agent/sponsor (4.13)', () => {
  let child: TestAgent;
  beforeEach(async () => {
    child = await childOf(deployment, agent, 'kid');
  });
  const give = (over: object = {}, as = agent) =>
    ask(deployment, 'POST /agent/sponsor', { as, body: { child_hash: child.hash, ...over } });
  const end = (body: object = { child_hash: child.hash }) =>
    ask(deployment, 'DELETE /agent/sponsor', { as: agent, body });
  const list = async () => (await ask(deployment, 'GET /agent/sponsor', { as: agent })).body;

  it('[sponsor.post.reply] [sponsor.post.body.max-heartbeats-epoch.default] [sponsor.expires-at.none] answers with the sponsorship', async () => {
    const shape = { parent_hash: agent.hash, child_hash: child.hash, status: 'active', heartbeats_used_epoch: 0 };
    const open = { ...shape, max_heartbeats_epoch: 100, expires_at: null };
    expect((await give()).body).toEqual({ ok: true, sponsorship: open });
    const bounded = { max_heartbeats_epoch: 7, expires_at: '2026-01-01T02:00:00.000Z' };
    const reply = (await give({ max_heartbeats_epoch: 7, expires_in_hours: 2 })).body;
    expect(reply).toEqual({ ok: true, sponsorship: { ...shape, ...bounded } });
  });

  it.each([
    ['[sponsor.post.body.child-hash]', { child_hash: undefined }, '400 VALIDATION'],
    ['[sponsor.post.body.child-hash]', { child_hash: 1 }, '400 VALIDATION'],
    ['[sponsor.post.body.child-hash]', { child_hash: '0x12' }, '400 VALIDATION'],
    ['[sponsor.post.body.max-heartbeats-epoch]', { max_heartbeats_epoch: 0 }, '400 VALIDATION'],
    ['[sponsor.post.body.max-heartbeats-epoch]', { max_heartbeats_epoch: 1 }, '200'],
    ['[sponsor.post.body.max-heartbeats-epoch]', { max_heartbeats_epoch: 10_000 }, '200'],
    ['[sponsor.post.body.max-heartbeats-epoch]', { max_heartbeats_epoch: 10_001 }, '400 VALIDATION'],
    ['[sponsor.cap.whole]', { max_heartbeats_epoch: 1.5 }, '400 VALIDATION'],
    ['[sponsor.post.body.max-heartbeats-epoch]', { max_heartbeats_epoch: '5' }, '400 VALIDATION'],
    ['[sponsor.post.body.expires-in-hours]', { expires_in_hours: 0.99 }, '400 VALIDATION'],
    ['[sponsor.post.body.expires-in-hours]', { expires_in_hours: 1 }, '200'],
    ['[sponsor.post.body.expires-in-hours]', { expires_in_hours: '2' }, '400 VALIDATION'],
    ['[convention.time.expires-at] until 9999-12-31T23:00Z', { expires_in_hours: 69_898_631 }, '200'],
    ['[convention.time.expires-at] until the year 10000', { expires_in_hours: 69_898_632 }, '400 VALIDATION'],
  ])('%s with %j: %s', async (_clause, fault, outcome) => {
    expect(outcomeOf(await give(fault))).toBe(outcome);
    expect(outcomeOf(await give())).toBe('200');
  });

  it('[sponsor.delete.body] [sponsor.delete.reply] ends by the hash of the child', async () => {
    await give();
    expect(outcomeOf(await end({}))).toBe('400 VALIDATION');
    expect((await end()).body).toEqual({ ok: true, revoked: true });
    expect((await list()).sponsorships[0].status).toBe('revoked');
  });

  it('[sponsor.get.body] [sponsor.get.reply] [sponsor.get.all] lists all sponsorships that were given, of any status (D-30)', async () => {
    expect(await list()).toEqual({ ok: true, sponsorships: [] });
    const others = [await childOf(deployment, agent, 'two'), await childOf(deployment, agent, 'three')] as const;
    await give();
    await give({ child_hash: others[0].hash, expires_in_hours: 1 });
    await give({ child_hash: others[1].hash });
    await end();
    deployment.host.service.stalled = true;
    deployment.advance(60 * MINUTE_MS + 1);
    const { sponsorships } = await list();
    const statuses = sponsorships.map(({ status }: { status: string }) => status);
    expect(statuses).toEqual(['revoked', 'expired', 'active']);
    const fields = 'parent_hash child_hash status max_heartbeats_epoch heartbeats_used_epoch expires_at created_at';
    for (const each of sponsorships) expect(Object.keys(each)).toEqual(fields.split(' '));
  });

  it('[sponsor.rule.wallet] [sponsor.wallet.post-only] a sponsor has a wallet, for which DELETE and GET do not ask (D-51)', async () => {
    const grandchild = await childOf(deployment, child, 'grandkid');
    const body = { child_hash: grandchild.hash };
    const call = (name: string) => ask(deployment, name, { as: child, ...(name.startsWith('GET') ? {} : { body }) });
    expect(outcomeOf(await call('POST /agent/sponsor'))).toBe('403 WALLET_REQUIRED');
    expect(outcomeOf(await call('DELETE /agent/sponsor'))).toBe('404 SPONSOR_NOT_FOUND');
    expect(outcomeOf(await call('GET /agent/sponsor'))).toBe('200');
  });

  it('[sponsor.wallet.solana] that wallet is on Solana (D-51)', async () => {
    const parent = await ethereumAgent(deployment);
    const own = await childOf(deployment, parent, 'kid');
    expect(outcomeOf(await give({ child_hash: own.hash }, parent))).toBe('403 WALLET_REQUIRED');
    expect(outcomeOf(await give())).toBe('200');
  });

  it('[sponsor.rule.not-frozen] a sponsor is not frozen', async () => {
    expect(outcomeOf(await give())).toBe('200');
    deployment.advance(61 * MINUTE_MS);
    expect(outcomeOf(await give())).toBe('403 SPONSOR_PARENT_FROZEN');
  });

  it('[sponsor.rule.descendant] [sponsor.rule.not-self] a sponsor is an ancestor at any depth, and not itself', async () => {
    const grandchild = await childOf(deployment, child, 'grandkid');
    const stranger = await deployment.register();
    expect(outcomeOf(await give({ child_hash: grandchild.hash }))).toBe('200');
    expect(outcomeOf(await give({ child_hash: stranger.hash }))).toBe('403 SPONSOR_NOT_ANCESTOR');
    expect(outcomeOf(await give({}, stranger))).toBe('403 SPONSOR_NOT_ANCESTOR');
    expect(outcomeOf(await give({ child_hash: agent.hash }))).toBe('400 SPONSOR_INVALID');
  });
});
