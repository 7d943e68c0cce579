import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ConformanceResult } from '../reports/conformance-result.js';
import { aips } from '../test/fixtures/aips.js';

const folder = mkdtempSync(join(tmpdir(), 'aips-self-'));
const self = (...args: string[]) => aips(folder, 'conform', '--self', ...args);

describe('aips conform --self', () => {
  it('judges in every configuration: everything passes, nothing is left untested', () => {
    const { status, stdout } = self('--format', 'json', '--report', 'all');
    expect(stdout).toContain('aips serve (devnet, webhooks, secret, mainnet, free, provenonce)');
    const result = JSON.parse(readFileSync(join(folder, 'all/conformance.json'), 'utf8')) as ConformanceResult;
    const { pass, ...others } = result.summary;
    expect(others).toEqual({ fail: 0, advisory: 0, not_applicable: 0, not_tested: 0, inconclusive: 0, error: 0 });
    expect(pass).toBeGreaterThan(500);
    const { clauses, judged, held, excluded } = result.coverage;
    expect({ judged, held }).toEqual({ judged: clauses - excluded, held: clauses - excluded });
    expect(status).toBe(0);
  }, 240_000);

  it('runs only the configurations that the chosen checks need', () => {
    const { status, stdout } = self('--only', 'resync/free');
    expect(status).toBe(0);
    expect(stdout).toContain('1 passed');
    expect(stdout).toContain('1 of ');
  });

  it.each([
    [['http://127.0.0.1:1'], '--self starts servers of its own: give no URL and no --target with it.'],
    [['--plan'], '--self has no plan: give a target.'],
    [['--only', 'nothing/of-this'], 'No check has such an id, clause or section: nothing/of-this.'],
  ])('refuses %j', (args, message) => {
    const { status, stderr } = self(...args);
    expect(stderr).toContain(message);
    expect(status).toBe(2);
  });
});
