import { spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

// The files are written by Python (make.py), and the tests of reference/ find that the reference comes to the same.

const folder = fileURLToPath(new URL('.', import.meta.url));

function casesOf<Case>(file: string): Case[] {
  const parsed = JSON.parse(readFileSync(`${folder}${file}.json`, 'utf8')) as { about: string; cases: Case[] };
  expect(parsed.about).not.toBe('');
  return parsed.cases;
}

// A vector changes only by a decision: a commit that changes one also changes its line here.
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
    expect(Object.fromEntries(files.map((file) => [file, hash('sha256', readFileSync(`${folder}${file}`))]))).toEqual(
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

describe('the cases', () => {
  it('of beats have difficulty 1, 100 and 1000, each with and without nonce and anchor', () => {
    const cases = casesOf<{ difficulty: number; nonce: string | null; anchor_hash: string | null }>('beats');
    const seen = cases.map(
      (one) => `${one.difficulty} ${one.nonce ? 'nonce' : '-'} ${one.anchor_hash ? 'anchor' : '-'}`,
    );
    const wanted = [1, 100, 1000].flatMap((d) => [`${d} - -`, `${d} nonce -`, `${d} - anchor`, `${d} nonce anchor`]);
    expect(seen).toEqual(expect.arrayContaining(wanted));
  });

  it('of the lineage have every type of event, and those of passports null where a field may be', () => {
    const types = ['registered', 'wallet_linked', 'sigil', 'heartbeat', 'spawned', 'frozen', 'unfrozen'];
    const events = casesOf<{ event: { type: string } }>('lineage').map((one) => one.event.type);
    expect(events).toEqual(expect.arrayContaining(types));
    const passports = casesOf<{ fields: Record<string, unknown> }>('passports');
    for (const field of ['agent_public_key', 'identity_class', 'sigil_issued_at_beat']) {
      expect(passports.filter(({ fields }) => fields[field] === null).length, field).toBeGreaterThan(0);
    }
  });

  it('of spawn costs have the check values of 4.8, and costs at which doubles are wrong (D-31)', () => {
    const cases = casesOf<{ name: string; cost: number; check_value: boolean; float_trap: boolean }>('spawn-costs');
    const stated = cases.filter((one) => one.check_value).map(({ name, cost }) => [name, cost]);
    const wanted = { '0/0': 1000, '0/1': 1200, '1/0': 1500, '1/1': 1800, '2/0': 2250, '2/3': 3888 };
    expect(Object.fromEntries(stated)).toEqual(wanted);
    expect(cases.filter((one) => one.float_trap).length).toBeGreaterThan(1);
  });
});
