import { createPublicKey, verify } from 'node:crypto';
import { ED25519_TORSION_SUBGROUP, ed25519 } from '@noble/curves/ed25519.js';
import { sha512 } from '@noble/hashes/sha2.js';
import { base58 } from '@scure/base';
import { beforeEach, describe, expect, it } from 'vitest';
import { ada, bob, LedgerNode } from '../../test/fixtures/ledger-node.js';
import { COMPUTE_BUDGET, keyOf, memoCall, nameOf, SYSTEM, sentAs, transferCall } from '../../test/fixtures/solana.js';

function budgetCall(kind: number, ...bytes: number[]) {
  return { program: COMPUTE_BUDGET, accounts: [], data: Buffer.from([kind, ...bytes]) };
}
const u32 = (value: number): number[] => [...new Uint8Array(Uint32Array.of(value).buffer)];
const heapFrame = (bytes: number) => budgetCall(1, ...u32(bytes));
const unitLimit = (units: number) => budgetCall(2, ...u32(units));
const unitPrice = (price: bigint) => budgetCall(3, ...new Uint8Array(BigUint64Array.of(price).buffer));
const loadedLimit = (bytes: number) => budgetCall(4, ...u32(bytes));

let node: LedgerNode;
beforeEach(() => {
  node = new LedgerNode();
});

describe('a signature that node:crypto takes and Solana does not', () => {
  const IDENTITY = Buffer.from(`01${'00'.repeat(31)}`, 'hex');
  const nullSignature = Buffer.concat([IDENTITY, Buffer.alloc(32)]);

  /** Signed with the scalar of a key of full order: R is of small order, so S is the challenge times the scalar. */
  function smallR(message: Uint8Array): Uint8Array {
    const own = ed25519.utils.getExtendedPublicKey(new Uint8Array(32).fill(3));
    const hash = sha512(Buffer.concat([IDENTITY, own.pointBytes, message]));
    const challenge = BigInt(`0x${Buffer.from(hash).reverse().toString('hex')}`);
    const s = ed25519.Point.Fn.toBytes(ed25519.Point.Fn.create(challenge * own.scalar));
    return Buffer.concat([IDENTITY, s]);
  }

  const keyBytes = (hex: string): string => base58.encode(Buffer.from(hex, 'hex'));
  const P_PLUS_1 = `ee${'ff'.repeat(30)}7f`;
  it.each([
    ['of the key of 32 zero bytes', SYSTEM, () => nullSignature],
    ['of the identity', keyBytes(IDENTITY.toString('hex')), () => nullSignature],
    ['of the identity with a sign', keyBytes(`01${'00'.repeat(30)}80`), () => nullSignature],
    ['of the identity, not canonical', keyBytes(P_PLUS_1), () => nullSignature],
    ['of a key of order 8', keyBytes(ED25519_TORSION_SUBGROUP[1] ?? ''), () => nullSignature],
    ['of its own key, with the identity as R', keyOf(3).address, smallR],
  ])('%s is refused', (_, address, sign) => {
    node.airdrop(address);
    let forged = 0;
    for (let i = 0; i < 64; i++) {
      const wire = node.draft({ signers: [{ address, sign }], calls: [memoCall(`${i}`)] });
      const x = Buffer.from(base58.decode(address)).toString('base64url');
      const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
      if (verify(null, wire.subarray(65), key, wire.subarray(1, 65))) forged += 1;
      expect(node.send(wire).error).toEqual({ code: -32003, message: 'Transaction signature verification failure' });
    }
    expect(forged).toBeGreaterThan(0);
    expect(node.writes.filter(({ write }) => write.name === 'sendTransaction')).toEqual([]);
  });
});

describe('sendTransaction', () => {
  beforeEach(() => {
    node.airdrop(ada.address);
  });

  const stranger = keyOf(9).address;
  /** None of them changes the ledger. */
  const refusals: readonly (readonly [what: string, wire: () => Uint8Array, code: number, err?: unknown])[] = [
    ['a forged signature', () => node.draft().map((byte, i) => (i === 9 ? byte ^ 1 : byte)), -32003],
    ['a changed amount', () => node.draft().map((byte, i, all) => (i === all.length - 8 ? byte ^ 1 : byte)), -32003],
    ['an unknown block hash', () => node.draft({ blockhash: bob.address }), -32002, 'BlockhashNotFound'],
    [
      'a payer who never had money',
      () => node.draft({ signers: [bob], calls: [memoCall('x')] }),
      -32002,
      'AccountNotFound',
    ],
    [
      'more than there is',
      () => node.draft({ calls: [transferCall(ada.address, bob.address, 999_995_001)] }),
      -32002,
      { InstructionError: [0, { Custom: 1 }] },
    ],
    [
      'more than there can be',
      () => node.draft({ calls: [transferCall(ada.address, bob.address, 2n ** 64n - 1n)] }),
      -32002,
      { InstructionError: [0, { Custom: 1 }] },
    ],
    [
      "somebody else's money",
      () => node.draft({ calls: [transferCall(bob.address, ada.address, 0)] }),
      -32002,
      { InstructionError: [0, 'MissingRequiredSignature'] },
    ],
    [
      'a payee that is read only',
      () => node.draft({ readonly: [bob.address] }),
      -32002,
      { InstructionError: [0, 'ReadonlyLamportChange'] },
    ],
    [
      'a payee that is a program',
      () => node.draft({ calls: [transferCall(ada.address, SYSTEM, 5)] }),
      -32002,
      { InstructionError: [0, 'ReadonlyLamportChange'] },
    ],
    [
      'a transfer to nobody',
      () => node.draft({ calls: [{ ...transferCall(ada.address, bob.address, 5), accounts: [ada.address] }] }),
      -32002,
      { InstructionError: [0, 'NotEnoughAccountKeys'] },
    ],
    [
      'another instruction of the system program',
      () => node.draft({ calls: [{ program: SYSTEM, accounts: [ada.address, bob.address], data: Buffer.alloc(52) }] }),
      -32002,
      { InstructionError: [0, 'InvalidInstructionData'] },
    ],
    [
      'another program',
      () => node.draft({ calls: [{ program: stranger, accounts: [], data: Buffer.alloc(0) }] }),
      -32002,
      'ProgramAccountNotFound',
    ],
    [
      'a memo that is no text',
      () => node.draft({ calls: [memoCall(Buffer.from([0xff]))] }),
      -32002,
      { InstructionError: [0, 'InvalidInstructionData'] },
    ],
    [
      'a memo of one who has not signed',
      () => node.draft({ calls: [memoCall('x', bob.address)] }),
      -32002,
      { InstructionError: [0, 'MissingRequiredSignature'] },
    ],
    [
      'a second instruction that fails',
      () =>
        node.draft({ calls: [transferCall(ada.address, bob.address, 1), transferCall(bob.address, ada.address, 1)] }),
      -32002,
      { InstructionError: [1, 'MissingRequiredSignature'] },
    ],
    [
      'a look-up in an address table',
      () => node.draft({ version: 0, lookups: [1, ...base58.decode(stranger), 1, 0, 0] }),
      -32002,
      'AddressLookupTableNotFound',
    ],
    ['a message of version 1', () => node.draft({ version: 1 }), -32602],
    ['a signature too few', () => Buffer.concat([Buffer.from([0]), node.draft().subarray(65)]), -32013],
    ['half a transaction', () => node.draft().subarray(0, 100), -32602],
    ['a length in a longer form', () => Buffer.concat([Buffer.from([0x81, 0]), node.draft().subarray(1)]), -32602],
    ['nothing', () => Buffer.alloc(0), -32602],
    [
      'more than a packet',
      () => node.draft({ calls: Array.from({ length: 12 }, () => memoCall('x'.repeat(100))) }),
      -32602,
    ],
  ];

  it.each(refusals.map(([what, make, code, err]) => ({ what, make, code, err })))(
    'refuses $what',
    ({ make, code, err }) => {
      node.pass(3);
      const wire = make();
      const { error } = node.send(wire);
      expect(error).toMatchObject(err === undefined ? { code } : { code, data: { err, accounts: null } });
      expect(error.message).toEqual(expect.stringMatching(/^.{10,}$/));
      expect([node.balance(ada.address), node.balance(bob.address)]).toEqual([1_000_000_000, 0]);
      expect(node.writes).toHaveLength(1);
      expect(node.chain.ledger.transactions.size).toBe(1);
    },
  );

  it('takes base58 unasked, and what follows a transaction is left out', () => {
    const wire = node.draft({ version: 0 });
    expect(node.rpc('sendTransaction', base58.encode(Buffer.concat([wire, Buffer.from('more')]))).result).toBe(
      nameOf(wire),
    );
    expect(node.balance(bob.address)).toBe(700);
    node.pass(1);
    const read = node.rpc('getTransaction', nameOf(wire), {
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
  ])('refuses a transaction in invalid %s', (encoding, text) => {
    expect(node.rpc('sendTransaction', text, { encoding }).error.code).toBe(-32602);
  });

  it('runs a transaction once: again it is refused, and past the preflight it is named and does nothing', () => {
    const wire = node.draft();
    const first = node.send(wire);
    expect(node.send(wire).error).toMatchObject({ code: -32002, data: { err: 'AlreadyProcessed' } });
    expect(node.send(wire, { skipPreflight: true })).toEqual(first);
    expect([node.balance(ada.address), node.balance(bob.address)]).toEqual([999_994_300, 700]);
    expect(node.writes).toHaveLength(2);
  });

  it('past the preflight a failing transaction lands, costs its fee, and moves nothing', () => {
    const calls = [transferCall(ada.address, bob.address, 5), transferCall(ada.address, bob.address, 2_000_000_000)];
    const wire = node.draft({ calls: [...calls, memoCall('unseen')] });
    expect(node.send(wire, { skipPreflight: true }).result).toBe(nameOf(wire));
    expect([node.balance(ada.address), node.balance(bob.address)]).toEqual([999_995_000, 0]);
    node.pass(1);
    expect(node.status(nameOf(wire)).err).toEqual({ InstructionError: [1, { Custom: 1 }] });
    const { meta } = node.rpc('getTransaction', nameOf(wire), { commitment: 'confirmed' }).result;
    expect(meta).toMatchObject({ fee: 5_000, status: { Err: { InstructionError: [1, { Custom: 1 }] } } });
    expect(meta.logMessages).toContain('Transfer: insufficient lamports 999994995, need 2000000000');
  });

  it('past the preflight what no block takes is named and forgotten', () => {
    const wire = node.draft({ blockhash: bob.address });
    expect(node.send(wire, { skipPreflight: true }).result).toBe(nameOf(wire));
    expect(node.status(nameOf(wire))).toBeNull();
    expect(node.writes).toHaveLength(1);
  });

  it('charges the first signer 5,000 lamports a signature, and what a compute budget offers', () => {
    node.airdrop(bob.address, 10_000);
    const calls = [
      unitPrice(150n),
      unitLimit(10_000),
      transferCall(bob.address, ada.address, 10_000),
      memoCall('both', ada.address, bob.address),
    ];
    const wire = node.draft({ signers: [ada, bob], calls });
    const message = sentAs(wire.subarray(1 + 2 * 64));
    expect(node.rpc('getFeeForMessage', message, { commitment: 'processed' }).result.value).toBe(10_002);
    node.send(wire);
    expect([node.balance(ada.address), node.balance(bob.address)]).toEqual([1_000_000_000 + 10_000 - 10_002, 0]);
    node.pass(151);
    expect(node.rpc('getFeeForMessage', message).result.value).toBeNull();
    expect(node.rpc('getFeeForMessage', 'AQ==').error.code).toBe(-32602);
  });

  const invalid = (index: number) => ({ InstructionError: [index, 'InvalidInstructionData'] });
  it.each([
    ['two prices', [unitPrice(1n), unitPrice(1n)], { DuplicateInstruction: 1 }],
    ['two limits of units', [unitLimit(1_000), unitPrice(1n), unitLimit(2_000)], { DuplicateInstruction: 2 }],
    ['two limits of loaded data', [loadedLimit(5_000), loadedLimit(0)], { DuplicateInstruction: 1 }],
    ['two heap frames', [heapFrame(32_768), heapFrame(1)], { DuplicateInstruction: 1 }],
    ['a heap frame of a byte', [heapFrame(1)], invalid(0)],
    ['a heap frame below 32 KiB', [unitPrice(1n), heapFrame(31_744)], invalid(1)],
    ['a heap frame above 256 KiB', [heapFrame(263_168)], invalid(0)],
    ['a heap frame of no whole KiB', [heapFrame(33_000)], invalid(0)],
    ['no loaded data', [loadedLimit(0)], 'InvalidLoadedAccountsDataSizeLimit'],
    ['the withdrawn request of units', [budgetCall(0, ...u32(1), ...u32(1))], invalid(0)],
    ['an unknown kind', [budgetCall(5, ...u32(1))], invalid(0)],
    ['a price that is cut off', [budgetCall(3, 1, 0, 0)], invalid(0)],
    ['no data', [{ program: COMPUTE_BUDGET, accounts: [], data: Buffer.alloc(0) }], invalid(0)],
    ['a price beyond the balance', [unitLimit(1_400_000), unitPrice(2n ** 64n - 1n)], 'InsufficientFundsForFee'],
  ])('no block takes a compute budget with %s', (_, calls, err) => {
    const wire = node.draft({ calls: [...calls, transferCall(ada.address, bob.address, 700)] });
    expect(node.send(wire).error).toMatchObject({ code: -32002, data: { err, logs: [], unitsConsumed: 0 } });
    node.send(wire, { skipPreflight: true });
    expect([node.status(nameOf(wire)), node.balance(ada.address)]).toEqual([null, 1_000_000_000]);
  });

  it.each([
    ['the limits of a heap frame', [heapFrame(32_768)], null, 300],
    ['more units than a transaction can have', [heapFrame(262_144), unitLimit(4_294_967_295)], null, 450],
    ['bytes behind the number', [budgetCall(2, ...u32(300), 7)], null, 300],
    ['no units', [unitLimit(0)], { InstructionError: [0, 'ComputationalBudgetExceeded'] }, 0],
    ['a unit too few', [unitLimit(299)], { InstructionError: [1, 'ComputationalBudgetExceeded'] }, 299],
    [
      'a memo beyond the limit',
      [unitLimit(1_000), memoCall('x')],
      { InstructionError: [1, 'ProgramFailedToComplete'] },
      1_000,
    ],
    [
      'a 65th instruction',
      Array<ReturnType<typeof memoCall>>(64).fill(memoCall('')),
      { InstructionError: [64, 'MaxInstructionTraceLengthExceeded'] },
      320_000,
    ],
  ])('a block takes %s, and the fee', (_, calls, err, units) => {
    const wire = node.draft({ calls: [...calls, transferCall(ada.address, bob.address, 700)] });
    node.send(wire, { skipPreflight: true });
    expect(node.status(nameOf(wire)).err).toEqual(err);
    expect([node.balance(ada.address), node.balance(bob.address)]).toEqual(
      err === null ? [999_994_300, 700] : [999_995_000, 0],
    );
    node.pass(1);
    const { meta } = node.rpc('getTransaction', nameOf(wire), { commitment: 'confirmed' }).result;
    expect(meta.computeUnitsConsumed).toBe(units);
  });

  it('cannot pay the fee with what it receives', () => {
    node.airdrop(bob.address, 4_999);
    const calls = [transferCall(ada.address, bob.address, 50_000)];
    expect(node.send(node.draft({ signers: [bob, ada], calls })).error.data.err).toBe('InsufficientFundsForFee');
  });
});

describe('a ledger that is full', () => {
  it('refuses transactions and airdrops, and reads on', () => {
    node.airdrop(ada.address);
    const wire = node.draft();
    node.keptBytesMax = node.chain.ledger.transactions.rpcBytes + 1;
    expect(node.send(wire).result).toBe(nameOf(wire));
    const error = { code: -32005, message: expect.stringContaining('The ledger is full') };
    expect(node.send(node.draft({ calls: [memoCall('x')] })).error).toEqual(error);
    expect(node.rpc('requestAirdrop', ada.address, 1).error).toEqual(error);
    expect(node.writes).toHaveLength(2);
    expect(node.status(nameOf(wire))).toMatchObject({ err: null });
  });
});

describe('simulateTransaction', () => {
  beforeEach(() => {
    node.airdrop(ada.address);
  });
  const simulate = (wire: Uint8Array, config: object = {}) =>
    node.rpc('simulateTransaction', sentAs(wire), { encoding: 'base64', ...config });

  it('returns what would happen, and nothing happens', () => {
    const accounts = { addresses: [bob.address, ada.address], encoding: 'base64' };
    const { value } = simulate(node.draft(), { accounts, sigVerify: true }).result;
    expect(value).toMatchObject({
      err: null,
      unitsConsumed: 150,
      accounts: [{ lamports: 700 }, { lamports: 999_994_300 }],
    });
    expect(value.logs).toEqual([`Program ${SYSTEM} invoke [1]`, `Program ${SYSTEM} success`]);
    expect([node.balance(ada.address), node.balance(bob.address), node.writes.length]).toEqual([1_000_000_000, 0, 1]);
  });

  it('a failure is an answer, not an error', () => {
    const wire = node.draft({ calls: [transferCall(ada.address, bob.address, 2_000_000_000)] });
    expect(simulate(wire).result.value).toMatchObject({ err: { InstructionError: [0, { Custom: 1 }] } });
    expect(simulate(node.draft({ blockhash: bob.address })).result.value).toMatchObject({
      err: 'BlockhashNotFound',
      logs: [],
    });
  });

  it('replaces the block hash, or verifies the signatures, but not both', () => {
    const old = node.draft({ blockhash: bob.address });
    const { value } = simulate(old, { replaceRecentBlockhash: true, commitment: 'processed' }).result;
    expect(value).toMatchObject({
      err: null,
      replacementBlockhash: { blockhash: node.latest(), lastValidBlockHeight: 150 },
    });
    expect(simulate(old, { replaceRecentBlockhash: true, sigVerify: true }).error.code).toBe(-32602);
    const forged = node.draft().map((byte, i) => (i === 9 ? byte ^ 1 : byte));
    expect(simulate(forged, { sigVerify: true }).error.code).toBe(-32003);
    expect(simulate(forged).result.value.err).toBeNull();
  });
});
