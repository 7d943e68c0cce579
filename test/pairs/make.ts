/** The entry of `npm run pairs`: makes `examples/vectors/pairs.json`. It takes some half an hour of two cores. */

import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { onThreads } from '../../conformance/mutants/threads.js';
import { placesOf, variantsOf } from '../../planted/pairs/actions.js';
import { Index } from '../../planted/pairs/candidates.js';
import { type Open, outsideOf, pairsOf, pairsText, SALT } from '../../planted/pairs/find.js';
import { Recorder } from '../../planted/pairs/record.js';
import { PAIRS_SCHEMA, type Pairs } from '../../results/pairs.js';
import { clauseById, clauses } from '../../spec/clauses/index.js';
import { protocol } from '../../spec/protocol.js';
import { reference, unbounded } from './servers.js';
import type { Found, Work } from './worker.js';

const OUT = 'examples/vectors/pairs.json';
/** How much of the small world is searched for states. */
const STATES_MAX = 100_000;
/** A worker keeps the modules of every mistake that it has loaded. */
const CLAUSES_A_WORKER = 40;

const note = (text: string): void => void process.stderr.write(`${Math.round(process.uptime())} s: ${text}\n`);
const recorderOn = (open: Open) => async () => {
  const server = await open();
  return { recorder: new Recorder(server, SALT), close: server.close };
};

/** The candidates for each clause. */
async function candidates(): Promise<Index> {
  const index = new Index(recorderOn(unbounded));
  const places = placesOf(STATES_MAX);
  const variants = variantsOf();
  await index.visitStart();
  for (const [nth, place] of places.entries()) {
    await index.visit(place, variants);
    note(`state ${nth + 1} of ${places.length}: ${index.plays} requests tried, ${index.all().size} must clauses shown`);
  }
  await index.visitLimits(places, recorderOn(reference));
  return index;
}

const must = clauses.filter(({ level, excluded }) => level === 'must' && excluded === undefined).map(({ id }) => id);
const all = (await candidates()).all();
const work: Work = must.flatMap((clause) => {
  const own = all.get(clause);
  return own === undefined ? [] : [[clause, own] as const];
});
const found = new Map<string, Found>();
await onThreads<Found>([...work.keys()], {
  program: new URL('./worker.js', import.meta.url),
  workerData: work,
  threads: availableParallelism(),
  jobsAWorker: CLAUSES_A_WORKER,
  onMessage: ({ job, result, error }) => {
    const [clause] = work[job] ?? [''];
    if (result === undefined) throw new Error(`${clause}: ${error}`);
    found.set(clause, result);
    const kills = result.shown.flatMap((each) => each.kills).length;
    note(
      `${found.size} of ${work.length} ${clause}: ${kills} of ${result.mistakes} mistakes ${result.missed.map((each) => each.join(': ')).join('; ')}`,
    );
  },
});
const shown = must.flatMap((clause) => found.get(clause) ?? []);
const pairs: Pairs = {
  schema: PAIRS_SCHEMA,
  seed: SALT,
  difficulty: protocol.beat.difficulty,
  pairs: pairsOf(shown, (clause) => clauseById(clause).text),
  outside: outsideOf(must, shown),
};
writeFileSync(OUT, pairsText(pairs));
const withPair = shown.filter((each) => each.shown.length > 0);
const mistakes = withPair.reduce((sum, each) => sum + each.mistakes, 0);
const kills = withPair.reduce((sum, each) => sum + each.shown.flatMap((one) => one.kills).length, 0);
console.log(
  `${withPair.length} of ${must.length} must clauses have a pair, ${work.length} are shown by a script of the small world; ` +
    `the pairs show ${kills} of the ${mistakes} planted mistakes of these clauses`,
);
