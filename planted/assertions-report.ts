/**
 * `--assertions`: whether each assertion of the suite finds a mutant when all others are switched off, and whether a clause
 * loses its kill without the assertions that name it. Mistakes are judged by mutants.ts.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './all-mutants.js';
import { assertionName } from './assertions.js';
import { judgeAssertions } from './run-assertions.js';

interface AssertionOptions {
  readonly share: number;
  readonly seed: number;
  readonly threads: number;
  readonly json: boolean;
}

/** Assertions, one a line, that are known to find neither a mutant nor a spoiled reply. */
const KNOWN = 'planted/known-silent-assertions.txt';

/**
 * Prints the outcomes. False where a drawn assertion finds neither a mutant nor a spoiled reply and is not listed, where one finds
 * its mutant only together with others, or where a clause fails without an assertion that names it.
 */
export async function reportAssertions({ share, seed, threads, json }: AssertionOptions): Promise<boolean> {
  const listed = new Set(readFileSync(join(root, KNOWN), 'utf8').split('\n'));
  const { checks, outcomes, alone, kills } = await judgeAssertions({ share, seed, threads }, (jobs, done) => {
    if (process.stderr.isTTY || done % 100 === 0) process.stderr.write(`${done} of ${jobs}\n`);
  });
  if (outcomes.length === 0) throw new RangeError(`A share of ${share} draws no assertion: give a larger --share.`);
  const lone = outcomes.filter(({ mutant }) => mutant === null);
  const silent = lone.filter(({ spoiled }) => spoiled === undefined);
  const news = silent.filter(({ site }) => !listed.has(assertionName(site)));
  const led = alone.filter(({ mutant }) => mutant === null);
  const kept = kills.filter(({ killedWithout }) => killedWithout);
  if (json) console.log(JSON.stringify({ seed, checks, outcomes, alone, kills }, null, 2));
  else {
    for (const { site } of news) console.log(`silent  ${assertionName(site)}`);
    for (const { site } of led) console.log(`fails beside others, and not alone: ${assertionName(site)}`);
    for (const { clause, mutant } of kept) console.log(`fails without an assertion of its own: ${clause} (${mutant})`);
    console.log(
      `${outcomes.length} assertions of ${checks} checks, seed ${seed}: ${outcomes.length - lone.length} find a mutant ` +
        `(${outcomes.filter(({ own }) => own).length} one of their own clauses), ${lone.length - silent.length} only a spoiled reply, ` +
        `${silent.length - news.length} are known to find neither; ` +
        `${alone.length - led.length} of ${alone.length} find it alone; ${kills.length} clauses: ` +
        `${kills.filter(({ killed }) => killed).length} killed, ${kept.length} without their assertions`,
    );
  }
  return news.length + led.length + kept.length === 0;
}
