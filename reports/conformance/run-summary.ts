/**
 * The parts of a summary that need facts of the specification in addition to the run: what to do first, missing endpoints, and what was not judged.
 * A page in a browser gets it as data.
 */
import type { ConformanceResult, Verdict } from '../../results/conformance-result.js';
import type { ConformanceWriting } from './conformance-view.js';
import { nextSteps, type Step } from './next-step.js';
import { lackingEndpoints, type MissingEndpoint } from './not-served.js';
import { clausesLeft, type UnjudgedGroup, unjudgedGroups } from './unjudged.js';

/** A reason for which something could not be judged, with the numbers of clauses and checks. */
interface UnjudgedRow {
  readonly verdict: Verdict | undefined;
  readonly label: string;
  readonly reason: string;
  readonly provide: string | undefined;
  readonly must: number;
  readonly decisions: number;
  readonly checks: number;
  /** The first of its clauses, must clauses before others; without clauses the first of its checks. */
  readonly first: readonly { readonly kind: 'clause' | 'check'; readonly id: string }[];
  /** How many more there are. */
  readonly more: number;
}

/** Clauses or checks of a reason that are named. */
const NAMED_MAX = 3;

/** The parts of a summary that need the specification. */
export interface RunSummary {
  readonly steps: readonly Step[];
  readonly lacking: readonly MissingEndpoint[];
  readonly unjudged: readonly UnjudgedRow[];
}

/** The summary of a run. */
export function summaryOfRun(result: ConformanceResult, writing: ConformanceWriting): RunSummary {
  return {
    steps: nextSteps(result, writing),
    lacking: lackingEndpoints(result),
    unjudged: unjudgedGroups(result).map((group) => {
      const { must, decision } = clausesLeft(group);
      const { verdict, label, reason, provide, checks } = group;
      return { verdict, label, reason, provide, must, decisions: decision, checks: checks.length, ...namedOf(group) };
    }),
  };
}

function namedOf({ clauses, checks }: Pick<UnjudgedGroup, 'clauses' | 'checks'>): Pick<UnjudgedRow, 'first' | 'more'> {
  const sorted = clauses.toSorted((a, b) => Number(b.level === 'must') - Number(a.level === 'must'));
  const all =
    sorted.length > 0
      ? sorted.map(({ id }) => ({ kind: 'clause' as const, id }))
      : checks.map(({ id }) => ({ kind: 'check' as const, id }));
  return { first: all.slice(0, NAMED_MAX), more: Math.max(0, all.length - NAMED_MAX) };
}
