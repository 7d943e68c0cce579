// `aips conform self` starts references in the configurations that the chosen checks need, and judges them. self.nightly has runs of all;
// plan-kept.slow runs every check in this process.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ConformanceResult } from '../../results/conformance-result.js';
import { aips } from '../../test/fixtures/aips.js';

const folder = mkdtempSync(join(tmpdir(), 'aips-self-'));
const self = (...args: string[]) => aips(folder, 'conform', 'self', ...args);

describe('aips conform self', () => {
  it('runs only the configurations that the chosen checks need', async () => {
    const { status, stdout } = await self('--only', 'resync/free');
    expect(status).toBe(0);
    expect(stdout).toContain('1 passed');
    expect(stdout).toMatch(
      /^No failure in what was judged: \d+ % of the specification\nSpecification: \d+ of \d+ clauses judged: \d+ pass, 0 fail/,
    );
  });

  it('--protocol starts the servers with numbers of your own, and holds them to these', async () => {
    writeFileSync(join(folder, 'overlay.yaml'), 'heartbeat: { intervalBeatsMin: 9 }\n');
    const chosen = ['heartbeat/too-soon', 'resync/free', 'wallet/pays'];
    const { status, stdout } = await self('--protocol', 'overlay.yaml', '--only', ...chosen, '--json');
    const { checks } = JSON.parse(stdout) as ConformanceResult;
    expect(checks.map(({ id, verdict }) => `${id} ${verdict}`).toSorted()).toEqual(
      chosen.map((id) => `${id} pass`).toSorted(),
    );
    expect(status).toBe(0);
  });
});
