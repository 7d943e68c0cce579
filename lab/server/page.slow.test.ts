// The page in a browser: the stories of three users, what axe-core finds, many tabs, and a stream that is cut. It needs Chromium and the build.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { measureText } from '../../reports/numbers.js';
import { type ReferenceProcess, startReference } from '../../runs/server/reference-process.js';
import { readAssets } from './assets.js';
import { type Lab, startLab } from './lab.js';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** The folder that the lab is given. */
const FILES = {
  'town.scenario.yaml': `format: 1
name: town
question: Who lives here?
duration: 1d
populations:
  - name: workers
    count: 5
    class: autonomous
    heartbeat: { policy: interval, every: 25m, jitter: 0.2 }
    budget: { wallet: 2 SOL }
    hash_rate: 2M hashes/s
measures: { every: 1h }
`,
  'town.yaml': `format: 1
name: town
question: What does a heartbeat more often cost?
scenario: town.scenario.yaml
replicates: 6
design: { kind: grid, factors: { populations.workers.heartbeat.every: [20m, 60m] } }
measures: [fees_lamports, frozen_share]
`,
  'fuzz-failure.json': JSON.stringify({
    version: 1,
    message: 'a fee is wrong',
    sequence: {
      ...{ salt: '1:1', set_up: 'devnet', start_anchors: 10 },
      actions: [
        { op: 'wait', by: { interval: 1 } },
        { op: 'heartbeat', agent: 0 },
      ],
    },
  }),
};

/** Every view with each of its panels open, by its place in the address. */
const PANELS: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  overview: (page) => page.waitForSelector('.life svg'),
  'server/agents': async (page) => {
    await page.click('.agents .link');
    await page.waitForSelector('.agent .timeline');
  },
  ...Object.fromEntries(
    ['requests', 'flags', 'ledger', 'fees', 'subsidies', 'partners'].map((part) => [
      `server/${part}`,
      (page: Page) => page.waitForSelector(`section[aria-label="Server: ${part}"] :is(table, .log, .empty)`),
    ]),
  ),
  'conformance clause': async (page) => {
    await setFees({ heartbeat_tier1: 7 });
    await runChecks(page, 'heartbeat/*');
    await page.click('.findings .card a[href^="#clause-"] >> nth=0');
    await page.waitForSelector('.detail .evidence');
  },
  'conformance sequence': async (page) => {
    await page.click('button:text-is("Play on a new reference")');
    await page.waitForSelector('section[aria-label^="Steps"] .exchange');
  },
  'conformance check': async (page) => {
    await page.click('.findings .card a[href^="#check-"] >> nth=0');
    await page.waitForSelector('.detail .exchange');
  },
  'conformance section': async (page) => {
    await page.click('.matrix .name >> nth=0');
    await page.waitForSelector('.detail .checks');
  },
  simulation: async (page) => {
    await page.selectOption('select', 'heartbeat-spam');
    await page.fill('input[placeholder^="Second arm"]', 'protocol.heartbeat.intervalBeatsMin=5');
    await page.waitForSelector('.editor');
    await page.click('button:text-is("Play")');
    await page.waitForSelector('h2:text-is("What the change does")');
  },
  'simulation sweep': async (page) => {
    await playSweep(page, 'town');
    await page.waitForSelector('#sweep .verdict');
  },
  specification: async (page) => {
    await overwrite(page, 'heartbeat: { intervalBeatsMin: 5 }');
    await page.click('button:text-is("Compare")');
    await page.waitForSelector('#effects figure');
    await page.waitForSelector('button:text-is("Compare"):enabled');
  },
};

let reference: ReferenceProcess;
let lab: Lab;
let browser: Browser;
const errors: unknown[] = [];

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'aips-lab-page-'));
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text);
  reference = await startReference({ seed: 5 });
  lab = await startLab({
    ...{ port: 0, seed: 1, target: reference.target, folder, assets: readAssets() },
    onError: (error) => errors.push(error),
  });
  await lab.reference.advance(3_600_000);
  browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
});
afterAll(async () => {
  await browser.close();
  await lab.close();
  await reference.stop();
});

/** A new tab of the lab; what it says to the console as an error is kept. */
async function tab(options: Parameters<Browser['newPage']>[0] = {}): Promise<Page> {
  const page = await browser.newPage(options);
  page.on('pageerror', (error) => errors.push(error));
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  await page.goto(lab.server.newUrl());
  await page.waitForSelector('html[data-ready] h1');
  return page;
}

/** Findings of axe-core, which the page has loaded. */
const violations = (page: Page): Promise<readonly string[]> =>
  page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: { run: () => Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
    };
    return (await axe.run()).violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
  });

const show = (page: Page, view: string) =>
  page.evaluate((name) => {
    location.hash = name;
  }, view);

/** Sets the fees of the target; without any they are those of the text. */
async function setFees(fees: object): Promise<void> {
  const { control } = reference.target;
  const reply = await fetch(`${control?.url}/control/v1/fees`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${control?.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(fees),
  });
  expect(reply.status).toBe(200);
}

async function runChecks(page: Page, pattern: string): Promise<void> {
  await page.fill('input[placeholder^="All checks"]', pattern);
  await page.click('button:text-is("Run")');
  await page.waitForSelector('button:text-is("Stop")');
  await page.waitForSelector('button:text-is("Run")');
}

/** Pastes a text over all that is in the editor. */
async function overwrite(page: Page, text: string): Promise<void> {
  const content = page.locator('.cm-content');
  await content.press('Control+a');
  await content.evaluate((place, pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', pasted);
    place.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, text);
}

/** Plays a sweep, once its text is in the editor. */
async function playSweep(page: Page, name: string): Promise<void> {
  await page.selectOption('select', `sweep/${name}`);
  await page.waitForSelector('input[placeholder^="Second arm"]', { state: 'detached' });
  await page.waitForSelector(`.cm-content:has-text("${name}.scenario.yaml")`);
  await page.click('button:text-is("Play")');
  await page.waitForSelector(`.banner code:has-text("${name}.yaml")`);
}

describe('the page of the lab', () => {
  it('takes its code once, and has no error', async () => {
    const url = lab.server.newUrl();
    const [first, second] = [await browser.newPage(), await browser.newPage()];
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
    await runChecks(page, 'heartbeat/*');
    await page.waitForSelector('.verdict.bad');
    expect(await page.textContent('.findings .facts')).toMatch(/expected.*actual.*met by/su);
    await page.click('.findings .card a[href^="#clause-"] >> nth=0');
    await page.waitForSelector('.detail .evidence li:has-text("✗")');
    await page.click('.detail a[href^="#check-"] >> nth=0');
    await page.waitForSelector('.detail .exchange');
    await setFees({});
    await page.click('button:has-text("Run"):has-text("again")');
    await page.waitForSelector('button:text-is("Stop")');
    await page.waitForSelector('.verdict:not(.bad)');
    await page.waitForSelector('h3:has-text("hold now")');
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
    await page.fill('input[placeholder^="Second arm"]', 'protocol.heartbeat.intervalBeatsMin=5');
    await page.fill('input[type=number]', '2');
    await page.waitForSelector('.editor');
    await page.click('button:text-is("Play")');
    await page.waitForSelector('h2:text-is("What the change does")');
    const differences = lab.simulation.differences();
    const heartbeats = differences.find(({ total }) => total === 'heartbeats');
    expect(heartbeats?.difference).toBeGreaterThan(0);
    expect(heartbeats?.interval).not.toBeNull();
    expect(await page.textContent('table')).toContain('heartbeats');
    const wanted = lab.simulation.resultOf('base')?.expectations.map(({ holds }) => (holds ? 'passes' : 'fails')) ?? [];
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
    const summary = lab.simulation.reportedSweep()?.summary;
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

  it('shows a spec author what a change breaks: clauses, lint and people', async () => {
    const page = await tab();
    await show(page, 'specification');
    await overwrite(page, 'heartbeat: { intervalBeatsMin: 5 }');
    await page.click('button:text-is("Compare")');
    await page.waitForSelector('#change td:text-is("5")');
    await page.waitForSelector('#effects figure');
    await page.click('button:has-text("that it concerns")');
    await page.waitForSelector('text=Open the report of this run');
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
    const atMs = lab.reference.history.marks[0]?.atMs ?? 0;
    await page.evaluate((value) => {
      const input = document.querySelector('input[type=range]') as HTMLInputElement;
      input.value = String(value);
      input.dispatchEvent(new Event('change', { bubbles: true }));
    }, atMs);
    await page.waitForSelector('text=its fingerprint is the one of that moment');
    await page.click('text=Back to the present');
    await page.waitForSelector('.clock:not(.past)');
    await page.close();
  });

  it('is loaded by eight tabs that share one stream; no event is lost or doubled when it is cut', async () => {
    const context = await browser.newContext();
    const tabs = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const page = await context.newPage();
        await page.goto(lab.server.newUrl());
        await page.waitForSelector('html[data-ready] h1');
        await show(page, 'server/requests');
        await page.click('button:text-is("All")');
        return page;
      }),
    );
    await lab.reference.advance(600_000);
    await context.setOffline(true);
    await lab.reference.advance(600_000);
    await context.setOffline(false);
    const wanted = `${lab.reference.log.counts.requests} requests`;
    for (const page of tabs) await page.waitForSelector(`output:has-text("${wanted}")`);
    await context.close();
  });

  it.each(Object.keys(PANELS))('has nothing that axe-core finds with every panel open: %s', async (place) => {
    const page = await tab({ bypassCSP: true });
    await page.addScriptTag({ path: AXE });
    await show(page, place.split(' ')[0] ?? '');
    await PANELS[place]?.(page);
    await page.evaluate(() => {
      for (const details of document.querySelectorAll('details')) details.open = true;
    });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      // 640 px is a window of 1280 at a zoom of 200 %.
      for (const width of [1_280, 640, 320]) {
        await page.setViewportSize({ width, height: 800 });
        expect([colorScheme, width, await violations(page)]).toEqual([colorScheme, width, []]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      }
    }
    await page.evaluate(() => document.querySelector('main')?.append(document.createElement('img')));
    expect(await violations(page)).toEqual(['image-alt: <img>']);
    await page.close();
  });

  it('prints light, whole and without controls, whatever the screen is', async () => {
    const page = await tab({ colorScheme: 'dark', viewport: { width: 794, height: 1_123 } });
    await show(page, 'server/agents');
    await PANELS['server/agents']?.(page);
    const look = () =>
      page.evaluate(() => ({
        ink: getComputedStyle(document.documentElement).getPropertyValue('--ink').trim(),
        controls: ['.rail', '.choices', '.tools'].filter((each) => document.querySelector(each)?.checkVisibility()),
        cut: getComputedStyle(document.querySelector('.timeline') as Element).overflowY,
        wide: document.documentElement.scrollWidth > innerWidth,
      }));
    expect(await look()).toMatchObject({ ink: '#e8ecf3', controls: ['.rail', '.choices', '.tools'], cut: 'auto' });
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    expect(await look()).toEqual({ ink: '#1b2130', controls: [], cut: 'visible', wide: false });
    await page.close();
  });

  it('leads through the matrix of clauses to a clause and back by keys alone', async () => {
    const page = await tab();
    await page.keyboard.press('Alt+3');
    await page.waitForSelector('.matrix .cells a[aria-label]');
    const focused = () => page.evaluate(() => document.activeElement?.closest('.row, .detail')?.textContent ?? '');
    const label = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '');
    while (!(await page.evaluate(() => document.activeElement?.matches('.matrix a')))) await page.keyboard.press('Tab');
    const [first = '', second = ''] = await page.locator('.matrix .row').allTextContents();
    expect(await focused()).toBe(first);
    await page.keyboard.press('ArrowRight');
    expect(await label()).toMatch(/^[a-z0-9.-]+: (pass|fail|not judged|excluded)$/);
    await page.keyboard.press('ArrowDown');
    expect(await focused()).toBe(second);
    await page.keyboard.press('End');
    const wanted = await label();
    await page.keyboard.press('Enter');
    const id = wanted.split(':')[0] ?? '';
    await page.waitForSelector(`.detail h2:text-is("${id}"):focus`);
    expect(await page.textContent('.matrix .readout')).toContain(id);
    await page.keyboard.press('Escape');
    await page.waitForSelector('.detail', { state: 'detached' });
    expect(await label()).toBe(wanted);
    // All of the matrix is one tab stop.
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.closest('.matrix'))).toBeNull();
    await page.close();
  });

  it('has said no error', () => {
    expect(errors.filter((error) => !/ERR_INTERNET_DISCONNECTED/.test(String(error)))).toEqual([]);
  });
});
