import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

function casesOf<Case extends { name: string }>(file: string): Case[] {
  return (JSON.parse(readFileSync(new URL(`./${file}.json`, import.meta.url), 'utf8')) as { cases: Case[] }).cases;
}

interface Shares {
  operations: number;
  contributors: number;
  development: number;
  treasury: number;
  referral: number;
}

describe('numbers', () => {
  it('spawn costs hold the check values of 4.8 and exact integers elsewhere (D-31)', () => {
    const cases = casesOf<{
      name: string;
      depth: number;
      siblings: number;
      cost: number;
      check_value: boolean;
      float_trap: boolean;
    }>('spawn-costs');
    const stated = { '0/0': 1000, '0/1': 1200, '1/0': 1500, '1/1': 1800, '2/0': 2250, '2/3': 3888 };
    const flagged = cases.filter((one) => one.check_value);
    expect(Object.fromEntries(flagged.map((one) => [one.name, one.cost]))).toEqual(stated);
    expect(cases.length).toBe(169);
    for (const { name, depth, siblings, cost, float_trap } of cases) {
      const depthCost = (1000n * 3n ** BigInt(depth)) / 2n ** BigInt(depth);
      expect(BigInt(cost), name).toBe((depthCost * 12n ** BigInt(siblings)) / 10n ** BigInt(siblings));
      const byDoubles = Math.floor(Math.floor(1000 * 1.5 ** depth) * 1.2 ** siblings);
      expect(byDoubles !== cost, `${name} by doubles`).toBe(float_trap);
    }
    const trapped = cases.filter((one) => one.float_trap).map((one) => [one.name, one.cost]);
    expect(trapped).toEqual(
      expect.arrayContaining([
        ['0/3', 1728],
        ['2/3', 3888],
      ]),
    );
  });

  it('fee tiers are those of 4.5', () => {
    const cases = casesOf<{ heartbeat_in_epoch: number; tier: number; lamports: number; name: string }>('fee-tiers');
    const rows = cases.map((one) => [one.heartbeat_in_epoch, one.tier, one.lamports]);
    const tier1 = [1, 99, 100].map((nth) => [nth, 1, 500_000]);
    const tier2 = [101, 102, 999, 1000].map((nth) => [nth, 2, 300_000]);
    const tier3 = [1001, 1002, 5000, 20_000].map((nth) => [nth, 3, 200_000]);
    expect(rows).toEqual([...tier1, ...tier2, ...tier3]);
  });

  it('fee splits lose nothing, and development falls to treasury as 4.5 says (D-38)', () => {
    const cases = casesOf<{ name: string; fee_lamports: number; years: number; bps: Shares; lamports: Shares }>(
      'fee-splits',
    );
    const development: Record<number, number> = { 0: 1500, 1: 1400, 9: 600, 10: 500, 11: 500 };
    for (const { name, fee_lamports: fee, years, bps, lamports } of cases) {
      const share = development[years] ?? Number.NaN;
      const rest = 3000 - share;
      expect(bps, name).toEqual({
        operations: 3000,
        contributors: 3000,
        development: share,
        treasury: rest,
        referral: 1000,
      });
      const floors = [bps.operations, bps.contributors, bps.development, bps.referral].map((part) =>
        Number((BigInt(fee) * BigInt(part)) / 10_000n),
      );
      const shares = [lamports.operations, lamports.contributors, lamports.development, lamports.referral];
      expect(shares, name).toEqual(floors);
      expect(lamports.treasury, name).toBe(fee - floors.reduce((sum, floor) => sum + floor, 0));
    }
    expect(cases.find((one) => one.name === '9999 lamports on day 0')?.lamports).toEqual({
      operations: 2999,
      contributors: 2999,
      development: 1499,
      treasury: 1503,
      referral: 999,
    });
  });

  it('the full years of a fee split turn at 365 days and not before (D-38)', () => {
    const cases = casesOf<{ name: string; elapsed_ms: number; years: number }>('fee-splits');
    const turns = Object.fromEntries(cases.map((one) => [one.elapsed_ms, one.years]));
    const day = 86_400_000;
    expect(turns).toEqual({
      0: 0,
      [364 * day]: 0,
      [365 * day - 1]: 0,
      [365 * day]: 1,
      [3285 * day]: 9,
      [3650 * day - 1]: 9,
      [3650 * day]: 10,
      [4015 * day]: 11,
    });
  });

  it('resync penalties are those of 4.10', () => {
    const cases = casesOf<{ name: string; missed_anchors: number; beats: number }>('resync-penalties');
    const wanted = { 1: 100, 61: 6100, 99: 9900, 100: 10_000, 101: 10_000, 1000: 10_000 };
    expect(Object.fromEntries(cases.map((one) => [one.missed_anchors, one.beats]))).toEqual(wanted);
  });

  it('billing epochs are those of D-04', () => {
    const cases = casesOf<{ name: string; beat: number; billing_epoch: number }>('epochs');
    const wanted = { 0: 0, 99999: 0, 100000: 1, 199999: 1, 200000: 2 };
    expect(Object.fromEntries(cases.map((one) => [one.beat, one.billing_epoch]))).toEqual(wanted);
  });
});
