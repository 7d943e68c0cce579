/**
 * Measures heartbeats of the registry's rules with the ledger, without the simulator's kernel. Whole simulations are
 * in scenario.ts.
 */

import { performance } from 'node:perf_hooks';
import { median } from 'simple-statistics';
import { createLedger, fund, type Ledger, pay, totalLamports } from '../reference/ledger/ledger.js';
import { advanceAnchor } from '../reference/registry/dead-man-switch.js';
import { heartbeatFeeLamports, heartbeatTier, sigilFeeLamports } from '../reference/registry/fees.js';
import { heartbeat } from '../reference/registry/heartbeat.js';
import { init } from '../reference/registry/init.js';
import { registerRoot } from '../reference/registry/register.js';
import { sigil } from '../reference/registry/sigil.js';
import { createRegistry, PLAYED_POLICY, type Registry } from '../reference/registry/state.js';
import { bits } from '../simulator/chance/counter-random.js';
import { GENESIS_MS, openWallet } from '../simulator/world/world.js';
import { dialects } from '../spec/dialect.js';
import { protocol } from '../spec/protocol.js';

const MS_PER_ANCHOR = protocol.anchor.intervalSec * 1_000;
const WALLET_LAMPORTS = 1_000_000_000;
const ROUNDS = 15;

/**
 * Every agent pays and sends one heartbeat in ten anchors, round after round. Returns the median of the rounds, anchors and DMS
 * included. Throws when a heartbeat is refused or lamports are lost.
 */
export function benchHeartbeats() {
  const agents = 100_000;
  const { registry, ledger, service } = benchWorld(agents);
  const order = shuffled(agents);
  let nowMs = GENESIS_MS;
  const perSecond: number[] = [];
  // The first round is a warm-up and is not counted.
  for (let round = 0; round <= ROUNDS; round += 1) {
    const startMs = performance.now();
    for (let anchor = 0; anchor < protocol.heartbeat.intervalBeatsMin; anchor += 1) {
      nowMs += MS_PER_ANCHOR;
      advanceAnchor(registry, nowMs);
    }
    sendAll({ registry, ledger, service }, order, round + 1, nowMs);
    if (round > 0) perSecond.push(agents / ((performance.now() - startMs) / 1_000));
  }
  let booked = 0;
  for (let row = 0; row < agents; row += 1) booked += registry.agents.line.totalHeartbeats(row);
  if (booked !== agents * (ROUNDS + 1)) throw new Error(`${booked} heartbeats were booked`);
  if (totalLamports(ledger) !== ledger.mintedLamports) throw new Error('lamports were lost');
  return { agents, heartbeats: agents * ROUNDS, heartbeats_per_s: Math.round(median(perSecond)) };
}

interface BenchWorld {
  readonly registry: Registry;
  readonly ledger: Ledger;
  readonly service: number;
}

function benchWorld(agents: number): BenchWorld {
  const registry = createRegistry({
    protocol,
    dialect: dialects.service,
    policy: PLAYED_POLICY,
    seed: 1,
    genesisMs: GENESIS_MS,
    capacity: agents,
  });
  const ledger = createLedger({ seed: 1, capacity: agents + 1 });
  const service = openWallet(registry, ledger);
  advanceAnchor(registry, GENESIS_MS);
  const lamports = sigilFeeLamports(protocol, 'orchestrator');
  for (let i = 0; i < agents; i += 1) {
    const wallet = openWallet(registry, ledger);
    fund(ledger, wallet, WALLET_LAMPORTS);
    const linked = { wallet, model: 'self-custody', chain: 'solana' } as const;
    const { agent } = registerRoot(registry, { name: `agent-${i}`, linked }, GENESIS_MS);
    init(registry, { agent }, GENESIS_MS);
    const payment = { id: null, sender: wallet, lamports, counts: true };
    const bought = { identityClass: 'orchestrator', principal: 'bench', tier: 'ind', name: `n-${i}` } as const;
    const reply = sigil(registry, { ...bought, agent, payment }, GENESIS_MS);
    if (!reply.ok || !pay(ledger, wallet, service, lamports)) throw new Error(`agent ${i} got no SIGIL`);
  }
  return { registry, ledger, service };
}

/** The agents in random order: in a simulation events come so, and caches matter. */
function shuffled(agents: number): Int32Array {
  const order = Int32Array.from({ length: agents }, (_, i) => i);
  for (let i = agents - 1; i > 0; i -= 1) {
    const other = bits(1, 2, 0, i) % (i + 1);
    const agent = order[i]!;
    order[i] = order[other]!;
    order[other] = agent;
  }
  return order;
}

function sendAll({ registry, ledger, service }: BenchWorld, order: Int32Array, nth: number, nowMs: number): void {
  const lamports = heartbeatFeeLamports(protocol, heartbeatTier(protocol, nth));
  const payment = { id: null, sender: 0, lamports, counts: true };
  const input = { agent: 0, payment };
  for (const agent of order) {
    input.agent = agent;
    payment.sender = service + 1 + agent;
    const reply = heartbeat(registry, input, nowMs);
    if (!reply.ok || !pay(ledger, payment.sender, service, lamports)) throw new Error(`agent ${agent} was refused`);
  }
}
