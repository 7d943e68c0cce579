// The site is made twice, and a page of each kind read by axe-core on both screens.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openBrowser } from './fixtures/browser.js';
import { build, digestOf, expectCleanPage, filesOf, PAGES, SCREENS } from './fixtures/built-site.js';

const folder = mkdtempSync(join(tmpdir(), 'aips-site-'));
const out = join(folder, 'site');

let browser: Browser;
beforeAll(async () => {
  expect(build(out).status).toBe(0);
  browser = await openBrowser();
});
afterAll(() => browser.close());

it('the site has the same bytes when it is made again', () => {
  const again = join(folder, 'again');
  expect(build(again).status).toBe(0);
  expect(filesOf(again)).toEqual(filesOf(out));
  expect(digestOf(again)).toBe(digestOf(out));
});

it.each(PAGES)('%s has nothing that axe-core finds, light and dark, wide and narrow', (address) =>
  expectCleanPage({ browser, out, address, screens: SCREENS }),
);
