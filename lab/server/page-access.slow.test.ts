// The page for everybody: what axe-core finds, narrow and enlarged screens, keys alone, and paper.
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OpenLab, openLab, overwrite, playSweep, runChecks, show } from '../../test/fixtures/lab-page.js';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

let open: OpenLab;
beforeAll(async () => {
  open = await openLab();
});
afterAll(() => open.close());
const tab: OpenLab['tab'] = (options) => open.tab(options);

/** Every view with each of its panels open, by its place in the address. */
const PANELS: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  overview: (page) => page.waitForSelector('.life svg'),
  'server/agents': async (page) => {
    await page.click('.agents .link');
    await page.waitForSelector('.agent .timeline');
    await page.click('.agent button:text-is("Resync")');
    await page.waitForSelector('.outcome pre', { state: 'attached' });
    await page.click('.agent button:text-is("Flag…")');
    await page.waitForSelector('.act select');
  },
  'server/request/1': (page) => page.waitForSelector('.agent pre'),
  ...Object.fromEntries(
    ['requests', 'flags', 'ledger', 'fees', 'subsidies', 'partners'].map((part) => [
      `server/${part}`,
      (page: Page) => page.waitForSelector(`section[aria-label="Server: ${part}"] :is(table, .log, .empty)`),
    ]),
  ),
  'conformance clause': async (page) => {
    await open.setFees({ heartbeat_tier1: 7 });
    await runChecks(page, 'heartbeat/*');
    await page.click('.findings .card a[href^="#clause-"] >> nth=0');
    await page.waitForSelector('.detail .evidence');
  },
  'conformance sequence': async (page) => {
    await page.click('button:text-is("Play on a new reference")');
    await page.waitForSelector('section[aria-label^="Steps"] .exchange');
  },
  'conformance check': async (page) => {
    await page.click('.findings .card a[href^="#check-"] >> nth=0');
    await page.waitForSelector('.detail .exchange');
  },
  'conformance section': async (page) => {
    await page.click('.matrix .name >> nth=0');
    await page.waitForSelector('.detail .checks');
  },
  simulation: async (page) => {
    await page.selectOption('select', 'heartbeat-spam');
    await page.fill('input[placeholder^="Second arm"]', 'protocol.heartbeat.intervalBeatsMin=5');
    await page.waitForSelector('.editor');
    await page.click('button:text-is("Play")');
    await page.waitForSelector('h2:text-is("What the change does")');
  },
  'simulation sweep': async (page) => {
    await playSweep(page, 'town');
    await page.waitForSelector('#sweep .verdict');
  },
  specification: async (page) => {
    await overwrite(page, 'heartbeat: { intervalBeatsMin: 5 }');
    await page.click('button:text-is("Compare")');
    await page.waitForSelector('#effects figure');
    await page.waitForSelector('button:text-is("Compare"):enabled');
  },
};

/** Findings of axe-core, which the page has loaded. */
const violations = (page: Page): Promise<readonly string[]> =>
  page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: { run: () => Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
    };
    return (await axe.run()).violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
  });

describe('the page of the lab', () => {
  it.each(Object.keys(PANELS))('has nothing that axe-core finds with every panel open: %s', async (place) => {
    const page = await tab({ bypassCSP: true });
    await page.addScriptTag({ path: AXE });
    await show(page, place.split(' ')[0] ?? '');
    await PANELS[place]?.(page);
    await page.evaluate(() => {
      for (const details of document.querySelectorAll('details')) details.open = true;
    });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      // 640 px is a window of 1280 at a zoom of 200 %.
      for (const width of [1_280, 640, 320]) {
        await page.setViewportSize({ width, height: 800 });
        expect([colorScheme, width, await violations(page)]).toEqual([colorScheme, width, []]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      }
    }
    await page.evaluate(() => document.querySelector('main')?.append(document.createElement('img')));
    expect(await violations(page)).toEqual(['image-alt: <img>']);
    await page.close();
  });

  it('prints light, whole and without controls, whatever the screen is', async () => {
    const page = await tab({ colorScheme: 'dark', viewport: { width: 794, height: 1_123 } });
    await show(page, 'server/agents');
    await PANELS['server/agents']?.(page);
    const look = () =>
      page.evaluate(() => ({
        ink: getComputedStyle(document.documentElement).getPropertyValue('--ink').trim(),
        controls: ['.rail', '.choices', '.tools'].filter((each) => document.querySelector(each)?.checkVisibility()),
        cut: getComputedStyle(document.querySelector('.timeline') as Element).overflowY,
        wide: document.documentElement.scrollWidth > innerWidth,
      }));
    expect(await look()).toMatchObject({ ink: '#e8ecf3', controls: ['.rail', '.choices', '.tools'], cut: 'auto' });
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    expect(await look()).toEqual({ ink: '#1b2130', controls: [], cut: 'visible', wide: false });
    await page.close();
  });

  it('leads through the matrix of clauses to a clause and back by keys alone', async () => {
    const page = await tab();
    await page.keyboard.press('Alt+3');
    await page.waitForSelector('.matrix .cells a[aria-label]');
    const focused = () => page.evaluate(() => document.activeElement?.closest('.row, .detail')?.textContent ?? '');
    const label = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '');
    while (!(await page.evaluate(() => document.activeElement?.matches('.matrix a')))) await page.keyboard.press('Tab');
    const [first = '', second = ''] = await page.locator('.matrix .row').allTextContents();
    expect(await focused()).toBe(first);
    await page.keyboard.press('ArrowRight');
    expect(await label()).toMatch(/^[a-z0-9.-]+: (pass|fail|not judged|excluded)$/);
    await page.keyboard.press('ArrowDown');
    expect(await focused()).toBe(second);
    await page.keyboard.press('End');
    const wanted = await label();
    await page.keyboard.press('Enter');
    const id = wanted.split(':')[0] ?? '';
    await page.waitForSelector(`.detail h2:text-is("${id}"):focus`);
    expect(await page.textContent('.matrix .readout')).toContain(id);
    await page.keyboard.press('Escape');
    await page.waitForSelector('.detail', { state: 'detached' });
    expect(await label()).toBe(wanted);
    // All of the matrix is one tab stop.
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.closest('.matrix'))).toBeNull();
    await page.close();
  });

  it('reads a chart and narrows its span, for all charts of the run, by keys alone', async () => {
    const page = await tab();
    await show(page, 'simulation');
    await page.selectOption('select', 'heartbeat-spam');
    await page.waitForSelector('.cm-content:has-text("name: heartbeat-spam")');
    await page.click('button:text-is("Play")');
    await page.waitForSelector('.figures');
    const [chart, other] = [
      page.locator('.chart [role=slider] >> nth=0'),
      page.locator('.chart [role=slider] >> nth=1'),
    ];
    await page.waitForSelector('.chart .u-over >> nth=1');
    const now = async () => Number(await chart.getAttribute('aria-valuenow'));
    const last = Number(await chart.getAttribute('aria-valuemax'));
    expect(last).toBeGreaterThan(10);
    await chart.press('Home');
    await expect.poll(now).toBe(0);
    expect(await chart.getAttribute('aria-valuetext')).toMatch(/^0 d: base \d/);
    expect(await other.getAttribute('aria-valuenow')).toBe('0');
    for (let step = 0; step < 3; step += 1) await chart.press('ArrowRight');
    await chart.press('Shift+PageUp');
    await expect.poll(now).toBe(Math.min(13, last));
    await chart.press('Enter');
    await other.press('Home');
    await expect.poll(now).toBe(3);
    await other.press('End');
    await expect.poll(now).toBe(Math.min(13, last));
    await other.press('Escape');
    await chart.press('Home');
    await expect.poll(now).toBe(0);
    await page.close();
  });

  it('has said no error', () => {
    expect(open.errors).toEqual([]);
  });
});
