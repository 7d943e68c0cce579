import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { MeasuredEffects } from '../../../runs/specification/effects.js';
import { commandFolder } from '../../../test/fixtures/command-folder.js';
import { ConformanceDesk } from '../conformance/conformance-desk.js';
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
