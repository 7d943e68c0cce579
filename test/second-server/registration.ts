/** Registration by section 4.2 and 4.3: roots with and without a wallet, children, tokens. */

import { ed25519Verify, ethereumSigner, fromBase58, sha256, toBase58 } from './crypto.js';
import { keptName, noteEvent } from './published.js';
import { Refusal } from './refusal.js';
import type { Call, Reply } from './server.js';
import { type Agent, find, isRecord, type Wallet, type World } from './world.js';

const bad = (message: string): Refusal => new Refusal(400, null, message);

/** POST /register/token */
export function registerToken(world: World, call: Call): Reply {
  if (!call.isJson) throw new Refusal(415, 'CONTENT_TYPE_REQUIRED', 'Send Content-Type: application/json.');
  world.limit('registerToken', call.ip);
  world.limit('registerTokenGlobal', '');
  const token = world.random(32);
  world.registrationTokens.set(token, world.now + 300_000);
  return {
    body: { ok: true, token, expires_in_sec: 300, _info: 'Send it as x-registration-token to POST /register.' },
  };
}

/** POST /register */
export function register(world: World, call: Call): Reply {
  const body = call.body;
  const wallet = 'action' in body || 'wallet_model' in body || 'wallet_signature' in body || 'wallet_nonce' in body;
  const { published } = world.settings;
  if (wallet) world.limit('registerWalletFlow', call.ip, published ? 10 : undefined);
  else world.limit('register', call.ip, published ? 5 : undefined);
  if (!call.isJson) throw new Refusal(415, null, 'Send Content-Type: application/json.');
  const sent = body['name'];
  const name = published && typeof sent === 'string' ? keptName(sent) : sent;
  if (typeof name !== 'string' || name.length === 0 || name.length > 200)
    throw bad('name is a text of 1 to 200 characters.');
  const metadata = metadataOf(body['metadata']);
  if ('parent' in body || 'spawn_authorization' in body) return registerChild(world, call, name, metadata);
  const useToken = rootAccess(world, call);
  if (body['action'] !== undefined && body['action'] !== 'challenge') throw bad('action can only be challenge.');
  const chain = body['wallet_chain'];
  if (chain !== undefined && chain !== 'solana' && chain !== 'ethereum')
    throw bad('wallet_chain is solana or ethereum.');
  if (chain === 'ethereum' && world.settings.network === 'mainnet')
    throw bad('There are no Ethereum wallets on mainnet.');
  const model = body['wallet_model'];
  if (model !== undefined && model !== 'operator' && model !== 'self-custody') throw bad('wallet_model is operator.');
  if (body['action'] === 'challenge' || (model === 'operator' && !('wallet_signature' in body))) {
    return { body: { nonce: world.nonce('register'), expires_in: 300 } };
  }
  if (!wallet) {
    useToken();
    return { status: 201, body: agentObject(world, create(world, name, metadata, null, null)) };
  }
  const proven = provenWallet(world, body, name);
  useToken();
  const agent = create(world, name, metadata, null, proven);
  const whole = agentObject(world, agent);
  if (proven.model === 'operator' || proven.chain === 'ethereum') return { status: 201, body: whole };
  const { ok: _ok, birth_tx: _birth, ...older } = whole;
  return { status: 201, body: { ...older, signature: agent.birthTx, explorer_url: explorer(agent.birthTx) } };
}

export const explorer = (tx: string): string => `https://explorer.invalid/tx/${tx}`;

function metadataOf(value: unknown): Record<string, unknown> | null {
  if (value === undefined) return null;
  if (!isRecord(value)) throw bad('metadata is a JSON object.');
  if (Buffer.byteLength(JSON.stringify(value)) > 4096) throw bad('metadata is at most 4 KB when serialized.');
  return value;
}

/** Whether a root may register; returns the use of its token. */
function rootAccess(world: World, call: Call): () => void {
  const token = call.headers['x-registration-token'];
  if (token !== undefined) {
    const until = world.registrationTokens.get(String(token));
    if (until === undefined || world.now >= until) throw new Refusal(403, null, 'The registration token is not valid.');
    return () => world.registrationTokens.delete(String(token));
  }
  const { network, registrationSecret } = world.settings;
  if (network === 'mainnet' && call.headers['x-registration-secret'] !== registrationSecret) {
    throw new Refusal(403, null, 'Send x-registration-secret or x-registration-token.');
  }
  return () => undefined;
}

/** The wallet whose ownership the body proves, by a nonce that it uses up. */
function provenWallet(world: World, body: Record<string, unknown>, name: string): Wallet {
  const nonce = body['wallet_nonce'] ?? body['nonce'];
  if (!world.hasNonce('register', nonce)) throw bad('The nonce is unknown, used or expired.');
  const wallet = ownedWallet(
    body,
    (kind, address) => `${world.messagePrefix}-register${kind}:${String(nonce)}:${address}:${name}`,
  );
  if (wallet === null) throw bad('The signature does not prove that wallet.');
  world.takeNonce('register', nonce);
  return wallet;
}

/** The wallet of a signed body: `message` makes what was to be signed from the kind (`-operator` …) and the address. */
export function ownedWallet(
  body: Record<string, unknown>,
  message: (kind: string, address: string) => string,
): Wallet | null {
  const signature = body['wallet_signature'];
  const address = body['operator_wallet_address'] ?? body['wallet_address'];
  if (body['wallet_chain'] === 'ethereum') {
    if (typeof address !== 'string' || !/^0x[0-9a-f]{40}$/i.test(address)) return null;
    if (ethereumSigner(message('-ethereum', address), signature) !== address.toLowerCase()) return null;
    return { model: 'self-custody', chain: 'ethereum', address: address.toLowerCase(), shown: address };
  }
  if (typeof address === 'string') {
    const key = fromBase58(address);
    if (key === null || !ed25519Verify(key, message('-operator', address), signature)) return null;
    return { model: 'operator', chain: 'solana', address, shown: address };
  }
  const key = body['wallet_public_key'];
  if (typeof key !== 'string' || !ed25519Verify(key, message('', key), signature)) return null;
  return { model: 'self-custody', chain: 'solana', address: toBase58(key.toLowerCase()), shown: key };
}

function registerChild(world: World, call: Call, name: string, metadata: Record<string, unknown> | null): Reply {
  const parent = world.agentOf(call.headers.authorization);
  const { body } = call;
  if (find(world, body['parent']) !== parent) throw new Refusal(403, null, 'parent is the agent whose key is sent.');
  const authorization = world.spawnAuthorizations.get(String(body['spawn_authorization']));
  if (authorization === undefined || authorization.parent !== parent) {
    throw new Refusal(403, null, 'spawn_authorization is one that spawn gave to this parent.');
  }
  if (authorization.name !== name) throw new Refusal(403, null, 'spawn_authorization is for a child of another name.');
  if (authorization.used || world.now >= authorization.until) {
    throw new Refusal(409, 'SPAWN_CONFLICT', 'spawn_authorization was used or has expired.');
  }
  authorization.used = true;
  const child = create(world, name, metadata, parent, null);
  return { status: 201, body: agentObject(world, child) };
}

function create(
  world: World,
  name: string,
  metadata: Record<string, unknown> | null,
  parent: Agent | null,
  wallet: Wallet | null,
): Agent {
  const agent: Agent = {
    hash: `0x${world.random(32)}`,
    name,
    metadata,
    parent,
    depth: parent === null ? 0 : parent.depth + 1,
    beat: world.anchor,
    birthTx: `birth-${world.random(32)}`,
    children: [],
    linked: new Set(),
    wallet,
    keyRevoked: false,
    chain: null,
    frozen: false,
    lastSync: world.anchor,
    sigil: null,
    heartbeats: 0,
    lastHeartbeat: null,
    epoch: 0,
    epochHeartbeats: 0,
    lineage: sha256(`lineage ${parent?.lineage ?? ''} ${name}`),
    events: [],
    passport: null,
    generation: 0,
    mutable: {},
  };
  world.agents.set(agent.hash, agent);
  if (world.settings.published) noteEvent(world, agent, 'registered');
  if (world.settings.published && wallet !== null) noteEvent(world, agent, 'wallet_linked');
  parent?.children.push(agent);
  return agent;
}

function agentObject(world: World, agent: Agent): Record<string, unknown> {
  return {
    ok: true,
    hash: agent.hash,
    api_key: world.keyOf(agent),
    secret: world.random(24),
    type: agent.parent === null ? 'root' : 'descendant',
    parent: agent.parent?.hash ?? null,
    depth: agent.depth,
    name: agent.name,
    metadata: agent.metadata ?? {},
    wallet_model: agent.wallet?.model ?? 'self-custody',
    wallet_chain: agent.wallet?.chain ?? null,
    birth_tx: agent.birthTx,
  };
}
