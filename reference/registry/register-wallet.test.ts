import { describe, expect, it } from 'vitest';
import { codeOfOutcome, GENESIS_MS, testRegistry } from '../../test/fixtures/registry.js';
import { signingKey } from '../beats/signing.js';
import { registerRoot } from './register.js';
import { registerChallenge, registerWithWallet, type WalletMode } from './register-wallet.js';
import type { Registry } from './state.js';
import { hashOf } from './state.js';
import { walletView } from './status.js';
import { finalizeWallet, walletChallenge } from './wallet.js';

const key = signingKey(new Uint8Array(32).fill(3));

function nonceOf(registry: Registry, mode: WalletMode, nowMs = GENESIS_MS): string {
  const made = registerChallenge(registry, mode, nowMs);
  if (!made.ok) throw new Error(made.row.code);
  return made.nonce;
}

const addresses = { register: key.publicKeyHex, 'register-operator': key.publicKeyBase58 } as const;

function signed(mode: keyof typeof addresses, nonce: string, name: string) {
  const address = addresses[mode];
  return { name, nonce, address, signature: key.signHex(`service-${mode}:${nonce}:${address}:${name}`) };
}

describe.each(['register', 'register-operator'] as const)('registration with a wallet: %s', (mode) => {
  it('makes an agent that owns the wallet', () => {
    const registry = testRegistry();
    const nonce = nonceOf(registry, mode);
    expect(nonce).toMatch(/^[0-9a-f]{64}$/);
    const made = registerWithWallet(registry, mode, signed(mode, nonce, ' two words '), GENESIS_MS);
    expect(made.ok && registry.names[made.agent]).toBe('two words');
    expect(made.ok && walletView(registry, made.agent)).toEqual({
      wallet: key.publicKeyBase58,
      wallet_model: mode === 'register' ? 'self-custody' : 'operator',
      wallet_chain: 'solana',
    });
  });

  it('takes a nonce through its 300 seconds and not a millisecond more', () => {
    const registry = testRegistry();
    const late = signed(mode, nonceOf(registry, mode), 'late');
    expect(codeOfOutcome(registerWithWallet(registry, mode, late, GENESIS_MS + 300_001))).toBe('NONCE_INVALID');
    expect(codeOfOutcome(registerWithWallet(registry, mode, late, GENESIS_MS + 300_000))).toBe('ok');
  });

  it('takes a nonce once', () => {
    const registry = testRegistry();
    const proof = signed(mode, nonceOf(registry, mode), 'twice');
    expect(codeOfOutcome(registerWithWallet(registry, mode, proof, GENESIS_MS))).toBe('ok');
    expect(codeOfOutcome(registerWithWallet(registry, mode, proof, GENESIS_MS))).toBe('NONCE_INVALID');
  });

  it('refuses a nonce of another flow, and one that was never given', () => {
    const registry = testRegistry();
    const other = mode === 'register' ? 'register-operator' : 'register';
    const proof = signed(mode, nonceOf(registry, other), 'stray');
    expect(codeOfOutcome(registerWithWallet(registry, mode, proof, GENESIS_MS))).toBe('NONCE_INVALID');
    const unknown = signed(mode, 'ab'.repeat(32), 'stray');
    expect(codeOfOutcome(registerWithWallet(registry, mode, unknown, GENESIS_MS))).toBe('NONCE_INVALID');
  });

  it('refuses a signature over another name, and keeps the nonce', () => {
    const registry = testRegistry();
    const nonce = nonceOf(registry, mode);
    const wrong = { ...signed(mode, nonce, 'one'), name: 'two' };
    expect(codeOfOutcome(registerWithWallet(registry, mode, wrong, GENESIS_MS))).toBe('SIGNATURE_INVALID');
    expect(registry.agents.rows).toBe(0);
    expect(codeOfOutcome(registerWithWallet(registry, mode, signed(mode, nonce, 'one'), GENESIS_MS))).toBe('ok');
  });
});

describe('an Ethereum wallet on mainnet', () => {
  it('is refused in both phases', () => {
    const registry = testRegistry({ policy: { network: 'mainnet', registrationSecret: 's' } });
    expect(codeOfOutcome(registerChallenge(registry, 'register-ethereum', GENESIS_MS))).toBe(
      'WALLET_CHAIN_UNSUPPORTED',
    );
    const proof = { name: 'a', nonce: 'x', address: `0x${'11'.repeat(20)}`, signature: '0x' };
    const outcome = registerWithWallet(registry, 'register-ethereum', proof, GENESIS_MS);
    expect(codeOfOutcome(outcome)).toBe('WALLET_CHAIN_UNSUPPORTED');
    expect(codeOfOutcome(registerChallenge(registry, 'register-operator', GENESIS_MS))).toBe('ok');
  });
});

describe('linking a wallet', () => {
  const forms = [
    ['link-wallet', key.publicKeyHex, 'self-custody'],
    ['link-wallet-operator', key.publicKeyBase58, 'operator'],
  ] as const;

  function walletless() {
    const registry = testRegistry();
    const { agent } = registerRoot(registry, { name: 'walletless' }, GENESIS_MS);
    const made = walletChallenge(registry, { agent }, GENESIS_MS);
    if (!made.ok) throw new Error(made.row.code);
    return { registry, agent, nonce: made.nonce, subject: hashOf(registry, agent) };
  }

  it.each(forms)('%s', (form, address, model) => {
    const { registry, agent, nonce, subject } = walletless();
    const signature = key.signHex(`service-${form}:${nonce}:${address}:${subject}`);
    const input = { agent, form, nonce, address, signature };
    const stranger = registerRoot(registry, { name: 'stranger' }, GENESIS_MS).agent;
    expect(codeOfOutcome(finalizeWallet(registry, { ...input, agent: stranger }, GENESIS_MS))).toBe('NONCE_INVALID');
    expect(codeOfOutcome(finalizeWallet(registry, input, GENESIS_MS + 300_001))).toBe('NONCE_INVALID');
    const forged = { ...input, signature: key.signHex(`service-${form}:${nonce}:${address}:${subject}x`) };
    expect(codeOfOutcome(finalizeWallet(registry, forged, GENESIS_MS))).toBe('SIGNATURE_INVALID');
    expect(walletView(registry, agent).wallet).toBe(null);
    expect(codeOfOutcome(finalizeWallet(registry, input, GENESIS_MS + 300_000))).toBe('ok');
    expect(walletView(registry, agent)).toEqual({
      wallet: key.publicKeyBase58,
      wallet_model: model,
      wallet_chain: 'solana',
    });
    expect(codeOfOutcome(finalizeWallet(registry, input, GENESIS_MS))).toBe('WALLET_ALREADY_LINKED');
    expect(codeOfOutcome(walletChallenge(registry, { agent }, GENESIS_MS))).toBe('WALLET_ALREADY_LINKED');
  });
});
