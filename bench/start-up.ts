/**
 * Measures how long a server takes to start from a folder of a million commands that has a snapshot, and the memory of its
 * 100,000 agents. The commands are applied and journaled as a server does it, without HTTP.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { signingKey } from '../reference/beats/signing.js';
import { manualClock } from '../reference/http/request/clock.js';
import { createHost } from '../reference/http/request/host.js';
import { keeperOf, replicaOf } from '../reference/http/server/journal-keeper.js';
import { replay } from '../reference/http/server/replay.js';
import type { Command } from '../reference/store/command.js';
import { packageRoot } from '../runs/host/package.js';
import { openData } from '../runs/server/data-folder.js';
import { dialects } from '../spec/dialect.js';
import { protocol } from '../spec/protocol.js';
import { cpuSecOf, rssMbOf } from './process-cost.js';

const AGENTS = 100_000;
const COMMANDS = 1_000_000;
/** Commands between two waits for the disk. */
const GROUP = 2_000;

/** Writes the folder, then starts a server on it: its CPU with all threads, and its memory, when all ports listen. */
export async function benchStartUp() {
  const root = mkdtempSync(join(tmpdir(), 'aips-start-up-'));
  try {
    const folder = join(root, 'data');
    await fill(folder);
    const aips = join(packageRoot(), 'dist/cli/aips.js');
    const ports = ['--port', '0'];
    const args = [aips, 'serve', '--json', '--clock', 'manual', '--seed', '1', '--data', folder, ...ports];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(createInterface({ input: child.stdout }), 'line');
    const measured = { start_cpu_s: cpuSecOf(child.pid ?? 0), start_rss_mb: Math.round(rssMbOf(child.pid ?? 0)) };
    child.kill('SIGKILL');
    await once(child, 'exit');
    return { commands: COMMANDS, agents: AGENTS, ...measured };
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** Registrations, first beats, and payments. */
function* commands(payTo: string): Generator<Omit<Command, 'at'>> {
  const control = (path: string, body: object) => ({ name: `control:${path}`, agent: -1, body, given: {} });
  const payer = signingKey(Buffer.alloc(32, 'payer')).publicKeyBase58;
  yield control('ledger/wallets', { address: payer, lamports: 1_000_000_000_000 });
  for (let agent = 0; agent < AGENTS; agent++) {
    yield { name: 'register', agent: -1, partner: -1, body: { name: `agent ${agent}`, mode: 'root' }, given: {} };
    yield { name: 'init', agent, partner: -1, body: {}, given: {} };
  }
  for (let n = 2 * AGENTS + 1; n < COMMANDS; n++) {
    yield control('ledger/transfers', { from: payer, to: payTo, lamports: 1 + (n % 1_000) });
  }
}

async function fill(folder: string): Promise<void> {
  const policy = { network: 'devnet', registrationSecret: null, byoWallet: true, beatsRequired: true } as const;
  const startMs = Date.UTC(2026, 0, 1);
  const service = { protocol, dialect: dialects.service, policy, seed: 1, startMs };
  const opened = await openData(folder, service, (error) => {
    throw error;
  });
  const host = createHost(service, manualClock(startMs), { trustForwardedFor: false });
  const replica = replicaOf(host);
  const store = await opened.recover(replica);
  const keeper = keeperOf(host, store, replica);
  let count = 0;
  for (const each of commands(host.service.paymentAddress)) {
    // Fifty anchors in all: nobody freezes.
    const command: Command = { ...each, at: startMs + count * 3 };
    replay(host, command);
    keeper.record(command);
    count += 1;
    if (count % GROUP === 0) await keeper.settled();
  }
  await store.close();
  await host.beatPool.close();
}
