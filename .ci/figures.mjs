// Makes the pictures of the README in docs/figures by the project's own commands: a report and a CI summary of a reference with one
// wrong number, and the chart of a scenario. It is run by hand after the reports change: npm run build && node .ci/figures.mjs
import { execFileSync, spawn } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const aips = join(root, 'dist/cli/aips.js');
const figures = join(root, 'docs/figures');
const work = mkdtempSync(join(tmpdir(), 'aips-figures-'));

// The server takes 49 hashes in a batch where the specification says 50.
writeFileSync(join(work, 'overlay.yaml'), 'verifyBatch: { hashesMax: 49 }\n');
const flags = [
  '--clock',
  'manual',
  '--trust-forwarded-for',
  '--allow-loopback-webhooks',
  '--control-token',
  'lab',
  '--json',
];
const server = spawn(process.execPath, [aips, 'serve', ...flags, '--protocol', join(work, 'overlay.yaml')], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
await new Promise((done) => createInterface({ input: server.stdout }).once('line', done));
try {
  copyFileSync(join(root, 'examples/target.yaml'), join(work, 'target.yaml'));
  execFileSync(process.execPath, [aips, 'conform', '--target', 'target.yaml', '--out', '.'], {
    cwd: work,
    env: { ...process.env, CONTROL_TOKEN: 'lab' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
} catch (error) {
  // It finds the wrong number.
  if (error.status !== 1) throw error;
} finally {
  server.kill();
}
const summary = execFileSync('npx', ['--yes', 'marked@18.0.7', '-i', join(work, 'summary.md'), '--gfm'], {
  encoding: 'utf8',
});
const style = `body { font: 14px/1.5 system-ui, sans-serif; margin: 24px; color: #1f2328 }
  table { border-collapse: collapse; margin: 12px 0 } td, th { border: 1px solid #d1d9e0; padding: 4px 10px; text-align: left }
  code { background: #eff1f3; border-radius: 4px; padding: 1px 4px; font-size: 12px }
  h2 { border-bottom: 1px solid #d1d9e0; padding-bottom: 6px }`;
writeFileSync(join(work, 'summary.html'), `<!doctype html><meta charset="utf-8"><style>${style}</style>${summary}`);

const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
try {
  const context = await browser.newContext({ offline: true, viewport: { width: 1000, height: 640 } });
  const shoot = async (file, name, prepare) => {
    const page = await context.newPage();
    await page.goto(pathToFileURL(join(work, file)).href);
    const height = await prepare(page);
    await page.screenshot({ path: join(figures, name), clip: { x: 0, y: 0, width: 1000, height } });
  };
  await shoot('conformance.html', 'conformance.png', async () => 640);
  await shoot('summary.html', 'ci-summary.png', (page) =>
    page.evaluate(() => Math.min(480, document.documentElement.scrollHeight)),
  );
} finally {
  await browser.close();
}
execFileSync(
  process.execPath,
  [aips, 'simulate', 'scenarios/library/strategic-freezing.yaml', '--out', join(work, 'freezing')],
  { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] },
);
execFileSync(process.execPath, [aips, 'report', 'freezing', '--chart', 'fees_lamports'], {
  cwd: work,
  stdio: ['ignore', 'ignore', 'inherit'],
});
writeFileSync(join(figures, 'strategic-freezing.svg'), readFileSync(join(work, 'freezing/fees_lamports.svg'), 'utf8'));
console.log(`wrote the pictures of ${figures}`);
