/**
 * The assertions of the suite against the mutants: each of them, with all others switched off, finds one; and no clause fails by
 * anything but an assertion that names it. It makes no kill matrix: matrix.ts does.
 */
import type { SeenEvidence } from '../conformance/assertions/evidence.js';
import { allChecks } from '../conformance/checks/index.js';
import {
  cheap,
  type Deployment,
  deploymentNames,
  type InProcess,
  loadReference,
  startInProcess,
} from '../conformance/in-process/reference.js';
import { checksFor, deploymentOf } from '../conformance/mutants/judge-mutant.js';
import { conform } from '../conformance/run/runner.js';
import { type Check, stemOf } from '../conformance/trial/check.js';
import { Draws } from '../conformance/trial/random.js';
import type { WireReply } from '../conformance/wire/transport.js';
import { endpointIds, endpointOf, nameOf } from '../spec/endpoint-ids.js';
import { allMutants } from './all-mutants.js';
import { changingTransport, type ReplyChange, replyChanges } from './changed-replies.js';
import type { PlantedMutant } from './mistake.js';
import { mutantAt, startPlanted } from './plant.js';

/** An assertion at must level: what a check looks at, as evidence for these clauses. */
export interface AssertionSite {
  readonly check: string;
  readonly about: string;
  /** Method and path of the endpoint that is judged; empty where none is. */
  readonly endpoint: string;
  readonly clauses: readonly string[];
  /** A deployment in which the check makes it. */
  readonly deployment: Deployment;
}

/** The outcome of an assertion: the mutant that it finds, or null. */
export interface AssertionFate {
  readonly site: AssertionSite;
  readonly mutant: string | null;
  /** Whether that mutant breaks one of the assertion's own clauses. */
  readonly own: boolean;
  /** Where it finds no mutant: how a reply to its check was spoiled so that it failed. */
  readonly spoiled?: string;
}

/** On this many mutants an assertion that fails at none is tried once more, alone, in the deployment in which it is made. */
const TRIES_MAX = 12;

/** The number of changed replies that are tried on an assertion that finds no mutant. */
const SPOILS_MAX = 400;

/** An assertion as evidence describes it. */
export type AssertionWords = Pick<AssertionSite, 'check' | 'about' | 'endpoint' | 'clauses'>;

/** The words by which a report and a list of known ones name an assertion. */
export const assertionName = ({ check, about, endpoint, clauses }: AssertionWords): string =>
  `${check}  ${[plain(endpoint), about].filter((words) => words !== '').join(': ')}  (${clauses.join(', ')})`;

/**
 * True for evidence of an assertion. It may name more clauses: what a step shows in passing speaks for the clauses that the check
 * lists, and against all of them.
 */
export function isOf(site: AssertionWords, seen: AssertionWords): boolean {
  const { check, endpoint, about, clauses } = seen;
  if (check !== site.check || about !== site.about || plain(endpoint) !== plain(site.endpoint)) return false;
  return site.clauses.every((id) => clauses.includes(id));
}

/** The name of an endpoint without the hash that a path outside the specification may have. */
const plain = (endpoint: string): string => endpoint.replaceAll(/0x[0-9a-f]{64}/g, ':hash');

const common = { seed: 1, toolVersion: 'mutants', nowWallMs: Date.now, unprobed: true, model: false } as const;

/** Every assertion at must level of these checks that holds of the reference in some deployment. */
export async function assertionSites(checks: readonly Check[]): Promise<readonly AssertionSite[]> {
  const sites = new Map<string, AssertionSite>();
  for (const deployment of deploymentNames) {
    const server = startInProcess(await loadReference(), { seed: 1, numbers: cheap, deployment });
    const counts = (check: string, { about, endpoint, clauses, level, ok }: SeenEvidence): boolean => {
      const site = { check, about, endpoint, clauses, deployment };
      const name = assertionName(site);
      if (level === 'must' && ok && !sites.has(name)) sites.set(name, site);
      return true;
    };
    try {
      await conform(server.target, { ...common, transport: server.send, checks, counts });
    } finally {
      await server.close();
    }
  }
  return [...sites.values()];
}

/** A share of a list, drawn by a seed. */
export function drawnShare<T>(items: readonly T[], share: number, seed: number, what: string): readonly T[] {
  const draws = new Draws(`${what}:${seed}`);
  return items
    .map((item) => ({ item, rank: draws.hex(8) }))
    .toSorted((one, other) => (one.rank < other.rank ? -1 : 1))
    .slice(0, Math.ceil(items.length * share))
    .map(({ item }) => item);
}

/**
 * The assertions of some checks that fail at a mutant. An assertion is recorded whether others fail or not, so what
 * fails among all fails alone; `fateAlone` shows that of a sample. Only what fails a clause at must level counts.
 */
async function foundBy(place: number, checks: readonly Check[]): Promise<readonly AssertionWords[]> {
  const { mutant, server } = await startAt(place);
  const failing: AssertionWords[] = [];
  const counts = (check: string, evidence: SeenEvidence): boolean => {
    const { about, endpoint, clauses, level, ok } = evidence;
    if (level === 'must' && !ok) failing.push({ check, about, endpoint, clauses });
    return true;
  };
  const met = metBy(mutant, checks);
  const failed = new Set(await failedClauses(server, { checks: met, counts }));
  const counted = failing.filter(({ clauses }) => clauses.some((id) => failed.has(id)));
  return [...new Map(counted.map((each) => [assertionName(each), each])).values()];
}

/** Those of some checks that can meet a mutant. */
export function metBy(mutant: PlantedMutant, checks: readonly Check[]): readonly Check[] {
  const wanted = new Set(checks);
  return checksFor(mutant).filter((check) => wanted.has(check));
}

/**
 * The places of the mutants that an assertion may find although it failed at none together with others: those of its clauses, where
 * an endpoint may be judged as not served at all, then those of its endpoint that its check does not meet there.
 */
function candidates({ check, endpoint, clauses, deployment }: AssertionSite): readonly number[] {
  const shown = (mutant: PlantedMutant): boolean =>
    (mutant.deployment ?? deployment) === deploymentOf(mutant) && checksFor(mutant).some(({ id }) => id === check);
  const own = ({ clause }: PlantedMutant): boolean => clauses.includes(clause);
  const stems = new Set([
    stemOf({ id: check }),
    ...endpointIds.flatMap((id) => (nameOf(id) === endpoint ? [endpointOf(id).stem] : [])),
  ]);
  const near = (mutant: PlantedMutant): boolean => stems.has(stemOf(mutant)) && !own(mutant) && !shown(mutant);
  const places = (wanted: (mutant: PlantedMutant) => boolean): readonly number[] =>
    [...allMutants.entries()].flatMap(([place, mutant]) => (wanted(mutant) ? [place] : []));
  return [...places(own), ...places(near)].slice(0, TRIES_MAX);
}

/** An assertion with all others switched off: its check alone, and what counts of that. */
function aloneOf(site: AssertionSite): SuiteSelection {
  const check = allChecks.find(({ id }) => id === site.check);
  if (check === undefined) throw new RangeError(`there is no check ${site.check}`);
  return { checks: [check], counts: (id, evidence) => isOf(site, { check: id, ...evidence }) };
}

/**
 * Tries an assertion, all others switched off, on one mutant after the other: those at `places`, or the likely ones in the
 * deployment in which it is made, and then on replies that are spoiled one at a time. Needs plantMutants() of this thread.
 */
async function fateAlone(site: AssertionSite, places?: readonly number[]): Promise<AssertionFate> {
  const alone = aloneOf(site);
  for (const place of places ?? candidates(site)) {
    const { mutant, server } = await startAt(place, places === undefined ? site.deployment : undefined);
    const failed = await failedClauses(server, alone);
    if (site.clauses.some((id) => failed.includes(id)))
      return { site, mutant: mutant.id, own: site.clauses.includes(mutant.clause) };
  }
  const spoiled = places === undefined ? await failingChange(site, alone) : undefined;
  return { site, mutant: null, own: false, ...(spoiled === undefined ? {} : { spoiled }) };
}

/** How a reply of the reference has to be spoiled for an assertion to fail alone; undefined where none of the ways does it. */
async function failingChange(site: AssertionSite, alone: SuiteSelection): Promise<string | undefined> {
  const run = async (spoil?: ReplyChange): Promise<{ failed: readonly string[]; replies: readonly WireReply[] }> => {
    const server = startInProcess(await loadReference(), { seed: 1, numbers: cheap, deployment: site.deployment });
    const { send, replies } = changingTransport(server.send, site, spoil);
    return { failed: await failedClauses({ ...server, send }, alone), replies };
  };
  const { replies } = await run();
  for (const spoil of replyChanges(site, replies).slice(0, SPOILS_MAX)) {
    const { failed } = await run(spoil);
    if (site.clauses.some((id) => failed.includes(id))) return spoil.words;
  }
  return undefined;
}

/** The mutant at a place, and a server with it: in its own deployment, else in the one given, else in that of its clause. */
async function startAt(place: number, deployment?: Deployment): Promise<{ mutant: PlantedMutant; server: InProcess }> {
  const mutant = mutantAt(place);
  return { mutant, server: await startPlanted(place, mutant.deployment ?? deployment ?? deploymentOf(mutant)) };
}

interface SuiteSelection {
  readonly checks: readonly Check[];
  readonly counts: (check: string, evidence: SeenEvidence) => boolean;
}

/** The must clauses that fail at a server, which is closed then. */
async function failedClauses(server: InProcess, { checks, counts }: SuiteSelection): Promise<readonly string[]> {
  try {
    const { clauses } = await conform(server.target, { ...common, transport: server.send, checks, counts });
    return clauses.flatMap(({ id, level, state }) => (state === 'fails' && level === 'must' ? [id] : []));
  } finally {
    await server.close();
  }
}

/** A mutant, judged twice: with all assertions, and without those that name its clause. */
export interface KillFate {
  readonly mutant: string;
  readonly clause: string;
  readonly killed: boolean;
  readonly killedWithout: boolean;
}

/** Judges a mutant with all assertions, and once more without those that name its clause. */
async function killOf(place: number): Promise<KillFate> {
  const { mutant, server } = await startAt(place);
  const { id, clause } = mutant;
  const checks = checksFor(mutant);
  const without = (_: string, { clauses }: SeenEvidence): boolean => !clauses.includes(clause);
  const killed = (await failedClauses(server, { checks, counts: () => true })).includes(clause);
  const { server: again } = await startAt(place);
  const killedWithout = (await failedClauses(again, { checks, counts: without })).includes(clause);
  return { mutant: id, clause, killed, killedWithout };
}

/** One thing to do for a worker, by what it needs. */
export type AssertionJob =
  | { readonly kind: 'found'; readonly place: number }
  | { readonly kind: 'alone'; readonly site: AssertionSite; readonly places?: readonly number[] }
  | { readonly kind: 'kill'; readonly place: number };

/** The jobs of a worker, and the ids of the checks that were drawn. */
export interface AssertionWork {
  readonly jobs: readonly AssertionJob[];
  readonly checks: readonly string[];
}

/** Does the n-th of some jobs. */
export function assertionResult({ jobs, checks }: AssertionWork, nth: number): Promise<unknown> {
  const job = jobs[nth];
  if (job === undefined) throw new RangeError(`there is no job ${nth}`);
  if (job.kind === 'alone') return fateAlone(job.site, job.places);
  const drawn = allChecks.filter(({ id }) => checks.includes(id));
  return job.kind === 'kill' ? killOf(job.place) : foundBy(job.place, drawn);
}
