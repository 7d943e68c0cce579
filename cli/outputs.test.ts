// Each argument that names a file or a folder to write: what cannot be written is refused before any work, and named.
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { aips } from '../test/fixtures/aips.js';
import { root } from '../test/source-tree.js';

const folder = mkdtempSync(join(tmpdir(), 'aips-outputs-'));
writeFileSync(join(folder, 'scenario.yaml'), readFileSync(join(root, 'scenarios/library/quickstart.yaml')));
writeFileSync(join(folder, 'file'), '');
for (const name of ['conformance.json', 'manifest.json', 'fuzz-failure.json', 'spec-check.json', 'watch.json'])
  mkdirSync(join(folder, 'taken', name), { recursive: true });

const TARGET = 'http://127.0.0.1:9';

/** Commands with a folder for what they write. */
const folders: readonly string[] = [
  `conform ${TARGET} --out OUT`,
  `conform ${TARGET} --record OUT/run.tape`,
  'watch traffic.har --report OUT',
  'watch traffic.har --out OUT/traffic.ndjson',
  'watch traffic.har --lock OUT/watch.lock --update-lock',
  'conform self --out OUT',
  'conform fuzz --runs 1 --out OUT',
  'simulate scenario.yaml --out OUT',
  'simulate fork scenario.yaml --at 1h --out OUT',
  'simulate replicates scenario.yaml --runs 1 --out OUT',
  'simulate swarm --runs 1 --out OUT',
  'spec check spec --out OUT',
  'spec diff spec spec --out OUT',
  'demo --out OUT',
  'report taken --out OUT/report.html',
  'registry build --out OUT',
  'tools wallet new OUT/wallet.json',
];

describe('a place that cannot be written', () => {
  it.each(folders)('is refused before any work: aips %s', async (command) => {
    const { status, stdout, stderr } = await aips(folder, ...command.replace('OUT', 'file').split(' '));
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^file\S*: cannot be written: .*\.\n$/);
  });

  it.each([
    [`conform ${TARGET} --out taken`, 'taken/conformance.json'],
    ['watch traffic.har --report taken', 'taken/watch.json'],
    ['simulate scenario.yaml --out taken', 'taken/manifest.json'],
    ['conform fuzz --runs 1 --out taken', 'taken/fuzz-failure.json'],
    ['spec check spec --out taken', 'taken/spec-check.json'],
  ])('within the folder is refused, too: aips %s', async (command, name) => {
    const { status, stdout, stderr } = await aips(folder, ...command.split(' '));
    expect([status, stdout, stderr]).toEqual([
      2,
      '',
      `${name}: cannot be written: a folder of this name is in the way. Choose another folder.\n`,
    ]);
  });
});
