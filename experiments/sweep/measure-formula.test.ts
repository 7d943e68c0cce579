import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Subject } from '../../scenarios/expectation.js';
import { describeProblem } from '../../spec/document.js';
import { withFormulas } from './measure-formula.js';
import { planSweep } from './plan.js';

const scenarioText = readFileSync(new URL('../../test/fixtures/small.yaml', import.meta.url), 'utf8');
const HEAD = 'format: 1\nname: try\nquestion: What if?\nscenario: small.yaml\nreplicates: 3\n';
const planned = (rest: string) =>
  planSweep({ file: 'try.yaml', text: HEAD + rest, scenarioFile: 'small.yaml', scenarioText, version: '1' });
const problems = (rest: string): readonly string[] => {
  const parsed = planned(rest);
  return parsed.ok ? [] : parsed.problems.map(describeProblem);
};

/** The values of the measures of a file, in a run with these values by measure, group and second. */
function valuesOf(rest: string, inRun: Readonly<Record<string, number>>): readonly number[] {
  const parsed = planned(rest);
  if (!parsed.ok) throw new Error(parsed.problems.map(describeProblem).join('\n'));
  const [arm] = parsed.value.arms;
  const of = ({ measure, group, atSec }: Subject) => inRun[`${measure} ${group} ${atSec}`] ?? Number.NaN;
  return (arm?.subjects ?? []).map(withFormulas(arm?.formulas ?? [], of));
}

describe('a formula of measures', () => {
  it('is computed of the measures of a run, of a group and at a time too', () => {
    const rest = `formulas:
  cost_of_live_day: fees_lamports.workers / live_days.workers
  growth: { formula: late / early - 1, unit: share, where: { late: heartbeats at 2d, early: heartbeats at 1d } }
measures: [cost_of_live_day, growth, cost_of_live_day at 1d, freezes]
`;
    const values = valuesOf(rest, {
      ...{ 'fees_lamports workers null': 7_000, 'live_days workers null': 2.5 },
      ...{ 'heartbeats null 172800': 300, 'heartbeats null 86400': 200 },
      ...{ 'fees_lamports workers 86400': 900, 'live_days workers 86400': 3, 'freezes null null': 4 },
    });
    expect(values).toEqual([2_800, 0.5, 300, 4]);
  });

  it('has no value where it divides by zero, or where one of its measures has none: a ratio of nothing is not 0', () => {
    const rest =
      'formulas: { a: fees_lamports / live_days, b: "min(fees_lamports / live_days, 9)", c: uptime_share * 2 }\nmeasures: [a, b, c]\n';
    const inRun = { 'fees_lamports null null': 5, 'live_days null null': 0, 'uptime_share null null': Number.NaN };
    expect(valuesOf(rest, inRun)).toEqual([Number.NaN, Number.NaN, Number.NaN]);
    const none = { 'fees_lamports null null': 0, 'live_days null null': 0, 'uptime_share null null': 0.25 };
    expect(valuesOf(rest, none)).toEqual([Number.NaN, Number.NaN, 0.5]);
  });

  it('has its unit in results and expectations', () => {
    const rest =
      'formulas: { day: { formula: fees_lamports / live_days, unit: lamports } }\nmeasures: [day]\nexpectations: [mean(day) < 0.001 SOL at 1d]\n';
    const parsed = planned(rest);
    expect(parsed.ok && parsed.value.arms[0]?.measures).toEqual([
      { measure: 'day', group: null, unit: 'lamports', time_ms: 3 * 86_400_000 },
      { measure: 'day', group: null, unit: 'lamports', time_ms: 86_400_000 },
    ]);
    expect(parsed.ok && parsed.value.expectations[0]).toMatchObject({ value: 1_000_000 });
  });

  it('is measured without a list of measures too', () => {
    const parsed = planned('formulas: { day: fees_lamports / live_days }\n');
    expect(parsed.ok && parsed.value.arms[0]?.measures.at(-1)?.measure).toBe('day');
  });

  it.each([
    [
      'formulas:\n  a: fees_lamport / live_days\nmeasures: [a]\n',
      'try.yaml:7: formulas.a: position 1: fees_lamport is no name of this formula; did you mean fees_lamports?',
    ],
    ['formulas:\n  a: 1 +\nmeasures: [a]\n', /^try.yaml:7: formulas.a: position 4: the end is unexpected/],
    [
      'formulas:\n  freezes: 1 + heartbeats\nmeasures: [freezes]\n',
      'try.yaml:7: formulas.freezes: is the name of a measure: choose another',
    ],
    [
      'formulas:\n  a: 1 / (heartbeats - heartbeats)\nmeasures: [a]\n',
      /^try.yaml:7: formulas.a: never has a value: it divides by zero/,
    ],
    [
      'formulas:\n  a: { formula: x + 1, where: { x: freezes, y: freezes } }\nmeasures: [a]\n',
      'try.yaml:7: formulas.a.where.y: is not in the formula',
    ],
    [
      'formulas:\n  a: { formula: x + 1, where: { x: freezes.bees } }\nmeasures: [a]\n',
      /^try.yaml:7: formulas.a.where.x: column 9: "bees" is not a class or population here/,
    ],
    [
      'formulas:\n  a: freezes + 1\nmeasures: [freezes]\n',
      'try.yaml:7: formulas.a: is measured nowhere: list it under measures',
    ],
    [
      'formulas:\n  a: freezes + 1\nmeasures:\n  - a.workers\n',
      'try.yaml:9: measures.0: column 1: a is a formula and has no groups: name them in the formula',
    ],
    [
      'formulas:\n  a: { formula: freezes, unit: euro }\n',
      /^try.yaml:7: formulas.a: must be a formula such as .*, or a map of formula, unit and where; a unit is one of agents, lamports, share, agent-days$/,
    ],
    ['formulas:\n  A: freezes\n', /^try.yaml:7: formulas.A: must be a name of lower-case letters, digits and _$/],
    [
      'formulas:\n  a: freezes\nmeasures: [b]\n',
      /^try.yaml:8: measures.0: column 1: "b" is not a measure; known: a, registered/,
    ],
  ])('%j is refused with its line and key', (rest, message) => {
    expect(problems(rest)).toEqual([typeof message === 'string' ? message : expect.stringMatching(message)]);
  });
});
