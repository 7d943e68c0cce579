import { beforeEach, describe, expect, it } from 'vitest';
import { golden } from '../../test/fixtures/golden.js';
import { codeOf, nowMsOf, passAnchors, payment, testAgent, testRegistry } from '../../test/fixtures/registry.js';
import { type ReceiptClaim, signReceipt } from '../beats/receipt.js';
import { signingKey } from '../beats/signing.js';
import { feeTotals } from './fee-book.js';
import type { NamedPayment } from './payment.js';
import { penaltyBeats, type ResyncInput, resync } from './resync.js';
import { sigil } from './sigil.js';
import { FROZEN, type Registry } from './state.js';

const key = signingKey(Buffer.alloc(32, 3));
let registry: Registry;
let agent: number;

beforeEach(() => {
  registry = testRegistry({ policy: { workProofKeyHex: key.publicKeyHex } });
  agent = testAgent(registry);
});

const freeze = (missed: number) => passAnchors(registry, missed);
const statusOf = () => registry.agents.line.status(agent);
const ask = (input: Omit<ResyncInput, 'agent'>) => resync(registry, { agent, ...input }, nowMsOf(registry));

/** A receipt of the beats service for the penalty of 61 missed anchors, unless stated otherwise. */
function receipt(over: Partial<ReceiptClaim>) {
  const claim: ReceiptClaim = {
    type: 'work_proof',
    beats_verified: 6_100,
    difficulty: 1_000,
    anchor_index: registry.anchorIndex,
    anchor_hash: 'ab'.repeat(32),
    from_hash: '01'.repeat(32),
    to_hash: '02'.repeat(32),
    utc: '2026-01-01T00:00:00.000Z',
    ...over,
  };
  return signReceipt(claim, key);
}

interface PenaltyCase {
  readonly name: string;
  readonly missed_anchors: number;
  readonly beats: number;
}

describe('the penalty (4.10)', () => {
  it.each(golden<PenaltyCase>('resync-penalties'))('golden: $name', (entry) => {
    expect(penaltyBeats(registry, entry.missed_anchors)).toBe(entry.beats);
  });
});

describe('a resync by receipt (4.10, D-09)', () => {
  it('a used receipt is remembered as long as it could be accepted', () => {
    freeze(61);
    const used = receipt({ beats_verified: 10_000 });
    expect(codeOf(ask({ receipt: used }))).toBe('accepted');
    passAnchors(registry, 60);
    expect(registry.usedReceipts.size).toBe(1);
    passAnchors(registry, 1);
    expect(statusOf()).toBe(FROZEN);
    expect(registry.usedReceipts.size).toBe(0);
    expect(ask({ receipt: used })).toMatchObject({ ok: false, detail: 'the receipt is 61 anchors old' });
  });
});

describe('without a receipt', () => {
  it.each([
    [6_099, 'resync/INVALID_RECEIPT'],
    [6_100, 'accepted'],
    [Number.NaN, 'resync/INVALID_RECEIPT'],
  ])('simulated work of %d beats: %s', (simulatedBeats, outcome) => {
    freeze(61);
    expect(codeOf(ask({ simulatedBeats }))).toBe(outcome);
  });
});

describe('a deposit of an overlay', () => {
  const holding = { overlay: { deposit: { lamports: 7_000_000 }, resync: { feeLamports: 40_000 } } };
  const sums = ({ deposits: { heldLamports, forfeitedLamports } }: Registry) => [heldLamports, forfeitedLamports];

  it('is paid with the SIGIL, forfeited by each freeze, and paid again with the resync', () => {
    const registry = testRegistry(holding);
    const agent = testAgent(registry, { name: 'holder', sigil: null });
    const wallet = registry.agents.line.wallet(agent);
    const buy = (lamports: number) => {
      const what = { identityClass: 'narrow_task', principal: 'p', tier: 'ind', payment: payment(wallet, lamports) };
      return codeOf(sigil(registry, { agent, ...what }, nowMsOf(registry)));
    };
    expect([buy(50_000_000), buy(57_000_001), buy(57_000_000)]).toEqual([
      'sigil/PAYMENT_INVALID',
      'sigil/PAYMENT_INVALID',
      'accepted',
    ]);
    expect(sums(registry)).toEqual([7_000_000, 0]);
    passAnchors(registry, 61);
    expect(sums(registry)).toEqual([0, 7_000_000]);
    const back = (lamports: number) =>
      resync(registry, { agent, simulatedBeats: 6_100, payment: payment(-1, lamports) }, nowMsOf(registry));
    expect(codeOf(back(40_000))).toBe('reissue-proof/PAYMENT_INVALID');
    expect(back(7_040_000)).toMatchObject({ ok: true, feeLamports: 40_000, depositLamports: 7_000_000 });
    expect(feeTotals(registry.feeBook, 'reissuance')).toMatchObject({ count: 1, totalLamports: 40_000 });
    expect(feeTotals(registry.feeBook, 'sigil')).toMatchObject({ count: 1, totalLamports: 50_000_000 });
    expect(sums(registry)).toEqual([7_000_000, 7_000_000]);
    passAnchors(registry, 61);
    expect(sums(registry)).toEqual([0, 14_000_000]);
  });

  it('is not asked of an agent without a SIGIL', () => {
    const registry = testRegistry(holding);
    const agent = testAgent(registry, { name: 'nameless', sigil: null });
    passAnchors(registry, 61);
    const input = { agent, simulatedBeats: 6_100, payment: payment(-1, 40_000) };
    expect(resync(registry, input, nowMsOf(registry))).toMatchObject({ ok: true, depositLamports: 0 });
    expect(sums(registry)).toEqual([0, 0]);
  });
});

describe('a fee of an overlay', () => {
  const charging = { overlay: { resync: { feeLamports: 40_000 } } };
  const frozenAgent = (registry: Registry): number => {
    const agent = testAgent(registry, { name: 'sleeper' });
    passAnchors(registry, 61);
    return agent;
  };
  const input = (agent: number, paid?: NamedPayment) => ({
    agent,
    simulatedBeats: 6_100,
    ...(paid === undefined ? {} : { payment: paid }),
  });

  it('is paid by anyone, once, to the lamport, and after the receipt that is missing', () => {
    const registry = testRegistry(charging);
    const agent = frozenAgent(registry);
    const codes = (paid?: NamedPayment) => codeOf(resync(registry, input(agent, paid), nowMsOf(registry)));
    expect(codeOf(resync(registry, { agent }, nowMsOf(registry)))).toBe('resync/RECEIPT_REQUIRED');
    expect(codes()).toBe('reissue-proof/PAYMENT_REQUIRED');
    expect(codes('unknown')).toBe('reissue-proof/PAYMENT_INVALID');
    expect(codes(payment(-1, 39_999))).toBe('reissue-proof/PAYMENT_INVALID');
    const fee = payment(-1, 40_000);
    expect(codes(fee)).toBe('accepted');
    passAnchors(registry, 61);
    expect(codes(fee)).toBe('reissue-proof/PAYMENT_ALREADY_USED');
    expect(feeTotals(registry.feeBook, 'reissuance')).toMatchObject({ count: 1, totalLamports: 40_000 });
  });

  it('is 0 in the text: a payment is not looked at', () => {
    const registry = testRegistry();
    const agent = frozenAgent(registry);
    expect(resync(registry, input(agent, 'unknown'), nowMsOf(registry))).toMatchObject({ ok: true, feeLamports: 0 });
  });
});
