import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { MeasuredEffects } from '../../../runs/specification/effects.js';
import { commandFolder } from '../../../test/fixtures/command-folder.js';
import { ConformanceDesk } from '../conformance/conformance-desk.js';
import { ChangeDesk } from './change-desk.js';
import { specificationActions } from './specification-actions.js';

it('effects are measured elsewhere: stop is done meanwhile, and ends what is under way, no later measurement', async () => {
  const nothing: MeasuredEffects = { effects: [], unmeasured: [] };
  const signals: AbortSignal[] = [];
  const desk = new ConformanceDesk(undefined, 1, () => undefined);
  const actions = specificationActions(desk, commandFolder(), (_measurement, signal) => {
    signals.push(signal);
    // Like a thread that ends only when it is stopped; the second one ends at once.
    if (signals.length === 2) return Promise.resolve(nothing);
    return new Promise((resolve) => signal.addEventListener('abort', () => resolve(undefined)));
  });
  const act = (path: string, body: object) => actions.find((each) => each.path === path)?.run(body);
  const body = { text: 'dms: { missedAnchorsMax: 90 }', scenario: 'epoch-of-life' };
  const first = act('specification/effects', body);
  expect(act('specification/stop', {})).toEqual({});
  expect(await first).toEqual({ stopped: true });
  expect(await act('specification/effects', body)).toEqual({ replicates: 2, seed: 1, ...nothing });
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
});

it('names the standard scenarios that a change can reach, and says of the others that they give the same', () => {
  const actions = specificationActions(new ConformanceDesk(undefined, 1, () => undefined), commandFolder());
  const difference = (text: string) => actions.find(({ path }) => path === 'specification/difference')?.run({ text });
  expect(difference('dms: { missedAnchorsMax: 90 }')).toMatchObject({
    scenarios: ['epoch-of-life', 'frozen-on-purpose', 'sybil-family', 'complaints'],
    diff: { replicates: 0, unmeasured: [] },
  });
  expect(difference('flag: { breakerPendingMax: 30 }')).toMatchObject({
    scenarios: ['complaints'],
    diff: { replicates: 0, unmeasured: [{ scenario: 'epoch-of-life, frozen-on-purpose, sybil-family' }] },
  });
  expect(difference('limits: { flagReporter: { count: 4 } }')).toMatchObject({
    scenarios: [],
    diff: { replicates: 2, unmeasured: [{ scenario: 'limits' }, {}] },
  });
});

it('a change is judged by the command, on files with the change and with what is accepted, into a folder of its own', async () => {
  const folder = commandFolder();
  const called: unknown[] = [];
  const desk = new ConformanceDesk(undefined, 1, () => undefined);
  const actions = specificationActions(desk, folder, undefined, (args, { cwd, out }) => {
    called.push([args.map((arg) => (arg.startsWith('--') ? arg : readFileSync(join(cwd, arg), 'utf8'))), out]);
    return Promise.resolve({ files: { json: '{}\n' }, said: '' });
  });
  const check = (accepted: string) =>
    actions.find(({ path }) => path === 'specification/check')?.run({ text: 'dms: {}', accepted });
  const reports = { files: { json: '{}\n' }, said: '' };
  expect(await check('')).toEqual({ ...reports, command: 'aips spec check change.yaml --out checked-1' });
  expect(await check('checks: []')).toEqual({
    ...reports,
    command: 'aips spec check change.yaml --accepted accepted.yaml --out checked-2',
  });
  expect(called).toEqual([
    [['dms: {}'], 'checked-1'],
    [['dms: {}', '--accepted', 'checks: []'], 'checked-2'],
  ]);
});

it('the lab keeps a judgement, also under way, and the comparison: a page that opens later reads both', async () => {
  const step = { name: 'lint', looked: '30 findings', faults: [] };
  const ends: (() => void)[] = [];
  let ms = 0;
  const actions = specificationActions(
    new ConformanceDesk(undefined, 1, () => undefined),
    commandFolder(),
    () => Promise.resolve({ effects: [], unmeasured: [] }),
    (_args, _place, signal, onProgress) =>
      new Promise((resolve) => {
        onProgress?.({ steps: [step], doing: [{ name: 'scenarios', done: 3, of: 19 }] });
        signal.addEventListener('abort', () => resolve(undefined));
        ends.push(() => resolve({ files: { json: '{}\n' }, said: '' }));
      }),
    new ChangeDesk(undefined, () => ms),
  );
  const act = (path: string, body: object) => actions.find((each) => each.path === path)?.run(body);
  const text = 'dms: { missedAnchorsMax: 90 }';
  expect(act('specification/kept', {})).toEqual({ word: null, judged: null, comparison: null });
  const first = act('specification/check', { text, accepted: '' });
  ms = 5000;
  const progress = { steps: [step], doing: [{ name: 'scenarios', done: 3, of: 19 }] };
  const running = { n: 1, text, accepted: '', state: 'running', elapsedMs: 5000, progress };
  expect(act('specification/kept', {})).toMatchObject({ word: running, judged: null });
  await expect(act('specification/check', { text, accepted: '' })).rejects.toThrow('a judgement is under way');
  ends[0]?.();
  const judged = await first;
  expect(act('specification/kept', {})).toMatchObject({ word: { state: 'ended', text }, judged });
  const second = act('specification/check', { text, accepted: '' });
  act('specification/stop', {});
  expect(await second).toEqual({ stopped: true });
  expect(act('specification/kept', {})).toMatchObject({ word: { n: 2, state: 'stopped' }, judged: null });
  act('specification/difference', { text });
  await act('specification/effects', { text, scenario: 'epoch-of-life' });
  const waiting = ['frozen-on-purpose', 'sybil-family', 'complaints'];
  expect(act('specification/kept', {})).toMatchObject({ comparison: { text, waiting, diff: { replicates: 2 } } });
});
