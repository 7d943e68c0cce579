// Opens a report in Chromium without network, as a user would, and fails on anything that does not read well.
// Usage: node .ci/open-page.mjs FILE [--whole], beside the conformance.json of the same run. axe-core reads it light on a small screen and dark
// and enlarged; with --whole in both ways on both.
import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Nothing for axe-core to find in light and dark, on a small screen, and with everything twice as large. */
async function accessible(browser) {
  const isWhole = process.argv.includes('--whole');
  for (const [viewport, zoom, own, other] of [
    [{ width: 320, height: 640 }, 1, 'light', 'dark'],
    [{ width: 1280, height: 800 }, 2, 'dark', 'light'],
  ]) {
    for (const colorScheme of isWhole ? [own, other] : [own]) {
      const context = await browser.newContext({ offline: true, colorScheme, viewport, bypassCSP: true });
      const page = await context.newPage();
      await page.goto(pathToFileURL(resolve(process.argv[2])).href);
      await page.evaluate((factor) => {
        document.documentElement.style.zoom = factor;
      }, zoom);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth + 1);
      assert.equal(wide, false, `the page fits ${viewport.width} px at ${zoom * 100} %`);
      await page.evaluate(() => {
        for (const node of document.querySelectorAll('.data, .section')) node.open = true;
      });
      await page.evaluate(axe);
      const { violations } = await page.evaluate(() => globalThis.axe.run());
      const found = violations.map(({ id, nodes }) => `${id}: ${nodes.length}, ${nodes[0].html.slice(0, 200)}`);
      assert.deepEqual(found, [], `${colorScheme}, ${viewport.width} px at ${zoom * 100} %`);
      await context.close();
    }
  }
}

/** As large as a mail still carries, with all transcripts. */
const BYTES_MAX = 1_500_000;
assert.ok(statSync(process.argv[2]).size <= BYTES_MAX, `the page has at most ${BYTES_MAX} bytes`);

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
  // The page begins with the life of the agents and a finding. The slider shows an earlier moment by the numbers of the table, and Play goes on.
  const life = page.locator('main > section').first();
  assert.equal(await life.getAttribute('id'), 'life');
  const marks = (slot) =>
    life
      .locator(`.marks path.f-${slot}`)
      .evaluateAll((all) => all.reduce((sum, path) => sum + path.getAttribute('d').split('M').length - 1, 0));
  const row = (n) =>
    life
      .locator(`tbody tr >> nth=${n} >> td`)
      .evaluateAll((cells) => cells.slice(0, 3).map(({ textContent }) => Number(textContent.replace(',', ''))));
  const seen = async () => [await marks('good'), await marks('two'), await marks('cold')];
  const slider = life.locator('input[type=range]');
  assert.deepEqual(await seen(), await row(14), 'at first the end is shown');
  assert.ok(
    (await life.locator('.question').textContent()).startsWith(`At the end ${(await row(14))[2]} of `),
    'the finding has the figure of the table',
  );
  await slider.fill('168');
  assert.deepEqual(await seen(), await row(7), 'the slider shows the middle');
  await life.locator('button').click();
  await page.waitForFunction(() => Number(document.querySelector('#life input').value) > 168);
  await life.locator('button').click();
  assert.equal(await life.locator('button').textContent(), 'Play', 'Pause acts at once');
  const sections = page.locator('details.section');
  assert.ok((await sections.count()) > 10, 'every section can be opened');
  assert.ok((await page.locator('.folded').count()) > 100, 'clauses that hold are folded');
  await page.locator('details.section:has(.folded) > summary').first().click();
  const first = page.locator('details.section[open] .folded').first();
  await first.evaluate((node) => node.setAttribute('data-seen', ''));
  const clickedMs = performance.now();
  await page.locator('[data-seen] > summary').click();
  await page.locator('[data-seen] .evidence').first().waitFor({ state: 'visible' });
  const unfoldedMs = performance.now() - clickedMs;
  // Links from without into what is closed: the place that they lead to comes into view, below the contents.
  const { checks } = JSON.parse(readFileSync(resolve(process.argv[2], '../conformance.json'), 'utf8'));
  const passed = checks.find(({ id, verdict }) => id.startsWith('heartbeat/') && verdict === 'pass');
  const check = `check-${passed.id.replace('/', '__')}`;
  for (const id of [check, 'clause-heartbeat.interval.min', 'section-7']) {
    await page.evaluate((hash) => {
      location.hash = hash;
    }, id);
    const target = page.locator(`[id="${id}"]`);
    await page.locator(`[id="${id}"][open]`).waitFor({ state: 'visible' });
    await page.waitForTimeout(300);
    const top = await target.evaluate((node) => node.getBoundingClientRect().top);
    assert.ok(top >= 0 && top < 120, `#${id} is in view: ${top} px from the top`);
  }
  await page.locator(`[id="${check}"] .exchange`).first().waitFor({ state: 'visible' });
  assert.ok((await page.locator('details.check[open] .script button').count()) >= 2, 'both scripts can be copied');
  assert.ok((await page.locator('details').count()) > 400, 'clauses and checks can be opened');
  // A cell of the matrix says which clause it is, and leads to it; a chart says its values.
  const cell = page.locator('.matrix .cells a').first();
  await cell.hover();
  const named = new URL(await cell.evaluate((link) => link.href)).hash.slice('#clause-'.length);
  assert.ok((await page.locator('.matrix .readout').textContent()).startsWith(named), 'the cell is named');
  await page.locator('.plot').first().focus();
  await page.keyboard.press('End');
  assert.match(await page.locator('.plot + .readout').first().textContent(), /\d/, 'the chart tells its values');
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
  await accessible(browser);
  // On paper is all but the transcripts, without waiting.
  const printed = await context.newPage();
  await printed.goto(pathToFileURL(resolve(process.argv[2])).href);
  await printed.locator('#folded-note').waitFor({ state: 'hidden' });
  const left = await printed.evaluate(() => {
    dispatchEvent(new Event('beforeprint'));
    return document.querySelectorAll('.folded, .section:not([open]), .clause:not([open])').length;
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
    `clause unfolded ${ms(unfoldedMs)}`,
  ];
  console.log(`opened without network: ${await page.title()}; ${times.join(', ')}`);
} finally {
  await browser.close();
}
