// The registry that lives on the page, in a browser: play, pause, back, the same life again, and what is not drawn.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OpenLab, openLab, show } from '../../test/fixtures/lab-page.js';

let open: OpenLab;
beforeAll(async () => {
  open = await openLab();
});
afterAll(() => open.close());

const PICTURE = '.alive .when:text-matches("^[1-9][0-9]* agents")';

/** A tab with the Server view that counts how often the picture is drawn, and the rings and rays that move in it. */
async function serverTab(options: Parameters<OpenLab['tab']>[0] = {}): Promise<Page> {
  const page = await open.tab(options);
  await page.evaluate(COUNTING);
  await show(page, 'server');
  await page.waitForSelector(PICTURE);
  return page;
}

// As text: this room knows no document.
const COUNTING = `globalThis.drawn = { marks: 0, moving: 0 };
for (const [name, kind] of [['drawImage', 'marks'], ['stroke', 'moving']]) {
  const { [name]: own } = CanvasRenderingContext2D.prototype;
  CanvasRenderingContext2D.prototype[name] = function (...args) {
    if (kind === 'marks' || this.canvas.isConnected) globalThis.drawn[kind] += 1;
    return own.apply(this, args);
  };
}`;
const drawn = (page: Page): Promise<{ readonly marks: number; readonly moving: number }> =>
  page.evaluate('({ ...globalThis.drawn })');

/** The time of the clock, Unix ms. */
const clockMs = async (page: Page): Promise<number> =>
  Date.parse(`${(await page.textContent('.clock .time'))?.replace(' UTC', 'Z')}`);

/** Resolves after some frames of the tab. */
const frames = (page: Page, count: number): Promise<unknown> =>
  page.evaluate(
    `new Promise((done) => { let left = ${count}; const next = () => (left-- > 0 ? requestAnimationFrame(next) : done()); next(); })`,
  );

const paused = (page: Page): Promise<unknown> => page.waitForSelector('.play button:text-is("Play")');

describe('the registry, alive', () => {
  it('plays by keys with what moves in it, rests when it is paused, and a reload keeps moment and speed', async () => {
    const page = await serverTab();
    await page.selectOption('.play select', '1h');
    const before = await clockMs(page);
    await page.locator('.play button >> nth=0').press('Enter');
    await expect.poll(() => clockMs(page), { timeout: 60_000 }).toBeGreaterThan(before + 3_600_000);
    await expect.poll(async () => (await drawn(page)).moving, { timeout: 60_000 }).toBeGreaterThan(10);
    await page.reload();
    await page.waitForSelector('.play button:text-is("Pause")');
    expect(await page.inputValue('.play select')).toBe('1h');
    await page.click('.play button:text-is("Pause")');
    await paused(page);
    await expect.poll(() => open.lab.reference.player.speed).toBeNull();
    const rested = open.lab.reference.shown.nowMs;
    await expect.poll(() => clockMs(page)).toBe(rested - (rested % 1_000));
    await page.reload();
    await page.waitForSelector(PICTURE);
    expect(await clockMs(page)).toBe(rested - (rested % 1_000));
    expect(await page.inputValue('.play select')).toBe('1h');
    await page.close();
  });

  it('is dragged back and plays the same life again, by its fingerprints, to the present', async () => {
    const page = await serverTab();
    const presentMs = open.lab.reference.shown.nowMs;
    const fingerprint = open.lab.reference.history.marks.at(-1)?.fingerprint;
    await page.locator('.ruler input').press('Home');
    await page.waitForSelector('.clock.past');
    const pastMs = await clockMs(page);
    expect(pastMs).toBeLessThan(presentMs);
    await page.selectOption('.play select', 'fastest');
    await page.click('.play button:text-is("Play")');
    await page.waitForSelector(
      '.pastnote:has-text("its fingerprint is the one of that moment"):has-text("on its way are the same")',
    );
    await paused(page);
    await expect.poll(() => open.lab.reference.player.speed).toBeNull();
    expect(open.lab.reference.past).toMatchObject({ atMs: presentMs, same: true, fingerprint });
    expect((await drawn(page)).moving).toBeGreaterThan(10);
    await page.click('text=Back to the present');
    await page.waitForSelector('.clock:not(.past)');
    await page.close();
  });

  it('is walked through by arrows, opened by Enter, and is a table for those who do not see it', async () => {
    const page = await serverTab();
    const picture = page.locator('.alive [role=slider]');
    await picture.press('Home');
    const { names } = open.lab.reference.running.host.service.registry;
    expect(await picture.getAttribute('aria-valuetext')).toMatch(new RegExp(`^${names[0]}: `));
    await picture.press('ArrowRight');
    expect(await picture.getAttribute('aria-valuetext')).toMatch(new RegExp(`^${names[1]}: `));
    await page.click('.alive summary');
    await page.waitForSelector('.alive td a[href^="#server/agent/"]');
    await picture.press('Home');
    await picture.press('Enter');
    await page.waitForSelector(`.agent h2:has-text("${names[0]}")`);
    await page.close();
  });

  it('draws nothing in a hidden tab, and moves nothing for those who want no motion', async () => {
    const page = await serverTab({ reducedMotion: 'reduce' });
    await page.evaluate(
      `Object.defineProperty(document, 'hidden', { get: () => globalThis.isHidden === true }); globalThis.isHidden = true`,
    );
    await frames(page, 3);
    const hidden = await drawn(page);
    await open.lab.reference.advance(3_600_000);
    await page.waitForSelector('.alive figcaption');
    await expect.poll(() => clockMs(page)).toBeGreaterThan(0);
    await frames(page, 20);
    expect(await drawn(page)).toEqual(hidden);
    await page.evaluate(`globalThis.isHidden = false; document.dispatchEvent(new Event('visibilitychange'))`);
    await expect.poll(async () => (await drawn(page)).marks).toBeGreaterThan(hidden.marks);
    await open.lab.reference.advance(3_600_000);
    await frames(page, 20);
    const seen = await drawn(page);
    expect(seen.moving).toBe(0);
    await page.close();
  });

  it('has said no error', () => {
    expect(open.errors).toEqual([]);
  });
});
