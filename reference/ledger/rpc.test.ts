import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { ada, bob, LedgerNode } from '../../test/fixtures/ledger-node.js';
import { memoCall, nameOf, sentAs, transferCall } from '../../test/fixtures/solana.js';
import { totalLamports } from './ledger.js';
import { replayWrite, rpcMethods } from './rpc.js';

let node: LedgerNode;
beforeEach(() => {
  node = new LedgerNode();
});

describe('the envelope', () => {
  const deep = (levels: number): unknown => (levels === 0 ? [] : [deep(levels - 1)]);
  it.each([
    ['a number', 1, -32600, null],
    ['null', null, -32600, null],
    ['an empty object', {}, -32600, null],
    ['an empty batch', [], -32600, null],
    ['no version', { id: 1, method: 'getHealth' }, -32600, 1],
    ['an older version', { jsonrpc: '1.0', id: 'a', method: 'getHealth' }, -32600, 'a'],
    ['no method', { jsonrpc: '2.0', id: 2 }, -32600, 2],
    ['a method that is no text', { jsonrpc: '2.0', id: 2, method: 7 }, -32600, 2],
    ['an id that is an object', { jsonrpc: '2.0', id: {}, method: 'getHealth' }, -32600, null],
    ['an id that is a list', { jsonrpc: '2.0', id: [1], method: 'getHealth' }, -32600, null],
    ['an id that is true', { jsonrpc: '2.0', id: true, method: 'getHealth' }, -32600, null],
    ['an unknown method', { jsonrpc: '2.0', id: 3, method: 'getFortune' }, -32601, 3],
    ['a method of every object', { jsonrpc: '2.0', id: 3, method: 'constructor' }, -32601, 3],
    ['parameters by name', { jsonrpc: '2.0', id: 4, method: 'getSlot', params: { a: 1 } }, -32602, 4],
    ['a parameter too few', { jsonrpc: '2.0', id: 0, method: 'getBalance' }, -32602, 0],
    ['a parameter too many', { jsonrpc: '2.0', id: '', method: 'getSlot', params: [null, 1] }, -32602, ''],
    [
      'an unknown commitment',
      { jsonrpc: '2.0', id: 1.5, method: 'getSlot', params: [{ commitment: 'sure' }] },
      -32602,
      1.5,
    ],
  ])('%s is an error', (_, request, code, id) => {
    expect(node.ask(request)).toMatchObject({ jsonrpc: '2.0', error: { code, message: expect.any(String) }, id });
  });

  it('answers a batch in its order, leaves notifications out, and takes a call without parameters', () => {
    const batch = [
      { jsonrpc: '2.0', id: 'b', method: 'getHealth' },
      { jsonrpc: '2.0', method: 'requestAirdrop', params: [ada.address, 5] },
      7,
      { jsonrpc: '2.0', id: null, method: 'getSlot', params: null },
    ];
    expect(node.ask(batch)).toEqual([
      { jsonrpc: '2.0', result: 'ok', id: 'b' },
      { jsonrpc: '2.0', error: { code: -32600, message: 'Invalid request: not an object' }, id: null },
      { jsonrpc: '2.0', result: 0, id: null },
    ]);
    expect(node.balance(ada.address)).toBe(5);
    expect(node.ask([{ jsonrpc: '2.0', method: 'getHealth' }])).toBeUndefined();
    expect(node.ask({ jsonrpc: '2.0', method: 'getHealth' })).toBeUndefined();
  });

  it('refuses batches in batches, and a batch of more than 100', () => {
    expect(node.ask(deep(1_000))).toMatchObject([{ error: { code: -32600 }, id: null }]);
    const call = { jsonrpc: '2.0', id: 1, method: 'getHealth' };
    expect(node.ask(Array(100).fill(call))).toHaveLength(100);
    expect(node.ask(Array(101).fill(call))).toMatchObject({ error: { code: -32600 }, id: null });
  });
});

describe('the same calls at the same times', () => {
  const session = (): string => {
    const replies: unknown[] = [node.airdrop(ada.address), node.latest()];
    const wire = node.draft({ calls: [transferCall(ada.address, bob.address, 5), memoCall('x')] });
    replies.push(
      node.send(wire),
      node.pass(2),
      node.send(node.draft({ calls: [transferCall(ada.address, bob.address, 2e9)] }), { skipPreflight: true }),
    );
    node.pass(40);
    replies.push(
      node.rpc('getTransaction', nameOf(wire)),
      node.rpc('getSignaturesForAddress', ada.address),
      node.rpc('getGenesisHash'),
    );
    return JSON.stringify(replies);
  };

  it('get the same answers from the same seed, and others from another', () => {
    const first = session();
    node = new LedgerNode();
    expect(session()).toBe(first);
    node = new LedgerNode(8);
    expect(session()).not.toBe(first);
  });

  it('replayed from what was written, lead to the same ledger', () => {
    session();
    const { chain } = new LedgerNode();
    for (const { write, at } of node.writes) replayWrite(chain, write, at);
    expect(node.writes).toHaveLength(3);
    expect(chain.ledger).toEqual(node.chain.ledger);
  });
});

describe('whatever comes', () => {
  it('bytes of a valid transaction changed, cut or added: an answer, and no lamport is lost', () => {
    node.airdrop(ada.address);
    const good = node.draft({ version: 0, calls: [transferCall(ada.address, bob.address, 1_000), memoCall('hello')] });
    const change = fc.array(fc.tuple(fc.nat(good.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(change, fc.nat(good.length), fc.uint8Array({ maxLength: 8 }), (changes, cut, more) => {
        const bytes = Buffer.from(good);
        for (const [at, byte] of changes) bytes[at] = byte;
        const wire = Buffer.concat([cut % 3 === 0 ? bytes.subarray(0, cut) : bytes, more]);
        for (const method of ['sendTransaction', 'simulateTransaction']) {
          expect(node.rpc(method, sentAs(wire), { encoding: 'base64' })).toMatchObject({ jsonrpc: '2.0', id: 1 });
        }
        expect(totalLamports(node.chain.ledger)).toBe(node.chain.ledger.mintedLamports);
      }),
      { numRuns: 300 },
    );
  });

  it('any JSON as parameters of any method: a result or an error', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...Object.keys(rpcMethods)),
        fc.array(fc.jsonValue(), { maxLength: 3 }),
        (method, params) => {
          const reply = node.rpc(method, ...params);
          expect('result' in reply || [-32601, -32602, -32004].includes(reply.error.code)).toBe(true);
        },
      ),
      { numRuns: 500 },
    );
  });
});
