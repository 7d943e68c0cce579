// `aips conform`, all of it, as a process against `aips serve` as another: what users run.
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ConformanceResult } from '../../reports/conformance-result.js';
import { type Reference, startReference } from '../../runs/server/reference-process.js';
import { aipsProcess } from '../../test/fixtures/aips.js';
import { lighter, targetTextOf } from '../../test/fixtures/target.js';

const folder = mkdtempSync(join(tmpdir(), 'aips-conform-'));

describe('aips conform against aips serve', () => {
  let reference: Reference;
  beforeAll(async () => {
    // Beats that are less hard: aips demo and aips conform self are tested with the specification's.
    writeFileSync(join(folder, 'lighter.yaml'), JSON.stringify(lighter));
    reference = await startReference({ seed: 5, flags: ['--protocol', join(folder, 'lighter.yaml')] });
    writeFileSync(join(folder, 'clean.yaml'), targetTextOf(reference, ['protocol: lighter.yaml']));
  });
  afterAll(() => reference.stop());

  it('exits 0, and writes JSON and JUnit that say so', async () => {
    const { status, stdout } = await aipsProcess(folder, 'conform', '--target', 'clean.yaml', '--out', 'clean');
    expect(stdout).toMatch(
      /^Specification: [\d,]+ of [\d,]+ clauses judged: [\d,]+ pass, 0 fail\. Decisions: [\d,]+ of [\d,]+ clauses judged: [\d,]+ pass, [\d,]+ fail\n/,
    );
    expect(status).toBe(0);
    const result = JSON.parse(readFileSync(join(folder, 'clean/conformance.json'), 'utf8')) as ConformanceResult;
    expect(result.summary).toMatchObject({ fail: 0, advisory: 0, inconclusive: 0, error: 0 });
    const left = result.checks.flatMap((check) => ('reason' in check ? [check.reason] : []));
    // `aips conform self` starts the deployments that the other clauses need.
    expect([...new Set(left)].toSorted()).toEqual([
      'it holds on mainnet, and the target is a devnet',
      'it holds on mainnet, with a registration_secret in the target file',
      'it holds while BEATS_REQUIRED is false, which a target file says with beats_required: false',
      'registration is open without a token',
      'the target file does not say where webhooks can be received',
    ]);
    expect(result.summary.pass).toBeGreaterThanOrEqual(80);
    const junit = readFileSync(join(folder, 'clean/junit.xml'), 'utf8');
    expect(junit).toContain('<testsuites');
    expect(junit).not.toContain('<failure');
  });
});
