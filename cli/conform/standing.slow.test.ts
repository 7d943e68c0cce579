import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { ConformanceResult } from '../../results/conformance-result.js';
import { jsonSchemas } from '../../results/schemas.js';
import type { Reference } from '../../runs/server/reference-process.js';
import { clauseRows } from '../../runs/suite/clause-rows.js';
import { formats } from '../../runs/suite/report-files.js';
import { withOverlay } from '../../spec/overlay.js';
import { clausesMarkdown } from '../../spec/print.js';
import { aips, type Finished } from '../../test/fixtures/aips.js';
import { schemaFaults } from '../../test/fixtures/json-schema.js';
import { referenceHere, targetTextOf } from '../../test/fixtures/target.js';

const folder = mkdtempSync(join(tmpdir(), 'aips-standing-'));
const at = (name: string): string => join(folder, name);
const run = (...args: readonly string[]): Promise<Finished> => aips(folder, 'conform', ...args);
const result = ({ stdout }: Finished): ConformanceResult => JSON.parse(stdout) as ConformanceResult;

function targetFileOf(reference: Reference): string {
  writeFileSync(at('target.yaml'), targetTextOf(reference));
  return at('target.yaml');
}

/** A reference with one changed number: heartbeat/too-soon fails, and one clause with it. */
/** The places of a result, as far as the test reads them. */
type Places = readonly [{ readonly physicalLocation: { readonly region: { readonly startLine: number } } }];
interface Sarif {
  readonly runs: readonly [
    { readonly results: readonly [{ readonly locations: Places; readonly relatedLocations: Places }] },
  ];
}

describe('against a server with one number changed', () => {
  let reference: Reference;
  let target: string;
  const only = ['--only', 'heartbeat/too-soon', 'register/root'];
  beforeAll(async () => {
    writeFileSync(at('overlay.yaml'), 'heartbeat: { intervalBeatsMin: 9 }\n');
    reference = await referenceHere(withOverlay({ heartbeat: { intervalBeatsMin: 9 } }));
    target = targetFileOf(reference);
  });
  afterAll(() => reference.stop());

  it('exits 1, with a report in every format, of which JSON fits its published schema', async () => {
    const { status, stdout } = await run('--target', target, ...only, '--out', 'all');
    expect(status).toBe(1);
    const files = stdout.match(/^wrote all\/\S+$/gm)?.map((line) => line.slice('wrote all/'.length)) ?? [];
    expect(files).toHaveLength(formats.length + 2);
    const read = (name: string): string => {
      const bytes = readFileSync(at(`all/${name}`));
      return (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
    };
    const texts = new Map(files.map((name) => [name, read(name)]));
    const json: unknown = JSON.parse(texts.get('conformance.json') ?? '');
    expect(schemaFaults(jsonSchemas().conformance, json)).toEqual([]);
    const sarif: unknown = JSON.parse(texts.get('conformance.sarif') ?? '');
    expect(schemaFaults('test/fixtures/sarif.schema.json', sarif)).toEqual([]);
    const ctrf: unknown = JSON.parse(texts.get('ctrf.json') ?? '');
    expect(schemaFaults('node_modules/ctrf/dist/ctrf-schema-0.0.json', ctrf)).toEqual([]);
    expect(texts.get('badge.svg')).toMatch(/\d+ clauses? fails?/);
    const { locations, relatedLocations } = (sarif as Sarif).runs[0].results[0];
    expect(readFileSync(target, 'utf8').split('\n')[locations[0].physicalLocation.region.startLine - 1]).toMatch(
      /^base_url:/,
    );
    expect(texts.get('annotations.txt')).toMatch(/^::error file=\S+\.yaml,line=\d+,title=must%3A heartbeat\./m);
    const line = relatedLocations[0].physicalLocation.region.startLine;
    const clause = clausesMarkdown(clauseRows()).split('\n')[line - 1];
    expect(clause).toContain('heartbeat/too-soon');
    for (const [name, text] of texts) expect(text, name).not.toContain(reference.target.control?.token);
  });

  it('exits 0 with --protocol, in the flag or in the file', async () => {
    expect((await run('--target', target, ...only, '--protocol', at('overlay.yaml'))).status).toBe(0);
    writeFileSync(at('own.yaml'), `${readFileSync(target, 'utf8')}protocol: overlay.yaml\n`);
    expect((await run('--target', at('own.yaml'), ...only)).status).toBe(0);
  });

  it('exits 0 once what fails is written down as known, and says so', async () => {
    const first = await run('--target', target, ...only, '--out', at('first'));
    expect(first.status).toBe(1);
    const listed = parse(readFileSync(at('first/baseline.yaml'), 'utf8')) as {
      known_failures: { clause: string; check: string }[];
    };
    expect(listed.known_failures.map(({ check }) => check)).toContain('heartbeat/too-soon');
    expect(listed.known_failures.map(({ clause }) => clause)).toContain('heartbeat.interval.min');
    const second = await run('--target', target, ...only, '--baseline', at('first/baseline.yaml'));
    expect(second.status).toBe(0);
    expect(second.stdout).toMatch(/^KNOWN {5}POST \/api\/v1\/agent\/heartbeat: /m);
    expect(second.stdout).not.toMatch(/^FAIL /m);
    expect(second.stdout).toContain('1 failed (1 known)');
  });

  it.each([
    ['heartbeat.interval.min', 'heartbeat/too-soon', '2020-01-01', 'was excused until 2020-01-01'],
    ['agent.field.hash', 'register/root', '2999-12-31', 'agent.field.hash in register/root passes again'],
    ['agent.field.hash', 'register/roots', '2999-12-31', 'register/roots is no check of the suite'],
    ['agent.field.hush', 'register/root', '2999-12-31', 'agent.field.hush is no clause'],
  ])('exits 1 for an entry of %s in %s until %s', async (clause, check, expires, text) => {
    const written = parse(readFileSync(at('first/baseline.yaml'), 'utf8')) as {
      known_failures: { clause: string; check: string }[];
    };
    const others = written.known_failures.filter((known) => known.clause !== clause || known.check !== check);
    const entries = [{ clause, check, reason: 'r', expires }, ...others];
    writeFileSync(at('untrue.yaml'), JSON.stringify({ known_failures: entries }));
    const { status, stdout } = await run('--target', target, ...only, '--baseline', at('untrue.yaml'));
    expect(status).toBe(1);
    expect(stdout).toMatch(/^baseline: /m);
    expect(stdout).toContain(text);
  });

  it('--failed runs again what failed or was not judged, with the seed of then', async () => {
    await run('--target', target, ...only, '--seed', '4', '--out', at('failed'));
    const report = at('failed/conformance.json');
    const first = JSON.parse(readFileSync(report, 'utf8')) as ConformanceResult;
    const again = result(await run('--target', target, '--failed', report, '--json'));
    // The result speaks of the whole, and it took fewer requests.
    expect(again.checks.map(({ id }) => id)).toEqual(first.checks.map(({ id }) => id));
    const { clauses, ...verdicts } = first.summary;
    expect(again).toMatchObject({ seed: 4, exit_status: 1, summary: verdicts });
    expect(again.summary.clauses.must.judged).toBeGreaterThanOrEqual(clauses.must.judged);
    expect(again.requests).toBeLessThan(first.requests);
    const plan = await run('plan', '--target', target, '--failed', report, '--json');
    expect(JSON.parse(plan.stdout)).toMatchObject({ runs: first.checks.length - 1 });
    const none = await run('--target', target, '--failed', report, '--only', 'register/root');
    expect(none).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('no selected check failed or was left unjudged'),
    });
    const bare = await run('--failed', report);
    expect(bare).toMatchObject({ status: 2, stderr: expect.stringContaining('give that file with --target') });
  });

  it('--failed of a report in which all is well has nothing to do', async () => {
    await run('--target', target, '--only', 'register/root', '--out', at('well'));
    const well = JSON.parse(readFileSync(at('well/conformance.json'), 'utf8')) as ConformanceResult;
    const clauses = well.clauses.filter(({ state }) => state !== 'not-judged');
    writeFileSync(at('well.json'), JSON.stringify({ ...well, clauses }));
    const { status, stderr } = await run('--target', target, '--failed', at('well.json'));
    expect(status).toBe(2);
    expect(stderr).toContain('there is nothing to run again');
  });

  it('explain tells what the report found about a clause', async () => {
    await run('--target', target, ...only, '--out', at('explained'));
    const reply = await run('explain', 'heartbeat.interval.min', at('explained'));
    expect(reply.status).toBe(0);
    expect(reply.stdout).toContain(`in ${at('explained/conformance.json')}, about ${reference.target.baseUrl} at `);
    expect(reply.stdout).toMatch(
      /: fails\n {2}exchanges +\d+ speak for it, .+\n {2}power +the run would notice \d of 3 planted mistakes\n {2}✗ .+ \(heartbeat\/too-soon #\d+ POST \/api\/v1\/agent\/heartbeat\)\n/,
    );
  });

  it('--require-judged asks for a share of the must clauses', async () => {
    const { must } = result(await run('--target', target, '--only', 'register/root', '--json')).summary.clauses;
    const percent = Math.floor((100 * must.judged) / must.total);
    const status = async (share: number): Promise<number | null> =>
      (await run('--target', target, '--only', 'register/root', '--require-judged', String(share))).status;
    expect([await status(percent), await status(percent + 1)]).toEqual([0, 2]);
  });

  it('--repeat runs with successive seeds', async () => {
    const once = result(await run('--target', target, ...only, '--seed', '4', '--json'));
    const thrice = result(await run('--target', target, ...only, '--seed', '4', '--repeat', '3', '--json'));
    // Another seed looks at other things, so that three judge more clauses than one.
    const { clauses, ...verdicts } = once.summary;
    expect(thrice).toMatchObject({ seed: 4, repeat: 3, exit_status: 1, summary: verdicts });
    expect(thrice.summary.clauses.must).toMatchObject({ fail: clauses.must.fail, total: clauses.must.total });
    expect(thrice.summary.clauses.must.judged).toBeGreaterThanOrEqual(clauses.must.judged);
    expect(thrice.requests).toBeGreaterThan(2 * once.requests);
    expect(thrice.checks.some(({ flaky }) => flaky !== undefined)).toBe(false);
  });
});
