/**
 * The forms of replies that our decisions add to those of the text (forms.ts). A deviation is evidence against a decision, never against the text.
 */
import type { z } from 'zod';
import { clauseById } from '../../spec/clauses/index.js';
import type { Facts } from '../../spec/endpoint.js';
import { type EndpointId, endpointOf } from '../../spec/endpoint-ids.js';
import { show } from './compare.js';

/** A form by a decision: its endpoints (empty: all), the path in the reply, and the clause. */
type Row = readonly [endpoints: readonly EndpointId[], path: RegExp, clause: string];

const verified = ['verify', 'verify-batch'] as const;
const anchors = ['beat-anchor', 'beats.beat-anchor'] as const;

/** Values that only a decision puts into a reply. The first matching row counts. */
const shown: readonly Row[] = [
  [['status'], /^beat_state\./, 'status.reply.beat-state'],
  [['status'], /^status$/, 'status.reply.status'],
  [['status'], /^/, 'status.reply'],
  [verified, /^(results\.\d+\.)?agent(\.|$)/, 'verify.reply.agent'],
  [verified, /^(results\.\d+\.)?sigil\.generation$/, 'metadata.generation.start'],
  [verified, /^(results\.\d+\.)?sigil\./, 'verify.reply.sigil'],
  [verified, /^(results\.\d+\.)?beat_state\./, 'verify.reply.beat-state'],
  [verified, /^(results\.\d+\.)?lineage\./, 'verify.reply.lineage'],
  [verified, /^(results\.\d+\.)?root(\.|$)/, 'verify.reply.root'],
  [verified, /^(results\.\d+\.)?standing$/, 'agent.standing.values'],
  [['verify'], /^/, 'verify.reply'],
  [['beat-status'], /^heartbeat(\.|$)/, 'beat-status.reply.heartbeat'],
  [['beat-status'], /^heartbeat_epoch(\.|$)/, 'beat-status.reply.heartbeat-epoch'],
  [['beat-status'], /^whitelist\.deadline_anchors$/, 'beat-status.reply.whitelist.deadline-anchors'],
  [['beat-status'], /^whitelist(\.|$)/, 'beat-status.reply.whitelist'],
  [['beat-status'], /^gestation(\.|$)/, 'beat-status.reply.gestation'],
  [['beat-status'], /^/, 'beat-status.reply'],
  [anchors, /^anchor(\.|$)/, 'beat-anchor.reply.anchor'],
  [anchors, /^on_chain(\.|$)/, 'beat-anchor.reply.on-chain'],
  [anchors, /^receipt(\.|$)/, 'beat-anchor.reply.receipt'],
  [anchors, /^anchor_interval_sec$/, 'beat-anchor.reply.anchor-interval-sec'],
  [anchors, /^next_anchor_at$/, 'beat-anchor.reply.next-anchor-at'],
  [anchors, /^/, 'beat-anchor.reply'],
  [['beat-verify', 'beats.beat-verify'], /^/, 'beat-verify.reply'],
  [['authority-key'], /^schema_version$/, 'authority-key.reply.schema-version'],
  [['authority-key'], /^algorithm$/, 'authority-key.reply.algorithm'],
  [['authority-key'], /^verification(\.|$)/, 'authority-key.reply.verification'],
  [['authority-key'], /^/, 'authority-key.reply'],
  [['fees-summary'], /^payment_chain$/, 'fees-summary.reply.payment-chain'],
  [['fees-summary'], /^(by_type\.\d+\.allocation|overall_allocation)(\.|$)/, 'fees-summary.reply.allocation'],
  [['fees-summary'], /^by_type(\.|$)/, 'fees-summary.reply.by-type'],
  [['fees-summary'], /^fee_split_bps(\.|$)/, 'fees-summary.reply.fee-split-bps'],
  [['fees-summary'], /^schedule(\.|$)/, 'fees-summary.reply.schedule'],
  [['fees-summary'], /^/, 'fees-summary.reply'],
  [['passport'], /^passport_vc(\.|$)/, 'passport.reply.passport-vc'],
  [['passport'], /^/, 'passport.reply'],
  [['beat-key'], /^/, 'beat-key.reply'],
  [['beat-timestamp'], /^/, 'beat-timestamp.reply.receipt'],
  [['health'], /^/, 'health.route'],
  [['work-proof.get'], /^/, 'work-proof.route.get'],
  [['work-proof.post'], /^valid$/, 'work-proof.reply.valid'],
  [['work-proof.post'], /^receipt(\.|$)/, 'receipt.payload'],
  [['wallet'], /^(agent_hash|wallet|wallet_model|wallet_chain|ok)$/, 'wallet.finalize.reply'],
  [['init'], /^difficulty$/, 'init.reply.again.difficulty'],
  [['init'], /^last_heartbeat_beat$/, 'init.reply.again.last-heartbeat-beat'],
];

/** Values of the text that have their form from a decision. */
const formed: readonly Row[] = [
  [['register'], /^secret$/, 'key.secret.form'],
  [['register'], /^api_key$/, 'key.agent.payload'],
  [['register'], /^nonce$/, 'register.nonce.form'],
  [['wallet'], /^nonce$/, 'wallet.nonce.form'],
  [['resync'], /^challenge\.nonce$/, 'resync.nonce.form'],
  [['init'], /^genesis\.prev$/, 'genesis.prev'],
  [['init'], /^genesis\.hash$/, 'genesis.hash'],
  [['init'], /^(genesis|latest)_hash$/, 'beat.hash.form'],
  [['metadata'], /^generation$/, 'metadata.generation.start'],
  [[], /(^|\.)lineage_chain_hash$/, 'lineage.hash.form'],
  [[], /(^|\.)amount_lamports$/, 'fee.amount-lamports.integer'],
];

function rowOf(rows: readonly Row[], id: EndpointId, path: string): string | undefined {
  return rows.find(
    ([endpoints, pattern]) => (endpoints.length === 0 || endpoints.includes(id)) && pattern.test(path),
  )?.[2];
}

/** The fields of a passport in any reply. 2.6 gives their forms. */
const OF_PASSPORT = /^(passport|lineage_proof)\.[^.]+$/;

/** The clause of the decision that gives the form of a path; undefined if no decision does. */
export function decisionClauseOf(id: EndpointId, path: string): string | undefined {
  if (id === 'passport' && OF_PASSPORT.test(path)) return rowOf(formed, id, path);
  return rowOf(shown, id, path) ?? rowOf(formed, id, path);
}

/** The decision by which a value must be in a reply; undefined if the text requires it. */
export function decisionBehind(id: EndpointId, path: string): string | undefined {
  const clause = rowOf(shown, id, path);
  return clause === undefined ? undefined : clauseById(clause).decision;
}

/** A path that replies of an endpoint have had, its clause, and the longer ones by their next name. */
interface Place {
  readonly path: string;
  readonly clause: string | undefined;
  readonly inner: Map<string, Place>;
}

/** At most this many places are kept, and none with a long name, since a target may add fields. */
const PLACES_MAX = 5_000;
const NAME_CHARS_MAX = 100;
const roots = new Map<EndpointId, Place>();
let places = 0;

/** The clauses of decisions about forms for which a reply is evidence. */
export function decisionClausesShown(id: EndpointId, json: unknown): ReadonlySet<string> {
  if (places > PLACES_MAX) {
    roots.clear();
    places = 0;
  }
  const root = roots.get(id) ?? { path: '', clause: undefined, inner: new Map() };
  roots.set(id, root);
  const found = new Set<string>();
  const collect = (value: unknown, { path, inner }: Place): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [name, member] of Object.entries(value)) {
      const place = inner.get(name) ?? placeOf(id, path === '' ? name : `${path}.${name}`);
      if (name.length <= NAME_CHARS_MAX) inner.set(name, place);
      if (place.clause !== undefined) found.add(place.clause);
      collect(member, place);
    }
  };
  collect(json, root);
  return found;
}

function placeOf(id: EndpointId, path: string): Place {
  places += 1;
  return { path, clause: decisionClauseOf(id, path), inner: new Map() };
}

/** A field of a reply that does not fit the schema. */
interface Deviation {
  readonly path: string;
  readonly expected: string;
  /** Undefined if the field is missing. */
  readonly actual: string | undefined;
}

/** The deviations of each reply: overlapping exchanges are judged in many orders, each with the same replies. */
const known = new WeakMap<object, readonly [schema: z.ZodType, found: readonly Deviation[]]>();

/** The deviations of a reply from a schema. A target may add fields, so unknown keys are no deviation. */
export function deviations(schema: z.ZodType, json: unknown): readonly Deviation[] {
  if (typeof json !== 'object' || json === null) return deviationsOf(schema, json);
  const [of, before] = known.get(json) ?? [];
  if (of === schema && before !== undefined) return before;
  const found = deviationsOf(schema, json);
  known.set(json, [schema, found]);
  return found;
}

function deviationsOf(schema: z.ZodType, json: unknown): readonly Deviation[] {
  const result = schema.safeParse(json);
  if (result.success) return [];
  return result.error.issues.flatMap(issuesOf).map((issue) => {
    const path = issue.path.map(String).join('.');
    const value = valueAt(json, issue.path);
    return { path, expected: wordsOf(issue), actual: value === undefined ? value : show(value) };
  });
}

type Issue = z.core.$ZodIssue;

function issuesOf(issue: Issue): Issue[] {
  if (issue.code === 'unrecognized_keys') return [];
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) return [issue];
  const branches = issue.errors.map((branch) => branch.flatMap(issuesOf));
  if (branches.some((branch) => branch.length === 0)) return [];
  // If no branch accepts a value of this kind, report all accepted kinds.
  const fitting = branches.filter((branch) => branch.every(({ path }) => path.length > 0));
  if (fitting.length === 0) return [issue];
  // Otherwise report the deviations of the closest branch.
  const [best = []] = fitting.toSorted((a, b) => a.length - b.length);
  return best.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }));
}

/** The expectation of a schema, in words for reports. */
function wordsOf(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return TYPES[issue.expected] ?? `${/^[aeiou]/.test(issue.expected) ? 'an' : 'a'} ${issue.expected}`;
    case 'too_small':
      return `at least ${issue.minimum}${UNITS[issue.origin] ?? ''}`;
    case 'too_big':
      return `at most ${issue.maximum}${UNITS[issue.origin] ?? ''}`;
    case 'invalid_union':
      if (issue.errors.length > 0) {
        return [...new Set(issue.errors.map((branch) => branch.flatMap(issuesOf).map(wordsOf)[0]))].join(' or ');
      }
      return 'options' in issue && Array.isArray(issue.options)
        ? `one of ${issue.options.map(show).join(', ')}`
        : 'another form';
    case 'invalid_value':
      return issue.values.length === 1 ? show(issue.values[0]) : `one of ${issue.values.map(show).join(', ')}`;
    case 'invalid_format':
      return 'pattern' in issue && issue.pattern !== undefined
        ? `a string that matches ${issue.pattern}`
        : `a ${issue.format}`;
    case 'custom':
      // The message is from our own schema.
      return issue.message === '' ? 'another form' : issue.message.replace(/^must be /, '');
    default:
      return 'another form';
  }
}

/** Types with a clearer name than that of the validator. */
const TYPES: Readonly<Record<string, string>> = {
  int: 'a whole number',
  tuple: 'an array',
  record: 'an object',
  nan: 'a number',
  null: 'null',
};

const UNITS: Readonly<Record<string, string>> = { string: ' characters', array: ' items' };

function valueAt(json: unknown, path: readonly PropertyKey[]): unknown {
  let node = json;
  for (const key of path) {
    if (typeof node !== 'object' || node === null) return undefined;
    node = (node as Record<PropertyKey, unknown>)[key];
  }
  return node;
}

type Replies = Readonly<Record<number, z.ZodType>>;
const schemas = new WeakMap<Facts, Map<EndpointId, Replies>>();

/** The reply schemas of an endpoint for a deployment's facts; cached. */
function repliesOf(id: EndpointId, facts: Facts): Replies {
  const known = schemas.get(facts) ?? new Map<EndpointId, Replies>();
  schemas.set(facts, known);
  const replies = known.get(id) ?? endpointOf(id).replies(facts);
  known.set(id, replies);
  return replies;
}

/** The schema of a success with this status; if the specification gives another status, the schema of that success. */
export function successSchema(id: EndpointId, status: number, facts: Facts): z.ZodType | undefined {
  const replies = repliesOf(id, facts);
  const any = Object.keys(replies).find((key) => key.startsWith('2'));
  return replies[status] ?? (any === undefined ? undefined : replies[Number(any)]);
}
