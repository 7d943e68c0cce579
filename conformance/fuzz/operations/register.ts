/** Registration in all its forms (4.2, 4.3): without a wallet, with one of each kind, with a token. Children are in spawn.ts. */

import * as fc from 'fast-check';
import { at } from '../../../model/reading/values.js';
import { type Protocol, protocol } from '../../../spec/protocol.js';
import { namesOf, near } from '../../moves/move.js';
import {
  challengeOf,
  finalizeOf,
  metadataOf,
  register,
  registerByToken,
  registrationForgeries,
  type Signer,
  signerOf,
  unfitMetadata,
  type WalletMode,
} from '../../moves/register.js';
import { address, anyOf, type Field, mostly, request } from '../operation.js';
import type { Player } from '../player.js';

/** Characters that servers often lose: quotes, controls, beyond the basic plane, combining, invisible ones. */
const characters = fc.constantFrom(
  ...['a', 'Z', '7', '"', '\\', '\n', '\u0000', 'é', 'e\u0301', '\u2028', '\ufeff', '😀', '𝒳', '<', '/'],
);
const text = fc.array(characters, { maxLength: 10 }).map((each) => each.join(''));

/** JSON that clients put into metadata, which replies must return unchanged. */
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

const metadataUnder = (numbers: Protocol) => ({
  ...unfitMetadata(numbers),
  fits: metadataOf(numbers.registration.metadataBytesMax),
  number: 7,
});

/** A new name: letters of either case, a space, and characters beyond the basic plane, which replies must return unchanged. */
function newName({ draws }: Player): string {
  const [byte = 0] = draws.bytes(1);
  return `${draws.word()}${['', '', ' Agent', ' É', '😀', '-"x"', '<b>', '_7'][byte % 8]}`;
}

const metadata: Field<'none' | 'drawn' | keyof ReturnType<typeof metadataUnder>> = {
  usual: 'none',
  arbitrary: mostly('drawn', 'none', ...namesOf(metadataUnder(protocol))).arbitrary,
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
    const shown = { none: undefined, drawn: action.drawn, ...metadataUnder(player.target.protocol) }[action.metadata];
    const name = { word: newName(player), missing: undefined, number: 7, empty: '' }[action.name];
    const invented = 'f'.repeat(64);
    const last = player.ticket('token')?.id;
    const token = { none: undefined, last, near: near(last ?? invented), invented }[action.token];
    const body = { name, metadata: shown };
    const { headers: right } = register(player.target, body);
    const headers = {
      ...{ right, wrong: { 'x-registration-secret': 'wrong' }, none: {} }[action.secret],
      ...(!action.json && { 'content-type': 'application/x-www-form-urlencoded' }),
    };
    return {
      ...(token === undefined ? { ...register(player.target, body), headers } : registerByToken(token, body)),
      address: action.address === null ? player.address() : `10.255.0.${action.address}`,
      note: (answer) => player.adopt(answer, String(name)),
    };
  },
);

export const registerToken = request(
  'register-token',
  { json: mostly(true, false), address: address(3) },
  (player, { json, address: nth }) => ({
    endpoint: 'register-token',
    address: nth === null ? player.address() : `10.254.0.${nth}`,
    ...(!json && { headers: { 'content-type': 'text/plain' } }),
  }),
);

/** A root with a wallet of each kind, with a valid or an invalid proof in the second phase. */
export const registerWallet = request(
  'register-wallet',
  {
    kind: anyOf<WalletMode>('self-custody', 'operator', 'ethereum'),
    proof: mostly('right', ...namesOf(registrationForgeries), 'unknown-nonce', 'near-nonce', 'late'),
  },
  async (player, { kind: mode, proof }) => {
    const { target } = player;
    const name = newName(player);
    const address = player.address();
    const asked = await player.send({ ...register(target, challengeOf(mode, name)), address });
    const fresh = at(asked.json, 'nonce');
    if (asked.status >= 300 || typeof fresh !== 'string') return undefined;
    if (proof === 'late') await player.advance({ ms: (target.protocol.registration.nonceTtlSec + 1) * 1_000 });
    const other = player.draws.hex(32);
    const nonce = proof === 'unknown-nonce' ? other : proof === 'near-nonce' ? near(fresh) : fresh;
    const [signer, stranger] = [0, 1].map(() =>
      signerOf(mode, mode === 'ethereum' ? player.ethereumWallet() : player.wallet()),
    ) as [Signer, Signer];
    const made = { dialect: target.dialect, mode, name, nonce, signer };
    const forger = { signer: stranger, nonce: other };
    const forge: ((...of: [typeof made, typeof forger]) => string) | undefined =
      registrationForgeries[proof as keyof typeof registrationForgeries];
    return {
      ...register(target, finalizeOf(made, forge?.(made, forger))),
      address,
      note: (answer) => player.adopt(answer, name),
    };
  },
);
