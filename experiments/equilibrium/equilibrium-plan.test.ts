import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { root } from '../../test/source-tree.js';
import { planSweep } from '../sweep/plan.js';
import { parseEquilibrium } from './equilibrium-file.js';
import { type EquilibriumPlan, planEquilibrium } from './equilibrium-plan.js';

const FOLDER = join(root, 'scenarios/experiments');
const scenario = readFileSync(join(FOLDER, 'freezing-equilibrium.scenario.yaml'), 'utf8').replace(
  '      by: fixed\n',
  `        leaving: { leaves: true }
        deviator: { resync: false }
      by: imitation
      every: 1d
      noise: 0.005 SOL
      outside: 0.001 SOL
`,
);
const text = readFileSync(join(FOLDER, 'freezing-equilibrium.yaml'), 'utf8');

/** The plan of the library's file, with more options, or its first problem. */
function planned(change: (file: string) => string = (file) => file, scenarioText = scenario): EquilibriumPlan | string {
  const source = { file: 'game.yaml', text: change(text), scenarioFile: 'scenario.yaml', scenarioText };
  const file = parseEquilibrium(source.text, source.file);
  const plan = file.ok ? planEquilibrium(file.value, source) : file;
  return plan.ok ? plan.value : `${plan.problems[0]?.key}: ${plan.problems[0]?.message}`;
}

describe('the plan of a game', () => {
  const plan = planned() as EquilibriumPlan;
  const cell = { role: 0, option: 1, others: [[40, 30, 20, 9]] };

  it('has a role for each population with options, and four players for many agents', () => {
    expect(plan.roles).toEqual([
      { name: 'workers', players: 4, options: ['faithful', 'freezing', 'leaving', 'deviator'] },
    ]);
    expect(plan.agents).toEqual([100]);
  });

  it('gives the agents that deviate an option of their own, which comes first and has a name of its own', () => {
    const { populations } = parse(plan.scenarioText) as { populations: { adapts: { options: object; by: string } }[] };
    expect(Object.keys(populations[0]?.adapts.options ?? {})[0]).toBe('deviator-2');
    expect(populations[0]?.adapts.by).toBe('fixed');
    expect(plan.settingsOf(cell)).toEqual({
      'populations.workers.adapts.options.deviator-2': { heartbeat: { policy: 'interval', every: '65m' } },
      'populations.workers.adapts.start': {
        counts: { 'deviator-2': 1, faithful: 40, freezing: 30, leaving: 20, deviator: 9 },
      },
    });
  });

  it('is played by a sweep that its scenario takes, with an arm for each cell', () => {
    const sweep = planSweep({
      ...{ file: 'game.yaml', text: plan.sweepTextOf([cell, { ...cell, option: 0 }], 7, 3), version: '0' },
      ...{ scenarioFile: 'scenario.yaml', scenarioText: plan.scenarioText },
    });
    expect(sweep.ok ? sweep.value.arms.map(({ subjects }) => subjects) : sweep.problems).toEqual(
      new Array(2).fill([
        { measure: 'profit_lamports', group: 'workers/deviator-2', atSec: null },
        { measure: 'profit_lamports', group: 'workers/deviator-2', atSec: 86_400 },
      ]),
    );
    expect(sweep.ok && [sweep.value.inputs.seed, sweep.value.inputs.replicates]).toEqual([7, 3]);
  });

  it('has the profit after the warm-up for each day, and the outside payoff where agents leave', () => {
    const run = { arm: 0, replicate: 0, seed: 1, event_hash: '', values: [9_000, 1_000], not_held: [] };
    // Four of five days count.
    expect(plan.payoffOf(cell, run)).toBe(2_000);
    expect(plan.payoffOf(cell, { ...run, error: 'no memory' })).toBeNull();
    expect([0, 1, 2, 3].map((option) => plan.outsideOf({ ...cell, option }))).toEqual([null, null, 1_000_000, null]);
  });

  it('has four times as many runs where it is not sure', () => {
    const file = parseEquilibrium(text.replace(/held_out_max.*\n/, ''), 'game.yaml');
    expect(file.ok && [file.value.replicates_max, file.value.held_out_max]).toEqual([16, 40]);
  });

  it('is refused for more combinations of options than are gone through', () => {
    const [, start = '', own = '', end = ''] = /^(.*populations:\n)(.*)(measures:.*)$/s.exec(scenario) ?? [];
    const many = Array.from({ length: 7 }, (_, i) => own.replace('name: workers', `name: workers-${i}`)).join('');
    expect(planned((file) => file, `${start}${many}${end}`)).toBe(
      'scenario: has more than 4096 combinations of options: fewer populations with adapts, or fewer options',
    );
  });
});
