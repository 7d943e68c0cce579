// The page for everybody: what axe-core finds, narrow and enlarged screens, keys alone, and paper.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OpenLab, openLab, show } from '../../test/fixtures/lab-page.js';
import { expectAccessible, expectPlantedFound, PANELS, type Screen } from '../../test/fixtures/lab-panels.js';

let open: OpenLab;
beforeAll(async () => {
  open = await openLab();
});
afterAll(() => open.close());
const tab: OpenLab['tab'] = (options) => open.tab(options);

/** A view of each kind; page-access.nightly has all of them. */
const PLACES = ['overview', 'server/agents', 'conformance clause', 'simulation'];
/** The widest and the narrowest screen, on which the views take turns; page-access.nightly has all screens. */
const SCREENS: readonly Screen[] = [
  ['light', 1_280],
  ['dark', 320],
];

describe('the page of the lab', () => {
  it.each(PLACES.map((place, turn) => [place, SCREENS[turn % SCREENS.length] as Screen] as const))(
    'has nothing that axe-core finds with every panel open: %s',
    async (place, screen) => {
      const page = await expectAccessible(open, place, [screen]);
      if (place === 'overview') await expectPlantedFound(page);
      await page.close();
    },
  );

  it('prints light, whole and without controls, whatever the screen is', async () => {
    const page = await tab({ colorScheme: 'dark', viewport: { width: 794, height: 1_123 } });
    await show(page, 'server/agents');
    await PANELS['server/agents']?.(page, open);
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
    await page.waitForSelector('button:text-is("Stop")', { state: 'detached' });
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
