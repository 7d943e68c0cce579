import {
  AccountRole,
  address,
  airdropFactory,
  appendTransactionMessageInstructions,
  assertIsSendableTransaction,
  createSolanaRpc,
  createSolanaRpcSubscriptions,
  createTransactionMessage,
  generateKeyPairSigner,
  getBase64EncodedWireTransaction,
  getSignatureFromTransaction,
  type Instruction,
  isSolanaError,
  lamports,
  pipe,
  type Signature,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE,
  sendAndConfirmTransactionFactory,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
  type TransactionSigner,
} from '@solana/kit';
import {
  ComputeBudgetProgram,
  Connection,
  Keypair,
  PublicKey,
  SendTransactionError,
  SystemProgram,
  sendAndConfirmTransaction,
  Transaction,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runningClock } from '../request/clock.js';
import { type RunningLedger, startLedger } from './ledger-server.js';

/** The programs and constants of the chain, as its own documentation gives them. */
const SYSTEM = '11111111111111111111111111111111';
const MEMO = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr';
const SOL = 1_000_000_000;

let ledger: RunningLedger;
beforeAll(async () => {
  // A slot lasts 40 ms of real time, and a blockhash is good for 6 s.
  ledger = await startLedger({ seed: 3, clock: runningClock(1_767_225_600_000, 10), bind: '127.0.0.1', port: 0 });
});
afterAll(() => ledger.close());

async function until<T>(ask: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const found = await ask();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

describe('@solana/kit', () => {
  const client = () => createSolanaRpc(ledger.rpcUrl as 'http://localhost');

  const confirmed = (signature: Signature) =>
    until(async () => {
      const { value } = await client().getSignatureStatuses([signature]).send();
      return value[0]?.confirmationStatus === 'processed' ? undefined : (value[0] ?? undefined);
    });

  const transferOf = (from: TransactionSigner, to: string, amount: bigint): Instruction => {
    const data = new Uint8Array(12);
    const view = new DataView(data.buffer);
    view.setUint32(0, 2, true);
    view.setBigUint64(4, amount, true);
    const accounts = [
      { address: from.address, role: AccountRole.WRITABLE_SIGNER, signer: from },
      { address: address(to), role: AccountRole.WRITABLE },
    ];
    return { programAddress: address(SYSTEM), accounts, data } as Instruction;
  };
  const memoOf = (text: string): Instruction => ({
    programAddress: address(MEMO),
    data: new TextEncoder().encode(text),
  });

  const signed = async (version: 0 | 'legacy', payer: TransactionSigner, instructions: Instruction[]) => {
    const { value } = await client().getLatestBlockhash({ commitment: 'confirmed' }).send();
    return signTransactionMessageWithSigners(
      pipe(
        createTransactionMessage({ version: version as 0 }),
        (message) => setTransactionMessageFeePayerSigner(payer, message),
        (message) => setTransactionMessageLifetimeUsingBlockhash(value, message),
        (message) => appendTransactionMessageInstructions(instructions, message),
      ),
    );
  };

  const funded = async (): Promise<TransactionSigner> => {
    const payer = await generateKeyPairSigner();
    const given = await client()
      .requestAirdrop(payer.address, lamports(BigInt(SOL)))
      .send();
    await confirmed(given);
    expect((await client().getBalance(payer.address, { commitment: 'confirmed' }).send()).value).toBe(1_000_000_000n);
    return payer;
  };

  it.each([0, 'legacy'] as const)(
    'version %s: funds a wallet, transfers with a memo, confirms by polling, reads it back',
    async (version) => {
      const payer = await funded();
      const payee = (await generateKeyPairSigner()).address;
      const transaction = await signed(version, payer, [transferOf(payer, payee, 500_000n), memoOf('heartbeat 1')]);
      const wire = getBase64EncodedWireTransaction(transaction);
      const rehearsed = await client().simulateTransaction(wire, { encoding: 'base64', sigVerify: true }).send();
      expect(rehearsed.value.err).toBeNull();
      const signature = await client()
        .sendTransaction(wire, { encoding: 'base64', preflightCommitment: 'confirmed' })
        .send();
      expect(signature).toBe(getSignatureFromTransaction(transaction));
      expect(await confirmed(signature)).toMatchObject({ err: null });

      const options = { commitment: 'confirmed', maxSupportedTransactionVersion: 0 } as const;
      const read = await client()
        .getTransaction(signature, { ...options, encoding: 'jsonParsed' })
        .send();
      expect(String(read?.version)).toBe(String(version));
      expect(read?.meta?.fee).toBe(5_000n);
      expect(read?.transaction.message.instructions).toMatchObject([
        {
          program: 'system',
          parsed: { type: 'transfer', info: { source: payer.address, destination: payee, lamports: 500_000n } },
        },
        { program: 'spl-memo', parsed: 'heartbeat 1' },
      ]);
      const raw = await client()
        .getTransaction(signature, { ...options, encoding: 'base64' })
        .send();
      expect(raw?.transaction).toEqual([wire, 'base64']);
      const plain = await client()
        .getTransaction(signature, { ...options, encoding: 'json' })
        .send();
      expect(plain?.meta?.postBalances[0]).toBe(999_495_000n);
      expect((await client().getBalance(payee, { commitment: 'confirmed' }).send()).value).toBe(500_000n);
      const listed = await client().getSignaturesForAddress(payee, { commitment: 'confirmed' }).send();
      expect(listed).toMatchObject([{ signature, memo: '[11] heartbeat 1', err: null }]);
    },
  );

  it('refuses transactions with errors that the client knows', async () => {
    const payer = await funded();
    const transaction = await signed(0, payer, [transferOf(payer, MEMO, BigInt(2 * SOL))]);
    const error = await client()
      .sendTransaction(getBase64EncodedWireTransaction(transaction), { encoding: 'base64' })
      .send()
      .catch((thrown: unknown) => thrown);
    expect(isSolanaError(error, SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE)).toBe(true);
    expect(String((error as Error).message)).toContain('simulation');
    expect(((error as Error).cause as Error).message).toBe('Custom program error: #1 (instruction #1)');
  });

  it('reads the chain', async () => {
    const rpc = client();
    expect(await rpc.getHealth().send()).toBe('ok');
    const [version, genesis, slot, height, rent] = await Promise.all([
      rpc.getVersion().send(),
      rpc.getGenesisHash().send(),
      rpc.getSlot({ commitment: 'confirmed' }).send(),
      rpc.getBlockHeight({ commitment: 'processed' }).send(),
      rpc.getMinimumBalanceForRentExemption(0n).send(),
    ]);
    expect(version['solana-core']).toMatch(/^\d+\.\d+\.\d+$/);
    expect(String(genesis)).toMatch(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/);
    expect(height).toBeGreaterThanOrEqual(slot);
    expect(rent).toBe(890_880n);
    expect(await rpc.getBlockTime(0n).send()).toBe(1_767_225_600n);
    const { value } = await rpc.getLatestBlockhash().send();
    expect((await rpc.isBlockhashValid(value.blockhash, { commitment: 'processed' }).send()).value).toBe(true);
    const account = await rpc
      .getAccountInfo((await funded()).address, { encoding: 'base64', commitment: 'confirmed' })
      .send();
    expect(account.value).toMatchObject({
      lamports: 1_000_000_000n,
      owner: SYSTEM,
      executable: false,
      data: ['', 'base64'],
    });
  });
});

describe('subscriptions', () => {
  it('end what waits for a confirmation: @solana/kit', async () => {
    const rpc = createSolanaRpc(ledger.rpcUrl as 'http://localhost');
    const rpcSubscriptions = createSolanaRpcSubscriptions(ledger.wsUrl as 'ws://localhost');
    const payer = await generateKeyPairSigner();
    const airdrop = airdropFactory({ rpc, rpcSubscriptions } as unknown as Parameters<typeof airdropFactory>[0]);
    const amount = lamports(BigInt(SOL));
    await airdrop({ commitment: 'confirmed', recipientAddress: payer.address, lamports: amount });
    const { value: latest } = await rpc.getLatestBlockhash({ commitment: 'confirmed' }).send();
    const memo: Instruction = { programAddress: address(MEMO), accounts: [], data: Buffer.from('kit') };
    const message = pipe(
      createTransactionMessage({ version: 0 }),
      (made) => setTransactionMessageFeePayerSigner(payer, made),
      (made) => setTransactionMessageLifetimeUsingBlockhash(latest, made),
      (made) => appendTransactionMessageInstructions([memo], made),
    );
    const transaction = await signTransactionMessageWithSigners(message);
    assertIsSendableTransaction(transaction);
    const send = sendAndConfirmTransactionFactory({ rpc, rpcSubscriptions } as unknown as Parameters<
      typeof sendAndConfirmTransactionFactory
    >[0]);
    await send(transaction as Parameters<typeof send>[0], { commitment: 'confirmed' });
    const { value } = await rpc.getSignatureStatuses([getSignatureFromTransaction(transaction)]).send();
    expect(value).toMatchObject([{ confirmationStatus: 'confirmed', err: null }]);
  });

  it.each(['confirmed', 'finalized'] as const)('end what waits for %s: @solana/web3.js', async (commitment) => {
    const connection = new Connection(ledger.rpcUrl, commitment);
    const payer = Keypair.generate();
    const latest = await connection.getLatestBlockhash();
    const given = await connection.requestAirdrop(payer.publicKey, SOL);
    expect((await connection.confirmTransaction({ signature: given, ...latest })).value).toMatchObject({
      err: null,
    });
    const transfer = SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: payer.publicKey, lamports: 1 });
    const price = ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 5 });
    const signature = await sendAndConfirmTransaction(connection, new Transaction().add(price, transfer), [payer]);
    expect((await connection.getSignatureStatus(signature)).value).toMatchObject({ confirmationStatus: commitment });
  });
});

describe('@solana/web3.js', () => {
  const connection = () => new Connection(ledger.rpcUrl, 'confirmed');

  const confirmed = (signature: string) =>
    until(async () => {
      const { value } = await connection().getSignatureStatus(signature);
      return value?.confirmationStatus === 'processed' ? undefined : (value ?? undefined);
    });

  const funded = async (): Promise<Keypair> => {
    const payer = Keypair.generate();
    await confirmed(await connection().requestAirdrop(payer.publicKey, SOL));
    expect(await connection().getBalance(payer.publicKey)).toBe(1_000_000_000);
    return payer;
  };

  const instructions = (payer: Keypair, payee: PublicKey, amount: number, text: string) => [
    SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: payee, lamports: amount }),
    new TransactionInstruction({
      programId: new PublicKey(MEMO),
      keys: [{ pubkey: payer.publicKey, isSigner: true, isWritable: false }],
      data: Buffer.from(text),
    }),
  ];

  it('legacy: funds a wallet, transfers with a memo, confirms by polling, reads it back', async () => {
    const payer = await funded();
    const payee = Keypair.generate().publicKey;
    const transaction = new Transaction().add(...instructions(payer, payee, 200_000, 'reissue'));
    const { blockhash, lastValidBlockHeight } = await connection().getLatestBlockhash();
    Object.assign(transaction, { recentBlockhash: blockhash, lastValidBlockHeight, feePayer: payer.publicKey });
    expect((await connection().getFeeForMessage(transaction.compileMessage())).value).toBe(5_000);
    transaction.sign(payer);
    const signature = await connection().sendRawTransaction(transaction.serialize());
    expect(await confirmed(signature)).toMatchObject({ err: null });
    const read = await connection().getTransaction(signature, { maxSupportedTransactionVersion: 0 });
    expect(read).toMatchObject({ version: 'legacy', meta: { fee: 5_000, err: null, preBalances: [SOL, 0, 1, 1] } });
    const parsed = await connection().getParsedTransaction(signature, { maxSupportedTransactionVersion: 0 });
    expect(parsed?.transaction.message.instructions).toMatchObject([
      { program: 'system', parsed: { type: 'transfer', info: { destination: payee.toBase58(), lamports: 200_000 } } },
      { program: 'spl-memo', parsed: 'reissue' },
    ]);
    expect(await connection().getSignaturesForAddress(payee)).toMatchObject([{ signature, memo: '[7] reissue' }]);
    expect(await connection().getAccountInfo(payee)).toMatchObject({ lamports: 200_000, executable: false });
  });

  it('version 0: sends, and reads back only with maxSupportedTransactionVersion', async () => {
    const payer = await funded();
    const payee = Keypair.generate().publicKey;
    const { blockhash: recentBlockhash } = await connection().getLatestBlockhash();
    const made = instructions(payer, payee, 1_000_000, 'v0');
    const message = new TransactionMessage({ payerKey: payer.publicKey, recentBlockhash, instructions: made });
    const transaction = new VersionedTransaction(message.compileToV0Message());
    transaction.sign([payer]);
    const rehearsed = await connection().simulateTransaction(transaction);
    expect(rehearsed.value).toMatchObject({ err: null });
    const signature = await connection().sendTransaction(transaction);
    await confirmed(signature);
    await expect(connection().getTransaction(signature, {} as never)).rejects.toThrow('maxSupportedTransactionVersion');
    const read = await connection().getTransaction(signature, { maxSupportedTransactionVersion: 0 });
    expect(read).toMatchObject({ version: 0, meta: { postBalances: [998_995_000, 1_000_000, 1, 1] } });
  });

  it('is refused what the wallet cannot pay, with logs', async () => {
    const payer = await funded();
    const transaction = new Transaction().add(...instructions(payer, Keypair.generate().publicKey, 2 * SOL, 'x'));
    const error = await connection()
      .sendTransaction(transaction, [payer])
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(SendTransactionError);
    expect((error as SendTransactionError).logs).toContain(
      `Transfer: insufficient lamports 999995000, need 2000000000`,
    );
  });
});
