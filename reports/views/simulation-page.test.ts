import { describe, expect, it } from 'vitest';
import { visible } from '../../results/visible.js';
import { elementsOf, textOf } from '../../test/fixtures/markup-reader.js';
import { byClass, byName, expectGoodPage } from '../../test/fixtures/page-checks.js';
import { emptySimulation, HOSTILE, hostileSimulation, simulationFixture } from '../../test/fixtures/results.js';
import { simulationPage } from './simulation-page.js';

const text = simulationPage(simulationFixture());
const elements = expectGoodPage(text);

/** The rows of the tables in figures, or outside of them. */
function tables(where: 'figure' | 'text'): readonly string[][] {
  const drawn = byName(elements, 'figure').flatMap((figure) => byName(elementsOf(figure), 'table'));
  const chosen = byName(elements, 'table').filter((table) => drawn.includes(table) === (where === 'figure'));
  return chosen.map((table) =>
    elementsOf(table)
      .filter(({ name }) => name === 'tr')
      .map(textOf),
  );
}

describe('simulationPage', () => {
  it.each([
    ['nothing in it', emptySimulation()],
    ['hostile text', hostileSimulation()],
  ])('is a good page with %s', (_, result) => {
    expectGoodPage(simulationPage(result));
  });

  it('has at least four charts, each with a title and what it shows in words', () => {
    const figures = byName(elements, 'figure');
    expect(figures).toHaveLength(6);
    for (const [at, figure] of figures.entries()) {
      const inside = elementsOf(figure);
      const isDrawn = byName(inside, 'svg').length === 1;
      expect(isDrawn).toBe(byClass(inside, 'hbar').length === 0);
      expect(
        byName(inside, at === 0 ? 'h3' : 'h4')
          .map(textOf)
          .join(''),
      ).not.toBe('');
      expect(byName(inside, 'table')).toHaveLength(1);
      if (isDrawn) expect(byClass(inside, 'unseen').map(textOf).join('').length).toBeGreaterThan(20);
    }
    expect(text).toContain(
      'Stacked areas over 14 days. narrow_task from 0 SOL to 4 SOL, at most 4 SOL; autonomous from 0 SOL to 10 SOL',
    );
    expect(tables('figure')).toContainEqual(expect.arrayContaining(['heartbeat42,5002,140']));
  });

  it('begins with the question and the totals', () => {
    expect(byClass(elements, 'question').map(textOf)).toEqual([
      'What does an outage of a third of the agents cost, and how soon are they back?',
    ]);
    const stats = byClass(elements, 'stats').map((list) => byName(elementsOf(list), 'div').map(textOf));
    expect(stats).toEqual([
      ['Heartbeats accepted42,500', 'Fees paid32 SOL', 'Share of agents frozen1.23 %', 'Agents2,000', 'Resyncs200'],
    ]);
  });

  it('says what lies above the top of a chart', () => {
    const values = Array.from({ length: 337 }, (_, row) => (row === 0 ? 8_400_000_000 : 100_000_000));
    const series = [{ name: 'price_lamports', unit: 'lamports', label: 'Price', values }];
    expect(simulationPage(simulationFixture({ series }))).toContain(
      'At the beginning it reaches 8.4 SOL, above the top of the chart.',
    );
    expect(text).not.toContain('above the top');
  });

  it('has tables of expectations, operations and invariants', () => {
    expect(tables('text')).toEqual([
      ['verdictexpectationmeasured', 'passfrozen_share < 0.05 after 7d1.23 %', 'failresyncs > 500200'],
      [
        'operationacceptedrefusedrefusals by code',
        'register2,0000',
        'heartbeat42,5002,140HEARTBEAT_TOO_SOON 1,200AGENT_FROZEN 940',
        'sigil2,000100PAYMENT_INVALID 100',
        'resync2000',
        'all46,7002,240',
      ],
      [
        'invariantwhat it saystimes checked',
        'lamports-conservedNo lamport is made or lost.336',
        'no-double-paymentNo transaction pays twice.46,500',
      ],
    ]);
  });

  it('says what the model leaves out and how to reproduce it', () => {
    expect(text).toContain('<li>Lineage hashes are not folded.</li>');
    expect(text).toContain('<pre>aips simulate scenarios/library/quickstart.yaml --seed 7</pre>');
    expect(text).toContain('e2'.repeat(32));
  });

  it('is the same bytes for another run of the same seed', () => {
    const { manifest } = simulationFixture();
    const run = { wall_s: 99, operations_per_s: 7, peak_rss_mb: 999, node: 'v24.1.0' };
    expect(simulationPage(simulationFixture({ manifest: { ...manifest, run } }))).toBe(text);
    expect(simulationPage(simulationFixture({ manifest: { ...manifest, seed: 8 } }))).not.toBe(text);
  });

  it('says that a run is partial', () => {
    expect(simulationPage(emptySimulation())).toContain('<p>The run ended before its time.</p>');
    expect(text).not.toContain('ended before its time');
  });

  it('shows hostile text as text', () => {
    const page = simulationPage(hostileSimulation());
    const all = byName(expectGoodPage(page), 'body').map(textOf).join('');
    expect(all).toContain(visible(HOSTILE));
    expect(page).not.toContain('<script>alert');
    expect(page).not.toContain('\u202e');
  });

  it('stays small when there are many samples', () => {
    expect(simulationPage(simulationFixture({}, 20_001)).length).toBeLessThan(300_000);
  });
});
