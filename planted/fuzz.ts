/** `--fuzz N`: whether random sequences of operations (conformance/fuzz) find mutants that the seed draws. */
import { type FuzzResult, fuzz, type Open, smallUnder } from '../conformance/fuzz/fuzz.js';
import { Unplayable } from '../conformance/fuzz/requests.js';
import { Draws } from '../conformance/trial/random.js';
import { allMutants } from './all-mutants.js';
import { plantMutants, startPlanted } from './plant.js';

interface FuzzOptions {
  readonly count: number;
  readonly runs: number;
  readonly seed: number;
  readonly json: boolean;
}

/** Whether at least half of the mutants are found. */
export async function reportFuzz({ count, runs, seed, json }: FuzzOptions): Promise<boolean> {
  plantMutants();
  const draws = new Draws(`fuzz mutants:${seed}`);
  const drawn = allMutants
    .map((mutant, place) => ({ mutant, place, rank: draws.hex(8) }))
    .toSorted((a, b) => (a.rank < b.rank ? -1 : 1))
    .slice(0, count);
  const found = [];
  for (const { mutant, place } of drawn) {
    const open: Open = (setUp) =>
      setUp === 'small' ? startPlanted(place, 'devnet', smallUnder({})) : startPlanted(place, setUp);
    const { failure, runs: after } = await fuzz(open, { runs, seed, shrink: false }).catch(unplayed(mutant.id));
    found.push({ id: mutant.id, clause: mutant.clause, runs: after, message: failure?.message ?? null });
    console.error(`${failure === null ? 'survived' : `found in ${after}`}  ${mutant.id}  ${failure?.message ?? ''}`);
  }
  const killed = found.filter(({ message }) => message !== null).length;
  if (json) console.log(JSON.stringify({ seed, runs, killed, mutants: found }, null, 2));
  else console.log(`${killed} of ${found.length} mutants found within ${runs} sequences each, seed ${seed}`);
  return 2 * killed >= found.length;
}

/** A mutant that keeps the run from going on is not found by it. */
function unplayed(id: string): (error: unknown) => Pick<FuzzResult, 'runs' | 'failure'> {
  return (error) => {
    if (!(error instanceof Unplayable)) throw error;
    console.error(`unplayable  ${id}  ${error.message}`);
    return { runs: 0, failure: null };
  };
}
