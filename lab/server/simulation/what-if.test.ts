import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseScenario } from '../../../scenarios/schema.js';
import { root } from '../../../test/source-tree.js';
import { rulesOf, withChange } from './what-if.js';

const library = (name: string): string => readFileSync(join(root, `scenarios/library/${name}.yaml`), 'utf8');
const SPAM = library('heartbeat-spam');
const CHANGE = library('fee-change');
const TIERS = ['heartbeat.tier1FeeLamports', 'heartbeat.tier2FeeLamports', 'heartbeat.tier3FeeLamports'];
const FEES = [...TIERS, 'heartbeat.epochFeeLamports'];
const doubled = { paths: TIERS, how: 'times', value: 2, at: '3d' } as const;

/** The lines of a text that another one has not. */
const added = (before: string, after: string): readonly string[] =>
  after.split('\n').filter((line) => !before.split('\n').includes(line));
const read = (text: string) => {
  const parsed = parseScenario(text, 'x.yaml');
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return parsed.value;
};

describe('the text with a change', () => {
  it('has an intervention from a day on, and is otherwise the same text', () => {
    const text = withChange(SPAM, doubled);
    expect(text.startsWith(SPAM.trimEnd())).toBe(true);
    expect(added(SPAM, text)).toEqual([
      'interventions:',
      '  - kind: protocol',
      '    at: 3d',
      '    set: { heartbeat: { tier1FeeLamports: 1000000, tier2FeeLamports: 600000, tier3FeeLamports: 400000 } }',
    ]);
    expect(read(text).interventions).toMatchObject([
      { atSec: 259_200, set: { heartbeat: { tier2FeeLamports: 600_000 } } },
    ]);
  });

  it('has a number from the start', () => {
    const text = withChange(SPAM, { paths: ['dms.missedAnchorsMax'], how: 'to', value: 90, at: '0s' });
    expect(added(SPAM, text)).toEqual(['protocol:', '  dms:', '    missedAnchorsMax: 90']);
    const again = withChange(text, { paths: ['dms.missedAnchorsMax'], how: 'times', value: 2, at: '0s' });
    expect(again).toBe(text.replace('Max: 90', 'Max: 180'));
  });

  it('counts from what the number is at that moment, and joins a change of the same moment', () => {
    const later = withChange(CHANGE, { ...doubled, at: '12d' });
    expect(added(CHANGE, later).join()).toContain('tier1FeeLamports: 2000000');
    const same = withChange(CHANGE, { paths: ['dms.missedAnchorsMax'], how: 'to', value: 90, at: '240h' });
    expect(read(same).interventions).toHaveLength(1);
    expect(same).toContain('dms: { missedAnchorsMax: 90 }');
    expect(added(same, CHANGE)).toHaveLength(1);
  });

  it('keeps comments of the key that it changes, and those around it', () => {
    const text = CHANGE.replace('interventions:\n', '# one\ninterventions:\n  # two\n').replace(
      'at: 10d',
      'at: 10d # three',
    );
    const changed = withChange(text.replace('\nmeasures:', '  # four\n# five\nmeasures:'), doubled);
    for (const word of ['one', 'two', 'three', 'four', 'five'])
      expect(changed.match(new RegExp(`# ${word}`, 'g'))).toHaveLength(1);
    expect(changed).toMatch(/# one\ninterventions:\n {2}# two\n[^#]*at: 10d # three/);
    expect(read(changed).interventions).toHaveLength(2);
  });

  it('of a scenario in one line of JSON can be read', () => {
    const { name, ...rest } = JSON.parse(
      '{"name":"x","format":1,"question":"?","duration":"4d","populations":[{"name":"a","count":1,"class":"autonomous","heartbeat":{"policy":"interval","every":"1h"},"budget":{"wallet":1},"hash_rate":"1M hashes/s"}],"measures":{"every":"1h"},"interventions":[]}',
    );
    const changed = withChange(JSON.stringify({ name, ...rest }), doubled);
    expect(read(changed).interventions).toHaveLength(1);
  });

  it.each([
    [{ ...doubled, at: '5d' }, 'must be before the end of the scenario'],
    [{ ...doubled, paths: ['heartbeat.epochBeats'] }, 'cannot change in the middle of a run'],
    [{ ...doubled, paths: ['dms.warningAnchors'] }, 'contradict each other'],
    [{ ...doubled, paths: ['no.such'] }, 'is not a key that is known here'],
    [{ ...doubled, how: 'to', value: -1 } as const, 'must be a whole number from 0'],
  ])('is refused with the reason: %j', (change, why) => {
    expect(() => withChange(SPAM, change)).toThrow(why);
  });
});

it('rules have the numbers of the scenario, units and bounds, and all fees of a section together', () => {
  const rules = rulesOf(withChange(SPAM, { ...doubled, at: '0s' }));
  expect(rules.find(({ section }) => section === 'heartbeat')).toEqual({
    ...{
      section: 'heartbeat',
      name: 'all fees',
      paths: FEES,
      unit: 'lamports',
      values: [1_000_000, 600_000, 400_000, 0],
    },
    ...{ low: 0, high: Number.MAX_SAFE_INTEGER, fixed: false },
    clauses: [1, 2, 3].map((tier) => ({
      ...{ id: `fee.heartbeat.tier-${tier}`, section: '4.5' },
      text: expect.stringMatching(/^Heartbeats .* lamports\) each and are tier \d\.$/),
    })),
  });
  expect(rules.find(({ paths }) => paths[0] === 'anchor.intervalSec')).toMatchObject({
    unit: 's',
    low: 1,
    fixed: true,
  });
  expect(rulesOf('no: scenario').find(({ name }) => name === 'missedAnchorsMax')?.values).toEqual([60]);
});

it('rules have the numbers of a moment, and none of a part that no simulation has', () => {
  const twice = withChange(withChange(SPAM, doubled), doubled);
  const fees = (sec: number) => rulesOf(twice, sec).find(({ name }) => name === 'all fees')?.values;
  expect(fees(259_199)).toEqual([500_000, 300_000, 200_000, 0]);
  expect(fees(259_200)).toEqual([2_000_000, 1_200_000, 800_000, 0]);
  expect(rulesOf(SPAM).filter(({ section }) => ['limits', 'webhook'].includes(section))).toEqual([]);
});
