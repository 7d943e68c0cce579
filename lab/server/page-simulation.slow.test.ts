// The Simulation view in a browser: words that the editor offers, changes without YAML, charts of several arms, and exports.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OpenLab, openLab, overwrite, show } from '../../test/fixtures/lab-page.js';

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
    await page.hover('.cm-content span:text-is("heartbeat")');
    await page.waitForSelector('.cm-tooltip-hover:has-text("when an agent sends heartbeats")');
    await page.close();
  });

  it('has said no error', () => {
    expect(open.errors).toEqual([]);
  });
});
