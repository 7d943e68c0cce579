import { createHash } from 'node:crypto';
import * as ed25519 from '@noble/ed25519';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { dialects } from '../../../spec/dialect.js';
import { ethereumWallet } from '../../../test/fixtures/ethereum-wallet.js';
import { TestAgent } from '../../../test/fixtures/http.js';
import { GENESIS_MS } from '../../../test/fixtures/registry.js';
import { once, Session } from '../../../test/fixtures/session.js';

const DAY_MS = 86_400_000;
/** D-11: the signed fields in their order. */
const SIGNED = [
  ...['format_version', 'agent_hash', 'agent_public_key', 'authority_key_id', 'identity_class', 'registered_at_beat'],
  ...['sigil_issued_at_beat', 'last_heartbeat_beat', 'lineage_chain_hash', 'issued_at', 'valid_until'],
];
// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the reply should hold
type Passport = any;

ed25519.hashes.sha512 = (message) => new Uint8Array(createHash('sha512').update(message).digest());
/** Whether a passport verifies under a key, by another library than the one that signs. */
function verifies(passport: Passport, publicKeyHex: string, field = 'service_signature'): boolean {
  const text = JSON.stringify(Object.fromEntries(SIGNED.map((name) => [name, passport[name]])));
  return ed25519.verify(Buffer.from(passport[field], 'hex'), Buffer.from(text), Buffer.from(publicKeyHex, 'hex'));
}

let session: Session;
let publicKeyHex: string;
beforeAll(async () => {
  session = await Session.start({ overlay: { limits: { spawn: { count: 1_000 } } } });
  publicKeyHex = (await session.ok('GET /.well-known/authority-key')).authority_public_key_hex;
});
afterAll(() => session.close());

const free = async (agent: TestAgent): Promise<Passport> =>
  (await session.ok('GET /agent/passport', undefined, agent.authorization)).passport;

describe('the fields of a passport (2.6)', () => {
  let agent: TestAgent;
  let bought: Passport;
  let passport: Passport;
  beforeEach(
    once(async () => {
      session.pass(2);
      agent = await session.root();
      session.pass(3);
      bought = (await session.buySigil(agent, { identity_class: 'autonomous' })).passport;
      session.pass(4);
      session.deployment.advance(321);
      passport = (await session.heartbeat(agent)).body.passport;
    }),
  );

  it.each<[clause: string, field: string, value: () => unknown]>([
    ['passport.field.format-version', 'format_version', () => 1],
    ['versioning.passport.format', 'format_version', () => 1],
    ['passport.field.agent-hash', 'agent_hash', () => agent.hash],
    ['passport.field.agent-public-key', 'agent_public_key', () => agent.key.publicKeyBase58],
    ['passport.public-key.solana', 'agent_public_key', () => agent.key.publicKeyBase58],
    ['passport.key-id', 'authority_key_id', () => `pvn-ed25519-${publicKeyHex.slice(0, 16)}`],
    ['passport.field.identity-class', 'identity_class', () => 'autonomous'],
    ['passport.field.registered-at-beat', 'registered_at_beat', () => 2],
    ['clock.registered-at-beat', 'registered_at_beat', () => 2],
    ['passport.field.sigil-issued-at-beat', 'sigil_issued_at_beat', () => 5],
    ['passport.field.last-heartbeat-beat', 'last_heartbeat_beat', () => 9],
    ['clock.last-heartbeat-beat', 'last_heartbeat_beat', () => 9],
    ['passport.field.lineage-chain-hash', 'lineage_chain_hash', () => expect.stringMatching(/^0x[0-9a-f]{64}$/)],
    ['lineage.hash.form', 'lineage_chain_hash', () => expect.stringMatching(/^0x[0-9a-f]{64}$/)],
    ['passport.field.issued-at', 'issued_at', () => GENESIS_MS + 9 * 60_000 + 321],
    ['passport.field.valid-until', 'valid_until', () => GENESIS_MS + 9 * 60_000 + 321 + DAY_MS],
    ['passport.field.service-signature', 'service_signature', () => expect.stringMatching(/^[0-9a-f]{128}$/)],
  ])('[%s] %s', (_clause, field, value) => {
    expect(passport[field]).toEqual(value());
  });

  it('[passport.field.authority-key-id] names the key that is published, and that signed it', async () => {
    const authority = await session.ok('GET /.well-known/authority-key');
    expect(passport.authority_key_id).toBe(authority.key_id);
    expect(verifies(passport, authority.authority_public_key_hex)).toBe(true);
  });

  it('[passport.field.last-heartbeat-beat.zero] has last_heartbeat_beat 0 right after the purchase', () => {
    expect(bought).toMatchObject({ last_heartbeat_beat: 0, sigil_issued_at_beat: 5, registered_at_beat: 2 });
  });

  it('[passport.signed] [passport.bytes] [passport.field.service-signature] [service.passport.offline] is signed over its fields in their order', () => {
    expect(Object.keys(passport)).toEqual([...SIGNED, 'service_signature']);
    for (const each of [bought, passport]) expect(verifies(each, publicKeyHex)).toBe(true);
    for (const name of SIGNED) expect(verifies({ ...passport, [name]: 'changed' }, publicKeyHex)).toBe(false);
    expect(verifies(passport, session.freshKey().publicKeyHex)).toBe(false);
  });

  it('[versioning.passport.format] keeps the canonical order: any other does not verify', () => {
    const reversed = JSON.stringify(Object.fromEntries(SIGNED.toReversed().map((name) => [name, passport[name]])));
    const [signature, key] = [passport.service_signature, publicKeyHex].map((hex) => Buffer.from(hex, 'hex'));
    expect(ed25519.verify(signature as Buffer, Buffer.from(reversed), key as Buffer)).toBe(false);
  });

  it.each(['narrow_task', 'autonomous', 'orchestrator'] as const)(
    '[passport.field.identity-class] is %s for who bought that',
    async (identityClass) => {
      expect((await free(await session.sigilAgent(identityClass))).identity_class).toBe(identityClass);
    },
  );

  it('[passport.identity-class.none] [passport.public-key.none] [passport.field.sigil-issued-at-beat] of a bare child has nulls', async () => {
    const child = await session.child(agent, 'bare');
    const nulls = { agent_public_key: null, identity_class: null, sigil_issued_at_beat: null, last_heartbeat_beat: 0 };
    const bare = await free(child);
    expect(bare).toMatchObject(nulls);
    expect(verifies(bare, publicKeyHex)).toBe(true);
  });

  it('[passport.public-key.ethereum] contains an Ethereum address with 0x', async () => {
    const { address, sign } = ethereumWallet(7);
    const { nonce } = await session.ok('POST /register', { action: 'challenge', wallet_chain: 'ethereum' });
    const wallet_signature = sign(`service-register-ethereum:${nonce}:${address}:chained`);
    const proof = { wallet_chain: 'ethereum', wallet_address: address, wallet_nonce: nonce, wallet_signature };
    const made = await session.ok('POST /register', { name: 'chained', ...proof });
    const chained = new TestAgent(session.deployment, session.freshKey(), made);
    // D-51: such an agent cannot pay for a SIGIL itself.
    session.registry.agents.line.setIdentityClass(chained.row, 1);
    expect((await free(chained)).agent_public_key).toBe(address);
  });

  it('[dialect.passport-signature-field] is signed under provenonce_signature in the dialect provenonce', async () => {
    const other = await Session.start({ dialect: dialects.provenonce });
    try {
      const key = (await other.ok('GET /.well-known/authority-key')).authority_public_key_hex;
      const { passport: theirs } = (await other.heartbeat(await other.sigilAgent())).body;
      expect(Object.keys(theirs)).toEqual([...SIGNED, 'provenonce_signature']);
      expect(verifies(theirs, key, 'provenonce_signature')).toBe(true);
      expect(Object.keys(passport)).toContain('service_signature');
    } finally {
      await other.close();
    }
  });
});

describe('who returns a passport (2.6)', () => {
  it('[passport.returned-by] [passport.validity] heartbeat, purchase and reissue, each for 24 hours from then', async () => {
    const agent = await session.root();
    const replies = [await session.buySigil(agent)];
    session.deployment.advance(1_001);
    replies.push((await session.heartbeat(agent)).body);
    session.deployment.advance(2_002);
    replies.push((await session.reissue(agent)).body);
    const start = session.deployment.clock.nowMs() - 3_003;
    for (const [i, { passport }] of replies.entries()) {
      const issued = start + [0, 1_001, 3_003][i]!;
      expect(passport).toMatchObject({ agent_hash: agent.hash, issued_at: issued, valid_until: issued + DAY_MS });
      expect(verifies(passport, publicKeyHex)).toBe(true);
    }
  });

  it('[passport.alias.identical] heartbeat and reissue with an alias that is the same object', async () => {
    const agent = await session.sigilAgent();
    for (const { body } of [await session.heartbeat(agent), await session.reissue(agent)]) {
      expect(body.lineage_proof).toEqual(body.passport);
    }
  });

  it.each([
    ['2026-09-01T00:00:00.000Z', true],
    ['2026-09-01T23:59:59.999Z', true],
    ['2026-09-02T00:00:00.000Z', false],
    ['2027-01-01T00:00:00.000Z', false],
  ])('[versioning.lineage-proof] [passport.alias.until] at %s the alias stands: %s', async (time, stands) => {
    const late = await Session.start();
    try {
      await late.control('/anchors/stall', { on: true });
      const agent = await late.sigilAgent();
      late.deployment.advance(Date.parse(time) - late.deployment.clock.nowMs());
      const replies = [(await late.heartbeat(agent)).body, (await late.reissue(agent)).body];
      replies.push(await late.ok('GET /agent/passport', undefined, agent.authorization));
      for (const body of replies) {
        expect('lineage_proof' in body).toBe(stands);
        expect(body.passport.issued_at).toBe(Date.parse(time));
      }
    } finally {
      await late.close();
    }
  });
});

describe('the lineage chain (2.6, D-14)', () => {
  const hashOf = async ({ hash }: TestAgent): Promise<string> =>
    (await session.ok(`GET /agent/beat-status/${hash}`)).heartbeat_epoch.lineage_chain_hash;
  /** Whether an operation changes the hash of an agent's lineage chain. */
  async function changed(agent: TestAgent, what: (agent: TestAgent) => unknown): Promise<boolean> {
    const before = await hashOf(agent);
    await what(agent);
    return (await hashOf(agent)) !== before;
  }

  it.each<[clause: string, made: () => Promise<TestAgent>, what: (agent: TestAgent) => unknown, changes: boolean]>([
    ['lineage.hash.heartbeat', () => session.sigilAgent(), (agent) => session.heartbeat(agent), true],
    ['lineage.hash.sigil', () => session.root(), (agent) => session.buySigil(agent), true],
    ['lineage.hash.wallet-linked', () => session.walletless(), (agent) => session.link(agent), true],
    ['lineage.hash.spawned', () => session.root(), (agent) => session.child(agent), true],
    ['lineage.hash.frozen', () => session.root(), () => session.pass(61), true],
    ['lineage.hash.reissue', () => session.sigilAgent(), (agent) => session.reissue(agent), false],
  ])('[%s]', async (_clause, made, what, changes) => {
    expect(await changed(await made(), what)).toBe(changes);
  });

  it('[lineage.hash.frozen] the resync after a freeze too', async () => {
    const agent = await session.root();
    session.pass(61);
    expect(await changed(agent, () => session.resync(agent))).toBe(true);
  });

  it('[lineage.hash.spawned] of the parent at finalize, not before', async () => {
    const parent = await session.root();
    expect(await changed(parent, () => session.child(parent, 'unlinked', { link: false }))).toBe(false);
  });

  it('[lineage.hash.fold] can be folded again from the events, and is what the passport shows', async () => {
    const agent = await session.walletless('folded');
    const events: object[] = [];
    let folded = '0'.repeat(64);
    const fold = (type: string): string => {
      const at = session.deployment.clock.nowMs();
      const beat = Math.floor((at - GENESIS_MS) / 60_000);
      events.push({ agent_hash: agent.hash, at, beat, type });
      folded = createHash('sha256')
        .update(`${folded}${JSON.stringify(events.at(-1))}`)
        .digest('hex');
      return `0x${folded}`;
    };
    expect(await hashOf(agent)).toBe(fold('registered'));
    session.deployment.advance(61_111);
    await session.link(agent);
    expect(await hashOf(agent)).toBe(fold('wallet_linked'));
    await session.ok('POST /agent/init', {}, agent.authorization);
    session.deployment.advance(1);
    await session.buySigil(agent);
    expect(await hashOf(agent)).toBe(fold('sigil'));
    session.pass(10);
    const { passport } = (await session.heartbeat(agent)).body;
    expect(passport.lineage_chain_hash).toBe(fold('heartbeat'));
    await session.child(agent);
    expect((await free(agent)).lineage_chain_hash).toBe(fold('spawned'));
    expect(events).toHaveLength(5);
  });
});
