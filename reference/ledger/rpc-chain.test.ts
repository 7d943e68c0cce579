import { beforeEach, describe, expect, it } from 'vitest';
import { ada, bob, LedgerNode } from '../../test/fixtures/ledger-node.js';
import { MEMO, memoCall, nameOf, SYSTEM } from '../../test/fixtures/solana.js';
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

  it('an airdrop gives up to 1,000 SOL, while there is money', () => {
    expect(node.rpc('requestAirdrop', ada.address, 1_000_000_000_001).error.code).toBe(-32602);
    expect(node.rpc('requestAirdrop', 'nobody', 5).error.code).toBe(-32602);
    fund(node.chain.ledger, accountOf(node.chain.ledger, bob.address), Number.MAX_SAFE_INTEGER - 10);
    expect(node.rpc('requestAirdrop', ada.address, 11).error.code).toBe(-32602);
    expect(node.rpc('requestAirdrop', ada.address, 10).result).toEqual(expect.any(String));
  });
});
