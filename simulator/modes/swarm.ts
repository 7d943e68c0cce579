/**
 * Plays random small scenarios with all invariants on, and shrinks one that fails. The scenarios are drawn in
 * swarm-scenario.ts.
 */

import { type GoalName, goalNames } from '../../scenarios/goals.js';
import { parseScenario } from '../../scenarios/schema.js';
import { describeProblem } from '../../spec/document.js';
import { InvariantViolation } from '../invariants/violation.js';
import { timesReached } from '../run/goals.js';
import { advance, type Run, startRun } from '../run/run.js';
import { totalOperations } from '../world/operations.js';
import { smallerDrafts } from './smaller-drafts.js';
import { draftText, type ScenarioDraft, swarmDraft } from './swarm-scenario.js';

/** The outcome of one scenario. */
export type SwarmRun =
  | { readonly ok: true; readonly operations: number; readonly reached: readonly GoalName[] }
  /** `name`: the invariant, or the kind of the error. */
  | { readonly ok: false; readonly name: string; readonly message: string; readonly second: number };

/** The failure name of a text that is not a valid scenario. */
const NO_SCENARIO = 'no scenario';

/**
 * Plays the text of a scenario file with all invariants on. `prepare` may change the run before it is played, for
 * tests.
 */
export function playScenarioText(text: string, prepare: (run: Run) => void = () => undefined): SwarmRun {
  const parsed = parseScenario(text, 'swarm.yaml');
  // A shrunk scenario may contradict itself, which is never the failure that is being shrunk.
  if (!parsed.ok) {
    return { ok: false, name: NO_SCENARIO, message: parsed.problems.map(describeProblem).join('\n'), second: 0 };
  }
  const run = startRun(parsed.value, parsed.value.seed);
  try {
    prepare(run);
    advance(run, parsed.value.durationSec);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const name = error instanceof InvariantViolation ? error.invariant : error.name;
    return { ok: false, name, message: error.message, second: run.world.second };
  }
  const reached = goalNames.filter((goal) => timesReached(run.world, goal) > 0);
  return { ok: true, operations: totalOperations(run.world.counts), reached };
}

/** A failed scenario of a swarm, and the smallest one found that fails alike. */
export interface SwarmFailure {
  readonly index: number;
  readonly name: string;
  readonly message: string;
  /** The text of the file, as it was drawn and as it was shrunk. */
  readonly drawn: string;
  readonly shrunk: string;
  readonly trials: number;
}

/** Plays the `index`-th scenario of a swarm. A failure is shrunk. */
export function playSwarmScenario(
  seed: number,
  index: number,
  attempt: (text: string) => SwarmRun = playScenarioText,
): Extract<SwarmRun, { ok: true }> | ({ readonly ok: false } & SwarmFailure) {
  const draft = swarmDraft(seed, index);
  const drawn = draftText(draft);
  const first = attempt(drawn);
  if (first.ok) return first;
  const { draft: smallest, message, trials } = shrink(draft, first, attempt);
  return { ok: false, index, name: first.name, message, drawn, shrunk: draftText(smallest), trials };
}

/** Shrinking stops after this many trials. */
const TRIALS_MAX = 400;

type FailedRun = Extract<SwarmRun, { ok: false }>;

function shrink(drawn: ScenarioDraft, failed: FailedRun, attempt: (text: string) => SwarmRun) {
  let draft = drawn;
  let { message, second } = failed;
  let trials = 0;
  const take = (smaller: ScenarioDraft): boolean => {
    trials += 1;
    const trial = attempt(draftText(smaller));
    // A smaller scenario that fails for another reason would be another finding.
    if (trial.ok || trial.name !== failed.name) return false;
    draft = smaller;
    ({ message, second } = trial);
    return true;
  };
  let found = true;
  while (found && trials < TRIALS_MAX) {
    found = false;
    for (const smaller of smallerDrafts(draft, second + 1)) {
      if (trials >= TRIALS_MAX) break;
      if (take(smaller)) {
        found = true;
        break;
      }
    }
  }
  return { draft, message, trials };
}
