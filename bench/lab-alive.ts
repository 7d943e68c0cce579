/**
 * Measures the living registry of `aips lab`: what a frame and the process cost while 2,000 agents live at 60×, and how long a drag to an
 * earlier moment takes with 20,000 agents and all the history that is kept.
 */

import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { median } from 'simple-statistics';
import { readAssets } from '../lab/server/assets.js';
import { type Lab, startLab } from '../lab/server/lab.js';
import { parsedOrFail } from '../runs/host/files.js';
import { parseScenario } from '../scenarios/schema.js';
import { atMost, inBrowser, tab } from './lab-browser.js';

const SECONDS = 10;
const SETTLED_MS = 3_000;
const HOUR_MS = 3_600_000;
/** The commands that are played before the drags: a lab keeps some 200,000. */
const COMMANDS = 250_000;
const DRAGS = 21;

/** A lab in which this many agents live, each with a heartbeat in half an hour. */
function labOf(agents: number): Promise<Lab> {
  const text = `format: 1
name: bench
question: What does a living registry cost?
duration: 30d
populations:
  - name: agents
    count: ${agents}
    class: narrow_task
    arrivals: { pattern: uniform, over: 30m }
    heartbeat: { policy: interval, every: 30m, jitter: 0.2 }
    budget: { wallet: 5 SOL }
    hash_rate: 2M hashes/s
measures: { every: 1h }
`;
  const scenario = parsedOrFail(parseScenario(text, 'bench'));
  return startLab({
    ...{ port: 0, seed: 1, assets: readAssets(), scenario },
    onError: (error) => console.error(error),
  });
}

/** The figures of the living registry. */
export async function benchLabAlive(): Promise<object> {
  return { ...(await living()), ...(await drags()) };
}

/** Script and layout of each frame, and the share of a core that the process takes, while 2,000 agents live at 60×. */
async function living() {
  const lab = await labOf(2_000);
  try {
    await lab.reference.advance(HOUR_MS);
    return await inBrowser(async (browser) => {
      const { page, cdp } = await tab(browser, lab, 'server');
      await page.waitForSelector('.alive canvas');
      await page.selectOption('.play select', '60x');
      await page.click('button:text-is("Play")');
      await wait(SETTLED_MS);
      const work: number[] = [];
      const cpu = process.cpuUsage();
      const startMs = performance.now();
      let before = await workMs(cdp);
      while (performance.now() - startMs < SECONDS * 1_000) {
        await page.evaluate('new Promise((drawn) => requestAnimationFrame(drawn))');
        // At least one frame has passed: this is the most that it can have cost.
        const now = await workMs(cdp);
        work.push(now - before);
        before = now;
      }
      const { user, system } = process.cpuUsage(cpu);
      const share = (user + system) / 1_000 / (performance.now() - startMs);
      return {
        alive_frame_work_median: atMost(median(work), 8, 'ms of script and layout'),
        alive_process: atMost(100 * share, 50, '% of a core'),
      };
    });
  } finally {
    await lab.close();
  }
}

type Tools = Awaited<ReturnType<typeof tab>>['cdp'];

/** Script and layout so far, in ms. */
async function workMs(cdp: Tools): Promise<number> {
  const { metrics } = await cdp.send('Performance.getMetrics');
  const of = (wanted: string): number => metrics.find(({ name }) => name === wanted)?.value ?? 0;
  return 1_000 * (of('ScriptDuration') + of('LayoutDuration') + of('RecalcStyleDuration'));
}

/** The slowest and the median of drags to moments all over the history of 20,000 agents, until the page shows the moment. */
async function drags() {
  const lab = await labOf(20_000);
  const { reference } = lab;
  try {
    while (reference.history.length < COMMANDS) await reference.advance(HOUR_MS);
    return await inBrowser(async (browser) => {
      const { page } = await tab(browser, lab, 'server');
      await page.waitForSelector('.alive canvas');
      const { firstMs } = reference.history;
      const lastMs = reference.running.host.clock.nowMs();
      const took: number[] = [];
      for (let drag = 0; drag < DRAGS; drag += 1) {
        // Moments between the marks, in an order that leaps.
        const share = ((drag * 13) % DRAGS) / DRAGS;
        const atMs = Math.ceil((firstMs + (lastMs - firstMs) * share) / 1_000) * 1_000;
        const at = new Date(atMs).toISOString();
        const startMs = performance.now();
        await page.evaluate(`location.hash = 'server?at=${at}'`);
        await page.waitForSelector(`.clock.past:has-text("${at.slice(0, 19).replace('T', ' ')}")`);
        took.push(performance.now() - startMs);
      }
      return {
        drag_slowest: atMost(Math.max(...took), 1_000, 'ms'),
        drag_median: atMost(median(took), 1_000, 'ms'),
        drag_history: { commands: reference.history.length, hours: (lastMs - firstMs) / HOUR_MS },
      };
    });
  } finally {
    await lab.close();
  }
}
