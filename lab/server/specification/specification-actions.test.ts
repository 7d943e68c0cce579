import { expect, it } from 'vitest';
import type { MeasuredEffects } from '../../../runs/specification/effects.js';
import { ConformanceDesk } from '../conformance/conformance-desk.js';
import { specificationActions } from './specification-actions.js';

it('effects are measured elsewhere: stop is done meanwhile, and ends what is under way, no later measurement', async () => {
  const nothing: MeasuredEffects = { effects: [], unmeasured: [] };
  const signals: AbortSignal[] = [];
  const desk = new ConformanceDesk(undefined, 1, () => undefined);
  const actions = specificationActions(desk, (_measurement, signal) => {
    signals.push(signal);
    // As a thread that comes to its end only when it is stopped; the second one at once.
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
