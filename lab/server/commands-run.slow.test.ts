// Each command that the page shows runs in a new shell, in the folder that the page names, and gives what the page shows. It needs the build.
import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { shellWord } from '../../reports/text/shell-word.js';
import type { Finished } from '../../test/fixtures/aips.js';
import { referenceHere, targetTextOf } from '../../test/fixtures/target.js';
import { root } from '../../test/source-tree.js';
import { type Lab, startLab } from './lab.js';

const SCENARIO = `format: 1
name: few
question: Does the command do the same?
seed: 11
duration: 6h
populations:
  - name: workers
    count: 5
    class: autonomous
    heartbeat: { policy: interval, every: 25m, jitter: 0.2 }
    budget: { wallet: 2 SOL }
    hash_rate: 2M hashes/s
measures: { every: 1h }
`;
const SWEEP = `format: 1
name: intervals
question: What do more heartbeats cost?
scenario: ../few.yaml
replicates: 2
design: { kind: grid, factors: { protocol.heartbeat.intervalBeatsMin: [5, 10] } }
measures: [fees_lamports]
`;
const FAILURE = {
  version: 1,
  message: 'a fee is wrong',
  sequence: {
    ...{ salt: '1:1', set_up: 'devnet', start_anchors: 10 },
    actions: [
      { op: 'wait', by: { interval: 1 } },
      { op: 'heartbeat', agent: 0 },
    ],
  },
};
const SET = 'protocol.heartbeat.tier1FeeLamports=700000';
/** It reaches no standard scenario, and few checks. */
const CHANGE = 'limits: { flagReporter: { count: 4 } }\n';

// Words of a shell must not divide the paths.
const home = mkdtempSync(join(tmpdir(), "aips lab's "));
const given = join(home, 'given');
let target: Awaited<ReturnType<typeof referenceHere>>;
let lab: Lab;
/** A lab without a target. */
let own: Lab;

beforeAll(async () => {
  target = await referenceHere();
  const texts = {
    'few.yaml': SCENARIO,
    'given/intervals.yaml': SWEEP,
    'given/fuzz-failure.json': JSON.stringify(FAILURE),
    'target.yaml': targetTextOf(target),
    aips: `#!/bin/sh\nexec ${shellWord(process.execPath)} ${shellWord(join(root, 'dist/cli/aips.js'))} "$@"\n`,
  };
  mkdirSync(given);
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(home, name), text);
  chmodSync(join(home, 'aips'), 0o700);
  const all = {
    port: 0,
    seed: 5,
    assets: new Map(),
    onError: (error: unknown) => {
      throw error;
    },
  };
  lab = await startLab({ ...all, folder: given, target: target.target, targetFile: join(home, 'target.yaml') });
  own = await startLab(all);
});

afterAll(async () => {
  await lab.close();
  await own.close();
  await target.stop();
});

type Answer = Readonly<Record<string, unknown>> & { readonly command?: string | null; readonly curl?: string };

const act = async (of: Lab, path: string, body: object = {}): Promise<Answer> =>
  (await of.actions.find((each) => each.path === path)?.run(body)) as Answer;

/** Runs a line in a new shell, in the folder that the page names. */
async function shell(of: Lab, line: string | null | undefined, more = ''): Promise<Finished> {
  const { folder } = (await act(of, 'overview')) as unknown as { readonly folder: string };
  const env = { HOME: home, PATH: `${home}${delimiter}${process.env['PATH']}` };
  const child = spawn('/bin/sh', ['-c', `${line}${more}`], { cwd: folder, env });
  const said = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      said[stream] += text;
    });
  }
  const status = await new Promise<number | null>((ended) => child.once('close', ended));
  return { status, ...said };
}

const json = ({ stdout, stderr }: Finished) => {
  expect(stderr).not.toMatch(/Unknown|no such|not found/i);
  return JSON.parse(stdout);
};

/** The failures and verdicts of a report. Other evidence that checks meet in passing depends on the order of replies. */
const said = (report: {
  readonly seed: number;
  readonly clauses: readonly { readonly id: string; readonly state: string }[];
  readonly checks: readonly { readonly id: string; readonly verdict: string }[];
  readonly findings: readonly { readonly clauses: readonly string[]; readonly expected?: string | undefined }[];
}) => ({
  seed: report.seed,
  failing: report.clauses.filter(({ state }) => state === 'fails').map(({ id }) => id),
  checks: report.checks.map(({ id, verdict }) => [id, verdict]),
  findings: report.findings.map(({ clauses, expected }) => [clauses, expected]),
});

it('a run against a target, and what failed again', async () => {
  const setFees = (fees: object) =>
    fetch(`${target.target.control?.url}/control/v1/fees`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${target.target.control?.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(fees),
    });
  await setFees({ heartbeat_tier1: 7 });
  const { command } = await act(lab, 'conformance/run', { only: ['heartbeat/too-soon', 'status/*'] });
  await lab.conformance.idle();
  const first = lab.conformance.result as NonNullable<typeof lab.conformance.result>;
  expect(first.exit_status).toBe(1);
  const ran = await shell(lab, command, ' --json');
  expect([ran.status, said(json(ran))]).toEqual([1, said(first)]);
  await setFees({});
  const again = await act(lab, 'conformance/repeat');
  await lab.conformance.idle();
  const completed = await shell(lab, again.command, ' --json');
  expect(said(json(completed))).toEqual(said(lab.conformance.result ?? first));
  // The rest of the result stays: no command does that for checks of choice.
  expect((await act(lab, 'conformance/run', { only: ['status/*'], again: true })).command).toBeUndefined();
  await lab.conformance.idle();
});

it('reports name a command that judges the same target', async () => {
  const { writing } = await act(lab, 'conformance/result');
  expect(writing).toEqual({ command: `aips conform --target ${shellWord(join(home, 'target.yaml'))}` });
});

it('a failed sequence, on a reference and on the target', async () => {
  for (const on of ['reference', 'target']) {
    const { command, failure } = await act(lab, 'sequence/play', { place: 0, on });
    const ran = await shell(lab, command);
    expect([ran.status, failure]).toEqual([0, null]);
  }
});

it('a run without a target, and a run under a change', async () => {
  const { command } = await act(own, 'conformance/run', { only: ['status/*'] });
  await own.conformance.idle();
  const ran = await shell(own, command, ' --json');
  expect(said(json(ran))).toEqual(said(own.conformance.result as NonNullable<typeof own.conformance.result>));
  const under = await act(own, 'specification/run', { text: CHANGE });
  await own.conformance.idle();
  const result = own.conformance.change?.result as NonNullable<typeof own.conformance.result>;
  const changed = await shell(own, under.command, ' --json');
  expect(said(json(changed))).toEqual(said(result));
  expect(result.findings.length).toBeGreaterThan(0);
});

it('an act of an agent, and one request of it', async () => {
  type Requests = readonly {
    readonly n: number;
    readonly agent: number;
    readonly refused?: { readonly code: string };
  }[];
  const done = async (path: string, body: object) =>
    (await act(own, path, body)) as unknown as { readonly requests: Requests; readonly again: string };
  const agent = String((await done('server/make', { name: 'mine' })).requests.at(-1)?.agent);
  const { requests, again } = await done('server/act', { agent, do: 'resync' });
  const repeated = json(await shell(own, again)) as { readonly requests: Requests };
  expect(repeated.requests.at(-1)?.refused?.code).toBe('AGENT_WRONG_STATE');
  const { command } = await act(own, 'server/request', { n: requests.at(-1)?.n });
  expect(json(await shell(own, command))).toMatchObject({ code: 'AGENT_WRONG_STATE' });
});

it('a change of the specification', async () => {
  const { command, diff } = await act(own, 'specification/difference', { text: CHANGE });
  const { numbers } = diff as { readonly numbers: unknown };
  expect(json(await shell(own, command, ' --json')).numbers).toEqual(JSON.parse(JSON.stringify(numbers)));
});

it('a scenario as it was edited: one seed, several seeds, and pairs of two arms', async () => {
  const play = async (body: object) => {
    const { command } = await act(lab, 'simulation/run', { text: SCENARIO, name: 'quickstart', seed: 7, ...body });
    await lab.simulation.idle();
    return command;
  };
  const hashOf = (arm: 'base' | 'changed'): string =>
    JSON.parse(String(lab.simulation.filesOf(arm)['manifest.json'])).event_hash;
  expect(json(await shell(lab, await play({}), ' --json')).event_hash).toBe(hashOf('base'));
  const four = await shell(lab, await play({ seeds: 4 }));
  expect(four.stdout.split('\n').slice(0, -1)).toHaveLength(4);
  expect(four.stdout).toContain(`seed 7  ${hashOf('base')}`);
  const two = await play({ set: SET });
  expect((await shell(lab, two)).status).toBe(0);
  for (const arm of ['base', 'changed'] as const) {
    const { command } = lab.simulation.resultOf(arm) ?? {};
    expect(json(await shell(lab, command, ' --json')).event_hash).toBe(hashOf(arm));
  }
  const pairs = await shell(lab, await play({ set: SET, seeds: 4 }));
  const lines = pairs.stdout.split('\n').slice(0, -1);
  const { differences } = (await act(lab, 'simulation/result')) as { readonly differences?: unknown };
  expect(differences).not.toEqual([]);
  const printed = (await shell(lab, await play({ set: SET, seeds: 4 }), ' --json')).stdout.trimEnd().split('\n').at(-1);
  expect(JSON.parse(printed ?? '')).toEqual({ differences });
  for (const [at, arm] of [
    [0, 'base'],
    [4, 'changed'],
  ] as const)
    expect(lines[at]).toContain(`seed 7  ${hashOf(arm)}`);
});

it('a sweep as it was edited', async () => {
  const text = SWEEP.replace('[5, 10]', '[5, 20]');
  const { command } = await act(lab, 'simulation/run', { text, name: 'sweep/intervals' });
  await lab.simulation.idle();
  const ran = await shell(lab, command, ' --out swept');
  expect(ran.status).toBe(0);
  for (const [name, content] of Object.entries(lab.simulation.filesOfSweep()))
    expect(readFileSync(join(lab.folder, 'swept', name)).equals(Buffer.from(content))).toBe(true);
  const other = { text: text.replace('few.yaml', 'other.yaml'), name: 'sweep/intervals' };
  await expect(act(lab, 'simulation/run', other)).rejects.toThrow('must be ../few.yaml');
});

it('time that moves, and an agent; the token is in a file that its owner alone reads', async () => {
  const { nowMs, curl } = await act(lab, 'server/advance', { ms: 60_000 });
  expect(json(await shell(lab, curl)).nowMs).toBe((nowMs as number) + 60_000);
  expect(curl).not.toContain(lab.token);
  expect(statSync(join(lab.folder, 'authorization')).mode & 0o777).toBe(0o600);
  const agent = await act(lab, 'server/agent', { agent: '0' });
  expect(json(await shell(lab, agent.command))).toMatchObject(JSON.parse(JSON.stringify(agent['status'])));
  await act(lab, 'server/back', { atMs: nowMs as number });
  expect((await act(lab, 'server/agent', { agent: '0' })).command).toBeNull();
  await act(lab, 'server/present');
});
