import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { aips } from '../../test/fixtures/aips.js';
import { root } from '../../test/source-tree.js';

const folder = mkdtempSync(join(tmpdir(), 'aips-search-interrupted-'));

/** A search with enough runs that it cannot end before it is interrupted. */
const SEARCH = `format: 1
name: long
question: How often is often enough?
scenario: small.yaml
replicates: 50
numbers:
  populations.workers.heartbeat.every: { from: 10m, to: 3h }
goals: [uptime_share > 99 %]
points: 200
confirm: 50
`;

/** The runs that are kept so far. */
const lines = (): number => {
  const path = join(folder, 'out/runs.ndjson');
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n').length - 1 : 0;
};

it.each(['SIGINT', 'SIGKILL'] as const)(
  'a search that %s ends keeps its inputs and runs, and goes on from them',
  async (signal) => {
    const before = lines();
    if (before === 0) {
      writeFileSync(join(folder, 'small.yaml'), readFileSync(join(root, 'test/fixtures/small.yaml'), 'utf8'));
      writeFileSync(join(folder, 'long.yaml'), SEARCH);
    }
    const way = before === 0 ? ['search', 'long.yaml', '--out', 'out'] : ['resume', 'out'];
    const child = spawn(process.execPath, [join(root, 'dist/cli/aips.js'), 'experiment', ...way], { cwd: folder });
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    const ended = new Promise((end) => child.once('close', (...how) => end(how)));
    while (lines() < before + 3 && child.exitCode === null) await delay(10);
    child.kill(signal);
    expect([await ended, stderr]).toEqual(
      signal === 'SIGKILL'
        ? [[null, 'SIGKILL'], '']
        : [[2, null], 'Interrupted: the search did not finish. Continue it with aips experiment resume out\n'],
    );
    expect(readdirSync(join(folder, 'out')).toSorted()).toEqual(['begun.json', 'runs.ndjson']);
    expect(lines()).toBeGreaterThanOrEqual(before + 3);
    expect((await aips(folder, 'experiment', 'search', 'long.yaml', '--out', 'out')).status).toBe(2);
  },
);
