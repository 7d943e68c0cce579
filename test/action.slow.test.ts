import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Reference, startReference } from '../runs/server/reference-process.js';
import { actionAt, runStep as runStepOf, stepOf } from './fixtures/action-step.js';

const action = actionAt('.');
const step = stepOf(action, 'conform');

/** Runs the action's step. */
const runStep = (inputs: Readonly<Record<string, string>>, env: Readonly<Record<string, string>> = {}) =>
  runStepOf(action, 'conform', inputs, env);

describe('action.yml', () => {
  it('is a composite action whose scripts have no expression, and which uses a cache alone', () => {
    expect(action.runs.using).toBe('composite');
    expect(action.runs.steps.flatMap(({ uses }) => uses?.split('@')[0] ?? [])).toEqual(['actions/cache']);
    for (const { run, shell } of action.runs.steps.filter(({ run }) => run !== undefined)) {
      expect([shell, run]).toEqual(['bash', expect.not.stringContaining('${{')]);
    }
    const read = Object.values(step.env ?? {}).map((text) => /inputs\.([\w-]+)/.exec(text)?.[1]);
    expect([...read, 'cache'].toSorted()).toEqual(Object.keys(action.inputs).toSorted());
    for (const { value } of Object.values(action.outputs)) expect(value).toContain(`steps.${step.id}.outputs.`);
  });
});

describe('the step of the action', () => {
  let reference: Reference;
  beforeAll(async () => {
    reference = await startReference({ seed: 3 });
  });
  afterAll(() => reference.stop());

  it('ends with 0, with the summary and the reports', () => {
    const args = `--profile core --only 'register/r*' "status/reply" --strict`;
    const ran = runStep({ url: reference.target.baseUrl, args, report: 'my report' });
    expect(ran.text).toMatch(/Specification: \d+ of [\d,]+ clauses judged: \d+ pass, 0 fail/);
    expect(ran.status).toBe(0);
    expect(ran.summary).toContain('✅');
    expect(ran.summary).toContain(reference.target.baseUrl);
    expect(ran.outputs).toBe('status=0\nreport=my report\n');
    for (const file of ['summary.md', 'conformance.sarif', 'badge.svg']) {
      expect(existsSync(join(ran.folder, 'my report', file)), file).toBe(true);
    }
  });

  it('ends with 1 for a server that does not conform, with the summary', () => {
    const folder = mkdtempSync(join(tmpdir(), 'aips-action-target-'));
    const target = join(folder, 'target.yaml');
    // The server obeys the specification; this target file says that it does not.
    writeFileSync(
      target,
      `base_url: ${reference.target.baseUrl}
protocol: { beat: { difficulty: 999 } }
`,
    );
    const ran = runStep({ target, args: '--only init/*' });
    expect(ran.status).toBe(1);
    expect(ran.summary).toContain('❌');
    expect(ran.outputs).toContain('status=1\n');
    // The target file is outside of the workspace here; its line is that of base_url.
    expect(ran.text).toMatch(/^::error file=\S*target\.yaml,line=1,title=must%3A /m);
    const sarif = readFileSync(join(ran.folder, 'aips-report/conformance.sarif'), 'utf8');
    expect(sarif).toMatch(/"uri": "\S*target\.yaml"/);
  });

  it('shows the findings of a server without a target file at the workflow', () => {
    const workflow = { GITHUB_REPOSITORY: 'o/r', GITHUB_WORKFLOW_REF: 'o/r/.github/workflows/ci.yml@main' };
    const overlay = join(mkdtempSync(join(tmpdir(), 'aips-action-overlay-')), 'overlay.yaml');
    writeFileSync(overlay, 'reissue: { feeLamports: 1 }\n');
    const ran = runStep(
      { url: reference.target.baseUrl, args: `--only fees-summary/schedule --protocol ${overlay}` },
      workflow,
    );
    expect([ran.status, ran.text]).toEqual([
      1,
      expect.stringMatching(/^::error file=\.github\/workflows\/ci\.yml,line=1,title=must%3A /m),
    ]);
    const sarif = readFileSync(join(ran.folder, 'aips-report/conformance.sarif'), 'utf8');
    const log = JSON.parse(sarif) as { runs: [{ results: { locations: [object] }[] }] };
    const { results } = log.runs[0];
    expect(results.length).toBeGreaterThan(0);
    for (const { locations } of results)
      expect(locations[0]).toMatchObject({
        physicalLocation: { artifactLocation: { uri: '.github/workflows/ci.yml' } },
      });
  });

  it('ends a run after its minutes with 2, and keeps what was judged', async () => {
    // It never answers: this process waits for the step.
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    // A minute of the runner takes a second here.
    const bin = mkdtempSync(join(tmpdir(), 'aips-action-bin-'));
    // biome-ignore lint/suspicious/noTemplateCurlyInString: bash fills it in
    const quick = '#!/bin/bash\nexec /usr/bin/env PATH="$AIPS_PATH" timeout "$1" "$2" "${3%m}s" "${@:4}"\n';
    writeFileSync(join(bin, 'timeout'), quick, { mode: 0o755 });
    const path = process.env['PATH'] ?? '';
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const ran = runStep({ url, 'timeout-minutes': '4' }, { PATH: `${bin}:${path}`, AIPS_PATH: path });
    silent.close();
    expect([ran.status, ran.text]).toEqual([2, expect.stringContaining('interrupted')]);
    expect(ran.outputs).toContain('status=2\n');
    expect(ran.summary).toContain('The run stopped');
    expect(existsSync(join(ran.folder, 'aips-report/conformance.json'))).toBe(true);
  });

  it('says what got worse since an earlier report', () => {
    const only = { url: reference.target.baseUrl, args: '--only fees-summary/schedule' };
    const first = runStep(only);
    const path = join(first.folder, 'aips-report/conformance.json');
    const again = runStep({ ...only, previous: path });
    expect([again.status, again.summary.split('\n')[0]]).toEqual([0, expect.stringMatching(/^## ✅ 0 regressed/)]);
    const earlier = JSON.parse(readFileSync(path, 'utf8')) as { clauses: { state: string }[] };
    for (const clause of earlier.clauses) if (clause.state === 'holds') clause.state = 'fails';
    writeFileSync(path, JSON.stringify(earlier));
    expect(runStep({ ...only, previous: path }).summary).toMatch(/^## ✅ 0 regressed, [1-9]\d* fixed/);
  });

  it('ends with 2 for a server that is not there', () => {
    const ran = runStep({ url: 'http://127.0.0.1:9' });
    expect(ran.status).toBe(2);
    expect(ran.summary).toContain('The run stopped');
    expect(ran.outputs).toContain('status=2\n');
  });

  it('takes no line of the output for a command of the runner, but its own annotations', () => {
    const { text } = runStep({ url: reference.target.baseUrl, profile: 'core', args: '--only init/*' });
    const token = /^::stop-commands::(aips-\d+)$/m.exec(text)?.[1];
    expect(token).toBeDefined();
    expect(text.indexOf('Specification:')).toBeLessThan(text.indexOf(`::${token}::`));
  });

  it('hands profile, baseline and require-judged on', () => {
    const ran = runStep({
      url: reference.target.baseUrl,
      profile: 'read-only',
      args: '--only init/*',
      'require-judged': '99',
    });
    expect([ran.status, ran.outputs]).toEqual([2, expect.stringContaining('status=2\n')]);
    const known = runStep({ url: reference.target.baseUrl, baseline: 'no-such.yaml' });
    expect([known.status, known.text]).toEqual([2, expect.stringContaining('no-such.yaml')]);
  });

  it.each([
    [{ url: 'http://127.0.0.1:9', overlay: 'x.yaml' }, 'Give either overlay, or url or target'],
    [{ overlay: 'x.yaml', profile: 'core' }, 'leave them out with overlay'],
    [{ url: 'http://127.0.0.1:9', accepted: 'x.yaml' }, 'accepted is about a change'],
    [{ url: 'http://127.0.0.1:9', profile: 'best' }, 'profile'],
    [{ url: 'http://127.0.0.1:9', args: "--only 'x" }, 'is a quote missing?'],
    [{ url: 'http://127.0.0.1:9', 'timeout-minutes': 'soon' }, 'timeout-minutes must be a whole number'],
    [{}, 'Give either the base URL'],
    [{ url: 'http://127.0.0.1:9', args: '--onyl x' }, 'Unknown argument: onyl'],
    [{ url: 'http://127.0.0.1:9', args: '$(touch owned) `touch owned`; touch owned' }, 'Unknown'],
  ])('ends with 2 and a clear word for %j', (inputs, message) => {
    const ran = runStep(inputs);
    expect(ran.status).toBe(2);
    expect(ran.text).toContain(message);
    expect(ran.summary).toContain('could not judge');
    expect(ran.outputs).toContain('status=2\n');
    expect(existsSync(join(ran.folder, 'owned'))).toBe(false);
  });
});
