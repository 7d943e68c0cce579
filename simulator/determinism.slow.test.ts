// The same scenario has the same events on every version of Node that this machine has.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../test/source-tree.js';

/** Every node that this machine has: the one that runs this, those on the path, and what version managers keep. */
function nodes(): readonly string[] {
  const manager = join(homedir(), '.nvm/versions/node');
  const managed = existsSync(manager) ? readdirSync(manager).map((name) => join(manager, name, 'bin/node')) : [];
  const named = (process.env['PATH'] ?? '').split(':').flatMap((path) => {
    return ['node', 'node20', 'node22', 'node24'].map((name) => join(path, name));
  });
  const found = [process.execPath, ...managed, ...named].filter((path) => existsSync(path));
  const versions = new Map(found.map((path) => [versionOf(path), path]));
  return [...versions].filter(([version]) => Number(version.slice(1).split('.')[0]) >= 20).map(([, path]) => path);
}

function versionOf(path: string): string {
  return spawnSync(path, ['--version'], { encoding: 'utf8' }).stdout.trim();
}

describe('every Node of this machine', () => {
  // All results equal the first, and this literal on every machine.
  const EVENT_HASH = 'cc91b852da3ffa613cd837e410c339dbdc5a145c38ea6ad058f32efdacb232a5';

  it.each(nodes().map((path) => [versionOf(path), path]))('%s has the same events', (_version, path) => {
    const folder = mkdtempSync(join(tmpdir(), 'aips-nodes-'));
    const scenario = join(root, 'test/fixtures/four-samplers.yaml');
    const command = [join(root, 'dist/cli/aips.js'), 'simulate', scenario, '--json'];
    const { stdout, stderr } = spawnSync(path, command, { cwd: folder, encoding: 'utf8' });
    const idle = 'populations.0.budget.top_up has no effect: no wallet ran low in time for money to arrive';
    expect(stderr).toBe(`${scenario}: ${idle}\n`);
    expect((JSON.parse(stdout) as { event_hash: string }).event_hash).toBe(EVENT_HASH);
  });
});
