// A run that is watched in a browser: its matrix fills, a planted mistake is found, its exchange opens, and the copied curl meets the same wrong reply.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type OpenLab, openLab, show } from '../../test/fixtures/lab-page.js';
import { expectClean } from '../../test/fixtures/lab-panels.js';

/** The target takes another fee than the one of the text. */
const WRONG = 'expected accepted; came 400 PAYMENT_INVALID';
const SEEN = `section[aria-label="Met so far"] li:has-text("${WRONG}")`;
const PERMISSIONS = ['clipboard-read', 'clipboard-write'];

let open: OpenLab;
let page: Page;
beforeAll(async () => {
  open = await openLab();
  page = await open.tab({ bypassCSP: true, permissions: PERMISSIONS });
  await show(page, 'conformance');
});
afterAll(() => open.close());

/** Starts a run by keys. */
async function run(pattern: string, seen?: string): Promise<void> {
  await page.fill('input[placeholder^="One judgement"]', pattern);
  await open.startRun(page, () => page.locator('input[placeholder^="One judgement"]').press('Enter'), seen);
}

/** The output of a script in a new shell. */
async function shell(script: string): Promise<string> {
  const env = { PATH: process.env['PATH'], CONTROL_TOKEN: open.controlToken };
  const { stdout } = await promisify(execFile)('sh', ['-c', script], { env });
  return stdout;
}

it('fills the matrix, and opens the exchange of a finding while the run goes on', async () => {
  await open.setFees({ heartbeat_tier1: 7 });
  await run('heartbeat/own-wallet heartbeat/epoch heartbeat/payment');
  await page.waitForSelector(SEEN);
  // The run waits for its target, so that all of this is seen while it goes on.
  open.hold(true);
  try {
    expect(await page.textContent('h1')).toMatch(/^A run is under way: \d+ deviations? so far$/);
    expect(await page.textContent('main')).toMatch(/Judges service on devnet at http:\/\/127/);
    expect(await page.locator('.matrix .cells a:not([class*=not-judged], .excluded)').count()).toBeGreaterThan(20);
    expect(await page.locator('.matrix .row.bad .cells .fails').count()).toBeGreaterThan(0);
    await page.waitForSelector('section[aria-label="The newest check"] li code');
    await page.locator(`${SEEN} a:has-text("exchange") >> nth=0`).press('Enter');
    await page.waitForSelector('.detail h2:focus');
    await page.waitForSelector('.detail .exchange');
    expect(await page.textContent('.detail .against')).toMatch(
      /✗ failed: .*expected accepted, got 400 PAYMENT_INVALID/,
    );
    await page.waitForSelector('.detail .against a[href="#conformance/clause/heartbeat.sender.own"]');
    await expectClean(page, [['dark', 320]]);
    await page.click('.detail .script button:text-is("Copy")');
    await page.waitForSelector('.detail button:text-is("Copied")');
  } finally {
    open.hold(false);
  }
  // The run moves the clock of the target, so that a nonce of the script could expire before its answer.
  await page.waitForSelector('button:text-is("Run")');
  await page.waitForSelector('.verdict.bad');
  const script = await page.evaluate(() => navigator.clipboard.readText());
  expect(await shell(script)).toMatch(/HTTP\/1\.1 400 [^{]*\{[^{]*"PAYMENT_INVALID"[^{]*$/);
});

it('says first what failed first, and finds checks and clauses by words and verdict, by keys, in the address', async () => {
  const first = page.locator('main > h1 ~ section >> nth=0');
  expect(await first.getAttribute('aria-label')).toBe('What failed first');
  expect(await first.textContent()).toMatch(/expected 500000; came 7, in exchange \d+ of/);
  await page.keyboard.press('Escape');
  await page.waitForSelector('.detail', { state: 'detached' });
  await page.keyboard.press('/');
  await page.keyboard.type('own wallet');
  await expect.poll(() => new URL(page.url()).hash).toBe('#conformance?find=own%20wallet');
  const found = page.locator('section[aria-label="Checks and clauses of this run"]');
  await found.locator('.badge.fail + a:text-is("heartbeat/own-wallet")').waitFor();
  await found.locator('button:text-is("failed")').press('Enter');
  await page.reload();
  await found.locator('button[aria-pressed=true]:text-is("failed")').waitFor();
  expect(new URL(page.url()).hash).toBe('#conformance?find=own%20wallet&verdict=fail');
  expect(await found.locator('.badge.holds').count()).toBe(0);
  // A panel keeps the search.
  await found.locator('a[href="#clause-heartbeat.sender.own"]').press('Enter');
  await page.waitForSelector('.detail h2:focus');
  const clause = '#conformance/clause/heartbeat.sender.own?find=own%20wallet&verdict=fail';
  expect(new URL(page.url()).hash).toBe(clause);
});

it('shows the run before beside this one, and what is newly passing', async () => {
  await open.setFees({});
  await page.keyboard.press('Escape');
  await run('heartbeat/own-wallet', 'section[aria-label="Run 1 beside this one"]');
  await page.waitForSelector('h3:has-text("newly passing")');
  await page.waitForSelector(
    'section[aria-label="Difference to an earlier run"]:has-text("unchanged, of which 0 fail")',
  );
  expect(await page.locator('[aria-label="What failed first"]').count()).toBe(0);
});

it('says the reason of the verdict below the title, returns the focus from a panel, and begins another view at its top', async () => {
  await open.setFees({ heartbeat_tier1: 7 });
  await run('heartbeat/own-wallet');
  await page.waitForSelector('.verdict.bad');
  expect(await page.textContent('main > h1 + p.lead')).toMatch(/^✗ \d+ finding/);
  const link = '[aria-label="What failed first"] a[href*="/exchange/"]';
  await page.click(link);
  await page.waitForSelector('.detail h2:focus');
  await page.keyboard.press('Escape');
  await page.waitForSelector(`${link}:focus`);
  expect(await page.locator('.notes .banner').count()).toBe(0);
  await page.evaluate(() => scrollTo(0, 900));
  await page.click('nav a[href="#server"]');
  await page.waitForSelector('h1:text-is("Server")');
  expect(await page.evaluate(() => scrollY)).toBe(0);
  expect(await page.textContent('main')).toContain("The lab's reference lives here; runs judge http://127.0.0.1:");
});

it('has said no error', () => {
  expect(open.errors).toEqual([]);
});
