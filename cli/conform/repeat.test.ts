import { mkdtempSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Running } from '../../reference/http/server/server.js';
import type { ConformanceResult } from '../../results/conformance-result.js';
import { aips } from '../../test/fixtures/aips.js';
import { startReferenceHere } from '../../test/fixtures/target.js';

const folder = mkdtempSync(join(tmpdir(), 'aips-repeat-'));
const FEES = '/api/v1/fees/summary';

type Summary = Record<string, unknown> & { fee_split_bps: Record<string, number> };

let reference: Running;
beforeAll(async () => {
  reference = await startReferenceHere();
});
afterAll(() => reference.close());

/** A server that answers as the reference does, but changes its fee summary in every run but the first. */
async function startChangingServer(change: (summary: Summary) => unknown): Promise<{ server: Server; url: string }> {
  let runs = 0;
  const server = createServer(async (request, response) => {
    const { url = '', method = 'GET' } = request;
    // Every run begins with this request.
    if (url.endsWith('/authority-key')) runs += 1;
    const reply = await fetch(reference.baseUrl + url, { method });
    const body = (await reply.json()) as Summary;
    response.writeHead(reply.status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(url === FEES && runs > 1 ? change(body) : body));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** Runs `aips conform --repeat` against that server, and reads the reports. */
async function repeatAgainst(change: (summary: Summary) => unknown, times: number) {
  const { server, url } = await startChangingServer(change);
  const only = ['--only', 'fees-summary/schedule', 'fees-summary/split'];
  const reports = ['--out', 'out'];
  const command = ['conform', url, ...only, '--repeat', String(times), ...reports];
  const ran = await aips(folder, ...command).finally(() => server.close());
  const written = (name: string): string => readFileSync(join(folder, 'out', name), 'utf8');
  const result = JSON.parse(written('conformance.json')) as ConformanceResult;
  return { ...ran, result, junit: written('junit.xml'), markdown: written('summary.md') };
}

const otherSplit = (summary: Summary) => ({
  ...summary,
  fee_split_bps: { ...summary.fee_split_bps, operations: 3_001, treasury: 1_499 },
});

/** Without a field that only a decision names. */
const lessFields = ({ overall_allocation: _, ...summary }: Summary) => summary;

describe('aips conform --repeat', () => {
  it('names a check that passes in one run and fails in another, in every report, and exits 1', async () => {
    const { status, stdout, result, junit, markdown } = await repeatAgainst(otherSplit, 2);
    expect(status).toBe(1);
    const flaky = result.checks.flatMap((check) => (check.flaky === undefined ? [] : [[check.id, check.flaky]]));
    const seen = [
      { seed: 1, verdict: 'pass' },
      { seed: 2, verdict: 'fail' },
    ];
    expect(flaky).toEqual([
      ['fees-summary/schedule', seen],
      ['fees-summary/split', seen],
    ]);
    expect(result).toMatchObject({ repeat: 2, seed: 1, exit_status: 1, summary: { pass: 0, fail: 2 } });
    expect(stdout).toMatch(/FLAKY {5}fees-summary\/split/);
    expect(stdout).toContain('seed 1 pass, seed 2 fail');
    expect(stdout).toContain('--only fees-summary/split --seed 2');
    expect(stdout).toContain('2 failed, 2 flaky');
    expect(junit).toMatch(
      /<testcase [^>]*name="fees-summary\/split[^>]*>\s*<failure [^>]*flaky \(seed 1 pass, seed 2 fail\)/,
    );
    expect(junit).toMatch(/<testsuites [^>]*failures="2"/);
    expect(markdown).toContain('❌ `fees-summary/split` is flaky: seed 1 pass, seed 2 fail.');
  });

  it('exits 1 even for a difference that would fail no single run', async () => {
    const { status, stdout, result } = await repeatAgainst(lessFields, 3);
    const schedule = result.checks.find(({ id }) => id === 'fees-summary/schedule');
    expect(schedule?.verdict).toBe('advisory');
    expect(schedule?.flaky?.map(({ verdict }) => verdict)).toEqual(['pass', 'advisory', 'advisory']);
    expect(stdout).toMatch(/FLAKY {5}fees-summary\/schedule/);
    expect([status, result.exit_status, result.summary.fail]).toEqual([1, 1, 0]);
  });

  it('exits 0 where every run finds the same', async () => {
    const { status, stdout, result } = await repeatAgainst((summary) => summary, 2);
    expect([status, result.summary.pass]).toEqual([0, 2]);
    expect(stdout).not.toContain('FLAKY');
  });
});
