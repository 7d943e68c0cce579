// The page in a browser, without a command typed: addresses that lead back, and an agent that is made, freezes and is resynced.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OpenLab, openLab, runChecks, show } from '../../test/fixtures/lab-page.js';

let open: OpenLab;
beforeAll(async () => {
  open = await openLab();
});
afterAll(() => open.close());

/** The fragment of a tab. */
const placeOf = (page: Page): string => new URL(page.url()).hash;

describe('the addresses of the page', () => {
  it('lead to an agent, a table and a moment, back and forward, and through a reload', async () => {
    const page = await open.tab();
    await show(page, 'server');
    await page.click('.agents .link');
    await page.waitForSelector('.agent .timeline');
    const agent = placeOf(page);
    expect(agent).toMatch(/^#server\/agent\/0x[0-9a-f]{64}$/);
    const name = (await page.textContent('.agent h2'))?.split(' ')[0];
    expect(await page.title()).toMatch(new RegExp(`^agent ${name}, Server, .*aips lab$`));
    await page.click('button:text-is("Ledger")');
    await page.waitForSelector('section[aria-label="Server: ledger"]');
    await page.goBack();
    await page.waitForSelector('.agent .timeline');
    expect(placeOf(page)).toBe(agent);
    const atMs = open.lab.reference.history.marks[1]?.atMs ?? 0;
    await show(page, `${agent.slice(1)}?at=${new Date(atMs).toISOString()}`);
    await page.waitForSelector('.pastnote:has-text("is the one of that moment")');
    await page.waitForSelector('.agent .timeline');
    expect(await page.title()).toContain(' at 2026-01-01 ');
    await page.reload();
    await page.waitForSelector('.clock.past');
    await page.goBack();
    await page.waitForSelector('.clock:not(.past)');
    await page.goForward();
    await page.waitForSelector('.clock.past');
    await page.click('text=Back to the present');
    await page.waitForSelector('.clock:not(.past)');
    expect(placeOf(page)).toBe(agent);
    await page.close();
  });

  it('follow the moment that another tab opens, and say where the memory has none', async () => {
    const page = await open.tab();
    await show(page, 'server/requests');
    await page.waitForSelector('section[aria-label="Server: requests"]');
    const atMs = open.lab.reference.history.marks[1]?.atMs ?? 0;
    await open.lab.reference.back(atMs);
    await expect.poll(() => placeOf(page)).toBe(`#server/requests?at=${new Date(atMs).toISOString()}`);
    open.lab.reference.present();
    await expect.poll(() => placeOf(page)).toBe('#server/requests');
    await show(page, 'server/requests?at=1999-01-01T00:00:00Z');
    await page.waitForSelector('.banner.bad:has-text("where the memory begins")');
    await expect.poll(() => placeOf(page)).toBe('#server/requests');
    await page.close();
  });

  it('lead to clauses, checks, exchanges and runs, before a run and after it', async () => {
    const page = await open.tab();
    await show(page, 'conformance/clause/heartbeat.error.heartbeat-too-soon');
    await page.waitForSelector('.detail:has-text("The latest run did not judge it") h2:focus');
    await show(page, 'conformance/check/heartbeat/too-soon');
    await page.waitForSelector('.detail h2:text-is("heartbeat/too-soon")');
    await page.click('button:text-is("Judge this check")');
    await page.waitForSelector('.detail .exchange');
    await page.click('.detail .exchange a >> nth=1');
    await page.waitForSelector('.detail h2:text-is("Exchange 2 of heartbeat/too-soon")');
    expect(placeOf(page)).toBe('#conformance/exchange/2/heartbeat/too-soon');
    await page.waitForSelector('.detail .exchange');
    expect(await page.locator('.detail .exchange').count()).toBe(1);
    await page.goBack();
    await page.waitForSelector('.detail h2:text-is("heartbeat/too-soon")');
    await show(page, 'conformance/exchange/999/heartbeat/too-soon');
    await page.waitForSelector('text=does not keep exchange 999');
    await show(page, 'conformance/clause/no.such.clause');
    await page.waitForSelector('text=no clause has the id no.such.clause');
    await show(page, 'conformance/run/7');
    await page.waitForSelector('text=Run 7 is not kept: there are 1.');
    await runChecks(open, page, 'status/*');
    await show(page, 'conformance/run/1');
    await page.waitForSelector('h2:text-is("Difference to an earlier run")');
    await page.close();
  });

  it('are found by one search: agents, clauses, checks and requests, by keys', async () => {
    const page = await open.tab();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('heartbeat too soon');
    await page.waitForSelector('.search li a:has-text("heartbeat.error.heartbeat-too-soon")');
    expect(await page.locator('.search h3').allTextContents()).toEqual(['Clauses', 'Checks', 'Requests']);
    await page.fill('.search input', 'heartbeat.error.heartbeat-too-soon');
    await page.waitForFunction(() => document.querySelectorAll('.search section:first-of-type li').length === 1);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.detail h2:text-is("heartbeat.error.heartbeat-too-soon")');
    expect(placeOf(page)).toBe('#conformance/clause/heartbeat.error.heartbeat-too-soon');
    await page.click('button:text-is("Search")');
    await page.fill('.search input', 'child-');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.agent .timeline');
    await page.keyboard.press('Control+k');
    await page.fill('.search input', 'no-such-word');
    await page.waitForSelector('.search p:text-is("Nothing has all these words.")');
    await page.keyboard.press('Escape');
    await page.waitForSelector('.search', { state: 'hidden' });
    await page.close();
  });

  it('lead to a scenario', async () => {
    const page = await open.tab();
    await show(page, 'simulation/scenario/heartbeat-spam');
    await page.waitForSelector('.cm-content:has-text("name: heartbeat-spam")');
    await page.selectOption('select', 'sweep/town');
    await page.waitForSelector('.cm-content:has-text("town.scenario.yaml")');
    expect(placeOf(page)).toBe('#simulation/scenario/sweep/town');
    await page.goBack();
    await page.waitForSelector('.cm-content:has-text("name: heartbeat-spam")');
    await show(page, 'simulation/scenario/none');
    await page.waitForSelector('.source .empty');
    await page.click('nav >> text=Simulation');
    await page.waitForSelector('.cm-content:has-text("name: heartbeat-spam")');
    await page.close();
  });

  it('survive the sign-in: with the code, and where the code comes after the door', async () => {
    const context = await open.browser.newContext();
    const page = await context.newPage();
    const base = `http://127.0.0.1:${open.lab.server.port}/`;
    await page.goto(`${base}#server/ledger`);
    await page.waitForSelector('text=This tab needs a key');
    await page.goto(open.lab.server.newUrl());
    await page.waitForSelector('section[aria-label="Server: ledger"]');
    expect(page.url()).toBe(`${base}#server/ledger`);
    const second = await context.newPage();
    await second.goto(`${open.lab.server.newUrl()}/server/flags`);
    await second.waitForSelector('section[aria-label="Server: flags"]');
    expect(second.url()).toBe(`${base}#server/flags`);
    const [third] = await Promise.all([context.waitForEvent('page'), second.click('button:text-is("New tab")')]);
    await third.waitForSelector('section[aria-label="Server: flags"]');
    expect(third.url()).toBe(`${base}#server/flags`);
    await context.close();
  });

  it('that nothing has are named, and lead on', async () => {
    const page = await open.tab();
    for (const place of ['nowhere', 'server/agent/<b>', 'conformance/clause/%', 'server?at=soon']) {
      await show(page, place);
      await page.waitForSelector('h1:text-is("Nothing has this address")');
      expect(await page.title()).toMatch(/^No such address, /);
      await page.click('main li >> text=Server');
      await page.waitForSelector('.clock');
    }
    await show(page, 'server/agent/99999');
    await page.waitForSelector('.agent:has-text("no agent has this hash or row at this moment")');
    await page.close();
  });
});

describe('an agent on the page', () => {
  it('is made, freezes and is resynced by keys alone; its refused heartbeat leads to the clause and to the request', async () => {
    const page = await open.tab();
    await show(page, 'server');
    await page.locator('#new-agent').press('m');
    await page.keyboard.type('ine');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.agent h2:has-text("mine active")');
    const press = async (button: string): Promise<void> => {
      await page.locator(`.agent button:text-is("${button}")`).press('Enter');
    };
    const outcome = (words: string) => page.waitForSelector(`.outcome p >> nth=0 >> text=${words}`);
    await outcome('Made mine');
    await press('Freeze now');
    await page.waitForSelector('.agent h2:has-text("mine frozen")');
    await outcome('Freeze now, mine');
    await press('Heartbeat');
    await outcome('refused: AGENT_FROZEN');
    await press('Resync');
    await page.waitForSelector('.agent h2:has-text("mine active")');
    await outcome('Resync, mine');
    await press('Heartbeat');
    await outcome('refused: SIGIL_REQUIRED');
    await page.click('.outcome summary');
    await page.waitForSelector('.outcome pre:has-text("SIGIL_REQUIRED")');
    await page.click('.outcome a:has-text("heartbeat.error.sigil-required")');
    await page.waitForSelector('.detail h2:text-is("heartbeat.error.sigil-required"):focus');
    expect(placeOf(page)).toBe('#conformance/clause/heartbeat.error.sigil-required');
    await page.goBack();
    await page.click('.agent .timeline a:text-is("request") >> nth=0');
    await page.waitForSelector('.agent pre:has-text("payment_tx")');
    expect(await page.title()).toMatch(/^request \d+, Server, /);
    await page.goBack();
    await press('Buy SIGIL…');
    await page.selectOption('.act select', 'orchestrator');
    await press('Buy SIGIL');
    await outcome('Buy SIGIL, mine');
    await page.waitForSelector('.agent dd:text-is("orchestrator")');
    await press('Heartbeat');
    await page.waitForSelector('.outcome .t-good');
    await page.close();
  });

  it('has caused no error', () => {
    expect(open.errors.filter((error) => !/400|404/.test(String(error)))).toEqual([]);
  });
});
