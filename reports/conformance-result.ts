/** The result of a run of the suite: the shape of `conformance.json`, version 2. How verdicts are made is not here (conformance/judge). */
import type { ClauseLevel } from '../spec/clause.js';

/** The version of the shape of `conformance.json`. It changes when a field changes its meaning or goes. */
export const CONFORMANCE_SCHEMA = 'aips-lab/conformance/2';

/**
 * A secret in a transcript or a finding: the name of a shell variable for it in brackets. Those of replies have a number,
 * `[API_KEY_1]`; those of the target file have none, `[ADMIN_KEY]`.
 */
export const SECRET_PLACEHOLDER =
  /\[((?:API_KEY|AGENT_SECRET|REGISTRATION_TOKEN|WEBHOOK_SECRET|ISSUED_KEY|ALTERED_KEY)_\d+|OTHER_(?:API_KEY|AGENT_SECRET|REGISTRATION_TOKEN|WEBHOOK_SECRET|ISSUED_KEY)_\d+|SHARED_API_KEY(?:_[A-Z]+_\d+)?|REGISTRATION_SECRET|ADMIN_KEY|PARTNER_KEY|CONTROL_TOKEN|RPC_KEY|PAYMENT_KEY|PAYMENT_ARGUMENT_\d+|HEADER_[A-Z0-9_]+|PROXY_PASSWORD)\]/g;

/** One request of a check and what came back. Each secret is replaced by its placeholder. */
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
  /** Protocol time when the reply came, ISO 8601; absent where the target has no clock that can be moved. */
  readonly at?: string;
}

/** The first failed assertion of a check: what it looked at, what the clause wants and what came. */
export interface Mismatch {
  readonly about: string;
  readonly expected: string;
  readonly actual: string;
}

/** An excuse for a deviation that is known, by a baseline. */
export interface KnownFailure {
  readonly reason: string;
  /** Where the failure is being worked on. */
  readonly link?: string;
  /** The last day, as `YYYY-MM-DD` in UTC, on which the failure is excused. */
  readonly expires: string;
}

/** The verdict of a check in one of several runs. */
export interface Repetition {
  readonly seed: number;
  readonly verdict: Verdict;
}

/** Why a baseline itself makes the run fail. */
export interface BaselineFault {
  /** The entry, as it is named in the file: `clause in check`, or the id of a finding. */
  readonly entry: string;
  /** `passes`: it is excused and holds again; `expired`: its day is over; `unknown`: the suite has no such check or clause. */
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
  /** The id of an endpoint that the target does not serve, which is why the check failed or could not be judged. */
  readonly not_served?: string;
  /** All that the check found wrong is excused by a baseline. */
  readonly known?: KnownFailure;
  /** Why a check that failed did not go on to its end, or why a part of it could not be judged. */
  readonly ended?: string;
  /** The verdicts of the repetitions, where they differ; such a check fails the run, whatever they are. */
  readonly flaky?: readonly Repetition[];
}

/** The result of one check. A union, so that no verdict can lack what it owes the reader. */
export type CheckResult = Judged &
  (
    | { readonly verdict: 'pass' }
    | ({ readonly verdict: 'fail' | 'advisory' } & Mismatch)
    | { readonly verdict: 'not-applicable' | 'not-tested' | 'inconclusive' | 'error'; readonly reason: string }
  );

export type Verdict = 'pass' | 'fail' | 'advisory' | 'not-applicable' | 'not-tested' | 'inconclusive' | 'error';

/** One assertion about a clause: in which check and request, what it looked at, and what it saw. */
export interface ClauseEvidence {
  readonly check: string;
  /** The place of the request in the transcript of the check, and its endpoint: `#3 POST /api/v1/sigil`. */
  readonly step: string;
  readonly level: ClauseLevel;
  readonly about: string;
  readonly ok: boolean;
  /** Absent where `ok`. */
  readonly expected?: string;
  readonly actual?: string;
}

/** One deviation of the target, however many checks met it. */
export interface Finding {
  /** The endpoint and what was looked at, in words that stay the same from run to run. */
  readonly id: string;
  /** The clauses that do not hold by it, all of one level. */
  readonly clauses: readonly string[];
  readonly level: ClauseLevel;
  /** Method and path; empty where no endpoint was looked at. */
  readonly endpoint: string;
  readonly about: string;
  readonly expected: string;
  readonly actual: string;
  /** The checks that met it. */
  readonly checks: readonly string[];
  /** The exchange in which the first of them saw it. */
  readonly transcript: readonly Exchange[];
  /** It is excused by a baseline. */
  readonly known?: KnownFailure;
}

/** How many clauses of a level there are to judge, and what became of them. */
export interface ClauseCounts {
  /** Those that are not excluded. */
  readonly total: number;
  readonly judged: number;
  readonly hold: number;
  readonly fail: number;
}

/** A clause as the report shows it. */
export interface ReportedClause {
  readonly id: string;
  readonly section: string;
  readonly section_title: string;
  /** Where in that section it rests: table and row, or paragraph; for a decision, that the section leaves it open. */
  readonly where: string;
  readonly level: ClauseLevel;
  readonly text: string;
  /** `holds`: there is evidence for it and none against it; `fails`: some is against it; `not-judged`: there is none. */
  readonly state: 'holds' | 'fails' | 'not-judged' | 'excluded';
  /** Why it is not judged. */
  readonly reason?: string;
  /** Those of it, and those of other clauses that have found it not to hold. */
  readonly checks: readonly string[];
  readonly excluded?: string;
  /** All that is against it, and the first of each check that is for it. */
  readonly evidence: readonly ClauseEvidence[];
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
    /** All that the target file offers: clock, payments, client-ip, control, beats … */
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
    readonly clauses: { readonly must: ClauseCounts; readonly decision: ClauseCounts };
  };
  /** The endpoints that the target lacks, in the order of the specification; absent where it lacks none that was asked for. */
  readonly not_served?: readonly NotServedEndpoint[];
  /** Present when the run was held against a baseline of known failures. */
  readonly baseline?: { readonly file: string; readonly known: number; readonly faults: readonly BaselineFault[] };
  readonly exit_status: 0 | 1 | 2;
  /** The file beside this one that has the transcripts of checks that passed; absent: they are here. */
  readonly transcripts?: string;
  /** All that is wrong, by cause: deviations from the text first, those that most checks met first among them. */
  readonly findings: readonly Finding[];
  readonly checks: readonly CheckResult[];
  readonly coverage: {
    readonly clauses: number;
    readonly judged: number;
    readonly held: number;
    readonly excluded: number;
  };
  readonly clauses: readonly ReportedClause[];
}

/** The counts for the clauses of one level, without excluded ones. */
export function countsOf(clauses: readonly ReportedClause[], level: ClauseLevel): ClauseCounts {
  const states = clauses.filter((clause) => clause.level === level).map(({ state }) => state);
  const hold = states.filter((state) => state === 'holds').length;
  const fail = states.filter((state) => state === 'fails').length;
  const total = states.filter((state) => state !== 'excluded').length;
  return { total, judged: hold + fail, hold, fail };
}
