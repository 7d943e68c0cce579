import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { golden } from '../../test/fixtures/golden.js';
import { codeOf, GENESIS_MS, testAgent, testRegistry } from '../../test/fixtures/registry.js';
import { authenticate, issueKey, revokeKey } from './keys.js';
import { hashOf, type Registry } from './state.js';

interface KeyCase {
  readonly name: string;
  readonly server_secret_hex: string;
  readonly payload_base64url: string;
  readonly signature_hex: string;
  readonly api_key: string;
}

const setUp = (seed = 7): { registry: Registry; agent: number; key: string } => {
  const registry = testRegistry({ seed });
  testAgent(registry);
  const agent = testAgent(registry);
  return { registry, agent, key: issueKey(registry, agent, GENESIS_MS) };
};

/** A key written by somebody who knows the secret. */
const signedWith = (secret: Buffer, payload: string): string =>
  `pvn_${payload}.${createHmac('sha256', secret).update(payload).digest('hex')}`;

describe('an agent key (5, D-15)', () => {
  it('[key.agent.form] [key.agent.payload] [key.agent.mac] is pvn_, the payload in base64url, a dot and the hex HMAC-SHA256 of that text', () => {
    const { registry, agent, key } = setUp();
    const [, payload = '', signature = ''] = /^pvn_([A-Za-z0-9_-]+)\.([0-9a-f]{64})$/.exec(key) ?? [];
    expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toEqual({
      h: hashOf(registry, agent),
      k: agent,
      iat: 1_767_225_600_000,
    });
    expect(signature).toBe(createHmac('sha256', registry.keySecret).update(payload).digest('hex'));
    expect(authenticate(registry, key)).toEqual({ ok: true, agent });
  });

  it.each(golden<KeyCase>('api-keys'))(
    'golden: $name has a signature that is taken, of an agent that is not here',
    (entry) => {
      const registry = { ...testRegistry(), keySecret: Buffer.from(entry.server_secret_hex, 'hex') };
      expect(signedWith(registry.keySecret, entry.payload_base64url)).toBe(entry.api_key);
      expect(authenticate(registry, entry.api_key)).toMatchObject({
        ok: false,
        detail: 'the key belongs to no agent of this registry',
      });
    },
  );

  it('[key.agent.bound] belongs to its own agent', () => {
    const { registry, key } = setUp();
    const other = issueKey(registry, 0, GENESIS_MS);
    expect(authenticate(registry, other)).toEqual({ ok: true, agent: 0 });
    expect(other).not.toBe(key);
  });
});

describe('an invalid key is 401 AUTH_MISSING (5, rule 2)', () => {
  const { registry, agent, key } = setUp();
  const [head = '', signature = ''] = key.split('.');
  const other = signature.at(-1) === '0' ? '1' : '0';
  const foreign = setUp(8);

  it.each([
    ['absent', undefined],
    ['empty', ''],
    ['without prefix', key.slice(4)],
    ['of an admin', key.replace('pvn_', 'pva_')],
    ['without signature', head],
    ['with an empty signature', `${head}.`],
    ['with a shorter signature', key.slice(0, -1)],
    ['with a longer signature', `${key}0`],
    ['with another signature', `${head}.${signature.slice(0, -1)}${other}`],
    ['with an upper-case signature', `${head}.${signature.toUpperCase()}`],
    ['with another payload', `pvn_${Buffer.from('{"h":"0x"}').toString('base64url')}.${signature}`],
    ['with a line end', `${key}\n`],
    ['with two dots', `${key}.${signature}`],
    ['signed with the empty secret', signedWith(Buffer.alloc(0), head.slice(4))],
    ['of another registry', foreign.key],
    ['very long', `pvn_${'A'.repeat(100_000)}.${'0'.repeat(100_000)}`],
  ])('[key.agent.signature] [auth.agent-key.invalid] %s', (_what, given) => {
    expect(codeOf(authenticate(registry, given))).toBe('any/AUTH_MISSING');
  });

  it('[key.agent.revocation] revoked, and no other with it', () => {
    revokeKey(registry, agent, GENESIS_MS);
    expect(codeOf(authenticate(registry, key))).toBe('any/AUTH_MISSING');
    expect(codeOf(authenticate(registry, issueKey(registry, agent, GENESIS_MS + 1)))).toBe('any/AUTH_MISSING');
    expect(authenticate(registry, issueKey(registry, 0, GENESIS_MS))).toEqual({ ok: true, agent: 0 });
  });
});
