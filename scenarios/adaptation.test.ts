import { describe, expect, it } from 'vitest';
import { describeProblem } from '../spec/document.js';
import { optionsByCounts, startOption, variantsOf } from './adaptation.js';
import { couplingOf } from './coupling.js';
import { featuresOf } from './features.js';
import { groupNames } from './groups.js';
import type { Scenario } from './scenario.js';
import { parseScenario } from './schema.js';

const base = `format: 1
name: one
question: What happens?
duration: 14d
populations:
  - name: workers
    count: 10
    class: autonomous
    heartbeat: { policy: interval, every: 30m }
    budget: { wallet: 1 SOL }
    hash_rate: 2M hashes/s
    adapts:
      by: imitation
      every: 1d
      rate: 0.2
      noise: 0.005 SOL
      mutation: 0.01
      outside: 0.001 SOL
      start: { faithful: 0.9, freezing: 0.1 }
      options:
        faithful: {}
        freezing: { heartbeat: { policy: interval, every: 3h } }
        leaving: { leaves: true }
measures: { every: 1h }
expectations:
  - present_share.workers/freezing < 20% at 7d
`;

function parsed(text: string): Scenario {
  const read = parseScenario(text, 'one.yaml');
  if (!read.ok) throw new Error(read.problems.map(describeProblem).join('\n'));
  return read.value;
}

describe('agents that choose', () => {
  const scenario = parsed(base);
  const [workers] = scenario.populations;

  it('are read with every unit turned into seconds and lamports', () => {
    expect(workers?.adapts).toMatchObject({
      start: { kind: 'shares', of: [0.9, 0.1, 0] },
      revision: {
        rule: { by: 'imitation', noise: 5_000_000, mutation: 0.01 },
        everySec: 86_400,
        rate: 0.2,
        sees: 'options',
        outsideLamports: 1_000_000,
      },
    });
  });

  it('have variants of their population, in which an option replaces keys', () => {
    const variants = variantsOf(scenario.populations);
    expect(variants.map(({ index, option }) => [index, option])).toEqual([
      [0, 0],
      [0, 1],
      [0, 2],
    ]);
    const { adapts: _, ...plain } = workers!;
    expect(variants[0]?.population).toEqual(plain);
    expect(variants[1]?.population).toEqual({
      ...plain,
      heartbeat: { policy: 'interval', everySec: 10_800, jitter: 0 },
    });
  });

  it('are groups, a feature, and coupled', () => {
    expect(groupNames(scenario)).toEqual([
      'autonomous',
      'workers',
      'workers/faithful',
      'workers/freezing',
      'workers/leaving',
    ]);
    expect([...featuresOf(scenario)]).toEqual(['adaptation']);
    expect(couplingOf(scenario)).toBe('agents that choose');
    expect(scenario.measures.names).toEqual(expect.arrayContaining(['present', 'present_share', 'switches']));
  });

  it('are coupled by nothing where they keep their option', () => {
    const fixed = base.replace(/imitation\n(.*\n)*?(?= {6}start)/, 'fixed\n');
    expect(parsed(fixed).populations[0]?.adapts?.revision).toBeNull();
    expect(couplingOf(parsed(fixed))).toBeNull();
  });

  it('begin with equal shares of the options that stay, with shares, or with counts', () => {
    const start = (text: string) => parsed(base.replace(/ {6}start.*\n/, text)).populations[0]?.adapts?.start;
    expect(start('')).toEqual({ kind: 'shares', of: [0.5, 0.5, 0] });
    expect(start('      start: { leaving: 1 }\n')).toEqual({ kind: 'shares', of: [0, 0, 1] });
    expect(start('      start: { counts: { freezing: 7, faithful: 3 } }\n')).toEqual({ kind: 'counts', of: [3, 7, 0] });
  });
});

describe('a mistake in what agents choose among says file, line, key and what is allowed', () => {
  it.each(
    `
by: imitation => by: copying => one.yaml:13: populations.0.adapts.by: must be one of imitation, replicator, best_response, logit, fixed
by: imitation => by: fixed => one.yaml:14: populations.0.adapts.every: is for agents that revise, and by is fixed
by: imitation => by: best_response => one.yaml:16: populations.0.adapts.noise: is for imitation, replicator, logit, and by is best_response
by: imitation => by: logit\\n      sees: agents => one.yaml:14: populations.0.adapts.sees: is for imitation, replicator, and by is logit
noise: 0.005 SOL => noise: 0.005 => one.yaml:16: populations.0.adapts.noise: must be an amount such as 0.5 SOL
every: 1d => every: 14d => one.yaml:14: populations.0.adapts.every: must be before the end of the scenario
every: 1d => evry: 1d => one.yaml:14: populations.0.adapts.evry: is not a key that is known here
rate: 0.2 => rate: 0 => one.yaml:15: populations.0.adapts.rate: must be above zero
rate: 0.2 => rate: 20% => one.yaml:15: populations.0.adapts.rate: must be a number from 0 to 1
mutation: 0.01 => mutation: 2 => one.yaml:17: populations.0.adapts.mutation: must be a number from 0 to 1
freezing: 0.1 } => freezing: 0.2 } => one.yaml:19: populations.0.adapts.start: has shares that sum to 1.1, and must sum to 1
freezing: 0.1 } => frezing: 0.1 } => one.yaml:19: populations.0.adapts.start.frezing: is not an option; known: faithful, freezing, leaving
{ faithful: 0.9, freezing: 0.1 } => { counts: { faithful: 4, freezing: 5 } } => one.yaml:19: populations.0.adapts.start.counts: sum to 9, and the population has 10 agents
{ faithful: 0.9, freezing: 0.1 } => { counts: { faithful: 4, freezing: 5.5 } } => one.yaml:19: populations.0.adapts.start: must be a map of options to shares
        faithful: {} =>         Faithful: {} => one.yaml:21: populations.0.adapts.options.Faithful: must be a lower-case letter
policy: interval, every: 3h => policy: intervall, every: 3h => one.yaml:22: populations.0.adapts.options.freezing.heartbeat.policy: must be interval, keep_alive
freezing: { heartbeat => freezing: { hartbeat => one.yaml:22: populations.0.adapts.options.freezing.hartbeat: is not a key that is known here; known: class, heartbeat
policy: interval, every: 3h => policy: keep_alive, margin: 2h => one.yaml:22: populations.0.adapts.options.freezing.heartbeat: has a margin and spread of 7200 s
freezing: { heartbeat => freezing: { class: narrow_task, heartbeat => one.yaml:22: populations.0.adapts.options.freezing.class: cannot change after an agent has arrived
freezing: { heartbeat => freezing: { lifetime: { distribution: fixed, mean: 1d }, heartbeat => one.yaml:22: populations.0.adapts.options.freezing.lifetime: cannot change after an agent has arrived
freezing: { heartbeat => freezing: { flagging: { every: { distribution: fixed, mean: 1d }, targets: nobody }, heartbeat => one.yaml:22: populations.0.adapts.options.freezing.flagging.targets: "nobody" is not a population here
freezing: { heartbeat => freezing: { spawning: { every: { distribution: fixed, mean: 1d }, into: workers }, heartbeat => one.yaml:22: populations.0.adapts.options.freezing.spawning.into: "workers" must have arrivals
leaving: { leaves: true } => leaving: { leaves: true, resync: false } => one.yaml:23: populations.0.adapts.options.leaving.resync: is of no use to an agent that leaves
leaving: { leaves: true } => leaving: {} => one.yaml:18: populations.0.adapts.outside: is of an option that leaves, and none does
present_share.workers/freezing => present_share.workers/frozen => one.yaml:26: expectations.0: column 15: "workers/frozen" is not
`
      .split('\n')
      .filter((row) => row !== '')
      .map((row) => row.split(' => ').map((cell) => cell.replaceAll('\\n', '\n'))),
  )('%s -> %s', (part = '', replacement = '', problem = '') => {
    expect(base).toContain(part);
    const read = parseScenario(base.replace(part, replacement), 'one.yaml');
    expect(read.ok ? [] : read.problems.map(describeProblem)).toContainEqual(expect.stringContaining(problem));
  });

  it.each(['logit', 'replicator'])('needs noise for %s', (by) => {
    const text = base.replace('imitation', by).replace('noise: 0.005 SOL', 'noise: 0 SOL');
    const read = parseScenario(text, 'one.yaml');
    expect(read.ok ? [] : read.problems.map(describeProblem)).toEqual([
      `one.yaml:16: populations.0.adapts.noise: must be above zero for ${by}`,
    ]);
  });

  it('needs a time between revisions', () => {
    const read = parseScenario(base.replace('      every: 1d\n', ''), 'one.yaml');
    expect(read.ok ? [] : read.problems.map(describeProblem)).toEqual([
      'one.yaml:12: populations.0.adapts.every: is missing: agents that revise need the time between two revisions',
    ]);
  });

  it('names a key of the population that an option makes wrong', () => {
    const text = base
      .replace('by: imitation', 'by: fixed')
      .replace(/ {6}(every|rate|noise|mutation|outside): .*\n/g, '')
      .replace('freezing: { heartbeat', 'freezing: { sigil: at_cap, heartbeat');
    const read = parseScenario(text, 'one.yaml');
    expect(read.ok ? [] : read.problems.map(describeProblem)).toEqual([
      'one.yaml:17: populations.0.adapts.options.freezing.sigil: must be at_birth for roots',
    ]);
  });

  it.each([
    [1, '{ faithful: {} }'],
    [17, `{ ${Array.from({ length: 17 }, (_, i) => `o${i}: {}`).join(', ')} }`],
  ])('refuses %i options', (count, options) => {
    const text = base.replace(/start:[\s\S]*(?=measures:)/, `options: ${options}\n`).replace(/ {6}outside.*\n/, '');
    const read = parseScenario(text.replace('/freezing', ''), 'one.yaml');
    expect(read.ok ? [] : read.problems.map(describeProblem)).toEqual([
      `one.yaml:18: populations.0.adapts.options: are ${count}, and must be from 2 to 16`,
    ]);
  });
});

describe('the first option of an agent', () => {
  it('follows from shares and a uniform number', () => {
    expect([0, 0.24, 0.26, 0.999_999].map((u) => startOption([0.25, 0, 0.75], u))).toEqual([0, 0, 2, 2]);
    expect(startOption([0.1, 0.2, 0.7], 0.999_999_999_999_999_9)).toBe(2);
  });

  it('is that of as many members as a count says, and another count changes no more of them than it must', () => {
    const uniforms = Float64Array.from({ length: 1_000 }, (_, i) => (i * 0.618_034) % 1);
    const one = optionsByCounts([300, 500, 200], uniforms);
    const other = optionsByCounts([301, 499, 200], uniforms);
    expect([0, 1, 2].map((option) => one.filter((each) => each === option).length)).toEqual([300, 500, 200]);
    expect(one.filter((option, member) => option !== other[member]).length).toBe(1);
    // Early and late members have them alike.
    expect(one.slice(0, 500).filter((option) => option === 0).length).toBeGreaterThan(140);
    expect(one.slice(0, 500).filter((option) => option === 0).length).toBeLessThan(160);
  });
});
