// `aips watch` as a process: the example of its document, its workflow, and the proxy until Ctrl-C.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import type { WatchResult } from '../../results/watch-result.js';
import { startReference } from '../../runs/server/reference-process.js';
import { desk, run } from '../../test/fixtures/document-desk.js';
import { blocksOf, documentAt } from '../../test/fixtures/markdown.js';
import { root } from '../../test/source-tree.js';

it('the example of the document has heartbeats that each schema allows: interval, tier and cap are reported', async () => {
  const place = await desk();
  const [block = ''] = blocksOf(documentAt('docs/watch.md'), 'sh');
  const { status, out } = await run(block, place);
  expect(status).toBe(1);
  for (const clause of [
    'heartbeat.interval.min',
    'fee.heartbeat.tier-2',
    'fee.heartbeat.tier-3',
    'heartbeat.cap.narrow-task',
  ])
    expect(out).toContain(`(${clause})`);
  expect(out.match(/^FAIL/gm)).toHaveLength(4);
  expect(out).toMatch(/shown by {2}1\. POST \/api\/v1\/agent\/heartbeat → 200 \(heartbeats\.har, entry 1\)/);
  expect(existsSync(join(place.folder, 'watch-report/deviation-1.sh'))).toBe(true);
});

it('the workflow of the examples judges a HAR file and shows the summary', async () => {
  const place = await desk();
  const { jobs } = parse(readFileSync(join(root, 'examples/watch-workflow.yml'), 'utf8')) as {
    jobs: { aips: { steps: { name?: string; run?: string }[] } };
  };
  const scripts = Object.fromEntries(
    jobs.aips.steps.flatMap(({ name, run: script }) => (script ? [[name, script]] : [])),
  );
  const made = await run(
    'node examples/heartbeats-har.mjs 1 > tests.har && aips watch tests.har --lock watch.lock --update-lock',
    place,
  );
  expect(made).toMatchObject({ status: 0, err: '' });
  expect(await run(scripts['Judge their traffic'] ?? '', place)).toMatchObject({ status: 0, err: '' });
  await run(scripts['Show the summary'] ?? '', place);
  expect(readFileSync(join(place.folder, 'page.md'), 'utf8')).toContain('## ✅ No deviation');
});

it('the proxy passes on and judges in a thread until Ctrl-C', async () => {
  const reference = await startReference({ seed: 1, flags: [] });
  const folder = mkdtempSync(join(tmpdir(), 'aips-watch-'));
  const words = ['watch', '--to', reference.target.baseUrl, '--json', '--out', 'traffic.ndjson'];
  const child = spawn(process.execPath, [join(root, 'dist/cli/aips.js'), ...words], { cwd: folder });
  try {
    let [out, err] = ['', ''];
    child.stdout.on('data', (piece) => {
      out += piece;
    });
    const url = await new Promise<string>((done, fail) => {
      child.stderr.on('data', (piece) => {
        err += piece;
        const [, listening] = /^(http:\S+) passes on to/m.exec(err) ?? [];
        if (listening !== undefined && err.includes('Ctrl-C')) done(listening);
      });
      child.once('exit', () => fail(new Error(err)));
    });
    const headers = { 'content-type': 'application/json' };
    const reply = await fetch(`${url}/api/v1/register`, { method: 'POST', headers, body: '{"name":"a"}' });
    const { api_key } = (await reply.json()) as { api_key: string };
    const ended = new Promise<number | null>((done) => child.once('exit', done));
    child.kill('SIGINT');
    expect([await ended, (JSON.parse(out) as WatchResult).exchanges]).toEqual([
      0,
      { seen: 1, judged: 1, unknown: 0, undecided: [], not_judged: {} },
    ]);
    const written = readFileSync(join(folder, 'traffic.ndjson'), 'utf8');
    expect(written).toContain('/api/v1/register');
    expect(written).not.toContain(api_key.split('.')[1]);
  } finally {
    child.kill('SIGKILL');
    await reference.stop();
  }
});
