/**
 * Random sessions of valid clients, which together call every operation of the servers. Each request goes through a sender, which may
 * send mutated copies of it first, and which judges the replies.
 */

import { type SigningKey, signingKey } from '../../reference/beats/signing.js';
import type { Chance } from '../faults/chance.js';
import { ethereumWallet } from '../fixtures/ethereum-wallet.js';
import { beatProofOf, workProofOf } from '../fixtures/proofs.js';
import { keyOf, memoCall, sentAs, transferCall, wireOf } from '../fixtures/solana.js';
import type { Call, Reply, Side } from './server-process.js';

type Body = Reply['body'];

/** Sends a request: the reply to the right one, whatever was sent before it. */
type Sender = (operation: string, call: Call) => Promise<Reply>;

/** A valid request was refused, because another session has changed the state: this session ends. */
class Refused extends Error {}

interface Agent {
  readonly hash: string;
  readonly key: string;
  readonly wallet: SigningKey;
}

interface SigilAgent extends Agent {
  readonly identityClass: string;
}

const CLASSES = { narrow_task: 50_000_000, autonomous: 150_000_000, orchestrator: 350_000_000 } as const;
const SHOWN_BEATS = 3;

/** The clients and what they know of the agents that they have made. Sessions may run concurrently. */
export class ClientSessions {
  private count = 0;
  private paymentAddress = '';
  private readonly sigilAgents: SigilAgent[] = [];
  private readonly hashes: string[] = [];

  constructor(
    private readonly sender: Sender,
    private readonly chance: Chance,
  ) {}

  /** Plays one session that chance picks, to its end or to the first request that another session has made impossible. */
  async play(): Promise<void> {
    const sessions = [
      ...[this.paidRoutes, this.paidRoutes, this.family, this.family, this.freeze, this.lookups, this.lookups],
      ...[this.beats, this.wallets, this.walletless, this.complaint, this.subsidy, this.partner, this.controls],
      ...[this.ledger, this.ledger],
    ];
    try {
      await this.chance.pick(sessions).call(this);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
    }
  }

  private async ask(operation: string, call: Call): Promise<Body> {
    const { status, body } = await this.sender(operation, call);
    if (status !== 200) throw new Refused(operation);
    return body;
  }

  private call(
    name: string,
    body?: unknown,
    key?: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Body> {
    const [method = '', path = ''] = name.split(' ');
    const side: Side = path.startsWith('beats:') ? 'beats' : 'registry';
    const short = path.replace('beats:', '');
    const whole = short.startsWith('/api/') ? short : `/api/v1${short}`;
    this.count += 1;
    const from = `10.${(this.count >> 16) & 255}.${(this.count >> 8) & 255}.${this.count & 255}`;
    const bearer = key === undefined ? {} : { authorization: `Bearer ${key}` };
    const sent = body === undefined ? {} : { body };
    const operation = `${side} ${method} ${whole.replace(/0x[0-9a-f]{64}/, '{hash}')}`;
    return this.ask(operation, {
      side,
      method,
      path: whole,
      ...sent,
      headers: { 'x-forwarded-for': from, ...bearer, ...headers },
    });
  }

  private control(name: string, body?: unknown): Promise<Body> {
    const [method = '', path = ''] = name.split(' ');
    const operation = `control ${method} ${path
      .replace(/^agents\/[^/]+/, 'agents/{hash}')
      .replace(/^partners\/[^/]+/, 'partners/{ref}')
      .replace(/^flags\/[^/]+/, 'flags/{id}')}`;
    const sent = body === undefined ? {} : { body };
    return this.ask(operation, { side: 'control', method, path: `/control/v1/${path}`, ...sent });
  }

  private async rpc(method: string, ...params: unknown[]): Promise<unknown> {
    this.count += 1;
    const body = { jsonrpc: '2.0', id: this.count, method, params };
    const reply = await this.ask(`ledger ${method}`, { side: 'ledger', method: 'POST', path: '/', body });
    if (!('result' in reply)) throw new Refused(method);
    return reply['result'];
  }

  private freshWallet(): SigningKey {
    this.count += 1;
    return signingKey(Buffer.alloc(32, `wallet ${this.count} of the town`));
  }

  private async pay(from: SigningKey, lamports: number): Promise<string> {
    if (this.paymentAddress === '' || this.chance.happens(0.05)) {
      this.paymentAddress = String((await this.call('GET /fees/summary'))['payment_address']);
    }
    const address = from.publicKeyBase58;
    await this.control('POST ledger/wallets', { address, lamports });
    const paid = await this.control('POST ledger/transfers', { from: address, to: this.paymentAddress, lamports });
    return String(paid['signature']);
  }

  private known({ hash, api_key: key }: Body, wallet: SigningKey): Agent {
    this.hashes.push(String(hash));
    return { hash: String(hash), key: String(key), wallet };
  }

  private async register(name = `agent ${this.count}`): Promise<Agent> {
    const wallet = this.freshWallet();
    const address = wallet.publicKeyBase58;
    const first = await this.call('POST /register', { name, wallet_model: 'operator' });
    const signature = wallet.signHex(`service-register-operator:${first['nonce']}:${address}:${name}`);
    const proof = { operator_wallet_address: address, wallet_nonce: first['nonce'], wallet_signature: signature };
    return this.known(await this.call('POST /register', { name, wallet_model: 'operator', ...proof }), wallet);
  }

  private async newSigilAgent(): Promise<SigilAgent> {
    const agent = await this.register();
    const identityClass = this.chance.pick(Object.keys(CLASSES)) as keyof typeof CLASSES;
    const payment_tx = await this.pay(agent.wallet, CLASSES[identityClass]);
    const sigil = { identity_class: identityClass, principal: 'town', tier: 'org', payment_tx };
    await this.call('POST /sigil', sigil, agent.key);
    await this.call('POST /agent/init', {}, agent.key);
    const sigilAgent = { ...agent, identityClass };
    this.sigilAgents.push(sigilAgent);
    return sigilAgent;
  }

  private async paidRoutes(): Promise<void> {
    const { key, wallet } = await this.newSigilAgent();
    await this.call('POST /agent/heartbeat', { payment_tx: await this.pay(wallet, 500_000) }, key);
    await this.call('POST /agent/reissue-proof', { payment_tx: await this.pay(wallet, 200_000) }, key);
    await this.call('GET /agent/passport', undefined, key);
    const metadata = { substrate: 'open', tools: ['a', 'b'], generation_trigger: 'again', protocol: 'mcp' };
    await this.call('PATCH /agent/metadata', metadata, key);
    await this.submit(key);
  }

  private async anchor(): Promise<{ readonly index: number; readonly hash: string }> {
    const { beat_index: index, hash } = (await this.call('GET /beat/anchor'))['anchor'] as Readonly<
      Record<string, unknown>
    >;
    return { index: Number(index), hash: String(hash) };
  }

  /** The form of a proof over the beats that follow one; only the last ones are computed (D-07). */
  private async proof(from: { readonly index: number; readonly hash: string }, beats: number): Promise<object> {
    return beatProofOf(from, { beats, anchor: await this.anchor() });
  }

  private async submit(key: string): Promise<void> {
    const begun = await this.call('POST /agent/init', {}, key);
    const from = { index: Number(begun['latest_beat'] ?? 0), hash: String(begun['latest_hash']) };
    await this.call('POST /agent/beats/submit', await this.proof(from, SHOWN_BEATS), key);
  }

  private async receipt(beats: number): Promise<unknown> {
    const anchor = await this.anchor();
    this.count += 1;
    const work_proof = workProofOf(String(this.count).padStart(64, '0'), { beats, anchor });
    return (await this.call('POST beats:/beat/work-proof', { work_proof }))['receipt'];
  }

  private async family(): Promise<void> {
    const parent = await this.newSigilAgent();
    const child_name = `child ${this.count}`;
    const spawned = await this.call(
      'POST /agent/spawn',
      { child_name, beats_receipt: await this.receipt(20_000) },
      parent.key,
    );
    const { spawn_authorization } = spawned;
    const made = await this.call(
      'POST /register',
      { name: child_name, parent: parent.hash, spawn_authorization },
      parent.key,
    );
    const child = this.known(made, parent.wallet);
    await this.call('POST /agent/spawn', { child_name, child_hash: child.hash }, parent.key);
    await this.call('POST /agent/init', {}, child.key);
    const sponsored = { child_hash: child.hash, max_heartbeats_epoch: 5, expires_in_hours: 24 };
    await this.call('POST /agent/sponsor', sponsored, parent.key);
    await this.call('POST /agent/heartbeat', { payment_tx: await this.pay(parent.wallet, 500_000) }, child.key);
    await this.call('GET /agent/sponsor', undefined, parent.key);
    await this.call('DELETE /agent/sponsor', { child_hash: child.hash }, parent.key);
    await this.control(`POST agents/${child.hash}/revoke-key`, {});
  }

  private async freeze(): Promise<void> {
    const [one, other] = [await this.newSigilAgent(), await this.newSigilAgent()];
    await this.control('POST clock/advance', { anchors: 61 });
    await this.call('POST /agent/resync', { beats_receipt: await this.receipt(10_000) }, one.key);
    const asked = await this.call('POST /agent/resync', { action: 'challenge' }, other.key);
    const challenge = asked['challenge'] as Readonly<Record<string, unknown>>;
    const from = { index: Number(challenge['start_from_beat']), hash: String(challenge['start_from_hash']) };
    const proof = await this.proof(from, Number(challenge['required_beats']));
    await this.call('POST /agent/resync', { action: 'prove', challenge_nonce: challenge['nonce'], proof }, other.key);
  }

  private async lookups(): Promise<void> {
    const hash = this.hashes.length === 0 ? (await this.register()).hash : this.chance.pick(this.hashes);
    await this.call(`GET /status/${hash}`);
    await this.call(`GET /verify/${hash}`);
    await this.call(`GET /agent/beat-status/${hash}`);
    await this.call('POST /verify/batch', { hashes: this.hashes.slice(-50) });
    await this.call('GET /.well-known/authority-key');
    await this.call('GET /fees/summary');
    await this.sender('registry POST /api/v1/agent/checkin', {
      side: 'registry',
      method: 'POST',
      path: '/api/v1/agent/checkin',
      body: {},
    });
    const beat = { index: 1, prev: '0'.repeat(64), hash: 'f'.repeat(64), difficulty: 100 };
    for (const side of ['', 'beats:']) await this.call(`POST ${side}/beat/verify`, { mode: 'beat', beat, ...beat });
  }

  private async beats(): Promise<void> {
    await this.receipt(1_000);
    for (const path of ['/beat/work-proof', '/beat/key', '/beat/anchor', '/api/health'])
      await this.call(`GET beats:${path}`);
    await this.call('POST beats:/beat/timestamp', { hash: 'ab'.repeat(32) });
  }

  /** The other two forms of 4.2 that prove a wallet. */
  private async wallets(): Promise<void> {
    const [wallet, name] = [this.freshWallet(), `self ${this.count}`];
    const own = await this.call('POST /register', { name, action: 'challenge' });
    const signed = wallet.signHex(`service-register:${own['nonce']}:${wallet.publicKeyHex}:${name}`);
    const proof = { wallet_public_key: wallet.publicKeyHex, wallet_nonce: own['nonce'], wallet_signature: signed };
    this.known(await this.call('POST /register', { name, ...proof }), wallet);
    const { address, sign } = ethereumWallet(1 + this.chance.below(250));
    const chain = { wallet_chain: 'ethereum' };
    const asked = await this.call('POST /register', { action: 'challenge', ...chain });
    const wallet_signature = sign(`service-register-ethereum:${asked['nonce']}:${address}:${name}`);
    const ether = { name, ...chain, wallet_address: address, wallet_nonce: asked['nonce'], wallet_signature };
    this.known(await this.call('POST /register', ether), wallet);
  }

  private async walletless(): Promise<void> {
    const { token } = await this.call('POST /register/token', {});
    const body = { name: `bare ${this.count}`, metadata: { a: [1, { b: null }] } };
    const made = await this.call('POST /register', body, undefined, { 'x-registration-token': String(token) });
    const agent = this.known(made, this.freshWallet());
    const { nonce } = await this.call('POST /agent/wallet', { action: 'challenge' }, agent.key);
    const key = agent.wallet.publicKeyHex;
    const wallet_signature = agent.wallet.signHex(`service-link-wallet:${nonce}:${key}:${agent.hash}`);
    await this.call('POST /agent/wallet', { wallet_nonce: nonce, wallet_public_key: key, wallet_signature }, agent.key);
  }

  private async complaint(): Promise<void> {
    const [reporter, target] = [await this.newSigilAgent(), await this.newSigilAgent()];
    const body = { target_hash: target.hash, asserted_class: 'orchestrator', reason: 'it orchestrates' };
    const { flag_id: id } = await this.call('POST /agent/flag', body, reporter.key);
    const outcome = this.chance.pick(['sustain', 'dismiss']);
    await this.control(`POST flags/${id}/review`, { outcome });
    if (outcome === 'sustain') await this.control(`POST flags/${id}/review`, { outcome: 'resolve' });
  }

  private async subsidy(): Promise<void> {
    const { key } = await this.control('POST admin-keys', {});
    const { hash } = this.sigilAgents.at(-1) ?? (await this.newSigilAgent());
    const which = { agent_hash: hash, fee_type: this.chance.pick(['sigil', 'heartbeat', 'reissuance']) };
    await this.call('POST /admin/agent/subsidy', { ...which, discount_bps: 5_000, reason: 'a pilot' }, String(key));
    await this.call('DELETE /admin/agent/subsidy', which, String(key));
    await this.control('POST admin-keys/expire', { key });
  }

  private async partner(): Promise<void> {
    const { key, ref } = await this.control('POST partners', { name: 'Acme' });
    const hook = { url: 'http://127.0.0.1:9/hook', events: ['agent.frozen', 'sigil.purchased', 'heartbeat.recorded'] };
    await this.call('PUT /partner/webhook', hook, String(key));
    await this.call('GET /partner/webhook', undefined, String(key));
    await this.call('POST /register', { name: 'partnered', ref });
    await this.control('POST webhooks/flush', {});
    await this.call('DELETE /partner/webhook', undefined, String(key));
    if (this.chance.happens(0.5)) await this.control('POST partner-keys/expire', { key });
    else await this.control(`POST partners/${ref}/suspend`, {});
  }

  private async controls(): Promise<void> {
    await this.control('GET capabilities');
    await this.sender('control GET capabilities', { side: 'control', method: 'GET', path: '/control/v1/openapi.json' });
    await this.control('GET fingerprint');
    await this.control('PUT fees', {});
    await this.control('POST anchors/stall', { on: true });
    await this.control('POST anchors/stall', { on: false });
    await this.control('POST clock/advance', { ms: 1 + this.chance.below(600_000) });
    if (this.chance.happens(0.6)) await this.control('POST reset', {});
  }

  private async ledger(): Promise<void> {
    const payer = keyOf(1 + this.chance.below(200));
    await this.rpc('requestAirdrop', payer.address, 1_000_000);
    for (const method of ['getHealth', 'getVersion', 'getGenesisHash', 'getSlot', 'getBlockHeight', 'getEpochInfo'])
      await this.rpc(method);
    for (const method of ['getTransactionCount', 'getRecentPrioritizationFees']) await this.rpc(method);
    const { value } = (await this.rpc('getLatestBlockhash', { commitment: 'processed' })) as Latest;
    await this.rpc('isBlockhashValid', value.blockhash, { commitment: 'processed' });
    await this.rpc('getBalance', payer.address);
    await this.rpc('getAccountInfo', payer.address, { encoding: 'base64' });
    await this.rpc('getMinimumBalanceForRentExemption', 0);
    await this.rpc('getMultipleAccounts', [payer.address, keyOf(201).address]);
    await this.rpc('getBlockTime', 0);
    await this.rpc('getBlock', 0, { transactionDetails: 'signatures' });
    this.count += 1;
    const calls = [transferCall(payer.address, keyOf(201).address, 1_000), memoCall(`note ${this.count}`)];
    const wire = wireOf({ signers: [payer], blockhash: value.blockhash, calls });
    await this.rpc('getFeeForMessage', Buffer.from(wire.subarray(65)).toString('base64'), { commitment: 'processed' });
    await this.rpc('simulateTransaction', sentAs(wire), { encoding: 'base64', commitment: 'processed' });
    const signature = await this.rpc('sendTransaction', sentAs(wire), {
      encoding: 'base64',
      preflightCommitment: 'processed',
    });
    await this.rpc('getSignatureStatuses', [signature], { searchTransactionHistory: true });
    await this.rpc('getSignaturesForAddress', payer.address, { limit: 5 });
    await this.rpc('getTransaction', signature, { encoding: 'json', maxSupportedTransactionVersion: 0 });
  }
}

interface Latest {
  readonly value: { readonly blockhash: string };
}
