import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ConformanceResult } from '../reports/conformance-result.js';
import { aips } from '../test/fixtures/aips.js';
import type { selfPlanJson } from './conform-plan.js';

type SelfPlan = ReturnType<typeof selfPlanJson>;

const folder = mkdtempSync(join(tmpdir(), 'aips-self-'));
const self = (...args: string[]) => aips(folder, 'conform', '--self', ...args);

describe('aips conform --self', () => {
  it('judges in every configuration: everything passes, nothing is left untested', async () => {
    const { status, stdout } = await self('--format', 'json', '--report', 'all');
    expect(stdout).toContain('aips serve (devnet, webhooks, secret, mainnet, free, provenonce, caps)');
    const result = JSON.parse(readFileSync(join(folder, 'all/conformance.json'), 'utf8')) as ConformanceResult;
    const { pass, ...others } = result.summary;
    expect(others).toEqual({ fail: 0, advisory: 0, not_applicable: 0, not_tested: 0, inconclusive: 0, error: 0 });
    expect(pass).toBeGreaterThan(500);
    const { clauses, judged, held, excluded } = result.coverage;
    expect({ judged, held }).toEqual({ judged: clauses - excluded, held: clauses - excluded });
    expect(status).toBe(0);
  }, 240_000);

  it('runs only the configurations that the chosen checks need', async () => {
    const { status, stdout } = await self('--only', 'resync/free');
    expect(status).toBe(0);
    expect(stdout).toContain('1 passed');
    expect(stdout).toContain('1 of ');
  });

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
    expect(stdout).toMatch(/\nAll 6 configurations:\n\d+ runs of \d+ checks: at most \d+ requests, /);
    expect(stdout).toMatch(/\n--repeat 2: 2 times as much\.\nNothing was sent\.\n$/);
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

  it('--protocol starts the servers with numbers of your own, and holds them to these', async () => {
    writeFileSync(join(folder, 'overlay.yaml'), 'heartbeat: { intervalBeatsMin: 11 }\n');
    const only = ['--only', 'heartbeat/too-soon', 'resync/free', 'wallet/pays'];
    const { status, stdout } = await self('--protocol', 'overlay.yaml', ...only, '--json');
    const { checks } = JSON.parse(stdout) as ConformanceResult;
    expect(checks.map(({ id, verdict }) => `${id} ${verdict}`).toSorted()).toEqual(
      only
        .slice(1)
        .map((id) => `${id} pass`)
        .toSorted(),
    );
    expect(status).toBe(0);
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
