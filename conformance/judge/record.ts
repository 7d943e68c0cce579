/** A run of the suite before it is judged: the run of each check with all of its evidence, and how the run ended. */

import type { Withheld } from '../../model/evidence.js';
import type {
  CheckOutcome,
  ConformanceResult,
  Exchange,
  Mismatch,
  Reason,
  ReportedClause,
  Why,
} from '../../results/conformance-result.js';
import type { Clause } from '../../spec/clause.js';
import type { SeenEvidence } from '../assertions/evidence.js';
import type { Check } from '../trial/check.js';

/** The verdict of a check, without its id, level and transcript. */
export type Judgement =
  | { readonly verdict: 'pass' }
  | ({
      readonly verdict: 'fail' | 'advisory';
      readonly ended?: string;
      readonly why?: Why;
      readonly not_served?: string;
    } & Mismatch)
  | Unknown;

/** A check without a judgement of its clauses, and the reason. */
export interface Unknown extends Reason {
  readonly verdict: 'not-applicable' | 'not-tested' | 'inconclusive' | 'error';
  readonly not_served?: string;
}

/** How a check ended early. A failure or an advisory is its verdict, whatever its evidence is. */
export type End = Exclude<Judgement, { verdict: 'pass' }>;

/** A check that has ended or was left out, not judged yet: its log, and how it ended. */
export interface EndedCheck extends Pick<CheckOutcome, 'id' | 'title' | 'clauses' | 'level' | 'wall_ms'> {
  /** Its exchanges without secrets, redacted on demand, since most runs are judged by evidence alone. */
  readonly transcript: () => readonly Exchange[];
  readonly evidence: readonly SeenEvidence[];
  readonly withheld: readonly (Withheld & Reason)[];
  readonly end?: End;
}

/** A result of a check with the evidence behind it. */
export type CheckRun = Omit<EndedCheck, 'end'> & CheckOutcome;

/** The model's view of a run's traffic. */
export interface TrafficSeen {
  readonly model: NonNullable<ConformanceResult['model']>;
  /** Per clause. */
  readonly clauses: Readonly<Record<string, NonNullable<ReportedClause['exchanges']>>>;
  /** The first evidence for each clause, and each deviation once a check, by the check that sent the request. */
  readonly runs: Readonly<Record<string, readonly SeenEvidence[]>>;
}

/** One run of the suite against one deployment. It holds no secrets, and is judged by conclude.ts. */
export interface RunRecord
  extends Pick<ConformanceResult, 'target' | 'seed' | 'tool_version' | 'requests' | 'lamports'> {
  readonly startedMs: number;
  readonly wallMs: number;
  /** The median time of a reply, in ms; absent where none came. */
  readonly replyMs?: number;
  /** Of a quick run: the checks that it spared, since others judge their clauses. */
  readonly spared?: readonly string[];
  /** Why the run ended early, and whether the target cannot be judged because of that. */
  readonly stopped?: Reason & { readonly unjudgeable: boolean };
  /** Why the run could not pay. */
  readonly unpaid?: string;
  /** Remarks outside all clauses. */
  readonly notes: readonly string[];
  /** The clauses as they are in the dialect of the target. */
  readonly clauses: readonly Clause[];
  /** The checks of the suite as they are in that dialect, chosen or not. */
  readonly checks: readonly Pick<Check, 'id' | 'clauses'>[];
  readonly runs: readonly CheckRun[];
  /** The model's view of the run's traffic; absent where it was not asked, or saw too little. */
  readonly traffic?: TrafficSeen;
}
