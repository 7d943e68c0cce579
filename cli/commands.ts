/**
 * The commands of `aips`: the name and the sentence of each, for the list of `aips --help`, and where the command is
 * loaded from when it is called. The flags of a command and what it does are in its own file.
 */

import type { CommandModule } from 'yargs';
import type { Command } from './flags/command.js';

/** A command in the list of `aips --help`. */
interface Listed {
  /** The name, and the arguments after it, as yargs writes them. */
  readonly command: string;
  readonly describe: string;
  readonly load: () => Promise<unknown>;
}

const commands: Readonly<Record<string, Listed>> = {
  demo: {
    command: 'demo',
    describe: 'Start the reference, judge it over HTTP, run a scenario, and write one page about both',
    load: async () => (await import('./report/demo.js')).demoCommand,
  },
  serve: {
    command: 'serve',
    describe: 'Run the reference server: registry, beats service and control API',
    load: async () => (await import('./serve/serve.js')).serveCommand,
  },
  ledger: {
    command: 'ledger',
    describe: 'Run a mock ledger that speaks Solana JSON-RPC, to pay fees on',
    load: async () => (await import('./serve/ledger.js')).ledgerCommand,
  },
  conform: {
    command: 'conform [url]',
    describe: 'Judge a server clause by clause: exit 0 conformant, 1 not, 2 could not judge',
    load: async () => (await import('./conform/conform.js')).conformCommand,
  },
  'conform-client': {
    command: 'conform-client',
    describe: 'Run a client against a reference behind a proxy, and judge what it sends: exit 0 if nothing is broken',
    load: async () => (await import('./conform/client.js')).conformClientCommand,
  },
  fuzz: {
    command: 'fuzz',
    describe: 'Play random sequences of operations against a server, and compare each reply with a model of the text',
    load: async () => (await import('./conform/fuzz.js')).fuzzCommand,
  },
  simulate: {
    command: 'simulate [file]',
    describe: 'Run a scenario: exit 0 if its expectations hold, 1 if not, 2 if it could not be run or was interrupted',
    load: async () => (await import('./simulate/simulate.js')).simulateCommand,
  },
  sweep: {
    command: 'sweep [file]',
    describe: 'Play an experiment: exit 0 if its expectations hold, 1 if not or a run failed, 2 if it is not complete',
    load: async () => (await import('./experiment/sweep.js')).sweepCommand,
  },
  compare: {
    command: 'compare <a> <b>',
    describe: 'Compare two sweeps or two arms: paired differences, intervals, effect sizes',
    load: async () => (await import('./experiment/compare.js')).compareCommand,
  },
  worker: {
    command: 'worker',
    describe: 'Play runs of sweeps that others put into a queue (aips sweep --engine bullmq)',
    load: async () => (await import('./experiment/worker.js')).workerCommand,
  },
  sensitivity: {
    command: 'sensitivity <file>',
    describe: "Show which numbers of a scenario or the protocol matter: Morris' effects, Sobol indices",
    load: async () => (await import('./experiment/sensitivity.js')).sensitivityCommand,
  },
  search: {
    command: 'search [file]',
    describe: 'Find numbers within bounds that reach goals, or the policy that costs a population least',
    load: async () => (await import('./experiment/search.js')).searchCommand,
  },
  journal: {
    command: 'journal',
    describe: 'Verify, replay, export, copy and repair the journal of --data',
    load: async () => (await import('./journal/journal.js')).journalCommand,
  },
  beats: {
    command: 'beats',
    describe: 'Compute beats, and prove, submit and verify work',
    load: async () => (await import('./tools/beats.js')).beatsCommand,
  },
  wallet: {
    command: 'wallet',
    describe: 'Make Ed25519 wallets and sign with them',
    load: async () => (await import('./tools/wallet.js')).walletCommand,
  },
  'verify-passport': {
    command: 'verify-passport <file>',
    describe: "Verify a passport offline with the authority's public key",
    load: async () => (await import('./tools/verify-passport.js')).verifyPassportCommand,
  },
  report: {
    command: 'report <folders..>',
    describe: 'Write one page about the results in some folders: conformance reports and simulations',
    load: async () => (await import('./report/report.js')).reportCommand,
  },
  diff: {
    command: 'diff <a> <b>',
    describe:
      'Compare two conformance reports: exit 1 if a statement of the specification held before and does not now',
    load: async () => (await import('./conform/diff.js')).diffCommand,
  },
  spec: {
    command: 'spec',
    describe: 'Show the specification as data: clauses, decisions, documents, OpenAPI; judge it and its changes',
    load: async () => (await import('./spec/spec.js')).specCommand,
  },
};

/** Whether there is a command of this name. */
export function isCommand(name: string | undefined): name is string {
  return name !== undefined && Object.hasOwn(commands, name);
}

/** All commands, for yargs. Those that the command line names are loaded; of the others, only the list is shown. */
export function commandsFor(argv: readonly string[]): Promise<readonly CommandModule[]> {
  return Promise.all(
    Object.entries(commands).map(async ([name, { command, describe, load }]) => {
      const handler = (): never => {
        throw new Error(`${name} is not loaded`);
      };
      return { command, describe, ...(argv.includes(name) ? ((await load()) as Command) : { handler }) };
    }),
  );
}
