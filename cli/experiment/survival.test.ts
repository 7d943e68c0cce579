import { cpSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { SweepSummary } from '../../results/sweep-result.js';
import { aips } from '../../test/fixtures/aips.js';

const folder = mkdtempSync(join(tmpdir(), 'aips-survival-'));
const agents = (name: string, meanUp: string) => `  - name: ${name}
    count: 100
    class: narrow_task
    heartbeat: { policy: interval, every: 20m }
    budget: { wallet: 9 SOL }
    hash_rate: 1M hashes/s
    outages: { up: { distribution: exponential, mean: ${meanUp} }, down: { distribution: fixed, mean: 4h } }
`;
// Lines that are cut off at a constant risk, for longer than any freeze takes.
const SCENARIO = `format: 1
name: cut-off
question: How long until a line is cut off?
duration: 30h
populations:
${agents('steady', '1d')}${agents('frail', '8h')}measures: { every: 1d }
`;
const SWEEP = `format: 1
name: lives
question: How long do agents live?
scenario: scenario.yaml
replicates: 3
design: { kind: grid, factors: { protocol.dms.missedAnchorsMax: [60, 120] } }
measures: [frozen_share]
survival: { of: first_freeze, by: population }
`;
const experiment = (...args: readonly string[]) => aips(folder, 'experiment', ...args);
const text = (path: string): string => readFileSync(join(folder, path), 'utf8');
const bytes = (out: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(join(folder, out)).map((name) => [name, readFileSync(join(folder, out, name)).toString('base64')]),
  );
let shown = '';

beforeAll(async () => {
  writeFileSync(join(folder, 'scenario.yaml'), SCENARIO);
  writeFileSync(join(folder, 'lives.yaml'), SWEEP);
  const { status, stdout } = await experiment('sweep', 'lives.yaml', '--out', 'whole');
  expect(status).toBe(0);
  shown = stdout;
});

/** The steps of a curve: time in hours, and the share not yet frozen. */
function curveOf(arm: number, group: string): readonly (readonly [hours: number, survival: number])[] {
  const rows = text('whole/survival.csv').trimEnd().split('\n').slice(1);
  return rows
    .map((row) => row.split(','))
    .filter(([own, , population]) => own === String(arm) && population === group)
    .map(([, , , ms, , , survival]) => [Number(ms) / 3_600_000, Number(survival)] as const);
}
const summary = (): SweepSummary => JSON.parse(text('whole/summary.json')) as SweepSummary;

describe('survival in a sweep', () => {
  // An agent freezes at the 61st anchor after its last heartbeat, which is up to 20 minutes before the cut.
  it.each([
    ['steady', 24],
    ['frail', 8],
  ])('of agents with exponential up-times is exponential after the hour of the freeze: %s', (group, mean) => {
    const curve = curveOf(0, group);
    expect(curve.length).toBeGreaterThan(100);
    const at = (hours: number): number => curve.findLast(([time]) => time <= hours)?.[1] ?? Number.NaN;
    const freeze = 51 / 60;
    expect(at(40 / 60)).toBe(1);
    // The bound of Kolmogorov and Smirnov, which 300 agents exceed in one of a hundred samples.
    const bound = 1.63 / Math.sqrt(300);
    for (const [hours, survival] of curve.filter(([time]) => time > 1))
      expect(Math.abs(survival - Math.exp((freeze - hours) / mean))).toBeLessThan(bound);
    // No memory: those who have lived for 10 hours live on like those who begin.
    expect(Math.abs(at(freeze + 20) - at(freeze + 10) ** 2)).toBeLessThan(bound);
    const { median_ms, median95_ms } =
      summary().survival?.curves.find((each) => each.arm === 0 && each.group === group) ?? {};
    const known = (freeze + mean * Math.LN2) * 3_600_000;
    expect(Math.abs((median_ms ?? 0) - known) / known).toBeLessThan(0.15);
    expect(median95_ms?.[0]).toBeLessThan(known);
    expect(median95_ms?.[1]).toBeGreaterThan(known);
  });

  it('has the same agents in both arms, who freeze an hour later where 60 more anchors may be missed', () => {
    const [one, other] = [curveOf(0, 'frail'), curveOf(1, 'frail')];
    const [first, later] = [one[50], other[50]];
    expect(later?.[0]).toBeCloseTo((first?.[0] ?? 0) + 1, 9);
    expect(later?.[1]).toBe(first?.[1]);
  });

  it('tests groups and arms', () => {
    const { tests = [], curves = [] } = summary().survival ?? {};
    expect(curves.map(({ arm, group, agents: n }) => [arm, group, n])).toEqual(
      [0, 1].flatMap((arm) => [
        [arm, null, 600],
        [arm, 'steady', 300],
        [arm, 'frail', 300],
      ]),
    );
    for (const { agents: n, frozen, censored } of curves) expect(frozen + censored).toBe(n);
    expect(tests.map(({ compared, arm, group }) => [compared, arm, group])).toEqual([
      ['groups', 0, null],
      ['groups', 1, null],
      ['arms', null, null],
      ['arms', null, 'steady'],
      ['arms', null, 'frail'],
    ]);
    // The score test of rates as 3 to 1 with 300 agents each.
    expect(tests[0]?.chi_square).toBeGreaterThan(60);
    expect(tests[0]?.p).toBeLessThan(1e-12);
    expect(tests[3]?.p).toBeGreaterThan(0.001);
    expect(shown).toMatch(/\n {2}missedAnchorsMax=60, steady {3}1[5-9] h \d+ min \(95 %: .* of 300 agents\n/);
    expect(shown).toMatch(/log-rank of arms, frail: chi-square [\d.]+, 1 df, p = /);
    expect(shown).toMatch(/ survival\.csv and survival\.parquet\n$/);
  });

  it('has the same bytes in threads, in shards and after an interruption', async () => {
    for (const part of [1, 2])
      await experiment('sweep', 'lives.yaml', '--threads', '3', '--shard', `${part}/2`, '--out', `part-${part}`);
    expect((await experiment('merge', 'part-1', 'part-2', '--out', 'merged')).status).toBe(0);
    expect(bytes('merged')).toEqual(bytes('whole'));
    cpSync(join(folder, 'part-2'), join(folder, 'cut'), { recursive: true });
    writeFileSync(join(folder, 'cut/runs.ndjson'), text('part-2/runs.ndjson').slice(0, -9));
    expect((await experiment('resume', 'cut')).status).toBe(0);
    expect(bytes('cut')).toEqual(bytes('whole'));
  });

  it('is drawn in steps with bands, and is on the page', async () => {
    cpSync(join(folder, 'whole'), join(folder, 'drawn'), { recursive: true });
    expect(
      (await aips(folder, 'report', 'drawn', '--chart', 'first_freeze', '--pdf', '--out', 'page.html')).status,
    ).toBe(0);
    const svg = text('drawn/survival.svg');
    expect(text('drawn/survival.pdf').startsWith('%PDF-1.4\n')).toBe(true);
    expect((await aips(folder, 'report', 'whole', '--pdf', '--out', 'page.html')).stderr).toBe(
      '--pdf: there are no figures in these folders. Draw some with --chart.\n',
    );
    writeFileSync(join(folder, 'part-1/own.svg'), '<svg width="9" height="9"><ellipse/></svg>');
    expect((await aips(folder, 'report', 'part-1', '--pdf', '--out', 'page.html')).stderr).toBe(
      'part-1/own.svg: cannot be written as PDF: a figure has <ellipse>, which is not drawn in PDF.\n',
    );
    // Three panels of two arms.
    expect(svg.match(/<polyline /g)).toHaveLength(6);
    expect(svg).toContain('not yet frozen since registration: frail (%)');
    const points =
      /<polyline points="([^"]*)"/
        .exec(svg)?.[1]
        ?.split(' ')
        .map((point) => point.split(',')) ?? [];
    expect(points.length).toBeGreaterThan(100);
    for (const [i, [x, y]] of points.entries())
      if (i > 0) expect(x === points[i - 1]?.[0] || y === points[i - 1]?.[1]).toBe(true);
    const page = text('page.html');
    expect([page.includes('Survival until the first freeze'), page.includes('(log-log)')]).toEqual([true, true]);
  });

  it.each([
    ['survival: { of: death }', /^lives\.yaml:8: survival\.of: must be first_freeze/],
    ['survival: { of: first_freeze, by: wallet }', /^lives\.yaml:8: survival\.by: must be population, class or option/],
    ['survival: { of: first_freeze, by: option }', /^lives\.yaml:8: survival\.by: is option, and no population has/],
  ])('%s is refused with its line and key', async (line, message) => {
    writeFileSync(join(folder, 'bad.yaml'), SWEEP.replace(/survival: .*/, line));
    const { status, stderr } = await experiment('sweep', 'bad.yaml');
    expect([status, stderr.replace('bad.yaml', 'lives.yaml')]).toEqual([2, expect.stringMatching(message)]);
  });

  it('is refused where its times would not fit into memory', async () => {
    writeFileSync(join(folder, 'many.yaml'), SWEEP.replace('replicates: 3', 'replicates: 3000'));
    expect((await experiment('sweep', 'many.yaml')).stderr).toMatch(
      /survival: keeps 2400000 times of agents, and at most 2000000 are/,
    );
  });
});
