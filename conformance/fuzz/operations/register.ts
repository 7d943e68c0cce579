/** Registration in all its forms (4.2, 4.3): without a wallet, with one of each kind, with a token. Children are in spawn.ts. */

import * as fc from 'fast-check';
import { at } from '../../../model/reading/values.js';
import { address, anyOf, type Field, mostly, near, request } from '../operation.js';
import type { Player } from '../player.js';

/** Characters that have been lost on the way: quotes, controls, beyond the basic plane, combining, look-alikes of nothing. */
const characters = fc.constantFrom(
  ...['a', 'Z', '7', '"', '\\', '\n', '\u0000', 'é', 'e\u0301', '\u2028', '\ufeff', '😀', '𝒳', '<', '/'],
);
const text = fc.array(characters, { maxLength: 10 }).map((each) => each.join(''));

/** JSON as clients put it into metadata: it has to come back as it was sent. */
const drawn = fc
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
  .map((entries): Record<string, unknown> => Object.fromEntries(entries));

/** Metadata of a size in bytes when serialized. */
const weighing = (bytes: number): unknown => ({ k: 'x'.repeat(bytes - '{"k":""}'.length) });

const METADATA = {
  fits: weighing,
  'too-large': (bytesMax: number): unknown => weighing(bytesMax + 1),
  array: (): unknown => [1],
  text: (): unknown => 'text',
  number: (): unknown => 7,
} as const;

/** The headers of a root registration, with the secret where the target has one. */
function secretOf({ target: { registrationSecret: secret } }: Player): Record<string, string> {
  return secret === undefined ? {} : { 'x-registration-secret': secret };
}

/** A name that nobody has: letters of either case, a space, and more than the basic plane come back as they were sent. */
function newName({ draws }: Player): string {
  const [byte = 0] = draws.bytes(1);
  return `${draws.word()}${['', '', ' Agent', ' É', '😀', '-"x"', '<b>', '_7'][byte % 8]}`;
}

const metadata: Field<'none' | 'drawn' | keyof typeof METADATA> = {
  usual: 'none',
  arbitrary: mostly('drawn', 'none', 'fits', 'too-large', 'array', 'text', 'number').arbitrary,
};

/** A root without a wallet. */
export const registerRoot = request(
  'register',
  {
    metadata,
    drawn: { usual: {}, arbitrary: drawn },
    name: mostly('word', 'missing', 'number', 'empty'),
    token: mostly('none', 'last', 'last', 'last', 'near', 'invented'),
    json: mostly(true, false),
    secret: mostly('right', 'wrong', 'none'),
    address: address(1),
  },
  (player, action) => {
    const { metadataBytesMax } = player.target.protocol.registration;
    const made = action.metadata === 'none' || action.metadata === 'drawn' ? undefined : METADATA[action.metadata];
    const shown = action.metadata === 'drawn' ? action.drawn : made?.(metadataBytesMax);
    const name = { word: newName(player), missing: undefined, number: 7, empty: '' }[action.name];
    const invented = 'f'.repeat(64);
    const last = player.ticket('token')?.id;
    const token = { none: undefined, last, near: near(last ?? invented), invented }[action.token];
    const secret = { right: secretOf(player), wrong: { 'x-registration-secret': 'wrong' }, none: {} }[action.secret];
    return {
      request: {
        method: 'POST',
        path: '/register',
        headers: token === undefined ? secret : { 'x-registration-token': token },
        address: action.address === null ? player.address() : `10.255.0.${action.address}`,
        body: { name, metadata: shown },
        ...(action.json ? {} : { contentType: 'application/x-www-form-urlencoded' }),
      },
      note: (answer) => player.adopt(answer, String(name)),
    };
  },
);

export const registerToken = request(
  'register-token',
  { json: mostly(true, false), address: address(3) },
  (player, { json, address: nth }) => ({
    request: {
      method: 'POST',
      path: '/register/token',
      address: nth === null ? player.address() : `10.254.0.${nth}`,
      body: '{}',
      ...(json ? {} : { contentType: 'text/plain' }),
    },
  }),
);

/** The fields of phase 1 of a registration with a wallet, besides the name, and the prefix of what is signed in phase 2. */
const FLOWS = {
  'self-custody': { challenge: { action: 'challenge' }, prefix: 'register' },
  operator: { challenge: { wallet_model: 'operator' }, prefix: 'register-operator' },
  ethereum: { challenge: { action: 'challenge', wallet_chain: 'ethereum' }, prefix: 'register-ethereum' },
} as const;

/** A root with a wallet of each kind, proven rightly or wrongly in the second of two phases. */
export const registerWallet = request(
  'register-wallet',
  {
    kind: anyOf('self-custody', 'operator', 'ethereum'),
    proof: mostly('right', 'other-name', 'other-key', 'other-prefix', 'unknown-nonce', 'near-nonce', 'short', 'late'),
  },
  async (player, { kind, proof }) => {
    const { protocol, dialect } = player.target;
    const { challenge, prefix } = FLOWS[kind];
    const name = newName(player);
    const sent = { method: 'POST', path: '/register', headers: secretOf(player), address: player.address() };
    const asked = await player.play({ request: { ...sent, body: { name, ...challenge } } });
    const fresh = at(asked.json, 'nonce');
    if (asked.status >= 300 || typeof fresh !== 'string') return undefined;
    if (proof === 'late') await player.advance({ ms: (protocol.registration.nonceTtlSec + 1) * 1_000 });
    const wallet_nonce =
      proof === 'unknown-nonce' ? player.draws.hex(32) : proof === 'near-nonce' ? near(fresh) : fresh;
    const [wallet, other] =
      kind === 'ethereum' ? [player.ethereumWallet(), player.ethereumWallet()] : [player.wallet(), player.wallet()];
    const shown = kind === 'self-custody' && 'publicKeyHex' in wallet ? wallet.publicKeyHex : wallet.address;
    const about = `${proof === 'other-prefix' ? 'link-wallet' : prefix}:${wallet_nonce}:${shown}`;
    const whole = `${dialect.messagePrefix}-${about}:${proof === 'other-name' ? `${name}x` : name}`;
    const signer = proof === 'other-key' ? other : wallet;
    const wallet_signature = signer.sign(proof === 'short' ? whole.slice(0, -1) : whole);
    const fields = {
      'self-custody': { wallet_public_key: shown },
      operator: { wallet_model: 'operator', operator_wallet_address: shown },
      ethereum: { wallet_chain: 'ethereum', wallet_address: shown },
    }[kind];
    return {
      request: { ...sent, body: { name, ...fields, wallet_signature, wallet_nonce } },
      note: (answer) => player.adopt(answer, name),
    };
  },
);
