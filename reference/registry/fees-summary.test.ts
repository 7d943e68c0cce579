import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dialects } from '../../spec/dialect.js';
import { feesSummary as endpoint } from '../../spec/endpoints/index.js';
import { solOf } from '../../spec/formats.js';
import { protocol } from '../../spec/protocol.js';
import { GENESIS_MS, nowMsOf, passAnchors, paymentOf, testAgent, testRegistry } from '../../test/fixtures/registry.js';
import { feesSummary } from './fees-summary.js';
import { heartbeat } from './heartbeat.js';
import { reissueProof } from './reissue-proof.js';

const ADDRESS = '4QuaxTrwSZcqWb9ozCmyYJaSVcCxd5Bb5cHvEQRw7Rkt';

describe('fees/summary (D-22)', () => {
  it('sums what was paid by type and share', () => {
    const registry = testRegistry();
    const agent = testAgent(registry);
    heartbeat(registry, { agent, payment: paymentOf(registry, agent, 500_000, null) }, nowMsOf(registry));
    passAnchors(registry, 10);
    heartbeat(registry, { agent, payment: paymentOf(registry, agent, 500_000, null) }, nowMsOf(registry));
    reissueProof(registry, { agent, payment: paymentOf(registry, agent, 200_000, null) }, nowMsOf(registry));
    const summary = feesSummary(registry, ADDRESS, nowMsOf(registry));
    expect(endpoint.replies({ protocol, dialect: dialects.service })[200].parse(summary)).toEqual(summary);
    expect(summary).toMatchObject({
      payment_address: ADDRESS,
      total_lamports: 51_200_000,
      total_sol: 0.0512,
      by_type: [
        { fee_type: 'sigil', count: 1, total_lamports: 50_000_000, total_sol: 0.05 },
        { fee_type: 'heartbeat', count: 2, total_lamports: 1_000_000, allocation: { operations_lamports: 300_000 } },
        { fee_type: 'reissuance', count: 1, total_lamports: 200_000 },
      ],
      overall_allocation: {
        operations_lamports: 15_360_000,
        contributors_lamports: 15_360_000,
        development_lamports: 7_680_000,
        treasury_lamports: 7_680_000,
        referral_lamports: 5_120_000,
      },
      fee_split_bps: { operations: 3_000, contributors: 3_000, development: 1_500, treasury: 1_500, referral: 1_000 },
    });
  });

  it('returns the schedule of 4.5 to 4.7', () => {
    expect(feesSummary(testRegistry(), ADDRESS, GENESIS_MS).schedule).toEqual({
      sigil_tiers: [
        { identity_class: 'narrow_task', label: 'Narrow Task', sol: 0.05, lamports: 50_000_000 },
        { identity_class: 'autonomous', label: 'Autonomous', sol: 0.15, lamports: 150_000_000 },
        { identity_class: 'orchestrator', label: 'Orchestrator', sol: 0.35, lamports: 350_000_000 },
      ],
      heartbeat_tiers: [
        { range: '1-100', sol: 0.0005, lamports: 500_000 },
        { range: '101-1000', sol: 0.0003, lamports: 300_000 },
        { range: '1001+', sol: 0.0002, lamports: 200_000 },
      ],
      proof_reissuance_sol: 0.0002,
    });
  });

  it('returns the split of the year', () => {
    const summary = feesSummary(testRegistry(), ADDRESS, GENESIS_MS + 365 * 86_400_000);
    expect(summary.fee_split_bps).toMatchObject({ development: 1_400, treasury: 1_600 });
  });
});

describe('lamports in SOL (D-44)', () => {
  it.each([
    [0, '0'],
    [1, '1e-9'],
    [200_000, '0.0002'],
    [300_000, '0.0003'],
    [500_000, '0.0005'],
    [123_456_789, '0.123456789'],
    [1_000_000_001, '1.000000001'],
    [8_388_607_999_999_999, '8388607.999999999'],
  ])('%i is written %s', (lamports, sol) => {
    expect(JSON.stringify(solOf(lamports))).toBe(sol);
  });

  it('are the exact decimal for every sum below 2^23 SOL', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1_000, max: 8_388_608_000_000_000 - 1 }), (lamports) => {
        const digits = String(lamports).padStart(10, '0');
        const exact = `${digits.slice(0, -9)}.${digits.slice(-9)}`.replace(/\.?0+$/, '');
        expect(JSON.stringify(solOf(lamports))).toBe(exact);
      }),
      { seed: 44, numRuns: 2_000 },
    );
  });
});
