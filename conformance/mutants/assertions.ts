/**
 * The assertions of the suite against the mutants: each of them, with all others switched off, finds one; and no clause fails by
 * anything but an assertion that names it. It makes no kill matrix: matrix.ts does.
 */
import type { Evidence } from '../assertions/evidence.js';
import { allChecks } from '../checks/index.js';
import { conform } from '../run/runner.js';
import type { Check } from '../trial/check.js';
import { Draws } from '../trial/random.js';
import { allMutants } from './index.js';
import { checksFor, deploymentOf, startMutant } from './judge-mutant.js';
import type { Deployment, Mutant } from './mutant.js';
import { tagOf } from './plant.js';
import { cheap, deploymentNames, type InProcess, loadReference, startInProcess } from './reference.js';

/** An assertion at must level: what a check looks at, as evidence for these clauses. */
export interface AssertionSite {
  readonly check: string;
  readonly about: string;
  readonly clauses: readonly string[];
  /** A deployment in which the check makes it. */
  readonly deployment: Deployment;
}

/** The mutant that an assertion finds alone, or null; and how many were tried. */
export interface AssertionFate {
  readonly site: AssertionSite;
  readonly mutant: string | null;
  readonly tried: number;
}

/** Mutants that are tried before an assertion is said to find none. */
const TRIES_MAX = 30;

const nameOf = ({ check, about, clauses }: Omit<AssertionSite, 'deployment'>): string =>
  `${check}  ${about}  (${clauses.join(', ')})`;

/** The words by which a report and a list of known ones name an assertion. */
export const assertionName: (site: AssertionSite) => string = nameOf;

const common = { seed: 1, toolVersion: 'mutants', nowWallMs: Date.now, unprobed: true } as const;

/** Every assertion at must level of these checks that holds of the reference in some deployment. */
export async function assertionSites(checks: readonly Check[]): Promise<readonly AssertionSite[]> {
  const sites = new Map<string, AssertionSite>();
  for (const deployment of deploymentNames) {
    const server = startInProcess(await loadReference(), { seed: 1, numbers: cheap, deployment });
    const counts = (check: string, { about, clauses, level, ok }: Evidence): boolean => {
      const site = { check, about, clauses, deployment };
      if (level === 'must' && ok && !sites.has(nameOf(site))) sites.set(nameOf(site), site);
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

/** The places of the mutants that an assertion may find: those of its clauses first, then the others that its check can meet. */
function candidates({ check, clauses }: AssertionSite): readonly number[] {
  const near = [...allMutants.entries()].filter(
    ([, mutant]) => clauses.includes(mutant.clause) || checksFor(mutant).some(({ id }) => id === check),
  );
  const own = near.filter(([, { clause }]) => clauses.includes(clause));
  const stem = near.filter((each) => !own.includes(each) && check.startsWith(`${each[1].id.split(/[./]/)[0]}/`));
  return [...own, ...stem].slice(0, TRIES_MAX).map(([place]) => place);
}

/** Tries an assertion, alone, on one mutant after the other. `startMutant` needs plantMutants() of this thread. */
export async function fateOf(site: AssertionSite): Promise<AssertionFate> {
  const check = allChecks.find(({ id }) => id === site.check);
  if (check === undefined) throw new RangeError(`there is no check ${site.check}`);
  const name = nameOf(site);
  const counts = (id: string, { about, clauses }: Evidence): boolean => nameOf({ check: id, about, clauses }) === name;
  let tried = 0;
  for (const place of candidates(site)) {
    const mutant = allMutants[place] as Mutant;
    tried += 1;
    const server = await startMutant(mutant, tagOf(place), mutant.deployment ?? site.deployment);
    if (await failsIn(server, { checks: [check], counts })) return { site, mutant: mutant.id, tried };
  }
  return { site, mutant: null, tried };
}

interface Judged {
  readonly checks: readonly Check[];
  readonly counts: (check: string, evidence: Evidence) => boolean;
}

/** Whether a must clause fails at a server: this one, or any. */
async function failsIn(server: InProcess, { checks, counts }: Judged, clause?: string): Promise<boolean> {
  try {
    const { clauses } = await conform(server.target, { ...common, transport: server.send, checks, counts });
    return clauses.some(
      ({ id, level, state }) => state === 'fails' && level === 'must' && (clause === undefined || id === clause),
    );
  } finally {
    await server.close();
  }
}

/** Whether a mutant is killed by its clause with all assertions, and without those that name the clause. */
export interface KillFate {
  readonly mutant: string;
  readonly clause: string;
  readonly killed: boolean;
  readonly killedWithout: boolean;
}

/** Judges a mutant with all assertions, and once more without those that name its clause. */
export async function killOf(place: number): Promise<KillFate> {
  const mutant = allMutants[place];
  if (mutant === undefined) throw new RangeError(`there is no mutant ${place}`);
  const { id, clause } = mutant;
  const checks = checksFor(mutant);
  const start = (): Promise<InProcess> => startMutant(mutant, tagOf(place), deploymentOf(mutant));
  const without = (_: string, { clauses }: Evidence): boolean => !clauses.includes(clause);
  const killed = await failsIn(await start(), { checks, counts: () => true }, clause);
  return {
    mutant: id,
    clause,
    killed,
    killedWithout: await failsIn(await start(), { checks, counts: without }, clause),
  };
}
