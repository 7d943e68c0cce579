import { mkdtempSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ConformanceResult } from '../../results/conformance-result.js';
import { aips } from '../../test/fixtures/aips.js';

const folder = mkdtempSync(join(tmpdir(), 'aips demo '));

describe('aips demo', () => {
  it('judges the reference over HTTP, runs the quickstart, writes one page, and exits 0', async () => {
    const { status, stdout, stderr } = await aips(folder, 'demo');
    expect(stderr).toBe('');
    expect(status).toBe(0);
    expect(stdout).toContain(`The page: ${join(folder, 'out/index.html')}\n`);
    expect(stdout).toMatch(/^Specification: [\d,]+ of [\d,]+ clauses judged: [\d,]+ pass, 0 fail\. /m);
    expect(stdout).toContain('expectations pass');
    const read = (name: string): string => readFileSync(join(folder, 'out', name), 'utf8');
    const { checks } = JSON.parse(read('conformance.json')) as ConformanceResult;
    expect(checks.length).toBeGreaterThanOrEqual(80);
    expect(read('junit.xml')).toContain('<testsuites');
    expect(read('simulation/manifest.json')).toContain('"event_hash"');
    expect(read('index.html').match(/<svg/g)?.length).toBeGreaterThanOrEqual(4);
    expect(statSync(join(folder, 'out/index.html')).size).toBeLessThan(1_572_864);
    expect(statSync(join(folder, 'out/conformance.json')).size).toBeLessThan(3_000_000);
    expect(read('target.yaml')).toContain('base_url: http://127.0.0.1:8787');
  });
});
