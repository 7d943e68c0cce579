/**
 * Judges the traffic of a run while it runs. Overlapping exchanges about the same subjects may have been served in any order. It looks for an order
 * that explains all their replies; if there is none, the replies deviate.
 */

import { changesState } from '../spec/endpoint.js';
import type { Evidence, Judgement } from './evidence.js';
import { judge, noteEnd, noteRequest } from './exchange.js';
import { readClock } from './facts/clock.js';
import { UNKNOWN } from './facts/earlier.js';
import { feeTypes } from './facts/fees.js';
import { commonTo, forgetSubject } from './facts/join.js';
import { receiptKey } from './facts/proof.js';
import { moveTo } from './facts/rules.js';
import type { State } from './facts/state.js';
import { judgeClock } from './judge/clock.js';
import { judgeOrders, settleOn } from './orders.js';
import { type Call, type ControlCall, type ReadReply, type Request, requestOf } from './reading/call.js';
import { jsonIn, namesIn } from './reading/values.js';

/** A judged exchange. `by`: the mark of its sender. */
export interface Judged<T> {
  readonly by: T;
  readonly judgement: Judgement;
}

/** An exchange that is open, or that has ended and waits for overlapping ones. */
interface Entry<T> {
  readonly by: T;
  readonly call: Call | ControlCall;
  readonly begin: number;
  readonly reads: readonly string[];
  /** The subjects that it only adds to: additions give the same sum in any order. */
  readonly adds: readonly string[];
  writes: readonly string[];
  end: number | undefined;
  reply: ReadReply | undefined;
}

/** An exchange with its reply. */
type Ended<T> = Entry<T> & { readonly end: number; readonly reply: ReadReply };

const hasEnded = <T>(entry: Entry<T>): entry is Ended<T> => entry.end !== undefined && entry.reply !== undefined;

/**
 * Ends an exchange with its reply, if any. `isSure`: the reply is complete and its own. `endedMs`: when it ended by the clock of an observer, from which
 * the time of the service follows, if no control call moves it.
 */
export type End = (
  reply?: { readonly status: number; readonly body: string; readonly headers?: Readonly<Record<string, string>> },
  isSure?: boolean,
  endedMs?: number,
) => void;

/** The Date header of a reply, in ms. */
function dateOf(reply: Parameters<End>[0]): number | undefined {
  const ms = Date.parse(reply?.headers?.['date'] ?? '');
  return Number.isNaN(ms) ? undefined : ms;
}

/** Judges the exchanges of one run against a service. */
export class Oracle<T> {
  #clock = 0;
  readonly #underWay = new Set<Entry<T>>();
  /** Exchanges that have ended and wait for overlapping ones. */
  readonly #waiting = new Set<Entry<T>>();
  /** Subjects in an unknown state, since a reply or the order of requests about them is unknown. Requests about them are not judged. */
  readonly #lost = new Set<string>();

  constructor(
    readonly state: State,
    readonly onJudged: (judged: Judged<T>) => void,
  ) {}

  /** Begins an exchange when its request is sent, at `beganMs` by the clock of an observer. */
  begin(request: Request, by: T, beganMs?: number): End {
    const call = requestOf(this.state.settings, request);
    if (call === undefined) return () => undefined;
    if ('endpoint' in call) noteRequest(this.state, call);
    const subjects = subjectsOf(this.state, call);
    const entry: Entry<T> = { by, call, begin: this.#clock++, ...subjects, end: undefined, reply: undefined };
    this.#underWay.add(entry);
    return (reply, isSure = reply !== undefined, endedMs) => {
      this.#underWay.delete(entry);
      entry.end = this.#clock++;
      const seen =
        beganMs === undefined || endedMs === undefined ? undefined : { beganMs, endedMs, dateMs: dateOf(reply) };
      entry.reply = reply && { status: reply.status, json: jsonIn(reply), ...(seen === undefined ? {} : { seen }) };
      const isLost =
        this.#lost.size > 0 && [...entry.reads, ...entry.writes].some((subject) => this.#lost.has(subject));
      const isJudged = isSure && !isLost;
      if (isJudged) this.#waiting.add(entry);
      // The time is unknown until the clock is read again.
      else if (entry.writes.includes(EVERYTHING)) moveTo(this.state, undefined, undefined);
      else if (entry.writes.length > 0 || ('endpoint' in call && changesState(call.endpoint)))
        for (const subject of [...entry.writes, ...namesIn(entry.reply?.json)]) this.#lose(subject);
      this.#settle(entry);
      if (!isJudged) noteEnd(this.state, call);
    };
  }

  /** Judges an entry together with all exchanges that overlap it, once all of them have ended. */
  #settle(entry: Entry<T>): void {
    const group = new Set<Entry<T>>([entry]);
    for (const one of group) {
      for (const other of this.#waiting) if (other !== one && conflict(one, other)) group.add(other);
      // An exchange that began after the end of another was served after it, so it does not belong to the group.
      for (const other of this.#underWay) if (other.begin < (one.end ?? 0) && conflict(one, other)) group.add(other);
    }
    if ([...group].some((one) => this.#underWay.has(one))) {
      // Later requests may use values of this reply, which the state lacks until it is judged: they wait, too.
      entry.writes = [...entry.writes, ...namesIn(entry.reply?.json)];
      return;
    }
    const ended = [...group].filter((one) => this.#waiting.delete(one)).flatMap((one) => (hasEnded(one) ? [one] : []));
    const { judged, isKnown } = judgeTogether(
      this.state,
      ended.toSorted((one, other) => one.end - other.end),
    );
    for (const { call } of ended) noteEnd(this.state, call);
    for (const each of judged) this.onJudged(each);
    const lost = this.state.isWhole ? changedInUnknownOrder(ended) : isKnown ? [] : ended.flatMap(changedBy);
    for (const subject of lost) this.#lose(subject);
  }

  /** Makes the state of a subject unknown. A state from an unknown start learns it again from later replies. */
  #lose(subject: string): void {
    if (this.state.isWhole) this.#lost.add(subject);
    else forgetSubject(this.state, subject);
  }
}

function conflict<T>(one: Entry<T>, other: Entry<T>): boolean {
  const meet = (left: readonly string[], right: readonly string[]): boolean =>
    left.some((subject) => right.includes(subject));
  if (one.writes.includes(EVERYTHING) || other.writes.includes(EVERYTHING)) return true;
  const changes = (by: Entry<T>, { reads, adds }: Entry<T>): boolean =>
    meet(by.writes, reads) || meet(by.writes, adds) || meet(by.adds, reads);
  return meet(one.writes, other.writes) || changes(one, other) || changes(other, one);
}

/** Subjects that a request may have changed, and those that its reply names. */
function changedBy<T>({ writes, reply }: Ended<T>): readonly string[] {
  return reply.status < 400 ? [...writes, ...namesIn(reply.json)] : [];
}

/** Subjects that overlapping requests changed, one of them by PUT or DELETE: their state depends on the unknown order. */
function changedInUnknownOrder<T>(entries: readonly Entry<T>[]): readonly string[] {
  const accepted = entries.filter(({ reply }) => (reply?.status ?? Number.POSITIVE_INFINITY) < 400);
  const kindOf = ({ call }: Entry<T>): string =>
    'control' in call ? call.control : `${call.endpoint.method} ${call.endpoint.path}`;
  const mayReplace = (one: Entry<T>, other: Entry<T>): boolean =>
    kindOf(one) !== kindOf(other) && [one, other].some((each) => /^(PUT|DELETE)/.test(kindOf(each)));
  const overlap = (one: Entry<T>, other: Entry<T>): boolean =>
    one.begin < (other.end ?? 0) && other.begin < (one.end ?? 0) && mayReplace(one, other);
  return accepted.flatMap((one) =>
    one.writes.filter((subject) => accepted.some((other) => other.writes.includes(subject) && overlap(one, other))),
  );
}

/** Why evidence of overlapping exchanges does not count: there are too many orders to try them all. */
const NOT_PROVEN = 'requests overlap in more orders than the search tries';

/**
 * Judges exchanges in the order with the least evidence against clauses. That evidence counts only if no other order can have less. Returns also
 * whether the state after them is known.
 */
function judgeTogether<T>(
  state: State,
  entries: readonly Ended<T>[],
): { readonly judged: readonly Judged<T>[]; readonly isKnown: boolean } {
  const [first] = entries;
  if (entries.length <= 1) return { judged: first === undefined ? [] : judgeOne(state, first), isKnown: true };
  const { judged, against, path, isComplete, ends } = judgeOrders<Ended<T>, Judged<T>>(state, entries, {
    judge: judgeOne,
    isPassive: ({ call, reply }) => reply.status >= 400 || ('endpoint' in call && !changesState(call.endpoint)),
    meet: conflict,
    weight: weightOf,
    isGood: (weight) => weight < MUST_WEIGHT,
    all: !state.isWhole,
  });
  if (!isComplete && against > 0) for (const { judgement } of judged) judgement.withdraw(isAgainst, NOT_PROVEN);
  // Before the state changes: an order reads from it what it has not changed.
  const keepCommon = commonTo(state, state.isWhole ? [] : ends);
  settleOn(state, path);
  keepCommon();
  return { judged, isKnown: isComplete };
}

function judgeOne<T>(state: State, { by, call, reply }: Ended<T>): readonly Judged<T>[] {
  const { clock } = state;
  if (reply.seen === undefined || !('endpoint' in call)) return [{ by, judgement: judge(state, call, reply) }];
  const shown = readClock(state, call, { ...reply, seen: reply.seen });
  const judgement = judge(state, call, reply);
  judgeClock(judgement, shown, clock, state, reply.seen);
  return [{ by, judgement }];
}

const isAgainst = ({ ok }: Evidence): boolean => !ok;

/** Larger than the number of decisions that a few exchanges can break. */
const MUST_WEIGHT = 10_000;

/** The weight of the evidence against clauses. One clause of the text outweighs all decisions. */
function weightOf<T>(judged: readonly Judged<T>[]): number {
  const all = judged.flatMap(({ judgement }) => judgement.evidence.filter(isAgainst));
  // A missing code is missing in every order.
  const against = all.filter(({ about }) => about !== 'code');
  return against.reduce((sum, { level }) => sum + (level === 'must' ? MUST_WEIGHT : 1), 0);
}

const BOOKS = 'books';
/** The subject of a call that moves the clock or resets the service: it affects all other subjects. */
const EVERYTHING = '*';
/** The ancestors of an agent, any of which may pay for it. */
function ancestorsOf(state: State, hash: string | undefined): readonly string[] {
  const parent = hash === undefined ? undefined : state.agents.find(hash)?.parent;
  return parent == null || parent === UNKNOWN ? [] : [parent, ...ancestorsOf(state, parent)];
}

function subjectsOfControl(state: State, { control, body }: ControlCall): readonly string[] {
  if (/^POST (clock|reset)/.test(control)) return [EVERYTHING];
  if (control.startsWith('PUT fees')) return [BOOKS];
  // `to` is left out: all payments go to the same address.
  const { to: _, transfers, ...own } = body;
  const senders = Array.isArray(transfers) ? transfers.map((each) => Object(each).from) : [];
  const names = [...control.split('/'), ...Object.values(own), ...new Set(senders)].flatMap(namesIn);
  return names.flatMap((name) => [name, ...(state.flags.holds(name) ? [state.flags.find(name)?.target ?? name] : [])]);
}
/** Fields of a body that name subjects of the request. */
const NAMING = [
  'child_hash',
  'target_hash',
  'parent',
  'agent_hash',
  'payment_tx',
  'wallet_nonce',
  'challenge_nonce',
  'spawn_authorization',
];

/** The subjects that a request reads and changes: agents, payments, nonces, receipts. */
function subjectsOf(state: State, call: Call | ControlCall): Pick<Entry<unknown>, 'reads' | 'adds' | 'writes'> {
  if ('control' in call) return { reads: [], adds: [], writes: subjectsOfControl(state, call) };
  const { body = {}, bearer, hash, headers, endpoint } = call;
  const own = bearer === undefined ? undefined : (state.keys.find(bearer)?.hash ?? bearer);
  const receipt = body['beats_receipt'];
  const token = headers['x-registration-token'];
  const subjects: string[] = [];
  if (own !== undefined) subjects.push(own);
  if (hash !== undefined) subjects.push(hash);
  for (const field of NAMING) {
    const named = body[field];
    if (typeof named === 'string') subjects.push(named.toLowerCase());
  }
  if (Array.isArray(body['hashes'])) for (const each of body['hashes']) subjects.push(String(each).toLowerCase());
  if (token !== undefined) subjects.push(token);
  if (receipt !== undefined) subjects.push(receiptKey(receipt));
  if (!changesState(endpoint))
    return { reads: endpoint.id === 'fees-summary' ? [BOOKS] : subjects, adds: [], writes: [] };
  if (!(endpoint.id in feeTypes)) return { reads: [], adds: [], writes: subjects };
  return { reads: [], adds: [BOOKS], writes: [...subjects, ...ancestorsOf(state, own)] };
}
