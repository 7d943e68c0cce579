/**
 * `aips mutants --assertions`: whether each assertion of the suite finds a mutant when all others are switched off, and whether a
 * clause loses its kill without the assertions that name it. Mistakes are judged by mutants.ts.
 */

import { assertionName } from '../conformance/mutants/assertions.js';
import { judgeAssertions } from '../conformance/mutants/run.js';
import { EXIT } from './failure.js';
import { readText } from './files.js';
import { progressBar } from './progress.js';

interface AssertionFlags {
  readonly share: number;
  readonly seed: number;
  readonly threads: number;
  readonly json: boolean;
  /** A file of assertions, one a line, that are known to find no mutant. */
  readonly known: string | undefined;
}

/** Exit status 0 where every drawn assertion finds a mutant or is known not to, and every clause loses its kill; else 1. */
export async function judgeAssertionsOfSuite({ share, seed, threads, json, known }: AssertionFlags): Promise<void> {
  const listed = new Set(known === undefined ? [] : readText(known, 'list of assertions').split('\n'));
  const { checks, fates, kills } = await judgeAssertions({ share, seed, threads }, (jobs) => {
    const bar = progressBar('assertions', jobs);
    let done = 0;
    return (told) => {
      done += 1;
      bar.step(told);
      if (done === jobs) bar.stop();
    };
  });
  const silent = fates.filter(({ mutant }) => mutant === null);
  const news = silent.filter(({ site }) => !listed.has(assertionName(site)));
  const kept = kills.filter(({ killedWithout }) => killedWithout);
  if (json) console.log(JSON.stringify({ seed, checks, fates, kills }, null, 2));
  else {
    for (const { site, tried } of news) console.log(`silent (${tried} tried)  ${assertionName(site)}`);
    for (const { clause, mutant } of kept) console.log(`fails without an assertion of its own: ${clause} (${mutant})`);
    console.log(
      `${fates.length} assertions of ${checks} checks, seed ${seed}: ${fates.length - silent.length} find a mutant alone, ` +
        `${silent.length - news.length} are known not to; ` +
        `${kills.length} clauses: ${kills.filter(({ killed }) => killed).length} killed, ${kept.length} without their assertions`,
    );
  }
  process.exitCode = news.length + kept.length === 0 ? EXIT.clean : EXIT.unclean;
}
