/**
 * The result of a run of the suite: the shape of `conformance.json`, version 2, as schemas and the types that follow from them. How
 * verdicts are made is not here (conformance/judge).
 */

import { z } from 'zod';
import { causeNames } from '../spec/causes.js';

/** The version of the shape of `conformance.json`. It changes when a field changes its meaning or goes. */
export const CONFORMANCE_SCHEMA = 'aips-lab/conformance/2';

const count = z.int().nonnegative();
const texts = z.array(z.string()).readonly();
const headers = z.record(z.string(), z.string());
const level = z.enum(['must', 'decision']);
const text = z.string().exactOptional();

const signed = z.object({
  signature: z.string(),
  text: z.string(),
  wallet: z.object({ chain: z.enum(['solana', 'ethereum']), address: z.string(), public_key_hex: text }),
});

/** A signature that the suite made: of which text, by which wallet of its own. */
export type Signed = z.output<typeof signed>;

const asked = z.object({ value: z.string(), url: z.string(), path: z.string() });

/** A value that the run requested from the target outside of the check: the GET request, and the path in the reply. */
export type Asked = z.output<typeof asked>;

const exchange = z.object({
  request: z.object({ method: z.string(), url: z.string(), headers, body: text }),
  /** Absent when no reply came: then `failure` says why. */
  response: z.object({ status: z.int(), headers, body: z.string() }).exactOptional(),
  failure: text,
  /** Protocol time when the reply came, ISO 8601; absent where the target has no clock that can be moved. */
  at: text,
  /** The signatures that the suite made for the request; absent where it made none. */
  signed: z.array(signed).readonly().exactOptional(),
  /** The values of the request that the run asked the target for; absent where it has none. */
  asked: z.array(asked).readonly().exactOptional(),
  /** In a note that replaces exchanges: their number. */
  left_out: count.exactOptional(),
});

/** One request of a check and what came back. Each secret is replaced by its placeholder. */
export type Exchange = z.output<typeof exchange>;

const verdict = z.enum(['pass', 'fail', 'advisory', 'not-applicable', 'not-tested', 'inconclusive', 'error']);

export type Verdict = z.output<typeof verdict>;

const knownFailure = z.object({
  reason: z.string(),
  /** Where the failure is being worked on. */
  link: text,
  /** The last day, as `YYYY-MM-DD` in UTC, on which the failure is excused. */
  expires: z.string(),
});

/** An excuse for a deviation that is known, by a baseline. */
export type KnownFailure = z.output<typeof knownFailure>;

const baselineFault = z.object({
  /** The entry, as it is named in the file: `clause in check`, or the id of a finding. */
  entry: z.string(),
  /** `passes`: it is excused and passes again; `expired`: its day is over; `unknown`: the suite has no such check or clause. */
  fault: z.enum(['passes', 'expired', 'unknown']),
  /** In words, with what to do. */
  text: z.string(),
});

/** Why a baseline itself makes the run fail. */
export type BaselineFault = z.output<typeof baselineFault>;

const repetition = z.object({ seed: z.number(), verdict });

/** The verdict of a check in one of several runs. */
export type Repetition = z.output<typeof repetition>;

const why = z.object({
  kind: z.enum([
    ...['decision', 'endpoint', 'unchosen', 'unreachable', 'exhaustive', 'writes', 'budget', 'purse'],
    ...['ledger', 'payments', 'wait', 'address', 'client-ip', 'beats', 'admin', 'partner'],
    ...['webhooks', 'secret', 'mainnet', 'clock', 'control', 'effect', 'no-reply', 'interrupted', 'first-failure'],
  ] as const),
  /** The id of the decision that is not followed, of the endpoint that is not there or breaks off, or the calls that the control API lacks, or that do not do what they say. */
  of: text,
});

/** The kind of a reason for not judging, or for ending a run early: mostly something that is lacking. need-hints.ts says how each is provided. */
export type Why = z.output<typeof why>;

/** A reason for not judging. Without a kind there is nothing that a reader could do about it. */
export interface Reason {
  readonly reason: string;
  readonly why?: Why;
}

/** A reason of a kind, if it has one. */
export function reasonOf(reason: string, why: Why | undefined): Reason {
  return { reason, ...(why === undefined ? {} : { why }) };
}

const judged = {
  id: z.string(),
  title: z.string(),
  clauses: texts,
  level,
  wall_ms: z.number().nonnegative(),
  transcript: z.array(exchange).readonly(),
  /** The id of an endpoint that the target does not serve, which is why the check failed or could not be judged. */
  not_served: text,
  /** All that the check found wrong is excused by a baseline. */
  known: knownFailure.exactOptional(),
  /** Why a check that failed did not go on to its end, or why a part of it could not be judged. */
  ended: text,
  /** The kind of `reason` or `ended`. */
  why: why.exactOptional(),
  /** The verdicts of the repetitions, where they differ; such a check fails the run, whatever they are. */
  flaky: z.array(repetition).readonly().exactOptional(),
};

const mismatch = { about: z.string(), expected: z.string(), actual: z.string() };

/** The first failed assertion of a check: its subject, the expected and the actual value. */
export type Mismatch = { readonly [key in keyof typeof mismatch]: string };

const check = z.discriminatedUnion('verdict', [
  z.object({ ...judged, verdict: z.literal('pass') }),
  z.object({ ...judged, verdict: z.enum(['fail', 'advisory']), ...mismatch }),
  z.object({
    ...judged,
    verdict: z.enum(['not-applicable', 'not-tested', 'inconclusive', 'error']),
    reason: z.string(),
  }),
]);

/** The result of one check. A union, so that every verdict has the fields that it needs. */
export type CheckResult = z.output<typeof check>;

type WithoutTranscript<Result> = Result extends CheckResult ? Omit<Result, 'transcript'> : never;

/** The result of one check, without its transcript. */
export type CheckOutcome = WithoutTranscript<CheckResult>;

/** The check with an empty transcript. Its own is not read, since it may be made on demand. */
export function withoutTranscript(check: CheckResult): CheckResult {
  const empty = { value: [], enumerable: true, configurable: true, writable: true };
  return Object.defineProperties({} as CheckResult, { ...Object.getOwnPropertyDescriptors(check), transcript: empty });
}

const notServed = z.object({
  endpoint: z.string(),
  method: z.string(),
  path: z.string(),
  section: z.string(),
  /** The word by which `unsupported` of a target file declares it, with the others of that word. */
  stem: z.string(),
  /** How many checks could not be judged without it. */
  checks: count,
});

/** An endpoint that the target answers like an unknown path, and that its target file does not declare as missing. */
export type NotServedEndpoint = z.output<typeof notServed>;

const evidence = z.object({
  check: z.string(),
  /** The place of the request in the transcript of the check, and its endpoint: `#3 POST /api/v1/sigil`. */
  step: z.string(),
  /** The number of the request, from 1; absent if none was sent. */
  n: count.exactOptional(),
  level,
  about: z.string(),
  ok: z.boolean(),
  /** Absent where `ok`. */
  expected: text,
  actual: text,
});

/** One assertion about a clause: in which check and request, what it judged, and what it saw. */
export type ClauseEvidence = z.output<typeof evidence>;

const finding = z.object({
  /** The endpoint and what was judged, in words that stay the same from run to run. */
  id: z.string(),
  /** The clauses that fail by it. One mistake at several endpoints may fail clauses of both levels. */
  clauses: texts,
  level,
  /** Method and path; empty where no endpoint was judged. */
  endpoint: z.string(),
  /** All endpoints, where several have it. */
  endpoints: texts.exactOptional(),
  ...mismatch,
  /** The kind of the deviation, by which findings are in order; absent in reports of before there were kinds. */
  cause: z.enum(causeNames).exactOptional(),
  /** The value is not there: `actual` has the beginning of the reply that lacks it. */
  absent: z.literal(true).exactOptional(),
  /** The checks that met it. */
  checks: texts,
  /** The exchange in which the first of them saw it. */
  transcript: z.array(exchange).readonly(),
  /** The id of a finding that every one of them had met before, and which may explain it. */
  follows: text,
  /** It is excused by a baseline. */
  known: knownFailure.exactOptional(),
});

/** One deviation of the target, however many checks met it. */
export type Finding = z.output<typeof finding>;

const power = z.object({ noticed: count, of: count });

/** How many of some planted mistakes a run would have noticed. */
export type Power = z.output<typeof power>;

const clauseCounts = z.object({ total: count, judged: count, hold: count, fail: count });

/** How many clauses of a level there are to judge, without excluded ones, and what became of them. */
export type ClauseCounts = z.output<typeof clauseCounts>;

const reportedClause = z.object({
  id: z.string(),
  section: z.string(),
  section_title: z.string(),
  /** Where in that section it rests: table and row, or paragraph; for a decision, that the section leaves it open. */
  where: z.string(),
  level,
  text: z.string(),
  /** `holds`: there is evidence for it and none against it; `fails`: some is against it; `not-judged`: there is none. */
  state: z.enum(['holds', 'fails', 'not-judged', 'excluded']),
  /** Why it is not judged, and of what kind that is. */
  reason: text,
  why: why.exactOptional(),
  /** Its checks, and checks of other clauses that found that it fails. */
  checks: texts,
  excluded: text,
  /** How many exchanges of the run the model judged by it, and how many it could not; absent where it came to none. */
  exchanges: z.object({ pass: count, fail: count, open: count }).exactOptional(),
  /** How many of the planted mistakes that break it the run would have noticed; absent if none was planted. */
  power: power.exactOptional(),
  /** All that is against it, and the first of each check that is for it. */
  evidence: z.array(evidence).readonly(),
});

/** A clause as the report shows it. */
export type ReportedClause = z.output<typeof reportedClause>;

/** `conformance.json`. Parsing keeps the fields of the contract in their fixed order and drops every other. */
export const conformanceResultSchema = z.object({
  schema: z.literal(CONFORMANCE_SCHEMA),
  tool_version: z.string(),
  target: z.object({
    base_url: z.string(),
    beats_url: z.string().nullable(),
    network: z.string(),
    dialect: z.string(),
    /** All that the target file offers: clock, payments, client-ip, control, beats … */
    offers: texts,
  }),
  /** With `repeat`, that of the first run. */
  seed: z.number(),
  /** How many runs with successive seeds were made into this one; absent: one. */
  repeat: count.exactOptional(),
  /** `quick`: the run was cut to one judgement a clause; absent: it was not. */
  mode: z.literal('quick').exactOptional(),
  /** Of a quick run: how many checks it spared, since others judge their clauses. */
  spared: count.exactOptional(),
  started_at: z.string(),
  /** A recording was judged again: the times of checks and replies are 0 or absent, since they say nothing of the server. */
  replayed: z.literal(true).exactOptional(),
  wall_s: z.number().nonnegative(),
  /** The median time of a reply in ms; absent where several runs were made into this one. */
  reply_ms: z.number().nonnegative().exactOptional(),
  requests: count,
  lamports: count,
  /** Set when the run stopped before its end, with the reason. */
  stopped: text,
  /** The kind of that reason, if it has one. */
  stopped_why: why.exactOptional(),
  /** Set when the run went on without payments for which there was no money, with the reason. */
  unpaid: text,
  /** Remarks about replies that no clause is about; absent where there is none. */
  notes: texts.exactOptional(),
  summary: z.object({
    pass: count,
    fail: count,
    advisory: count,
    not_applicable: count,
    not_tested: count,
    inconclusive: count,
    error: count,
    clauses: z.object({ must: clauseCounts, decision: clauseCounts }),
  }),
  /** The endpoints that the target lacks, in the order of the specification; absent where it lacks none that was asked for. */
  not_served: z.array(notServed).readonly().exactOptional(),
  /** Present when the run was compared with a baseline of known failures. */
  baseline: z.object({ file: z.string(), known: count, faults: z.array(baselineFault).readonly() }).exactOptional(),
  exit_status: z.union([z.literal(0), z.literal(1), z.literal(2)]),
  /** The file next to this one that has the transcripts of checks that passed; absent: they are here. */
  transcripts: text,
  /** All that is wrong, each deviation once: those from the text first, then in the order in which to fix them. */
  findings: z.array(finding).readonly(),
  checks: z.array(check).readonly(),
  coverage: z.object({ clauses: count, judged: count, held: count, excluded: count }),
  /** The exchanges of the run, those that the model judged, and its pieces of evidence; absent where it judged none. */
  model: z.object({ exchanges: count, judged: count, evidence: count }).exactOptional(),
  /** How many of all planted mistakes a run that sent these requests would have noticed; absent if the model judged none. */
  power: power.exactOptional(),
  clauses: z.array(reportedClause).readonly(),
});

/** Everything that one run of the suite found. */
export type ConformanceResult = z.output<typeof conformanceResultSchema>;
