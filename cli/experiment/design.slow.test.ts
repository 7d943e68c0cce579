import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { DesignResult } from '../../results/design-result.js';
import { aips } from '../../test/fixtures/aips.js';

const folder = mkdtempSync(join(tmpdir(), 'aips-design-'));
const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
const read = (name: string): string => readFileSync(join(folder, name), 'utf8');

const scenario = (adapts: string): string => `format: 1
name: pace
question: What do agents pay?
seed: 1
duration: 2d
populations:
  - name: workers
    count: 4
    class: autonomous
    heartbeat: { policy: keep_alive, margin: 5m, spread: 2m }
    budget: { wallet: 2 SOL }
    hash_rate: 2M hashes/s
    economics: { live_day: 0.02 SOL, gigahash: 1000 lamports }
${adapts}measures: { every: 1d }
`;
const ADAPTS = `    adapts:
      options:
        faithful: {}
        freezing: { heartbeat: { policy: interval, every: 65m } }
      by: fixed
`;
const design = (number: string, rest: string): string => `format: 1
name: fees
question: Which fee?
scenario: pace.scenario.yaml
replicates: 2
numbers:
  ${number}
points: 20
confirm: 3
${rest}`;
const FEE = 'protocol.heartbeat.tier1FeeLamports: { from: 100000, to: 900000, whole: true }';

beforeAll(() => {
  write('pace.scenario.yaml', scenario(''));
  write('game.scenario.yaml', scenario(ADAPTS));
  write(
    'game.yaml',
    'format: 1\nname: game\nquestion: Do they freeze?\nscenario: game.scenario.yaml\nreplicates: 2\nreplicates_max: 2\nheld_out: 3\nheld_out_max: 3\nwarmup: 1d\nstarts: 5\n',
  );
});

describe('aips experiment design', () => {
  it('emits the change, its sentences and the game before and after; the lint takes the overlay', async () => {
    const number = 'protocol.resync.feeLamports: { from: 700000, to: 1400000, whole: true }';
    write(
      'reform.yaml',
      design(number, 'objectives: [{ minimize: live_day_cost_lamports }]\nequilibrium: game.yaml\n'),
    );
    const { status, stdout } = await aips(
      folder,
      'experiment',
      'design',
      'reform.yaml',
      '--json',
      '--out',
      'r',
      '--emit',
      'e',
    );
    const result = JSON.parse(stdout) as DesignResult;
    expect([status, result.reached, result.front.length]).toEqual([0, true, 1]);
    // Freezing is a best response under the numbers of today, and costs more than it saves once each return is paid for.
    expect(result.equilibrium?.before.equilibria[0]?.mixture).toEqual([[0, 1]]);
    expect(result.equilibrium?.after.equilibria[0]?.mixture).toEqual([[1, 0]]);
    expect(result.equilibrium?.moves).toBe(true);
    expect(readdirSync(join(folder, 'e')).toSorted()).toEqual([
      ...['README.md', 'change.yaml', 'design.json', 'equilibrium-after.json', 'equilibrium-before.json'],
      ...['front.csv', 'sentences.diff'],
    ]);
    const chosen = result.front[0]?.set['protocol.resync.feeLamports'];
    expect(read('e/change.yaml').split('\n').slice(1)).toEqual(['resync:', `  feeLamports: ${chosen}`, '']);
    expect(read('e/sentences.diff')).toContain(`+ resync.feeLamports ${chosen} lamports`);
    expect(read('e/README.md')).toContain('aips experiment design reform.yaml --emit e');
    const check = await aips(folder, 'spec', 'check', 'e/change.yaml', '--only', 'resync/*', '--replicates', '0');
    expect([check.status, check.stdout]).toEqual([0, expect.any(String)]);
  });

  it('has a front of two objectives with intervals, as a table and as a figure', async () => {
    const day = 'formulas: { day: { formula: fees_lamports / live_days, unit: lamports } }\n';
    const two = `${day}objectives: [{ maximize: fees_lamports }, { minimize: day }]\nfront: 5\n`;
    write('front.yaml', design(FEE, two));
    const { status } = await aips(folder, 'experiment', 'design', 'front.yaml', '--out', 'f');
    const { front, objectives } = JSON.parse(read('f/design.json')) as DesignResult;
    expect([status, objectives.map(({ direction }) => direction)]).toEqual([0, ['maximize', 'minimize']]);
    expect(objectives[1]).toMatchObject({ measure: 'day', unit: 'lamports' });
    expect(front.length).toBeGreaterThan(2);
    const fees = front.map((point) => point.objectives[0]?.mean ?? 0);
    expect(fees).toEqual(fees.toSorted((a, b) => b - a));
    expect(read('f/front.csv').trim().split('\n')).toHaveLength(1 + 2 * front.length);
    expect(read('f/front.svg')).toContain('<circle');
  });

  it.each([
    [
      'populations.workers.count: { from: 1, to: 4, whole: true }',
      'objectives: [{ maximize: fees_lamports }]',
      'numbers.populations.workers.count: is no number of the protocol',
    ],
    [FEE, 'objectives: [{ maximize: fee }]', 'objectives.0.maximize'],
    [FEE, 'objectives: [{ maximize: fees_lamports, minimize: fees_lamports }]', 'must be one of maximize and minimize'],
    [FEE, 'objectives: [{ maximize: fees_lamports }]\nequilibrium: none.yaml', 'none.yaml'],
    [FEE, 'formulas: { day: fees_lamports / live_day }\nobjectives: [{ minimize: day }]', 'did you mean live_days?'],
    [FEE, 'formulas: { day: live_days }\nobjectives: [{ maximize: fees_lamports }]', 'formulas.day: is in no goal'],
  ])('refuses %s with %s', async (number, rest, message) => {
    write('bad.yaml', design(number, `${rest}\n`));
    const { status, stderr } = await aips(folder, 'experiment', 'design', 'bad.yaml');
    expect([status, stderr]).toEqual([2, expect.stringContaining(message)]);
    expect(stderr).not.toContain('at ');
  });
});
