/**
 * Measures the page of `aips lab` in Chromium: sizes, the time until a user can act, frames while a long table scrolls, memory under many
 * events, the cost of live charts and of a followed run. It prints each figure with its bound. Tests of the page are in lab/.
 */

import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { Browser, CDPSession } from 'playwright-core';
import { median } from 'simple-statistics';
import { conform } from '../conformance/run/runner.js';
import { readAssets } from '../lab/server/assets.js';
import { type Lab, startLab } from '../lab/server/lab.js';
import { replay } from '../reference/http/server/replay.js';
import { startReference } from '../runs/server/reference-process.js';
import { atMost, inBrowser, tab } from './lab-browser.js';

const AGENTS = 10_000;
const EVENTS = 100_000;
const LOADS = 9;
const THROTTLE = 4;
const PAUSE_MS = 20;
const SETTLED_MS = 2_000;
const FRAMES = 400;
/** Rows by which a frame scrolls, half a view. */
const STEP_PX = 234;
const RUNS = 3;
const SCENARIO = 'heartbeat-spam';

/** All figures of the page. */
export async function benchLab(): Promise<object> {
  const lab = await labOf();
  for (let n = 0; n < AGENTS; n += 1) {
    const body = { name: `agent ${n}`, mode: 'root' };
    const { host } = lab.reference.running;
    replay(host, { at: host.clock.nowMs(), name: 'register', agent: -1, partner: -1, body, given: {} });
  }
  try {
    const interactive: number[] = [];
    for (let n = 0; n < LOADS; n += 1) interactive.push(await inBrowser((browser) => loadMs(browser, lab)));
    const { p95, mean, nodes } = await inBrowser((browser) => scrolled(browser, lab));
    const heap = await inBrowser((browser) => heapMb(browser, lab));
    const charts = await inBrowser((browser) => chartShare(browser, lab));
    return {
      ...sizes(),
      interactive_at_4x: atMost(median(interactive), 500, 'ms'),
      frame_p95: atMost(p95, 17, 'ms'),
      frame_work_mean: { measured: Number(mean.toFixed(2)), unit: 'ms of the main thread' },
      nodes: atMost(nodes, 1_500, 'nodes'),
      heap_after_events: atMost(heap.mb, 80, 'MB'),
      events_took: { measured: heap.sec, unit: `s until the last of ${EVENTS} is shown` },
      charts_main_thread: atMost(charts, 10, '%'),
      followed_run: await slowdown(),
    };
  } finally {
    await lab.close();
  }
}

function labOf(target?: Parameters<typeof startLab>[0]['target']): Promise<Lab> {
  return startLab({
    ...{ port: 0, seed: 1, target, assets: readAssets() },
    onError: (error) => console.error(error),
  });
}

function sizes() {
  const assets = readAssets();
  const kb = (...paths: readonly string[]): number =>
    paths.reduce((sum, path) => sum + gzipSync(assets.get(path)?.bytes ?? '', { level: 9 }).length, 0) / 1_000;
  return {
    shell_gzipped: atMost(kb('/', '/lab.css', '/lab.js'), 70, 'kB'),
    charts_gzipped: atMost(kb('/charts.js'), 24, 'kB'),
    editor_gzipped: atMost(kb('/editor.js'), 150, 'kB'),
  };
}

/** Seconds of the main thread in tasks so far. */
async function taskSec(cdp: CDPSession): Promise<number> {
  const { metrics } = await cdp.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0;
}

/** From the start of the navigation to the first frame after the page is ready; then nothing of its own is left to do. */
async function loadMs(browser: Browser, lab: Lab): Promise<number> {
  const page = await browser.newPage();
  // Until the browser has opened its own windows.
  await wait(SETTLED_MS);
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: THROTTLE });
  await page.addInitScript(`new MutationObserver((_, seen) => {
    if (document.documentElement.dataset.ready !== 'true') return;
    seen.disconnect();
    requestAnimationFrame(() => setTimeout(() => { document.documentElement.dataset.usableMs = performance.now(); }));
  }).observe(document, { attributes: true, subtree: true })`);
  await page.goto(lab.server.newUrl());
  // Asking again and again would be work of the page.
  await wait(SETTLED_MS);
  return Number(await page.evaluate('document.documentElement.dataset.usableMs'));
}

/** Scrolls the table of agents by half a view in each frame: the time between frames, work of the main thread, and the most nodes. */
async function scrolled(browser: Browser, lab: Lab) {
  const { page, cdp } = await tab(browser, lab, 'server/agents');
  await page.waitForSelector('.agents .link');
  const before = await taskSec(cdp);
  const { gaps, nodes } = (await page.evaluate(`new Promise((done) => {
    const view = document.querySelector('.agents .window');
    const gaps = [];
    let nodes = 0;
    let last;
    const frame = (now) => {
      if (last !== undefined) gaps.push(now - last);
      last = now;
      nodes = Math.max(nodes, document.querySelectorAll('*').length);
      if (gaps.length === ${FRAMES}) return done({ gaps, nodes });
      view.scrollTop += ${STEP_PX};
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  })`)) as { readonly gaps: readonly number[]; readonly nodes: number };
  const mean = (1_000 * ((await taskSec(cdp)) - before)) / FRAMES;
  const last = await page.evaluate(`document.querySelector('.agents .window').scrollTop`);
  if (Number(last) < FRAMES * STEP_PX) throw new Error(`the table has scrolled to ${last} px only`);
  return { p95: gaps.toSorted((a, b) => a - b)[Math.floor(gaps.length * 0.95)] ?? 0, mean, nodes };
}

/** The heap of a tab that shows requests, after events of one request each. */
async function heapMb(browser: Browser, lab: Lab) {
  const { page, cdp } = await tab(browser, lab, 'server/requests');
  await page.click('button:text-is("All")');
  const first = lab.reference.log.counts.requests;
  const startMs = performance.now();
  for (let n = 1; n <= EVENTS; n += 1) {
    const entry = {
      n: first + n,
      atMs: n,
      beat: n,
      method: 'POST',
      path: `/api/v1/agent/${n}`,
      status: 200,
      agent: -1,
    };
    lab.stream.publish('requests', { entries: [entry], skipped: 0 });
    // As fast as a page follows: one that falls behind reads the log again, which these events are not in.
    if (n % 200 === 0) await wait(PAUSE_MS);
  }
  const shown = `POST /api/v1/agent/${EVENTS}`;
  await page.waitForSelector(`.log code:text-is("${shown}")`);
  const sec = Number(((performance.now() - startMs) / 1_000).toFixed(1));
  await cdp.send('HeapProfiler.collectGarbage');
  const { usedSize } = await cdp.send('Runtime.getHeapUsage');
  return { mb: usedSize / 1e6, sec };
}

/** The share of a processor that six charts of two arms take on the main thread, with new samples ten times a second, in percent. */
async function chartShare(browser: Browser, lab: Lab): Promise<number> {
  const { page, cdp } = await tab(browser, lab, `simulation/scenario/${SCENARIO}`);
  await page.waitForSelector(`.cm-content:has-text("name: ${SCENARIO}")`);
  const SECONDS = 15;
  const BEFORE = 1_000;
  const values = (from: number, count: number): Readonly<Record<string, readonly number[]>> =>
    Object.fromEntries(
      Array.from({ length: 6 }, (_, m) => [
        `measure_${m}`,
        Array.from({ length: count }, (_, at) => Math.sin((from + at) / (9 + m)) * 100 + m),
      ]),
    );
  const say = (at: number, count: number): void => {
    for (const arm of ['base', 'changed'] as const) {
      const timesSec = Array.from({ length: count }, (_, i) => (at + i) * 600);
      const word = {
        n: 1,
        name: SCENARIO,
        state: 'running',
        arm,
        seed: 1,
        share: 0.5,
        timesSec,
        values: values(at, count),
      };
      lab.stream.publish('simulation', word);
    }
  };
  say(0, BEFORE);
  await page.waitForSelector('.charts canvas >> nth=5');
  await wait(1_000);
  const cpuSec = await mainThread(cdp);
  const startMs = performance.now();
  for (let tick = 0; tick < SECONDS * 10; tick += 1) {
    say(BEFORE + tick, 1);
    await wait(startMs + (tick + 1) * 100 - performance.now());
  }
  const sec = (performance.now() - startMs) / 1_000;
  return (100 * (await cpuSec())) / sec;
}

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds that the thread worked. */
  readonly tdur?: number;
  readonly args: { readonly name?: string };
}

/**
 * Begins to trace a tab; the result ends it and returns the seconds that the main thread worked. Canvases are rastered between the tasks
 * that the browser's own metrics count.
 */
async function mainThread(cdp: CDPSession): Promise<() => Promise<number>> {
  const events: TraceEvent[] = [];
  cdp.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as TraceEvent[])));
  const includedCategories = ['toplevel', 'disabled-by-default-devtools.timeline'];
  await cdp.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig: { includedCategories } });
  return async () => {
    const ended = new Promise((resolve) => cdp.once('Tracing.tracingComplete', resolve));
    await cdp.send('Tracing.end');
    await ended;
    const perThread = new Map<string, number>();
    for (const { args, pid, tid } of events) if (args.name === 'CrRendererMain') perThread.set(`${pid} ${tid}`, 0);
    for (const { name, pid, tid, tdur = 0 } of events) {
      const before = perThread.get(`${pid} ${tid}`);
      if (name === 'RunTask' && before !== undefined) perThread.set(`${pid} ${tid}`, before + tdur / 1e6);
    }
    // Other renderers are the browser's own, which are idle.
    return Math.max(...perThread.values());
  };
}

/** Quick runs, as the lab makes them, followed by a tab, and the same runs alone, by turns; in percent of the time of those alone. */
async function slowdown() {
  const [alone, followed]: [number[], number[]] = [[], []];
  for (let seed = 1; seed <= RUNS; seed += 1) {
    const bare = await startReference({ seed });
    alone.push((await conform(bare.target, { seed, quick: true, toolVersion: 'bench', nowWallMs: Date.now })).wall_s);
    await bare.stop();
    const server = await startReference({ seed });
    const lab = await labOf(server.target);
    await inBrowser(async (browser) => {
      const { page } = await tab(browser, lab, 'conformance');
      await page.click('button:text-is("Run")');
      await page.waitForSelector('button:text-is("Stop")');
      await lab.conformance.idle();
      followed.push(lab.conformance.result?.wall_s ?? Number.NaN);
    });
    await lab.close();
    await server.stop();
  }
  // Of a run and the one before it: what else the machine does changes slowly.
  const more = 100 * (median(followed.map((sec, at) => sec / (alone[at] ?? Number.NaN))) - 1);
  return { ...atMost(more, 5, '%'), alone_s: alone, followed_s: followed };
}
