import { beforeEach, describe, expect, it } from 'vitest';
import { dialects } from '../../../spec/dialect.js';
import { protocol } from '../../../spec/protocol.js';
import { accountOf, fund, memo, transfer } from '../../ledger/ledger.js';
import { intern } from '../../registry/columns/interner.js';
import { createService, type Service, type ServiceOptions } from '../../service.js';
import { namedPayment } from './payment.js';

const START_MS = 1_767_225_600_000;

const make = (over: Partial<ServiceOptions> = {}): Service =>
  createService({
    protocol,
    dialect: dialects.service,
    policy: { network: 'devnet', registrationSecret: null, byoWallet: true, beatsRequired: true },
    seed: 7,
    startMs: START_MS,
    ...over,
  });

let service: Service;

beforeEach(() => {
  service = make();
});

describe('the payment that a request names (D-27)', () => {
  const pay = (): string => {
    const { ledger, paymentAccount: to } = service;
    const from = accountOf(ledger, 'Payer');
    fund(ledger, from, 1_000);
    return transfer(ledger, { from, to, lamports: 700, status: 'confirmed', nowMs: START_MS }) ?? '';
  };

  it.each([undefined, ''])('%j is missing', (signature) => {
    expect(namedPayment(service, signature, START_MS)).toBe('missing');
  });

  it('is unknown if the ledger never gave its signature, or gave it to a memo', () => {
    const note = memo(service.ledger, { from: service.paymentAccount, text: 'x', nowMs: START_MS });
    for (const signature of ['x', 'constructor', ` ${pay()}`, note]) {
      expect(namedPayment(service, signature, START_MS)).toBe('unknown');
    }
  });

  it('is its sender, amount and whether it counts', () => {
    const signature = pay();
    expect(namedPayment(service, signature, START_MS)).toEqual({
      id: signature,
      sender: -1,
      lamports: 700,
      counts: true,
    });
    const wallet = intern(service.registry.wallets, 'Payer');
    expect(namedPayment(service, signature, START_MS)).toMatchObject({ sender: wallet });
  });
});

describe('a payment on another ledger (D-27)', () => {
  beforeEach(() => {
    service = make({ paymentAddress: 'Elsewhere' });
  });

  it('must be looked up, even if the own ledger has a transaction of this name', () => {
    const note = memo(service.ledger, { from: service.paymentAccount, text: 'x', nowMs: START_MS });
    for (const signature of ['x', note]) {
      expect(namedPayment(service, signature, START_MS)).toEqual({ lookUp: signature });
    }
  });

  it('is what was observed there', () => {
    const wallet = intern(service.registry.wallets, 'Payer');
    const seen = (sender: string | null) =>
      namedPayment(service, 'x', START_MS, { sender, lamports: 700, counts: true });
    expect(seen('Payer')).toEqual({ id: 'x', sender: wallet, lamports: 700, counts: true });
    expect([seen('Stranger'), seen(null)]).toEqual(
      [-1, -1].map((sender) => ({ id: 'x', sender, lamports: 700, counts: true })),
    );
  });

  it('is missing without a signature', () => {
    expect(namedPayment(service, undefined, START_MS)).toBe('missing');
  });
});
