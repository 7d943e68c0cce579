/**
 * `aips mutants --assertions`: whether each assertion of the suite finds a mutant when all others are switched off, and whether a
 * clause loses its kill without the assertions that name it. Mistakes are judged by mutants.ts.
 */

import { assertionName } from '../conformance/mutants/assertions.js';
import { judgeAssertions } from '../conformance/mutants/run-assertions.js';
import { EXIT, Failure } from './failure.js';
import { readText } from './files.js';
import { progressBar } from './progress.js';

interface AssertionFlags {
  readonly share: number;
  readonly seed: number;
  readonly threads: number;
  readonly json: boolean;
  /** A file of assertions, one a line, that are known to find no mutant, and of mutants that are known to survive. */
  readonly known: string | undefined;
}

/**
 * Exit status 0 where every drawn assertion finds a mutant, or else a spoiled reply, or is known to find neither, those that were run alone find theirs still, and
 * every clause loses its kill; else 1.
 */
export async function judgeAssertionsOfSuite({ share, seed, threads, json, known }: AssertionFlags): Promise<void> {
  const listed = new Set(known === undefined ? [] : readText(known, 'list of assertions').split('\n'));
  let bar: ReturnType<typeof progressBar> | undefined;
  const { checks, fates, alone, kills } = await judgeAssertions(
    { share, seed, threads, survivors: listed },
    (jobs, done) => {
      bar ??= progressBar('assertions', jobs);
      bar.step(`${done} of ${jobs}`);
      if (done === jobs) {
        bar.stop();
        bar = undefined;
      }
    },
  );
  if (fates.length === 0) throw new Failure(`A share of ${share} draws no assertion: give a larger --share.`);
  const lone = fates.filter(({ mutant }) => mutant === null);
  const silent = lone.filter(({ spoiled }) => spoiled === undefined);
  const news = silent.filter(({ site }) => !listed.has(assertionName(site)));
  const led = alone.filter(({ mutant }) => mutant === null);
  const kept = kills.filter(({ killedWithout }) => killedWithout);
  if (json) console.log(JSON.stringify({ seed, checks, fates, alone, kills }, null, 2));
  else {
    for (const { site } of news) console.log(`silent  ${assertionName(site)}`);
    for (const { site } of led) console.log(`fails beside others, and not alone: ${assertionName(site)}`);
    for (const { clause, mutant } of kept) console.log(`fails without an assertion of its own: ${clause} (${mutant})`);
    console.log(
      `${fates.length} assertions of ${checks} checks, seed ${seed}: ${fates.length - lone.length} find a mutant ` +
        `(${fates.filter(({ own }) => own).length} one of their own clauses), ${lone.length - silent.length} only a spoiled reply, ` +
        `${silent.length - news.length} are known to find neither; ` +
        `${alone.length - led.length} of ${alone.length} find it alone; ${kills.length} clauses: ` +
        `${kills.filter(({ killed }) => killed).length} killed, ${kept.length} without their assertions`,
    );
  }
  process.exitCode = news.length + led.length + kept.length === 0 ? EXIT.clean : EXIT.unclean;
}
