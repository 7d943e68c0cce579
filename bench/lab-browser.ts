/** A tab of `aips lab` in Chromium for the benches of the page, and a figure with its bound. */

import { type Browser, type CDPSession, chromium, type Page } from 'playwright-core';
import type { Lab } from '../lab/server/lab.js';

interface Figure {
  readonly measured: number;
  readonly wanted: string;
  readonly met: boolean;
}

/** A figure that has an upper bound. */
export const atMost = (measured: number, most: number, unit: string): Figure => ({
  measured: Number(measured.toFixed(1)),
  wanted: `<= ${most} ${unit}`,
  met: measured <= most,
});

/** Runs in a browser of its own. */
export async function inBrowser<T>(run: (browser: Browser) => Promise<T>): Promise<T> {
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
  try {
    return await run(browser);
  } finally {
    await browser.close();
  }
}

/** A tab of the lab at a view, and the protocol of the browser's tools for it. */
export async function tab(browser: Browser, lab: Lab, view: string): Promise<{ page: Page; cdp: CDPSession }> {
  const page = await browser.newPage({ viewport: { width: 1_280, height: 800 } });
  const cdp = await page.context().newCDPSession(page);
  await page.goto(lab.server.newUrl());
  await page.waitForSelector('html[data-ready] h1');
  await page.evaluate(`location.hash = ${JSON.stringify(view)}`);
  await cdp.send('Performance.enable');
  return { page, cdp };
}
