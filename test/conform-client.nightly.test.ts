import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ClientVerdict } from '../clients/judge.js';
import { packageRoot } from '../runs/host/package.js';

interface Judged {
  readonly status: number | null;
  readonly verdicts: readonly ClientVerdict[];
}

/** `aips conform client` on a client of test/fixtures/clients, broken in one way or in none. */
function judged(client: string, { fault = '', dialect = 'service' } = {}): Promise<Judged> {
  const root = packageRoot();
  const command = ['node', join(root, `test/fixtures/clients/${client}.mjs`)];
  const args = [join(root, 'dist/cli/aips.js'), 'conform', 'client', '--json', '--dialect', dialect, '--', ...command];
  const child = spawn(process.execPath, args, {
    env: { ...process.env, FAULT: fault },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  return new Promise((resolve) => {
    child.once('close', (status) => {
      const { verdicts } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Judged;
      resolve({ status, verdicts });
    });
  });
}

const of = ({ verdicts }: Judged, wanted: ClientVerdict['verdict']) =>
  verdicts.filter(({ verdict }) => verdict === wanted).map(({ id }) => id);

/** The verdicts alone: requests are numbered alike, but waiting takes as many as it takes. */
const verdictsOf = ({ verdicts }: Judged) => verdicts.map(({ id, verdict }) => [id, verdict]);

describe('a client that keeps to the specification', () => {
  it('breaks nothing, and gets the same verdicts twice', async () => {
    const [first, second] = [await judged('life'), await judged('life')];
    expect([first.status, of(first, 'broken')]).toEqual([0, []]);
    expect(of(first, 'held').length).toBeGreaterThanOrEqual(44);
    expect(verdictsOf(second)).toEqual(verdictsOf(first));
  });
});

describe('a client that is broken on purpose', () => {
  it.concurrent.each([
    ['payment-twice', 'client.payment.once'],
    ['wrong-fee', 'client.payment.exact'],
    ['retry-at-once', 'client.limit.retry-after'],
    ['stale-anchor', 'client.proof.anchor-age'],
    ['receipt-twice', 'client.receipt.once'],
    ['nonce-twice', 'client.wallet.nonce-once'],
    ['altered-passport', 'client.passport.altered'],
    ['key-anew', 'client.authority-key.pinned'],
    ['frozen-on', 'client.frozen.silent'],
    ['too-soon', 'client.heartbeat.interval'],
    ['extra-fields', 'client.replies.extra-fields'],
    ['secret', 'client.secret.kept'],
  ])('is named: %s', async (fault, id) => {
    const found = await judged('life', { fault });
    expect(found.status).toBe(1);
    expect(of(found, 'broken')).toContain(id);
  });
});

describe('the published clients', () => {
  /** As docs/interop.md has it. */
  it.concurrent.each([
    ['sdk', ['client.passport.altered', 'client.limit.retry-after', 'client.proof.anchor-age']],
    ['beats-client', ['client.limit.retry-after']],
    [
      'mcp',
      ['client.passport.altered', 'client.limit.retry-after', 'client.proof.anchor-age', 'client.frozen.recovers'],
    ],
  ])('break what the page says: %s', async (client, broken) => {
    const found = await judged(client, { dialect: 'provenonce' });
    expect(of(found, 'broken')).toEqual(broken);
  });
});
