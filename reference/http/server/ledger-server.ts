/**
 * A mock ledger that listens by itself, without a registry (`aips serve ledger`). With a registry, server.ts serves the
 * ledger.
 */

import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createBlockchain } from '../../ledger/chain.js';
import { createLedger } from '../../ledger/ledger.js';
import type { Clock } from '../request/clock.js';
import { isLoopback } from '../request/local-callers.js';
import { createLedgerApp, type LedgerHost } from './ledger-rpc.js';
import { LedgerSubscriptions } from './ledger-subscriptions.js';
import { closeServer, listen, serverOf, urlOf } from './listen.js';

const PORT_MAX = 65_535;

interface LedgerOptions {
  readonly seed: number;
  readonly clock: Clock;
  readonly bind: string;
  /** 0 takes any free port. */
  readonly port: number;
}

/** A listening mock ledger. */
export interface RunningLedger {
  readonly rpcUrl: string;
  /** Where subscriptions are taken: on the next port, where @solana/web3.js looks for them, unless that is in use. */
  readonly wsUrl: string;
  readonly close: () => Promise<void>;
}

/** Starts a mock ledger whose slot 0 is now. Rejects with Node's error if the port cannot be opened. */
export function startLedger({ seed, clock, bind, port }: LedgerOptions): Promise<RunningLedger> {
  const chain = createBlockchain(createLedger({ seed }), clock.nowMs());
  const { advance } = clock;
  return openLedger({ nowMs: clock.nowMs, chain: () => chain, ...(advance && { advance }) }, bind, port);
}

/** How many free ports are tried until one has a free neighbour. */
const PAIRS_TRIED_MAX = 10;

/** Opens a ledger's port and that of its subscriptions. Rejects with Node's error if the first cannot be opened. */
export async function openLedger(host: LedgerHost, bind: string, port: number): Promise<RunningLedger> {
  const loopback = isLoopback(bind);
  const calls = serverOf(createLedgerApp(host, { loopback }));
  const subscriptions = new LedgerSubscriptions(host, { loopback });
  const listener = subscriptions.listener();
  await listen(calls, bind, port);
  for (let tried = 1; !(await listensAt(listener, bind, portOf(calls) + 1)); tried++) {
    if (port !== 0 || tried === PAIRS_TRIED_MAX) {
      await listen(listener, bind, 0);
      break;
    }
    await closeServer(calls);
    await listen(calls, bind, 0);
  }
  return {
    rpcUrl: urlOf(calls),
    wsUrl: urlOf(listener).replace('http', 'ws'),
    close: async () => {
      subscriptions.close();
      await Promise.all([calls, listener].map(closeServer));
    },
  };
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

/** Opens a port; false if it does not exist or cannot be opened. */
function listensAt(server: Server, bind: string, port: number): Promise<boolean> {
  if (port > PORT_MAX) return Promise.resolve(false);
  return listen(server, bind, port).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE' || error.code === 'EACCES') return false;
      throw error;
    },
  );
}
