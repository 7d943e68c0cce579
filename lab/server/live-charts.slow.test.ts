// Charts of the page while samples come, in a browser: what is drawn, and what is left as it is. It needs Chromium and the build.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { numberText } from '../../results/numbers.js';
import { openBrowser } from '../../test/fixtures/browser.js';
import { readAssets } from './assets.js';
import { type Lab, startLab } from './lab.js';

let lab: Lab;
let browser: Browser;
let page: Page;
let said = 0;

/** Publishes samples of one measure, and waits until the page shows the last one in words. */
async function sample(count: number): Promise<void> {
  const at = Array.from({ length: count }, (_, i) => said + i);
  said += count;
  const values = { measure: at.map((i) => 1_000 + i) };
  const timesSec = at.map((i) => i * 3_600);
  lab.stream.publish('simulation', {
    n: 1,
    name: 'keep-alive-cost',
    state: 'running',
    arm: 'base',
    seed: 1,
    share: 0.5,
    timesSec,
    values,
  });
  await page.waitForSelector(`figcaption:has-text("base ${numberText(999 + said)}")`);
}

const drawn = (): Promise<string> => page.evaluate(() => document.querySelector('canvas')?.toDataURL() ?? '');
const cells = (): Promise<number> => page.locator('.chart td').count();

beforeAll(async () => {
  lab = await startLab({ port: 0, seed: 1, assets: readAssets(), onError: (error) => console.error(error) });
  browser = await openBrowser();
  page = await browser.newPage();
  await page.goto(lab.server.newUrl());
  await page.waitForSelector('html[data-ready] h1');
  await page.evaluate(`location.hash = 'simulation'`);
  await sample(50);
  await page.waitForSelector('.chart canvas');
});
afterAll(async () => {
  await browser?.close();
  await lab?.close();
});

it('the table behind a chart is made when it is opened, and grows', async () => {
  expect(await cells()).toBe(0);
  await page.click('.chart summary');
  await expect.poll(cells).toBe(2 * 25);
  await sample(30);
  await expect.poll(cells).toBe(2 * 40);
  await page.click('.chart summary');
  await expect.poll(cells).toBe(0);
});

it('a chart grows with each sample, and keeps the span that a brush has chosen', async () => {
  const before = await drawn();
  await sample(20);
  const grown = await drawn();
  expect(grown).not.toBe(before);
  const box = await page.locator('.chart .u-over').boundingBox();
  if (box === null) throw new Error('the chart has no place for a brush');
  await page.mouse.move(box.x + box.width / 4, box.y + 50);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2, box.y + 50, { steps: 3 });
  await page.mouse.up();
  // The words are those of the moment under the cursor, until it leaves.
  await page.waitForSelector('figcaption:not(:has-text("base 1,099")):has-text(" d: base 1,0")');
  await page.mouse.move(0, 0);
  await page.waitForSelector('figcaption:has-text("base 1,099")');
  const brushed = await drawn();
  expect(brushed).not.toBe(grown);
  await sample(20);
  expect(await drawn()).toBe(brushed);
  await page.mouse.dblclick(box.x + box.width / 2, box.y + 50);
  await page.mouse.move(0, 0);
  await sample(20);
  expect(await drawn()).not.toBe(brushed);
});
