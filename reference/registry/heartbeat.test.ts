import { beforeEach, describe, expect, it } from 'vitest';
import { errors } from '../../spec/errors.js';
import {
  codeOf,
  nowMsOf,
  passAnchors,
  paymentOf,
  putAgent,
  testAgent,
  testRegistry,
} from '../../test/fixtures/registry.js';
import { feeTotals } from './fee-book.js';
import { fingerprint } from './fingerprint.js';
import { heartbeat } from './heartbeat.js';
import { lineageChainHash } from './lineage.js';
import type { NamedPayment, Payment } from './payment.js';
import { ACTIVE, FROZEN, REGISTERED, type Registry } from './state.js';

let registry: Registry;
let agent: number;

beforeEach(() => {
  registry = testRegistry();
  agent = testAgent(registry);
  passAnchors(registry, 1);
});

const sendHeartbeat = (payment: NamedPayment = paymentOf(registry, agent, 500_000, 'tx')) =>
  heartbeat(registry, { agent, payment }, nowMsOf(registry));

describe('an accepted heartbeat (4.5)', () => {
  it('returns its beat, epoch, counts, tier and fee', () => {
    expect(sendHeartbeat()).toEqual({
      ok: true,
      beat: 1,
      billingEpoch: 0,
      epochHeartbeats: 1,
      totalHeartbeats: 1,
      tier: 1,
      feeLamports: 500_000,
    });
  });

  it('books the fee, uses the payment, moves the sync and appends to the lineage', () => {
    const { line } = registry.agents;
    const before = lineageChainHash(registry, agent);
    sendHeartbeat();
    expect(feeTotals(registry.feeBook, 'heartbeat')).toMatchObject({ count: 1, totalLamports: 500_000 });
    expect(registry.usedPayments.has('tx')).toBe(true);
    expect(line.lastHeartbeatBeat(agent)).toBe(1);
    expect(line.lastSyncAnchor(agent)).toBe(1);
    expect(lineageChainHash(registry, agent)).not.toBe(before);
  });

  it('leaves no trace of a payment that cannot be named again', () => {
    expect(codeOf(sendHeartbeat(paymentOf(registry, agent, 500_000, null)))).toBe('accepted');
    expect(registry.usedPayments.size).toBe(0);
  });

  it.each([
    ['narrow_task', 100, 1, 500_000],
    ['narrow_task', 101, 2, 300_000],
    ['narrow_task', 1_000, 2, 300_000],
    ['autonomous', 1_001, 3, 200_000],
    ['autonomous', 5_000, 3, 200_000],
    ['orchestrator', 20_000, 3, 200_000],
  ] as const)('of class %s that is number %i of its epoch is of tier %i', (identityClass, nth, tier, fee) => {
    agent = testAgent(registry, { sigil: identityClass });
    putAgent(registry, agent, { epochHeartbeats: nth - 1 });
    expect(sendHeartbeat(paymentOf(registry, agent, fee, 'tx'))).toMatchObject({
      ok: true,
      tier,
      epochHeartbeats: nth,
    });
  });
});

describe('the cap of an epoch (4.5)', () => {
  it.each([
    ['narrow_task', 1_000, 300_000],
    ['autonomous', 5_000, 200_000],
    ['orchestrator', 20_000, 200_000],
  ] as const)('of %s is %i: the last is accepted, the next is not', (identityClass, cap, fee) => {
    agent = testAgent(registry, { sigil: identityClass });
    putAgent(registry, agent, { epochHeartbeats: cap - 1 });
    expect(codeOf(sendHeartbeat(paymentOf(registry, agent, fee, 'last')))).toBe('accepted');
    passAnchors(registry, 10);
    expect(codeOf(sendHeartbeat(paymentOf(registry, agent, fee, 'next')))).toBe('heartbeat/VOLUME_CAP_REACHED');
  });

  it('[heartbeat.cap.child] is that of narrow_task for a child without a SIGIL (D-50)', () => {
    agent = testAgent(registry, { sigil: null });
    putAgent(registry, agent, { depth: 1 });
    putAgent(registry, agent, { epochHeartbeats: 999 });
    expect(codeOf(sendHeartbeat(paymentOf(registry, agent, 300_000, 'last')))).toBe('accepted');
    passAnchors(registry, 10);
    expect(codeOf(sendHeartbeat(paymentOf(registry, agent, 300_000, 'next')))).toBe('heartbeat/VOLUME_CAP_REACHED');
  });

  it('[heartbeat.cap.next-epoch] ends with the epoch: count and tier start again at beat 100,000', () => {
    putAgent(registry, agent, { epochHeartbeats: 1_000 });
    putAgent(registry, agent, { totalHeartbeats: 1_000 });
    registry.anchorIndex = 99_999;
    putAgent(registry, agent, { lastHeartbeatBeat: 99_989 });
    expect(codeOf(sendHeartbeat(paymentOf(registry, agent, 300_000, 'tx')))).toBe('heartbeat/VOLUME_CAP_REACHED');
    registry.anchorIndex = 100_000;
    expect(sendHeartbeat()).toMatchObject({
      ok: true,
      billingEpoch: 1,
      epochHeartbeats: 1,
      totalHeartbeats: 1_001,
      tier: 1,
      feeLamports: 500_000,
    });
  });
});

describe('the interval (4.5)', () => {
  it('[heartbeat.interval.min] [heartbeat.interval.from-last] is 10 beats: refused at 9 with the next eligible beat, accepted at 10', () => {
    sendHeartbeat();
    passAnchors(registry, 9);
    expect(sendHeartbeat(paymentOf(registry, agent, 500_000, 'second'))).toMatchObject({
      ok: false,
      row: { status: 429, code: 'HEARTBEAT_TOO_SOON' },
      fields: { next_eligible_beat: 11 },
    });
    passAnchors(registry, 1);
    expect(codeOf(sendHeartbeat(paymentOf(registry, agent, 500_000, 'second')))).toBe('accepted');
  });

  it('[heartbeat.interval.first] does not bind the first heartbeat, not even at beat 0', () => {
    registry = testRegistry();
    agent = testAgent(registry);
    expect(codeOf(sendHeartbeat())).toBe('accepted');
    expect(codeOf(sendHeartbeat(paymentOf(registry, agent, 500_000, 'second')))).toBe('heartbeat/HEARTBEAT_TOO_SOON');
  });

  it('counts in beats where an anchor is several of them', () => {
    registry = testRegistry({ overlay: { anchor: { beatsPerAnchor: 5 } } });
    agent = testAgent(registry);
    expect(codeOf(sendHeartbeat())).toBe('accepted');
    passAnchors(registry, 1);
    expect(sendHeartbeat(paymentOf(registry, agent, 500_000, 'second'))).toMatchObject({
      fields: { next_eligible_beat: 10 },
    });
    passAnchors(registry, 1);
    expect(sendHeartbeat(paymentOf(registry, agent, 500_000, 'second'))).toMatchObject({ ok: true, beat: 10 });
  });
});

describe('refusals of a heartbeat', () => {
  const paid = (over: Partial<Payment>): NamedPayment => ({ ...paymentOf(registry, agent, 500_000, 'tx'), ...over });
  const put = (values: Parameters<typeof putAgent>[2]) => (): undefined =>
    putAgent(registry, agent, values) as undefined;

  /** The fault, its code, and how it comes about: a state, or a payment. */
  const table: readonly (readonly [string, string, () => NamedPayment | undefined])[] = [
    ['chain not started', 'AGENT_NOT_INITIALIZED', put({ status: REGISTERED })],
    ['frozen', 'AGENT_FROZEN', put({ status: FROZEN })],
    ['complaint sustained', 'HEARTBEAT_REFUSED', put({ complaints: 1 })],
    ['root without SIGIL', 'SIGIL_REQUIRED', put({ identityClass: 0 })],
    ['no wallet', 'WALLET_REQUIRED', put({ wallet: -1 })],
    ['no payment', 'PAYMENT_REQUIRED', () => 'missing'],
    ['payment not found', 'PAYMENT_INVALID', () => 'unknown'],
    ['payment pending, failed or elsewhere', 'PAYMENT_INVALID', () => paid({ counts: false })],
    ['one lamport less', 'PAYMENT_INVALID', () => paid({ lamports: 499_999 })],
    ['one lamport more', 'PAYMENT_INVALID', () => paid({ lamports: 500_001 })],
    ['the fee of another tier', 'PAYMENT_INVALID', () => paid({ lamports: 300_000 })],
    ['a stranger paid', 'PAYMENT_SENDER_MISMATCH', () => paid({ sender: -1 })],
    ["another agent's wallet paid", 'PAYMENT_SENDER_MISMATCH', () => paid({ sender: 10_000 })],
  ];

  it.each(table)('%s: %s, and nothing changes', (_fault, code, spoil) => {
    const payment = spoil() ?? paid({});
    const before = fingerprint(registry);
    expect(codeOf(sendHeartbeat(payment))).toBe(`heartbeat/${code}`);
    expect(fingerprint(registry)).toBe(before);
  });

  it('a payment pays once, and is refused as used before its sender is checked', () => {
    sendHeartbeat();
    passAnchors(registry, 10);
    const before = fingerprint(registry);
    expect(codeOf(sendHeartbeat())).toBe('heartbeat/PAYMENT_ALREADY_USED');
    expect(codeOf(sendHeartbeat(paid({ sender: -1 })))).toBe('heartbeat/PAYMENT_ALREADY_USED');
    expect(fingerprint(registry)).toBe(before);
  });

  it('a refused payment can still pay (D-27)', () => {
    sendHeartbeat();
    const second = paymentOf(registry, agent, 500_000, 'second');
    expect(codeOf(sendHeartbeat(second))).toBe('heartbeat/HEARTBEAT_TOO_SOON');
    passAnchors(registry, 10);
    expect(codeOf(sendHeartbeat(second))).toBe('accepted');
  });

  it('without the wallet policy an agent without a wallet is accepted, whoever paid', () => {
    registry = testRegistry({ policy: { byoWallet: false } });
    const payer = paymentOf(registry, testAgent(registry), 500_000, 'tx');
    agent = testAgent(registry, { wallet: false, sigil: null });
    putAgent(registry, agent, { identityClass: 1 });
    expect(codeOf(sendHeartbeat(payer))).toBe('accepted');
    passAnchors(registry, 10);
    expect(codeOf(sendHeartbeat({ ...payer, id: 'tx 2', sender: -1 }))).toBe('accepted');
  });

  it('without the wallet policy an agent with a wallet still pays from it', () => {
    registry = testRegistry({ policy: { byoWallet: false } });
    agent = testAgent(registry);
    expect(codeOf(sendHeartbeat(paid({ sender: -1 })))).toBe('heartbeat/PAYMENT_SENDER_MISMATCH');
  });
});

describe('of several faults the first row of spec/errors wins (D-26)', () => {
  it('with every fault at once, mended one by one', () => {
    const wallet = registry.agents.line.wallet(agent);
    const good = paymentOf(registry, agent, 500_000, 'tx');
    const wrong: Payment = { id: 'tx', sender: -1, lamports: 1, counts: false };
    const states: readonly (readonly [Parameters<typeof putAgent>[2], NamedPayment])[] = [
      [
        {
          status: REGISTERED,
          complaints: 1,
          identityClass: 0,
          wallet: -1,
          lastHeartbeatBeat: 0,
          epochHeartbeats: 1_000,
        },
        'missing',
      ],
      [{ status: FROZEN }, 'missing'],
      [{ status: ACTIVE }, 'missing'],
      [{ complaints: 0 }, 'missing'],
      [{ identityClass: 1 }, 'missing'],
      [{ wallet }, 'missing'],
      [{}, 'unknown'],
      [{ lastHeartbeatBeat: -1 }, 'unknown'],
      [{ epochHeartbeats: 0 }, 'unknown'],
      [{}, wrong],
      [{}, { ...wrong, counts: true }],
      [{}, { ...good, sender: -1 }],
      [{}, { ...good, id: 'unused', sender: -1 }],
      [{}, { ...good, id: 'unused' }],
    ];
    registry.usedPayments.add('tx');
    const outcomes = states.map(([values, payment]) => {
      putAgent(registry, agent, values);
      return codeOf(sendHeartbeat(payment));
    });

    const order = [
      'heartbeat/AGENT_NOT_INITIALIZED',
      'heartbeat/AGENT_FROZEN',
      'heartbeat/HEARTBEAT_REFUSED',
      'heartbeat/SIGIL_REQUIRED',
      'heartbeat/WALLET_REQUIRED',
      'heartbeat/PAYMENT_REQUIRED',
      'heartbeat/HEARTBEAT_TOO_SOON',
      'heartbeat/VOLUME_CAP_REACHED',
      'heartbeat/PAYMENT_INVALID',
      'heartbeat/PAYMENT_ALREADY_USED',
      'heartbeat/PAYMENT_SENDER_MISMATCH',
    ];
    expect([...new Set(outcomes)]).toEqual([...order, 'accepted']);
    expect(outcomes.filter((code) => code === 'heartbeat/PAYMENT_INVALID')).toHaveLength(3);
    expect(Object.keys(errors).filter((key) => order.includes(key))).toEqual(order);
  });
});
