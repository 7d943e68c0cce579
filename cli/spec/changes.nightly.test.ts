// The changes of examples/changes: each holds together with what it is accepted to bring about, and three effects follow by closed form.
import { existsSync, mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { DiffEffect } from '../../results/spec-diff-result.js';
import { compareSpecs } from '../../runs/specification/compare.js';
import { aipsProcess } from '../../test/fixtures/aips.js';
import { root } from '../../test/source-tree.js';
import { sideOf } from './side.js';

const folder = join(root, 'examples/changes');
const place = mkdtempSync(join(tmpdir(), 'aips-changes-'));
const names = readdirSync(folder)
  .filter((file) => file.endsWith('.yaml') && !file.endsWith('-accepted.yaml'))
  .map((file) => file.replace('.yaml', ''));

it('there are the ten changes of docs/spec-change.md', () => {
  expect(names.toSorted()).toEqual([
    'caps-doubled',
    'dms-30',
    'flat-fees',
    'fourth-class',
    'interval-60',
    'no-free-passport',
    'paid-resync',
    'penalty-by-day',
    'penalty-linear',
    'sponsor-2000',
  ]);
});

describe.each(names)('%s', (name) => {
  const change = join(folder, `${name}.yaml`);
  const file = join(folder, `${name}-accepted.yaml`);
  const module = join(folder, `${name}.mjs`);
  const rules = existsSync(module) ? ['--rules', module] : [];

  it('holds together with what is accepted, and with nothing else: lint, scenarios, suite, mutants', async () => {
    const accepted = existsSync(file) ? ['--accepted', file] : [];
    const { status, stdout } = await aipsProcess(
      place,
      'spec',
      'check',
      change,
      ...accepted,
      ...rules,
      '--replicates',
      '0',
    );
    expect([status, stdout]).toEqual([0, expect.stringContaining('The change passes')]);
  });

  it('has nothing against the reference in random sequences', async () => {
    const played = ['--runs', '20', '--seed', '1', '--protocol', change, ...rules];
    const { status, stdout } = await aipsProcess(place, 'conform', 'fuzz', ...played);
    expect([status, stdout]).toEqual([0, expect.stringContaining('20 sequences')]);
  });
});

describe('closed forms', () => {
  const EPOCH_ANCHORS = 100_000;
  const NARROW_CAP = 1_000;
  const effectsOf = (name: string): ((label: string) => DiffEffect) => {
    const { effects } = compareSpecs(sideOf('spec'), sideOf(join(folder, `${name}.yaml`)), { replicates: 2, seed: 1 });
    return (label) => {
      const effect = effects.find((each) => each.label.startsWith(label));
      if (effect === undefined) throw new Error(`no effect is called ${label}`);
      return effect;
    };
  };

  it('dms-30: each of 1,000 heartbeats and the end after them last 30 anchors less; who is frozen on purpose lives 31 anchors in place of 61', () => {
    const effect = effectsOf('dms-30');
    const narrow = effect('Uptime of narrow_task');
    const lost = (30 * (NARROW_CAP + 1)) / EPOCH_ANCHORS;
    expect(Math.abs(narrow.difference + lost)).toBeLessThan(narrow.half_width + 0.002);
    const free = effect('Uptime of freeloaders');
    expect(free.to / free.from).toBeCloseTo(31 / 61, 2);
  });

  it('caps-doubled: 2,000 heartbeats fill an epoch, so that a narrow_task agent lives as one without a cap in its way', () => {
    const effect = effectsOf('caps-doubled');
    const [narrow, autonomous] = [effect('Uptime of narrow_task'), effect('Uptime of autonomous')];
    expect(narrow.from).toBeLessThan((60 * (NARROW_CAP + 1)) / EPOCH_ANCHORS);
    expect(Math.abs(narrow.to - autonomous.to)).toBeLessThan(0.02);
  });

  it('sponsor-2000: 100 sponsored heartbeats last 101 times 60 anchors of 14 days at most, 2,000 all of them', () => {
    const sybils = effectsOf('sponsor-2000')('Uptime of sponsored Sybil identities');
    expect(sybils.from).toBeLessThan((60 * 101) / (14 * 1_440));
    expect(sybils.from).toBeGreaterThan((50 * 100) / (14 * 1_440));
    expect(sybils.to).toBeGreaterThan(0.99);
  });
});
