// Four tabs and a lab that is killed and comes back, in a browser. It needs Chromium and the build.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aipsProcess } from '../../test/fixtures/aips.js';
import { openBrowser } from '../../test/fixtures/browser.js';
import { root } from '../../test/source-tree.js';
import type { LoggedRequest } from './reference/request-log.js';

const TABS = 4;
const SHOWN = 100;
const folder = mkdtempSync(join(tmpdir(), 'aips-lab-restart-'));
const tokenFile = join(folder, 'token');

interface Started {
  readonly child: ChildProcess;
  readonly url: string;
  readonly token: string;
}

let lab: Started;
let browser: Browser;
let context: BrowserContext;
let tabs: Page[];

/** Starts the program; the port of the first start is that of the later ones. */
async function start(port: string): Promise<Started> {
  const flags = ['--no-open', '--no-run', '--json', '--seed', '4', '--port', port, '--token-file', tokenFile];
  const args = [join(root, 'dist/cli/aips.js'), 'lab', ...flags];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return { child, ...(JSON.parse(line) as { url: string; token: string }) };
}

async function act<T>(path: string, body: object): Promise<T> {
  const headers = { authorization: `Bearer ${lab.token}`, 'content-type': 'application/json' };
  const reply = await fetch(new URL(`/api/${path}`, lab.url), { method: 'POST', headers, body: JSON.stringify(body) });
  expect(reply.status).toBe(200);
  return (await reply.json()) as T;
}

/** The latest requests as a tab lists them: one that was lost or doubled changes the list. */
async function latest(): Promise<readonly string[]> {
  const { requests } = await act<{ requests: readonly LoggedRequest[] }>('server/requests', {});
  return requests
    .slice(-SHOWN)
    .map(({ method, path, beat }) => `${method} ${path} beat ${beat}`)
    .toReversed();
}

const listed = (page: Page): Promise<unknown> =>
  page.evaluate(
    `[...document.querySelectorAll('.log li')].map((li) => li.querySelector('code').textContent + ' ' + li.querySelector('.soft').textContent)`,
  );

/** Lets protocol time pass, and waits until every tab lists what the server lists. */
async function pass(ms: number, pages: readonly Page[]): Promise<void> {
  await act('server/advance', { ms });
  const wanted = await latest();
  expect(wanted.length).toBe(SHOWN);
  for (const page of pages) await expect.poll(() => listed(page), { timeout: 60_000 }).toEqual(wanted);
}

/** How often these tabs asked for the stream since this is called; without any, how often all did. */
function streamsOf(pages?: readonly Page[]): () => number {
  let count = 0;
  context.on('request', (request) => {
    if (request.url().endsWith('/api/stream') && pages?.includes(request.frame().page()) !== false) count += 1;
  });
  return () => count;
}

beforeAll(async () => {
  lab = await start('0');
  browser = await openBrowser();
  context = await browser.newContext();
});
afterAll(async () => {
  await browser?.close();
  lab?.child.kill('SIGTERM');
  rmSync(folder, { recursive: true });
});

describe('tabs of the lab', () => {
  it('read one stream, and list every request once', async () => {
    const streams = streamsOf();
    tabs = await Promise.all(
      Array.from({ length: TABS }, async () => {
        const page = await context.newPage();
        const { url } = await act<{ url: string }>('code', {});
        await page.goto(url);
        await page.waitForSelector('html[data-ready] h1');
        await page.evaluate(`location.hash = 'server/requests'`);
        await page.click('button:text-is("All")');
        return page;
      }),
    );
    await pass(3_600_000, tabs);
    expect(streams()).toBe(1);
  });

  it('are told of the gap when the lab is killed and comes back, and list the requests of the new one', async () => {
    const gone = once(lab.child, 'exit');
    lab.child.kill('SIGKILL');
    await gone;
    for (const page of tabs) await page.waitForSelector('text=The lab does not answer');
    lab = await start(new URL(lab.url).port);
    await pass(3_600_000, tabs);
    for (const page of tabs) await page.waitForSelector('text=The lab does not answer', { state: 'hidden' });
    for (const page of tabs) await page.waitForSelector('text=The lab was started again');
    await pass(600_000, tabs);
  });

  it('go on when the tab that reads is closed', async () => {
    const closing = tabs.splice(0, TABS - 2);
    // A tab that is about to be closed may read for a moment.
    const streams = streamsOf(tabs);
    for (const page of closing) await page.close();
    await pass(600_000, tabs);
    await pass(600_000, tabs);
    expect(streams()).toBeLessThanOrEqual(1);
  });

  it('keep a token that its owner alone may read', async () => {
    expect(statSync(tokenFile).mode & 0o777).toBe(0o600);
    chmodSync(tokenFile, 0o644);
    const args = ['lab', '--no-open', '--no-run', '--json', '--port', '0', '--token-file', tokenFile];
    const { status, stderr } = await aipsProcess(folder, ...args);
    expect([status, stderr]).toEqual([2, expect.stringContaining('others may read it')]);
  });
});
