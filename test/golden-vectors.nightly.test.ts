// The golden vectors of spec/golden, computed again in Go where it is there: a vector that is changed is found.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from './source-tree.js';

const hasGo = spawnSync('go', ['version']).status === 0;
const check = (folder: string) =>
  spawnSync('go', ['run', join(root, 'examples/vectors/check.go'), folder], { encoding: 'utf8' });

describe.runIf(hasGo)('examples/vectors/check.go', () => {
  it('comes to every vector, of each file', { timeout: 300_000 }, () => {
    const { status, stdout } = check(join(root, 'spec/golden'));
    expect([status, stdout.match(/ 0 differ$/gm)?.length]).toEqual([0, 15]);
  });

  it('names a vector that is another', { timeout: 300_000 }, () => {
    const folder = mkdtempSync(join(tmpdir(), 'aips-golden-'));
    cpSync(join(root, 'spec/golden'), folder, { recursive: true });
    const file = join(folder, 'resync-penalties.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace('"beats":6100', '"beats":6101'));
    const { status, stdout } = check(folder);
    expect(status).toBe(1);
    expect(stdout).toContain('resync-penalties: 61 missed: beats is 6100 here and 6101 in the file');
  });
});
