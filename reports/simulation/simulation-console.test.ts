import { describe, expect, it } from 'vitest';
import { emptySimulation, hostileSimulation, simulationFixture } from '../../test/fixtures/results.js';
import { simulationSummary } from './simulation-console.js';

const plain = { colour: false };

describe('simulationSummary', () => {
  it('tells all of a run', () => {
    expect(simulationSummary(simulationFixture(), plain)).toBe(`quickstart: 2,000 agents, 14 days of protocol time
What does an outage of a third of the agents cost, and how soon are they back?

  Agents                   2,000
  Share of agents frozen  1.23 %
  Fees paid               32 SOL
  Heartbeats accepted     42,500
  Resyncs                    200

48,940 operations: 46,700 accepted, 2,240 refused
             accepted  refused
  register      2,000        0
  heartbeat    42,500    2,140  HEARTBEAT_TOO_SOON 1,200, AGENT_FROZEN 940
  sigil         2,000      100  PAYMENT_INVALID 100
  resync          200        0

1 of 2 expectations passes
  pass  frozen_share < 0.05 after 7d  (measured 1.23 %)
  FAIL  resyncs > 500  (measured 200)

2 invariants held, checked 46,836 times
event hash  ${'e2'.repeat(32)}
seed        7
again       aips simulate scenarios/library/quickstart.yaml --seed 7
took        1.84 s, 26,598 operations/s
`);
  });

  it('has a line for each option of agents that choose', () => {
    const series = [
      { name: 'present_share', unit: 'share', label: '', group: 'workers', values: [0, 1] },
      { name: 'present_share', unit: 'share', label: '', group: 'workers/faithful', values: [0, 0.25] },
      { name: 'present_share', unit: 'share', label: '', group: 'workers/freezing', values: [0, 0.75] },
      { name: 'switches', unit: '', label: '', group: 'workers/faithful', values: [0, 4] },
      { name: 'switches', unit: '', label: '', group: 'workers/freezing', values: [0, 1_200] },
    ];
    expect(simulationSummary(simulationFixture({ series }), plain)).toContain(`
options at the end
                    share  switches to it
  workers/faithful   25 %               4
  workers/freezing   75 %           1,200
`);
  });

  it('says that a run is partial, and that nothing was expected', () => {
    const text = simulationSummary(emptySimulation(), plain);
    expect(text).toContain('the run ended before its time: every number below is partial');
    expect(text).toContain('nothing was expected');
    expect(text).toContain('0 operations: 0 accepted, 0 refused');
  });

  it('tells where a count ended the growth of a population', () => {
    const fixture = simulationFixture();
    const grown = { population: 'sybils', count: 300, at_ms: 259_200_000, births_prevented: 12, allowed: false };
    const text = simulationSummary({ ...fixture, manifest: { ...fixture.manifest, censored: [grown] } }, plain);
    expect(text).toContain('the count of sybils (300) ended its growth at 3 days: 12 births prevented\n');
  });

  it('shows twelve totals at most', () => {
    const totals = Object.fromEntries(Array.from({ length: 14 }, (_, at) => [`total_${at}`, at]));
    const text = simulationSummary(simulationFixture({ totals }), plain);
    expect(text).toContain('  Total 11  11\n  and 2 totals more in summary.json\n');
    expect(text).not.toContain('Total 12');
  });

  it('has colours only when asked', () => {
    expect(simulationSummary(simulationFixture(), plain)).not.toContain('\u001b');
    expect(simulationSummary(simulationFixture(), { colour: true })).toContain('\u001b[31mFAIL');
  });

  it('lets no hostile text reach the terminal', () => {
    const text = simulationSummary(hostileSimulation(), plain);
    expect(text).not.toMatch(/[^\P{Cc}\n]|\u202e/u);
    expect(text).toContain('␛[31mred[U+202E]');
  });
});
