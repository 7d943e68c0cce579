import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { ConformanceResult } from '../reports/conformance-result.js';
import { withOverlay } from '../spec/overlay.js';
import { aips, type Finished } from '../test/fixtures/aips.js';
import { schemaFaults } from '../test/fixtures/json-schema.js';
import { referenceHere, targetTextOf } from '../test/fixtures/target.js';
import { formats } from './conform-reports.js';
import type { Reference } from './reference-process.js';

const folder = mkdtempSync(join(tmpdir(), 'aips-standing-'));
const at = (name: string): string => join(folder, name);
const run = (...args: readonly string[]): Promise<Finished> => aips(folder, 'conform', ...args);
const result = ({ stdout }: Finished): ConformanceResult => JSON.parse(stdout) as ConformanceResult;

function targetFileOf(reference: Reference): string {
  writeFileSync(at('target.yaml'), targetTextOf(reference));
  return at('target.yaml');
}

/** A reference that differs in one number, by which heartbeat/too-soon fails, and one clause with it. */
describe('against a server with one number changed', () => {
  let reference: Reference;
  let target: string;
  const only = ['--only', 'heartbeat/too-soon', 'register/root'];
  beforeAll(async () => {
    writeFileSync(at('overlay.yaml'), 'heartbeat: { intervalBeatsMin: 11 }\n');
    reference = await referenceHere(withOverlay({ heartbeat: { intervalBeatsMin: 11 } }));
    target = targetFileOf(reference);
  });
  afterAll(() => reference.stop());

  it('exits 1, with a report in every format, of which JSON fits its published schema', async () => {
    const all = formats.join(',');
    const { status, stdout } = await run('--target', target, ...only, '--format', all, '--report', 'all');
    expect(status).toBe(1);
    const files = stdout.match(/^wrote all\/\S+$/gm)?.map((line) => line.slice('wrote all/'.length)) ?? [];
    expect(files).toHaveLength(formats.length);
    const texts = new Map(files.map((name) => [name, readFileSync(at(`all/${name}`), 'utf8')]));
    const json: unknown = JSON.parse(texts.get('conformance.json') ?? '');
    expect(schemaFaults('docs/schemas/conformance.schema.json', json)).toEqual([]);
    const sarif: unknown = JSON.parse(texts.get('conformance.sarif') ?? '');
    expect(schemaFaults('test/fixtures/sarif.schema.json', sarif)).toEqual([]);
    const ctrf: unknown = JSON.parse(texts.get('ctrf.json') ?? '');
    expect(schemaFaults('node_modules/ctrf/dist/ctrf-schema-0.0.json', ctrf)).toEqual([]);
    expect(texts.get('badge.svg')).toMatch(/\d+ clauses? broken/);
    const line = /"startLine": (\d+)/.exec(texts.get('conformance.sarif') ?? '')?.[1];
    const clause = readFileSync(new URL('../docs/clauses.md', import.meta.url), 'utf8').split('\n')[Number(line) - 1];
    expect(clause).toContain('heartbeat/too-soon');
    for (const [name, text] of texts) expect(text, name).not.toContain(reference.target.control?.token);
  });

  it('exits 0 with --protocol, in the flag or in the file', async () => {
    expect((await run('--target', target, ...only, '--protocol', at('overlay.yaml'))).status).toBe(0);
    writeFileSync(at('own.yaml'), `${readFileSync(target, 'utf8')}protocol: overlay.yaml\n`);
    expect((await run('--target', at('own.yaml'), ...only)).status).toBe(0);
  });

  it('exits 0 once what fails is written down as known, and says so', async () => {
    const first = await run('--target', target, ...only, '--write-baseline', at('known.yaml'));
    expect(first.status).toBe(1);
    const listed = parse(readFileSync(at('known.yaml'), 'utf8')) as { known_failures: { check: string }[] };
    expect(listed.known_failures.map(({ check }) => check)).toEqual(['heartbeat/too-soon']);
    const second = await run('--target', target, ...only, '--baseline', at('known.yaml'));
    expect(second.status).toBe(0);
    expect(second.stdout).toContain('KNOWN     heartbeat/too-soon');
    expect(second.stdout).toContain('1 failed (1 known)');
  });

  it.each([
    ['heartbeat/too-soon', '2020-01-01', 'heartbeat/too-soon was excused until 2020-01-01'],
    ['register/root', '2999-12-31', 'register/root passes again'],
    ['register/roots', '2999-12-31', 'register/roots is no check of the suite'],
  ])('exits 1 for an entry of %s until %s', async (check, expires, text) => {
    const entries = [{ check, reason: 'r', expires }];
    if (check !== 'heartbeat/too-soon') entries.push({ check: 'heartbeat/too-soon', reason: 'r', expires });
    writeFileSync(at('untrue.yaml'), JSON.stringify({ known_failures: entries }));
    const { status, stdout } = await run('--target', target, ...only, '--baseline', at('untrue.yaml'));
    expect(status).toBe(1);
    expect(stdout).toContain(`baseline: ${text}`);
  });

  it('--repeat runs with successive seeds', async () => {
    const once = result(await run('--target', target, ...only, '--seed', '4', '--json'));
    const thrice = result(await run('--target', target, ...only, '--seed', '4', '--repeat', '3', '--json'));
    expect(thrice).toMatchObject({ seed: 4, repeat: 3, exit_status: 1, summary: once.summary });
    expect(thrice.requests).toBeGreaterThan(2 * once.requests);
    expect(thrice.checks.some(({ flaky }) => flaky !== undefined)).toBe(false);
  });
});
