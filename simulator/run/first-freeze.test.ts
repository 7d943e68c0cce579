import { describe, expect, it } from 'vitest';
import { smallScenario } from '../../test/fixtures/small-scenario.js';
import { firstFreezes, freezeTimes, quantilesMs } from './first-freeze.js';
import { advance, startRun } from './run.js';

const froze = (sec: number) => 2 * sec + 1;
const censored = (sec: number) => 2 * sec;
const quantiles = (...times: readonly number[]) => quantilesMs(Int32Array.from(times));

describe('quantiles of the time to the first freeze', () => {
  it('are those of the sample where nothing is censored', () => {
    const list = [50, 10, 30, 20, 40, 60, 70, 80, 90, 100].map(froze);
    expect(quantiles(...list)).toEqual({ p10: 10_000, p25: 30_000, p50: 50_000, p75: 80_000, p90: 90_000 });
  });

  it('count a censored agent as at risk until it is lost', () => {
    // Survival: 3/4 at 10 s; 20 s is censored; 3/4 x 1/2 at 30 s; nothing is known after 40 s.
    expect(quantiles(froze(10), censored(20), froze(30), censored(40))).toEqual({
      p10: 10_000,
      p25: 10_000,
      p50: 30_000,
      p75: null,
      p90: null,
    });
  });

  it('are unknown without a freeze, and without agents', () => {
    const unknown = { p10: null, p25: null, p50: null, p75: null, p90: null };
    expect(quantiles(censored(5), censored(6))).toEqual(unknown);
    expect(quantiles()).toEqual(unknown);
  });
});

describe('first freezes of a run', () => {
  it('count from registration, by group, and leave out what comes after a departure', () => {
    const scenario = smallScenario(
      [
        // Silent after its first heartbeat: frozen by the 61st anchor after it.
        { name: 'silent', count: 4, heartbeat: { policy: 'interval', everySec: 80_000, jitter: 0 } },
        { name: 'leavers', count: 3, lifetime: { distribution: 'fixed', meanSec: 5_000 } },
        { name: 'steady', count: 2 },
      ],
      { durationSec: 50_000 },
    );
    const run = startRun(scenario, 1);
    advance(run, scenario.durationSec);
    const [all, silent, leavers, steady] = firstFreezes(scenario, freezeTimes(run.world));
    expect(all).toMatchObject({ agents: 9, frozen: 4, censored: 5 });
    expect(silent).toMatchObject({ group: 'silent', agents: 4, frozen: 4, censored: 0 });
    expect(silent?.quantiles_ms.p10).toBe(61 * 60_000);
    // They freeze an hour after they have left, when nobody cares.
    expect(leavers).toMatchObject({ group: 'leavers', agents: 3, frozen: 0, censored: 3 });
    expect(run.world.cells.freezes[3]).toBe(3);
    expect(steady).toMatchObject({ group: 'steady', frozen: 0, quantiles_ms: { p10: null } });
  });
});
