// The site as its reader opens it: from a folder, without a server. The requests of two checks are recorded; .ci/nightly records all. site.nightly
// makes it twice.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, normalize } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RegistryRow } from '../results/registry.js';
import { openBrowser } from './fixtures/browser.js';
import { build, expectCleanPage, filesOf, openAt, PAGES, SCREENS } from './fixtures/built-site.js';
import type { Screen } from './fixtures/lab-panels.js';
import { readHtml, textOf } from './fixtures/markup-reader.js';

const folder = mkdtempSync(join(tmpdir(), 'aips-site-'));
const out = join(folder, 'site');
let browser: Browser;
beforeAll(async () => {
  const { status, stderr } = build(out);
  expect([status, stderr]).toEqual([0, '']);
  browser = await openBrowser();
});
afterAll(() => browser.close());

/** The attributes of a page by which it leads or loads, and its ids. A page has some thousand, so they are read by their form. */
const attributesOf = (text: string, names: string): readonly string[] =>
  [...text.matchAll(new RegExp(` (?:${names})="([^"]*)"`, 'g'))].map(([, value = '']) =>
    value.replaceAll('&amp;', '&'),
  );

/** A page without the text of its scripts, which has templates of links. */
const withoutScripts = (page: string): string => page.replaceAll(/(<script[^>]*>)[\s\S]*?<\/script>/g, '$1</script>');

function deadLinks(site: string): readonly string[] {
  const pages = filesOf(site).filter((file) => file.endsWith('.html'));
  const texts = new Map(pages.map((file) => [file, withoutScripts(readFileSync(join(site, file), 'utf8'))]));
  const ids = new Map([...texts].map(([file, text]) => [file, new Set(attributesOf(text, 'id'))]));
  return [...texts].flatMap(([file, text]) =>
    attributesOf(text, 'href|src|action')
      .filter((link) => !/^(https?|mailto|data):/.test(link))
      .filter((link) => {
        const [path = '', anchor = ''] = link.split('#');
        const to =
          path === '' || path.startsWith('?') ? file : normalize(join(dirname(file), path.split('?')[0] ?? ''));
        const isFile = ids.has(to) || (existsSync(join(site, to)) && statSync(join(site, to)).isFile());
        return !isFile || (anchor !== '' && ids.get(to)?.has(decodeURIComponent(anchor)) === false);
      })
      .map((link) => `${file}: ${link}`),
  );
}

const textAt = (address: string): string => readFileSync(join(out, address), 'utf8');

describe('the site', () => {
  it('replaces a site, and no other folder', () => {
    const other = join(folder, 'other');
    mkdirSync(other);
    writeFileSync(join(other, 'mine.txt'), '');
    const { status, stderr } = build(other);
    expect([status, existsSync(join(other, 'mine.txt'))]).toEqual([1, true]);
    expect(stderr).toContain('is not empty and holds no site');
  });

  it('has no dead link, and one would be found', () => {
    expect(deadLinks(out)).toEqual([]);
    expect(attributesOf(textAt('registry/second-server/0.1.0/index.html'), 'href')).toContain('../../../index.html');
    expect(attributesOf(textAt('registry/clauses.html'), 'href')).toContain('../c/heartbeat.interval.min/index.html');
    const bad = join(folder, 'bad');
    mkdirSync(bad);
    writeFileSync(
      join(bad, 'a.html'),
      '<a href="b.html">b</a><a href="#c">c</a><a href="a.html">a</a><a href="..">d</a>',
    );
    expect(deadLinks(bad)).toEqual(['a.html: b.html', 'a.html: #c', 'a.html: ..']);
  });

  it('shows of a clause its text, source, checks, script, request and reply', () => {
    const text = textOf(readHtml(textAt('c/heartbeat.interval.min/index.html')));
    for (const part of [
      'Two heartbeats of one agent lie at least 10 beats apart.',
      'section 4.5, paragraph “Minimum interval”',
      'heartbeat.intervalBeatsMin = 10',
      'heartbeat/too-soon',
      'noticed: 3 of 3',
      'POST http://127.0.0.1:8787/api/v1/agent/heartbeat',
      'urllib.request.Request(',
      'http.NewRequest("POST"',
      'HEARTBEAT_TOO_SOON',
      'heartbeats may follow at once',
      'aips conform --target target.yaml --only heartbeat.interval.min',
      'Implementations that pass it',
      'Agent Identity and Provenance Service, section 4.5',
    ])
      expect(text).toContain(part);
    expect(text).not.toMatch(/127\.0\.0\.1:[123]\b|pvn_/);
  });

  it('has own entries of the registry that are of the present text and were judged: npm run registry:seeds records them again', () => {
    const { entries } = JSON.parse(textAt('registry/registry.json')) as { entries: RegistryRow[] };
    const stale = entries.filter(({ expired, judged }) => expired || judged.exit_status === 2);
    expect(stale.map(({ implementation }) => implementation)).toEqual([]);
    expect(entries).toHaveLength(3);
  });

  it.each([
    ['c/error.order/index.html', ['No check judges it: a target may order them otherwise']],
    ['c/status.reply/index.html', ['aips conform http://127.0.0.1:8787 --only status.reply']],
    ['d/D-26/index.html', ['No check judges it: a target may order them otherwise']],
    [
      'e/HEARTBEAT_TOO_SOON/index.html',
      ['The reply', 'fewer beats than the minimum interval since the last heartbeat'],
    ],
    ['n/deposit.lamports/index.html', ['0: off', 'Clauses that it affects']],
    ['n/agent.depthMax/index.html', ['0: no limit', 'Clauses that state it']],
    ['n/agent.nameCharsMin/index.html', ['nameCharsMin1 characternoticed by']],
    ['n/passport.lineageProofUntilMs/index.html', ['ms, 2026-09-']],
    ['docs/index.html', ['docs/conform.md', 'judge a server']],
  ])('%s says what a reader asks of it', (address, parts) => {
    const text = textOf(readHtml(textAt(address)));
    for (const part of parts) expect(text).toContain(part);
  });

  it('lists decisions in the order in which they are to be read, and the parts of a long document', () => {
    const decisions = textOf(readHtml(textAt('d/index.html')));
    expect(decisions.indexOf('D-05')).toBeLessThan(decisions.indexOf('D-01'));
    expect(textAt('docs/conform.html')).toMatch(/<\/h1><ul class="contents"><li><a href="#the-target-file">/);
  });

  it('has an address for each clause in clauses.json', () => {
    const { clauses } = JSON.parse(textAt('clauses.json')) as { clauses: { id: string; address: string }[] };
    expect(clauses.length).toBeGreaterThan(1_000);
    expect(clauses.filter(({ address }) => !existsSync(join(out, address)))).toEqual([]);
    expect(clauses.find(({ id }) => id === 'heartbeat.interval.min')).toEqual({
      id: 'heartbeat.interval.min',
      text: 'Two heartbeats of one agent lie at least 10 beats apart.',
      level: 'must',
      source: 'section 4.5, paragraph “Minimum interval”',
      address: 'c/heartbeat.interval.min/index.html',
      checks: ['heartbeat/too-soon', 'at-once/heartbeat-interval'],
    });
  });

  it('escapes the text of documents, and shows no mark of Markdown', () => {
    const decisions = textAt('docs/decisions.html');
    expect(decisions).toContain('(&lt;p&gt;-register:');
    expect(textOf(readHtml(decisions))).not.toMatch(/\\[<_*|]/);
  });
});

const open = (address: string) => openAt({ browser, out, address });

describe('in a browser, from a folder', () => {
  it('finds ids and words', async () => {
    const { page, errors } = await open('c/heartbeat.interval.min/index.html');
    await page.fill('#find', 'heartbeat.interval.min');
    await page.press('#find', 'Enter');
    await page.waitForSelector('#found a');
    expect(await page.textContent('#found li:first-child a')).toBe('heartbeat.interval.min');
    await page.fill('#find', 'what a receipt contains');
    await page.click('#found a:text-is("D-09 Receipt")');
    expect(await page.textContent('h1')).toBe('D-09 Receipt');
    expect(errors).toEqual([]);
  });

  it('is searched from a page of the registry, and where nothing is found leads to the lists', async () => {
    const { page, errors } = await open('registry/index.html');
    for (const [text, first] of [
      ['who passes', 'Registry of implementations'],
      ['implementations', 'Registry of implementations'],
      ['golang', 'Minimal pairs'],
      ['4.5', '4.5 Heartbeat'],
    ] as const) {
      await page.fill('#find', text);
      await page.press('#find', 'Enter');
      await page.waitForSelector(`#found a:text-is("${first}")`);
    }
    await page.goto(`${pathToFileURL(out).href}/go/index.html?%ZZ`);
    await page.waitForSelector('#found a:text-is("Implementations")');
    expect(await page.textContent('#go-status')).toMatch(/^Nothing found/);
    expect(errors).toEqual([]);
  });

  it('has no page of a clause that is wider than a narrow screen', async () => {
    const { page } = await open('index.html');
    await page.setViewportSize({ width: 320, height: 800 });
    const longest = readdirSync(join(out, 'c'))
      .toSorted((a, b) => b.length - a.length)
      .slice(0, 12);
    for (const id of longest.filter((name) => name !== 'index.html')) {
      await page.goto(`${pathToFileURL(join(out, 'c', id)).href}/index.html`);
      expect([id, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([id, 320]);
    }
  });

  it.each([
    ['heartbeat.interval.min', 'heartbeat.interval.min'],
    ['d-9', 'D-09 Receipt'],
    ['d9', 'D-09 Receipt'],
  ])('go/?%s leads to its page', async (id, head) => {
    const { page } = await open(`go/index.html?${id}`);
    await page.waitForFunction((text) => document.querySelector('h1')?.textContent === text, head);
  });

  it.each(PAGES.map((address, turn) => [address, SCREENS[turn % SCREENS.length] as Screen] as const))(
    '%s has nothing that axe-core finds on %j, one screen of two',
    (address, screen) => expectCleanPage({ browser, out, address, screens: [screen] }),
  );
});
