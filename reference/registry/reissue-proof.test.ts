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
import { reissueProof } from './reissue-proof.js';
import { missedAnchors, type Registry } from './state.js';

let registry: Registry;
let agent: number;

beforeEach(() => {
  registry = testRegistry();
  agent = testAgent(registry);
});

const paid = (over: Partial<Payment> = {}): Payment => ({ ...paymentOf(registry, agent, 200_000, 'tx'), ...over });
const reissue = (payment: NamedPayment = paid()) => reissueProof(registry, { agent, payment }, nowMsOf(registry));

describe('a reissued passport (4.7)', () => {
  it('costs 200,000 lamports, and is no heartbeat', () => {
    passAnchors(registry, 20);
    const lineage = lineageChainHash(registry, agent);
    expect(reissue()).toEqual({ ok: true, feeLamports: 200_000 });
    expect(feeTotals(registry.feeBook, 'reissuance')).toMatchObject({ count: 1, totalLamports: 200_000 });
    expect(missedAnchors(registry, agent)).toBe(20);
    expect(registry.agents.line.totalHeartbeats(agent)).toBe(0);
    // D-14: a reissue adds no event.
    expect(lineageChainHash(registry, agent)).toBe(lineage);
    expect(passAnchors(registry, 41)).toEqual([agent]);
  });

  it('is open to a frozen agent (D-49) and to one whose chain has not started', () => {
    passAnchors(registry, 61);
    expect(codeOf(reissue())).toBe('accepted');
    agent = testAgent(registry, { init: false });
    expect(codeOf(reissue(paid({ id: 'tx 2' })))).toBe('accepted');
  });

  it('is open to a child without a SIGIL', () => {
    putAgent(registry, agent, { identityClass: 0, depth: 1 });
    expect(codeOf(reissue())).toBe('accepted');
  });

  it('takes no payment that has paid a heartbeat, and the other way round (D-25)', () => {
    const first = heartbeat(registry, { agent, payment: paymentOf(registry, agent, 500_000, 'tx') }, nowMsOf(registry));
    expect(codeOf(first)).toBe('accepted');
    expect(codeOf(reissue())).toBe('reissue-proof/PAYMENT_ALREADY_USED');
    expect(codeOf(reissue(paid({ id: 'tx 2' })))).toBe('accepted');
    passAnchors(registry, 10);
    const again = paymentOf(registry, agent, 500_000, 'tx 2');
    expect(codeOf(heartbeat(registry, { agent, payment: again }, nowMsOf(registry)))).toBe(
      'heartbeat/PAYMENT_ALREADY_USED',
    );
  });
});

describe('refusals of a reissue', () => {
  it('come in the order of spec/errors, and change nothing', () => {
    const wallet = registry.agents.line.wallet(agent);
    registry.usedPayments.add('tx');
    putAgent(registry, agent, { identityClass: 0, wallet: -1 });
    const steps: readonly (readonly [Parameters<typeof putAgent>[2], NamedPayment])[] = [
      [{}, 'missing'],
      [{ identityClass: 1 }, 'missing'],
      [{ wallet }, 'missing'],
      [{}, 'unknown'],
      [{}, paid({ counts: false })],
      [{}, paid({ lamports: 199_999 })],
      [{}, paid({ lamports: 200_001 })],
      [{}, paid({ sender: -1 })],
      [{}, paid({ id: 'unused', sender: -1 })],
    ];
    const outcomes = steps.map(([values, payment]) => {
      putAgent(registry, agent, values);
      const before = fingerprint(registry);
      const code = codeOf(reissue(payment));
      expect(fingerprint(registry)).toBe(before);
      return code;
    });
    expect(outcomes).toEqual([
      'reissue-proof/SIGIL_REQUIRED',
      'reissue-proof/WALLET_REQUIRED',
      'reissue-proof/PAYMENT_REQUIRED',
      'reissue-proof/PAYMENT_INVALID',
      'reissue-proof/PAYMENT_INVALID',
      'reissue-proof/PAYMENT_INVALID',
      'reissue-proof/PAYMENT_INVALID',
      'reissue-proof/PAYMENT_ALREADY_USED',
      'reissue-proof/PAYMENT_SENDER_MISMATCH',
    ]);
    expect(Object.keys(errors).filter((key) => outcomes.includes(key))).toEqual([...new Set(outcomes)]);
  });

  it('without the wallet policy an agent without a wallet is let through', () => {
    registry = testRegistry({ policy: { byoWallet: false } });
    const payer = paymentOf(registry, testAgent(registry), 200_000, 'tx');
    agent = testAgent(registry, { wallet: false, sigil: null });
    putAgent(registry, agent, { identityClass: 1 });
    expect(codeOf(reissue(payer))).toBe('accepted');
  });
});
