import { base58 } from '@scure/base';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  accountOf,
  addressOf,
  balanceOf,
  blockHash,
  createLedger,
  findAccount,
  findTransaction,
  fund,
  type Ledger,
  memo,
  openAccount,
  pay,
  setStatus,
  totalLamports,
  transfer,
} from './ledger.js';

const MAX = 9_007_199_254_740_991;

/** A ledger with accounts 0, 1, 2 … that hold these lamports. */
function ledgerOf(...balances: readonly number[]): Ledger {
  const ledger = createLedger({ seed: 7 });
  for (const lamports of balances) fund(ledger, openAccount(ledger), lamports);
  return ledger;
}

const balances = (ledger: Ledger): number[] => [...ledger.lamports.subarray(0, ledger.accounts)];

describe('accounts', () => {
  it('are opened by their address, once', () => {
    const ledger = createLedger({ seed: 7 });
    expect(findAccount(ledger, 'Alice')).toBeUndefined();
    const alice = accountOf(ledger, 'Alice');
    expect(accountOf(ledger, 'Alice')).toBe(alice);
    expect(findAccount(ledger, 'Alice')).toBe(alice);
    expect(addressOf(ledger, alice)).toBe('Alice');
    expect(accountOf(ledger, 'Bob')).not.toBe(alice);
    expect(ledger.accounts).toBe(2);
  });

  it('without an address cost none until it is asked for', () => {
    const ledger = createLedger({ seed: 7 });
    for (let i = 0; i < 5_000; i++) openAccount(ledger);
    expect(ledger.addresses.size).toBe(0);
    const address = addressOf(ledger, 4_321);
    expect(base58.decode(address)).toHaveLength(32);
    expect(findAccount(ledger, address)).toBe(4_321);
    expect(addressOf(ledger, 4_321)).toBe(address);
    expect(ledger.addresses.size).toBe(1);
  });

  it('get their addresses from the seed and the account, in whatever order they are asked', () => {
    const address = (seed: number, accounts: readonly number[]): string => {
      const ledger = createLedger({ seed });
      for (let i = 0; i < 10; i++) openAccount(ledger);
      return accounts.map((account) => addressOf(ledger, account)).at(-1) ?? '';
    };
    expect(address(7, [3])).toBe(address(7, [5, 1, 3]));
    expect(address(7, [3])).not.toBe(address(7, [4]));
    expect(address(7, [3])).not.toBe(address(8, [3]));
  });

  it('never share an address, even if somebody foresaw it', () => {
    const foreseen = addressOf(ledgerOf(0, 0), 1);
    const ledger = createLedger({ seed: 7 });
    const named = accountOf(ledger, foreseen);
    const anonymous = openAccount(ledger);
    expect(anonymous).toBe(1);
    expect(addressOf(ledger, anonymous)).not.toBe(foreseen);
    expect(findAccount(ledger, foreseen)).toBe(named);
    expect(findAccount(ledger, addressOf(ledger, anonymous))).toBe(anonymous);
  });

  it('keep their balances when the columns grow', () => {
    const ledger = createLedger({ seed: 7, capacity: 0 });
    for (let i = 0; i < 100; i++) fund(ledger, openAccount(ledger), i);
    expect(balances(ledger)).toEqual(Array.from({ length: 100 }, (_, i) => i));
    expect(totalLamports(ledger)).toBe(4_950);
  });

  it.each([-1, 2, 0.5, NaN, 2 ** 32])('account %d does not exist', (account) => {
    const ledger = ledgerOf(10, 10);
    const payment = { lamports: 1, status: 'failed', nowMs: 0 } as const;
    expect(() => balanceOf(ledger, account)).toThrow(RangeError);
    expect(() => addressOf(ledger, account)).toThrow(RangeError);
    expect(() => fund(ledger, account, 1)).toThrow(RangeError);
    expect(() => pay(ledger, account, 0, 1)).toThrow(RangeError);
    expect(() => pay(ledger, 0, account, 1)).toThrow(RangeError);
    expect(() => transfer(ledger, { ...payment, from: account, to: 0 })).toThrow(RangeError);
    expect(() => transfer(ledger, { ...payment, from: 0, to: account })).toThrow(RangeError);
    expect(() => memo(ledger, { from: account, text: '', nowMs: 0 })).toThrow(RangeError);
    expect(balances(ledger)).toEqual([10, 10]);
  });
});

describe('fund', () => {
  it('mints up to 2^53 - 1 lamports in all, and not one more', () => {
    const ledger = ledgerOf(MAX - 1, 0);
    fund(ledger, 1, 1);
    expect(totalLamports(ledger)).toBe(9_007_199_254_740_991);
    expect(() => fund(ledger, 1, 1)).toThrow(RangeError);
    fund(ledger, 1, 0);
    expect(balances(ledger)).toEqual([MAX - 1, 1]);
    expect(ledger.mintedLamports).toBe(MAX);
  });

  it.each([-1, 0.5, NaN, Infinity, 2 ** 53])('refuses %d lamports', (lamports) => {
    const ledger = ledgerOf(10, 0);
    const payment = { from: 0, to: 1, status: 'pending', nowMs: 0 } as const;
    expect(() => fund(ledger, 0, lamports)).toThrow(RangeError);
    expect(() => pay(ledger, 0, 1, lamports)).toThrow(RangeError);
    expect(() => transfer(ledger, { ...payment, lamports })).toThrow(RangeError);
    expect(balances(ledger)).toEqual([10, 0]);
  });
});

describe('pay', () => {
  it.each([
    { name: 'a part', from: 0, to: 1, lamports: 4, paid: true, after: [6, 9] },
    { name: 'all', from: 0, to: 1, lamports: 10, paid: true, after: [0, 15] },
    { name: 'nothing', from: 0, to: 1, lamports: 0, paid: true, after: [10, 5] },
    { name: 'more than there is', from: 0, to: 1, lamports: 11, paid: false, after: [10, 5] },
    { name: 'oneself', from: 0, to: 0, lamports: 10, paid: true, after: [10, 5] },
  ])('$name', ({ from, to, lamports, paid, after }) => {
    const ledger = ledgerOf(10, 5);
    expect(pay(ledger, from, to, lamports)).toBe(paid);
    expect(balances(ledger)).toEqual(after);
    expect(ledger.transactions.size).toBe(0);
  });
});

describe('transactions', () => {
  const payment = { from: 0, to: 1, lamports: 4, nowMs: 1_767_225_600_000 };

  it.each([
    { status: 'confirmed', after: [6, 5] },
    { status: 'pending', after: [10, 1] },
    { status: 'failed', after: [10, 1] },
  ] as const)('$status: recorded, and the money is where it says', ({ status, after }) => {
    const ledger = ledgerOf(10, 1);
    const signature = transfer(ledger, { ...payment, status }) ?? expect.fail('refused');
    expect(base58.decode(signature)).toHaveLength(64);
    expect(findTransaction(ledger, signature)).toEqual({
      kind: 'transfer',
      signature,
      from: 0,
      to: 1,
      lamports: 4,
      atMs: 1_767_225_600_000,
      status,
      before: [10, 1],
    });
    expect(balances(ledger)).toEqual(after);
  });

  it.each([
    { status: 'confirmed', recorded: false },
    { status: 'pending', recorded: false },
    { status: 'failed', recorded: true },
  ] as const)('$status over the balance: recorded $recorded', ({ status, recorded }) => {
    const ledger = ledgerOf(3, 1);
    expect(transfer(ledger, { ...payment, status }) !== undefined).toBe(recorded);
    expect(ledger.transactions.size).toBe(recorded ? 1 : 0);
    expect(balances(ledger)).toEqual([3, 1]);
  });

  it('end once', () => {
    const ledger = ledgerOf(10, 1);
    const confirmed = transfer(ledger, { ...payment, status: 'pending' }) ?? expect.fail('refused');
    const failed = transfer(ledger, { ...payment, status: 'pending' }) ?? expect.fail('refused');
    expect(setStatus(ledger, confirmed, 'confirmed')).toBe('changed');
    expect(setStatus(ledger, failed, 'failed')).toBe('changed');
    expect(setStatus(ledger, confirmed, 'confirmed')).toBe('final');
    expect(setStatus(ledger, failed, 'confirmed')).toBe('final');
    expect(setStatus(ledger, 'nowhere', 'confirmed')).toBe('unknown');
    expect(findTransaction(ledger, confirmed)?.status).toBe('confirmed');
    expect(findTransaction(ledger, failed)?.status).toBe('failed');
    expect(balances(ledger)).toEqual([6, 5]);
  });

  it('fail when the money is gone by the time they are confirmed', () => {
    const ledger = ledgerOf(10, 1);
    const signature = transfer(ledger, { ...payment, status: 'pending' }) ?? expect.fail('refused');
    expect(pay(ledger, 0, 1, 7)).toBe(true);
    expect(setStatus(ledger, signature, 'confirmed')).toBe('uncovered');
    expect(findTransaction(ledger, signature)?.status).toBe('failed');
    expect(balances(ledger)).toEqual([3, 8]);
  });

  it('keep a memo under a signature of its own', () => {
    const ledger = ledgerOf(10, 1);
    const signature = memo(ledger, { from: 1, text: 'sigil weather*golden*org', nowMs: 5 });
    expect(findTransaction(ledger, signature)).toEqual({
      kind: 'memo',
      signature,
      from: 1,
      text: 'sigil weather*golden*org',
      atMs: 5,
      status: 'confirmed',
      held: 1,
    });
    expect(memo(ledger, { from: 1, text: 'sigil weather*golden*org', nowMs: 5 })).not.toBe(signature);
    expect(setStatus(ledger, signature, 'failed')).toBe('final');
    expect(findTransaction(ledger, `${signature}1`)).toBeUndefined();
    expect(balances(ledger)).toEqual([10, 1]);
  });

  it('are signed alike from one seed, and otherwise from another', () => {
    const signatures = (seed: number): (string | undefined)[] => {
      const ledger = createLedger({ seed });
      fund(ledger, accountOf(ledger, 'Alice'), 10);
      accountOf(ledger, 'Bob');
      return [transfer(ledger, { ...payment, status: 'confirmed' }), memo(ledger, { from: 0, text: '', nowMs: 0 })];
    };
    expect(signatures(7)).toEqual(signatures(7));
    expect(new Set([...signatures(7), ...signatures(8)]).size).toBe(4);
  });
});

describe('blockHash', () => {
  it('is 32 bytes that follow from the seed and the moment', () => {
    const hex = (seed: number, moment: number): string =>
      Buffer.from(blockHash(createLedger({ seed }), moment)).toString('hex');
    expect(blockHash(ledgerOf(), 0)).toHaveLength(32);
    expect(hex(7, 60_000)).toBe(hex(7, 60_000));
    expect(new Set([hex(7, 0), hex(7, 60_000), hex(8, 0), hex(8, 60_000)]).size).toBe(4);
  });
});

describe('conservation', () => {
  const account = fc.nat(4);
  const lamports = fc.nat(1_000);
  const step = fc.oneof(
    fc.record({ do: fc.constant('fund' as const), account, lamports }),
    fc.record({ do: fc.constant('pay' as const), from: account, to: account, lamports }),
    fc.record({
      do: fc.constant('transfer' as const),
      from: account,
      to: account,
      lamports,
      status: fc.constantFrom('confirmed' as const, 'pending' as const, 'failed' as const),
    }),
    fc.record({
      do: fc.constant('end' as const),
      nth: fc.nat(20),
      status: fc.constantFrom('confirmed' as const, 'failed' as const),
    }),
  );

  it('adds up after every step to what was minted, and no balance is negative', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const ledger = ledgerOf(500, 0, 0, 0, 0);
        let minted = 500;
        for (const each of steps) {
          switch (each.do) {
            case 'fund':
              fund(ledger, each.account, each.lamports);
              minted += each.lamports;
              break;
            case 'pay':
              pay(ledger, each.from, each.to, each.lamports);
              break;
            case 'transfer':
              transfer(ledger, { ...each, nowMs: 0 });
              break;
            case 'end':
              setStatus(ledger, [...ledger.transactions.keys()][each.nth] ?? '', each.status);
              break;
            default:
              each satisfies never;
          }
          expect(totalLamports(ledger)).toBe(minted);
          expect(ledger.mintedLamports).toBe(minted);
          expect(balances(ledger).every((balance) => balance >= 0)).toBe(true);
        }
      }),
    );
  });
});
