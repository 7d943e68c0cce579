import { readFileSync } from 'node:fs';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { describe, expect, it } from 'vitest';
import { beatHash } from '../../model/reading/chain.js';
import { signedText, verifies } from '../../model/reading/signature.js';
import { computeChain, proofOf } from './beats.js';
import { Wallet } from './wallet.js';

interface BeatCase {
  readonly name: string;
  readonly kind: string;
  readonly prev: string;
  readonly index: number;
  readonly nonce: string | null;
  readonly anchor_hash: string | null;
  readonly difficulty: number;
  readonly hash: string;
}

const golden = (name: string): { cases: readonly unknown[] } =>
  JSON.parse(readFileSync(new URL(`../../spec/golden/${name}.json`, import.meta.url), 'utf8')) as { cases: unknown[] };

const anchor = { index: 7, hash: 'ab'.repeat(32) };

describe('beats of the suite', () => {
  const woven = (golden('beats').cases as readonly BeatCase[]).filter(
    ({ kind, nonce, anchor_hash }) => kind === 'beat' && (nonce ?? '') === '' && anchor_hash !== null,
  );

  it('has golden beats to compare with', () => {
    expect(woven.length).toBeGreaterThan(0);
  });

  it.each(woven)('agrees with the golden beat: $name', ({ prev, index, anchor_hash, difficulty, hash }) => {
    expect(beatHash(prev, index, anchor_hash ?? '', difficulty)).toBe(hash);
  });

  it('agrees with another implementation of SHA-256', () => {
    let expected = bytesToHex(sha256(utf8ToBytes(`${'0'.repeat(64)}:1::${anchor.hash}`)));
    for (let step = 0; step < 3; step += 1) expected = bytesToHex(sha256(utf8ToBytes(expected)));
    expect(beatHash('0'.repeat(64), 1, anchor.hash, 3)).toBe(expected);
  });

  it('proves a chain with spot checks from its first beat to its last', () => {
    const chain = computeChain('cd'.repeat(32), 40, anchor, { difficulty: 2 });
    const proof = proofOf(chain);
    expect(proof.spot_checks.map(({ index }) => index)).toEqual([1, 10, 20, 30, 40]);
    expect(proof.spot_checks[0]?.prev).toBe(proof.from_hash);
    expect(proof.spot_checks[4]?.hash).toBe(proof.to_hash);
    expect(proofOf(chain, 39)).toMatchObject({ beats_computed: 39, from_hash: proof.from_hash });
    expect(proofOf(chain, 2).spot_checks.map(({ index }) => index)).toEqual([1, 2]);
    expect(proofOf(chain, 1).spot_checks.map(({ index }) => index)).toEqual([1]);
  });
});

describe('passports and wallets of the suite', () => {
  it('signs the fields in the order of D-11, without spaces', () => {
    const passport = {
      valid_until: 2,
      service_signature: 'no part of it',
      issued_at: 1,
      lineage_chain_hash: '0x0',
      last_heartbeat_beat: 3,
      sigil_issued_at_beat: null,
      registered_at_beat: 4,
      identity_class: 'autonomous',
      authority_key_id: 'k',
      agent_public_key: null,
      agent_hash: '0x1',
      format_version: 1,
    };
    expect(signedText(passport)).toBe(
      '{"format_version":1,"agent_hash":"0x1","agent_public_key":null,"authority_key_id":"k","identity_class":"autonomous","registered_at_beat":4,"sigil_issued_at_beat":null,"last_heartbeat_beat":3,"lineage_chain_hash":"0x0","issued_at":1,"valid_until":2}',
    );
  });

  it('verifies what a wallet signed, and nothing else', () => {
    const wallet = new Wallet(new Uint8Array(32).fill(7));
    const signature = wallet.sign('text');
    expect(verifies(signature, 'text', wallet.publicKeyHex)).toBe(true);
    expect(verifies(signature, 'other', wallet.publicKeyHex)).toBe(false);
    expect(verifies('zz', 'text', wallet.publicKeyHex)).toBe(false);
  });
});
