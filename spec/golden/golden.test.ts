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
  'anchors.json': '8f1974faec447fb30d10d9a84a37d9a69a7190f6df9d864cef86502823ea7ae0',
  'api-keys.json': '55237c2074ece4b0f6ab6ce843507414687874895d9a4b2a4065bb3f3adaab77',
  'beats.json': '487b5650a05b78baf9e35af05b416af9b703f85897e5ddb2b5eaf869a4937a0a',
  'epochs.json': 'c993b52a8351d8f09a3c1c8f6b669cfef631781808bbdcc00d149751a46da72a',
  'fee-splits.json': '9be859353212ba6c3384a363b825ed8c9c6bea54eabc3fe395facd2aa101bb3a',
  'fee-tiers.json': '104938cc170d6c643f6b527e06000551f3435e2377abf6348ce799552b494377',
  'genesis.json': 'afccb403e99c43efcb2650cfa4d4633b6cd420a2463972b1cb8ffbf96cdf5224',
  'lineage.json': 'd88c7bf3b5e2966188aa90467c3a11cf376afa93cc746b2b2f3a8a1e80b3b8ec',
  'messages.json': '25c697f208573ade372bafe868efa5cd2377b49ae76ba0de142685bd25b22d42',
  'passports.json': 'c31a7a58ae791698e96cea3c6778e5ed0bcc20b414b439de1fe68489c0b46796',
  'receipts.json': 'f7308018a4f794118a98a27e2499b64935631f728c4bffdbd7b0ee728876d312',
  'resync-penalties.json': 'd2537238e71cd8515d51a3c7950a554d0c5ea3a7bd76bbf255e03cc17afedcff',
  'sigil-names.json': '32b3dd71b74f1f14abac669fe47c51f36d9667841680438c4dbbbbe304872c25',
  'spawn-costs.json': '0f067dc0e1dbf819c8b0ba6adb448d57a920724552a4b50289826cca4a49229e',
  'webhook-signatures.json': 'ce508e48d4d597e0c754dd5d38b26debbc95a4b5816f7c83d868670abd53585f',
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
