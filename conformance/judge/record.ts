/** The record of a run before it is judged: the run of each check with all evidence, and the end of the run. */

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
import type { ConfigurableNumber } from '../../spec/numbers.js';
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

/** The verdict of a check that did not judge its clauses, with the reason. */
export interface Unknown extends Reason {
  readonly verdict: 'not-applicable' | 'not-tested' | 'inconclusive' | 'error';
  readonly not_served?: string;
}

/** The early end of a check. A failure or an advisory is the verdict of the check, regardless of its evidence. */
export type End = Exclude<Judgement, { verdict: 'pass' }>;

/** A check that has ended or was left out, before it is judged: its log and its end. */
export interface EndedCheck extends Pick<CheckOutcome, 'id' | 'title' | 'clauses' | 'level' | 'wall_ms'> {
  /** Its exchanges without secrets; redacted on demand, since most runs do not need them. */
  readonly transcript: () => readonly Exchange[];
  readonly evidence: readonly SeenEvidence[];
  readonly withheld: readonly (Withheld & Reason)[];
  readonly end?: End;
}

/** A result of a check with the evidence behind it. */
export type CheckRun = Omit<EndedCheck, 'end'> & CheckOutcome;

/** A number that the text lets an operator configure, as a reply has first shown it. */
export interface LearntNumber {
  readonly number: ConfigurableNumber;
  readonly value: number;
  /** The check that got the reply, and the number of the exchange in its transcript. */
  readonly check: string;
  readonly n: number;
}

/** The evidence of the model about the traffic of a run. */
export interface TrafficSeen {
  readonly model: NonNullable<ConformanceResult['model']>;
  /** The numbers of judged exchanges, by clause. */
  readonly clauses: Readonly<Record<string, NonNullable<ReportedClause['exchanges']>>>;
  /** The configured numbers that replies have shown. */
  readonly learnt: readonly LearntNumber[];
  /** By the check that sent the request: the first evidence for each clause, and each deviation once. */
  readonly runs: Readonly<Record<string, readonly SeenEvidence[]>>;
  /** The planted mistakes that the run would have noticed, by id. */
  readonly noticed: readonly string[];
}

/** One run of the suite against one deployment. It holds no secrets, and is judged by conclude.ts. */
export interface RunRecord
  extends Pick<ConformanceResult, 'target' | 'seed' | 'tool_version' | 'requests' | 'lamports'> {
  readonly startedMs: number;
  readonly wallMs: number;
  /** A recording was judged again, so the times are not those of the server. */
  readonly replayed?: true;
  /** The median time of a reply, in ms; absent without a reply. */
  readonly replyMs?: number;
  /** For a quick run: the checks that it left out, since others judge their clauses. */
  readonly spared?: readonly string[];
  /** Why the run ended early. `unjudgeable`: the target cannot be judged for this reason. */
  readonly stopped?: Reason & { readonly unjudgeable: boolean };
  /** Why the run could not pay. */
  readonly unpaid?: string;
  /** Remarks that concern no clause. */
  readonly notes: readonly string[];
  /** The clauses, adapted to the dialect of the target. */
  readonly clauses: readonly Clause[];
  /** All checks of the suite, adapted to that dialect, whether they ran or not. */
  readonly checks: readonly Pick<Check, 'id' | 'clauses'>[];
  readonly runs: readonly CheckRun[];
  /** The evidence of the model; absent if the model was off, or saw too little. */
  readonly traffic?: TrafficSeen;
  /** The same run as the model judges its traffic by other numbers, in their order; absent without them. */
  readonly also?: readonly Pick<RunRecord, 'runs' | 'traffic'>[];
  /** With `also`: the checks before the model's evidence is added. */
  readonly finished?: readonly EndedCheck[];
}
