import { beforeEach, describe, expect, it } from 'vitest';
import { ada, bob, LedgerNode } from '../../test/fixtures/ledger-node.js';
import { MEMO, memoCall, nameOf, SYSTEM, transferCall } from '../../test/fixtures/solana.js';
import { accountOf, fund } from './ledger.js';

let node: LedgerNode;
beforeEach(() => {
  node = new LedgerNode();
});

describe('time', () => {
  it('passes in slots of 400 ms, each with a block', () => {
    node.nowMs += 799;
    expect(node.rpc('getSlot', { commitment: 'processed' }).result).toBe(1);
    node.nowMs += 1;
    expect(node.rpc('getSlot', { commitment: 'processed' }).result).toBe(2);
    expect(node.rpc('getBlockHeight', { commitment: 'confirmed' }).result).toBe(1);
    node.pass(40);
    expect(node.rpc('getSlot').result).toBe(10);
    expect(node.rpc('getBlockTime', 3).result).toBe(1_767_225_601);
    expect(node.rpc('getBlockTime', 43).error.code).toBe(-32004);
    expect(node.rpc('getSlot', { minContextSlot: 11 }).error).toMatchObject({
      code: -32016,
      data: { contextSlot: 10 },
    });
  });

  it('a block hash can be used for 150 blocks after its own', () => {
    node.airdrop(ada.address);
    const { blockhash, lastValidBlockHeight } = node.rpc('getLatestBlockhash', { commitment: 'processed' }).result
      .value;
    expect(lastValidBlockHeight).toBe(150);
    const valid = (): boolean => node.rpc('isBlockhashValid', blockhash, { commitment: 'processed' }).result.value;
    const [one, other] = [node.draft(), node.draft({ calls: [memoCall('late')] })];
    node.pass(150);
    expect(valid()).toBe(true);
    expect(node.send(one).result).toBe(nameOf(one));
    node.pass(1);
    expect(valid()).toBe(false);
    expect(node.send(other).error).toMatchObject({ code: -32002, data: { err: 'BlockhashNotFound' } });
    expect(node.send(one).error.message).toBe('Transaction simulation failed: Blockhash not found');
  });

  it('makes a transaction processed, confirmed after a slot and finalized after 32', () => {
    const given = node.airdrop(ada.address);
    node.pass(32);
    const wire = node.draft();
    const signature = node.send(wire).result;
    const seen = [0, 1, 30, 1].map((slots) => {
      node.pass(slots);
      const { confirmationStatus, confirmations } = node.status(signature);
      return [
        confirmationStatus,
        confirmations,
        node.balance(bob.address, 'confirmed'),
        node.balance(bob.address, 'finalized'),
      ];
    });
    expect(seen).toEqual([
      ['processed', 0, 0, 0],
      ['confirmed', 1, 700, 0],
      ['confirmed', 31, 700, 0],
      ['finalized', null, 700, 700],
    ]);
    expect(node.status(given)).toEqual({
      slot: 0,
      confirmations: null,
      err: null,
      status: { Ok: null },
      confirmationStatus: 'finalized',
    });
    expect(node.status(nameOf(node.draft({ calls: [memoCall('never sent')] })))).toBeNull();
  });
});

describe('accounts', () => {
  it.each([
    [undefined, ['', 'base58']],
    ['base64', ['', 'base64']],
    ['jsonParsed', ['', 'base64']],
    ['base64+zstd', ['KLUv/QBYAQAA', 'base64+zstd']],
  ])('as %s', (encoding, data) => {
    node.airdrop(ada.address, 5);
    const config = { commitment: 'processed', ...(encoding === undefined ? {} : { encoding }) };
    expect(node.rpc('getAccountInfo', ada.address, config).result.value).toEqual({
      lamports: 5,
      owner: SYSTEM,
      data,
      executable: false,
      rentEpoch: 0,
      space: 0,
    });
  });

  it('are nothing when they hold nothing, and programs are programs', () => {
    expect(node.rpc('getAccountInfo', bob.address).result.value).toBeNull();
    expect(node.balance(bob.address)).toBe(0);
    expect(node.rpc('getAccountInfo', MEMO).result.value).toMatchObject({ executable: true });
    expect(node.chain.ledger.accounts).toBe(0);
  });

  it('up to 100 at once', () => {
    node.airdrop(ada.address, 5);
    const { value } = node.rpc('getMultipleAccounts', [bob.address, ada.address], { commitment: 'processed' }).result;
    expect(value).toEqual([null, expect.objectContaining({ lamports: 5, data: ['', 'base64'] })]);
    expect(node.rpc('getMultipleAccounts', Array(101).fill(ada.address)).error.code).toBe(-32602);
  });

  it('an airdrop gives up to 1,000 SOL, while there is money', () => {
    expect(node.rpc('requestAirdrop', ada.address, 1_000_000_000_001).error.code).toBe(-32602);
    expect(node.rpc('requestAirdrop', 'nobody', 5).error.code).toBe(-32602);
    fund(node.chain.ledger, accountOf(node.chain.ledger, bob.address), Number.MAX_SAFE_INTEGER - 10);
    expect(node.rpc('requestAirdrop', ada.address, 11).error.code).toBe(-32602);
    expect(node.rpc('requestAirdrop', ada.address, 10).result).toEqual(expect.any(String));
  });
});

describe('blocks', () => {
  /** Slot 0 has an airdrop, slot 5 two transactions of Ada's, of which the second fails. */
  const sent: string[] = [];
  beforeEach(() => {
    sent.length = 0;
    sent.push(node.airdrop(ada.address));
    node.pass(5);
    sent.push(node.send(node.draft({ version: 0 })).result);
    const tooMuch = node.draft({ calls: [transferCall(ada.address, bob.address, 2e9)] });
    sent.push(node.send(tooMuch, { skipPreflight: true }).result);
    node.pass(1);
  });
  const block = (slot: number, config: object = {}) =>
    node.rpc('getBlock', slot, { commitment: 'confirmed', maxSupportedTransactionVersion: 0, ...config });

  it('show their transactions as getTransaction does', () => {
    const { result } = block(5);
    const { blockhash } = block(4).result;
    expect(result).toMatchObject({
      blockHeight: 5,
      parentSlot: 4,
      previousBlockhash: blockhash,
      blockTime: 1_767_225_602,
    });
    const each = sent.slice(1).map((name) => {
      const { slot, blockTime, ...shown } = node.rpc('getTransaction', name, {
        commitment: 'confirmed',
        maxSupportedTransactionVersion: 0,
      }).result;
      return [slot, blockTime, shown];
    });
    expect(result.transactions.map((shown: object) => [5, 1_767_225_602, shown])).toEqual(each);
    expect(result.rewards).toEqual([]);
    expect(block(0).result).toMatchObject({ parentSlot: 0, transactions: [{ meta: { fee: 0 } }] });
    expect(block(3).result.transactions).toEqual([]);
  });

  it('show signatures, accounts or nothing of them', () => {
    expect(block(5, { transactionDetails: 'signatures' }).result.signatures).toEqual(sent.slice(1));
    expect(Object.keys(block(5, { transactionDetails: 'none', rewards: false }).result)).toEqual(
      expect.not.arrayContaining(['transactions', 'signatures', 'rewards']),
    );
    const [first] = block(5, { transactionDetails: 'accounts' }).result.transactions;
    expect(first.transaction.accountKeys[0]).toEqual({
      pubkey: ada.address,
      writable: true,
      signer: true,
      source: 'transaction',
    });
    expect(first).toMatchObject({ version: 0, meta: { fee: 5_000, postBalances: [999_994_300, 700, 1] } });
  });

  it.each([
    ['is still to come', () => block(6), -32004],
    ['is not final yet', () => block(5, { commitment: 'finalized' }), -32004],
    ['has a version that the caller cannot read', () => node.rpc('getBlock', 5, { commitment: 'confirmed' }), -32015],
    ['is asked for as processed', () => block(5, { commitment: 'processed' }), -32602],
  ])('one that %s is an error', (_, ask, code) => {
    expect(ask().error.code).toBe(code);
  });

  it('of more transactions than a reply may hold are shown in another form', () => {
    for (let i = 0; i < 1_001; i++) node.airdrop(bob.address, 1);
    node.pass(1);
    const { error } = block(6);
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining('transactionDetails "signatures"') });
    expect(block(6, { transactionDetails: 'signatures' }).result.signatures).toHaveLength(1_001);
  });

  it('are counted, in epochs of 432,000', () => {
    const count = (commitment: string) => node.rpc('getTransactionCount', { commitment }).result;
    expect([count('processed'), count('confirmed'), count('finalized')]).toEqual([3, 3, 1]);
    node.pass(432_000 * 2);
    expect(node.rpc('getEpochInfo', { commitment: 'processed' }).result).toEqual({
      absoluteSlot: 864_006,
      blockHeight: 864_006,
      epoch: 2,
      slotIndex: 6,
      slotsInEpoch: 432_000,
      transactionCount: 3,
    });
  });

  it('have no fee that others offered', () => {
    const fees = node.rpc('getRecentPrioritizationFees', [ada.address]).result;
    expect(fees.map(({ slot }: { slot: number }) => slot)).toEqual([0, 1, 2, 3, 4, 5, 6]);
    node.pass(200);
    expect(node.rpc('getRecentPrioritizationFees').result).toHaveLength(150);
    expect(fees[0]).toEqual({ slot: 0, prioritizationFee: 0 });
    expect(node.rpc('getRecentPrioritizationFees', Array(129).fill(ada.address)).error.code).toBe(-32602);
  });
});
