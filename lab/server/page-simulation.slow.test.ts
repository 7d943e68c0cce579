// The Simulation view in a browser: words that the editor offers, changes without YAML, charts of several arms, and exports.
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { measureText } from '../../results/numbers.js';
import { type OpenLab, openLab, overwrite, show, whatIf } from '../../test/fixtures/lab-page.js';

let open: OpenLab;
beforeAll(async () => {
  open = await openLab();
});
afterAll(() => open.close());

describe('the Simulation view', () => {
  it('offers the words of the place, what each means, and then the values of a key', async () => {
    const page = await open.tab();
    await show(page, 'simulation');
    await overwrite(page, 'populations:\n  - heartbeat: ');
    await page.locator('.cm-content').press('Control+End');
    await page.keyboard.type('{ pol');
    const options = page.locator('.cm-tooltip-autocomplete li');
    await page.waitForSelector('.cm-tooltip-autocomplete li:has-text("policy")');
    expect(await options.allTextContents()).toEqual(['policy']);
    await page.waitForSelector('.cm-completionInfo:has-text("the kind of behaviour")');
    await options.first().click();
    await page.waitForSelector('.cm-content:has-text("{ policy: }")');
    await page.waitForSelector('.cm-tooltip-autocomplete li:has-text("keep_alive")');
    expect(await options.allTextContents()).not.toContain('policy');
    await page.keyboard.press('Escape');
    // Words come where the pointer rests: it moves again where a drawing was in between.
    const pointed = async (): Promise<string | null> => {
      await page.hover('.cm-content span:text-is("populations")');
      await page.hover('.cm-content span:text-is("heartbeat")');
      const shown = page.waitForSelector('.cm-tooltip-hover', { timeout: 2_000 }).catch(() => null);
      return (await shown)?.textContent() ?? null;
    };
    await expect.poll(pointed, { timeout: 60_000 }).toContain('when an agent sends heartbeats');
    await page.close();
  });

  it('plays fees that double on day 3 without a line of YAML, and draws, hides and saves what it finds', async () => {
    const page = await open.tab({ viewport: { width: 1_280, height: 1_000 } });
    await show(page, 'simulation');
    await page.selectOption('select', 'heartbeat-spam');
    await page.waitForSelector('.cm-content:has-text("name: heartbeat-spam")');
    await whatIf(page, 'heartbeat: all fees', { how: 'times', value: 2, day: 3 });
    const arm = 'heartbeat all fees × 2 from day 3';
    await page.waitForSelector('.cm-content:has-text("at: 3d")');
    await page.click('button:text-is("Play")');
    await page.waitForSelector('h2:text-is("What the change does")');
    await page.waitForSelector('.chart .u-over');
    const fees = page.locator('figure:has(b:text-is("Fees paid"))');
    const words = (): Promise<string | null> => fees.locator('[role=slider]').getAttribute('aria-valuetext');
    const [base, changed] = ['base', arm].map(
      (each) => open.lab.simulation.resultOf(each)?.totals['fees_lamports'] ?? 0,
    );
    expect(changed).toBeGreaterThan(base ?? 0);
    const said = [`base ${measureText(base ?? 0, 'lamports')}`, `${arm} ${measureText(changed ?? 0, 'lamports')}`];
    const difference = `${arm} − base ${measureText((changed ?? 0) - (base ?? 0), 'lamports')}`;
    expect(await words()).toBe(`4 d: ${[...said, difference].join(', ')}`);
    await page.click(`.legend button:text-is("${arm}")`);
    await expect.poll(words).toBe(`4 d: ${said[0]}, ${difference}`);
    await page.reload();
    await page.waitForSelector(`.legend [aria-pressed=false]:text-is("${arm}")`);
    await page.click('button:text-is("By population")');
    await page.waitForSelector('figure:has(b:text-is("Fees paid")) .bound:has-text("fees_lamports.spammers < 6 SOL")');
    await page.click('button:text-is("All agents")');
    await expect.poll(words).toBe(`4 d: ${said[0]}, ${difference}`);
    await page.click('button:text-is("By population")');
    await page.setViewportSize({ width: 360, height: 1_000 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
    await page.setViewportSize({ width: 1_280, height: 1_000 });
    await page.click('summary:text-is("Measures")');
    await page.click('label:text-is("Freezes")');
    await page.waitForSelector('figure:has(b:text-is("Freezes"))');
    const saved = async (button: Locator): Promise<readonly [name: string, bytes: Buffer]> => {
      const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
      return [download.suggestedFilename(), readFileSync(await download.path())];
    };
    const of = page.locator(`[aria-label="Save ${arm}"]`);
    const stem = 'heartbeat-spam.heartbeat-all-fees-2-from-day-3';
    const [csvName, csv] = await saved(of.locator('button:text-is("CSV")'));
    expect(csvName).toBe(`${stem}.csv`);
    expect(csv.equals(Buffer.from(open.lab.simulation.filesOf(arm)['measures.csv'] ?? ''))).toBe(true);
    const [scenarioName, scenario] = await saved(of.locator('button:text-is("Scenario")'));
    expect([scenarioName, String(scenario)]).toEqual([
      `${stem}.yaml`,
      expect.stringMatching(/^# Refused heartbeats are free.*at: 3d/s),
    ]);
    const [svgName, svg] = await saved(fees.locator('button:text-is("SVG")'));
    expect([svgName, String(svg)]).toEqual([
      'heartbeat-spam.fees_lamports.svg',
      expect.stringMatching(/^<svg .*spammers/s),
    ]);
    const [name, bytes] = await saved(of.locator('button:text-is("Parquet")'));
    const file = join(mkdtempSync(join(tmpdir(), 'aips-lab-export-')), name);
    writeFileSync(file, bytes);
    expect(name).toBe(`${stem}.parquet`);
    const duck = await (await DuckDBInstance.create(':memory:')).connect();
    const last = await duck.runAndReadAll(
      `SELECT value FROM '${file}' WHERE measure = 'fees_lamports' AND population IS NULL ORDER BY time_ms DESC LIMIT 1`,
    );
    expect(last.getRows()).toEqual([[changed]]);
    await page.close();
  });

  it('has said no error', () => {
    expect(open.errors).toEqual([]);
  });
});
