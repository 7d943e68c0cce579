/**
 * Calls endpoints on behalf of a check: paths, headers, addresses and retries at a limit. What replies mean is asserted
 * by trial.ts.
 */

import { sureSpotChecks } from '../../model/facts/proof.js';
import { placed } from '../../model/reading/places.js';
import { shaped } from '../../model/reading/shapes.js';
import { jsonIn } from '../../model/reading/values.js';
import type { Asked, Signed } from '../../results/conformance-result.js';
import { standingIn } from '../../spec/dialect-clauses.js';
import { type EndpointId, endpointOf, nameOf, routeClauseOf } from '../../spec/endpoint-ids.js';
import { servesMode } from '../../spec/parts.js';
import type { LimitName } from '../../spec/protocol.js';
import { EvidenceLog, levelOfClauses, type SeenEvidence } from '../assertions/evidence.js';
import { Reply } from '../assertions/reply.js';
import { lacking, offReason, Unjudged, unreachable } from '../assertions/unjudged.js';
import { type Call, callOf, type Move, requestOf, type Sent } from '../moves/move.js';
import type { Chain } from '../protocol/beats.js';
import { type ChainJob, PoolClosed } from '../protocol/chain-pool.js';
import { Redactor } from '../wire/redact.js';
import { Transcript } from '../wire/transcript.js';
import { TransportFailure, type WireReply } from '../wire/transport.js';
import { type RawExchange, REPLY_BYTES_MAX, Stopped, withSources } from '../wire/wire.js';
import type { Check } from './check.js';
import type { Turn } from './clock.js';
import { needClock, needEffect, needStall } from './control-effects.js';
import { type Deed, deedOf, Looks, TIME } from './looks.js';
import { ObservedTime, type Span, spanMs } from './observed.js';
import { brokenOff, NotServed, UNKNOWN_PATH } from './presence.js';
import { Draws } from './random.js';
import { needReachableCount, needReachableTime, needReachableWork, REACH } from './reach.js';
import { hiddenOf, once, RUN_TRIAL_ID, type Session } from './session.js';

/** How a move is sent, and which replies its check judges itself. */
interface How {
  /** Makes a new body after each wait for a rate limit, for bodies that become outdated, such as those with a recent anchor. */
  readonly remake?: () => Promise<string>;
  /** The check judges a 429 itself, so the call does not wait and try again. */
  readonly mayLimit?: boolean;
  /** A 404 in any form is an answer of the endpoint, as for an agent that does not exist. */
  readonly mayMiss?: boolean;
  /** The call is sent in a disabled mode, too: the check judges the refusal, or ignores the reply. */
  readonly mayBeOff?: boolean;
}

/** One call of an endpoint. */
export interface CallOptions extends Sent, How {}

const WAIT_SEC_MAX = 5;
/** How often a call is tried. With a clock a wait costs no real time, and many checks may share one address. */
const ATTEMPTS_MAX = { byClock: 12, byWaiting: 3 };

/** After this many interrupted attempts in a row the interruption is not by chance. */
const BROKEN_OFF_MAX = 3;
const NO_REPLY = { about: 'no reply', expected: 'a reply', cause: 'no-reply' } as const;
const BYTE_ORDER_MARK = { about: 'the byte order mark before the JSON', expected: 'none', cause: 'field' } as const;

/** A server may cut the connection before a body that is too large has arrived. */
const isWithinBounds = ({ body, rawBody = JSON.stringify(body) }: Call): boolean =>
  rawBody === undefined || rawBody.length < BODY_CHARS_MAX;
/** Below every limit of a body except that of metadata (4 KB), which the suite exceeds on purpose. */
const BODY_CHARS_MAX = 16_384;

/** The part of a trial that talks to the target: calls, their transcript, the control API, and time. */
export class Caller {
  readonly transcript = new Transcript();
  readonly redactor: Redactor;
  readonly draws: Draws;
  readonly addressDraws: Draws;
  /** Absent where the target does not distinguish addresses. */
  readonly address: string | undefined;
  /** POST /register requests so far, by bucket, and POST /register/token. */
  readonly used = { registers: 0, walletRegisters: 0, tokens: 0 };
  /** The number of requests, computations and sleeps of the check. */
  actions = 0;
  asleep = false;
  /** Seconds that the check waited for a rate limit that it did not expect; after that, times that it measures are no evidence. */
  waitedSec = 0;
  /** Why a request was sent twice. The target may have served both, which may explain later replies. */
  resent: string | undefined;
  /** The evidence of the check so far. */
  readonly log: EvidenceLog;
  /** The exchange in which evidence against a clause was seen. */
  readonly against = new Map<SeenEvidence, RawExchange>();
  /** Evidence against a clause that may be due to an earlier unexpected wait or repeated request. */
  readonly doubtful = new Set<SeenEvidence>();
  /** Why parts of the check ended before their end. */
  readonly endedParts: Unjudged[] = [];
  /** More addresses to register from, when the check's own has no registration left. */
  readonly #further: string[] = [];
  #steps = 0;
  /** The place of the latest exchange that is not a look. */
  #latest = 0;
  #looks: Looks | undefined;
  #inFlight = 0;
  #passing: Promise<void> | undefined;
  readonly #observed: ObservedTime;
  readonly #record = (exchange: RawExchange): void => {
    this.#keep(exchange);
    this.#latest = this.#steps;
  };
  readonly #keep = (exchange: RawExchange): void => {
    this.#steps += 1;
    this.resent ??= exchange.response?.resent;
    if (exchange.response !== undefined) this.session.wire.places.set(exchange.response, this.#steps);
    const at = this.session.offers.has('clock') ? { at: new Date(this.session.barrier.nowMs).toISOString() } : {};
    this.transcript.add(withSources({ ...exchange, ...at }, { made: this.#signed, answers: this.#answers }));
  };
  readonly #signed: Signed[] = [];
  readonly #answers: Asked[] = [];
  /** Records the texts that wallets of the check sign. */
  readonly onSigned = (signed: Signed): void => {
    this.#signed.push(signed);
  };
  /** Records a value that the check read in a reply to a request of another owner. */
  readonly onAsked = (asked: Asked): void => {
    if (!this.#answers.some(({ value }) => value === asked.value)) this.#answers.push(asked);
  };

  constructor(
    readonly session: Session,
    readonly check: Pick<Check, 'id' | 'paysOnTime' | 'runsAlone' | 'shares' | 'readsItself'> &
      Partial<Pick<Check, 'clauses' | 'lamports'>>,
    readonly turn: Turn,
  ) {
    const noteAgainst = (evidence: SeenEvidence): void => {
      if (this.waitedSec > 0 || this.resent !== undefined) this.doubtful.add(evidence);
      const exchange = this.transcript.at(evidence.n);
      if (exchange !== undefined) this.against.set(evidence, exchange);
    };
    this.log = new EvidenceLog(check.clauses ?? [], noteAgainst, standingIn(session.target.dialect));
    this.redactor = new Redactor(hiddenOf(session.target));
    this.draws = new Draws(`check:${session.seed}:${session.salt}:${check.id}`);
    this.addressDraws = session.addresses.drawsOf(check.id);
    this.address = session.offers.has('client-ip') ? session.addresses.next(this.addressDraws) : undefined;
    this.#observed = new ObservedTime(session, turn);
    const { model } = session;
    // A look takes real time, so checks that wait in real time get none.
    const mayLook = session.observedSec === 0 && session.offers.has('client-ip');
    if (model !== undefined && session.looks && mayLook && check.readsItself !== true)
      this.#looks = new Looks({ ...session, model }, check);
  }

  get target(): Session['target'] {
    return this.session.target;
  }

  /** Sends a move, as `call` does. */
  send(move: Move, how: How & Pick<Sent, 'address' | 'headers'> = {}): Promise<Reply> {
    return this.call(move.endpoint, { ...move, ...how });
  }

  /** Calls an endpoint. Waits for a rate limit that the check does not expect, by the clock if it can be moved, and tries again. */
  async call(id: EndpointId, options: CallOptions = {}): Promise<Reply> {
    const made = callOf({ ...options, endpoint: id });
    const sent = made.body;
    const asked = endpointOf(id).mode?.(sent);
    if (asked !== undefined && options.mayBeOff !== true && !servesMode(this.session.target.protocol, asked)) {
      throw new Unjudged('not-tested', offReason(asked));
    }
    const { challengeChecks } = this.session.target.protocol.proof;
    // D-07: to_hash decides which beats a proof shows, by a rule that the decision does not give.
    if (challengeChecks > 0 && JSON.stringify(sent ?? null).includes('"spot_checks":['))
      throw unreachable(`proof.challengeChecks is ${challengeChecks}, and the suite chooses the beats that it shows`);
    const address = options.address ?? this.#registrationAddress(id, sent, options);
    let call: Call = { ...made, address };
    const attemptsMax = this.session.offers.has('clock') ? ATTEMPTS_MAX.byClock : ATTEMPTS_MAX.byWaiting;
    for (let attempt = 1; ; attempt += 1) {
      // Requests that a limit forces it to repeat do not count as the check's own.
      if (attempt === 1) this.#count(id, sent);
      const reply = await this.#replyTo(call, id);
      if (!isRateLimited(reply) || options.mayLimit === true) {
        const served = await this.#served(reply, options);
        this.#needUsualInterval(served);
        // A request that a limit refuses has not reached the endpoint.
        if (!isRateLimited(served)) await this.#look(deedOf(served, { key: options.key, body: sent }));
        return served;
      }
      const shut = this.#shutBy(id, sent);
      if (shut !== undefined) throw unreachable(`limits.${shut}.count is 0, so ${reply.name} takes no request`);
      if (attempt === attemptsMax)
        throw new Unjudged('not-tested', lacking('address', `${reply.name} stays rate limited`));
      await this.#waitOut(reply, id, sent);
      if (options.remake !== undefined) call = { ...call, rawBody: await options.remake() };
    }
  }

  /**
   * Sends a request of an endpoint, and again if the connection is cut. If it is cut each time, as by a failing handler, that is evidence against
   * the endpoint. So is a missing answer; such an endpoint is not called again.
   */
  async #replyTo(call: Call, id: EndpointId): Promise<Reply> {
    const { presence } = this.session;
    if (presence.isHanging(id)) throw new Unjudged('not-tested', brokenOff(id));
    for (let sent = 1; ; sent += 1) {
      try {
        const reply = await this.raw(call, id);
        if (sent === 1) return reply;
      } catch (error) {
        if (!(error instanceof TransportFailure) || !isWithinBounds(call)) throw error;
        if (error.kind === 'hang') presence.noteHang(id, error.short);
        else if (error.kind !== 'broken') throw error;
        else if (sent < BROKEN_OFF_MAX && presence.brokenOffBy(id) === undefined) continue;
        else presence.noteBrokenOff(id, error.short);
        if (presence.brokenOffBy(id) === undefined) throw error;
        this.#notePassing({ name: nameOf(id), step: this.#steps }, routeClauseOf(id), NO_REPLY, error.short);
        throw new Unjudged('not-tested', brokenOff(id));
      }
      throw new TransportFailure(
        'broken',
        `one of ${sent} requests had no reply, and may have been served all the same`,
      );
    }
  }

  /** The reply of an endpoint that the target serves. Throws `NotServed` otherwise. */
  async #served(reply: Reply, { mayMiss = false }: CallOptions): Promise<Reply> {
    const { presence } = this.session;
    const { endpoint, status } = reply;
    const own = mayMiss && status === 404 && endpoint !== undefined && presence.unservedBy(endpoint) === undefined;
    if (!own) await presence.note(reply, () => unknownPathOf(this.session));
    return reply;
  }

  /**
   * 4.5 and 8: a server may configure a longer interval between heartbeats. If the model has learned one, a heartbeat that is refused between the
   * two intervals is no evidence for the check.
   */
  #needUsualInterval(reply: Reply): void {
    const { intervalBeats: learned = 0, anchor = 0 } = this.session.model ?? {};
    const { heartbeat, anchor: numbers } = this.session.target.protocol;
    const next = reply.get('next_eligible_beat');
    if (reply.endpoint !== 'heartbeat' || reply.status !== 429 || typeof next !== 'number') return;
    const isPast = anchor * numbers.beatsPerAnchor >= next - learned + heartbeat.intervalBeatsMin;
    if (!isPast || learned <= heartbeat.intervalBeatsMin) return;
    const say = `give protocol: an overlay with heartbeat: { intervalBeatsMin: ${learned} }`;
    throw new Unjudged('not-tested', `heartbeats are ${learned} beats apart, which section 8 allows: ${say}`);
  }

  /** Reads state that may have changed, for the model to judge. After a look without a reply no more are made. */
  async #look(deed: Deed | undefined): Promise<void> {
    const look = deed && this.#looks?.after(deed);
    if (look === undefined) return;
    try {
      const reply = await this.raw(callOf(look), look.endpoint, this.#keep);
      // Only if the agent exists can a 404 mean that the endpoint is missing.
      if (this.session.model?.agents.has(look.params?.['hash'] ?? '')) await this.#served(reply, {});
    } catch (error) {
      if (error instanceof NotServed) return;
      if (!(error instanceof TransportFailure || error instanceof Unjudged)) throw error;
      this.#looks = undefined;
    }
  }

  /** Sends a request as it is. */
  async raw(call: Call, endpoint?: EndpointId, record = this.#record): Promise<Reply> {
    const base = call.service === 'beats' ? this.session.target.beatsUrl : this.session.target.baseUrl;
    if (base === null) throw new Unjudged('not-tested', lacking('beats', 'the target has no beats service'));
    this.redactor.learnKey(call.key);
    needReachableCount(this.#steps, REACH.requests, 'requests of one check');
    const request = { ...requestOf(base, { ...call, address: call.address ?? this.address }), owner: this.check.id };
    // Requests that the run sends for all checks are repeated if they change nothing.
    const again = this.check.id === RUN_TRIAL_ID && call.method === 'GET';
    const response = await this.busyWith(() => this.session.wire.send(request, record, { again }));
    const name = endpoint === undefined ? `${call.method} ${call.path}` : nameOf(endpoint);
    if (response.cut === true) {
      throw new Unjudged('inconclusive', `the reply of ${name} is longer than ${REPLY_BYTES_MAX} bytes`);
    }
    const sent = call.rawBody === undefined ? call.body : undefined;
    const names = endpoint === undefined ? undefined : this.session.target.shapes[endpoint];
    const json = endpoint === undefined ? undefined : placed(endpoint, shaped(endpoint, jsonIn(response), names), sent);
    const { status, headers: fields, body: text } = response;
    const reply = new Reply(name, status, fields, text, endpoint, sent, this.#steps, json);
    this.#searchSecrets(reply);
    this.session.presence.noteType(reply);
    if (reply.hasByteOrderMark && reply.json !== undefined)
      this.#notePassing(reply, 'convention.no-byte-order-mark', BYTE_ORDER_MARK, 'U+FEFF');
    this.#learn(reply);
    return reply;
  }

  /** A reply that contains a secret without issuing it is evidence against the clause that forbids that. */
  #searchSecrets(reply: Reply): void {
    const { secrets } = this.session;
    for (const { clause, kind } of secrets.leakedIn(reply.text, reply.json)) {
      const about = `${kind} in a reply that does not issue it`;
      this.#notePassing(reply, clause, { about, expected: 'no secret', cause: 'field' }, kind);
    }
    secrets.learn(reply.json);
  }

  /** Records evidence of an exchange against a clause that its check does not list. */
  #notePassing(
    { name, step }: Pick<Reply, 'name' | 'step'>,
    clause: string,
    seen: Pick<SeenEvidence, 'about' | 'expected' | 'cause'>,
    actual: string,
  ): void {
    const level = levelOfClauses([clause]);
    this.log.record({ clauses: [clause], level, n: step, endpoint: name, ok: false, ...seen, actual });
  }

  /** Learns the credentials of a reply, so that they are redacted in every report. */
  #learn({ json }: Reply): void {
    this.redactor.learn(json);
    this.session.redactor.learn(json);
  }

  /** The place of an exchange in the transcript, from 1; of the latest without a reply. */
  placeOf(reply?: Reply): number {
    return reply === undefined ? this.#latest : reply.step;
  }

  /** A call of the control API: `POST ledger/transfers`. */
  async control(name: string, body?: unknown): Promise<Reply> {
    const { control } = this.session;
    if (control === undefined) throw new Unjudged('not-tested', lacking('control', 'the target has no control API'));
    if (name === STALL && isOn(body)) await needStall(this);
    const reply = await this.busyWith(() => control.call(name, body, this.#record, { owner: this.check.id }));
    this.#learn(reply);
    this.session.secrets.learn(reply.json);
    await this.busyWith(() => needEffect(this.session, name, { body, reply: reply.json }));
    if (name.includes('anchors/')) this.session.anchors.forget(isOn(body));
    if (reply.status < 300) await this.#look({ name, body, reply: reply.json });
    return reply;
  }

  /** A request to another server, such as the ledger on which fees are paid. `kept`: recorded in the transcript. */
  askOther(request: Parameters<Session['wire']['send']>[0], kept: boolean): Promise<WireReply> {
    return this.busyWith(() => this.session.wire.send(request, kept ? this.#record : undefined, { counted: false }));
  }

  /** Protocol time in ms: the target's clock if it can be moved, otherwise the wall clock. Ends a check if the clock is wrong. */
  nowMs(): number {
    if (!this.session.offers.has('clock')) return this.session.wallMs();
    needClock(this.session);
    return this.session.barrier.nowMs;
  }

  /** Begins a check that waits in real time. One that counts anchors begins just after an anchor. */
  async begin({ waits }: Pick<Check, 'waits'>): Promise<void> {
    const span = waits?.(this.session.target.protocol);
    if (this.session.observedSec > 0 && span !== undefined && 'anchors' in span) {
      await this.#asleep(() => this.#observed.begin());
    }
  }

  /** Whether the check missed a moment, so that the times that it measured are no evidence. */
  async overtaken(): Promise<boolean> {
    return this.session.observedSec > 0 && (await this.#observed.overtaken());
  }

  /**
   * Lets protocol time pass: seconds, milliseconds, or until the n-th next anchor is issued. `early`: the next request must come before a limit,
   * which matters if time cannot be moved to an exact moment.
   */
  async sleep(span: Span, early = false): Promise<void> {
    const { observedSec, barrier, anchors, target } = this.session;
    if (Object.values(span).some((length) => length < 0)) throw unreachable('it would have to be earlier than it is');
    if (observedSec > 0) return this.#asleep(() => this.#observed.sleep(span, early));
    needClock(this.session);
    const nowMs = barrier.nowMs;
    const untilMs = 'anchors' in span ? await anchors.msOf(span.anchors, nowMs) : nowMs + spanMs(span, target.protocol);
    await this.sleepUntil(untilMs);
  }

  /** Lets protocol time pass until a moment (ms); `early` as above. */
  async sleepUntil(ms: number, early = false): Promise<void> {
    const { offers, observedSec } = this.session;
    if (observedSec > 0) return this.#asleep(() => this.#observed.sleepUntil(ms, early));
    if (!offers.has('clock')) throw new Unjudged('not-tested', lacking('clock', 'the target has no clock to move'));
    needClock(this.session);
    needReachableTime(ms - this.nowMs(), this.session.target.protocol, this.session.anchors.stalled);
    await this.#asleep(() => this.turn.sleepUntil(ms));
    await this.#look({ name: TIME });
  }

  async #asleep(sleep: () => Promise<void>): Promise<void> {
    if (this.#inFlight > 0) throw new Error('a check that sleeps has no request under way');
    this.asleep = true;
    try {
      await sleep();
    } finally {
      this.asleep = false;
      this.actions += 1;
    }
  }

  /**
   * Lets protocol time pass while this check does something else, such as wait for a payment to be confirmed. All calls that come while it waits
   * for open requests share one step.
   */
  passTime(ms: number): Promise<void> {
    if (this.check.paysOnTime === true) {
      const why = 'it pays at exact moments, and a payment on a ledger of the same clock takes time';
      const because = lacking('ledger', `${why}: payments: { kind: control } takes none`);
      return Promise.reject(new Unjudged('not-tested', because));
    }
    return this.#passQuietly(ms);
  }

  /** Of several calls that have to wait at the same time, the first lets time pass for all. */
  #passQuietly(ms: number): Promise<void> {
    this.#passing ??= this.#passWhenQuiet(ms).finally(() => {
      this.#passing = undefined;
    });
    return this.#passing;
  }

  async #passWhenQuiet(ms: number): Promise<void> {
    do await this.session.waitMs(0);
    while (this.#inFlight > 0);
    await this.sleep({ ms });
  }

  /** Computes a chain of beats. Throws `Stopped` where the run ends meanwhile. */
  async compute(job: ChainJob): Promise<Chain> {
    const { chains, target, wire } = this.session;
    needReachableWork(job.beats, job.difficulty);
    return this.busyWith(async () => {
      try {
        return { ...(await chains.compute(job)), spotChecks: sureSpotChecks(target.protocol) };
      } catch (error) {
        throw error instanceof PoolClosed && wire.stopped !== undefined ? new Stopped(wire.stopped) : error;
      }
    });
  }

  /** Whether a request or a computation is under way. */
  get busy(): boolean {
    return this.#inFlight > 0;
  }

  async #waitOut(reply: Reply, id: EndpointId, body: unknown): Promise<void> {
    const { offers, observedSec } = this.session;
    const asked = retryAfterSec(
      reply.headers,
      offers.has('clock') ? this.session.barrier.nowMs : this.session.wallMs(),
    );
    // Section 8 names no header: without Retry-After, waits for the whole window.
    const sec = asked ?? (offers.has('clock') ? this.#windowSec(id, body) : undefined);
    const waitSec = Math.max(1, sec ?? 0);
    if (sec !== undefined) this.waitedSec += waitSec;
    if (sec !== undefined && (offers.has('clock') || (observedSec > 0 && sec <= observedSec)))
      return this.#passQuietly(waitSec * 1_000);
    if (sec !== undefined && sec <= WAIT_SEC_MAX) return this.session.waitMs(waitSec * 1_000);
    const wait = sec === undefined ? 'does not say when to come back' : `asks to come back in ${sec} s`;
    const reason = `${reply.name} is rate limited and ${wait}; clients told apart (client_ip) or a clock would avoid it`;
    throw new Unjudged('not-tested', lacking('address', reason));
  }

  /** Runs something that the check waits for: meanwhile the check is not idle, and time must not pass. */
  async busyWith<T>(request: () => Promise<T>): Promise<T> {
    this.#inFlight += 1;
    try {
      return await request();
    } finally {
      this.#inFlight -= 1;
      this.actions += 1;
    }
  }

  /** The limits that a request counts in, by section 8. */
  #limitsOf(id: EndpointId, body: unknown): readonly LimitName[] {
    const buckets = endpointOf(id).buckets.filter(({ when }) => when === undefined || when.test(body));
    return buckets.map(({ limit }) => limit);
  }

  /** The limit of 0 that disables an endpoint by the numbers of the target; undefined if there is none. */
  #shutBy(id: EndpointId, body: unknown): LimitName | undefined {
    const { limits } = this.session.target.protocol;
    return this.#limitsOf(id, body).find((limit) => limits[limit].count === 0);
  }

  /** The longest window of the limits that a request counts in; undefined where none is known. */
  #windowSec(id: EndpointId, body: unknown): number | undefined {
    const { limits } = this.session.target.protocol;
    const windows = this.#limitsOf(id, body).map((limit) => limits[limit].windowSec);
    return windows.length === 0 ? undefined : Math.max(...windows);
  }

  #count(id: EndpointId, body: unknown): void {
    if (id === 'register-token') this.used.tokens += 1;
    if (id === 'register') this.used[registrationBucket(body)] += 1;
  }

  /** Another address for a registration that does not judge the limit, if the check's own has no registration left (section 8). */
  #registrationAddress(id: EndpointId, body: unknown, { mayLimit = false }: CallOptions): string | undefined {
    if (id !== 'register' || mayLimit || !this.session.offers.has('client-ip')) return undefined;
    const bucket = registrationBucket(body);
    const { register, registerWalletFlow } = this.session.target.protocol.limits;
    const { count } = bucket === 'registers' ? register : registerWalletFlow;
    const place = Math.floor(this.used[bucket] / count);
    while (this.#further.length < place) this.#further.push(this.session.addresses.next(this.addressDraws));
    return this.#further[place - 1];
  }
}

/** The bucket that counts a registration. */
function registrationBucket(body: unknown): 'registers' | 'walletRegisters' {
  const walletFlow = endpointOf('register').buckets.find(({ limit }) => limit === 'registerWalletFlow');
  return walletFlow?.when?.test(body) === true ? 'walletRegisters' : 'registers';
}

const STALL = 'POST anchors/stall';

/** Whether the body of a control call enables something. */
const isOn = (body: unknown): boolean => typeof body === 'object' && body !== null && 'on' in body && body.on === true;

/** How the target answers a path that it does not have; asked for once a run. */
function unknownPathOf(session: Session): Promise<Reply> {
  return once(session, 'unknown path', () => session.runTrial().raw({ method: 'GET', path: UNKNOWN_PATH }));
}

/** The wait that a reply requests, in seconds: Retry-After holds seconds, or a moment by the clock of Date. */
export function retryAfterSec(headers: Reply['headers'], nowMs: number): number | undefined {
  const { 'retry-after': asked = '', date = '' } = headers;
  if (/^\d+(\.\d+)?$/.test(asked)) return Number(asked);
  const atMs = Date.parse(asked);
  if (Number.isNaN(atMs)) return undefined;
  const sinceMs = Date.parse(date);
  return Math.max(0, Math.ceil((atMs - (Number.isNaN(sinceMs) ? nowMs : sinceMs)) / 1_000));
}

/** Whether a 429 is that of a rate limit, not of an interval or a cap. */
export function isRateLimited(reply: Reply): boolean {
  if (reply.status !== 429) return false;
  const code = reply.get('code');
  return code === 'RATE_LIMITED' || (typeof code !== 'string' && reply.headers['retry-after'] !== undefined);
}
