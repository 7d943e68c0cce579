import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseScenario } from '../../scenarios/schema.js';
import { describeProblem } from '../../spec/document.js';
import type { Overlay } from '../../spec/overlay.js';
import { played } from '../../test/fixtures/small-scenario.js';
import { effects, standardScenarios } from './effects.js';

/** The runs so far: several effects are of one. */
const runs = new Map<string, ReturnType<typeof played>>();

function runOf(scenario: string, overlay: Overlay): ReturnType<typeof played> {
  const file = `scenarios/standard/${scenario}.yaml`;
  const parsed = parseScenario(readFileSync(file, 'utf8'), file, overlay);
  if (!parsed.ok) throw new Error(parsed.problems.map(describeProblem).join('\n'));
  return played(parsed.value);
}

/** An effect under an overlay, from one run. */
function measured(id: string, overlay: Overlay = {}): number {
  const effect = effects.find((each) => each.id === id);
  if (effect === undefined) throw new Error(`there is no effect ${id}`);
  const key = JSON.stringify([effect.scenario, overlay]);
  const run = runs.get(key) ?? runOf(effect.scenario, overlay);
  runs.set(key, run);
  return effect.value(run);
}

describe('effects', () => {
  it('are of every standard scenario, each under an id of its own', () => {
    expect(new Set(effects.map(({ scenario }) => scenario))).toEqual(new Set(standardScenarios));
    expect(new Set(effects.map(({ id }) => id)).size).toBe(effects.length);
  });
});

/*
 * Closed forms: an agent that keeps itself alive beats 5 to 7 minutes before the 61st anchor, every 55 in the mean; the epoch has
 * 100,000 minutes, and 800 of the run's 100,800 are of the next.
 */
describe('the effect of a change is what a closed form says', () => {
  const run = 100_800;

  it('caps doubled: the narrow class lives the epoch through', () => {
    const once = (1_000 * 55 + 800) / run;
    expect(Math.abs(measured('uptime.narrow_task') - once)).toBeLessThan(0.02);
    const heartbeat = { narrowTaskCap: 2_000, autonomousCap: 10_000, orchestratorCap: 40_000 };
    // Twice the cap is 110,000 minutes: the cap takes nothing, and outages little.
    expect(measured('uptime.narrow_task', { heartbeat })).toBeGreaterThan(0.98);
  });

  it('flat fees: a day of the middle class costs its heartbeats at one price', () => {
    const beats = 1_440 / 25;
    const sigil = 150_000_000 / 70;
    const tiers = (100 * 500_000 + 900 * 300_000 + (100_000 / 25 - 1_000) * 200_000) / (100_000 / 1_440);
    expect(measured('live-day-cost.autonomous') / (tiers + sigil)).toBeCloseTo(1, 1);
    const flat = { tier1FeeLamports: 300_000, tier2FeeLamports: 300_000, tier3FeeLamports: 300_000 };
    expect(measured('live-day-cost.autonomous', { heartbeat: flat }) / (beats * 300_000 + sigil)).toBeCloseTo(1, 1);
  });

  it('a sponsorship of 2,000 by default: a sponsored family lives on', () => {
    // A hundred heartbeats every 56 minutes, and 61 minutes after the last, of the 14 days less some hours before birth.
    const lived = 100 * 56 + 61;
    expect(Math.abs(measured('sybil-uptime') - lived / (20_160 - 240))).toBeLessThan(0.02);
    expect(measured('sybil-uptime', { sponsor: { heartbeatsEpochDefault: 2_000 } })).toBe(1);
  });

  it('a switch at 30 anchors: complaints take twice the life, and freeloaders live half as long', () => {
    const dms = { missedAnchorsMax: 30, warningAnchors: 24 };
    // Alive for 61 of 65 minutes, or for 31.
    expect(measured('uptime.freeloaders')).toBeCloseTo(61 / 65, 1);
    expect(measured('uptime.freeloaders', { dms })).toBeCloseTo(31 / 65, 1);
  });

  it('a split of revenue is whole', () => {
    const parts = ['operations', 'contributors', 'development', 'treasury', 'referral'];
    const sum = parts.reduce((total, part) => total + measured(`revenue.${part}`), 0);
    expect(sum / measured('revenue')).toBeCloseTo(1, 9);
  });
});
