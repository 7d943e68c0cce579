/** Registration in all its forms (4.2, 4.3): without a wallet, with one of each kind, with a token. Children are in spawn.ts. */

import * as fc from 'fast-check';
import { servesMode } from '../../../spec/parts.js';
import { type Answer, equals, type Fault, isHex, isText, settle, that } from '../expectation.js';
import { mostly, type Operation, request } from '../operation.js';
import type { Player, Ready } from '../player.js';
import type { AgentState, State, WalletState } from '../state.js';

export type WalletKind = 'none' | WalletState['kind'];

/** Characters that have been lost on the way: quotes, controls, beyond the basic plane, combining, look-alikes of nothing. */
const characters = fc.constantFrom(
  'a',
  'Z',
  '7',
  '"',
  '\\',
  '\n',
  '\u0000',
  'é',
  'e\u0301',
  '\u2028',
  '\ufeff',
  '😀',
  '𝒳',
  '<',
  '/',
);
const text = fc.array(characters, { maxLength: 10 }).map((each) => each.join(''));

/** JSON as clients put it into metadata: it has to come back as it was sent. */
export const metadata: fc.Arbitrary<Record<string, unknown>> = fc
  .array(
    fc.tuple(
      text.map((key) => `k${key}`),
      fc.oneof(
        fc.constantFrom<unknown[]>(null, true, false, 0, 0.1, -1.5, 1e21, 2 ** 31, 2 ** 53 - 1, {}, []),
        fc.integer(),
        text,
        fc.constantFrom<unknown[]>([1, null], { deep: { er: [null, { a: '' }] } }),
      ),
    ),
    { maxLength: 4 },
  )
  .map((entries) => Object.fromEntries(entries));

/** Metadata of a size in bytes when serialized. */
const weighing = (bytes: number): unknown => ({ k: 'x'.repeat(bytes - '{"k":""}'.length) });

const METADATA = {
  fits: (bytesMax: number): unknown => weighing(bytesMax),
  'too-large': (bytesMax: number): unknown => weighing(bytesMax + 1),
  array: (): unknown => [1],
  text: (): unknown => 'text',
  number: (): unknown => 7,
} as const;

/** The headers of a root registration, with the secret where the target has one. */
function secretOf({ target }: Player): Record<string, string> {
  const { registrationSecret: secret } = target;
  return secret === undefined ? {} : { 'x-registration-secret': secret };
}

/** A name that nobody has: letters of either case, a space, and more than the basic plane come back as they were sent. */
function newName({ draws }: Player): string {
  const [byte = 0] = draws.bytes(1);
  return `${draws.word()}${['', '', ' Agent', ' É', '😀', '-"x"', '<b>', '_7'][byte % 8]}`;
}

interface Registering {
  readonly name: string;
  readonly metadata: unknown;
  readonly wallet: WalletState | null;
  readonly parent?: number;
}

/** Takes down a new agent, and holds the reply against 2.1. `older`: that of the two-phase form. */
export function registered(state: State, answer: Answer, { name, metadata, wallet, parent }: Registering): AgentState {
  const older = wallet?.kind === 'self-custody';
  const above = parent === undefined ? undefined : state.agents[parent];
  const digits = 2 * state.protocol.agent.hashBytes;
  const isHash = isHex(digits);
  that(
    answer,
    'hash',
    `0x and ${digits} hex digits`,
    (value) => /^0x/.test(String(value)) && isHash(String(value).slice(2)),
  );
  that(answer, 'api_key', 'a key', (value) => typeof value === 'string' && /^pvn_[^.]+\.[^.]+$/.test(value));
  if (!older && above === undefined) equals(answer, 'ok', true);
  if (older) {
    that(answer, 'signature', 'a text', isText);
    that(answer, 'explorer_url', 'a text', isText);
  } else if (above === undefined) {
    const chain = { none: null, operator: 'solana', ethereum: 'ethereum' }[wallet?.kind ?? 'none'];
    equals(answer, 'type', 'root');
    equals(answer, 'parent', null);
    equals(answer, 'depth', state.protocol.agent.rootDepth);
    equals(answer, 'name', name);
    if (metadata !== undefined) equals(answer, 'metadata', metadata);
    equals(answer, 'wallet_chain', chain);
    if (wallet === null) equals(answer, 'wallet_model', 'self-custody');
    if (wallet?.kind === 'operator') equals(answer, 'wallet_model', 'operator');
    that(answer, 'birth_tx', 'a text', isText);
    that(answer, 'secret', 'a text', isText);
  }
  const { hash, api_key: key } = answer.json as { readonly hash: string; readonly api_key: string };
  const agent: AgentState = {
    hash,
    name,
    key,
    parent: parent ?? null,
    depth: above === undefined ? state.protocol.agent.rootDepth : above.depth + 1,
    linked: above === undefined,
    metadata,
    wallet,
    revoked: false,
    frozen: false,
    chain: null,
    totalBeats: null,
    syncAnchor: state.anchor,
    registeredAtBeat: null,
    lastHeartbeatBeat: null,
    heartbeats: 0,
    epoch: 0,
    epochHeartbeats: 0,
    sigil: null,
    passport: null,
    generation: null,
    fields: {},
  };
  if (state.agents.some((other) => other.hash === hash)) that(answer, 'hash', 'a new hash', () => false);
  state.agents.push(agent);
  return agent;
}

interface Root {
  readonly metadata: keyof typeof METADATA | 'none' | 'drawn';
  readonly drawn: Record<string, unknown>;
  readonly name: 'word' | 'missing' | 'number' | 'empty';
  readonly token: 'none' | 'last' | 'invented';
  readonly secret: 'right' | 'wrong' | 'none';
  readonly json: boolean;
  readonly address: number | null;
}

/** A root without a wallet. */
export const registerRoot: Operation = request<Root>(
  'register',
  {
    metadata: mostly('drawn', 'none', 'fits', 'too-large', 'array', 'text', 'number'),
    drawn: metadata,
    name: mostly('word', 'missing', 'number', 'empty'),
    token: mostly('none', 'last', 'last', 'last', 'invented'),
    json: mostly(true, false),
    secret: mostly('right', 'wrong', 'none'),
    address: fc.option(fc.nat(1), { freq: 1 }),
  },
  (player, action) => {
    const sends =
      action.metadata === 'none'
        ? undefined
        : action.metadata === 'drawn'
          ? action.drawn
          : METADATA[action.metadata](player.state.protocol.registration.metadataBytesMax);
    const name = { word: newName(player), missing: undefined, number: 7, empty: '' }[action.name];
    const token =
      action.token === 'last'
        ? player.state.tokens.at(-1)?.token
        : action.token === 'none'
          ? undefined
          : 'f'.repeat(64);
    const address = action.address === null ? player.address() : `10.255.0.${action.address}`;
    const secret = { right: secretOf(player), wrong: { 'x-registration-secret': 'wrong' }, none: {} }[action.secret];
    const headers = token === undefined ? secret : { 'x-registration-token': token };
    return {
      request: {
        method: 'POST',
        path: '/register',
        headers,
        address,
        body: { name, metadata: sends },
        ...(action.json ? {} : { contentType: 'application/x-www-form-urlencoded' }),
      },
      judge: (state, answer) => {
        const faults: Fault[] = [];
        if (!action.json) faults.push({ why: 'Content-Type is application/json' });
        if (typeof name !== 'string') faults.push({ why: 'name is a text' });
        if (['too-large', 'array', 'text', 'number'].includes(action.metadata)) {
          faults.push({
            why: `metadata is an object of at most ${state.protocol.registration.metadataBytesMax} bytes`,
          });
        }
        if (token === undefined && state.needsSecret && action.secret !== 'right') {
          faults.push({ why: 'a root needs the registration secret here' });
        }
        const known = state.tokens.find((each) => each.token === token);
        const ttlMs = state.protocol.registration.tokenTtlSec * 1_000;
        const late = known !== undefined && state.nowMs - known.madeMs > ttlMs;
        if (token !== undefined && (known === undefined || known.used || late)) {
          faults.push({ why: 'the token is unknown, used or expired' });
        }
        const wrongSecret = token === undefined && action.secret === 'wrong';
        const open = [
          ...(wrongSecret && !state.needsSecret ? ['a secret that nobody asked for'] : []),
          ...(name === '' ? ['an empty name'] : []),
          ...(known !== undefined && state.nowMs - known.madeMs === ttlMs ? ['a token at its end'] : []),
        ];
        const counted = [[`register ${address}`, state.protocol.limits.register]] as const;
        if (!settle(state, answer, { faults, open, counted })) return;
        if (known !== undefined) known.used = true;
        registered(state, answer, { name: String(name), metadata: sends, wallet: null });
      },
    };
  },
);

/** A registration token. */
export const registerToken: Operation = request<{ readonly json: boolean; readonly address: number | null }>(
  'register-token',
  { json: mostly(true, false), address: fc.option(fc.nat(1), { freq: 3 }) },
  (player, { json, address: at }) => {
    const address = at === null ? player.address() : `10.254.0.${at}`;
    return {
      request: {
        method: 'POST',
        path: '/register/token',
        address,
        body: '{}',
        ...(json ? {} : { contentType: 'text/plain' }),
      },
      judge: (state, answer) => {
        const { limits } = state.protocol;
        const faults = json ? [] : [{ why: 'it is no JSON', status: 415, code: 'CONTENT_TYPE_REQUIRED' }];
        const counted = [
          [`register-token ${address}`, limits.registerToken],
          ['register-token', limits.registerTokenGlobal],
        ] as const;
        if (!settle(state, answer, { faults, counted })) return;
        equals(answer, 'ok', true);
        that(answer, 'token', 'hex digits', isHex(2 * state.protocol.registration.tokenBytes));
        equals(answer, 'expires_in_sec', state.protocol.registration.tokenTtlSec);
        that(answer, '_info', 'a text', isText);
        const { token } = answer.json as { readonly token: string };
        if (state.tokens.some((each) => each.token === token)) that(answer, 'token', 'a new token', () => false);
        state.tokens.push({ token, madeMs: state.nowMs, used: false });
      },
    };
  },
);

type Proof = 'right' | 'other-name' | 'other-key' | 'other-prefix' | 'unknown-nonce' | 'short';

interface WithWallet {
  readonly kind: WalletState['kind'];
  readonly proof: Proof;
}

/** The fields of phase 1 of a registration with a wallet, besides the name. */
const CHALLENGES = {
  'self-custody': { action: 'challenge' },
  operator: { wallet_model: 'operator' },
  ethereum: { action: 'challenge', wallet_chain: 'ethereum' },
} as const;
const PREFIXES = { 'self-custody': 'register', operator: 'register-operator', ethereum: 'register-ethereum' } as const;

/** Makes the second phase ready, after the first. */
async function walletRegistration(player: Player, { kind, proof }: WithWallet): Promise<Ready | undefined> {
  const name = newName(player);
  const headers = secretOf(player);
  const address = player.address();
  const counted = [[`register-wallet ${address}`, player.state.protocol.limits.registerWalletFlow]] as const;
  const path = '/register';
  const asked = await player.call({ method: 'POST', path, headers, address, body: { name, ...CHALLENGES[kind] } });
  const mainnet = kind === 'ethereum' && player.target.network === 'mainnet';
  const off = kind !== 'self-custody' && !servesMode(player.state.protocol, `register/${kind}`);
  const faults = mainnet
    ? [{ why: 'there are no Ethereum wallets on mainnet', status: 400 }]
    : off
      ? [{ why: 'the mode is switched off', status: 400 }]
      : [];
  if (!settle(player.state, asked, { faults, open: mainnet ? ['it may be told in phase 2'] : [], counted }))
    return undefined;
  that(asked, 'nonce', 'a text', isText);
  const fresh = (asked.json as { readonly nonce: string }).nonce;
  const nonce = proof === 'unknown-nonce' ? player.draws.hex(32) : fresh;
  const wallet = player.newWallet(kind);
  const signer = proof === 'other-key' ? player.newWallet(kind) : wallet;
  const { messagePrefix } = player.target.dialect;
  const shown = kind === 'self-custody' ? wallet.publicKeyHex : wallet.address;
  const prefix = proof === 'other-prefix' ? 'link-wallet' : PREFIXES[kind];
  const whole = `${messagePrefix}-${prefix}:${nonce}:${shown}:${proof === 'other-name' ? `${name}x` : name}`;
  const signature = player.sign(signer, proof === 'short' ? whole.slice(0, -1) : whole);
  const fields = {
    'self-custody': { wallet_public_key: shown },
    operator: { wallet_model: 'operator', operator_wallet_address: shown },
    ethereum: { wallet_chain: 'ethereum', wallet_address: shown },
  }[kind];
  return {
    request: {
      method: 'POST',
      path,
      headers,
      address,
      body: { name, ...fields, wallet_signature: signature, wallet_nonce: nonce },
    },
    judge: (state, answer) => {
      const used = state.nonces.some((each) => each.nonce === nonce && each.used);
      const wrong = proof === 'right' ? [] : [{ why: `the proof of the wallet is wrong (${proof})` }];
      const again = used ? [{ why: 'the nonce is used' }] : [];
      const never = mainnet ? [{ why: 'there are no Ethereum wallets on mainnet', status: 400 }] : [];
      if (!settle(state, answer, { faults: [...wrong, ...again, ...never], counted })) return;
      state.nonces.push({ nonce, agent: -1, madeMs: state.nowMs, used: true });
      registered(state, answer, { name, metadata: undefined, wallet });
    },
  };
}

/** A root with a wallet of each kind, proven rightly or wrongly. */
export const registerWallet: Operation = request<WithWallet>(
  'register-wallet',
  {
    kind: fc.constantFrom('self-custody', 'operator', 'ethereum'),
    proof: mostly('right', 'other-name', 'other-key', 'other-prefix', 'unknown-nonce', 'short'),
  },
  walletRegistration,
);

/** Registers a root with a wallet, or without: as a step of other operations. */
export async function newRoot(player: Player, kind: WalletKind): Promise<number> {
  const before = player.state.agents.length;
  if (kind === 'none')
    await registerRoot.run(player, {
      op: 'register',
      metadata: 'none',
      drawn: {},
      name: 'word',
      token: 'none',
      secret: 'right',
      json: true,
      address: null,
    });
  else await registerWallet.run(player, { op: 'register-wallet', kind, proof: 'right' });
  return before;
}
