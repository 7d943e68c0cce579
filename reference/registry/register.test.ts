import { beforeEach, describe, expect, it } from 'vitest';
import { golden } from '../../test/fixtures/golden.js';
import { codeOf, nowMsOf, passAnchors, testRegistry } from '../../test/fixtures/registry.js';
import { addressOfPublicKey, signingKey } from '../beats/signing.js';
import { textOf } from './columns/interner.js';
import { fingerprint } from './fingerprint.js';
import { authenticate } from './keys.js';
import { lineageChainHash } from './lineage.js';
import { issueOneTime } from './one-time.js';
import { type RegistrationCredential, refuseCredential, registerRoot } from './register.js';
import { registerToken } from './register-token.js';
import { registerChallenge as challenge, registerWithWallet } from './register-wallet.js';
import { hashOf, type Policy, REGISTERED, type Registry, rowOf } from './state.js';

let registry: Registry;

/** The nonce of mode 4. */
function registerChallenge(of: Registry, nowMs: number): { readonly nonce: string } {
  const made = challenge(of, 'register', nowMs);
  if (!made.ok) throw new Error(codeOf(made));
  return made;
}

beforeEach(() => {
  registry = testRegistry();
});

describe('a registered root (4.2, mode 1)', () => {
  it('has a hash, a key and a secret, and depth 0 without parent, SIGIL or wallet', () => {
    passAnchors(registry, 4);
    const { agent, apiKey, secret } = registerRoot(registry, { name: 'x', metadata: { a: 1 } }, nowMsOf(registry));
    const { columns, line } = registry.agents;
    expect(hashOf(registry, agent)).toMatch(/^0x[0-9a-f]{64}$/);
    expect(secret).toMatch(/^[0-9a-f]{64}$/);
    expect(authenticate(registry, apiKey)).toEqual({ ok: true, agent });
    expect([line.depth(agent), columns.parent[agent], line.wallet(agent)]).toEqual([0, -1, -1]);
    expect([line.status(agent), line.identityClass(agent), columns.registeredAtBeat[agent]]).toEqual([
      REGISTERED,
      0,
      4,
    ]);
    expect(registry.metadata.get(agent)).toEqual({ a: 1 });
    expect(lineageChainHash(registry, agent)).not.toBe(`0x${'0'.repeat(64)}`);
  });

  it('is found by its hash in any case, and by nothing like it', () => {
    const { agent } = registerRoot(registry, { name: 'x' }, nowMsOf(registry));
    const hash = hashOf(registry, agent);
    expect(rowOf(registry, hash)).toBe(agent);
    expect(rowOf(registry, `0x${hash.slice(2).toUpperCase()}`)).toBe(agent);
    const last = hash.at(-1) === '0' ? '1' : '0';
    for (const other of [`${hash.slice(0, -1)}${last}`, hash.slice(0, -1), hash.slice(0, -2), `${hash}00`, '0x', '']) {
      expect(rowOf(registry, other)).toBe(-1);
    }
  });

  it.each([
    ['  weather  ', 'weather'],
    ['\t\n a b \u00a0\u2003\ufeff', 'a b'],
    // D-16 trims white space; this character looks like it but is none.
    ['\u200b', '\u200b'],
    ['e\u0301', 'e\u0301'],
  ])('named %j is called %j (D-16)', (name, kept) => {
    const { agent } = registerRoot(registry, { name }, nowMsOf(registry));
    expect(registry.names[agent]).toBe(kept);
  });

  it('differs from every other', () => {
    const made = Array.from({ length: 200 }, () => registerRoot(registry, { name: 'x' }, nowMsOf(registry)));
    expect(new Set(made.map(({ agent }) => hashOf(registry, agent))).size).toBe(200);
    expect(new Set(made.flatMap(({ apiKey, secret }) => [apiKey, secret])).size).toBe(400);
  });
});

describe('the secret and the token of a root (4.2, D-32, D-46)', () => {
  const secret = 'correct horse';
  const outcome = (policy: Partial<Policy>, given: RegistrationCredential): string => {
    const refused = refuseCredential(testRegistry({ policy }), given, 0);
    return refused === null ? 'accepted' : codeOf(refused);
  };
  const mainnet = { network: 'mainnet', registrationSecret: secret } as const;
  const devnet = { network: 'devnet', registrationSecret: secret } as const;
  const open = { network: 'devnet', registrationSecret: null } as const;
  const closed = { network: 'mainnet', registrationSecret: null } as const;

  it.each([
    ['mainnet, the secret', mainnet, { secret }, 'accepted'],
    ['mainnet, none', mainnet, {}, 'register/AUTH_MISSING'],
    ['mainnet, a wrong one', mainnet, { secret: 'wrong horses' }, 'register/AUTH_INVALID'],
    ['mainnet, one of the same length', mainnet, { secret: 'correct horsE' }, 'register/AUTH_INVALID'],
    ['mainnet, an empty one', mainnet, { secret: '' }, 'register/AUTH_INVALID'],
    ['mainnet, an unknown token', mainnet, { token: 'f'.repeat(64) }, 'register/AUTH_INVALID'],
    ['devnet with a secret, none', devnet, {}, 'accepted'],
    ['devnet with a secret, a wrong one', devnet, { secret: 'wrong' }, 'register/AUTH_INVALID'],
    ['devnet with a secret, the secret', devnet, { secret }, 'accepted'],
    ['devnet without, none', open, {}, 'accepted'],
    ['devnet without, any: it is ignored', open, { secret: 'anything' }, 'accepted'],
    ['devnet without, an unknown token', open, { token: 'x' }, 'register/AUTH_INVALID'],
    ['mainnet that has none, none', closed, {}, 'register/AUTH_MISSING'],
    ['mainnet that has none, any', closed, { secret: 'anything' }, 'register/AUTH_MISSING'],
  ] as const)('%s', (_what, policy, given, expected) => {
    expect(outcome(policy, given)).toBe(expected);
  });

  it('a token is valid for 300 s, and not used up by a check', () => {
    registry = testRegistry({ policy: mainnet });
    const nowMs = nowMsOf(registry);
    const { token } = registerToken(registry, nowMs);
    expect(token).toMatch(/^[0-9a-f]{64}$/);
    for (const elapsedMs of [0, 1, 300_000])
      expect(refuseCredential(registry, { token }, nowMs + elapsedMs)).toBeNull();
    expect(refuseCredential(registry, { token }, nowMs + 300_001)?.row.code).toBe('AUTH_INVALID');
  });

  it('a token works once', () => {
    registry = testRegistry({ policy: mainnet });
    const nowMs = nowMsOf(registry);
    const { token } = registerToken(registry, nowMs);
    registerRoot(registry, { name: 'x', token }, nowMs);
    expect(refuseCredential(registry, { token }, nowMs)?.row.code).toBe('AUTH_INVALID');
  });

  it('a nonce of another flow is no token', () => {
    const nonce = registerChallenge(registry, 0).nonce;
    expect(refuseCredential(registry, { token: nonce }, 0)?.row.code).toBe('AUTH_INVALID');
  });
});

describe('a root with its own wallet (4.2, mode 4)', () => {
  const key = signingKey(Buffer.alloc(32, 5));
  const signed = (nonce: string, name: string, publicKeyHex = key.publicKeyHex) => ({
    name,
    nonce,
    address: publicKeyHex,
    signature: key.signHex(`service-register:${nonce}:${publicKeyHex}:${name}`),
  });
  const finish = (input: ReturnType<typeof signed>, laterMs = 0) =>
    registerWithWallet(registry, 'register', input, nowMsOf(registry) + laterMs);

  it('is linked to the address of the key that signed', () => {
    const { nonce } = registerChallenge(registry, nowMsOf(registry));
    expect(nonce).toMatch(/^[0-9a-f]{64}$/);
    const made = finish(signed(nonce, 'x'));
    const wallet = made.ok ? registry.agents.line.wallet(made.agent) : -1;
    expect(textOf(registry.wallets, wallet)).toBe(addressOfPublicKey(key.publicKeyHex));
  });

  it('signs name and key exactly as it sends them (D-46)', () => {
    const spaced = registerChallenge(registry, nowMsOf(registry)).nonce;
    expect(codeOf(finish({ ...signed(spaced, 'x'), name: ' x ' }))).toBe('register/SIGNATURE_INVALID');
    const made = finish(signed(spaced, ' x '));
    expect(made.ok && registry.names[made.agent]).toBe('x');
    const upper = key.publicKeyHex.toUpperCase();
    const shouted = registerChallenge(registry, nowMsOf(registry)).nonce;
    expect(codeOf(finish({ ...signed(shouted, 'x'), address: upper }))).toBe('register/SIGNATURE_INVALID');
    const again = finish(signed(shouted, 'x', upper));
    expect(again.ok && registry.agents.line.wallet(again.agent)).toBe(0);
  });

  it('nonces last 300 s', () => {
    const [late, later] = [
      registerChallenge(registry, nowMsOf(registry)),
      registerChallenge(registry, nowMsOf(registry)),
    ];
    expect(codeOf(finish(signed(later.nonce, 'x'), 300_001))).toBe('register/NONCE_INVALID');
    expect(codeOf(finish(signed(late.nonce, 'x'), 300_000))).toBe('accepted');
  });

  it('nonces are valid once, and for this flow', () => {
    const { nonce } = registerChallenge(registry, nowMsOf(registry));
    expect(codeOf(finish(signed(nonce, 'x')))).toBe('accepted');
    expect(codeOf(finish(signed(nonce, 'x')))).toBe('register/NONCE_INVALID');
    expect(codeOf(finish(signed(registerToken(registry, nowMsOf(registry)).token, 'x')))).toBe(
      'register/NONCE_INVALID',
    );
    const foreign = issueOneTime(registry, 'register-operator', 32, 300, nowMsOf(registry));
    expect(codeOf(finish(signed(foreign, 'x')))).toBe('register/NONCE_INVALID');
  });

  it.each([
    ['of another name', (input: ReturnType<typeof signed>) => ({ ...input, name: 'y' })],
    ['of another key', (input: ReturnType<typeof signed>) => ({ ...input, address: 'ab'.repeat(32) })],
    ['that is no hex', (input: ReturnType<typeof signed>) => ({ ...input, signature: 'zz'.repeat(64) })],
    ['that is short', (input: ReturnType<typeof signed>) => ({ ...input, signature: input.signature.slice(2) })],
    ['that is empty', (input: ReturnType<typeof signed>) => ({ ...input, signature: '' })],
  ])('a signature %s is refused, changes nothing and leaves the nonce good', (_what, spoil) => {
    const { nonce } = registerChallenge(registry, nowMsOf(registry));
    const before = fingerprint(registry);
    expect(codeOf(finish(spoil(signed(nonce, 'x'))))).toBe('register/SIGNATURE_INVALID');
    expect(fingerprint(registry)).toBe(before);
    expect(codeOf(finish(signed(nonce, 'x')))).toBe('accepted');
  });

  interface MessageCase {
    readonly name: string;
    readonly dialect: string;
    readonly flow: string;
    readonly nonce: string;
    readonly subject: string;
    readonly public_key_hex: string;
    readonly signature: string;
  }
  const messages = golden<MessageCase>('messages').filter(
    ({ flow, dialect }) => flow === 'register' && dialect === 'service',
  );

  it.each(messages)('golden: $name', ({ nonce, subject: name, public_key_hex: address, signature }) => {
    registry.oneTime.set(nonce, { flow: 'register', expiresAtMs: nowMsOf(registry) });
    expect(codeOf(finish({ name, nonce, address, signature }))).toBe('accepted');
  });

  it('two agents may share a wallet (D-18)', () => {
    const wallets = ['a', 'b'].map((name) => {
      const made = finish(signed(registerChallenge(registry, nowMsOf(registry)).nonce, name));
      return made.ok ? registry.agents.line.wallet(made.agent) : -1;
    });
    expect(wallets).toEqual([0, 0]);
  });
});
