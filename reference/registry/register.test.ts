import { describe, expect, it } from 'vitest';
import { codeOf, nowMsOf, testRegistry } from '../../test/fixtures/registry.js';
import { type RegistrationCredential, refuseCredential, registerRoot } from './register.js';
import { hashOf, type Policy, rowOf } from './state.js';

describe('a registered root (4.2, mode 1)', () => {
  it('is found by its hash in any case, and by nothing like it', () => {
    const registry = testRegistry();
    const { agent } = registerRoot(registry, { name: 'x' }, nowMsOf(registry));
    const hash = hashOf(registry, agent);
    expect(rowOf(registry, hash)).toBe(agent);
    expect(rowOf(registry, `0x${hash.slice(2).toUpperCase()}`)).toBe(agent);
    const last = hash.at(-1) === '0' ? '1' : '0';
    for (const other of [`${hash.slice(0, -1)}${last}`, hash.slice(0, -1), hash.slice(0, -2), `${hash}00`, '0x', '']) {
      expect(rowOf(registry, other)).toBe(-1);
    }
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
});
