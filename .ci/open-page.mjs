// Opens a report in Chromium without network, as a user would, and fails on anything that does not read well.
// Usage: node .ci/open-page.mjs FILE
import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const ms = (value) => `${Math.round(value)} ms`;
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
  const sections = page.locator('details.section');
  assert.ok((await sections.count()) > 10, 'every section can be opened');
  assert.ok((await page.locator('.folded').count()) > 100, 'clauses that hold are folded');
  const first = page.locator('details.section:has(.folded)').first();
  await first.evaluate((node) => node.setAttribute('data-seen', ''));
  const seen = page.locator('details[data-seen]');
  const clickedMs = performance.now();
  await seen.locator('summary').first().click();
  await seen.locator('.clause .evidence').first().waitFor({ state: 'visible' });
  const unfoldedMs = performance.now() - clickedMs;
  assert.equal(await seen.locator('.folded').count(), 0, 'a section unfolds as a whole');
  // A link from without into a section that is closed.
  await page.evaluate(() => {
    location.hash = '#check-heartbeat__too-soon';
  });
  await page.locator('#check-heartbeat__too-soon[open] .exchange').first().waitFor({ state: 'visible' });
  assert.ok((await page.locator('details.check[open] .script button').count()) >= 2, 'both scripts can be copied');
  assert.equal(await page.locator('.folded').count(), 0, 'a link that leads to no clause yet unfolds them all');
  assert.ok((await page.locator('details').count()) > 400, 'clauses and checks can be opened');
  const duplicates = await page.evaluate(() => {
    const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id);
    const links = [...document.querySelectorAll('a')].map((link) => decodeURIComponent(link.hash.slice(1)));
    return [...ids.filter((id, at) => ids.indexOf(id) !== at), ...links.filter((id) => !ids.includes(id))];
  });
  assert.deepEqual(duplicates, [], 'ids are there once, and each link has its place');
  const filter = page.locator('input[type=search], input[type=text]').first();
  const shown = () => page.locator('details:visible').count();
  const before = await shown();
  await filter.fill('heartbeat.interval');
  await page.waitForTimeout(300);
  assert.ok((await shown()) < before, 'the filter narrows what is shown');
  // On paper is all but the transcripts, without waiting.
  const printed = await context.newPage();
  await printed.goto(pathToFileURL(resolve(process.argv[2])).href);
  await printed.locator('#folded-note').waitFor({ state: 'hidden' });
  const left = await printed.evaluate(() => {
    dispatchEvent(new Event('beforeprint'));
    return document.querySelectorAll('.folded, .section:not([open])').length;
  });
  assert.equal(left, 0, 'every clause is printed');
  // Without script all is there to be read, and nothing seems to be a control.
  const plain = await (await browser.newContext({ offline: true, javaScriptEnabled: false })).newPage();
  await plain.goto(pathToFileURL(resolve(process.argv[2])).href);
  assert.equal(await plain.locator('#folded-note').isVisible(), true);
  assert.equal(await plain.locator('button:visible, input:visible').count(), 0);
  await plain.locator('details.section:has(.folded) summary').first().click();
  await plain.locator('.folded').first().waitFor({ state: 'visible' });
  assert.deepEqual(errors, []);
  const { domInteractive, loadEventEnd } = await page.evaluate(() => {
    const [opened] = performance.getEntriesByType('navigation');
    return { domInteractive: opened.domInteractive, loadEventEnd: opened.loadEventEnd };
  });
  const times = [
    `interactive ${ms(domInteractive)}`,
    `loaded ${ms(loadEventEnd)}`,
    `section unfolded ${ms(unfoldedMs)}`,
  ];
  console.log(`opened without network: ${await page.title()}; ${times.join(', ')}`);
} finally {
  await browser.close();
}
