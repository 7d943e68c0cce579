// Signatures that are nearly right, in the manner of Project Wycheproof, over HTTP: each form that takes a wallet's signature
// takes what proves the wallet, refuses the rest, and answers all of it.
import { ED25519_TORSION_SUBGROUP, ed25519 } from '@noble/curves/ed25519.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { sha512 } from '@noble/hashes/sha2.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { base58 } from '@scure/base';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Deployment } from '../../../test/fixtures/http.js';

let deployment: Deployment;
beforeAll(async () => {
  const limits = { registerWalletFlow: { count: 10_000 }, register: { count: 10_000 }, wallet: { count: 10_000 } };
  deployment = await Deployment.start({ overlay: { limits } });
});
afterAll(() => deployment.close());

type Json = Record<string, unknown>;
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const utf8 = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'utf8'));
const join = (...parts: readonly Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(parts));
const fromHex = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'hex'));
const little = (value: bigint): Uint8Array => fromHex(value.toString(16).padStart(64, '0')).reverse();
const big = (value: bigint): string => value.toString(16).padStart(64, '0');
const numberOf = (bytes: Uint8Array): bigint => BigInt(`0x${hex(bytes.slice().reverse())}`);

/** The outcome of a finalizing call: accepted, or refused with a code of section 7 or a decision. */
const outcome = ({ status, body }: { readonly status: number; readonly body: Json }): string =>
  status === 200 ? 'accepted' : `${status} ${String(body['code'])}`;

const REFUSED = /^400 (SIGNATURE_INVALID|VALIDATION)$/;

/* Ed25519 */

const L = ed25519.Point.CURVE().n;
const P = ed25519.Point.CURVE().p;
const SECRET = new Uint8Array(32).fill(5);
const OTHER = new Uint8Array(32).fill(6);
const PUBLIC = ed25519.getPublicKey(SECRET);
const { scalar: A } = ed25519.utils.getExtendedPublicKey(SECRET);
const NEUTRAL = little(1n);
const TORSION = ED25519_TORSION_SUBGROUP.map(fromHex);

const challengeOf = (point: Uint8Array, key: Uint8Array, message: Uint8Array): bigint =>
  numberOf(sha512(join(point, key, message))) % L;

/** R and S of a signature by a nonce of one's own. */
function signedBy(r: bigint, key: Uint8Array, message: Uint8Array): { readonly point: Uint8Array; readonly s: bigint } {
  const point = ed25519.Point.BASE.multiplyUnsafe(r).toBytes();
  return { point, s: (r + challengeOf(point, key, message) * A) % L };
}

/** A case: the key, and the text of the signature over the message of that key; `accepted` where the equation says so. */
interface Case {
  readonly what: string;
  readonly key?: Uint8Array;
  readonly sign: (message: Uint8Array) => unknown;
  readonly accepted?: (message: Uint8Array) => boolean;
}

const right = (message: Uint8Array): Uint8Array => ed25519.sign(message, SECRET);
const halves = (message: Uint8Array): readonly [point: Uint8Array, s: Uint8Array] => [
  right(message).slice(0, 32),
  right(message).slice(32),
];
const flipped = (bytes: Uint8Array, bit: number): Uint8Array =>
  bytes.map((byte, index) => (index === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte));
const yes = (): boolean => true;

/** The sum of the key and a point of order 8: whether it signs depends on the challenge. */
const MIXED = ed25519.Point.fromBytes(PUBLIC)
  .add(ed25519.Point.fromHex(ED25519_TORSION_SUBGROUP[1] ?? ''))
  .toBytes();

const ed25519Cases: readonly Case[] = [
  { what: 'a signature', sign: (message) => hex(right(message)), accepted: yes },
  { what: 'hex in upper case', sign: (message) => hex(right(message)).toUpperCase(), accepted: yes },
  {
    what: 'a nonce that was chosen otherwise than RFC 8032 has it',
    sign: (message) => {
      const { point, s } = signedBy(12_345_678_901_234_567_890n, PUBLIC, message);
      return hex(join(point, little(s)));
    },
    accepted: yes,
  },
  // The number S.
  { what: 'S + L', sign: (message) => hex(join(halves(message)[0], little(numberOf(halves(message)[1]) + L))) },
  { what: 'S + 8 L', sign: (message) => hex(join(halves(message)[0], little(numberOf(halves(message)[1]) + 8n * L))) },
  { what: 'L - S', sign: (message) => hex(join(halves(message)[0], little(L - numberOf(halves(message)[1])))) },
  { what: 'S = 0', sign: (message) => hex(join(halves(message)[0], new Uint8Array(32))) },
  { what: 'S = L', sign: (message) => hex(join(halves(message)[0], little(L))) },
  { what: 'S = 2^256 - 1', sign: (message) => hex(join(halves(message)[0], new Uint8Array(32).fill(255))) },
  // The point R.
  { what: 'R = 0', sign: (message) => hex(join(new Uint8Array(32), halves(message)[1])) },
  { what: 'R that is no point', sign: (message) => hex(join(little(2n), halves(message)[1])) },
  { what: 'R of a y above the field', sign: (message) => hex(join(little(P + 3n), halves(message)[1])) },
  {
    what: 'the neutral R with an S that fits',
    sign: (message) => hex(join(NEUTRAL, little((challengeOf(NEUTRAL, PUBLIC, message) * A) % L))),
  },
  {
    what: 'the neutral R, not canonical, with an S that fits',
    sign: (message) => {
      const point = little(P + 1n);
      return hex(join(point, little((challengeOf(point, PUBLIC, message) * A) % L)));
    },
  },
  { what: 'R and S in each other’s place', sign: (message) => hex(join(halves(message)[1], halves(message)[0])) },
  // Bits.
  ...[0, 7, 8, 200, 255, 256, 263, 400, 504, 508, 509, 510, 511].map((bit) => ({
    what: `bit ${bit} changed`,
    sign: (message: Uint8Array) => hex(flipped(right(message), bit)),
  })),
  { what: 'zeros', sign: () => '00'.repeat(64) },
  { what: 'ones', sign: () => 'ff'.repeat(64) },
  // The message.
  { what: 'the signature of another message', sign: (message) => hex(right(join(message, utf8('x')))) },
  { what: 'the signature of a line', sign: (message) => hex(right(join(message, utf8('\n')))) },
  { what: 'the signature of no message', sign: () => hex(right(new Uint8Array(0))) },
  { what: 'the signature of the hash', sign: (message) => hex(right(sha512(message))) },
  { what: 'the signature of another key', sign: (message) => hex(ed25519.sign(message, OTHER)) },
  // The form.
  { what: 'a byte too few', sign: (message) => hex(right(message)).slice(0, -2) },
  { what: 'a byte too many', sign: (message) => `${hex(right(message))}00` },
  { what: 'half a byte too many', sign: (message) => `${hex(right(message))}0` },
  { what: '0x before it', sign: (message) => `0x${hex(right(message))}` },
  { what: 'space around it', sign: (message) => ` ${hex(right(message))}\n` },
  { what: 'a line after it', sign: (message) => `${hex(right(message))}\n` },
  { what: 'a letter that is no hex', sign: (message) => `g${hex(right(message)).slice(1)}` },
  { what: 'digits of another script', sign: (message) => `٣${hex(right(message)).slice(1)}` },
  { what: 'base64', sign: (message) => Buffer.from(right(message)).toString('base64') },
  { what: 'base58', sign: (message) => base58.encode(right(message)) },
  { what: 'nothing', sign: () => '' },
  { what: 'a megabit', sign: () => 'ab'.repeat(20_000) },
  { what: 'null', sign: () => null },
  { what: 'a number', sign: () => 1e308 },
  { what: 'a list', sign: (message) => [hex(right(message))] },
  { what: 'bytes', sign: (message) => [...right(message)] },
  { what: 'an object', sign: (message) => ({ toString: hex(right(message)) }) },
  // The key.
  ...TORSION.flatMap((key, index) => [
    {
      what: `a key of small order (${index}) that signs all by S = 0`,
      key,
      sign: () => hex(join(key, new Uint8Array(32))),
    },
    {
      what: `a key of small order (${index}) and the neutral R`,
      key,
      sign: () => hex(join(NEUTRAL, new Uint8Array(32))),
    },
  ]),
  ...[P, P + 1n, P - 1n, 2n ** 255n - 1n].map((y) => ({
    what: `a key of y = ${y === P - 1n ? 'p - 1' : `p + ${y - P}`}`,
    key: little(y),
    sign: () => hex(join(little(y), new Uint8Array(32))),
  })),
  {
    what: 'the neutral key with a sign',
    key: flipped(NEUTRAL, 255),
    sign: () => hex(join(NEUTRAL, new Uint8Array(32))),
  },
  { what: 'a key that is no point', key: little(2n), sign: (message) => hex(right(message)) },
  { what: 'the key with its other sign', key: flipped(PUBLIC, 255), sign: (message) => hex(right(message)) },
  { what: 'a key of zeros', key: new Uint8Array(32), sign: () => '00'.repeat(64) },
  {
    what: 'a key with a part of small order',
    key: MIXED,
    sign: (message) => {
      const { point, s } = signedBy(987_654_321n, MIXED, message);
      return hex(join(point, little(s)));
    },
    // Without the cofactor the equation holds where the challenge takes that part away.
    accepted: (message) => challengeOf(signedBy(987_654_321n, MIXED, message).point, MIXED, message) % 8n === 0n,
  },
];

/** A form that takes an Ed25519 signature: asks for a nonce, and gives the message of a key and the call that finalizes. */
interface Form {
  readonly nonce: (headers: Record<string, string>) => Promise<string>;
  readonly text: (nonce: string, key: Uint8Array) => string;
  readonly finish: (
    sent: { readonly nonce: string; readonly key: Uint8Array; readonly signature: unknown },
    headers: Record<string, string>,
  ) => PromiseLike<{ readonly status: number; readonly body: Json }>;
}

const fresh = (): Record<string, string> => ({ 'x-forwarded-for': deployment.freshIp() });
const nonceOf = async (call: PromiseLike<{ readonly body: Json }>): Promise<string> =>
  String((await call).body['nonce']);

const registrations: Readonly<Record<string, Form>> = {
  'registration with a wallet of one’s own (4.2, mode 4)': {
    nonce: (headers) => nonceOf(deployment.post('/register', { name: 'w', action: 'challenge' }, headers)),
    text: (nonce, key) => `service-register:${nonce}:${hex(key)}:w`,
    finish: ({ nonce, key, signature }, headers) =>
      deployment.post(
        '/register',
        { name: 'w', wallet_public_key: hex(key), wallet_signature: signature, wallet_nonce: nonce },
        headers,
      ),
  },
  'registration with an operator’s wallet (4.2, mode 2)': {
    nonce: (headers) => nonceOf(deployment.post('/register', { name: 'w', wallet_model: 'operator' }, headers)),
    text: (nonce, key) => `service-register-operator:${nonce}:${base58.encode(key)}:w`,
    finish: ({ nonce, key, signature }, headers) =>
      deployment.post(
        '/register',
        {
          name: 'w',
          wallet_model: 'operator',
          operator_wallet_address: base58.encode(key),
          wallet_signature: signature,
          wallet_nonce: nonce,
        },
        headers,
      ),
  },
};

/** An agent without a wallet, and the forms by which it links one. */
async function links(): Promise<Readonly<Record<string, Form>>> {
  const { body } = await deployment.post('/register', { name: 'linker' });
  const auth = { authorization: `Bearer ${String(body.api_key)}` };
  const nonce = (headers: Record<string, string>): Promise<string> =>
    nonceOf(deployment.post('/agent/wallet', { action: 'challenge' }, { ...headers, ...auth }));
  return {
    own: {
      nonce,
      text: (once, key) => `service-link-wallet:${once}:${hex(key)}:${body.hash}`,
      finish: ({ nonce: once, key, signature }, headers) =>
        deployment.post(
          '/agent/wallet',
          { wallet_nonce: once, wallet_public_key: hex(key), wallet_signature: signature },
          { ...headers, ...auth },
        ),
    },
    operator: {
      nonce,
      text: (once, key) => `service-link-wallet-operator:${once}:${base58.encode(key)}:${body.hash}`,
      finish: ({ nonce: once, key, signature }, headers) =>
        deployment.post(
          '/agent/wallet',
          {
            wallet_nonce: once,
            wallet_model: 'operator',
            operator_wallet_address: base58.encode(key),
            wallet_signature: signature,
          },
          { ...headers, ...auth },
        ),
    },
  };
}

/** The cases of a form whose outcomes differ from the expected ones. */
async function mistaken(formFor: (one: Case) => Promise<Form> | Form): Promise<readonly string[]> {
  const wrong: string[] = [];
  for (const one of ed25519Cases) {
    const form = await formFor(one);
    const { key = PUBLIC, sign, accepted = () => false } = one;
    const headers = fresh();
    const nonce = await form.nonce(headers);
    expect(nonce).toMatch(/^[0-9a-f]{64}$/);
    const message = utf8(form.text(nonce, key));
    const came = outcome(await form.finish({ nonce, key, signature: sign(message) }, headers));
    const ok = accepted(message) ? came === 'accepted' : REFUSED.test(came);
    if (!ok) wrong.push(`${one.what}: ${came}`);
  }
  return wrong;
}

describe('Ed25519 [register.error.signature-invalid]', () => {
  it('has many cases', () => {
    expect(new Set(ed25519Cases.map(({ what }) => what)).size).toBe(ed25519Cases.length);
    expect(ed25519Cases.length).toBeGreaterThanOrEqual(65);
  });

  it.each(Object.keys(registrations))('%s takes what proves the wallet, and refuses the rest', async (name) => {
    const form = registrations[name] as Form;
    expect(await mistaken(() => form)).toEqual([]);
  });

  it.each(['own', 'operator'])(
    'linking a wallet (4.12, %s) takes what proves it, and refuses the rest',
    async (kind) => {
      // A linked agent links no more: each case that may be accepted has an agent of its own.
      const shared = (await links())[kind] as Form;
      expect(
        await mistaken(async ({ accepted }) => (accepted === undefined ? shared : ((await links())[kind] as Form))),
      ).toEqual([]);
    },
  );
});

/* secp256k1 */

const N = secp256k1.Point.CURVE().n;
const FIELD = secp256k1.Point.CURVE().p;
const ETH_SECRET = new Uint8Array(32).fill(9);
const addressOf = (secret: Uint8Array): string => {
  const point = secp256k1.getPublicKey(secret, false);
  return `0x${hex(keccak_256(point.subarray(1)).slice(-20))}`;
};
const ADDRESS = addressOf(ETH_SECRET);
const ZERO_ADDRESS = `0x${'0'.repeat(40)}`;

/** EIP-55: which letters of an address are capitals. */
function checksummed(address: string): string {
  const digits = hex(keccak_256(utf8(address.slice(2))));
  return `0x${[...address.slice(2)].map((char, at) => (Number.parseInt(digits[at] ?? '0', 16) >= 8 ? char.toUpperCase() : char)).join('')}`;
}

interface Signed {
  readonly r: bigint;
  readonly s: bigint;
  /** 0 or 1. */
  readonly bit: number;
}

function signDigest(digest: Uint8Array, secret = ETH_SECRET): Signed {
  const bytes = secp256k1.sign(digest, secret, { prehash: false, format: 'recovered' });
  return { bit: bytes[0] ?? 0, r: BigInt(`0x${hex(bytes.slice(1, 33))}`), s: BigInt(`0x${hex(bytes.slice(33))}`) };
}

const personal = (text: string, length = utf8(text).length): Uint8Array =>
  keccak_256(utf8(`\x19Ethereum Signed Message:\n${length}${text}`));
const written = ({ r, s, bit }: Signed, v = 27 + bit): string =>
  `0x${big(r)}${big(s)}${v.toString(16).padStart(2, '0')}`;
const of = (text: string): Signed => signDigest(personal(text));

interface EthereumCase {
  readonly what: string;
  /** The address as it is sent. */
  readonly address?: string;
  readonly sign: (text: string) => unknown;
  readonly accepted?: true;
}

const ethereumCases: readonly EthereumCase[] = [
  { what: 'v of 27 or 28', sign: (text) => written(of(text)), accepted: true },
  { what: 'v of 0 or 1', sign: (text) => written(of(text), of(text).bit), accepted: true },
  { what: 'hex in upper case', sign: (text) => `0x${written(of(text)).slice(2).toUpperCase()}`, accepted: true },
  { what: 'a checksummed address', address: checksummed(ADDRESS), sign: (text) => written(of(text)), accepted: true },
  {
    what: 'an address in capitals',
    address: `0x${ADDRESS.slice(2).toUpperCase()}`,
    sign: (text) => written(of(text)),
    accepted: true,
  },
  // The numbers.
  { what: 'the mirrored s', sign: (text) => written({ ...of(text), s: N - of(text).s, bit: 1 - of(text).bit }) },
  { what: 'the mirrored s with the bit as it was', sign: (text) => written({ ...of(text), s: N - of(text).s }) },
  { what: 'r = 0', sign: (text) => written({ ...of(text), r: 0n }) },
  { what: 's = 0', sign: (text) => written({ ...of(text), s: 0n }) },
  { what: 'r = s = 0', sign: (text) => written({ ...of(text), r: 0n, s: 0n }) },
  { what: 'r = s = 0 for the zero address', address: ZERO_ADDRESS, sign: () => written({ r: 0n, s: 0n, bit: 0 }) },
  { what: 'r = s = 1 for the zero address', address: ZERO_ADDRESS, sign: () => written({ r: 1n, s: 1n, bit: 0 }) },
  { what: 'r = n', sign: (text) => written({ ...of(text), r: N }) },
  { what: 's = n', sign: (text) => written({ ...of(text), s: N }) },
  { what: 'r = n + 1', sign: (text) => written({ ...of(text), r: N + 1n }) },
  { what: 's = n + 1', sign: (text) => written({ ...of(text), s: N + 1n }) },
  { what: 'r = p - 1', sign: (text) => written({ ...of(text), r: FIELD - 1n }) },
  { what: 'r = p', sign: (text) => written({ ...of(text), r: FIELD }) },
  { what: 'r of no point', sign: (text) => written({ ...of(text), r: 5n }) },
  { what: 'r = s = 2^256 - 1', sign: () => `0x${'ff'.repeat(64)}1b` },
  { what: 'r = s = 1', sign: () => written({ r: 1n, s: 1n, bit: 0 }) },
  { what: 's + 1', sign: (text) => written({ ...of(text), s: of(text).s + 1n }) },
  { what: 'r and s in each other’s place', sign: (text) => written({ ...of(text), r: of(text).s, s: of(text).r }) },
  // The recovery byte.
  { what: 'the other bit', sign: (text) => written({ ...of(text), bit: 1 - of(text).bit }) },
  ...[2, 3, 4, 26, 29, 30, 31, 34, 35, 36, 37, 38, 127, 128, 155, 255].map((v) => ({
    what: `v of ${v}`,
    sign: (text: string) => written(of(text), v),
  })),
  // The message.
  { what: 'without the prefix of EIP-191', sign: (text) => written(signDigest(keccak_256(utf8(text)))) },
  { what: 'with a length that is wrong', sign: (text) => written(signDigest(personal(text, utf8(text).length + 1))) },
  { what: 'of the hash of the message', sign: (text) => written(signDigest(personal(hex(keccak_256(utf8(text)))))) },
  { what: 'hashed by SHA-512', sign: (text) => written(signDigest(sha512(utf8(text)).slice(0, 32))) },
  { what: 'of another message', sign: (text) => written(of(`${text}x`)) },
  {
    what: 'of the address in another case',
    address: checksummed(ADDRESS),
    sign: (text) => written(of(text.replace(checksummed(ADDRESS), ADDRESS))),
  },
  { what: 'by another key', sign: (text) => written(signDigest(personal(text), new Uint8Array(32).fill(8))) },
  {
    what: 'for the address of another',
    address: addressOf(new Uint8Array(32).fill(8)),
    sign: (text) => written(of(text)),
  },
  // The form.
  { what: 'without 0x', sign: (text) => written(of(text)).slice(2) },
  { what: 'with 0X', sign: (text) => `0X${written(of(text)).slice(2)}` },
  { what: 'without v', sign: (text) => written(of(text)).slice(0, -2) },
  {
    what: 'with the bit in s (EIP-2098)',
    sign: (text) => `0x${big(of(text).r)}${big(of(text).s | (BigInt(of(text).bit) << 255n))}`,
  },
  {
    what: 'with v before it',
    sign: (text) => `0x${(27 + of(text).bit).toString(16)}${written(of(text)).slice(2, -2)}`,
  },
  { what: 'a byte too many', sign: (text) => `${written(of(text))}00` },
  { what: 'half a byte too many', sign: (text) => `${written(of(text))}0` },
  { what: 'DER', sign: (text) => `0x3044${`0220${big(of(text).r)}`}0220${big(of(text).s)}` },
  { what: 'base64', sign: (text) => Buffer.from(written(of(text)).slice(2), 'hex').toString('base64') },
  { what: 'a letter that is no hex', sign: (text) => `0xg${written(of(text)).slice(3)}` },
  { what: 'the signature of a Solana wallet', sign: (text) => `0x${hex(right(utf8(text)))}1b` },
  { what: 'nothing', sign: () => '' },
  { what: '0x', sign: () => '0x' },
  { what: 'null', sign: () => null },
  { what: 'an object of r, s and v', sign: (text) => ({ r: big(of(text).r), s: big(of(text).s), v: 27 }) },
  // The address.
  { what: 'an address without 0x', address: ADDRESS.slice(2), sign: (text) => written(of(text)) },
  { what: 'an address a byte short', address: ADDRESS.slice(0, -2), sign: (text) => written(of(text)) },
  {
    what: 'a public key in place of an address',
    address: `0x${hex(secp256k1.getPublicKey(ETH_SECRET, false))}`,
    sign: (text) => written(of(text)),
  },
  { what: 'a Solana address', address: base58.encode(PUBLIC), sign: (text) => written(of(text)) },
];

describe('secp256k1 [register.error.signature-invalid]', () => {
  it('has many cases', () => {
    expect(new Set(ethereumCases.map(({ what }) => what)).size).toBe(ethereumCases.length);
    expect(ethereumCases.length).toBeGreaterThanOrEqual(60);
  });

  it('registration with an Ethereum wallet (4.2, mode 3) takes what proves the wallet, and refuses the rest', async () => {
    const wrong: string[] = [];
    for (const { what, address = ADDRESS, sign, accepted = false } of ethereumCases) {
      const headers = fresh();
      const asking = { name: 'e', action: 'challenge', wallet_chain: 'ethereum' };
      const nonce = await nonceOf(deployment.post('/register', asking, headers));
      const body = {
        name: 'e',
        wallet_chain: 'ethereum',
        wallet_address: address,
        wallet_signature: sign(`service-register-ethereum:${nonce}:${address}:e`),
        wallet_nonce: nonce,
      };
      const came = outcome(await deployment.post('/register', body, headers));
      if (accepted ? came !== 'accepted' : !REFUSED.test(came)) wrong.push(`${what}: ${came}`);
    }
    expect(wrong).toEqual([]);
  });
});
