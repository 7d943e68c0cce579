// What `aips conform --self` would do, and what it refuses: nothing is started.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { aips } from '../../test/fixtures/aips.js';
import type { selfPlanJson } from './plan.js';

type SelfPlan = ReturnType<typeof selfPlanJson>;

const folder = mkdtempSync(join(tmpdir(), 'aips-self-'));
const self = (...args: string[]) => aips(folder, 'conform', '--self', ...args);

describe('aips conform --self', () => {
  it('--plan shows the cost of every configuration, and of all of them', async () => {
    const { status, stdout } = await self(
      '--plan',
      '--only',
      'resync/*',
      'partner-webhook/delivery-*',
      '--repeat',
      '2',
    );
    expect(status).toBe(0);
    const names = ['devnet', 'webhooks', 'secret', 'mainnet', 'free', 'provenonce'];
    expect([...stdout.matchAll(/^(\w+):$/gm)].map(([, name]) => name)).toEqual(names);
    expect(stdout).toMatch(/^free:\n {2}resync\/free\n/m);
    expect(stdout).toMatch(/\nAll 6 configurations:\n\d+ runs of \d+ checks: at most [\d,]+ requests, /);
    expect(stdout).toMatch(/\n--repeat 2: 2 times as much\.\nNothing was sent\.\n$/);
  });

  it('judges the facts of a dialect in the configuration that has them, and in no other', async () => {
    const plan = JSON.parse((await self('--plan', '--json', '--only', 'dialect/*')).stdout) as SelfPlan;
    expect(plan.configurations.map(({ name }) => name)).toEqual(['provenonce']);
    expect(plan.checks).toBeGreaterThan(20);
  });

  it('--plan --json adds up, and every check has its configuration', async () => {
    const plan = JSON.parse((await self('--plan', '--json')).stdout) as SelfPlan;
    const plans = plan.configurations.map(({ plan }) => plan);
    for (const name of ['runs', 'requests', 'lamports', 'registrations', 'seconds'] as const) {
      expect(plan[name], name).toBe(plans.reduce((sum, plan) => sum + plan[name], 0));
    }
    expect(plan.own.clockMoves).toBe(plans.reduce((sum, { own }) => sum + own.clockMoves, 0));
    const run = plans.flatMap(({ checks }) => checks.filter(({ verdict }) => verdict === undefined));
    expect(new Set(run.map(({ id }) => id)).size).toBe(plan.checks);
  });

  it.each([
    [['http://127.0.0.1:1'], '--self starts servers of its own: give no URL and no --target with it.'],
    [['--plan', '--only', 'nothing/of-this'], 'No check has such an id, clause or section: nothing/of-this.'],
    [['--protocol', 'none.yaml'], 'none.yaml: there is no such overlay file'],
    [['--only', 'nothing/of-this'], 'No check has such an id, clause or section: nothing/of-this.'],
  ])('refuses %j', async (args, message) => {
    const { status, stderr } = await self(...args);
    expect(stderr).toContain(message);
    expect(status).toBe(2);
  });
});
