// Writes docs/images/, the same bytes each time: the main views of the lab as README.md and docs/lab.md show them, of a session with
// fixed seeds against a reference with one wrong fee. It needs the build and Chromium; `--all FOLDER` writes every view, wide and
// narrow, light and dark.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { readAssets } from '../dist/lab/server/assets.js';
import { startLab } from '../dist/lab/server/lab.js';
import { packageRoot } from '../dist/runs/host/package.js';
import { startReference } from '../dist/runs/server/reference-process.js';

const HOUR_MS = 3_600_000;
const [flag, given] = process.argv.slice(2);
const folder = flag === '--all' && given !== undefined ? given : join(packageRoot(), 'docs/images');
mkdirSync(folder, { recursive: true });

const reference = await startReference({ seed: 5 });
const { control } = reference.target;
await fetch(`${control.url}/control/v1/fees`, {
  method: 'PUT',
  headers: { authorization: `Bearer ${control.token}`, 'content-type': 'application/json' },
  body: JSON.stringify({ heartbeat_tier1: 7 }),
});
const onError = (error) => console.error(error);
const lab = await startLab({ port: 0, seed: 1, target: reference.target, assets: readAssets(), onError });
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });

/** Opens a tab with the view, and takes its picture. */
async function picture(view, file, { width = 1_280, colorScheme = 'light', fullPage = false } = {}) {
  const page = await browser.newPage({ viewport: { width, height: 760 }, colorScheme, reducedMotion: 'reduce' });
  await page.goto(lab.server.newUrl());
  await page.waitForSelector('html[data-ready] h1');
  await page.evaluate((name) => {
    location.hash = name;
  }, view);
  await page.waitForTimeout(800);
  // Ports are other ones each time, and so is the time that a run takes.
  await page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode())
      node.data = node.data.replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:8787');
    for (const term of document.querySelectorAll('.stats dt, .figure dt'))
      if (['Wall time', 'time'].includes(term.textContent)) term.nextElementSibling.textContent = '9 s';
  });
  await page.screenshot({ path: join(folder, `${file}.png`), fullPage });
  await page.close();
}

try {
  for (let hour = 0; hour < 48; hour += 4) await lab.reference.advance(4 * HOUR_MS);
  await fetch(`http://127.0.0.1:${lab.server.port}/api/conformance/run`, {
    method: 'POST',
    headers: { authorization: `Bearer ${lab.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ only: ['heartbeat/*', 'sigil/*', 'register/*'] }),
  });
  await lab.conformance.idle();
  if (flag === '--all') {
    for (const colorScheme of ['light', 'dark'])
      for (const width of [1_280, 768, 360])
        for (const view of ['overview', 'server', 'conformance', 'simulation', 'specification'])
          await picture(view, `${view}-${width}-${colorScheme}`, { width, colorScheme, fullPage: true });
  } else {
    await picture('server', 'lab-server');
    await picture('conformance', 'lab-conformance');
  }
} finally {
  await browser.close();
  await lab.close();
  await reference.stop();
}
