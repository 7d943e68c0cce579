/** Watches the traffic of a run of the suite against one mutant, from an unknown start, and reports whether the traffic alone shows the mistake. */
import { openState } from '../../model/facts/open-state.js';
import { emptyState, type State } from '../../model/facts/state.js';
import { Oracle } from '../../model/oracle.js';
import { entailedBy } from '../../spec/clauses/entailed.js';
import { CONTROL_PATH } from '../../spec/endpoint.js';
import { conform } from '../run/runner.js';
import { settingsOf } from '../target/modelled.js';
import type { Transport } from '../wire/transport.js';
import { checksFor, deploymentOf, type Start } from './judge-mutant.js';
import type { Mutant } from './mutant.js';

/** Whether traffic breaks the clause of a mutant, only another clause of the text, or none. */
type Outcome = 'found' | 'found-elsewhere' | 'missed';

/** The outcomes for one mutant. */
export interface WatchedMutant {
  readonly id: string;
  readonly clause: string;
  /** For a model that knows the service from its start: only what it finds is shown by the traffic at all. */
  readonly fromStart: Outcome;
  /** For an observer of the service, its payments and its clock: the calls of the control API are part of the traffic. */
  readonly withControl: Outcome;
  /** For an observer of the service alone. */
  readonly alone: Outcome;
  /** The exchanges that the observer of the service sees. */
  readonly exchanges: number;
}

/** An observer, and the clauses of the text that the traffic breaks for it. */
function observer(state: State): { readonly oracle: Oracle<null>; readonly broken: ReadonlySet<string> } {
  const broken = new Set<string>();
  const oracle = new Oracle<null>(state, ({ judgement }) => {
    for (const { ok, level, clauses } of judgement.evidence)
      if (!ok && level === 'must') for (const each of clauses) broken.add(each);
  });
  return { oracle, broken };
}

/** Runs the checks about the clause of a mutant, and watches their traffic. */
export async function judgeWatched(mutant: Mutant<object>, start: Start): Promise<WatchedMutant> {
  const { id, clause } = mutant;
  const { target, send, close } = await start(deploymentOf(mutant));
  const settings = settingsOf(target);
  const [whole, all, part] = [emptyState, openState, openState].map((stateOf) => observer(stateOf(settings))) as [
    ReturnType<typeof observer>,
    ReturnType<typeof observer>,
    ReturnType<typeof observer>,
  ];
  const control = `${target.control?.url}${CONTROL_PATH}`;
  let exchanges = 0;
  const transport: Transport = async (request) => {
    const isControl = request.url.startsWith(control);
    if (!isControl) exchanges += 1;
    // The fees that an administrator sets are among the numbers that an observer has to be given.
    const watching = isControl && !request.url.endsWith('/fees') ? [whole, all] : [whole, all, part];
    const ends = watching.map(({ oracle }) => oracle.begin(request, null, Date.now()));
    const reply = await send(request);
    for (const end of ends) end(reply, true, Date.now());
    return reply;
  };
  try {
    const options = { seed: 1, toolVersion: 'mutants', nowWallMs: Date.now, checks: checksFor(mutant), unprobed: true };
    await conform(target, { ...options, transport });
  } finally {
    await close();
  }
  const entailed = [clause, ...entailedBy(clause)];
  const outcomeOf = (broken: ReadonlySet<string>): Outcome =>
    entailed.some((each) => broken.has(each)) ? 'found' : broken.size > 0 ? 'found-elsewhere' : 'missed';
  const [fromStart, withControl, alone] = [whole, all, part].map(({ broken }) => outcomeOf(broken)) as [
    Outcome,
    Outcome,
    Outcome,
  ];
  return { id, clause, fromStart, withControl, alone, exchanges };
}
