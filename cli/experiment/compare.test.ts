import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Comparison, PlannedRuns } from '../../results/sweep-result.js';
import { aips } from '../../test/fixtures/aips.js';
import { root } from '../../test/source-tree.js';

const folder = mkdtempSync(join(tmpdir(), 'aips-compare-'));
const sweepText = (rest: string): string => `format: 1
name: fees
question: Is a change of the fee found?
scenario: small.yaml
replicates: 8
measures: [freezes, fees_lamports, heartbeats, fees_lamports at 5h]
${rest}`;
/** Two per cent on the fee of the first tier, which all of these heartbeats are in. */
const FEES = 'design: { kind: grid, factors: { "protocol.heartbeat.tier1FeeLamports": [500000, 510000] } }\n';
const SAME = 'design: { kind: table, rows: [{ name: one, set: {} }, { name: two, set: { question: Again? } }] }\n';

async function comparisons(...args: readonly string[]): Promise<readonly Comparison[]> {
  const { stdout, stderr } = await aips(folder, 'experiment', 'compare', ...args, '--json');
  expect(stderr).toBe('');
  return (JSON.parse(stdout) as { comparisons: Comparison[] }).comparisons;
}
const of = (list: readonly Comparison[], name: string): Comparison => {
  const found = list.find(({ measure }) => measure === name);
  if (found === undefined) throw new Error(`${name} was not compared`);
  return found;
};

beforeAll(async () => {
  const small = readFileSync(join(root, 'test/fixtures/small.yaml'), 'utf8');
  writeFileSync(
    join(folder, 'small.yaml'),
    small.replace('duration: 3d', 'duration: 10h').replace('count: 40', 'count: 8'),
  );
  const independent = 'common_random_numbers: false\n';
  const sweeps = { fees: FEES, apart: `${FEES}${independent}`, same: SAME, luck: `${SAME}${independent}` };
  for (const [name, rest] of Object.entries(sweeps)) {
    writeFileSync(join(folder, `${name}.yaml`), sweepText(rest));
    const { status, stderr } = await aips(folder, 'experiment', 'sweep', `${name}.yaml`, '--out', name);
    expect([status, stderr]).toEqual([0, '']);
  }
});

describe('aips experiment compare', () => {
  it('finds a change of 2 % in a fee that is there, and that nothing else changed', async () => {
    const found = await comparisons('fees@0', 'fees@1');
    const fees = of(found, 'fees_lamports');
    expect(fees.verdict).toBe('B is higher');
    expect(fees.paired).toBe(true);
    expect(of(found, 'heartbeats').verdict).toBe('identical');
    expect(fees.difference).toBeCloseTo(10_000 * of(found, 'heartbeats').means[0], 3);
  });

  it('shows by how much pairs narrow the interval, and misses the change without them', async () => {
    const [paired, apart] = [await comparisons('fees@0', 'fees@1'), await comparisons('apart@0', 'apart@1')];
    expect(of(paired, 'fees_lamports').narrowed).toBeGreaterThan(5);
    expect(of(apart, 'fees_lamports')).toMatchObject({ paired: false, verdict: 'no difference shown', narrowed: null });
    const width = ({ t95: [low, high] }: Comparison): number => high - low;
    expect(width(of(apart, 'fees_lamports'))).toBeGreaterThan(5 * width(of(paired, 'fees_lamports')));
  });

  it('finds exactly no difference between identical arms with common random numbers, and shows none without', async () => {
    expect((await comparisons('same@one', 'same@two')).map(({ verdict }) => verdict)).toEqual([
      'identical',
      'identical',
      'identical',
      'identical',
    ]);
    for (const { verdict, paired } of await comparisons('luck@one', 'luck@two')) {
      expect([verdict, paired]).toEqual(['no difference shown', false]);
    }
  });

  it('compares whole sweeps arm by arm, in plain words', async () => {
    const { stdout, status } = await aips(folder, 'experiment', 'compare', 'same', 'luck', '--measure', 'freezes');
    expect(status).toBe(0);
    expect(stdout).toContain('A: one   B: one\n  freezes: no difference shown: ');
    expect(stdout).toContain('A: two   B: two\n');
    expect(stdout).toContain('2 comparisons');
  });

  it.each([
    [['fees@9', 'fees@1'], /^fees@9: there is no arm 9; known: 0 \(/],
    [
      ['fees', 'same'],
      /^fees and same have no arm of the same name. Name one of each: FOLDER@ARM, by number or name.$/m,
    ],
    [['none', 'fees'], /^none\/sweep.json: there is no such sweep.$/m],
    [
      ['fees@0', 'fees@1', '--measure', 'resyncs'],
      /^--measure resyncs: these sweeps have no such measure; known: freezes, fees_lamports at 10h, heartbeats, fees_lamports at 5h.$/m,
    ],
    [
      ['fees@0', 'fees@1', '--measure', 'fees_lamports at 7h'],
      /^--measure fees_lamports at 7h: these sweeps have no such/,
    ],
  ])('refuses %j and says why', async (args, message) => {
    const { status, stderr } = await aips(folder, 'experiment', 'compare', ...args);
    expect([status, stderr]).toEqual([2, expect.stringMatching(message)]);
  });
});

describe('a measure at two times', () => {
  it('is told apart by its time, and can be named with it', async () => {
    const all = await aips(folder, 'experiment', 'compare', 'fees@0', 'fees@1', '--measure', 'fees_lamports');
    expect(all.stdout).toMatch(/^ {2}fees_lamports at 10h: [\s\S]*^ {2}fees_lamports at 5h: /m);
    const [early, ...others] = await comparisons('fees@0', 'fees@1', '--measure', 'fees_lamports at 5h');
    expect([early?.time_ms, others]).toEqual([18_000_000, []]);
  });
});

describe('aips experiment power', () => {
  it('takes a difference as an amount of money, of measures that are money', async () => {
    const planned = async (difference: string): Promise<readonly PlannedRuns[]> => {
      const { stdout } = await aips(
        folder,
        'experiment',
        'power',
        'fees@0',
        'fees@1',
        '--difference',
        difference,
        '--json',
      );
      return (JSON.parse(stdout) as { measures: PlannedRuns[] }).measures;
    };
    const money = await planned('0.001 SOL');
    expect(money.map(({ measure, difference }) => [measure, difference])).toEqual([
      ['fees_lamports', 1_000_000],
      ['fees_lamports', 1_000_000],
    ]);
    expect((await planned('1000000')).filter(({ measure }) => measure === 'fees_lamports')).toEqual(money);
  });

  it('says how many replicates show a difference of 2 %, in pairs and without', async () => {
    const power = ['experiment', 'power', 'fees@0', 'fees@1', '--measure', 'fees_lamports', '--difference', '2%'];
    const { stdout, status, stderr } = await aips(folder, ...power, '--json');
    expect([status, stderr]).toEqual([0, '']);
    const [fees] = (JSON.parse(stdout) as { measures: PlannedRuns[] }).measures;
    expect(fees).toMatchObject({ measure: 'fees_lamports', power: 0.8, level: 0.05, pilot: [8, 8] });
    expect(fees?.paired?.runs).toBeLessThan(5);
    expect(fees?.independent.runs).toBeGreaterThan(20);
    const text = await aips(folder, ...power);
    expect(text.stdout).toMatch(
      /^A: .*\n {2}fees_lamports at 10h: a difference of .* shows with \d+ runs.* in pairs, \d+ runs/,
    );
  });

  it.each([
    [
      ['--difference', '0'],
      /^--difference must be a number above zero in the unit of the measure \(lamports for money\), an amount/m,
    ],
    [['--difference', '1 lamport'], /^--difference must be a number above zero/m],
    [
      ['--difference', '0.01 SOL', '--measure', 'freezes'],
      /^There is nothing to plan: no measure in common that is money, /,
    ],
    [['--difference', '1', '--power', '1.2'], /^--power must be a number between 0 and 1.$/m],
    [['--difference', '1', '--power', '0.01'], /^--power must be above --level, which every test has.$/m],
    [['--difference', '1', '--measure', 'resyncs'], /^--measure resyncs: these sweeps have no such measure; known: /],
  ])('refuses %j and says why', async (args, message) => {
    const { status, stderr } = await aips(folder, 'experiment', 'power', 'fees@0', 'fees@1', ...args);
    expect([status, stderr]).toEqual([2, expect.stringMatching(message)]);
  });
});
