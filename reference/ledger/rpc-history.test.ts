import { base58 } from '@scure/base';
import { beforeEach, describe, expect, it } from 'vitest';
import { ada, bob, LedgerNode } from '../../test/fixtures/ledger-node.js';
import { keyOf, MEMO, memoCall, nameOf, SYSTEM, transferCall } from '../../test/fixtures/solana.js';
import { accountOf, fund, memo, transfer } from './ledger.js';
import { readTransaction } from './transaction.js';

let node: LedgerNode;
beforeEach(() => {
  node = new LedgerNode();
});

describe('history', () => {
  const names = (of: string, config: object = {}): string[] =>
    node
      .rpc('getSignaturesForAddress', of, { commitment: 'confirmed', ...config })
      .result.map(({ signature }: { signature: string }) => signature);

  it('lists the newest first, by limit, before and until, once it is confirmed', () => {
    const sent = [node.airdrop(ada.address)];
    for (let i = 0; i < 4; i++)
      sent.unshift(
        node.send(node.draft({ calls: [memoCall(`m${i}`), transferCall(ada.address, bob.address, i)] })).result,
      );
    expect(names(ada.address)).toEqual([]);
    node.pass(1);
    expect(names(ada.address)).toEqual(sent);
    expect(names(ada.address, { limit: 2 })).toEqual(sent.slice(0, 2));
    expect(names(ada.address, { before: sent[1] })).toEqual(sent.slice(2));
    expect(names(ada.address, { until: sent[3] })).toEqual(sent.slice(0, 3));
    expect(names(ada.address, { before: sent[0], until: sent[4], limit: 1 })).toEqual(sent.slice(1, 2));
    expect(names(ada.address, { before: nameOf(node.draft({ calls: [memoCall('no')] })) })).toEqual([]);
    expect(names(bob.address)).toEqual(sent.slice(0, 4));
    expect(names(keyOf(5).address)).toEqual([]);
    expect(names(ada.address, { commitment: 'finalized' })).toEqual([]);
    const [newest] = node.rpc('getSignaturesForAddress', bob.address, { commitment: 'confirmed' }).result;
    expect(newest).toEqual({
      signature: sent[0],
      slot: 0,
      err: null,
      memo: '[2] m3',
      blockTime: 1_767_225_600,
      confirmationStatus: 'confirmed',
    });
  });

  it.each([[{ limit: 0 }], [{ limit: 1_001 }], [{ before: 'x' }], [{ commitment: 'processed' }]])(
    '%j is refused',
    (config) => {
      expect(node.rpc('getSignaturesForAddress', ada.address, config).error.code).toBe(-32602);
    },
  );

  it('asks for 256 statuses at most', () => {
    const name = node.airdrop(ada.address);
    expect(node.rpc('getSignatureStatuses', Array(256).fill(name)).result.value).toHaveLength(256);
    expect(node.rpc('getSignatureStatuses', Array(257).fill(name)).error.code).toBe(-32602);
  });

  it('shows a versioned transaction only to those who say that they can read it', () => {
    node.airdrop(ada.address);
    const name = node.send(node.draft({ version: 0 })).result;
    node.pass(1);
    const read = (config: object) => node.rpc('getTransaction', name, { commitment: 'confirmed', ...config });
    expect(read({}).error.code).toBe(-32015);
    expect(read({ maxSupportedTransactionVersion: 0 }).result.version).toBe(0);
    expect(read({ commitment: 'processed' }).error.code).toBe(-32602);
    expect(node.rpc('getTransaction', name, { maxSupportedTransactionVersion: 0 }).result).toBeNull();
  });

  it('takes the encoding alone, as older clients give it', () => {
    const name = node.airdrop(ada.address, 5);
    node.pass(32);
    const parsed = node.rpc('getTransaction', name, 'jsonParsed').result.transaction.message.instructions[0];
    expect(parsed.parsed).toMatchObject({ type: 'transfer', info: { destination: ada.address, lamports: 5 } });
    expect(node.rpc('getTransaction', name, 'xml').error.code).toBe(-32602);
  });
});

describe('what the control API and the service wrote', () => {
  const written = (what: 'confirmed' | 'failed' | 'pending' | 'memo'): string => {
    const { ledger } = node.chain;
    const [from, to] = [accountOf(ledger, ada.address), accountOf(ledger, bob.address)];
    fund(ledger, from, 1_000);
    if (what === 'memo') return memo(ledger, { from, text: 'sigil weather*golden*org', nowMs: node.nowMs });
    return transfer(ledger, { from, to, lamports: 300, status: what, nowMs: node.nowMs }) ?? expect.fail('refused');
  };

  it.each([
    ['confirmed', null, [1_000, 0, 1], [700, 300, 1]],
    ['failed', { InstructionError: [0, { Custom: 1 }] }, [1_000, 0, 1], [1_000, 0, 1]],
    ['memo', null, [1_000, 1], [1_000, 1]],
  ] as const)('a %s one is there, confirmed at once, without a fee', (what, err, preBalances, postBalances) => {
    const name = written(what);
    expect(node.status(name)).toMatchObject({ err, confirmationStatus: 'confirmed' });
    const read = (encoding: string) => node.rpc('getTransaction', name, { commitment: 'confirmed', encoding }).result;
    expect(read('json').meta).toMatchObject({ err, fee: 0, preBalances, postBalances });
    const back = readTransaction(Buffer.from(read('base64').transaction[0], 'base64'));
    expect(back).toMatchObject({ ok: true, transaction: { message: { recentBlockhash: node.latest() } } });
    expect(base58.encode(Buffer.from(read('base64').transaction[0], 'base64'))).toBe(read('base58').transaction[0]);
    const [instruction] = read('jsonParsed').transaction.message.instructions;
    const info = { source: ada.address, destination: bob.address, lamports: 300 };
    expect(instruction.parsed).toEqual(what === 'memo' ? 'sigil weather*golden*org' : { type: 'transfer', info });
    expect(instruction.programId).toBe(what === 'memo' ? MEMO : SYSTEM);
  });

  it('a pending one is in no block', () => {
    const name = written('pending');
    node.pass(100);
    expect([node.status(name), node.rpc('getTransaction', name).result]).toEqual([null, null]);
    expect(node.rpc('getSignaturesForAddress', ada.address).result).toEqual([]);
  });

  it('a payment to oneself moves nothing', () => {
    const account = accountOf(node.chain.ledger, ada.address);
    fund(node.chain.ledger, account, 9);
    const name =
      transfer(node.chain.ledger, {
        from: account,
        to: account,
        lamports: 4,
        status: 'confirmed',
        nowMs: node.nowMs,
      }) ?? '';
    node.pass(32);
    expect(node.rpc('getTransaction', name).result.meta).toMatchObject({ preBalances: [9, 1], postBalances: [9, 1] });
  });
});
