// The built program as a process: that it starts, what it leaves to the shell, and that it reads a pipe.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { computeChain } from '../reference/beats/beat.js';
import { packageVersion } from '../runs/host/package.js';
import { aipsProcess } from '../test/fixtures/aips.js';
import { root } from '../test/source-tree.js';

const folder = mkdtempSync(join(tmpdir(), 'aips-program-'));

describe('the program aips', () => {
  it('tells its version', async () => {
    expect(await aipsProcess(folder, '--version')).toEqual({ status: 0, stdout: `${packageVersion()}\n`, stderr: '' });
  });

  it.each([
    [[], 2, 'Say what to do: a command is missing.'],
    [['spec', 'clauses', '12'], 2, 'No clause is in section 12.'],
    [['conform', '--strict=0'], 2, '--strict takes true or false'],
  ])('%j ends with %i and says what to do on standard error', async (args, wanted, message) => {
    const { status, stdout, stderr } = await aipsProcess(folder, ...args);
    expect([status, stdout]).toEqual([wanted, '']);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('    at ');
  });

  it('ends with 2, that of no verdict, for a fault of its own', () => {
    const planted = "data:text/javascript,process.stdout.on = () => { throw new Error('planted'); }";
    const args = ['--import', planted, join(root, 'dist/cli/aips.js'), 'spec', 'clauses', '4.5'];
    const { status, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
    expect(stderr).toContain('Error: planted');
    expect(status).toBe(2);
  });

  it('reads a proof from a pipe', () => {
    const fromHash = 'a1'.repeat(32);
    const anchorHash = 'b2'.repeat(32);
    const { toHash, spotChecks } = computeChain({
      fromHash,
      fromIndex: 0,
      beats: 4,
      difficulty: 100,
      anchorHash,
      keep: { every: 1 },
    });
    const ends = { from_hash: fromHash, to_hash: toHash, beats_computed: 4, difficulty: 100 };
    const proof = { ...ends, anchor_hash: anchorHash, anchor_index: 0, spot_checks: spotChecks };
    writeFileSync(join(folder, 'good.json'), JSON.stringify(proof));
    const script = `cat good.json | '${process.execPath}' '${join(root, 'dist/cli/aips.js')}' tools beats verify /dev/stdin --json`;
    const { status, stdout } = spawnSync('/bin/sh', ['-c', script], { cwd: folder, encoding: 'utf8' });
    expect([status, stdout]).toEqual([0, '{"valid":true}\n']);
  });
});
