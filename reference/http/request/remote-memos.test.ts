import { createPrivateKey, sign } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { dialects } from '../../../spec/dialect.js';
import { Deployment } from '../../../test/fixtures/http.js';
import { signingKey } from '../../beats/signing.js';
import { accountOf, fund } from '../../ledger/ledger.js';
import { type FeePayer, remoteMemos } from './remote-memos.js';

const seed = Buffer.alloc(32, 77);
const pkcs8 = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]);
const payer: FeePayer = {
  address: signingKey(seed).publicKeyBase58,
  signBytes: (bytes) => sign(null, bytes, createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' })),
};
const paymentAddress = signingKey(new Uint8Array(32).fill(78)).publicKeyBase58;

/** The other ledger: the JSON-RPC of a service of its own, whose clock the tests move. */
let chain: Deployment;
let deployment: Deployment;

async function serve(withPayer: boolean): Promise<Deployment> {
  const remote = { rpcUrl: chain.running.rpcUrl ?? '', paymentAddress };
  return Deployment.start({
    dialect: dialects.provenonce,
    remote,
    ...(withPayer ? { memos: remoteMemos(remote, payer) } : {}),
  });
}

beforeEach(async () => {
  chain = await Deployment.start({ rpc: true });
  const { ledger } = chain.host.service;
  fund(ledger, accountOf(ledger, payer.address), 1_000_000_000);
});
afterEach(() => Promise.all([chain.close(), deployment.close()]));

/** The memo of a finalized transaction, read as the published beats client reads it. */
const memoOf = (signature: string) =>
  vi.waitFor(
    async () => {
      chain.advance(20_000);
      const found = await chain.rpc('getTransaction', signature, { encoding: 'jsonParsed', commitment: 'finalized' });
      const [instruction] = found.transaction.message.instructions;
      return JSON.parse(instruction.parsed);
    },
    { timeout: 30_000, interval: 50 },
  );

const anchorNow = async () => (await deployment.call('GET beats:/beat/anchor')).body;

describe('memos on another ledger', () => {
  it('are real transactions of the fee payer: a timestamp', async () => {
    deployment = await serve(true);
    const hash = 'ab'.repeat(32);
    const { timestamp, _note } = (await deployment.call('POST beats:/beat/timestamp', { hash })).body;
    expect(_note).toBeUndefined();
    const { anchor_index, anchor_hash, utc } = timestamp;
    expect(await memoOf(timestamp.tx_signature)).toEqual({
      v: 1,
      type: 'timestamp',
      hash,
      anchor_index,
      anchor_hash,
      utc,
    });
    // The memo of an anchor may have come after it.
    const kept = deployment.commands.filter(({ name }) => name === 'beat-timestamp');
    expect(kept).toMatchObject([{ memo: timestamp.tx_signature }]);
  });

  it('an anchor, which is on chain once it has landed', async () => {
    deployment = await serve(true);
    expect((await anchorNow()).on_chain).toMatchObject({ tx_signature: null, anchored: false });
    const { anchor, on_chain } = await vi.waitFor(
      async () => {
        chain.advance(20_000);
        const reply = await anchorNow();
        expect(reply.on_chain.anchored).toBe(true);
        return reply;
      },
      { timeout: 30_000, interval: 50 },
    );
    expect(on_chain.tx_signature).toBe(anchor.tx_signature);
    expect(await memoOf(anchor.tx_signature)).toMatchObject({ type: 'anchor', beat_index: 0, hash: anchor.hash });
    expect(deployment.commands.at(-1)).toMatchObject({ name: 'anchor:memo', body: { index: 0 } });
  });

  it('are of the same signatures when the journal is replayed', async () => {
    deployment = await serve(true);
    const { timestamp } = (await deployment.call('POST beats:/beat/timestamp', { hash: 'cd'.repeat(32) })).body;
    const past = deployment.commands.filter(({ memo }) => memo === timestamp.tx_signature);
    expect(past).toHaveLength(1);
    await deployment.close();
    const remote = { rpcUrl: chain.running.rpcUrl ?? '', paymentAddress };
    deployment = await Deployment.start({ dialect: dialects.provenonce, remote, commands: past });
    expect((await anchorNow()).anchor.beat_index).toBe(0);
  });

  it('are records of the service alone where nobody pays for them, and replies say so', async () => {
    deployment = await serve(false);
    const reply = (await deployment.call('POST beats:/beat/timestamp', { hash: 'ab'.repeat(32) })).body;
    expect(reply.timestamp.tx_signature).toMatch(/^rec_[0-9a-f]{32}$/);
    expect(reply.on_chain.explorer_url).toMatch(/^urn:aips:record:/);
    expect(reply._note).toContain('--fee-payer');
    expect(await anchorNow()).toMatchObject({
      on_chain: { anchored: false },
      _note: expect.stringContaining('--fee-payer'),
    });
  });

  it('are refused while the ledger gives no block hash', async () => {
    const remote = { rpcUrl: 'http://127.0.0.1:1/', paymentAddress };
    deployment = await Deployment.start({ dialect: dialects.provenonce, remote, memos: remoteMemos(remote, payer) });
    const reply = await deployment.call('POST beats:/beat/timestamp', { hash: 'ab'.repeat(32) });
    expect(reply).toMatchObject({ status: 503, body: { code: 'LEDGER_UNAVAILABLE' } });
  });
});
