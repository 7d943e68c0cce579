import { createHash } from 'node:crypto';
import { base58 } from '@scure/base';
import { describe, expect, it } from 'vitest';
import { dialects } from '../../spec/dialect.js';
import type { Anchor as WireAnchor } from '../../spec/endpoints/proof-schemas.js';
import { protocol } from '../../spec/protocol.js';
import { golden } from '../../test/fixtures/golden.js';
import {
  type AnchorChain,
  anchorHash,
  createAnchorChain,
  issueAnchor,
  isWithinGrace,
  latestAnchor,
  recentAnchor,
  wireAnchor,
} from './anchor.js';

interface AnchorCase {
  readonly name: string;
  readonly dialect: 'service' | 'provenonce';
  readonly domain_prefix: string;
  readonly beat_index: number;
  readonly prev_hash: string;
  readonly entropy_hex: string;
  readonly hash: string;
  readonly anchor: WireAnchor & { readonly tx_signature: string };
}

const vectors = golden<AnchorCase>('anchors');

const START_MS = 1_767_225_600_000;
const entropyOf = (index: number): Uint8Array => createHash('sha256').update(`entropy ${index}`).digest();

function chainOf(anchors: number, numbers = protocol): AnchorChain {
  const chain = createAnchorChain({ domain: 'SERVICE_BEATS_V1', protocol: numbers });
  for (let i = 0; i < anchors; i++) issueAnchor(chain, { entropy: entropyOf(i), nowMs: START_MS + i * 60_000 });
  return chain;
}

describe('anchorHash', () => {
  it.each(vectors)('golden: $name', ({ domain_prefix, prev_hash, beat_index, entropy_hex, hash }) => {
    expect(anchorHash(domain_prefix, prev_hash, beat_index, Buffer.from(entropy_hex, 'hex'))).toBe(hash);
  });

  const PREV = '0'.repeat(64);
  it.each([
    ['31 bytes of entropy', PREV, 0, new Uint8Array(31)],
    ['33 bytes of entropy', PREV, 0, new Uint8Array(33)],
    ['a negative index', PREV, -1, new Uint8Array(32)],
    ['an index that is not whole', PREV, 0.5, new Uint8Array(32)],
    ['an index above 2^53', PREV, 2 ** 53, new Uint8Array(32)],
    ['a short prev_hash', '0'.repeat(62), 0, new Uint8Array(32)],
    ['a prev_hash that is not hex', 'x'.repeat(64), 0, new Uint8Array(32)],
  ])('refuses %s', (_name, prevHash, index, entropy) => {
    expect(() => anchorHash('SERVICE_BEATS_V1', prevHash, index, entropy)).toThrow(RangeError);
  });
});

describe('issueAnchor', () => {
  it.each(['service', 'provenonce'] as const)('makes the golden chain of %s from its first anchor', (name) => {
    const cases = vectors.filter((entry) => entry.dialect === name && entry.beat_index < 3);
    expect(cases).toHaveLength(3);
    const chain = createAnchorChain({ domain: dialects[name].anchorDomain, protocol });
    for (const { anchor, entropy_hex } of cases) {
      const issued = issueAnchor(chain, { entropy: Buffer.from(entropy_hex, 'hex'), nowMs: anchor.utc });
      expect(wireAnchor(issued, protocol, anchor.tx_signature)).toEqual(anchor);
      expect(latestAnchor(chain)).toEqual(issued);
    }
  });

  it('follows the hash of beats:genesis:v1: with anchor 0', () => {
    // SHA-256 of the text, D-05.
    expect(issueAnchor(chainOf(0), { entropy: entropyOf(0), nowMs: START_MS })).toMatchObject({
      index: 0,
      utcMs: 1_767_225_600_000,
      prevHash: '85bcee012b801a99d2bac509b66d5127e482c227a769b72d609b04167f00e1cd',
    });
  });

  it('leaves a chain that is plain data', () => {
    const chain = chainOf(70);
    const copy = JSON.parse(JSON.stringify(chain)) as AnchorChain;
    expect(copy).toEqual(chain);
    const moment = { entropy: entropyOf(70), nowMs: START_MS };
    expect(issueAnchor(copy, moment)).toEqual(issueAnchor(chain, moment));
  });

  it('does not keep the buffer that it was given', () => {
    const chain = chainOf(0);
    const entropy = new Uint8Array(32).fill(7);
    issueAnchor(chain, { entropy, nowMs: START_MS });
    entropy.fill(9);
    expect(latestAnchor(chain)?.entropyHex).toBe('07'.repeat(32));
  });
});

describe('recentAnchor', () => {
  it('knows none before the first', () => {
    expect(latestAnchor(chainOf(0))).toBeUndefined();
    expect(recentAnchor(chainOf(0), 0)).toBeUndefined();
    expect(isWithinGrace(chainOf(0), 0, protocol)).toBe(false);
  });

  it('remembers the latest and the 60 before it', () => {
    const chain = chainOf(200);
    for (let index = 139; index < 200; index++) expect(recentAnchor(chain, index)?.index).toBe(index);
    expect(recentAnchor(chain, 198)?.hash).toBe(recentAnchor(chain, 199)?.prevHash);
    expect(chain.ring).toHaveLength(61);
  });

  it.each([138, 200, 0, -1, 150.5, NaN, Infinity])('has no anchor %d of 200', (index) => {
    expect(recentAnchor(chainOf(200), index)).toBeUndefined();
  });

  it('keeps the grace window even where receipts live shorter', () => {
    const numbers = { ...protocol, work: { ...protocol.work, receiptAnchorsMax: 1 } };
    const chain = chainOf(20, numbers);
    expect(recentAnchor(chain, 15)?.index).toBe(15);
    expect(recentAnchor(chain, 14)).toBeUndefined();
  });
});

describe('isWithinGrace', () => {
  it.each([
    { anchors: 100, index: 99, within: true },
    { anchors: 100, index: 95, within: true },
    { anchors: 100, index: 94, within: false },
    { anchors: 100, index: 100, within: false },
    { anchors: 3, index: 0, within: true },
    { anchors: 3, index: -1, within: false },
    { anchors: 3, index: 1.5, within: false },
    { anchors: 3, index: NaN, within: false },
  ])('with $anchors anchors, $index: $within', ({ anchors, index, within }) => {
    expect(isWithinGrace(chainOf(anchors), index, protocol)).toBe(within);
  });
});

describe('wireAnchor', () => {
  it.each([
    { index: 0, epoch: 0 },
    { index: 99, epoch: 0 },
    { index: 100, epoch: 1 },
    { index: 250, epoch: 2 },
  ])('anchor $index is in epoch $epoch', ({ index, epoch }) => {
    const anchor = {
      index,
      utcMs: START_MS,
      hash: 'a'.repeat(64),
      prevHash: 'b'.repeat(64),
      entropyHex: '00'.repeat(32),
    };
    expect(wireAnchor(anchor, protocol, null)).toEqual({
      type: 'anchor',
      beat_index: index,
      hash: 'a'.repeat(64),
      prev_hash: 'b'.repeat(64),
      utc: 1_767_225_600_000,
      difficulty: 1_000,
      epoch,
      tx_signature: null,
      solana_entropy: '1'.repeat(32),
    });
  });

  it('gives what the hash can be recomputed from', () => {
    const chain = chainOf(70);
    const wire = wireAnchor(recentAnchor(chain, 69) ?? expect.fail('no anchor 69'), protocol, null);
    const entropy = base58.decode(wire.solana_entropy);
    expect(anchorHash('SERVICE_BEATS_V1', wire.prev_hash, wire.beat_index, entropy)).toBe(wire.hash);
  });
});
