/**
 * The commands of `aips`: the name and the sentence of each, for the list of `aips --help`, and where the command is
 * loaded from when it is called. The options of a command and what it does are in its own file.
 */

import type { Argv, CommandModule } from 'yargs';
import { Failure } from '../runs/host/failure.js';
import { nearestName } from '../spec/nearest-name.js';
import type { Command } from './flags/command.js';

/** A command in the list of `aips --help`, or of another command's. */
interface Listed {
  /** The arguments after the name, as yargs writes them. */
  readonly takes?: string;
  readonly describe: string;
  /** Absent for one that only holds others. */
  readonly load?: () => Promise<unknown>;
  readonly within?: Commands;
}

type Commands = Readonly<Record<string, Listed>>;

const conform: Commands = {
  plan: {
    takes: '[url]',
    describe: 'Say what a run would do and cost, and send nothing',
    load: async () => (await import('./conform/plan.js')).planCommand,
  },
  list: {
    describe: 'List the checks with their clauses and what each needs of a target',
    load: async () => (await import('./conform/list.js')).listCommand,
  },
  explain: {
    takes: '<clause> [report]',
    describe: 'Print a clause: its text, its source, the checks that judge it, and what a report found',
    load: async () => (await import('./conform/explain.js')).explainCommand,
  },
  replay: {
    takes: '<files..>',
    describe: 'Judge recordings of conform --record again, without a server, by the rules of this version',
    load: async () => (await import('./conform/replay.js')).replayCommand,
  },
  self: {
    describe: 'Judge the reference itself, in every configuration that a clause needs',
    load: async () => (await import('./conform/self.js')).selfCommand,
  },
  fuzz: {
    takes: '[failure]',
    describe:
      'Play random sequences of operations, or a failure again, and compare each reply with a model of the text',
    load: async () => (await import('./conform/fuzz.js')).fuzzCommand,
  },
  client: {
    describe: 'Run a client against a reference behind a proxy, and judge what it sends: exit 0 if no clause fails',
    load: async () => (await import('./conform/client.js')).clientCommand,
  },
  diff: {
    takes: '<a> <b>',
    describe: 'Compare two conformance reports: exit 1 if a clause of the specification passed before and fails now',
    load: async () => (await import('./conform/diff.js')).diffCommand,
  },
};

const simulate: Commands = {
  fork: {
    takes: '<file>',
    describe: 'Play a scenario once up to a moment, and one future from there for each --set',
    load: async () => (await import('./simulate/fork.js')).forkCommand,
  },
  replicates: {
    takes: '<file>',
    describe: 'Play a scenario with successive seeds',
    load: async () => (await import('./simulate/replicates.js')).replicatesCommand,
  },
  resume: {
    takes: '<folder>',
    describe: 'Continue a run from the checkpoint in its folder',
    load: async () => (await import('./simulate/resume.js')).resumeCommand,
  },
  again: {
    takes: '<manifest>',
    describe: 'Play the run of a manifest.json again, and compare its events',
    load: async () => (await import('./simulate/again.js')).againCommand,
  },
  bisect: {
    takes: '<a> <b>',
    describe: 'Find the first event in which two runs differ',
    load: async () => (await import('./simulate/bisect.js')).bisectCommand,
  },
  swarm: {
    describe: 'Play small random scenarios with all invariants on, and shrink one that fails',
    load: async () => (await import('./simulate/swarm.js')).swarmCommand,
  },
  against: {
    takes: '<file> <target>',
    describe: 'Play a scenario in process and against the server of a target file, and compare',
    load: async () => (await import('./simulate/against.js')).againstCommand,
  },
};

const experiment: Commands = {
  sweep: {
    takes: '<file>',
    describe: 'Play an experiment: exit 0 if its expectations pass, 1 if not or a run failed, 2 if it is not complete',
    load: async () => (await import('./experiment/sweep.js')).sweepCommand,
  },
  search: {
    takes: '<file>',
    describe: 'Find numbers within bounds that reach goals, or the policy that costs a population least',
    load: async () => (await import('./experiment/search.js')).searchCommand,
  },
  equilibrium: {
    takes: '<file>',
    describe: 'Find what agents that choose end up doing: coupling, equilibria with bounds on regret, basins',
    load: async () => (await import('./experiment/equilibrium.js')).equilibriumCommand,
  },
  design: {
    takes: '<file>',
    describe: 'Choose numbers of the protocol: an optimum or a front, what agents choose then, and a change to propose',
    load: async () => (await import('./experiment/design.js')).designCommand,
  },
  sensitivity: {
    takes: '<file>',
    describe: "Show which numbers of a scenario or the protocol matter: Morris' effects, Sobol indices",
    load: async () => (await import('./experiment/sensitivity.js')).sensitivityCommand,
  },
  resume: {
    takes: '<folder>',
    describe: 'Continue the sweep or the search in a folder',
    load: async () => (await import('./experiment/resume.js')).resumeCommand,
  },
  again: {
    takes: '<folder>',
    describe: 'Play the sweep of a folder again, and compare the events of every run',
    load: async () => (await import('./experiment/again.js')).againCommand,
  },
  merge: {
    takes: '<folders..>',
    describe: 'Merge the shards of a sweep into one result',
    load: async () => (await import('./experiment/merge.js')).mergeCommand,
  },
  compare: {
    takes: '<a> <b>',
    describe: 'Compare two sweeps or two arms: paired differences, intervals, effect sizes',
    load: async () => (await import('./experiment/compare.js')).compareCommand,
  },
  power: {
    takes: '<a> <b>',
    describe: 'Say from a pilot how many replicates show a difference between two arms',
    load: async () => (await import('./experiment/power.js')).powerCommand,
  },
  worker: {
    describe: 'Play runs of sweeps that others put into a queue (aips experiment sweep --redis)',
    load: async () => (await import('./experiment/worker.js')).workerCommand,
  },
};

const tools: Commands = {
  beats: {
    describe: 'Compute beats, and prove, submit and verify work',
    load: async () => (await import('./tools/beats.js')).beatsCommand,
  },
  wallet: {
    describe: 'Make wallets and sign with them',
    load: async () => (await import('./tools/wallet.js')).walletCommand,
  },
  'verify-passport': {
    takes: '<file>',
    describe: "Verify a passport offline with the authority's public key",
    load: async () => (await import('./tools/verify-passport.js')).verifyPassportCommand,
  },
};

const registry: Commands = {
  add: {
    takes: '<file>',
    describe: 'Make an entry of a recording of conform --record',
    load: async () => (await import('./registry/add.js')).addCommand,
  },
  check: {
    takes: '[folder]',
    describe: 'Check the form, the digests and the plausibility of all entries: exit 1 if one has a problem',
    load: async () => (await import('./registry/check.js')).checkCommand,
  },
  build: {
    takes: '[folder]',
    describe: 'Judge all entries by this version, and write the pages: exit 1 if one could not be judged',
    load: async () => (await import('./registry/build.js')).buildCommand,
  },
};

const commands: Commands = {
  demo: {
    describe: 'Start the reference, judge it over HTTP, run a scenario, and write one page about both',
    load: async () => (await import('./report/demo.js')).demoCommand,
  },
  lab: {
    describe: 'Open one live page over the reference, the suite and the simulator, on 127.0.0.1',
    load: async () => (await import('./lab/lab.js')).labCommand,
  },
  serve: {
    describe: 'Run the reference server: registry, beats service and control API',
    load: async () => (await import('./serve/serve.js')).serveCommand,
    within: {
      ledger: {
        describe: 'Run the mock ledger alone, by Solana JSON-RPC, to pay fees on',
        load: async () => (await import('./serve/ledger.js')).ledgerCommand,
      },
    },
  },
  conform: {
    takes: '[url]',
    describe: 'Judge a server clause by clause: exit 0 conformant, 1 not, 2 could not judge',
    load: async () => (await import('./conform/conform.js')).conformCommand,
    within: conform,
  },
  watch: {
    takes: '[files..]',
    describe:
      'Judge traffic that others send, from files or as a proxy: exit 0 no deviation, 1 a deviation, 2 nothing was judged',
    load: async () => (await import('./watch/watch.js')).watchCommand,
  },
  simulate: {
    takes: '<file>',
    describe:
      'Run a scenario: exit 0 if its expectations pass, 1 if one fails, 2 if it could not be run or was interrupted',
    load: async () => (await import('./simulate/simulate.js')).simulateCommand,
    within: simulate,
  },
  experiment: {
    describe: 'Play many runs: sweeps, searches, sensitivity; merge, compare and repeat them',
    within: experiment,
  },
  report: {
    takes: '<folders..>',
    describe: 'Write one page about the results in some folders: conformance reports and simulations',
    load: async () => (await import('./report/report.js')).reportCommand,
  },
  registry: {
    describe: 'Keep recordings of implementations, and judge all of them again',
    within: registry,
  },
  spec: {
    describe: 'Show the specification as data: clauses, decisions, documents, OpenAPI; judge it and its changes',
    load: async () => (await import('./spec/spec.js')).specCommand,
  },
  journal: {
    describe: 'Verify, replay, export, copy and repair the journal of --data',
    load: async () => (await import('./journal/journal.js')).journalCommand,
  },
  tools: {
    describe: 'Tools of a client: beats and their proofs, wallets, passports',
    within: tools,
  },
};

/** The words at the beginning of a command line that name a command. */
export function commandNamed(argv: readonly string[], among: Commands = commands): readonly string[] {
  const [name = '', ...rest] = argv;
  if (!Object.hasOwn(among, name)) return [];
  return [name, ...commandNamed(rest, among[name]?.within ?? {})];
}

/** The command that the command line names, as it is listed; undefined for none. */
function listedAt(argv: readonly string[]): Listed | undefined {
  const [first, ...rest] = commandNamed(argv);
  return rest.reduce<Listed | undefined>(
    (at, name) => at?.within?.[name],
    first === undefined ? undefined : commands[first],
  );
}

/** True where the named command takes arguments, such as a file, in the place of a further command. */
export function takesWords(argv: readonly string[]): boolean {
  return listedAt(argv)?.takes !== undefined;
}

/** The command that a mistyped word is nearest to; undefined if it is like none, or is a command. */
export function meantCommand(argv: readonly string[]): { readonly written: string; readonly name: string } | undefined {
  const below = listedAt(argv)?.within ?? {};
  const written = argv[commandNamed(argv).length];
  const name = written === undefined || written.startsWith('-') ? undefined : nearestName(written, Object.keys(below));
  return written === undefined || name === undefined ? undefined : { written, name };
}

/** All commands, for yargs. The one that the command line names is loaded; of the others, only the list is shown. */
export function commandsFor(argv: readonly string[], among: Commands = commands): Promise<readonly CommandModule[]> {
  return Promise.all(
    Object.entries(among).map(async ([name, { takes, describe, load, within = {} }]): Promise<CommandModule> => {
      const command = takes === undefined ? name : `${name} ${takes}`;
      const listed = { command, describe, handler: () => notFirst(name) };
      if (argv[0] !== name) return listed;
      const below = [...(await commandsFor(argv.slice(1), within))];
      const own =
        commandNamed(argv.slice(1), within).length > 0 ? undefined : ((await load?.()) as Command | undefined);
      const known = (args: Argv): Argv => (below.length === 0 ? args : args.command(below));
      if (own !== undefined) return { ...listed, ...own, builder: (args: Argv) => own.builder(known(args)) };
      // Without the arguments of a command that is not the one named, which would be missing.
      const words = `Say what to do: ${Object.keys(within).join(', ')}.`;
      return { ...listed, command: name, builder: (args: Argv) => known(args).demandCommand(1, words) };
    }),
  );
}

function notFirst(name: string): never {
  throw new Failure(`${name} is a command: write it before its options.`);
}
