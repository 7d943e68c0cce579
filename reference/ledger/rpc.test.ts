import { base58 } from '@scure/base';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  COMPUTE_BUDGET,
  type Draft,
  keyOf,
  MEMO,
  memoCall,
  nameOf,
  SYSTEM,
  sentAs,
  transferCall,
  wireOf,
} from '../../test/fixtures/solana.js';
import { type Chain, createChain } from './chain.js';
import type { LedgerWrite } from './json-rpc.js';
import { accountOf, createLedger, fund, memo, totalLamports, transfer } from './ledger.js';
import { answerRpc, replayWrite } from './rpc.js';
import { readTransaction } from './transaction.js';

/** 2026-01-01T00:00:00Z. */
const START_MS = 1_767_225_600_000;
const SLOT_MS = 400;
const ada = keyOf(1);
const bob = keyOf(2);

let chain: Chain;
let nowMs: number;
let writes: { write: LedgerWrite; at: number }[];

function fresh(seed = 7): Chain {
  nowMs = START_MS;
  writes = [];
  return createChain(createLedger({ seed }), START_MS);
}

beforeEach(() => {
  chain = fresh();
});

const ask = (request: unknown): unknown =>
  answerRpc({ chain, nowMs, wrote: (write) => writes.push({ write, at: nowMs }) }, request);

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the reply should hold
function rpc(method: string, ...params: unknown[]): any {
  return ask({ jsonrpc: '2.0', id: 1, method, params });
}

const pass = (slots: number): void => {
  nowMs += slots * SLOT_MS;
};
const latest = (): string => rpc('getLatestBlockhash', { commitment: 'processed' }).result.value.blockhash;
const airdrop = (to: string, lamports = 1_000_000_000): string => rpc('requestAirdrop', to, lamports).result;
const balance = (of: string, commitment = 'processed'): number => rpc('getBalance', of, { commitment }).result.value;
const draft = (over: Partial<Draft> = {}): Uint8Array =>
  wireOf({ signers: [ada], blockhash: latest(), calls: [transferCall(ada.address, bob.address, 700)], ...over });
const send = (wire: Uint8Array, config: object = {}) =>
  rpc('sendTransaction', sentAs(wire), { encoding: 'base64', ...config });
const status = (signature: string) => rpc('getSignatureStatuses', [signature]).result.value[0];

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
    expect(ask(request)).toMatchObject({ jsonrpc: '2.0', error: { code, message: expect.any(String) }, id });
  });

  it('answers a batch in its order, leaves notifications out, and takes a call without parameters', () => {
    const batch = [
      { jsonrpc: '2.0', id: 'b', method: 'getHealth' },
      { jsonrpc: '2.0', method: 'requestAirdrop', params: [ada.address, 5] },
      7,
      { jsonrpc: '2.0', id: null, method: 'getSlot', params: null },
    ];
    expect(ask(batch)).toEqual([
      { jsonrpc: '2.0', result: 'ok', id: 'b' },
      { jsonrpc: '2.0', error: { code: -32600, message: 'Invalid request: not an object' }, id: null },
      { jsonrpc: '2.0', result: 0, id: null },
    ]);
    expect(balance(ada.address)).toBe(5);
    expect(ask([{ jsonrpc: '2.0', method: 'getHealth' }])).toBeUndefined();
    expect(ask({ jsonrpc: '2.0', method: 'getHealth' })).toBeUndefined();
  });

  it('refuses batches in batches, and a batch of more than 100', () => {
    expect(ask(deep(1_000))).toMatchObject([{ error: { code: -32600 }, id: null }]);
    const call = { jsonrpc: '2.0', id: 1, method: 'getHealth' };
    expect(ask(Array(100).fill(call))).toHaveLength(100);
    expect(ask(Array(101).fill(call))).toMatchObject({ error: { code: -32600 }, id: null });
  });
});

describe('time', () => {
  it('passes in slots of 400 ms, each with a block', () => {
    nowMs += 2 * SLOT_MS - 1;
    expect(rpc('getSlot', { commitment: 'processed' }).result).toBe(1);
    nowMs += 1;
    expect(rpc('getSlot', { commitment: 'processed' }).result).toBe(2);
    expect(rpc('getBlockHeight', { commitment: 'confirmed' }).result).toBe(1);
    pass(40);
    expect(rpc('getSlot').result).toBe(10);
    expect(rpc('getBlockTime', 3).result).toBe(1_767_225_601);
    expect(rpc('getBlockTime', 43).error.code).toBe(-32004);
    expect(rpc('getSlot', { minContextSlot: 11 }).error).toMatchObject({ code: -32016, data: { contextSlot: 10 } });
  });

  it('a block hash can be used for 150 blocks after its own', () => {
    airdrop(ada.address);
    const { blockhash, lastValidBlockHeight } = rpc('getLatestBlockhash', { commitment: 'processed' }).result.value;
    expect(lastValidBlockHeight).toBe(150);
    const valid = (): boolean => rpc('isBlockhashValid', blockhash, { commitment: 'processed' }).result.value;
    const [one, other] = [draft(), draft({ calls: [memoCall('late')] })];
    pass(150);
    expect(valid()).toBe(true);
    expect(send(one).result).toBe(nameOf(one));
    pass(1);
    expect(valid()).toBe(false);
    expect(send(other).error).toMatchObject({ code: -32002, data: { err: 'BlockhashNotFound' } });
    expect(send(one).error.message).toBe('Transaction simulation failed: Blockhash not found');
  });

  it('makes a transaction processed, confirmed after a slot and finalized after 32', () => {
    const given = airdrop(ada.address);
    pass(32);
    const wire = draft();
    const signature = send(wire).result;
    const seen = [0, 1, 30, 1].map((slots) => {
      pass(slots);
      const { confirmationStatus, confirmations } = status(signature);
      return [confirmationStatus, confirmations, balance(bob.address, 'confirmed'), balance(bob.address, 'finalized')];
    });
    expect(seen).toEqual([
      ['processed', 0, 0, 0],
      ['confirmed', 1, 700, 0],
      ['confirmed', 31, 700, 0],
      ['finalized', null, 700, 700],
    ]);
    expect(status(given)).toEqual({
      slot: 0,
      confirmations: null,
      err: null,
      status: { Ok: null },
      confirmationStatus: 'finalized',
    });
    expect(status(nameOf(draft({ calls: [memoCall('never sent')] })))).toBeNull();
  });
});

describe('sendTransaction', () => {
  beforeEach(() => {
    airdrop(ada.address);
  });

  const stranger = keyOf(9).address;
  /** Each leaves the ledger as it was. */
  const refusals: readonly (readonly [what: string, wire: () => Uint8Array, code: number, err?: unknown])[] = [
    ['a forged signature', () => draft().map((byte, i) => (i === 9 ? byte ^ 1 : byte)), -32003],
    ['a changed amount', () => draft().map((byte, i, all) => (i === all.length - 8 ? byte ^ 1 : byte)), -32003],
    ['an unknown block hash', () => draft({ blockhash: bob.address }), -32002, 'BlockhashNotFound'],
    ['a payer who never had money', () => draft({ signers: [bob], calls: [memoCall('x')] }), -32002, 'AccountNotFound'],
    [
      'more than there is',
      () => draft({ calls: [transferCall(ada.address, bob.address, 999_995_001)] }),
      -32002,
      { InstructionError: [0, { Custom: 1 }] },
    ],
    [
      'more than there can be',
      () => draft({ calls: [transferCall(ada.address, bob.address, 2n ** 64n - 1n)] }),
      -32002,
      { InstructionError: [0, { Custom: 1 }] },
    ],
    [
      "somebody else's money",
      () => draft({ calls: [transferCall(bob.address, ada.address, 0)] }),
      -32002,
      { InstructionError: [0, 'MissingRequiredSignature'] },
    ],
    [
      'a payee that is read only',
      () => draft({ readonly: [bob.address] }),
      -32002,
      { InstructionError: [0, 'ReadonlyLamportChange'] },
    ],
    [
      'a payee that is a program',
      () => draft({ calls: [transferCall(ada.address, SYSTEM, 5)] }),
      -32002,
      { InstructionError: [0, 'ReadonlyLamportChange'] },
    ],
    [
      'a transfer to nobody',
      () => draft({ calls: [{ ...transferCall(ada.address, bob.address, 5), accounts: [ada.address] }] }),
      -32002,
      { InstructionError: [0, 'NotEnoughAccountKeys'] },
    ],
    [
      'another instruction of the system program',
      () => draft({ calls: [{ program: SYSTEM, accounts: [ada.address, bob.address], data: Buffer.alloc(52) }] }),
      -32002,
      { InstructionError: [0, 'InvalidInstructionData'] },
    ],
    [
      'another program',
      () => draft({ calls: [{ program: stranger, accounts: [], data: Buffer.alloc(0) }] }),
      -32002,
      'ProgramAccountNotFound',
    ],
    [
      'a memo that is no text',
      () => draft({ calls: [memoCall(Buffer.from([0xff]))] }),
      -32002,
      { InstructionError: [0, 'InvalidInstructionData'] },
    ],
    [
      'a memo of one who has not signed',
      () => draft({ calls: [memoCall('x', bob.address)] }),
      -32002,
      { InstructionError: [0, 'MissingRequiredSignature'] },
    ],
    [
      'a second instruction that fails',
      () => draft({ calls: [transferCall(ada.address, bob.address, 1), transferCall(bob.address, ada.address, 1)] }),
      -32002,
      { InstructionError: [1, 'MissingRequiredSignature'] },
    ],
    [
      'a look-up in an address table',
      () => draft({ version: 0, lookups: [1, ...base58.decode(stranger), 1, 0, 0] }),
      -32002,
      'AddressLookupTableNotFound',
    ],
    ['a message of version 1', () => draft({ version: 1 }), -32602],
    ['a signature too few', () => Buffer.concat([Buffer.from([0]), draft().subarray(65)]), -32013],
    ['half a transaction', () => draft().subarray(0, 100), -32602],
    ['a length in a longer form', () => Buffer.concat([Buffer.from([0x81, 0]), draft().subarray(1)]), -32602],
    ['nothing', () => Buffer.alloc(0), -32602],
    ['more than a packet', () => draft({ calls: Array.from({ length: 12 }, () => memoCall('x'.repeat(100))) }), -32602],
  ];

  it.each(refusals.map(([what, make, code, err]) => ({ what, make, code, err })))(
    'refuses $what',
    ({ make, code, err }) => {
      pass(3);
      const wire = make();
      const { error } = send(wire);
      expect(error).toMatchObject(err === undefined ? { code } : { code, data: { err, accounts: null } });
      expect(error.message).toEqual(expect.stringMatching(/^.{10,}$/));
      expect([balance(ada.address), balance(bob.address)]).toEqual([1_000_000_000, 0]);
      expect(writes).toHaveLength(1);
      expect(chain.ledger.transactions.size).toBe(1);
    },
  );

  it('takes base58 unasked, and what follows a transaction is left out', () => {
    const wire = draft({ version: 0 });
    expect(rpc('sendTransaction', base58.encode(Buffer.concat([wire, Buffer.from('more')]))).result).toBe(nameOf(wire));
    expect(balance(bob.address)).toBe(700);
    pass(1);
    const read = rpc('getTransaction', nameOf(wire), {
      commitment: 'confirmed',
      encoding: 'base64',
      maxSupportedTransactionVersion: 0,
    });
    expect(read.result).toMatchObject({ transaction: [sentAs(wire), 'base64'], version: 0 });
  });

  it.each([
    ['base58', '0OIl'],
    ['base64', '*'],
    ['base58', '1'.repeat(1_684)],
    ['base64', 'A'.repeat(1_648)],
    ['base64', 'A'.repeat(1_645)],
    ['utf8', 'x'],
  ])('refuses %s that is none', (encoding, text) => {
    expect(rpc('sendTransaction', text, { encoding }).error.code).toBe(-32602);
  });

  it('runs a transaction once: again it is refused, and past the preflight it is named and does nothing', () => {
    const wire = draft();
    const first = send(wire);
    expect(send(wire).error).toMatchObject({ code: -32002, data: { err: 'AlreadyProcessed' } });
    expect(send(wire, { skipPreflight: true })).toEqual(first);
    expect([balance(ada.address), balance(bob.address)]).toEqual([999_994_300, 700]);
    expect(writes).toHaveLength(2);
  });

  it('past the preflight a failing transaction lands, costs its fee, and moves nothing', () => {
    const calls = [transferCall(ada.address, bob.address, 5), transferCall(ada.address, bob.address, 2_000_000_000)];
    const wire = draft({ calls: [...calls, memoCall('unseen')] });
    expect(send(wire, { skipPreflight: true }).result).toBe(nameOf(wire));
    expect([balance(ada.address), balance(bob.address)]).toEqual([999_995_000, 0]);
    pass(1);
    expect(status(nameOf(wire)).err).toEqual({ InstructionError: [1, { Custom: 1 }] });
    const { meta } = rpc('getTransaction', nameOf(wire), { commitment: 'confirmed' }).result;
    expect(meta).toMatchObject({ fee: 5_000, status: { Err: { InstructionError: [1, { Custom: 1 }] } } });
    expect(meta.logMessages).toContain('Transfer: insufficient lamports 999994995, need 2000000000');
  });

  it('past the preflight what no block takes is named and forgotten', () => {
    const wire = draft({ blockhash: bob.address });
    expect(send(wire, { skipPreflight: true }).result).toBe(nameOf(wire));
    expect(status(nameOf(wire))).toBeNull();
    expect(writes).toHaveLength(1);
  });

  it('charges the first signer 5,000 lamports a signature, and what a compute budget offers', () => {
    airdrop(bob.address, 10_000);
    const price = Buffer.alloc(9, 3);
    price.writeBigUInt64LE(1_500n, 1);
    const limit = Buffer.alloc(5, 2);
    limit.writeUInt32LE(1_000, 1);
    const budget = [price, limit].map((data) => ({ program: COMPUTE_BUDGET, accounts: [], data }));
    const calls = [
      ...budget,
      transferCall(bob.address, ada.address, 10_000),
      memoCall('both', ada.address, bob.address),
    ];
    const wire = draft({ signers: [ada, bob], calls });
    const message = sentAs(wire.subarray(1 + 2 * 64));
    expect(rpc('getFeeForMessage', message, { commitment: 'processed' }).result.value).toBe(10_002);
    send(wire);
    expect([balance(ada.address), balance(bob.address)]).toEqual([1_000_000_000 + 10_000 - 10_002, 0]);
    pass(151);
    expect(rpc('getFeeForMessage', message).result.value).toBeNull();
    expect(rpc('getFeeForMessage', 'AQ==').error.code).toBe(-32602);
  });

  it('cannot pay the fee with what it receives', () => {
    airdrop(bob.address, 4_999);
    const calls = [transferCall(ada.address, bob.address, 50_000)];
    expect(send(draft({ signers: [bob, ada], calls })).error.data.err).toBe('InsufficientFundsForFee');
  });
});

describe('simulateTransaction', () => {
  beforeEach(() => {
    airdrop(ada.address);
  });
  const simulate = (wire: Uint8Array, config: object = {}) =>
    rpc('simulateTransaction', sentAs(wire), { encoding: 'base64', ...config });

  it('tells what would happen, and nothing happens', () => {
    const accounts = { addresses: [bob.address, ada.address], encoding: 'base64' };
    const { value } = simulate(draft(), { accounts, sigVerify: true }).result;
    expect(value).toMatchObject({
      err: null,
      unitsConsumed: 150,
      accounts: [{ lamports: 700 }, { lamports: 999_994_300 }],
    });
    expect(value.logs).toEqual([`Program ${SYSTEM} invoke [1]`, `Program ${SYSTEM} success`]);
    expect([balance(ada.address), balance(bob.address), writes.length]).toEqual([1_000_000_000, 0, 1]);
  });

  it('a failure is an answer, not an error', () => {
    const wire = draft({ calls: [transferCall(ada.address, bob.address, 2_000_000_000)] });
    expect(simulate(wire).result.value).toMatchObject({ err: { InstructionError: [0, { Custom: 1 }] } });
    expect(simulate(draft({ blockhash: bob.address })).result.value).toMatchObject({
      err: 'BlockhashNotFound',
      logs: [],
    });
  });

  it('replaces the block hash, or verifies the signatures, but not both', () => {
    const old = draft({ blockhash: bob.address });
    const { value } = simulate(old, { replaceRecentBlockhash: true, commitment: 'processed' }).result;
    expect(value).toMatchObject({
      err: null,
      replacementBlockhash: { blockhash: latest(), lastValidBlockHeight: 150 },
    });
    expect(simulate(old, { replaceRecentBlockhash: true, sigVerify: true }).error.code).toBe(-32602);
    const forged = draft().map((byte, i) => (i === 9 ? byte ^ 1 : byte));
    expect(simulate(forged, { sigVerify: true }).error.code).toBe(-32003);
    expect(simulate(forged).result.value.err).toBeNull();
  });
});

describe('history', () => {
  const names = (of: string, config: object = {}): string[] =>
    rpc('getSignaturesForAddress', of, { commitment: 'confirmed', ...config }).result.map(
      ({ signature }: { signature: string }) => signature,
    );

  it('lists the newest first, by limit, before and until, once it is confirmed', () => {
    const sent = [airdrop(ada.address)];
    for (let i = 0; i < 4; i++)
      sent.unshift(send(draft({ calls: [memoCall(`m${i}`), transferCall(ada.address, bob.address, i)] })).result);
    expect(names(ada.address)).toEqual([]);
    pass(1);
    expect(names(ada.address)).toEqual(sent);
    expect(names(ada.address, { limit: 2 })).toEqual(sent.slice(0, 2));
    expect(names(ada.address, { before: sent[1] })).toEqual(sent.slice(2));
    expect(names(ada.address, { until: sent[3] })).toEqual(sent.slice(0, 3));
    expect(names(ada.address, { before: sent[0], until: sent[4], limit: 1 })).toEqual(sent.slice(1, 2));
    expect(names(ada.address, { before: nameOf(draft({ calls: [memoCall('no')] })) })).toEqual([]);
    expect(names(bob.address)).toEqual(sent.slice(0, 4));
    expect(names(keyOf(5).address)).toEqual([]);
    expect(names(ada.address, { commitment: 'finalized' })).toEqual([]);
    const [newest] = rpc('getSignaturesForAddress', bob.address, { commitment: 'confirmed' }).result;
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
      expect(rpc('getSignaturesForAddress', ada.address, config).error.code).toBe(-32602);
    },
  );

  it('asks for 256 statuses at most', () => {
    const name = airdrop(ada.address);
    expect(rpc('getSignatureStatuses', Array(256).fill(name)).result.value).toHaveLength(256);
    expect(rpc('getSignatureStatuses', Array(257).fill(name)).error.code).toBe(-32602);
  });

  it('shows a versioned transaction only to those who say that they can read it', () => {
    airdrop(ada.address);
    const name = send(draft({ version: 0 })).result;
    pass(1);
    const read = (config: object) => rpc('getTransaction', name, { commitment: 'confirmed', ...config });
    expect(read({}).error.code).toBe(-32015);
    expect(read({ maxSupportedTransactionVersion: 0 }).result.version).toBe(0);
    expect(read({ commitment: 'processed' }).error.code).toBe(-32602);
    expect(rpc('getTransaction', name, { maxSupportedTransactionVersion: 0 }).result).toBeNull();
  });

  it('takes the encoding alone, as older clients give it', () => {
    const name = airdrop(ada.address, 5);
    pass(32);
    const parsed = rpc('getTransaction', name, 'jsonParsed').result.transaction.message.instructions[0];
    expect(parsed.parsed).toMatchObject({ type: 'transfer', info: { destination: ada.address, lamports: 5 } });
    expect(rpc('getTransaction', name, 'xml').error.code).toBe(-32602);
  });
});

describe('what the control API and the service wrote', () => {
  const written = (what: 'confirmed' | 'failed' | 'pending' | 'memo'): string => {
    const { ledger } = chain;
    const [from, to] = [accountOf(ledger, ada.address), accountOf(ledger, bob.address)];
    fund(ledger, from, 1_000);
    if (what === 'memo') return memo(ledger, { from, text: 'sigil weather*golden*org', nowMs });
    return transfer(ledger, { from, to, lamports: 300, status: what, nowMs }) ?? expect.fail('refused');
  };

  it.each([
    ['confirmed', null, [1_000, 0, 1], [700, 300, 1]],
    ['failed', { InstructionError: [0, { Custom: 1 }] }, [1_000, 0, 1], [1_000, 0, 1]],
    ['memo', null, [1_000, 1], [1_000, 1]],
  ] as const)('a %s one is there, confirmed at once, without a fee', (what, err, preBalances, postBalances) => {
    const name = written(what);
    expect(status(name)).toMatchObject({ err, confirmationStatus: 'confirmed' });
    const read = (encoding: string) => rpc('getTransaction', name, { commitment: 'confirmed', encoding }).result;
    expect(read('json').meta).toMatchObject({ err, fee: 0, preBalances, postBalances });
    const back = readTransaction(Buffer.from(read('base64').transaction[0], 'base64'));
    expect(back).toMatchObject({ ok: true, transaction: { message: { recentBlockhash: latest() } } });
    expect(base58.encode(Buffer.from(read('base64').transaction[0], 'base64'))).toBe(read('base58').transaction[0]);
    const [instruction] = read('jsonParsed').transaction.message.instructions;
    const info = { source: ada.address, destination: bob.address, lamports: 300 };
    expect(instruction.parsed).toEqual(what === 'memo' ? 'sigil weather*golden*org' : { type: 'transfer', info });
    expect(instruction.programId).toBe(what === 'memo' ? MEMO : SYSTEM);
  });

  it('a pending one is in no block', () => {
    const name = written('pending');
    pass(100);
    expect([status(name), rpc('getTransaction', name).result]).toEqual([null, null]);
    expect(rpc('getSignaturesForAddress', ada.address).result).toEqual([]);
  });

  it('a payment to oneself moves nothing', () => {
    const account = accountOf(chain.ledger, ada.address);
    fund(chain.ledger, account, 9);
    const name = transfer(chain.ledger, { from: account, to: account, lamports: 4, status: 'confirmed', nowMs }) ?? '';
    pass(32);
    expect(rpc('getTransaction', name).result.meta).toMatchObject({ preBalances: [9, 1], postBalances: [9, 1] });
  });
});

describe('accounts', () => {
  it.each([
    [undefined, ['', 'base58']],
    ['base64', ['', 'base64']],
    ['jsonParsed', ['', 'base64']],
    ['base64+zstd', ['KLUv/QBYAQAA', 'base64+zstd']],
  ])('as %s', (encoding, data) => {
    airdrop(ada.address, 5);
    const config = { commitment: 'processed', ...(encoding === undefined ? {} : { encoding }) };
    expect(rpc('getAccountInfo', ada.address, config).result.value).toEqual({
      lamports: 5,
      owner: SYSTEM,
      data,
      executable: false,
      rentEpoch: 0,
      space: 0,
    });
  });

  it('are nothing when they hold nothing, and programs are programs', () => {
    expect(rpc('getAccountInfo', bob.address).result.value).toBeNull();
    expect(balance(bob.address)).toBe(0);
    expect(rpc('getAccountInfo', MEMO).result.value).toMatchObject({ executable: true });
    expect(chain.ledger.accounts).toBe(0);
  });

  it('an airdrop gives up to 1,000 SOL, while there is money', () => {
    expect(rpc('requestAirdrop', ada.address, 1_000_000_000_001).error.code).toBe(-32602);
    expect(rpc('requestAirdrop', 'nobody', 5).error.code).toBe(-32602);
    fund(chain.ledger, accountOf(chain.ledger, bob.address), Number.MAX_SAFE_INTEGER - 10);
    expect(rpc('requestAirdrop', ada.address, 11).error.code).toBe(-32602);
    expect(rpc('requestAirdrop', ada.address, 10).result).toEqual(expect.any(String));
  });
});

describe('the same calls at the same times', () => {
  const session = (): string => {
    const told: unknown[] = [airdrop(ada.address), latest()];
    const wire = draft({ calls: [transferCall(ada.address, bob.address, 5), memoCall('x')] });
    told.push(
      send(wire),
      pass(2),
      send(draft({ calls: [transferCall(ada.address, bob.address, 2e9)] }), { skipPreflight: true }),
    );
    pass(40);
    told.push(rpc('getTransaction', nameOf(wire)), rpc('getSignaturesForAddress', ada.address), rpc('getGenesisHash'));
    return JSON.stringify(told);
  };

  it('get the same answers from the same seed, and others from another', () => {
    const first = session();
    chain = fresh();
    expect(session()).toBe(first);
    chain = fresh(8);
    expect(session()).not.toBe(first);
  });

  it('replayed from what was written, lead to the same ledger', () => {
    session();
    const [first, kept] = [chain, writes];
    chain = fresh();
    for (const { write, at } of kept) replayWrite(chain, write, at);
    expect(kept).toHaveLength(3);
    expect(chain.ledger).toEqual(first.ledger);
  });
});

describe('whatever comes', () => {
  it('bytes of a good transaction changed, cut or added: an answer, and no lamport is lost', () => {
    airdrop(ada.address);
    const good = draft({ version: 0, calls: [transferCall(ada.address, bob.address, 1_000), memoCall('hello')] });
    const change = fc.array(fc.tuple(fc.nat(good.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(change, fc.nat(good.length), fc.uint8Array({ maxLength: 8 }), (changes, cut, more) => {
        const bytes = Buffer.from(good);
        for (const [at, byte] of changes) bytes[at] = byte;
        const wire = Buffer.concat([cut % 3 === 0 ? bytes.subarray(0, cut) : bytes, more]);
        for (const method of ['sendTransaction', 'simulateTransaction']) {
          expect(rpc(method, sentAs(wire), { encoding: 'base64' })).toMatchObject({ jsonrpc: '2.0', id: 1 });
        }
        expect(totalLamports(chain.ledger)).toBe(chain.ledger.mintedLamports);
      }),
      { numRuns: 300 },
    );
  });

  it('any JSON as parameters of any method: a result or an error', () => {
    const methods = [
      'getHealth',
      'getVersion',
      'getGenesisHash',
      'getSlot',
      'getBlockHeight',
      'getBlockTime',
      'getLatestBlockhash',
      'isBlockhashValid',
      'getBalance',
      'getAccountInfo',
      'getMinimumBalanceForRentExemption',
      'getFeeForMessage',
      'requestAirdrop',
      'sendTransaction',
      'simulateTransaction',
      'getSignatureStatuses',
      'getSignaturesForAddress',
      'getTransaction',
      'aipsAdvanceClock',
    ];
    fc.assert(
      fc.property(fc.constantFrom(...methods), fc.array(fc.jsonValue(), { maxLength: 3 }), (method, params) => {
        const told = rpc(method, ...params);
        expect('result' in told || [-32601, -32602, -32004].includes(told.error.code)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});
