/**
 * Calls endpoints on behalf of a check: paths, headers, addresses and retries at a limit. trial.ts asserts the
 * contents of replies.
 */

import { sureSpotChecks } from '../../model/facts/proof.js';
import { placed } from '../../model/reading/places.js';
import { shaped } from '../../model/reading/shapes.js';
import { jsonIn } from '../../model/reading/values.js';
import { standingIn } from '../../spec/dialect-clauses.js';
import { type EndpointId, endpointOf, nameOf, routeClauseOf } from '../../spec/endpoint-ids.js';
import { shutBy } from '../../spec/limits.js';
import { servesMode } from '../../spec/parts.js';
import { EvidenceLog, levelOfClauses, type SeenEvidence } from '../assertions/evidence.js';
import { Reply } from '../assertions/reply.js';
import { lacking, offReason, Unjudged, unreachable } from '../assertions/unjudged.js';
import { type Call, callOf, type Move, requestOf, type Sent } from '../moves/move.js';
import type { Chain } from '../protocol/beats.js';
import { type ChainJob, PoolClosed } from '../protocol/chain-pool.js';
import { Redactor } from '../wire/redact.js';
import { TransportFailure, type WireReply } from '../wire/transport.js';
import { type RawExchange, REPLY_BYTES_MAX, Stopped } from '../wire/wire.js';
import { RegistrationAddresses } from './addresses.js';
import type { Check } from './check.js';
import type { Turn } from './clock.js';
import { needEffect, needStall } from './control-effects.js';
import { Exchanges } from './exchanges.js';
import { type Action, actionOf, Looks, TIME } from './looks.js';
import type { Span } from './observed.js';
import { OwnTime } from './own-time.js';
import { brokenOff, NotServed, UNKNOWN_PATH } from './presence.js';
import { Draws } from './random.js';
import { isRateLimited, retryAfterSec, windowSecOf } from './rate-limit.js';
import { needReachableCount, needReachableWork, REACH } from './reach.js';
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
/** The most attempts of a call. With a clock a wait costs no real time, and many checks may share one address. */
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

/** The part of a trial that talks to the target and to its control API. Its time is in own-time.ts, its transcript in exchanges.ts. */
export class Caller {
  readonly redactor: Redactor;
  readonly draws: Draws;
  readonly addressDraws: Draws;
  /** Absent where the target does not distinguish addresses. */
  readonly address: string | undefined;
  /** Seconds that the check waited for a rate limit that it did not expect; after that, times that it measures are no evidence. */
  waitedSec = 0;
  /** The evidence of the check so far. */
  readonly log: EvidenceLog;
  /** The exchange in which evidence against a clause was seen. */
  readonly against = new Map<SeenEvidence, RawExchange>();
  /** Evidence against a clause that may be due to an earlier unexpected wait or repeated request. */
  readonly doubtful = new Set<SeenEvidence>();
  /** The reasons why parts of the check ended early. */
  readonly endedParts: Unjudged[] = [];
  readonly exchanges: Exchanges;
  readonly time: OwnTime;
  readonly #registrations: RegistrationAddresses;
  #looks: Looks | undefined;

  constructor(
    readonly session: Session,
    readonly check: Pick<Check, 'id' | 'paysOnTime' | 'runsAlone' | 'shares' | 'readsItself'> &
      Partial<Pick<Check, 'clauses' | 'lamports'>>,
    turn: Turn,
  ) {
    this.exchanges = new Exchanges(session);
    this.time = new OwnTime(session, check, turn, () => this.#look({ name: TIME }));
    const noteAgainst = (evidence: SeenEvidence): void => {
      if (this.waitedSec > 0 || this.exchanges.resent !== undefined) this.doubtful.add(evidence);
      const exchange = this.exchanges.transcript.at(evidence.n);
      if (exchange !== undefined) this.against.set(evidence, exchange);
    };
    this.log = new EvidenceLog(check.clauses ?? [], noteAgainst, standingIn(session.target.dialect));
    this.redactor = new Redactor(hiddenOf(session.target));
    session.live?.begin(check.id, this.redactor, this.exchanges.transcript);
    this.draws = new Draws(`check:${session.seed}:${session.salt}:${check.id}`);
    this.addressDraws = session.addresses.drawsOf(check.id);
    this.address = session.offers.has('client-ip') ? session.addresses.next(this.addressDraws) : undefined;
    const next = session.offers.has('client-ip') ? () => session.addresses.next(this.addressDraws) : undefined;
    this.#registrations = new RegistrationAddresses(session.target.protocol.limits, next);
    const { model } = session;
    // A look takes real time, so a check that waits in real time has no looks.
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
    const address =
      options.address ?? (options.mayLimit === true ? undefined : this.#registrations.addressFor(id, sent));
    let call: Call = { ...made, address };
    const attemptsMax = this.session.offers.has('clock') ? ATTEMPTS_MAX.byClock : ATTEMPTS_MAX.byWaiting;
    for (let attempt = 1; ; attempt += 1) {
      // A request that is repeated because of a limit counts once.
      if (attempt === 1) this.#registrations.count(id, sent);
      const reply = await this.#replyTo(call, id);
      if (!isRateLimited(reply) || options.mayLimit === true) {
        const served = await this.#served(reply, options);
        this.#needUsualInterval(served);
        // A request that a limit refuses has not reached the endpoint.
        if (!isRateLimited(served)) await this.#look(actionOf(served, { key: options.key, body: sent }));
        return served;
      }
      const shut = shutBy(this.session.target.protocol, id, sent);
      if (shut !== undefined) throw unreachable(`limits.${shut}.count is 0, so ${reply.name} refuses every request`);
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
        this.#notePassing({ name: nameOf(id), step: this.exchanges.count }, routeClauseOf(id), NO_REPLY, error.short);
        throw new Unjudged('not-tested', brokenOff(id));
      }
      throw new TransportFailure(
        'broken',
        `one of ${sent} requests had no reply, and may have been served nevertheless`,
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
  async #look(action: Action | undefined): Promise<void> {
    const look = action && this.#looks?.after(action);
    if (look === undefined) return;
    try {
      const reply = await this.raw(callOf(look), look.endpoint, this.exchanges.keep);
      // Only if the agent exists can a 404 mean that the endpoint is missing.
      if (this.session.model?.agents.has(look.params?.['hash'] ?? '')) await this.#served(reply, {});
    } catch (error) {
      if (error instanceof NotServed) return;
      if (!(error instanceof TransportFailure || error instanceof Unjudged)) throw error;
      this.#looks = undefined;
    }
  }

  /** Sends a request as it is. */
  async raw(call: Call, endpoint?: EndpointId, record = this.exchanges.record): Promise<Reply> {
    const base = call.service === 'beats' ? this.session.target.beatsUrl : this.session.target.baseUrl;
    if (base === null) throw new Unjudged('not-tested', lacking('beats', 'the target has no beats service'));
    this.redactor.learnKey(call.key);
    needReachableCount(this.exchanges.count, REACH.requests, 'requests of one check');
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
    const reply = new Reply(name, status, fields, text, endpoint, sent, this.exchanges.count, json);
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
    return reply === undefined ? this.exchanges.latest : reply.step;
  }

  /** A call of the control API: `POST ledger/transfers`. */
  async control(name: string, body?: unknown): Promise<Reply> {
    const { control } = this.session;
    if (control === undefined) throw new Unjudged('not-tested', lacking('control', 'the target has no control API'));
    if (name === STALL && isOn(body)) await needStall(this);
    const reply = await this.busyWith(() => control.call(name, body, this.exchanges.record, { owner: this.check.id }));
    this.#learn(reply);
    this.session.secrets.learn(reply.json);
    await this.busyWith(() => needEffect(this.session, name, { body, reply: reply.json }));
    if (name.includes('anchors/')) this.session.anchors.forget(isOn(body));
    if (reply.status < 300) await this.#look({ name, body, reply: reply.json });
    return reply;
  }

  /** A request to another server, such as the ledger on which fees are paid. `kept`: recorded in the transcript. */
  askOther(request: Parameters<Session['wire']['send']>[0], kept: boolean): Promise<WireReply> {
    return this.busyWith(() =>
      this.session.wire.send(request, kept ? this.exchanges.record : undefined, { counted: false }),
    );
  }

  /** Runs something that the check waits for: meanwhile the check is not idle, and time must not pass. */
  busyWith<T>(request: () => Promise<T>): Promise<T> {
    return this.time.busyWith(request);
  }

  /** Protocol time in ms. */
  nowMs(): number {
    return this.time.nowMs();
  }

  /** Lets protocol time pass for a span. `early`: the next request must come before a limit. */
  sleep(span: Span, early = false): Promise<void> {
    return this.time.sleep(span, early);
  }

  /** Lets protocol time pass until a moment (ms); `early` as above. */
  sleepUntil(ms: number, early = false): Promise<void> {
    return this.time.sleepUntil(ms, early);
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

  async #waitOut(reply: Reply, id: EndpointId, body: unknown): Promise<void> {
    const { offers, observedSec } = this.session;
    const asked = retryAfterSec(
      reply.headers,
      offers.has('clock') ? this.session.barrier.nowMs : this.session.wallMs(),
    );
    // Section 8 names no header: without Retry-After, waits for the whole window.
    const sec = asked ?? (offers.has('clock') ? windowSecOf(this.session.target.protocol, id, body) : undefined);
    const waitSec = Math.max(1, sec ?? 0);
    if (sec !== undefined) this.waitedSec += waitSec;
    if (sec !== undefined && (offers.has('clock') || (observedSec > 0 && sec <= observedSec)))
      return this.time.passQuietly(waitSec * 1_000);
    if (sec !== undefined && sec <= WAIT_SEC_MAX) return this.session.waitMs(waitSec * 1_000);
    const wait = sec === undefined ? 'does not say when to come back' : `asks to come back in ${sec} s`;
    const reason = `${reply.name} is rate limited and ${wait}; clients told apart (client_ip) or a clock would avoid it`;
    throw new Unjudged('not-tested', lacking('address', reason));
  }
}

const STALL = 'POST anchors/stall';

/** Whether the body of a control call enables something. */
const isOn = (body: unknown): boolean => typeof body === 'object' && body !== null && 'on' in body && body.on === true;

/** The reply of the target to an unknown path; requested once per run. */
function unknownPathOf(session: Session): Promise<Reply> {
  return once(session, 'unknown path', () => session.runTrial().raw({ method: 'GET', path: UNKNOWN_PATH }));
}
