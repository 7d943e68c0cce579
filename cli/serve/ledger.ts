/** `aips serve ledger`: runs the mock ledger alone, by Solana JSON-RPC. The ledger is in reference/ledger. */

import type { Argv, InferredOptionTypes } from 'yargs';
import { startLedger } from '../../reference/http/server/ledger-server.js';
import type { Command } from '../flags/command.js';
import { json, seed } from '../flags/common-options.js';
import { listenFailure, readClock, readPort, readSeed, serverFlags, stopSignal } from '../flags/server-flags.js';

const options = {
  port: { type: 'number', default: 8899, describe: 'Port of the JSON-RPC; 0 takes any free one' },
  ...serverFlags,
  ...seed,
  ...json,
} as const;

type LedgerFlags = InferredOptionTypes<typeof options>;

/** `aips serve ledger`: a mock ledger by Solana JSON-RPC until SIGTERM or SIGINT. */
export const ledgerCommand: Command<LedgerFlags> = {
  builder: (args: Argv) =>
    args
      .options(options)
      .example('$0 serve ledger', 'on port 8899: a server under test takes http://127.0.0.1:8899 as its RPC URL')
      .example('$0 serve ledger --clock 20x --json', 'for a test: a transaction is confirmed after 20 ms'),
  handler: async (flags) => {
    const seed = readSeed(flags.seed);
    const clock = readClock(flags);
    const ledger = await startLedger({ seed, clock, bind: flags.host, port: readPort('--port', flags.port) }).catch(
      (error: unknown) => {
        throw listenFailure(error, '--port');
      },
    );
    const stop = stopSignal();
    const { rpcUrl, wsUrl } = ledger;
    if (flags.json) console.log(JSON.stringify({ rpc_url: rpcUrl, ws_url: wsUrl }));
    else {
      console.log(`ledger  ${rpcUrl}   (Solana JSON-RPC; subscriptions: ${wsUrl})`);
      console.log(`seed ${seed}, clock ${flags.clock}. Ctrl-C stops.`);
    }
    await stop;
    await ledger.close();
    if (process.connected) process.disconnect();
  },
};
