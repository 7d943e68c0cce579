// The stories of three users in a browser, many tabs, answers that come late, and a stream that is cut.

import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { measureText } from '../../results/numbers.js';
import { answerJudgements, judgedChange } from '../../test/fixtures/judged-change.js';
import { type OpenLab, openLab, overwrite, playSweep, runChecks, show, whatIf } from '../../test/fixtures/lab-page.js';

let open: OpenLab;
beforeAll(async () => {
  open = await openLab();
});
afterAll(() => open.close());
const tab: OpenLab['tab'] = (options) => open.tab(options);
const setFees: OpenLab['setFees'] = (fees) => open.setFees(fees);

/** An action of the lab, as a script does it. */
async function act<T>(path: string, body: object): Promise<T> {
  const headers = { authorization: `Bearer ${open.lab.token}`, 'content-type': 'application/json' };
  const url = `http://127.0.0.1:${open.lab.server.port}/api/${path}`;
  const reply = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  expect(reply.status).toBe(200);
  return (await reply.json()) as T;
}

describe('the page of the lab', () => {
  it('takes its code once, and has no error', async () => {
    const url = open.lab.server.newUrl();
    const [first, second] = [await open.browser.newPage(), await open.browser.newPage()];
    await first.goto(url);
    await first.waitForSelector('text=The life of the population');
    expect(first.url()).not.toContain('code');
    await second.goto(url);
    await second.waitForSelector('text=This tab needs a key');
    await Promise.all([first.close(), second.close()]);
  });

  it('shows an implementer a wrong fee, and that it is right again', async () => {
    const page = await tab();
    await show(page, 'conformance');
    await setFees({ heartbeat_tier1: 7 });
    await runChecks(open, page, 'heartbeat/o*');
    await page.waitForSelector('.verdict.bad');
    expect(await page.textContent('.findings .facts')).toMatch(/expected.*actual.*met by/su);
    await page.click('.findings .card a[href^="#clause-"] >> nth=0');
    await page.waitForSelector('.detail .evidence li:has-text("✗")');
    await page.click('.detail a[href^="#check-"] >> nth=0');
    await page.waitForSelector('.detail .exchange');
    await setFees({});
    await open.startRun(page, () => page.click('button:has-text("that failed or were not judged")'));
    await page.waitForSelector('.verdict:not(.bad)');
    await page.waitForSelector('h3:has-text("newly passing")');
    await page.close();
  });

  it('plays a failed sequence step by step by keys, to the reply that deviates and its clause', async () => {
    const page = await tab();
    await show(page, 'conformance');
    await setFees({ heartbeat_tier1: 7 });
    await page.click('button:text-is("Play on the target")');
    await page.waitForSelector('section:focus[aria-label^="Steps"]');
    await page.keyboard.press('End');
    await page.waitForSelector('output:has-text("it deviates")');
    expect(await page.textContent('section .banner.bad')).toContain('fees-summary.purpose');
    expect(await page.textContent('section > .evidence')).toMatch(/✗ .*expected 500000, got 7/);
    await setFees({});
    await page.click('button:text-is("Play on the target")');
    await page.waitForSelector('text=Every reply is as the text has it now.');
    await page.waitForSelector('.exchange:has-text("clock/advance")');
    expect(await page.textContent('section[aria-label^="Steps"]')).toContain('Action 1 of 2');
    const time = () => page.textContent('.exchange .why');
    const before = await time();
    for (let step = 0; step < 3; step += 1) await page.keyboard.press('ArrowRight');
    await page.waitForSelector('code:has-text("heartbeat")');
    expect(await time()).not.toBe(before);
    await page.keyboard.press('ArrowLeft');
    await page.waitForSelector('section:has-text("Action 1 of 2")');
    await page.click('section button:text-is("Run")');
    await page.waitForSelector('section button:text-is("Run"):disabled');
    expect(await page.textContent('section output')).not.toContain('deviates');
    await page.click('button:text-is("Play on a new reference")');
    await page.waitForSelector('section:focus[aria-label^="Steps"]');
    await page.close();
  });

  it('shows a researcher the paired difference of a changed rule, by the numbers of the command', async () => {
    const page = await tab();
    await show(page, 'simulation');
    await page.selectOption('select', 'heartbeat-spam');
    await whatIf(page, 'heartbeat: intervalBeatsMin', { how: 'to', value: 5, day: 0 });
    await page.fill('input[max="30"]', '2');
    await page.click('button:text-is("Play")');
    await page.waitForSelector('h2:text-is("What the change does")');
    const differences = open.lab.simulation.differences();
    const heartbeats = differences.find(({ total }) => total === 'heartbeats');
    expect(heartbeats?.difference).toBeGreaterThan(0);
    expect(heartbeats?.interval).not.toBeNull();
    expect(await page.textContent('table')).toContain('heartbeats');
    const wanted =
      open.lab.simulation.resultOf('base')?.expectations.map(({ holds }) => (holds ? 'passes' : 'fails')) ?? [];
    expect(wanted).toContain('passes');
    const shown = page.locator('section[aria-label="Expectations, base arm"] .pill');
    expect(await shown.allTextContents()).toEqual(wanted);
    await page.close();
  });

  it('shows a researcher a sweep as bands of its arms, with the numbers of the command, and ends one that is stopped', async () => {
    const page = await tab();
    await show(page, 'simulation');
    await playSweep(page, 'town');
    await page.waitForSelector('#sweep .bands .band');
    const summary = open.lab.simulation.reportedSweep()?.summary;
    const [first] = summary?.estimates ?? [];
    expect(await page.textContent('#sweep .bands tbody tr >> nth=0')).toContain(
      measureText(first?.mean ?? 0, 'lamports'),
    );
    expect(await page.textContent('#sweep')).toContain(summary?.runs_digest);
    await playSweep(page, 'sponsor-ring');
    await page.click('button:text-is("Stop")');
    await page.waitForSelector('p:has-text(": stopped")');
    await page.close();
  });

  it('leaves a text as it is where an answer about an earlier one comes late', async () => {
    const page = await tab();
    let release = (): void => undefined;
    const held = (path: string, isHeld: (body: { name: string; text: string }) => boolean) => {
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      return page.route(`**/api/${path}`, async (route) => {
        if (isHeld(route.request().postDataJSON())) await released;
        await route.continue();
      });
    };
    const comes = (path: string): Promise<unknown> => {
      const arrived = page.waitForResponse(`**/api/${path}`);
      release();
      // The next frame draws the change.
      return arrived.then(() =>
        page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))),
      );
    };
    const text = (): Promise<string | null> => page.textContent('.cm-content');
    await held('simulation/scenario', ({ name }) => name === 'keep-alive-cost');
    await show(page, 'simulation');
    await page.selectOption('select', 'heartbeat-spam');
    await page.waitForSelector('.cm-content:has-text("name: heartbeat-spam")');
    await comes('simulation/scenario');
    expect(await text()).toContain('name: heartbeat-spam');
    await page.waitForSelector('.source p:has-text("No mistake")');
    const first = 'name: first';
    await held('simulation/problems', ({ text: sent }) => sent === first);
    const asked = page.waitForRequest((request) => request.postDataJSON()?.text === first);
    await overwrite(page, first);
    await asked;
    await page.locator('.cm-content').press('End');
    await page.keyboard.type(' and more');
    await comes('simulation/problems');
    expect(await text()).toBe(`${first} and more`);
    await page.waitForSelector('.problems li');
    await page.close();
  });

  it('shows a spec author a verdict, saves the reports of CI, and says what a change breaks: clauses, lint and people', async () => {
    const page = await tab();
    await show(page, 'specification');
    const sent = await answerJudgements(page);
    await page.waitForSelector('.verdict.open .word:text-is("Not judged yet")');
    await page.click('button:text-is("Judge")');
    await page.waitForSelector('.verdict.bad .word:text-is("The change fails")');
    expect(await page.textContent('.verdict')).toContain('scenarios keep their expectations: 1 fault.');
    await page.fill('input[aria-label^="Reason to accept quickstart"]', 'it is meant');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.verdict.open .word:text-is("The accepted changes are others now; judge again")');
    await page.click('button:text-is("Judge")');
    await page.waitForSelector('.verdict.good .word:text-is("The change passes")');
    expect(sent).toEqual([
      '',
      'scenarios:\n  - { scenario: "quickstart", expectation: "heartbeats_refused.conductors > 1000", reason: "it is meant" }\n',
    ]);
    const { files } = judgedChange('it is meant');
    for (const [name, text] of [
      ['Markdown for a pull request', files.summary],
      ['SARIF', files.sarif],
      ['JSON', files.json],
    ]) {
      const saved = page.waitForEvent('download');
      await page.click(`button:text-is("${name}")`);
      expect(readFileSync(await (await saved).path(), 'utf8')).toBe(text);
    }
    await overwrite(page, 'heartbeat: { intervalBeatsMin: 5 }');
    await page.click('button:text-is("Compare")');
    await page.waitForSelector('#change td:text-is("5")');
    await page.waitForSelector('#effects summary');
    const sentence = page.locator('.sentences dt:has-text("heartbeat.interval.min") + dd');
    expect(await sentence.locator('del').textContent()).toBe('10');
    expect(await sentence.locator('xpath=following-sibling::dd[1]').locator('ins').textContent()).toBe('5');
    await page.click('button:has-text("that it concerns")');
    await page.waitForSelector('summary:text-is("Report of this run")');
    expect(await page.textContent('.log')).toContain('heartbeat.interval');
    await page.waitForSelector('button:text-is("Compare"):enabled');
    await overwrite(page, 'heartbeat: { intervalBeats: 5 }');
    await page.waitForSelector('.problems li:has-text("line 1, heartbeat.intervalBeats")');
    await overwrite(page, 'heartbeat:\n  tier1FeeLamports: 500000\n  intervalBeatsMin: 90');
    await page.waitForSelector('.lint li:has-text("line 3, heartbeat.intervalBeatsMin")');
    await page.waitForSelector('.cm-lintRange-warning');
    expect(await page.isEnabled('button:text-is("Compare")')).toBe(true);
    await page.close();
  });

  it('shows a spec author what a moment was, and leaves the present as it is', async () => {
    const page = await tab();
    await show(page, 'server');
    await page.waitForSelector('.agents .link');
    const atMs = open.lab.reference.history.marks[0]?.atMs ?? 0;
    await page.evaluate((value) => {
      const input = document.querySelector('input[type=range]') as HTMLInputElement;
      input.value = String(value);
      input.dispatchEvent(new Event('change', { bubbles: true }));
    }, atMs);
    await page.waitForSelector('text=its fingerprint is the one of that moment');
    await page.click('text=Back to the present');
    await page.waitForSelector('.clock:not(.past)');
    // Presses of a key add up, also while an earlier moment is opened.
    const ruler = page.locator('input[type=range]');
    const fromMs = Number(await ruler.inputValue());
    await ruler.focus();
    for (let press = 0; press < 12; press += 1) await page.keyboard.press('ArrowLeft');
    expect(Number(await ruler.inputValue())).toBe(fromMs - 12 * 60_000);
    await page.waitForSelector('.clock.past');
    await page.click('text=Back to the present');
    await page.waitForSelector('.clock:not(.past)');
    await page.close();
  });

  it('shows the figures of one moment after going back in time', async () => {
    const page = await tab();
    await show(page, 'server');
    await page.waitForSelector('.agents .link');
    await act('server/back', { atMs: open.lab.reference.history.marks[0]?.atMs });
    await page.waitForSelector('.clock.past');
    const words = await page.textContent('main');
    expect(words).toContain('of 0 requests');
    expect(await page.textContent('section[aria-label="The life of the population"]')).not.toMatch(/active [1-9]/);
    await page.click('nav >> text=Overview');
    await page.waitForSelector('p.lead:has-text("0 requests, 0 refused")');
    await act('server/present', {});
    await page.waitForSelector('p.lead:not(:has-text("0 requests, 0 refused")):has-text("requests")');
    await page.close();
  });

  it('leaves everything under the pointer where it is when an action is done', async () => {
    const page = await tab({ viewport: { width: 1_280, height: 800 } });
    await show(page, 'server');
    const button = page.locator('button:text-is("+1 anchor")');
    const before = await button.boundingBox();
    await button.click();
    await page.waitForSelector('.notes code:has-text("server/advance")');
    expect(await button.boundingBox()).toEqual(before);
    await page.close();
  });

  it('keeps texts and what can be undone through other views, scenarios and a reload', async () => {
    const page = await tab();
    await show(page, 'simulation');
    await page.waitForSelector('.cm-content:has-text("name: keep-alive-cost")');
    await overwrite(page, 'name: mine');
    await page.selectOption('select', 'heartbeat-spam');
    await page.waitForSelector('.cm-content:has-text("name: heartbeat-spam")');
    await show(page, 'specification');
    await overwrite(page, 'dms: { missedAnchorsMax: 77 }');
    await show(page, 'simulation');
    await page.waitForSelector('.cm-content:has-text("name: heartbeat-spam")');
    await page.selectOption('select', 'keep-alive-cost');
    await page.waitForSelector('.cm-content:has-text("name: mine")');
    await page.reload();
    await page.waitForSelector('.cm-content:has-text("name: mine")');
    await page.locator('.cm-content').press('Control+z');
    await page.waitForSelector('.cm-content:has-text("name: keep-alive-cost")');
    await show(page, 'specification');
    await page.waitForSelector('.cm-content:has-text("missedAnchorsMax: 77")');
    await page.click('button:text-is("Original text")');
    await page.waitForSelector('.cm-content:has-text("missedAnchorsMax: 90")');
    await page.close();
  });

  it('shows results under the scenario that they are of', async () => {
    const page = await tab();
    const { text } = await act<{ text: string }>('simulation/scenario', { name: 'heartbeat-spam' });
    await act('simulation/run', { text, name: 'heartbeat-spam' });
    await open.lab.simulation.idle();
    await show(page, 'simulation');
    await page.waitForSelector('h2:text-is("No run yet")');
    await page.selectOption('select', 'heartbeat-spam');
    await page.waitForSelector('dl.figures');
    await page.close();
  });

  it('calls loading what has not come yet', async () => {
    const page = await tab();
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/api/{server/table,server/agent,simulation/result}', async (route) => {
      await released;
      await route.continue();
    });
    await show(page, 'server/ledger');
    await page.waitForSelector('section[aria-label="Server: ledger"] .loading');
    await show(page, 'server/agents');
    await page.click('.agents .link');
    await page.waitForSelector('.agent :text("Loading")');
    await show(page, 'simulation');
    await page.waitForSelector('.split > div .loading');
    expect(await page.textContent('main')).not.toContain('No run yet');
    release();
    await page.waitForSelector('main .loading', { state: 'detached' });
    await page.close();
  });

  it('is loaded by eight tabs that share one stream; no event is lost or doubled when it is cut', async () => {
    const context = await open.browser.newContext();
    const tabs = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const page = await context.newPage();
        await page.goto(open.lab.server.newUrl());
        await page.waitForSelector('html[data-ready] h1');
        await show(page, 'server/requests');
        await page.click('button:text-is("All")');
        return page;
      }),
    );
    await open.lab.reference.advance(600_000);
    await context.setOffline(true);
    await open.lab.reference.advance(600_000);
    await context.setOffline(false);
    const wanted = `${open.lab.reference.log.counts.requests} requests`;
    for (const page of tabs) await page.waitForSelector(`output:has-text("${wanted}")`);
    await context.close();
  });

  it('has said no error', () => {
    expect(open.errors.filter((error) => !/ERR_INTERNET_DISCONNECTED/.test(String(error)))).toEqual([]);
  });
});
