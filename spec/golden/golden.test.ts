import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { base58 } from '@scure/base';
import { describe, expect, it } from 'vitest';

// The files are written by Python (make.py). Here and in the two tests beside this one @noble and @scure judge them: a
// third implementation, beside Python's and the project's own, which none of the three imports.

const folder = fileURLToPath(new URL('.', import.meta.url));

function casesOf<Case extends { name: string }>(file: string): Case[] {
  const parsed = JSON.parse(readFileSync(`${folder}${file}.json`, 'utf8')) as { about: string; cases: Case[] };
  expect(parsed.about).not.toBe('');
  expect(parsed.cases.length).toBeGreaterThan(0);
  return parsed.cases;
}

function sha256Hex(data: Uint8Array | string): string {
  return bytesToHex(sha256(typeof data === 'string' ? utf8ToBytes(data) : data));
}

/** Canonical JSON of a flat object: keys sorted, no spaces. */
function canonical(flat: object): string {
  return JSON.stringify(Object.fromEntries(Object.entries(flat).sort(([a], [b]) => (a < b ? -1 : 1))));
}

// A vector changes only by a decision: whoever changes one also changes its line here.
const digests: Record<string, string> = {
  'anchors.json': 'a462d9d36553501463faccda1a5bacfc1797725b1ce59faa8304396ffb22f8f8',
  'api-keys.json': '249de522377fde231719cf2583377ab09a2bf4e3a413c0dc98b699528af95635',
  'beats.json': '8464d02e51d7073a20facc5d4f3e3e06a7c29c24a5c095e6e46f7e9ebf92fd5c',
  'epochs.json': 'e9c049ff74f71900275cf48ed63328e91c06c3c9dec79bf2efa67d1adc64c10d',
  'fee-splits.json': '6cd7ea07f5ebb5d2877672441ca25d66d7e9ed1bfaa5ec2e20fd4ebbb7c42eec',
  'fee-tiers.json': '676acfccc962bbcf74389d4437e67b828dc40398e57a878f0ce5457c6940cb87',
  'genesis.json': 'a646193193f3c718e3e6f01e386679911e8791b36154353328c6b837bca2fb3e',
  'lineage.json': '75ca790274a76a746f64a3f2ce01d06805c04bda97e2f9f1767da868c8e9076f',
  'messages.json': 'd6756fc049b11ac359c2014a2e5a2757cc0f3c22b6d1f539c51a24858638199d',
  'passports.json': '6db5a493444a32f88444a241c9203efd5ba2a313ff06a0ff57de7f672302b774',
  'receipts.json': '94414866961d2d093b37583290e4e2ffa98d4e9760556cbbfea3a20dab823982',
  'resync-penalties.json': '8c7a5594872beb5eec48c659932858bcb5f1a60ef01800bd1a7fa8e12806d527',
  'sigil-names.json': '28fac41c3d48b977de89bdcf0fec118b3f3112b64a478260d3d1622e173abd46',
  'spawn-costs.json': 'afce8f5de0f9a5d44f98036a6b3e66aeb4d59f9b3e0b5bdcf7aea9cd69c172a2',
  'webhook-signatures.json': '1717fe6fa4c06e040faa1816bb5cfdce38c11097456dfe657b6d4d95082ba963',
};

describe('the files', () => {
  it('are these, byte for byte', () => {
    const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
    expect(Object.fromEntries(files.map((file) => [file, sha256Hex(readFileSync(`${folder}${file}`))]))).toEqual(
      digests,
    );
  });

  const hasPython = spawnSync('python3', ['--version']).status === 0;
  const title = hasPython
    ? 'are what make.py writes'
    : 'NOT CHECKED against make.py: no python3 on this machine, so only the digests above were compared';
  it.skipIf(!hasPython)(title, () => {
    const run = spawnSync('python3', [`${folder}make.py`, '--check'], { encoding: 'utf8' });
    expect({ status: run.status, stderr: run.stderr }).toEqual({ status: 0, stderr: '' });
  });
});

interface BeatCase {
  name: string;
  kind: 'beat';
  prev: string;
  index: number;
  nonce: string | null;
  anchor_hash: string | null;
  difficulty: number;
  seed_text: string;
  hash: string;
}
interface ChainCase {
  name: string;
  kind: 'chain';
  agent_hash: string;
  genesis_hash: string;
  anchor_hash: string | null;
  difficulty: number;
  beats: { index: number; prev: string; hash: string }[];
}

function repeatedHash(seedText: string, difficulty: number): string {
  let hash = sha256Hex(seedText);
  for (let step = 0; step < difficulty; step += 1) hash = sha256Hex(hash);
  return hash;
}

describe('beats (D-02, D-03)', () => {
  const cases = casesOf<BeatCase | ChainCase>('beats');
  const single = cases.filter((one) => one.kind === 'beat');
  const chains = cases.filter((one) => one.kind === 'chain');

  it.each(single)('$name', ({ prev, index, nonce, anchor_hash, difficulty, seed_text, hash }) => {
    const parts = [prev, index, nonce ?? '', ...(anchor_hash === null ? [] : [anchor_hash])];
    expect(seed_text).toBe(parts.join(':'));
    expect(hash).toBe(repeatedHash(seed_text, difficulty));
  });

  it('cover difficulty 1, 100 and 1000, each with and without nonce and anchor', () => {
    const seen = single.map(
      (one) => `${one.difficulty} ${one.nonce ? 'nonce' : '-'} ${one.anchor_hash ? 'anchor' : '-'}`,
    );
    const wanted = [1, 100, 1000].flatMap((d) => [`${d} - -`, `${d} nonce -`, `${d} - anchor`, `${d} nonce anchor`]);
    expect(seen).toEqual(expect.arrayContaining(wanted));
  });

  it.each(chains)('$name', ({ agent_hash, genesis_hash, anchor_hash, difficulty, beats }) => {
    expect(genesis_hash).toBe(sha256Hex(`beats:genesis:v1:${agent_hash}`));
    expect(beats.map((beat) => beat.index)).toEqual([1, 2, 3, 4, 5]);
    let prev = genesis_hash;
    for (const beat of beats) {
      expect(beat.prev).toBe(prev);
      prev = repeatedHash(`${prev}:${beat.index}:${anchor_hash === null ? '' : `:${anchor_hash}`}`, difficulty);
      expect(beat.hash).toBe(prev);
    }
  });

  it.each(casesOf<{ name: string; agent_hash: string; prev: string; hash: string }>('genesis'))(
    'genesis: $name',
    ({ agent_hash, prev, hash }) => {
      expect(prev).toBe('0'.repeat(64));
      expect(hash).toBe(sha256Hex(`beats:genesis:v1:${agent_hash}`));
    },
  );
});

interface AnchorCase {
  name: string;
  dialect: string;
  domain_prefix: string;
  beat_index: number;
  prev_hash: string;
  entropy_base58: string;
  entropy_hex: string;
  preimage_hex: string;
  hash: string;
  anchor: Record<string, unknown>;
  canonical: string;
}

describe('anchors (D-05)', () => {
  const cases = casesOf<AnchorCase>('anchors');

  it.each(cases)('$name', (one) => {
    const index = new DataView(new ArrayBuffer(8));
    index.setBigUint64(0, BigInt(one.beat_index));
    const entropy = base58.decode(one.entropy_base58);
    expect(bytesToHex(entropy)).toBe(one.entropy_hex);
    expect(entropy.length).toBe(32);
    const head = concatBytes(utf8ToBytes(one.domain_prefix), hexToBytes(one.prev_hash));
    const preimage = concatBytes(head, new Uint8Array(index.buffer), entropy);
    expect(one.preimage_hex).toBe(bytesToHex(preimage));
    expect(one.hash).toBe(sha256Hex(preimage));
    expect(one.anchor['hash']).toBe(one.hash);
    expect(one.anchor['epoch']).toBe(Math.floor(one.beat_index / 100));
    expect(one.canonical).toBe(canonical(one.anchor));
  });

  it.each([
    ['service', 'SERVICE_BEATS_V1'],
    ['provenonce', 'PROVENONCE_BEATS_V1'],
  ])('%s: anchors 0 to 2 are a chain', (dialect, prefix) => {
    const chain = cases.filter((one) => one.dialect === dialect).slice(0, 3);
    expect(chain.map((one) => [one.domain_prefix, one.beat_index])).toEqual([0, 1, 2].map((index) => [prefix, index]));
    const previous = [sha256Hex('beats:genesis:v1:'), chain[0]?.hash, chain[1]?.hash];
    expect(chain.map((one) => one.prev_hash)).toEqual(previous);
  });
});

describe('lineage (D-14)', () => {
  interface LineageCase {
    name: string;
    previous: string;
    event: { type: string };
    canonical: string;
    hash: string;
    lineage_chain_hash: string;
  }
  const cases = casesOf<LineageCase>('lineage');

  it('folds each event into the hash before it, from 64 zeros', () => {
    let hash = '0'.repeat(64);
    for (const one of cases) {
      expect(one.previous, one.name).toBe(hash);
      expect(one.canonical, one.name).toBe(canonical(one.event));
      hash = sha256Hex(hash + one.canonical);
      expect([one.hash, one.lineage_chain_hash], one.name).toEqual([hash, `0x${hash}`]);
    }
  });

  it('has every type of event', () => {
    const types = ['registered', 'wallet_linked', 'sigil', 'heartbeat', 'spawned', 'frozen', 'unfrozen'];
    expect(cases.map((one) => one.event.type)).toEqual(expect.arrayContaining(types));
  });
});
