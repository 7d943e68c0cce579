/**
 * Opens a run: tests whether the target answers, and makes the session for all checks.
 */
import { Reply } from '../assertions/reply.js';
import { Unjudged } from '../assertions/unjudged.js';
import type { Target } from '../target/target.js';
import { AddressBook } from '../trial/addresses.js';
import { AnchorSchedule } from '../trial/anchors.js';
import { Barrier, type MoveTo, type Turn } from '../trial/clock.js';
import { ClockLost, Control, ControlFault } from '../trial/control.js';
import { loseClock } from '../trial/control-effects.js';
import type { Offers } from '../trial/needs.js';
import { payerOf } from '../trial/payer.js';
import { Secrets } from '../trial/secrets.js';
import { RUN_TRIAL_ID, type Session, secretsOf } from '../trial/session.js';
import { Trial } from '../trial/trial.js';
import { TransportFailure } from '../wire/transport.js';
import { Stopped, type Wire } from '../wire/wire.js';
import { probesOf } from './own-requests.js';
import type { Selection } from './select.js';

const CONCURRENCY = 16;
/** A waiting run tests at this interval whether it was stopped. */
const WAIT_STEP_MS = 1_000;

/** The first requests have a shorter time-out, so that the user soon knows whether the target answers. */
const PROBE_TIMEOUT_MS = 10_000;

const JSON_BODY = { 'content-type': 'application/json' } as const;

/** Tries several routes until one answers with JSON, since a new server may have only some of them. Throws `Unjudged` if none does. */
export async function probe(
  wire: Wire,
  target: Target,
  options: Selection & { readonly allowWrites?: boolean },
): Promise<void> {
  let firstReply: Reply | undefined;
  let lost: TransportFailure | undefined;
  for (const { method, path } of probesOf(target, options)) {
    const request = { method, url: `${target.baseUrl}${API}${path}`, headers: JSON_BODY };
    const sent = method === 'GET' ? { ...request, headers: {} } : { ...request, body: '{}' };
    const timeoutMs = Math.min(PROBE_TIMEOUT_MS, (target.timeoutSec ?? Number.POSITIVE_INFINITY) * 1_000);
    try {
      const response = await wire.send({ ...sent, timeoutMs }, undefined, { again: true });
      const reply = new Reply(`${method} ${path}`, response.status, response.headers, response.body);
      if (isOfService(reply, response.cut === true)) return;
      firstReply ??= reply;
    } catch (error) {
      // A server may cut connections on one route and serve others.
      if (!(error instanceof TransportFailure) || error.kind !== 'broken') throw error;
      lost ??= error;
    }
  }
  if (firstReply !== undefined) throw new Unjudged('inconclusive', otherServerText(target, firstReply));
  throw lost ?? new Error('no route was tried');
}

const API = '/api/v1';

/** True if a reply may come from the service: it is JSON, and not a redirection. */
function isOfService({ status, headers, json }: Reply, isCut: boolean): boolean {
  if (status >= 300 && status < 400) return false;
  const isCutJson = isCut && /json/.test(headers['content-type'] ?? '');
  return isCutJson || (typeof json === 'object' && json !== null);
}

/** The message for a server that is not the service, with advice. */
function otherServerText({ baseUrl }: Target, reply: Reply): string {
  const { name, status, headers } = reply;
  const to = headers['location'];
  if (status >= 300 && status < 400 && to !== undefined) {
    const path = name.slice(name.indexOf(' ') + 1);
    const url = URL.canParse(to, `${baseUrl}${API}${path}`) ? new URL(to, `${baseUrl}${API}${path}`) : undefined;
    const base =
      url?.pathname.endsWith(API + path) === true ? url.href.slice(0, url.href.indexOf(API + path)) : undefined;
    const advice =
      base === undefined || base === baseUrl ? 'base_url has to be where the service is' : `give base_url: ${base}`;
    return `${baseUrl} redirects: ${name} answers ${status} with Location ${url?.href ?? to}. Redirects are not followed: ${advice}`;
  }
  const gateway = GATEWAY.includes(status) ? ', as a gateway does if its server is down or refuses the suite' : '';
  return `${baseUrl} does not look like the service: no route answers with JSON; ${name} answers ${status}${gateway}: ${reply.excerpt()}`;
}

const GATEWAY: readonly number[] = [407, 502, 503, 504];

/** The target's total of paid fees as text; empty if the target does not show it. */
async function totalFeesText(wire: Wire, { baseUrl }: Target): Promise<string> {
  const request = { method: 'GET', url: `${baseUrl}${API}/fees/summary`, headers: {} };
  // The endpoint may not exist, so the reply is not judged.
  const response = await unlessLost(() => wire.send(request, undefined, { again: true, watched: false }));
  if (response === undefined) return '';
  const reply = new Reply('GET fees-summary', response.status, response.headers, response.body);
  const total = reply.get('total_lamports');
  return typeof total === 'number' ? String(total) : '';
}

/** The result of a request; undefined if no reply could be read. The run continues without it. */
export async function unlessLost<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof TransportFailure && error.kind === 'broken') return undefined;
    throw error;
  }
}

/** The options of a run that its session needs. */
interface SessionOptions {
  readonly seed: number;
  readonly concurrency?: number;
  readonly nowWallMs: () => number;
  /** Called before the run waits in real time: until when, and how many checks sleep. */
  readonly onWait?: (untilMs: number, waitingChecks: number) => void;
}

/** The parts of a session that exist before it opens. */
type SessionServices = Pick<
  Session,
  'wire' | 'chains' | 'presence' | 'receiver' | 'redactor' | 'waitMs' | 'model' | 'looks' | 'live'
> & { readonly onWaited: (place: number) => void };

/** Makes the session for the checks of a run. Sends at most two requests: for the clock, and for the fees paid so far. */
export async function openSession(
  target: Target,
  offers: Offers,
  options: SessionOptions,
  services: SessionServices,
): Promise<Session> {
  const { wire, waitMs, onWaited } = services;
  const { seed, nowWallMs } = options;
  const control = target.control && new Control(wire, target.control.url, target.control.token);
  const clock = offers.has.has('clock') ? control : undefined;
  const begun = clock === undefined ? { nowMs: nowWallMs() } : await shownBy(clock, nowWallMs);
  const { nowMs } = begun;
  const observedSec = clock === undefined ? offers.observedSec : 0;
  const wait = observedSec > 0 ? waiter(options, services) : undefined;
  const moveTo =
    clock === undefined
      ? wait
      : async (ms: number) => {
          try {
            return await clock.moveTo(ms, barrier.nowMs);
          } catch (error) {
            if (error instanceof ClockLost) loseClock(session, error.message);
            throw error;
          }
        };
  const barrier: Barrier = new Barrier(options.concurrency ?? CONCURRENCY, nowMs, moveTo, onWaited);
  const salt = `${await totalFeesText(wire, target)}:${clock === undefined ? '' : nowMs}`;
  const runTrials = new Map<string, Trial>();
  const session: Session = {
    ...services,
    target,
    facts: { protocol: target.protocol, dialect: target.dialect },
    offers: offers.has,
    transfersMax: offers.transfersMax ?? 1,
    observedSec,
    seed,
    salt,
    control,
    payer: payerOf(target),
    barrier,
    addresses: new AddressBook(seed, salt),
    secrets: new Secrets(secretsOf(target)),
    anchors: anchorsOf(() => session.runTrial(), target, nowWallMs, waitMs),
    wallMs: nowWallMs,
    once: new Map(),
    runTrial: (id = RUN_TRIAL_ID) => {
      const made = runTrials.get(id) ?? new Trial(session, { id }, refusesToWait);
      runTrials.set(id, made);
      return made;
    },
  };
  if (begun.fault !== undefined) loseClock(session, begun.fault);
  return session;
}

/** The time of the target's clock; the time of the wall clock if that cannot be read. */
async function shownBy(
  clock: Control,
  wallMs: () => number,
): Promise<{ readonly nowMs: number; readonly fault?: string }> {
  try {
    return { nowMs: (await clock.advance(0)).nowMs };
  } catch (error) {
    if (!(error instanceof ControlFault)) throw error;
    return { nowMs: wallMs(), fault: error.message };
  }
}

/** The run's own trial cannot sleep. It would sleep only because of a rate limit, which its error names. */
const refusesToWait: Turn = {
  sleepUntil: () => Promise.reject(new Unjudged('not-tested', 'the target limits the suite')),
};

function anchorsOf(
  runTrial: () => Trial,
  { protocol }: Target,
  wallMs: () => number,
  waitMs: (ms: number) => Promise<void>,
): AnchorSchedule {
  const read = async (): Promise<Reply> => {
    return runTrial().mustSucceed(await runTrial().call('beat-anchor'));
  };
  return new AnchorSchedule(read, protocol.anchor.intervalSec, wallMs, waitMs);
}

/** Waits until a time of the wall clock, or until the run is stopped. */
function waiter({ nowWallMs, onWait }: SessionOptions, { wire, waitMs }: SessionServices): MoveTo {
  return async (untilMs, sleepers) => {
    const startMs = nowWallMs();
    onWait?.(untilMs, sleepers);
    for (let leftMs = untilMs - startMs; leftMs > 0; leftMs = untilMs - nowWallMs()) {
      await waitMs(Math.min(leftMs, WAIT_STEP_MS));
      if (wire.stopped !== undefined) throw new Stopped(wire.stopped);
    }
    const nowMs = nowWallMs();
    wire.waitedMs += nowMs - startMs;
    return nowMs;
  };
}
