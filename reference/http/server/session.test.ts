import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { dialects } from '../../../spec/dialect.js';
import { ethereumWallet } from '../../../test/fixtures/ethereum-wallet.js';
import { Deployment, type DeploymentSetUp } from '../../../test/fixtures/http.js';
import { GENESIS_MS } from '../../../test/fixtures/registry.js';
import { computeChain } from '../../beats/beat.js';
import { type SigningKey, signingKey } from '../../beats/signing.js';
import { fingerprint } from '../../registry/fingerprint.js';
import { type Command, openJournal } from '../../store/journal.js';

const deployments: Deployment[] = [];
afterEach(async () => {
  await Promise.all(deployments.splice(0).map((deployment) => deployment.close()));
});

async function start(options?: DeploymentSetUp): Promise<Deployment> {
  const deployment = await Deployment.start(options);
  deployments.push(deployment);
  return deployment;
}

const keyOf = (byte: number): SigningKey => signingKey(new Uint8Array(32).fill(byte));
let addresses = 0;
/** Headers of an address that has made no request yet. */
function elsewhere(): Record<string, string> {
  addresses += 1;
  return { 'x-forwarded-for': `203.0.${Math.floor(addresses / 250)}.${addresses % 250}` };
}

interface Agent {
  readonly hash: string;
  readonly key: string;
  readonly wallet: SigningKey | null;
}

/** Registers with an operator wallet that has money, and starts the chain. */
async function operatorAgent(deployment: Deployment, name: string, byte: number, extra: object = {}): Promise<Agent> {
  const wallet = keyOf(byte);
  const address = wallet.publicKeyBase58;
  const { messagePrefix } = deployment.host.service.registry.dialect;
  const from = elsewhere();
  const first = await deployment.call('POST /register', { name, wallet_model: 'operator', ...extra }, undefined, from);
  expect(first.status).toBe(200);
  const nonce: string = first.body.nonce;
  const made = await deployment.call(
    'POST /register',
    {
      name,
      wallet_model: 'operator',
      operator_wallet_address: address,
      wallet_nonce: nonce,
      wallet_signature: wallet.signHex(`${messagePrefix}-register-operator:${nonce}:${address}:${name}`),
      ...extra,
    },
    undefined,
    from,
  );
  expect(made.body).toMatchObject({ ok: true, wallet_model: 'operator', wallet_chain: 'solana', type: 'root' });
  await deployment.control('POST', '/ledger/wallets', { address, lamports: 10_000_000_000 });
  expect((await deployment.call('POST /agent/init', {}, made.body.api_key)).status).toBe(200);
  return { hash: made.body.hash, key: made.body.api_key, wallet };
}

async function pay(deployment: Deployment, wallet: SigningKey, lamports: number): Promise<string> {
  const to = deployment.host.service.paymentAddress;
  const paid = await deployment.control('POST', '/ledger/transfers', { from: wallet.publicKeyBase58, to, lamports });
  expect(paid.status).toBe(200);
  return paid.body.signature;
}

async function buySigil(deployment: Deployment, agent: Agent, tier = 'org', lamports = 50_000_000): Promise<void> {
  const payment_tx = await pay(deployment, agent.wallet as SigningKey, lamports);
  const body = { identity_class: 'narrow_task', principal: 'acme', tier, payment_tx };
  expect((await deployment.call('POST /sigil', body, agent.key)).status).toBe(200);
}

async function beat(deployment: Deployment, agent: Agent, wallet: SigningKey, lamports = 500_000) {
  return deployment.call('POST /agent/heartbeat', { payment_tx: await pay(deployment, wallet, lamports) }, agent.key);
}

/** A receipt of the beats service for so many beats, at the lowest difficulty that it accepts. */
async function receiptFor(deployment: Deployment, beats: number, of: string): Promise<unknown> {
  const { anchor } = (await deployment.call('GET beats:/beat/anchor')).body;
  const fromHash = (of.charCodeAt(0) % 10).toString().repeat(64);
  const run = computeChain({
    fromHash,
    fromIndex: 0,
    beats,
    difficulty: 100,
    anchorHash: anchor.hash,
    keep: { every: Math.ceil(beats / 5) },
  });
  const work_proof = {
    from_hash: fromHash,
    to_hash: run.toHash,
    beats_computed: beats,
    difficulty: 100,
    anchor_hash: anchor.hash,
    anchor_index: anchor.beat_index,
    spot_checks: run.spotChecks,
  };
  const told = await deployment.call('POST beats:/beat/work-proof', { work_proof }, undefined, elsewhere());
  expect(told.body).toMatchObject({ ok: true, valid: true });
  return told.body.receipt;
}

/** A proof of beats that continue an agent's chain. */
async function proofOf(deployment: Deployment, agent: Agent, beats: number) {
  const { anchor } = (await deployment.call('GET /beat/anchor')).body;
  const { heartbeat } = (await deployment.call(`GET /agent/beat-status/${agent.hash}`)).body;
  const run = computeChain({
    fromHash: heartbeat.latest_hash,
    fromIndex: heartbeat.latest_beat,
    beats,
    difficulty: 1_000,
    anchorHash: anchor.hash,
    keep: { every: Math.ceil(beats / 5) },
  });
  return {
    from_beat: heartbeat.latest_beat,
    to_beat: run.toIndex,
    from_hash: heartbeat.latest_hash,
    to_hash: run.toHash,
    beats_computed: beats,
    global_anchor: anchor.beat_index,
    anchor_hash: anchor.hash,
    spot_checks: run.spotChecks,
  };
}

/** 3.6, steps 5 to 7, on a receipt. */
async function child(deployment: Deployment, parent: Agent, name: string, receipt: unknown): Promise<Agent> {
  const preflight = await deployment.call(
    'POST /agent/spawn',
    { child_name: name, beats_receipt: receipt },
    parent.key,
  );
  expect(preflight.body).toMatchObject({ eligible: true, receipt_based: true });
  const body = { name, parent: parent.hash, spawn_authorization: preflight.body.spawn_authorization };
  const made = await deployment.call('POST /register', body, parent.key, elsewhere());
  expect(made.body).toMatchObject({ type: 'agent', parent: parent.hash, wallet_chain: null });
  const linked = await deployment.call(
    'POST /agent/spawn',
    { child_name: name, child_hash: made.body.hash },
    parent.key,
  );
  expect(linked.body).toEqual({ ok: true, eligible: true, child_hash: made.body.hash });
  expect((await deployment.call('POST /agent/init', {}, made.body.api_key)).status).toBe(200);
  return { hash: made.body.hash, key: made.body.api_key, wallet: null };
}

/** Registration with an Ethereum wallet, with a token, and a wallet linked afterwards. */
async function walletCalls(deployment: Deployment): Promise<void> {
  const { messagePrefix } = deployment.host.service.registry.dialect;
  const ethereum = ethereumWallet(9);
  const asked = { action: 'challenge', wallet_chain: 'ethereum' };
  const nonce = (await deployment.call('POST /register', asked, undefined, elsewhere())).body.nonce;
  const wallet_signature = ethereum.sign(`${messagePrefix}-register-ethereum:${nonce}:${ethereum.address}:Zoë`);
  const chained = { name: 'Zoë', wallet_chain: 'ethereum', wallet_address: ethereum.address };
  const born = await deployment.call(
    'POST /register',
    { ...chained, wallet_nonce: nonce, wallet_signature },
    undefined,
    elsewhere(),
  );
  expect(born.body).toMatchObject({ ok: true, wallet_chain: 'ethereum' });

  const token = (await deployment.call('POST /register/token', {}, undefined, elsewhere())).body.token;
  const withToken = { ...elsewhere(), 'x-registration-token': token };
  const plain = (await deployment.call('POST /register', { name: 'plain', metadata: { a: 1 } }, undefined, withToken))
    .body;
  const link = (await deployment.call('POST /agent/wallet', { action: 'challenge' }, plain.api_key)).body.nonce;
  const linked = keyOf(12);
  const linking = `${messagePrefix}-link-wallet:${link}:${linked.publicKeyHex}:${plain.hash}`;
  const finalize = {
    wallet_nonce: link,
    wallet_public_key: linked.publicKeyHex,
    wallet_signature: linked.signHex(linking),
  };
  expect((await deployment.call('POST /agent/wallet', finalize, plain.api_key)).body.wallet).toBe(
    linked.publicKeyBase58,
  );

  const broke = { from: '3'.repeat(32), to: '4'.repeat(32), lamports: 1 };
  expect((await deployment.control('POST', '/ledger/transfers', broke)).status).toBe(409);
}

/** A child is spawned and its heartbeat sponsored. */
async function familyCalls(deployment: Deployment, parent: Agent): Promise<Agent> {
  const probe = await deployment.call('POST /agent/spawn', { child_name: 'kid' }, parent.key);
  expect([probe.status, probe.body.required_beats]).toEqual([402, 1_000]);
  const kid = await child(deployment, parent, 'kid', await receiptFor(deployment, 1_000, 'a'));
  const sponsored = { child_hash: kid.hash, max_heartbeats_epoch: 1, expires_in_hours: 24 };
  expect((await deployment.call('POST /agent/sponsor', sponsored, parent.key)).status).toBe(200);
  expect((await beat(deployment, kid, parent.wallet as SigningKey)).status).toBe(200);
  expect((await deployment.call('GET /agent/sponsor', undefined, parent.key)).body.sponsorships[0]).toMatchObject({
    heartbeats_used_epoch: 1,
  });
  return kid;
}

/** Subsidy and fee table, work, metadata, and a complaint. */
async function moneyAndWorkCalls(deployment: Deployment, parent: Agent, kid: Agent, admin: string): Promise<void> {
  const subsidy = { agent_hash: parent.hash, fee_type: 'heartbeat', discount_bps: 5_000, reason: 'launch' };
  expect((await deployment.call('POST /admin/agent/subsidy', subsidy, admin)).status).toBe(200);
  expect((await beat(deployment, parent, parent.wallet as SigningKey, 250_000)).body.fee.amount_lamports).toBe(250_000);
  const gone = { agent_hash: parent.hash, fee_type: 'heartbeat' };
  expect((await deployment.call('DELETE /admin/agent/subsidy', gone, admin)).body.deleted).toBe(true);
  expect((await deployment.control('PUT', '/fees', { reissuance: 123_456 })).body.fees.reissuance).toBe(123_456);
  const reissue = { payment_tx: await pay(deployment, parent.wallet as SigningKey, 123_456) };
  expect((await deployment.call('POST /agent/reissue-proof', reissue, parent.key)).status).toBe(200);

  const submitted = await deployment.call(
    'POST /agent/beats/submit',
    await proofOf(deployment, parent, 20),
    parent.key,
  );
  expect(submitted.body).toMatchObject({ beats_accepted: 20, total_beats: 20, latest_beat_index: 20 });
  const fields = { capability: 'analyst', tools: ['a', 'b'], generation_trigger: 'retrained' };
  expect((await deployment.call('PATCH /agent/metadata', fields, parent.key)).body.generation).toBe(2);
  const complaint = { target_hash: kid.hash, asserted_class: 'orchestrator', reason: 'too clever' };
  const filed = await deployment.call('POST /agent/flag', complaint, parent.key);
  expect(filed.status).toBe(200);
  const sustain = { outcome: 'sustain' };
  expect((await deployment.control('POST', `/flags/${filed.body.flag_id}/review`, sustain)).body.status).toBe(
    'sustained',
  );
}

/** A session that uses every kind of command. */
async function longSession(deployment: Deployment): Promise<void> {
  const partner = (await deployment.control('POST', '/partners', { name: 'Acme' })).body;
  const hook = { url: 'https://hooks.example.com/a', events: ['agent.unfrozen'] };
  expect((await deployment.call('PUT /partner/webhook', hook, partner.key)).status).toBe(200);
  const admin = (await deployment.control('POST', '/admin-keys', {})).body.key;
  const parent = await operatorAgent(deployment, 'parent', 11, { ref: partner.ref });
  await buySigil(deployment, parent);
  await walletCalls(deployment);
  const kid = await familyCalls(deployment, parent);
  await moneyAndWorkCalls(deployment, parent, kid, admin);

  const stamped = await deployment.call('POST beats:/beat/timestamp', { hash: 'ab'.repeat(32) });
  expect(stamped.body.timestamp.hash).toBe('ab'.repeat(32));
  await deployment.control('POST', '/clock/advance', { anchors: 11 });
  expect((await deployment.call('DELETE /agent/sponsor', { child_hash: kid.hash }, parent.key)).body.revoked).toBe(
    true,
  );
  await deployment.control('POST', '/clock/advance', { anchors: 61 });
  expect((await deployment.call(`GET /status/${parent.hash}`)).body.status).toBe('frozen');
  const again = (await deployment.call('POST /agent/resync', { action: 'challenge' }, parent.key)).body;
  expect(again.challenge.required_beats).toBe(7_200);
  await deployment.control('POST', `/agents/${kid.hash}/revoke-key`, {});
  await deployment.control('POST', '/admin-keys/expire', { key: admin });
  await deployment.control('POST', '/anchors/stall', { on: true });
  await deployment.control('POST', '/clock/advance', { ms: 90_000 });
  await deployment.control('POST', '/anchors/stall', { on: false });
  expect((await deployment.call('DELETE /partner/webhook', undefined, partner.key)).body).toEqual({ ok: true });
  await deployment.control('POST', '/partner-keys/expire', { key: partner.key });
  expect((await deployment.call('GET /partner/webhook', undefined, partner.key)).status).toBe(403);
  await deployment.control('POST', `/partners/${partner.ref}/suspend`, {});
  await deployment.control('POST', '/clock/advance', { ms: 61_000 });
}

/** The commands as a journal's file returns them. */
function throughTheDisk(commands: readonly Command[]): readonly Command[] {
  const folder = mkdtempSync(join(tmpdir(), 'aips-session-'));
  try {
    const written = openJournal(folder, {}, GENESIS_MS);
    for (const command of commands) written.append(command);
    written.close();
    const read = openJournal(folder, {}, GENESIS_MS);
    read.close();
    return read.commands;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const stateOf = (deployment: Deployment): string => fingerprint(deployment.host.service.registry);

describe.each(['service', 'provenonce'] as const)('a long session in the dialect %s', (name) => {
  it('leads to the same state when its journal is replayed', async () => {
    const dialect = dialects[name];
    const first = await start({ dialect });
    await longSession(first);
    const names = new Set(first.commands.map((command) => command.name));
    expect(names.size).toBeGreaterThan(25);
    const second = await start({ dialect, commands: throughTheDisk(first.commands) });
    expect(stateOf(second)).toBe(stateOf(first));
    expect(second.host.service.ledger.transactions).toEqual(first.host.service.ledger.transactions);
    const more = { name: 'after the restart' };
    const [one, two] = await Promise.all([first, second].map((deployment) => deployment.call('POST /register', more)));
    expect(two?.body).toEqual(one?.body);
  });
});
