import { createHash } from 'node:crypto';
import { base58 } from '@scure/base';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Deployment } from '../../../test/fixtures/http.js';
import { canonicalJson } from '../../beats/canonical-json.js';
import { verifyEd25519 } from '../../beats/signing.js';

let deployment: Deployment;

beforeEach(async () => {
  deployment = await Deployment.start();
});
afterEach(() => deployment.close());

const anchorOf = async (app: 'registry' | 'beats' = 'registry') =>
  (await deployment.send('GET', '/api/v1/beat/anchor', {}, app)).body;

describe('GET /beat/anchor (D-05)', () => {
  it('is the same on both services, and signed by the key that beat/key publishes', async () => {
    deployment.advance(150_000);
    const [own, theirs] = [await anchorOf(), await anchorOf('beats')];
    expect(theirs).toEqual(own);
    expect(own).toMatchObject({
      anchor: { beat_index: 2, utc: 1_767_225_720_000, difficulty: 1_000, epoch: 0 },
      on_chain: { tx_signature: null, explorer_url: null, anchored: false },
      anchor_interval_sec: 60,
      next_anchor_at: '2026-01-01T00:03:00.000Z',
    });
    const key = (await deployment.send('GET', '/api/v1/beat/key', {}, 'beats')).body;
    expect(own.receipt.public_key).toBe(key.public_key_base58);
    const signature = Buffer.from(own.receipt.signature, 'base64');
    expect(verifyEd25519(key.public_key_hex, canonicalJson(own.anchor), signature)).toBe(true);
    expect(key.keys.timestamp.public_key_hex).not.toBe(key.keys.work_proof.public_key_hex);
  });

  it('chains each anchor to the one before', async () => {
    let { anchor } = await anchorOf();
    expect(anchor.prev_hash).toBe(createHash('sha256').update('beats:genesis:v1:').digest('hex'));
    for (let i = 1; i <= 3; i++) {
      deployment.advance(60_000);
      const next = (await anchorOf()).anchor;
      const index = Buffer.alloc(8);
      index.writeBigUInt64BE(BigInt(i));
      const parts = ['SERVICE_BEATS_V1', Buffer.from(anchor.hash, 'hex'), index, base58.decode(next.solana_entropy)];
      const hash = createHash('sha256');
      for (const part of parts) hash.update(part);
      expect(next).toMatchObject({ prev_hash: anchor.hash, beat_index: i, hash: hash.digest('hex') });
      anchor = next;
    }
  });

  it('counts epochs of 100 anchors', async () => {
    deployment.advance(99 * 60_000);
    expect((await anchorOf()).anchor.epoch).toBe(0);
    deployment.advance(60_000);
    expect((await anchorOf()).anchor.epoch).toBe(1);
  });
});
