/** The order of what happens in one second, as docs/model.md states it. */

import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { aips } from '../../test/fixtures/aips.js';

const folder = mkdtempSync(join(tmpdir(), 'aips-order-'));

/** Three agents that register in second 0 and never send a heartbeat: the 61st anchor after that freezes them. */
const silent = (rest: string): string => `format: 1
name: silent
question: When does each thing happen?
duration: 65m
populations:
  - { name: workers, count: 3, class: narrow_task, hash_rate: 1M hashes/s, budget: { wallet: 1 SOL }, heartbeat: { policy: interval, every: 20h } }
measures: { every: 30s }
${rest}`;

/** How many are frozen in the samples at these seconds. */
async function frozenAt(out: string, rest: string, seconds: readonly number[], ...args: readonly string[]) {
  writeFileSync(join(folder, `${out}.yaml`), silent(rest));
  expect(
    await aips(folder, 'simulate', ...(args.length === 0 ? [] : ['fork']), `${out}.yaml`, '--out', out, ...args),
  ).toMatchObject({ status: 0, stderr: '' });
  const [head = '', ...rows] = readFileSync(join(folder, out, 'series.csv'), 'utf8')
    .trimEnd()
    .split('\n');
  const [time, frozen] = ['time_ms', 'frozen'].map((name) => head.split(',').indexOf(name)) as [number, number];
  const bySecond = new Map(
    rows.map((row) => row.split(',')).map((row) => [Number(row[time]) / 1_000, Number(row[frozen])]),
  );
  return seconds.map((second) => bySecond.get(second));
}

const MINUTE = 60;
const fewer = 'protocol.dms.missedAnchorsMax=50';
const intervention = 'interventions: [{ kind: protocol, at: 55m, set: { dms: { missedAnchorsMax: 50 } } }]';

describe('in one second', () => {
  let last: number;

  beforeAll(async () => {
    const seconds = Array.from({ length: 130 }, (_, i) => 30 * i);
    const frozen = await frozenAt('plain', '', seconds);
    last = seconds[frozen.lastIndexOf(0)] as number;
  });

  it('a sample precedes the anchor, and so the freezes that it brings', () => {
    // The anchor freezes them in a full minute; the sample of that second does not see it yet.
    expect(last % MINUTE).toBe(0);
    expect(last).toBeGreaterThan(60 * MINUTE);
  });

  it('a sample precedes the calls of agents', async () => {
    writeFileSync(
      join(folder, 'join.yaml'),
      silent('').replace('count: 3,', 'count: 3, arrivals: { pattern: at, time: 10m },'),
    );
    const args = ['join.yaml', '--out', 'join'] as const;
    expect(await aips(folder, 'simulate', ...args)).toMatchObject({ status: 0 });
    const [head = '', ...rows] = readFileSync(join(folder, 'join/series.csv'), 'utf8').trimEnd().split('\n');
    const registered = head.split(',').indexOf('registered');
    const at = (second: number) => Number(rows[second / 30]?.split(',')[registered]);
    expect([at(600), at(630)]).toEqual([0, 3]);
  });

  it('a fork precedes the anchor: it freezes by the new number', async () => {
    const frozen = await frozenAt('fork', '', [55 * MINUTE, 55.5 * MINUTE], '--at', '55m', '--set', fewer);
    expect(frozen).toEqual([0, 3]);
  });

  it('an intervention follows the anchor: the next one freezes by the new number', async () => {
    const frozen = await frozenAt('intervention', intervention, [55.5 * MINUTE, 56 * MINUTE, 56.5 * MINUTE]);
    expect(frozen).toEqual([0, 0, 3]);
  });

  it('an intervention precedes the calls of agents', async () => {
    // The SIGIL is bought in the second of the arrival, and costs what the intervention of that second has set.
    writeFileSync(
      join(folder, 'price.yaml'),
      `${silent('interventions: [{ kind: protocol, at: 10m, set: { sigil: { narrowTaskFeeLamports: 7 } } }]').replace(
        'count: 3,',
        'count: 3, arrivals: { pattern: at, time: 10m },',
      )}\nexpectations: [fees_lamports = 21]\n`,
    );
    expect(await aips(folder, 'simulate', 'price.yaml')).toMatchObject({ status: 0, stderr: '' });
  });
});
