import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { conformanceJson } from '../../reports/conformance/conformance-json.js';
import { aips } from '../../test/fixtures/aips.js';
import { conformanceFixture } from '../../test/fixtures/results.js';

const folder = mkdtempSync(join(tmpdir(), 'aips-explain-'));
const explain = (...args: readonly string[]) => aips(folder, 'conform', 'explain', ...args);

describe('aips conform explain', () => {
  it('tells what a clause of the text says, where it rests, and what judges it', async () => {
    const { status, stdout } = await explain('heartbeat.interval.min');
    expect(status).toBe(0);
    expect(stdout).toMatch(
      /^heartbeat\.interval\.min {2}must\n {2}says {6}Two heartbeats .+\n {2}rests on {2}section 4\.5, paragraph “Minimum interval” \(Heartbeat\)\n/,
    );
    expect(stdout).toMatch(/\n {2}checks {4}heartbeat\/too-soon {2}.+\n {12}needs .*payments/);
    expect(stdout).not.toContain('conformance.json');
    expect(stdout).toContain(
      '  shown by  POST /api/v1/agent/heartbeat, after 11 requests: a right and a wrong server answer 429 and 200\n' +
        '            wrong is here: heartbeats may follow at once; examples/vectors/pairs.json has the whole script\n',
    );
    const { shown } = JSON.parse((await explain('heartbeat.interval.min', '--json')).stdout) as { shown: object };
    expect(shown).toMatchObject({ after: 11, right: 429, wrong: 200 });
  });

  it('tells the decision behind one of ours, and why one is excluded', async () => {
    const { stdout } = await explain('dms.when');
    expect(stdout).toContain('  rests on  section 3.1, left open there; D-24 settles it (Agent states)\n');
    for (const name of ['decision  D-24 ', 'open      ', 'we do     ', 'why       ']) expect(stdout).toContain(name);
    expect((await explain('service.preview')).stdout).toContain(
      '  excluded  it permits something and requires nothing',
    );
  });

  it('--json has the clause, its checks and what the report found', async () => {
    const explained = JSON.parse((await explain('convention.agent-hash', '--json')).stdout) as Record<string, unknown>;
    expect(explained).toMatchObject({
      id: 'convention.agent-hash',
      section: '2',
      where: 'paragraph “Conventions”',
      level: 'must',
    });
    expect(explained).not.toHaveProperty('report');
    writeFileSync(join(folder, 'conformance.json'), conformanceJson(conformanceFixture()));
    const found = JSON.parse((await explain('heartbeat.interval.min', '.', '--json')).stdout) as object;
    expect(found).toMatchObject({
      report: { file: 'conformance.json', state: 'fails', evidence: [{ ok: false }, {}] },
    });
  });

  it('tells of a check what it sent, when, and what came', async () => {
    const bare = await explain('heartbeat/too-soon');
    expect(bare.stdout).toMatch(
      /^heartbeat\/too-soon {2}.+\n {2}needs {5}.*payments.*\n {2}clauses {3}.*heartbeat\.interval\.min/,
    );
    writeFileSync(join(folder, 'conformance.json'), conformanceJson(conformanceFixture()));
    const { stdout } = await explain('heartbeat/too-soon', '.');
    expect(stdout).toContain('in conformance.json, about http://127.0.0.1:8787 at 2026-01-01T00:00:00.000Z: fail\n');
    expect(stdout).toContain('  POST /api/v1/agent/heartbeat: status: expected 429 HEARTBEAT_TOO_SOON, got 200\n');
    expect(stdout).toMatch(
      /\n {2}#1 {2}POST http:\/\/127\.0\.0\.1:8787\/api\/v1\/\S+\n {4}sent {6}\{.+\n {4}got {7}\d{3} /,
    );
    expect(stdout).toMatch(/\n✗ #2 {2}POST .+\n(.+\n)+ {4}failed: status: expected 429 HEARTBEAT_TOO_SOON, got 200\n/);
    expect(stdout).toMatch(
      /\nThe same by curl.+\n\n# Made again(.+\n)+# failed: status: .+\nsend -X POST \S+heartbeat.+\n\)\n# In the reply to .+: expected .+, got .+\n$/,
    );
    const json = JSON.parse((await explain('heartbeat/too-soon', '.', '--json')).stdout) as {
      report: { check: object };
    };
    expect(json.report.check).toMatchObject({ verdict: 'fail', transcript: [{}, {}] });
  });

  it('refuses transcripts that are cut off', async () => {
    const result = { ...conformanceFixture(), transcripts: 'transcripts.ndjson.gz' };
    mkdirSync(join(folder, 'cut'));
    writeFileSync(join(folder, 'cut/conformance.json'), conformanceJson(result));
    writeFileSync(join(folder, 'cut/transcripts.ndjson.gz'), 'no gzip');
    const { status, stderr } = await explain('heartbeat/too-soon', 'cut');
    expect([status, stderr]).toEqual([
      2,
      expect.stringContaining('transcripts.ndjson.gz: is not as aips conform --out'),
    ]);
  });

  it('says so where the report does not name the clause', async () => {
    writeFileSync(join(folder, 'conformance.json'), conformanceJson(conformanceFixture()));
    const { stdout } = await explain('convention.agent-hash', '.');
    expect(stdout).toContain(
      'in conformance.json, about http://127.0.0.1:8787 at 2026-01-01T00:00:00.000Z: it is not named\n',
    );
  });

  it.each([
    [
      ['heartbeat.interval.max'],
      'No clause or check has the id heartbeat.interval.max; did you mean heartbeat.interval.min?',
    ],
    [['nonsense'], 'No clause has the id nonsense. aips spec clauses lists them.'],
    [
      ['heartbeat.interval.mni'],
      'No clause or check has the id heartbeat.interval.mni; did you mean heartbeat.interval.min?',
    ],
    [['dms.when', 'nowhere'], 'nowhere/conformance.json: there is no such report.'],
  ])('refuses %j', async (args, message) => {
    const { status, stderr } = await explain(...args);
    expect(stderr).toContain(message);
    expect(status).toBe(2);
  });

  it('refuses a report of another version, or none', async () => {
    const [file, of] = [join(folder, 'old/conformance.json'), ['old']];
    mkdirSync(join(folder, 'old'));
    writeFileSync(file, JSON.stringify({ ...conformanceFixture(), schema: 'aips-lab/conformance/1' }));
    expect((await explain('dms.when', ...of)).stderr).toContain(
      'old/conformance.json:1: schema: is aips-lab/conformance/1, and this version reads aips-lab/conformance/2',
    );
    writeFileSync(file, '<html>');
    expect((await explain('dms.when', ...of)).stderr).toContain('conformance.json:1: is not JSON');
    writeFileSync(file, JSON.stringify({ ...conformanceFixture(), seed: 'x' }));
    expect((await explain('dms.when', ...of)).stderr).toContain(
      'seed: is not as the schema of conformance.json has it',
    );
  });
});
