/**
 * A mock ledger that listens by itself, without a registry (`aips ledger`). With a registry, server.ts serves the
 * ledger.
 */

import { createBlockchain } from '../../ledger/chain.js';
import { createLedger } from '../../ledger/ledger.js';
import type { Clock } from '../request/clock.js';
import { isLoopback } from '../request/local-callers.js';
import { createLedgerApp } from './ledger-rpc.js';
import { closeServer, listen, serverOf, urlOf } from './listen.js';

export interface LedgerOptions {
  readonly seed: number;
  readonly clock: Clock;
  readonly bind: string;
  /** 0 takes any free port. */
  readonly port: number;
}

/** A listening mock ledger. */
export interface RunningLedger {
  readonly rpcUrl: string;
  readonly close: () => Promise<void>;
}

/** Starts a mock ledger whose slot 0 is now. Rejects with Node's error if the port cannot be opened. */
export async function startLedger({ seed, clock, bind, port }: LedgerOptions): Promise<RunningLedger> {
  const chain = createBlockchain(createLedger({ seed }), clock.nowMs());
  const { advance } = clock;
  const host = { nowMs: clock.nowMs, chain: () => chain, ...(advance && { advance }) };
  const server = serverOf(createLedgerApp(host, { loopback: isLoopback(bind) }));
  await listen(server, bind, port);
  return { rpcUrl: urlOf(server), close: () => closeServer(server) };
}
