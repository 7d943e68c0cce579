// Opens a report in Chromium without network, as a user would, and fails on anything that does not read well.
// Usage: node .ci/open-page.mjs FILE
import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
});
try {
  const context = await browser.newContext({ offline: true });
  const page = await context.newPage();
  const requests = [];
  const errors = [];
  page.on('request', (request) => requests.push(request.url()));
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  page.on('pageerror', (error) => errors.push(String(error)));
  await page.goto(pathToFileURL(resolve(process.argv[2])).href);
  assert.deepEqual(
    requests.filter((url) => !url.startsWith('file:') && !url.startsWith('data:')),
    [],
  );
  assert.equal(await page.locator('h1').count(), 1);
  assert.ok((await page.locator('svg').count()) >= 4, 'at least four charts');
  const wide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth + 1);
  assert.equal(wide, false, 'the page fits its window');
  const details = page.locator('details');
  assert.ok((await details.count()) > 40, 'clauses and checks can be opened');
  await details.first().locator('summary').first().click();
  assert.equal(await details.first().evaluate((node) => node.open), true);
  const packed = page.locator('details.check:has(> .body > .packed)').first();
  await packed.evaluate((node) => {
    for (let each = node; each; each = each.parentElement) if (each.tagName === 'DETAILS') each.open = true;
  });
  const unfolded = page.locator('details.check[open] .exchange').first();
  await unfolded.waitFor({ state: 'visible' });
  assert.ok((await page.locator('details.check[open] .script button').count()) >= 2, 'both scripts can be copied');
  const filter = page.locator('input[type=search], input[type=text]').first();
  const shown = () => page.locator('details:visible').count();
  const before = await shown();
  await filter.fill('heartbeat.interval');
  await page.waitForTimeout(300);
  assert.ok((await shown()) < before, 'the filter narrows what is shown');
  assert.deepEqual(errors, []);
  console.log(`opened without network: ${await page.title()}`);
} finally {
  await browser.close();
}
