import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ConformanceResult } from '../../results/conformance-result.js';
import { rpcResult } from '../../test/fixtures/solana.js';
import { startFastLedger, startReferenceHere, targetOf } from '../../test/fixtures/target.js';
import { allChecks } from '../checks/index.js';
import { Wallet } from '../protocol/wallet.js';
import { plan } from '../run/plan.js';
import { conform } from '../run/runner.js';
import type { Budget, Payments, Target } from '../target/target.js';

const SOL = 1_000_000_000;
const payTo = new Wallet(new Uint8Array(32).fill(40)).address;
const purse = new Wallet(new Uint8Array(32).fill(41));

let ledger: Awaited<ReturnType<typeof startFastLedger>>;
let reference: Awaited<ReturnType<typeof startReferenceHere>>;
beforeAll(async () => {
  ledger = await startFastLedger();
  const remote = { rpcUrl: ledger.rpcUrl, paymentAddress: payTo };
  reference = await startReferenceHere(undefined, 'devnet', remote);
  await rpcResult(ledger.rpcUrl, 'requestAirdrop', [purse.address, 500 * SOL]);
});
afterAll(async () => {
  await reference.close();
  await ledger.close();
});

const byRpc = (wallet: Wallet, rpcUrl = ledger.rpcUrl): Payments => ({ kind: 'solana-rpc', rpcUrl, wallet });

let runs = 0;
function judged(payments: Payments, only: readonly string[], budget: Budget = {}): Promise<ConformanceResult> {
  runs += 1;
  const target: Target = { ...targetOf(reference, 'devnet', {}, payments), budget };
  return conform(target, { only, seed: runs, toolVersion: '0.0.0', nowWallMs: Date.now });
}

const reasons = ({ checks }: ConformanceResult): string[] => checks.flatMap((c) => ('reason' in c ? [c.reason] : []));

describe('payments by solana-rpc', () => {
  it('pay what a check buys', async () => {
    const result = await judged(byRpc(purse), ['heartbeat/own-wallet', 'sigil/payment']);
    expect(result.summary).toMatchObject({ pass: 2, fail: 0, advisory: 0, inconclusive: 0, error: 0 });
  });

  it('are judged when the ledger leaves out what is null', async () => {
    const server = createServer(async (req, res) => {
      const chunks: Buffer[] = [];
      for await (const chunk of req) chunks.push(chunk as Buffer);
      const headers = { 'content-type': 'application/json' };
      const reply = await fetch(ledger.rpcUrl, { method: 'POST', body: Buffer.concat(chunks), headers });
      res.end(JSON.stringify(await reply.json(), (_key, value) => value ?? undefined));
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const result = await judged(byRpc(purse, urlOf(server)), ['heartbeat/own-wallet', 'sigil/payment']);
    server.close();
    expect(result.summary).toMatchObject({ pass: 2, fail: 0, inconclusive: 0, error: 0 });
  });

  it.each([
    ['nobody answers', undefined, /no reply/],
    ['it answers nonsense', '<html>', /answers getLatestBlockhash with HTTP 200, <html>/],
    ['it answers something else', '{"jsonrpc":"2.0","id":1,"result":7}', /answers getLatestBlockhash with 7/],
    ['it refuses', '{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no such method"}}', /no such method/],
  ])('are inconclusive when %s', async (_, text, reason) => {
    const server = text === undefined ? undefined : await answering(text);
    const url = server === undefined ? 'http://127.0.0.1:9' : urlOf(server);
    const result = await judged(byRpc(purse, url), ['heartbeat/own-wallet']);
    server?.close();
    expect(result.checks).toMatchObject([{ verdict: 'inconclusive', reason: expect.stringMatching(reason) }]);
    expect([result.exit_status, result.lamports]).toEqual([2, 0]);
  });
});

function urlOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function answering(text: string): Promise<Server> {
  const server = createServer((_req, res) => res.end(text));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return server;
}

describe("a ledger on the target's own clock", () => {
  it('is given the time to confirm, and what pays at exact moments is not judged', async () => {
    const own = await startReferenceHere();
    const rpcUrl = own.rpcUrl ?? '';
    await rpcResult(rpcUrl, 'requestAirdrop', [purse.address, 500 * SOL]);
    const target = targetOf(own, 'devnet', {}, byRpc(purse, rpcUrl));
    const only = ['heartbeat/own-wallet', 'heartbeat/too-soon', 'reissue-proof/payment', 'subsidy/expired'];
    const result = await conform(target, { only, seed: 1, toolVersion: '0.0.0', nowWallMs: Date.now });
    await own.close();
    expect(result.requests).toBeLessThanOrEqual(plan(target, allChecks, { only }).requests);
    expect(Object.fromEntries(result.checks.map(({ id, verdict }) => [id, verdict]))).toEqual({
      'heartbeat/own-wallet': 'pass',
      'heartbeat/too-soon': 'pass',
      'reissue-proof/payment': 'pass',
      'subsidy/expired': 'not-tested',
    });
  });
});

describe('payments by command', () => {
  const command = (...words: string[]): Payments => ({ kind: 'command', command: words });
  const node = (code: string): Payments => command(process.execPath, '-e', code);

  it.each([
    ['fails', node('console.error("no money"); process.exit(3)'), /ended with status 3: no money$/],
    ['prints nothing', node(''), /printed no signature on its last line, but ""$/],
    ['prints something else', node('console.log("paid!")'), /printed no signature on its last line, but "paid!"$/],
    ['is killed', node('process.kill(process.pid, "SIGKILL")'), /was ended by SIGKILL/],
  ])('that %s is inconclusive', async (_, payments, reason) => {
    const result = await judged(payments, ['heartbeat/own-wallet']);
    expect(result.checks).toMatchObject([{ verdict: 'inconclusive', reason: expect.stringMatching(reason) }]);
    expect(result.exit_status).toBe(2);
  });

  it('that is not there leaves what has to be paid for untested, for one reason, and pays nothing', async () => {
    const result = await judged(command('/nowhere/pay'), ['heartbeat/own-wallet', 'sigil/payment']);
    expect(result.checks.map(({ verdict }) => verdict)).toEqual(['not-tested', 'not-tested']);
    expect(new Set(reasons(result))).toEqual(
      new Set(['the payment command /nowhere/pay cannot be run: there is no such program']),
    );
    expect([result.exit_status, result.lamports]).toEqual([2, 0]);
  });
});
