/** Measures which situations show a mutant: in how many exchanges of a run each came up, and in how many of them the mistake showed. */
import { entailedBy } from '../../spec/clauses/entailed.js';
import { conform } from '../run/runner.js';
import type { Check } from '../trial/check.js';
import { checksFor, deploymentOf, type Start, withOthers } from './judge-mutant.js';
import type { Mutant } from './mutant.js';

/** The situations and checks that show a mutant. */
export interface MutantKills {
  readonly id: string;
  readonly clause: string;
  /** The checks with evidence against its clause, or one that it entails. */
  readonly checks: readonly string[];
  /** The situations that came up, each with the exchanges in which the mistake showed, all exchanges, and the checks that sent them. */
  readonly situations: readonly (readonly [
    facts: readonly string[],
    shown: number,
    all: number,
    checks: readonly string[],
  ])[];
}

/** Runs the checks that can find a mutant, and counts the situations in which it shows. If it shows in none, the other checks run, too. */
export async function judgeKills(mutant: Mutant<object>, start: Start): Promise<MutantKills> {
  const near = await killsBy(checksFor(mutant), mutant, start);
  return near.checks.length > 0 ? near : killsBy(withOthers(mutant), mutant, start);
}

async function killsBy(checks: readonly Check[], mutant: Mutant<object>, start: Start): Promise<MutantKills> {
  const { id, clause } = mutant;
  const own = new Set([clause, ...entailedBy(clause)]);
  const { target, send, close } = await start(deploymentOf(mutant));
  const situations = new Map<string, { facts: readonly string[]; shown: number; all: number; checks: Set<string> }>();
  try {
    const result = await conform(target, {
      seed: 1,
      toolVersion: 'mutants',
      nowWallMs: Date.now,
      checks,
      unprobed: true,
      transport: send,
      onExchange: ({ endpoint, situation, evidence }, check) => {
        if (situation === undefined) return;
        const facts = [endpoint, ...situation];
        const key = facts.join();
        const counted = situations.get(key) ?? { facts, shown: 0, all: 0, checks: new Set() };
        situations.set(key, counted);
        counted.all += 1;
        counted.checks.add(check);
        if (evidence.some(({ ok, clauses }) => !ok && clauses.some((each) => own.has(each)))) counted.shown += 1;
      },
    });
    const against = result.clauses.flatMap((each) => (own.has(each.id) ? each.evidence : []));
    return {
      id,
      clause,
      checks: [...new Set(against.flatMap(({ ok, check }) => (ok ? [] : [check])))],
      situations: [...situations.values()].map(({ facts, shown, all, checks }) => [facts, shown, all, [...checks]]),
    };
  } finally {
    await close();
  }
}
