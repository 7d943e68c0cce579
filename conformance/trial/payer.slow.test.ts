// Every paid route is judged with payments by Solana JSON-RPC, within the budget and with a wallet that does not last.
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ConformanceResult } from '../../results/conformance-result.js';
import { rpcResult } from '../../test/fixtures/solana.js';
import { startFastLedger, startReferenceHere, targetOf } from '../../test/fixtures/target.js';
import { root } from '../../test/source-tree.js';
import { allChecks } from '../checks/index.js';
import { Wallet } from '../protocol/wallet.js';
import { plan } from '../run/plan.js';
import { conform } from '../run/runner.js';
import type { Budget, Payments, Target } from '../target/target.js';

const SOL = 1_000_000_000;
const payTo = new Wallet(new Uint8Array(32).fill(40)).address;
const purse = new Wallet(new Uint8Array(32).fill(41));
const poor = new Wallet(new Uint8Array(32).fill(42));

let ledger: Awaited<ReturnType<typeof startFastLedger>>;
let reference: Awaited<ReturnType<typeof startReferenceHere>>;
beforeAll(async () => {
  ledger = await startFastLedger();
  const remote = { rpcUrl: ledger.rpcUrl, paymentAddress: payTo };
  reference = await startReferenceHere(undefined, 'devnet', remote);
  await rpcResult(ledger.rpcUrl, 'requestAirdrop', [purse.address, 500 * SOL]);
  await rpcResult(ledger.rpcUrl, 'requestAirdrop', [poor.address, 0.1 * SOL]);
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

const paidRoutes = ['heartbeat/*', 'sigil/*', 'reissue-proof/*'];
const unpayable = ['heartbeat/tiers-and-caps', 'heartbeat/cap-autonomous', 'heartbeat/cap-orchestrator'];

describe('payments by solana-rpc', () => {
  it('judge every paid route of a reference on that ledger, save what takes the control API', async () => {
    const result = await judged(byRpc(purse), paidRoutes);
    expect(result.summary).toMatchObject({ fail: 0, advisory: 0, inconclusive: 0, error: 0 });
    expect(result.summary.pass).toBeGreaterThanOrEqual(30);
    const left = result.checks.filter(({ verdict }) => verdict === 'not-tested').map(({ id }) => id);
    expect(left.toSorted()).toEqual(unpayable.toSorted());
    for (const reason of reasons(result))
      expect(reason).toMatch(/payments: \{ kind: control \}|^unreachable under |exhaustive/);
    const { lamports } = result;
    const spent =
      500 * SOL - (await rpcResult(ledger.rpcUrl, 'getBalance', [purse.address, { commitment: 'processed' }])).value;
    expect(lamports).toBe(spent);
    const told = plan(targetOf(reference, 'devnet', {}, byRpc(purse)), allChecks, { only: paidRoutes });
    expect(spent).toBeLessThanOrEqual(told.lamports + told.ledgerLamports);
    expect(told.ledgerLamports).toBeGreaterThan(0);
    expect(result.requests).toBeLessThanOrEqual(told.requests);
    expect(
      told.checks
        .filter(({ reason }) => reason !== undefined)
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(unpayable.toSorted());
  });

  it('stay within the budget, and say so', async () => {
    const result = await judged(byRpc(purse), ['sigil/*'], { lamports: SOL });
    expect(result.unpaid).toMatch(/^the budget of 1000000000 lamports (allows only some payments|is used up)/);
    expect(result).not.toHaveProperty('stopped');
    expect(result.lamports).toBeLessThanOrEqual(SOL);
    expect(result.lamports).toBeGreaterThan(0);
    expect(result.summary).toMatchObject({ fail: 0, error: 0, inconclusive: 0 });
  });

  it('go on with what the wallet of the key file is enough for', async () => {
    const result = await judged(byRpc(poor), ['sigil/*']);
    expect(result).not.toHaveProperty('stopped');
    expect(result.unpaid).toMatch(
      new RegExp(`^the wallet ${poor.address} of payments.key_file holds \\d+ lamports, and \\d+ are needed next$`),
    );
    expect(result.lamports).toBeLessThanOrEqual(0.1 * SOL);
    expect(result.summary).toMatchObject({ fail: 0, error: 0, inconclusive: 0 });
    expect(reasons(result)).toContain(result.unpaid);
    expect(reasons(result).filter((reason) => reason.startsWith('the run was stopped'))).toEqual([]);
  });
});

describe('payments by command', () => {
  it('pay with a program of the user’s', async () => {
    const program = join(root, 'test/fixtures/pay-command.mjs');
    const payments: Payments = { kind: 'command', command: [process.execPath, program, ledger.rpcUrl] };
    const result = await judged(payments, ['heartbeat/own-wallet', 'sigil/payment']);
    expect(result.checks.map(({ id, verdict }) => [id, verdict])).toEqual([
      ['sigil/payment', 'pass'],
      ['heartbeat/own-wallet', 'pass'],
    ]);
    // Two of the payments of sigil/payment are the fees of the other classes.
    const others = 150_000_000 + 350_000_000;
    expect(result.lamports).toBe(50_000_000 + 500_000 + 49_999_999 + 50_000_001 + others + 4 * 50_000_000);
  });
});
