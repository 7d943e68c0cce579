import type { ClauseLevel } from '../spec/clause.js';

/** The version of the shape of `conformance.json`. It changes when a field changes its meaning or goes. */
export const CONFORMANCE_SCHEMA = 'aips-lab/conformance/1';

/** One request of a check and what came back. Secrets are already replaced by `[redacted]`. */
export interface Exchange {
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string;
  };
  /** Absent when no reply came: then `failure` says why. */
  readonly response?: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  };
  readonly failure?: string;
}

/** What a failed assertion looked at, what the clause wants and what came. */
export interface Mismatch {
  readonly about: string;
  readonly expected: string;
  readonly actual: string;
}

/** Which clauses a mismatch speaks about; of the check's others it says nothing. */
export interface Attributed {
  /** Those that do not hold. They may be clauses of others than the check. Absent: all of the check. */
  readonly fails?: readonly string[];
}

/** What a baseline says of a check that is known to fail. */
export interface KnownFailure {
  readonly reason: string;
  /** Where the failure is being worked on. */
  readonly link?: string;
  /** The last day, as `YYYY-MM-DD` in UTC, on which the failure is excused. */
  readonly expires: string;
}

/** What one of several runs found about a check. */
export interface Repetition {
  readonly seed: number;
  readonly verdict: Verdict;
}

/** Why a baseline itself makes the run fail. */
export interface BaselineFault {
  readonly check: string;
  /** `passes`: it is excused and holds again; `expired`: its day is over; `unknown`: the suite has no such check. */
  readonly fault: 'passes' | 'expired' | 'unknown';
  /** In words, with what to do. */
  readonly text: string;
}

interface Judged {
  readonly id: string;
  readonly title: string;
  readonly clauses: readonly string[];
  readonly level: ClauseLevel;
  readonly wall_ms: number;
  readonly transcript: readonly Exchange[];
  /** A shell script of the transcript's requests. */
  readonly curl: string;
  /** The id of an endpoint that the target does not serve, which is why the check failed or could not be judged. */
  readonly not_served?: string;
  /** The clauses that a check which did not pass has shown to hold all the same. Absent: none. */
  readonly holds?: readonly string[];
  /** The failure is excused by a baseline and does not fail the run. */
  readonly known?: KnownFailure;
  /** The verdicts of the repetitions, where they differ; such a check fails the run, whatever they are. */
  readonly flaky?: readonly Repetition[];
}

/** What one check found. A union, so that no verdict can lack what it owes the reader. */
export type CheckResult = Judged &
  (
    | { readonly verdict: 'pass' }
    | ({ readonly verdict: 'fail' | 'advisory' } & Mismatch & Attributed)
    | { readonly verdict: 'not-applicable' | 'not-tested' | 'inconclusive' | 'error'; readonly reason: string }
  );

export type Verdict = 'pass' | 'fail' | 'advisory' | 'not-applicable' | 'not-tested' | 'inconclusive' | 'error';

/** A clause as the report shows it. */
export interface ReportedClause {
  readonly id: string;
  readonly section: string;
  readonly section_title: string;
  readonly level: ClauseLevel;
  readonly text: string;
  /** `holds`: a check has shown it and none that it fails; `fails`: one did; `not-judged`: none said anything of it. */
  readonly state: 'holds' | 'fails' | 'not-judged' | 'excluded';
  /** Those of it, and those of other clauses that have found it not to hold. */
  readonly checks: readonly string[];
  readonly excluded?: string;
}

/** An endpoint that the target answers as it does what it has not, and that its target file does not declare. */
export interface NotServedEndpoint {
  readonly endpoint: string;
  readonly method: string;
  readonly path: string;
  readonly section: string;
  /** The word by which `unsupported` of a target file declares it, with the others of that word. */
  readonly stem: string;
  /** How many checks could not be judged for want of it. */
  readonly checks: number;
}

/** Everything that one run of the suite found: `conformance.json`. */
export interface ConformanceResult {
  readonly schema: typeof CONFORMANCE_SCHEMA;
  readonly tool_version: string;
  readonly target: {
    readonly base_url: string;
    readonly beats_url: string | null;
    readonly network: string;
    readonly dialect: string;
    /** What the target file offers: clock, payments, client-ip, control, beats … */
    readonly offers: readonly string[];
  };
  /** With `repeat`, that of the first run. */
  readonly seed: number;
  /** How many runs with successive seeds were made into this one; absent: one. */
  readonly repeat?: number;
  readonly started_at: string;
  readonly wall_s: number;
  readonly requests: number;
  readonly lamports: number;
  /** Set when the run stopped before its end, with the reason. */
  readonly stopped?: string;
  /** Set when the run went on without payments for which there was no money, with the reason. */
  readonly unpaid?: string;
  readonly summary: {
    readonly pass: number;
    readonly fail: number;
    readonly advisory: number;
    readonly not_applicable: number;
    readonly not_tested: number;
    readonly inconclusive: number;
    readonly error: number;
  };
  /** What the target lacks, in the order of the specification; absent where it lacks nothing that was asked for. */
  readonly not_served?: readonly NotServedEndpoint[];
  /** Present when the run was held against a baseline of known failures. */
  readonly baseline?: { readonly file: string; readonly known: number; readonly faults: readonly BaselineFault[] };
  readonly exit_status: 0 | 1 | 2;
  readonly checks: readonly CheckResult[];
  readonly coverage: {
    readonly clauses: number;
    readonly judged: number;
    readonly held: number;
    readonly excluded: number;
  };
  readonly clauses: readonly ReportedClause[];
}
