/**
 * The form of a recording, and its reader: lines of JSON, of which the first describes the run, the last is the digest of all others, and those
 * between are exchanges, deliveries and chains of beats. A recording may come from a stranger, so each field is validated here. No field can make the suite use a
 * file, a program or an address. Recordings are made in recording.ts.
 */

import { hash } from 'node:crypto';
import { z } from 'zod';
import type { Parsed, Problem } from '../../spec/document.js';
import { jsonDeeperAt, jsonOf, notJson, otherFormat } from '../../spec/formats.js';
import { profileNamed } from '../run/profile.js';
import { parseTarget, type Target } from '../target/target.js';
import { REPLY_BYTES_MAX } from '../wire/wire.js';

/** The version of the form of a recording. */
export const RECORDING_SCHEMA = 'aips-lab/recording/2';

/** The longest run of the suite has some 20,000. */
const ENTRIES_MAX = 200_000;
const LINE_CHARS_MAX = 4 * REPLY_BYTES_MAX;
const DEPTH_MAX = 20;
const FIELDS_MAX = 256;
const TEXT_CHARS_MAX = 65_536;
const URL_CHARS_MAX = 65_536;
const CHECKS_MAX = 10_000;
/** No check computes as many beats. */
const BEATS_MAX = 1_000_000;
const CONCURRENCY_MAX = 1_024;
/** The last moment with a year of four digits. */
const TIME_MS_MAX = 253_402_300_799_999;
const PROBLEMS_MAX = 20;

/** A command as the suite prints it: plain and quoted words for a shell, without special characters. */
const COMMAND = /^aips conform(?: (?:[\w./:@%+=,-]+|'[^'\p{Cc}]*'(?:\\''[^'\p{Cc}]*')*))*$/u;

const text = z.string().max(TEXT_CHARS_MAX, `must have at most ${TEXT_CHARS_MAX} characters`);
const body = z.string().max(REPLY_BYTES_MAX, `must have at most ${REPLY_BYTES_MAX} characters`);
const id = z.string().regex(/^[\w./-]{1,200}$/, 'must be the id of a check');
const method = z.string().regex(/^[A-Z]{1,16}$/, 'must be a method, such as GET');
const httpUrl = z
  .string()
  .max(URL_CHARS_MAX)
  .refine((url) => /^https?:\/\//.test(url) && URL.canParse(url), 'must be an http or https URL');

function fields<T extends z.ZodType>(value: T) {
  return z
    .record(z.string().regex(/^[\w!#$%&'*+.^`|~-]{1,256}$/, 'must be the name of a header'), value)
    .refine((all) => Object.keys(all).length <= FIELDS_MAX, `must hold at most ${FIELDS_MAX} headers`);
}

const exchange = z.strictObject({
  /** The number of the request, in the order of sending. */
  sent: z.int().nonnegative(),
  /** The origin of a request: a check, by its id, or the run itself. */
  owner: id,
  /** How many entries were before it when it was sent: it overlaps those that follow and were sent before its reply. */
  after: z.int().nonnegative(),
  method,
  url: httpUrl,
  headers: fields(text),
  body: body.exactOptional(),
  reply: z
    .strictObject({
      status: z.int().min(100).max(599),
      headers: fields(text),
      body,
      cut: z.literal(true).exactOptional(),
    })
    .exactOptional(),
  failure: z.strictObject({ kind: z.enum(['unreachable', 'hang', 'broken']), message: text }).exactOptional(),
});

const delivery = z.strictObject({
  path: z.string().max(URL_CHARS_MAX).startsWith('/', 'must begin with /'),
  method,
  headers: fields(z.union([text, z.array(text).max(FIELDS_MAX)])),
  text: body,
});

const hex = z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 digest in hex');

/** A chain of beats that the suite computed, so that a replay need not: of its hashes those that an exchange shows, by their place in the chain. */
const chain = z.strictObject({
  chain: z.strictObject({
    from: text,
    beats: z.int().nonnegative().max(BEATS_MAX),
    fromIndex: z.int().nonnegative(),
    anchorHash: text.nullable(),
    difficulty: z.int().nonnegative(),
  }),
  hashes: z.record(z.string().regex(/^\d{1,7}$/, 'must be a place in the chain'), hex),
});

export type RecordedChain = z.output<typeof chain>;
export type RecordedExchange = z.output<typeof exchange>;
export type RecordedDelivery = z.output<typeof delivery>;
export type RecordedEntry = RecordedExchange | RecordedDelivery;

const kept = z.strictObject({
  kind: z.enum(['none', 'control'], {
    error: ({ input }) =>
      `a recording cannot pay by ${String(input)}: a replay would pay again, and --record writes no such recording`,
  }),
});

/** A target in a recording, which refers to no other file. Its numbers and names are validated like those of a target file. */
const recordedTarget = z.strictObject({
  base_url: httpUrl,
  beats_url: httpUrl.exactOptional(),
  network: z.enum(['devnet', 'mainnet']),
  dialect: z.union([z.string().max(64), z.record(z.string(), z.unknown())]),
  registration_secret: text.exactOptional(),
  admin_key: text.exactOptional(),
  partner_key: text.exactOptional(),
  control: z.strictObject({ url: httpUrl, token: text }).exactOptional(),
  payments: kept,
  client_ip: z.enum(['x-forwarded-for', 'none']),
  webhooks: z.strictObject({ listen: z.string().max(256), public_url: httpUrl.exactOptional() }).exactOptional(),
  beats_required: z.boolean(),
  byo_wallet: z.boolean(),
  unsupported: z.array(z.string().max(200)).max(CHECKS_MAX),
  budget: z.record(z.string(), z.number()),
  shapes: z.record(z.string(), z.record(z.string(), z.string())).exactOptional(),
  protocol: z.record(z.string(), z.unknown(), 'must hold the numbers themselves, not the name of a file'),
});

const clauseIds = z.array(id).max(CHECKS_MAX);

const manifestSchema = z.strictObject({
  schema: z.literal(RECORDING_SCHEMA, { error: ({ input }) => otherFormat(input, RECORDING_SCHEMA) }),
  tool_version: z.string().regex(/^[\w.+-]{1,64}$/, 'must be a version'),
  /** Digests of the code and tables that judged the run, and of the text that they judged by. */
  digests: z.strictObject({ suite: hex, text: hex }),
  /** The command that judges the target itself, without its selection of checks. */
  command: text.regex(COMMAND, 'must be one aips conform command, without other shell commands'),
  started_ms: z.int().nonnegative().max(TIME_MS_MAX),
  seed: z.int().nonnegative(),
  concurrency: z.int().positive().max(CONCURRENCY_MAX),
  allow_writes: z.boolean(),
  profile: z.string().refine((name) => profileNamed(name) !== undefined, 'is no profile of this version'),
  /** The globs that selected checks; absent: all of the profile. */
  only: z.array(text).max(CHECKS_MAX).exactOptional(),
  checks: z.array(id).max(CHECKS_MAX),
  /** Of a quick run: the checks that it spared. */
  spared: z.array(id).max(CHECKS_MAX).exactOptional(),
  /** The result of the run itself: its exit status, and the clauses that pass and that fail. */
  result: z.strictObject({ exit_status: z.literal([0, 1, 2]), holds: clauseIds, fails: clauseIds }),
  target: recordedTarget,
});

const seal = z.strictObject({ sha256: hex });

/** A recorded run: its target, checks and options, and its exchanges in the order of their replies. */
export interface Recording {
  readonly manifest: z.output<typeof manifestSchema>;
  readonly target: Target;
  readonly entries: readonly RecordedEntry[];
  readonly chains: readonly RecordedChain[];
  /** The digest at its end: equal recordings have the same. */
  readonly digest: string;
}

/** Ends the lines of a recording with their digest. */
export function sealed(lines: string): string {
  return lines + sealOf(lines);
}

function sealOf(lines: string): string {
  return `${JSON.stringify({ sha256: hash('sha256', lines, 'hex') })}\n`;
}

/** Reads a recording. `file`: its name in problems. One that was changed after it was made is a problem. */
export function parseRecording(written: string, file: string): Parsed<Recording> {
  const manifestEnd = lineEnd(written, 0);
  const manifest = parsed(manifestSchema, written.slice(0, manifestEnd), file, 1);
  if (!manifest.ok) return manifest;
  const sealStart = Math.max(written.lastIndexOf('\n', written.length - 2) + 1, manifestEnd + 1);
  const broken = sealProblem(written, sealStart);
  if (broken !== undefined) return { ok: false, problems: [{ file, line: 1, key: '', message: broken }] };
  const sources = { env: {}, readText: () => undefined };
  const target = parseTarget(JSON.stringify(manifest.value.target), file, sources);
  if (!target.ok) return target;
  const entries = parsedEntries(written.slice(manifestEnd + 1, sealStart), file);
  if (!entries.ok) return entries;
  const { sha256: digest } = seal.parse(jsonOf(written.slice(sealStart)));
  return { ok: true, value: { manifest: manifest.value, target: target.value, ...entries.value, digest } };
}

/** The problem of the digest at the end of a recording; undefined if it fits. */
function sealProblem(written: string, start: number): string | undefined {
  const last = seal.safeParse(jsonOf(written.slice(start)));
  if (!last.success) return 'does not end with its digest: it was cut off or changed after it was recorded';
  const sealed = sealOf(written.slice(0, start));
  if (sealed === written.slice(start)) return undefined;
  const own = seal.parse(jsonOf(sealed)).sha256;
  return own === last.data.sha256
    ? 'was changed after it was recorded: its last line has more than the digest of the lines before it'
    : `was changed after it was recorded: the SHA-256 of its lines before the last is ${own}, and its last line has ${last.data.sha256}. Only an unchanged recording is judged`;
}

function lineEnd(all: string, start: number): number {
  const end = all.indexOf('\n', start);
  return end < 0 ? all.length : end;
}

/** The entries, which begin in the second line of the file. */
function parsedEntries(all: string, file: string): Parsed<Pick<Recording, 'entries' | 'chains'>> {
  if (hasMoreLines(all, ENTRIES_MAX)) {
    const message = `holds more than ${ENTRIES_MAX} exchanges`;
    return { ok: false, problems: [{ file, line: ENTRIES_MAX + 2, key: '', message }] };
  }
  const entries: RecordedEntry[] = [];
  const chains: RecordedChain[] = [];
  const problems: Problem[] = [];
  let start = 0;
  for (let line = 2; start < all.length && problems.length < PROBLEMS_MAX; line += 1) {
    const until = lineEnd(all, start);
    const report = (message: string): number => problems.push({ file, line, key: '', message });
    if (until - start > LINE_CHARS_MAX) report(`is longer than ${LINE_CHARS_MAX} characters`);
    else if (until > start) {
      const written = all.slice(start, until);
      const schema = written.startsWith('{"path"') ? delivery : written.startsWith('{"chain"') ? chain : exchange;
      const entry = parsed<RecordedEntry | RecordedChain>(schema, written, file, line);
      if (!entry.ok) problems.push(...entry.problems);
      else if ('chain' in entry.value) chains.push(entry.value);
      else entries.push(entry.value);
    }
    start = until + 1;
  }
  return problems.length > 0
    ? { ok: false, problems: problems.slice(0, PROBLEMS_MAX) }
    : { ok: true, value: { entries, chains } };
}

function hasMoreLines(all: string, linesMax: number): boolean {
  let lines = 0;
  for (let at = all.indexOf('\n'); at >= 0 && lines <= linesMax; at = all.indexOf('\n', at + 1)) lines += 1;
  return lines > linesMax;
}

function parsed<T>(schema: z.ZodType<T>, written: string, file: string, line: number): Parsed<T> {
  const refuse = (message: string): Parsed<T> => ({ ok: false, problems: [{ file, line, key: '', message }] });
  // The JSON parser and the schema are recursive, so the depth is limited first.
  if (jsonDeeperAt(written, DEPTH_MAX) !== undefined) return refuse(`nests deeper than ${DEPTH_MAX} levels`);
  const json = jsonOf(written);
  if (json === undefined) return refuse(notJson(written, { isFollowed: line > 1 }));
  const result = schema.safeParse(json);
  if (result.success) return { ok: true, value: result.data };
  const problems = result.error.issues.slice(0, PROBLEMS_MAX).map(({ path, message }) => ({
    file,
    line,
    key: path.map(String).join('.'),
    message,
  }));
  return { ok: false, problems };
}
