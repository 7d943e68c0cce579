// `aips conform self` starts references in every configuration and judges them, with numbers that make checks quick, each clause once.
// self.nightly has whole runs; plan-kept.slow runs every check in this process.
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ConformanceResult } from '../../results/conformance-result.js';
import { aips } from '../../test/fixtures/aips.js';
import { listedWithoutEvidence } from '../../test/fixtures/listed-clauses.js';
import { lighter } from '../../test/fixtures/target.js';

const folder = mkdtempSync(join(tmpdir(), 'aips-self-'));
const self = (...args: string[]) => aips(folder, 'conform', 'self', ...args);

describe('aips conform self', () => {
  it('judges every clause in a quick run of all configurations', async () => {
    writeFileSync(join(folder, 'lighter.yaml'), JSON.stringify(lighter));
    const { status, stdout } = await self('--quick', '--protocol', 'lighter.yaml', '--out', 'all');
    // The overlay lowers the caps so far that checks reach them in every configuration.
    expect(stdout).toContain('aips serve (devnet, webhooks, secret, mainnet, free, provenonce)');
    const result = JSON.parse(readFileSync(join(folder, 'all/conformance.json'), 'utf8')) as ConformanceResult;
    // Another configuration has judged the clauses of the checks that are not tested.
    const { pass, clauses: _, not_tested: _spared, ...others } = result.summary;
    expect(others).toEqual({ fail: 0, advisory: 0, not_applicable: 0, inconclusive: 0, error: 0 });
    expect(pass).toBeGreaterThan(200);
    const { clauses, judged, held, excluded } = result.coverage;
    expect({ judged, held }).toEqual({ judged: clauses - excluded, held: clauses - excluded });
    expect(listedWithoutEvidence(result)).toEqual([]);
    // Kill data in other words than those of the situations would notice few mistakes.
    const { noticed = 0, of = 1 } = result.power ?? {};
    expect(noticed / of).toBeGreaterThan(0.7);
    expect(status).toBe(0);
  });

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
