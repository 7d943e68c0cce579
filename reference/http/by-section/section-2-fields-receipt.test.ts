import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dialects } from '../../../spec/dialect.js';
import type { ReceiptPayload, WorkProof } from '../../../spec/endpoints/proof-schemas.js';
import type { TestAgent } from '../../../test/fixtures/http.js';
import { Session } from '../../../test/fixtures/session.js';
import { verifyEd25519 } from '../../beats/signing.js';

const HASH = /^[0-9a-f]{64}$/;
/** D-09: the payload of a receipt in the form of a string. */
const payloadOf = (receipt: string): ReceiptPayload => JSON.parse(Buffer.from(receipt, 'base64url').toString('utf8'));

let session: Session;
beforeAll(async () => {
  session = await Session.start({ overlay: { limits: { spawn: { count: 1_000 } } } });
});
afterAll(() => session.close());

describe('a work proof (2.5)', () => {
  const earn = async (work_proof: object) => session.call('POST beats:/beat/work-proof', { work_proof });

  const faults: readonly (readonly [clause: string, told: string, spoil: (proof: WorkProof) => object])[] = [
    ['work-proof.field.from-hash', 'VALIDATION', (proof) => ({ ...proof, from_hash: 5 })],
    ['work-proof.field.from-hash', 'VALIDATION', (proof) => ({ ...proof, from_hash: undefined })],
    ['work-proof.field.to-hash', 'VALIDATION', (proof) => ({ ...proof, to_hash: 5 })],
    ['work-proof.field.to-hash', 'spot_check_failed', (proof) => ({ ...proof, to_hash: 'ee'.repeat(32) })],
    ['work-proof.field.beats-computed', 'VALIDATION', (proof) => ({ ...proof, beats_computed: '20' })],
    ['work-proof.field.beats-computed', 'count_mismatch', (proof) => ({ ...proof, beats_computed: 0 })],
    ['work-proof.field.difficulty', 'VALIDATION', (proof) => ({ ...proof, difficulty: '100' })],
    ['work-proof.field.difficulty', 'spot_check_failed', (proof) => ({ ...proof, difficulty: 101 })],
    ['work-proof.field.anchor-hash', 'VALIDATION', (proof) => ({ ...proof, anchor_hash: null })],
    ['work-proof.field.anchor-hash', 'stale_anchor', (proof) => ({ ...proof, anchor_hash: 'ee'.repeat(32) })],
    ['work-proof.field.anchor-index', 'VALIDATION', (proof) => ({ ...proof, anchor_index: '0' })],
    ['work-proof.field.anchor-index', 'stale_anchor', (proof) => ({ ...proof, anchor_index: 10_000 })],
    ['work-proof.field.spot-checks', 'VALIDATION', (proof) => ({ ...proof, spot_checks: {} })],
    ['work-proof.field.spot-checks', 'VALIDATION', (proof) => ({ ...proof, spot_checks: [{ index: 1 }] })],
    ['work-proof.field.spot-checks', 'insufficient_spot_checks', (proof) => ({ ...proof, spot_checks: [] })],
  ];

  it.each(faults)('[%s] spoiled earns %s, mended a receipt', async (_clause, told, spoil) => {
    const proof = await session.workProof(20);
    const { status, body } = await earn(spoil(proof));
    if (told === 'VALIDATION') expect([status, body.code]).toEqual([400, 'VALIDATION']);
    else expect([status, body]).toEqual([200, { ok: false, valid: false, reason: told }]);
    expect((await earn(proof)).body).toEqual({ ok: true, valid: true, receipt: expect.any(String) });
  });
});

describe('a receipt (2.5, D-09)', () => {
  it('[receipt.payload] [receipt.string] [work-proof.reply.receipt] [service.beats-service] states what was proved, and when', async () => {
    session.deployment.advance(1_234);
    const work_proof = await session.workProof(1_200);
    const { receipt } = await session.ok('POST beats:/beat/work-proof', { work_proof });
    expect(receipt).toMatch(/^[A-Za-z0-9_-]+$/);
    expect(payloadOf(receipt)).toEqual({
      type: 'work_proof',
      beats_verified: 1_200,
      difficulty: 100,
      anchor_index: work_proof.anchor_index,
      anchor_hash: work_proof.anchor_hash,
      from_hash: expect.stringMatching(HASH),
      to_hash: work_proof.to_hash,
      utc: '2026-01-01T00:00:01.234Z',
      signature: expect.stringMatching(/^[A-Za-z0-9+/]{86}==$/),
    });
    expect(Buffer.from(JSON.stringify(payloadOf(receipt))).toString('base64url')).toBe(receipt);
  });

  it('[service.beats-service] comes from the beats service, which the registry is not', async () => {
    const sent = { body: { work_proof: await session.workProof(5) } };
    const path = '/api/v1/beat/work-proof';
    expect((await session.deployment.send('POST', path, sent, 'registry')).status).toBe(404);
    expect((await session.deployment.send('POST', path, sent, 'beats')).status).toBe(200);
    expect((await session.deployment.send('POST', '/api/v1/register', { body: { name: 'x' } }, 'beats')).status).toBe(
      404,
    );
  });

  it('[receipt.signature] is signed over its other fields, sorted, by the key that the service publishes', async () => {
    const { signature, ...claim } = payloadOf(await session.receipt(7));
    const { keys } = await session.ok('GET beats:/beat/key');
    const text = JSON.stringify(Object.fromEntries(Object.entries(claim).toSorted(([a], [b]) => (a < b ? -1 : 1))));
    const bytes = Buffer.from(signature, 'base64');
    expect(verifyEd25519(keys.work_proof.public_key_hex, text, bytes)).toBe(true);
    expect(
      verifyEd25519(keys.work_proof.public_key_hex, text.replace('"beats_verified":7', '"beats_verified":8'), bytes),
    ).toBe(false);
  });

  it('[dialect.receipt-form] is an object in the dialect provenonce', async () => {
    const published = await Session.start({ dialect: dialects.provenonce });
    try {
      expect(await published.receipt(5)).toMatchObject({ type: 'work_proof', beats_verified: 5 });
    } finally {
      await published.close();
    }
    expect(await session.receipt(5)).toEqual(expect.any(String));
  });
});

describe('what the registry makes of a receipt (D-09)', () => {
  const spawn = (parent: TestAgent, beats_receipt: unknown, child_name = 'kid') =>
    session.outcome('POST /agent/spawn', { child_name, beats_receipt }, parent.authorization);
  const resync = (agent: TestAgent, beats_receipt: unknown) =>
    session.outcome('POST /agent/resync', { beats_receipt }, agent.authorization);

  it.each(['string', 'object'] as const)(
    '[receipt.both-forms] a %s is accepted by spawn and by resync',
    async (form) => {
      const agent = await session.root();
      const asForm = (receipt: string) => (form === 'string' ? receipt : payloadOf(receipt));
      expect(await spawn(agent, asForm(await session.receipt(1_000)))).toBe('200');
      session.pass(61);
      expect(await resync(agent, asForm(await session.receipt(6_100)))).toBe('200');
    },
  );

  it('[receipt.once] is valid once, whoever sends it, wherever, in whatever form', async () => {
    const [agent, other, frozen] = [await session.root(), await session.root(), await session.root()];
    const used = await session.receipt(10_000);
    expect(await spawn(agent, used)).toBe('200');
    expect(await spawn(agent, used, 'second')).toBe('409 SPAWN_CONFLICT');
    expect(await spawn(other, payloadOf(used))).toBe('409 SPAWN_CONFLICT');
    session.pass(59);
    const proof = await session.workProof(10_000);
    const again = (await session.ok('POST beats:/beat/work-proof', { work_proof: proof })).receipt;
    session.pass(2);
    expect(await resync(frozen, again)).toBe('200');
    const later = (await session.ok('POST beats:/beat/work-proof', { work_proof: proof })).receipt;
    expect(later).not.toBe(again);
    expect(await resync(other, later)).toBe('402 INVALID_RECEIPT');
    expect(await resync(other, await session.receipt(10_000))).toBe('200');
  });

  it.each([
    [60, '200'],
    [61, '402 INVALID_RECEIPT'],
  ])('[receipt.window] one of %i anchors ago at a resync: %s', async (age, outcome) => {
    const agent = await session.root();
    session.pass(1);
    const receipt = await session.receipt(10_000);
    session.pass(age);
    expect(await resync(agent, receipt)).toBe(outcome);
  });

  it.each([
    [60, '200'],
    [61, '400 VALIDATION'],
  ])('[receipt.window] one of %i anchors ago at a spawn: %s', async (age, outcome) => {
    const agent = await session.sigilAgent();
    const receipt = await session.receipt(1_000);
    session.pass(20);
    expect((await session.heartbeat(agent)).status).toBe(200);
    session.pass(age - 20);
    expect(await spawn(agent, receipt)).toBe(outcome);
  });
});
