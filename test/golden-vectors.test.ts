// The second server comes to the golden vectors of spec/golden by its own beats and cryptography. In Go: golden-vectors.nightly.test.ts.
import { describe, expect, it } from 'vitest';
import { golden } from './fixtures/golden.js';
import { beatHash } from './second-server/beats.js';
import {
  ed25519Key,
  ed25519Public,
  ed25519Sign,
  ed25519Verify,
  ethereumSigner,
  fromBase58,
  hmac,
  sha256,
  toBase58,
} from './second-server/crypto.js';
import { spawnCost } from './second-server/spawn.js';

interface Message {
  readonly name: string;
  readonly text: string;
  readonly algorithm: 'ed25519' | 'eip191-secp256k1';
  readonly secret_key_hex: string;
  readonly public_key_hex: string;
  readonly checksum_address?: string;
  readonly signature: string;
}

describe('the second server comes to the vectors', () => {
  it('of chains that weave an anchor', () => {
    type Chain = {
      kind: string;
      anchor_hash: string;
      difficulty: number;
      beats: { index: number; prev: string; hash: string }[];
    };
    const chains = golden<Chain>('beats').filter(({ kind, anchor_hash }) => kind === 'chain' && anchor_hash !== null);
    expect(chains).toHaveLength(2);
    for (const { anchor_hash, difficulty, beats } of chains)
      for (const { index, prev, hash } of beats) expect(beatHash(prev, index, anchor_hash, difficulty)).toBe(hash);
  });

  it('of genesis beats and lineage', () => {
    for (const { text, hash } of golden<{ text: string; hash: string }>('genesis')) expect(sha256(text)).toBe(hash);
    for (const { text, hash } of golden<{ text: string; hash: string }>('lineage')) expect(sha256(text)).toBe(hash);
  });

  it.each(golden<Message>('messages').map((each) => [each.name, each] as const))('of messages: %s', (_, each) => {
    if (each.algorithm === 'eip191-secp256k1') {
      expect(ethereumSigner(each.text, each.signature)).toBe(each.checksum_address?.toLowerCase());
      expect(ethereumSigner(`${each.text} `, each.signature)).not.toBe(each.checksum_address?.toLowerCase());
      return;
    }
    const key = ed25519Key(each.secret_key_hex);
    expect(ed25519Public(key)).toBe(each.public_key_hex);
    expect(ed25519Sign(key, each.text)).toBe(each.signature);
    expect(ed25519Verify(each.public_key_hex, `${each.text} `, each.signature)).toBe(false);
  });

  it('of passports, whose signature is over the fields as they stand', () => {
    type Passport = {
      seed_hex: string;
      public_key_hex: string;
      canonical: string;
      sha256: string;
      signature_hex: string;
    };
    for (const { seed_hex, public_key_hex, canonical, sha256: digest, signature_hex } of golden<Passport>(
      'passports',
    )) {
      const key = ed25519Key(seed_hex);
      expect([ed25519Public(key), sha256(canonical), ed25519Sign(key, canonical)]).toEqual([
        ...[public_key_hex, digest, signature_hex],
      ]);
    }
  });

  it('of receipts, anchors and keys of agents', () => {
    type Signed = { seed_hex: string; canonical: string; signature_base64: string };
    type Anchor = Signed & { preimage_hex: string; hash: string };
    type Key = { server_secret: string; payload_base64url: string; signature_hex: string };
    for (const { seed_hex, canonical, signature_base64 } of [
      ...golden<Signed>('receipts'),
      ...golden<Signed>('anchors'),
    ])
      expect(Buffer.from(ed25519Sign(ed25519Key(seed_hex), canonical), 'hex').toString('base64')).toBe(
        signature_base64,
      );
    for (const { preimage_hex, hash } of golden<Anchor>('anchors'))
      expect(sha256(Buffer.from(preimage_hex, 'hex'))).toBe(hash);
    for (const { server_secret, payload_base64url, signature_hex } of golden<Key>('api-keys'))
      expect(hmac(server_secret, payload_base64url)).toBe(signature_hex);
  });

  it('of spawn costs', () => {
    for (const { depth, siblings, cost } of golden<{ depth: number; siblings: number; cost: number }>('spawn-costs'))
      expect(spawnCost(1000, depth, siblings)).toBe(cost);
  });

  it('of webhook signatures and base58', () => {
    type Webhook = { webhook_secret: string; body: string; header_value: string };
    for (const { webhook_secret, body, header_value } of golden<Webhook>('webhook-signatures'))
      expect(`sha256=${hmac(webhook_secret, body)}`).toBe(header_value);
    for (const { entropy_hex, entropy_base58 } of golden<{ entropy_hex: string; entropy_base58: string }>('anchors'))
      expect([toBase58(entropy_hex), fromBase58(entropy_base58)]).toEqual([entropy_base58, entropy_hex]);
  });
});
