import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LimitName, protocol } from '../../../spec/protocol.js';
import { authorizationFor, proofOf, receiptOf, walletFinish } from '../../../test/fixtures/family.js';
import type { DeploymentSetUp, TestAgent } from '../../../test/fixtures/http.js';
import { GENESIS_MS } from '../../../test/fixtures/registry.js';
import { Session } from '../../../test/fixtures/session.js';
import { keyOf, memoCall, nameOf, rpcResult, sentAs, transferCall, wireOf } from '../../../test/fixtures/solana.js';
import { signingKey } from '../../beats/signing.js';
import { nodeFiles } from '../../store/node-files.js';
import { openStore } from '../../store/open-store.js';
import { manualClock } from '../request/clock.js';
import { startLedger } from './ledger-server.js';

const RACERS = 200;
const many = { count: 1_000_000 };
const limits = Object.fromEntries(Object.keys(protocol.limits).map((name) => [name, many])) as Record<
  LimitName,
  typeof many
>;
const folder = mkdtempSync(join(tmpdir(), 'aips-races-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const inFolder = () =>
  openStore({
    ...{ files: nodeFiles, folder, build: { version: '0', rules: 'a'.repeat(64) }, owner: {}, startMs: GENESIS_MS },
    ...{ log: () => undefined, onFailure: () => undefined },
  });

/** The outcomes of a call that is made by all racers at once, the n-th with its own body, and how often each came. */
async function race(
  session: Session,
  call: string,
  bodyOf: (n: number) => object,
  headers = {},
): Promise<Record<string, number>> {
  const outcomes = await Promise.all(
    Array.from({ length: RACERS }, (_, n) => session.outcome(call, bodyOf(n), headers)),
  );
  const counts: Record<string, number> = {};
  for (const outcome of outcomes) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}

const oneWins = (refusal: string) => ({ 200: 1, [refusal]: RACERS - 1 });

/** A challenge and the body that answers it. */
async function challenged(session: Session): Promise<object> {
  const key = session.freshKey();
  const { nonce } = await session.ok('POST /register', { name: 'Ada', action: 'challenge' });
  const wallet_signature = key.signHex(`service-register:${nonce}:${key.publicKeyHex}:Ada`);
  return { name: 'Ada', wallet_nonce: nonce, wallet_public_key: key.publicKeyHex, wallet_signature };
}

describe.each<[string, () => Promise<DeploymentSetUp>]>([
  ['in memory', async () => ({})],
  ['with --data', async () => ({ store: await inFolder() })],
])('of 200 who come at once, one gets what is there once, %s:', (_, setUp) => {
  let session: Session;
  let parent: TestAgent;
  beforeAll(async () => {
    session = await Session.start({ overlay: { limits }, ...(await setUp()) });
    parent = await session.sigilAgent('orchestrator');
  });
  afterAll(() => session.close());

  it('a registration by a nonce', async () => {
    const body = await challenged(session);
    expect(await race(session, 'POST /register', () => body)).toEqual(oneWins('400 NONCE_INVALID'));
  });

  it('a registration by a token', async () => {
    const { token } = await session.ok('POST /register/token', {});
    const counts = await race(session, 'POST /register', () => ({ name: 'x' }), { 'x-registration-token': token });
    expect(counts).toEqual(oneWins('401 AUTH_INVALID'));
  });

  it('a wallet by a nonce', async () => {
    const agent = await session.walletless();
    const body = await walletFinish(session.deployment, agent);
    const counts = await race(session, 'POST /agent/wallet', () => body, agent.authorization);
    expect(counts).toEqual(oneWins('409 WALLET_ALREADY_LINKED'));
  });

  it('an authorization by a receipt', async () => {
    const beats_receipt = receiptOf(session.deployment, 1_000_000);
    const bodyOf = (n: number) => ({ child_name: `child ${n}`, beats_receipt });
    expect(await race(session, 'POST /agent/spawn', bodyOf, parent.authorization)).toEqual(
      oneWins('409 SPAWN_CONFLICT'),
    );
  });

  it('a child by an authorization', async () => {
    const spawn_authorization = await authorizationFor(session.deployment, parent, 'kid');
    const body = { name: 'kid', parent: parent.hash, spawn_authorization };
    expect(await race(session, 'POST /register', () => body, parent.authorization)).toEqual(
      oneWins('409 SPAWN_CONFLICT'),
    );
  });

  it('credit for a proof', async () => {
    const agent = await session.root();
    const proof = proofOf(session.deployment, agent, 3);
    const counts = await race(session, 'POST /agent/beats/submit', () => proof, agent.authorization);
    expect(counts).toEqual(oneWins('409 CHAIN_MISMATCH'));
  });

  it('a SIGIL, whatever was paid', async () => {
    const agent = await session.root();
    const bodyOf = () => ({
      identity_class: 'narrow_task',
      principal: 'a',
      tier: 'org',
      payment_tx: agent.pay(50_000_000),
    });
    const bodies = Array.from({ length: RACERS }, bodyOf);
    const counts = await race(session, 'POST /sigil', (n) => bodies[n] as object, agent.authorization);
    expect(counts).toEqual(oneWins('409 SIGIL_ALREADY_EXISTS'));
  });

  it('a heartbeat for a payment', async () => {
    const agent = await session.sigilAgent();
    const body = { payment_tx: agent.pay(500_000) };
    const counts = await race(session, 'POST /agent/heartbeat', () => body, agent.authorization);
    expect(counts).toEqual(oneWins('429 HEARTBEAT_TOO_SOON'));
  });

  it('a reissue for a payment', async () => {
    const body = { payment_tx: parent.pay(200_000) };
    const counts = await race(session, 'POST /agent/reissue-proof', () => body, parent.authorization);
    expect(counts).toEqual(oneWins('409 PAYMENT_ALREADY_USED'));
  });

  it('a complaint about the same agent', async () => {
    const body = { target_hash: (await session.sigilAgent()).hash, asserted_class: 'orchestrator', reason: 'x' };
    expect(await race(session, 'POST /agent/flag', () => body, parent.authorization)).toEqual(
      oneWins('409 FLAG_DUPLICATE'),
    );
  });

  it.each(['by a receipt', 'by a challenge'])('a way back from the freeze %s', async (way) => {
    const agent = await session.root();
    session.pass(61);
    const { challenge } = await session.ok('POST /agent/resync', { action: 'challenge' }, agent.authorization);
    const proof = await session.proof(agent, challenge.required_beats);
    const prove = { action: 'prove', challenge_nonce: challenge.nonce, proof };
    const body = way === 'by a receipt' ? { beats_receipt: receiptOf(session.deployment, 10_000) } : prove;
    expect(await race(session, 'POST /agent/resync', () => body, agent.authorization)).toEqual(
      oneWins('409 AGENT_WRONG_STATE'),
    );
  });
});

describe('of 200 who come at once, one gets what is there once, with fees on another ledger:', () => {
  it.each([
    ['POST /sigil', 50_000_000, '409 SIGIL_ALREADY_EXISTS'],
    ['POST /agent/heartbeat', 500_000, '429 HEARTBEAT_TOO_SOON'],
    ['POST /agent/reissue-proof', 200_000, '409 PAYMENT_ALREADY_USED'],
  ])('%s for a payment', async (call, lamports, refusal) => {
    const [clock, till, payer] = [manualClock(0), keyOf(33).address, keyOf(31)];
    const ledger = await startLedger({ seed: 5, clock, bind: '127.0.0.1', port: 0 });
    const rpc = (method: string, ...params: unknown[]) => rpcResult(ledger.rpcUrl, method, params);
    await rpc('requestAirdrop', payer.address, 1_000_000_000);
    const pay = async (amount: number): Promise<string> => {
      const { blockhash } = (await rpc('getLatestBlockhash', { commitment: 'processed' })).value;
      const calls = [transferCall(payer.address, till, amount), memoCall('fee')];
      const wire = wireOf({ signers: [payer], blockhash, calls });
      await rpc('sendTransaction', sentAs(wire), { encoding: 'base64' });
      clock.advance?.(400);
      return nameOf(wire);
    };
    const session = await Session.start({
      overlay: { limits },
      remote: { rpcUrl: ledger.rpcUrl, paymentAddress: till },
    });
    const key = signingKey(new Uint8Array(32).fill(31));
    const { nonce } = await session.ok('POST /register', { name: 'Ada', action: 'challenge' });
    const wallet_signature = key.signHex(`service-register:${nonce}:${key.publicKeyHex}:Ada`);
    const proof = { wallet_nonce: nonce, wallet_public_key: key.publicKeyHex, wallet_signature };
    const { api_key } = await session.ok('POST /register', { name: 'Ada', ...proof });
    const authorization = { Authorization: `Bearer ${api_key}` };
    await session.ok('POST /agent/init', {}, authorization);
    const sigil = { identity_class: 'narrow_task', principal: 'a', tier: 'org' };
    if (call !== 'POST /sigil')
      await session.ok('POST /sigil', { ...sigil, payment_tx: await pay(50_000_000) }, authorization);
    const body = { ...(call === 'POST /sigil' ? sigil : {}), payment_tx: await pay(lamports) };
    expect(await race(session, call, () => body, authorization)).toEqual(oneWins(refusal));
    await session.close();
    await ledger.close();
  });
});
