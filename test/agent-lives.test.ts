import { describe, expect, it } from 'vitest';
import { lifeCounts, lifeGroups } from '../reports/views/life-marks.js';
import { parseScenario } from '../scenarios/schema.js';
import { recordLives } from '../simulator/run/agent-lives.js';
import { advance, startRun } from '../simulator/run/run.js';
import { trackOf } from '../simulator/run/samples.js';

const PARENTS_THAT_FREEZE = `format: 1
name: lives
question: q
duration: 1d
populations:
  - name: parents
    count: 3
    class: narrow_task
    arrivals: { pattern: uniform, over: 2h }
    heartbeat: { policy: keep_alive, margin: 5m }
    budget: { wallet: 5 SOL }
    hash_rate: 2M hashes/s
    outages: { up: { distribution: exponential, mean: 4h }, down: { distribution: fixed, mean: 2h } }
    spawning: { into: children, every: { distribution: fixed, mean: 1h }, children_max: 2 }
  - name: children
    count: 9
    class: narrow_task
    arrivals: { pattern: spawned }
    sigil: never
    heartbeat: { policy: keep_alive, margin: 5m }
    budget: { wallet: 1 SOL }
    hash_rate: 2M hashes/s
measures: { every: 30m, list: [registered, frozen, freezes, resyncs] }
`;

describe('the lives of agents', () => {
  const parsed = parseScenario(PARENTS_THAT_FREEZE, 'lives.yaml');
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  const run = startRun(parsed.value, 1);
  const livesOf = recordLives(run.world);
  advance(run, parsed.value.durationSec);
  const lives = livesOf();
  const groups = lifeGroups(lives);
  const all = groups.flatMap(({ agents }) => agents);
  const track = (name: 'registered' | 'frozen' | 'freezes' | 'resyncs') => trackOf(run.samples, name, null);

  it('have at each sample as many agents, and as many frozen ones, as the sample', () => {
    expect(track('resyncs').at(-1)).toBeGreaterThan(5);
    for (const [at, second] of run.samples.timesSec.entries()) {
      const [active = 0, resynced = 0, frozen = 0] = lifeCounts(lives, all, second);
      expect([active + resynced + frozen, frozen]).toEqual([track('registered')[at], track('frozen')[at]]);
    }
  });

  it('keep a family together, and leave out an agent that never registered', () => {
    expect(groups.map(({ name, agents }) => [name, agents.length])).toEqual([['parents and descendants', 9]]);
    expect(lives.changes.filter((changes) => changes.length === 0)).toHaveLength(3);
  });
});
