/**
 * One lab: its servers, what it runs, and the stream that says what happens. Everything that the page may reach is given here, at start: the
 * page names no target, no module and no file.
 */

import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Target } from '../../conformance/target/target.js';
import { shellWord } from '../../reports/text/shell-word.js';
import { Failure } from '../../runs/host/failure.js';
import { parsedOrFail, readText, writeSecret } from '../../runs/host/files.js';
import { Started } from '../../runs/host/started.js';
import type { Scenario } from '../../scenarios/scenario.js';
import { parseScenario } from '../../scenarios/schema.js';
import { type Action, action, nothing } from './action.js';
import type { Asset } from './assets.js';
import { CommandFolder } from './command-folder.js';
import { conformanceActions } from './conformance/conformance-actions.js';
import { ConformanceDesk, type Watched } from './conformance/conformance-desk.js';
import { exchangeActions } from './conformance/exchange-actions.js';
import { sequenceActions } from './conformance/sequence-actions.js';
import { Credentials } from './credentials.js';
import { type Given, readGiven } from './given-folder.js';
import { type RunningLab, startLabServer } from './lab-server.js';
import { POPULATION } from './population.js';
import { agentActions } from './reference/agent-actions.js';
import { LivingReference } from './reference/living-reference.js';
import { RegistryFeed } from './reference/registry-feed.js';
import type { LoggedRequest } from './reference/request-log.js';
import { latestRequests, serverActions, serverFigures } from './reference/server-actions.js';
import { searchActions } from './search-actions.js';
import { simulationActions } from './simulation/simulation-actions.js';
import { SimulationDesk } from './simulation/simulation-desk.js';
import { ChangeDesk } from './specification/change-desk.js';
import { specificationActions } from './specification/specification-actions.js';
import { EventStream } from './stream.js';

/** The choices of a lab. */
interface LabOptions {
  readonly port: number;
  readonly seed: number;
  /** The population of the reference; absent: that of population.ts. */
  readonly scenario?: Scenario | undefined;
  /** The target that runs judge; absent: a reference of their own. */
  readonly target?: Target | undefined;
  /** The path of its file, for the commands that the page shows. */
  readonly targetFile?: string | undefined;
  /** A folder whose sweeps and failed sequences the page offers. */
  readonly folder?: string | undefined;
  /** A file of mode 0600 that keeps the token, so that open tabs go on after a restart; absent: a new token in a file of its own. */
  readonly tokenFile?: string | undefined;
  readonly assets: ReadonlyMap<string, Asset>;
  /** Called with the problem of a file of the folder, which is then not offered. */
  readonly onProblem?: ((problem: string) => void) | undefined;
  readonly onError: (error: unknown) => void;
}

/** A lab that runs. */
export interface Lab {
  readonly server: RunningLab;
  readonly token: string;
  /** A file of mode 0600 that holds the token. */
  readonly tokenFile: string;
  /** The folder in which the commands of the page run. */
  readonly folder: string;
  readonly reference: LivingReference;
  readonly conformance: ConformanceDesk;
  readonly simulation: SimulationDesk;
  readonly stream: EventStream;
  readonly actions: readonly Action[];
  readonly close: () => Promise<void>;
}

const SECRET_BYTES = 32;
/** 32 bytes in Base64url. */
const TOKEN = /^[\w-]{43}$/;
/** Between two batches of requests on the stream. */
const BATCH_MS = 100;

/** Starts a lab. Its population waits for the clock; no run is started. */
export async function startLab(options: LabOptions): Promise<Lab> {
  const draw = (): string => randomBytes(SECRET_BYTES).toString('base64url');
  // All that is read can fail, and is read before anything is started.
  const given = await readGiven(options.folder);
  for (const problem of given.problems) options.onProblem?.(problem);
  const kept = options.tokenFile === undefined ? undefined : keptToken(options.tokenFile, draw);
  const credentials = new Credentials(draw, kept);
  const stream = new EventStream(randomBytes(9).toString('base64url'));
  const scenario = options.scenario ?? parsedOrFail(parseScenario(POPULATION, 'population'));
  const started = new Started();
  try {
    const folder = mkdtempSync(join(tmpdir(), 'aips-lab-'));
    started.add(() => rmSync(folder, { recursive: true }));
    const tokenFile = options.tokenFile ?? join(folder, 'token');
    if (kept === undefined) writeFileSync(tokenFile, `${credentials.token}\n`, { mode: 0o600 });
    writeFileSync(join(folder, HEADER_FILE), `Authorization: Bearer ${credentials.token}\n`, { mode: 0o600 });
    const commands = new CommandFolder(folder);
    const running = await startAll(options, { scenario, stream, credentials, given, started, commands });
    return { ...running, token: credentials.token, tokenFile, folder, stream, close: () => started.close() };
  } catch (error) {
    await started.close();
    throw error;
  }
}

/** The header with the token, for curl. */
const HEADER_FILE = 'authorization';

/** The command that does an action of the lab, in the folder of the header. */
function curlOf(port: number, path: string, body: object): string {
  return [
    `curl -sS http://127.0.0.1:${port}/api/${path} -H @${HEADER_FILE}`,
    `-H 'Content-Type: application/json' -d ${shellWord(JSON.stringify(body))}`,
  ].join(' ');
}

/** Starts the reference with its population, and then the page's server. */
async function startAll(
  options: LabOptions,
  {
    scenario,
    stream,
    credentials,
    given,
    started,
    commands,
  }: {
    readonly scenario: Scenario;
    readonly stream: EventStream;
    readonly credentials: Credentials;
    readonly given: Given;
    readonly started: Started;
    readonly commands: CommandFolder;
  },
): Promise<Pick<Lab, 'server' | 'reference' | 'conformance' | 'simulation' | 'actions'>> {
  let feed: RegistryFeed | undefined;
  const batch = new Batch(stream, () => feed?.tell());
  started.add(() => batch.stop());
  let reference: LivingReference | undefined;
  reference = await LivingReference.start(scenario, scenario.seed, {
    onRequest: (entry) => {
      batch.add(entry);
      // In a copy of an earlier moment its own requests are shown.
      if (reference?.past === undefined) feed?.note(entry);
    },
    onReplayed: (name, agent) => feed?.noteReplayed(name, agent),
    onRefusedAgain: (entry) => feed?.note(entry),
    onError: options.onError,
    onChange: () => reference && stream.publish('server', serverFigures(reference)),
  });
  const living = reference;
  const picture = new RegistryFeed(living, (news) => stream.publish('registry', news));
  feed = picture;
  living.player.isWatched = () => stream.readers > 0;
  started.add(() => living.close());
  const { assets, onError, target, targetFile } = options;
  const tell = (watched: Watched) => stream.publish('conformance', watched);
  const conformance = new ConformanceDesk(target, options.seed, tell, targetFile);
  const change = new ChangeDesk((word) => stream.publish('judgement', word));
  const simulation = new SimulationDesk((word) => stream.publish('simulation', word));
  started.add(() => Promise.all([conformance.close(), simulation.idle()]));
  let port = 0;
  const actions = [
    ...overviewActions(stream, conformance, simulation, reference, commands),
    ...searchActions(reference),
    ...serverActions(reference, (path, body) => curlOf(port, path, body)),
    action(
      'server/registry',
      'Returns each agent with its parent and its standing, of which events of the kind `registry` have the changes.',
      nothing,
      () => picture.picture(),
    ),
    ...agentActions(reference, (path, body) => curlOf(port, path, body), commands),
    ...conformanceActions(conformance, commands),
    ...exchangeActions(conformance, commands),
    ...sequenceActions(given.sequences, target, targetFile),
    ...simulationActions(simulation, commands, given.sweeps),
    ...specificationActions(conformance, commands, undefined, undefined, change),
  ];
  const server = await startLabServer({ credentials, stream, assets, actions, onError }, options.port);
  port = server.port;
  started.add(async () => {
    conformance.stop();
    simulation.stop();
    await actions.find(({ path }) => path === 'specification/stop')?.run({});
    await server.close();
  });
  return { server, reference, conformance, simulation, actions };
}

function overviewActions(
  stream: EventStream,
  conformance: ConformanceDesk,
  simulation: SimulationDesk,
  reference: LivingReference,
  folder: CommandFolder,
): readonly Action[] {
  return [
    action(
      'overview',
      'Returns what is running, what is wrong, the figures of the reference and its latest requests.',
      nothing,
      () => ({
        // Later events are those that this does not know.
        stream: { run: stream.run, seq: stream.latest },
        server: serverFigures(reference),
        moments: reference.moments,
        requests: latestRequests(reference),
        conformance: conformance.watched ?? null,
        change: conformance.change?.watched ?? null,
        simulation: simulation.word === undefined ? null : { ...simulation.word, timesSec: [], values: {} },
        target: conformance.target?.baseUrl ?? null,
        folder: folder.path,
      }),
    ),
  ];
}

/** The token of a file that its owner alone may read; a new one is written where there is no file. */
function keptToken(file: string, draw: () => string): string {
  if (!existsSync(file)) writeSecret(file, `${draw()}\n`);
  if (process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0)
    throw new Failure(`${file}: others may read it; chmod 600 it, or name another --token-file.`);
  const token = readText(file, 'token').trim();
  if (!TOKEN.test(token)) throw new Failure(`${file}: has no token of aips lab; delete it, and a new one is written.`);
  return token;
}

/** Requests of a population come by the thousand: the stream says them in batches, of which each has the latest ones and the number of all. */
class Batch {
  readonly #stream: EventStream;
  readonly #timer: NodeJS.Timeout;
  #waiting: LoggedRequest[] = [];
  #skipped = 0;

  constructor(stream: EventStream, also: () => void) {
    this.#stream = stream;
    this.#timer = setInterval(() => {
      this.#tell();
      also();
    }, BATCH_MS);
    this.#timer.unref();
  }

  add(entry: LoggedRequest): void {
    this.#waiting.push(entry);
    if (this.#waiting.length <= BATCH_MAX) return;
    this.#waiting.shift();
    this.#skipped += 1;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #tell(): void {
    if (this.#waiting.length === 0) return;
    this.#stream.publish('requests', { entries: this.#waiting, skipped: this.#skipped });
    this.#waiting = [];
    this.#skipped = 0;
  }
}

const BATCH_MAX = 200;
