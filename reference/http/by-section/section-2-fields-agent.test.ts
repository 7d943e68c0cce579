import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ethereumWallet } from '../../../test/fixtures/ethereum-wallet.js';
import type { TestAgent } from '../../../test/fixtures/http.js';
import { once, Session } from '../../../test/fixtures/session.js';

const HASH = /^0x[0-9a-f]{64}$/;

/** The replies to registrations in every mode of 4.2. */
interface Made {
  readonly bare: Record<string, unknown>;
  readonly operator: Record<string, unknown>;
  readonly ethereum: Record<string, unknown>;
  readonly older: Record<string, unknown>;
  readonly child: Record<string, unknown>;
}

let session: Session;
let parent: TestAgent;
let made: Made;

async function operator(): Promise<Record<string, unknown>> {
  const key = session.freshKey();
  const asked = { name: 'operated', wallet_model: 'operator' };
  const { nonce } = await session.ok('POST /register', asked);
  const address = key.publicKeyBase58;
  const wallet_signature = key.signHex(`service-register-operator:${nonce}:${address}:operated`);
  const body = { ...asked, wallet_nonce: nonce, operator_wallet_address: address, wallet_signature };
  return session.ok('POST /register', body);
}

async function ethereum(): Promise<Record<string, unknown>> {
  const { address, sign } = ethereumWallet(5);
  const { nonce } = await session.ok('POST /register', { action: 'challenge', wallet_chain: 'ethereum' });
  const wallet_signature = sign(`service-register-ethereum:${nonce}:${address}:chained`);
  const body = { name: 'chained', wallet_chain: 'ethereum', wallet_address: address };
  return session.ok('POST /register', { ...body, wallet_nonce: nonce, wallet_signature });
}

async function older(): Promise<Record<string, unknown>> {
  const key = session.freshKey();
  const { nonce } = await session.ok('POST /register', { name: 'older', action: 'challenge' });
  const wallet_public_key = key.publicKeyHex;
  const wallet_signature = key.signHex(`service-register:${nonce}:${wallet_public_key}:older`);
  return session.ok('POST /register', { name: 'older', wallet_nonce: nonce, wallet_public_key, wallet_signature });
}

async function child(): Promise<Record<string, unknown>> {
  const beats_receipt = await session.receipt(1_000);
  const spawned = await session.ok('POST /agent/spawn', { child_name: 'kid', beats_receipt }, parent.authorization);
  const body = { name: 'kid', parent: parent.hash, spawn_authorization: spawned.spawn_authorization };
  return session.ok('POST /register', body, parent.authorization);
}

beforeAll(async () => {
  session = await Session.start();
});
beforeEach(
  once(async () => {
    parent = await session.root();
    const bare = await session.ok('POST /register', {
      name: 'bare',
      metadata: { team: 'a', nested: { deep: [1, null] } },
    });
    made = { bare, operator: await operator(), ethereum: await ethereum(), older: await older(), child: await child() };
  }),
);
afterAll(() => session.close());

describe('the object of a registered agent (2.1)', () => {
  const text = (pattern: RegExp) => expect.stringMatching(pattern);
  const rows: readonly (readonly [clause: string, of: keyof Made, field: string, value: () => unknown])[] = [
    ['agent.field.ok', 'bare', 'ok', () => true],
    ['agent.field.ok', 'child', 'ok', () => true],
    ['agent.field.hash', 'bare', 'hash', () => text(HASH)],
    ['agent.field.hash', 'child', 'hash', () => text(HASH)],
    ['agent.field.api-key', 'bare', 'api_key', () => text(/^pvn_[A-Za-z0-9_-]+\.[0-9a-f]{64}$/)],
    ['agent.field.api-key', 'older', 'api_key', () => text(/^pvn_[A-Za-z0-9_-]+\.[0-9a-f]{64}$/)],
    ['agent.field.secret', 'bare', 'secret', () => expect.any(String)],
    ['key.secret.form', 'bare', 'secret', () => text(/^[0-9a-f]{64}$/)],
    ['agent.field.type', 'bare', 'type', () => 'root'],
    ['agent.field.type', 'operator', 'type', () => 'root'],
    ['agent.child.type', 'child', 'type', () => 'agent'],
    ['agent.field.parent', 'bare', 'parent', () => null],
    ['agent.field.parent', 'child', 'parent', () => parent.hash],
    ['agent.field.depth', 'bare', 'depth', () => 0],
    ['agent.field.depth', 'child', 'depth', () => 1],
    ['agent.field.name', 'bare', 'name', () => 'bare'],
    ['agent.field.name', 'child', 'name', () => 'kid'],
    ['agent.field.metadata', 'bare', 'metadata', () => ({ team: 'a', nested: { deep: [1, null] } })],
    ['agent.metadata.absent', 'operator', 'metadata', () => ({})],
    ['agent.field.wallet-model', 'bare', 'wallet_model', () => 'self-custody'],
    ['agent.field.wallet-model.operator', 'operator', 'wallet_model', () => 'operator'],
    ['agent.field.wallet-chain', 'operator', 'wallet_chain', () => 'solana'],
    ['agent.field.wallet-chain', 'ethereum', 'wallet_chain', () => 'ethereum'],
    ['agent.field.wallet-chain.none', 'bare', 'wallet_chain', () => null],
    ['agent.field.wallet-chain.none', 'child', 'wallet_chain', () => null],
    ['agent.field.birth-tx', 'bare', 'birth_tx', () => expect.any(String)],
    ['agent.birth-tx.form', 'bare', 'birth_tx', () => text(/^rec_[0-9a-f]{32}$/)],
    ['agent.birth-tx.form', 'child', 'birth_tx', () => text(/^rec_[0-9a-f]{32}$/)],
    ['agent.older.signature', 'older', 'signature', () => text(/^[1-9A-HJ-NP-Za-km-z]{64,90}$/)],
    ['agent.older.explorer-url', 'older', 'explorer_url', () => text(/^https:\/\/explorer\.solana\.com\/tx\//)],
  ];

  it.each(rows)('[%s] of %s: %s', (_clause, of, field, value) => {
    expect(Object.keys(made[of])).toContain(field);
    expect(made[of][field]).toEqual(value());
  });

  it('[agent.older.no-ok] is without ok and birth_tx in the older form', () => {
    expect(Object.keys(made.older)).not.toContain('ok');
    expect(Object.keys(made.older)).not.toContain('birth_tx');
    expect(made.older).toMatchObject({ name: 'older', type: 'root', parent: null, depth: 0 });
  });

  it('[service.registers] each has a hash and keys of its own', () => {
    const all = Object.values(made);
    for (const field of ['hash', 'api_key', 'secret']) expect(new Set(all.map((each) => each[field])).size).toBe(5);
  });

  it.each([
    ['bare', { wallet: null, wallet_model: 'self-custody', wallet_chain: null }],
    ['child', { wallet: null, wallet_model: 'self-custody', wallet_chain: null }],
    ['operator', { wallet: expect.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/), wallet_model: 'operator' }],
  ] as const)('[agent.wallet-model.none] lookups show the wallet of %s alike', async (of, wallet) => {
    const { hash } = made[of];
    expect(await session.ok(`GET /status/${hash}`)).toMatchObject(wallet);
    expect((await session.ok(`GET /verify/${hash}`)).agent).toMatchObject(wallet);
  });
});

describe('the name (D-16)', () => {
  it.each([
    ['x', '200'],
    ['x'.repeat(64), '200'],
    [` ${'x'.repeat(64)} `, '200'],
    ['', '400 VALIDATION'],
    ['   ', '400 VALIDATION'],
    ['x'.repeat(65), '400 VALIDATION'],
  ])('[name.length] %j: %s', async (name, outcome) => {
    expect(await session.outcome('POST /register', { name })).toBe(outcome);
  });

  it.each(['Zoë Ωmega', '机器人', '🤖 agent', "O'Neil <b>&amp;", 'a"b\\c', '  ends  '])(
    '[name.text] %j comes back trimmed',
    async (name) => {
      const { hash } = await session.ok('POST /register', { name });
      expect((await session.ok(`GET /status/${hash}`)).name).toBe(name.trim());
      expect((await session.ok(`GET /verify/${hash}`)).agent.name).toBe(name.trim());
    },
  );
});

describe('metadata given at registration (2.2)', () => {
  const register = (metadata: unknown) => session.outcome('POST /register', { name: 'x', metadata });
  /** An object whose JSON has so many bytes. */
  const sized = (bytes: number, filler = 'x') => {
    const room = bytes - '{"k":""}'.length;
    const text = filler.repeat(Math.floor(room / Buffer.byteLength(filler)));
    return { k: text + 'x'.repeat(room - Buffer.byteLength(text)) };
  };

  it.each([
    ['an object', { a: 1 }, '200'],
    ['an empty object', {}, '200'],
    ['an array', [1], '400 VALIDATION'],
    ['a text', 'a', '400 VALIDATION'],
    ['a number', 1, '400 VALIDATION'],
    ['a boolean', true, '400 VALIDATION'],
    ['null', null, '400 VALIDATION'],
  ])('[register.metadata.object] may be %s: %o: %s', async (_what, metadata, outcome) => {
    expect(await register(metadata)).toBe(outcome);
  });

  it.each([
    [4_096, 'x', '200'],
    [4_097, 'x', '400 VALIDATION'],
    [4_096, 'ö', '200'],
    [4_097, 'ö', '400 VALIDATION'],
    [4_096, '😀', '200'],
    [4_097, '😀', '400 VALIDATION'],
  ])('[register.metadata.size] [register.metadata.bytes] of %i bytes of %s: %s', async (bytes, filler, outcome) => {
    const metadata = sized(bytes, filler);
    expect(Buffer.byteLength(JSON.stringify(metadata))).toBe(bytes);
    expect(await register(metadata)).toBe(outcome);
  });

  it('[register.metadata.free] keeps any keys and values as they are, those of the service too', async () => {
    const metadata = {
      tier: 'king',
      identity_class: 7,
      capability: ['none'],
      '': null,
      ok: false,
      a: { b: [[], 0.5] },
    };
    const { hash, metadata: told } = await session.ok('POST /register', { name: 'free', metadata });
    expect(told).toEqual(metadata);
    expect((await session.ok(`GET /status/${hash}`)).metadata).toEqual(metadata);
  });

  it('[register.metadata.optional] [agent.optional-metadata] [agent.metadata.absent.lookup] may be left out: {} then null', async () => {
    const bare = await session.ok('POST /register', { name: 'none' });
    expect(bare.metadata).toEqual({});
    expect((await session.ok(`GET /status/${bare.hash}`)).metadata).toBeNull();
    expect((await session.ok(`GET /verify/${bare.hash}`)).agent.metadata).toBeNull();
    const given = await session.ok('POST /register', { name: 'some', metadata: { a: 1 } });
    expect(given.metadata).toEqual({ a: 1 });
  });

  it.each([
    ['register.metadata.returned.status', '/status', (body: Record<string, unknown>) => body],
    ['register.metadata.returned.verify', '/verify', (body: { agent: Record<string, unknown> }) => body.agent],
  ] as const)('[%s] is returned by GET %s', async (_clause, path, agentOf) => {
    const { hash } = await session.ok('POST /register', { name: 'kept', metadata: { colour: 'blue' } });
    expect(agentOf(await session.ok(`GET ${path}/${hash}`))['metadata']).toEqual({ colour: 'blue' });
  });

  it('[register.metadata.set-once] [metadata.only-way] no call changes it, and what PATCH sets stands apart', async () => {
    const agent = await session.walletless('settled', { metadata: { capability: 'mine' } });
    await session.link(agent);
    await session.ok('POST /agent/init', { metadata: { a: 1 }, capability: 'analyst' }, agent.authorization);
    await session.buySigil(agent, { metadata: { a: 1 }, capability: 'analyst', generation: 9 });
    const payment_tx = agent.pay(500_000);
    await session.ok('POST /agent/heartbeat', { payment_tx, metadata: {}, capability: 'analyst' }, agent.authorization);
    const before = await session.ok(`GET /verify/${agent.hash}`);
    expect(before.sigil).not.toHaveProperty('capability');
    expect(before.sigil.generation).toBe(1);
    await session.ok('PATCH /agent/metadata', { capability: 'witness', metadata: { b: 2 } }, agent.authorization);
    const after = await session.ok(`GET /verify/${agent.hash}`);
    expect(after.sigil.capability).toBe('witness');
    expect(after.agent.metadata).toEqual({ capability: 'mine' });
  });
});

describe('the lineage (1, D-16)', () => {
  it('[lineage.place] [lineage.root] [lineage.depth-unlimited] every agent has its parent and depth, however deep', async () => {
    const chain = [await session.root('depth 0')];
    for (let depth = 1; depth <= 12; depth++)
      chain.push(await session.child(chain[depth - 1] as TestAgent, `d${depth}`));
    for (const [depth, agent] of chain.entries()) {
      const { agent: found, lineage } = await session.ok(`GET /verify/${agent.hash}`);
      expect([found.depth, found.parent]).toEqual([depth, chain[depth - 1]?.hash ?? null]);
      expect(lineage).toHaveLength(depth + 1);
    }
  });

  it('[lineage.depth-unlimited] ends where the server is told to end it', async () => {
    const shallow = await Session.start({ overlay: { agent: { depthMax: 1 } } });
    try {
      const child = await shallow.child(await shallow.root());
      const body = { child_name: 'deeper', beats_receipt: await shallow.receipt(1_500) };
      expect(await shallow.outcome('POST /agent/spawn', body, child.authorization)).toBe('400 VALIDATION');
    } finally {
      await shallow.close();
    }
  });
});
