/**
 * Looks once a run at whether a call of the control API did what it says, by requests of a client that the model does not see. What
 * the text requires of a client can be wrong in the server itself, so only these are faults of the call: an effect that
 * comes late, a clock that moves no anchor, a stall in which anchors are issued, and one that does not end.
 */
import { anchorOf } from '../../model/reading/anchor.js';
import { at, jsonIn } from '../../model/reading/values.js';
import { type EndpointId, endpointOf } from '../../spec/endpoint-ids.js';
import { lacking, Unjudged } from '../assertions/unjudged.js';
import type { Target } from '../target/target.js';
import type { Wire } from '../wire/wire.js';
import type { Control } from './control.js';
import { registrationHeaders } from './fixtures.js';
import { once, RUN_TRIAL_ID, type Session } from './session.js';

/** An effect that is there after this time (ms of the wall clock), and was not before, is late. */
const LATE_MS = 1_500;
/** The intervals of anchors between two looks at the latest one. */
const INTERVALS = 2;

/** An effect as a client sees it; undefined where a reply shows neither that it is there nor that it is not. */
type Seen = () => Promise<boolean | undefined>;

/** A check under way, which can let time pass. */
interface Sleeper {
  readonly session: Session;
  sleep(span: { readonly sec: number }): Promise<void>;
}

/** A call with a subject of its own. */
interface Tried {
  /** The effect in words. */
  readonly effect: string;
  readonly seen: Seen;
}

/** How a client asks, from an address of its own. */
interface Client {
  readonly make: (name: string, body?: object) => Promise<Readonly<Record<string, string>>>;
  /** True where the key is accepted, false where it is refused; undefined where the reply shows neither. */
  readonly takes: (id: EndpointId, key: string) => Promise<boolean | undefined>;
  readonly register: () => Promise<{ readonly hash: string; readonly key: string } | undefined>;
  /** When the chain of a new agent starts, in ms of the server's clock. */
  readonly start: () => Promise<number | undefined>;
}

const ADMIN: EndpointId = 'subsidy.delete';
const PARTNER: EndpointId = 'partner-webhook.get';

const refused =
  (seen: Seen): Seen =>
  async () => {
    const taken = await seen();
    return taken === undefined ? undefined : !taken;
  };

/** By call, its trial; each after a real call, so that the first partner of a run is not one of these. */
const TRIALS: Readonly<Record<string, { readonly requests: number; try(client: Client): Promise<Tried | undefined> }>> =
  {
    'admin-keys': {
      requests: 2,
      async try({ make, takes }) {
        const { key = '' } = await make('POST admin-keys', {});
        return { effect: 'the new key is accepted', seen: () => takes(ADMIN, key) };
      },
    },
    'admin-keys/expire': {
      requests: 3,
      async try({ make, takes }) {
        const { key = '' } = await make('POST admin-keys', {});
        await make('POST admin-keys/expire', { key });
        return { effect: 'the key is refused', seen: refused(() => takes(ADMIN, key)) };
      },
    },
    partners: {
      requests: 2,
      async try({ make, takes }) {
        const { key = '' } = await make('POST partners', { name: 'control' });
        return { effect: 'the new key is accepted', seen: () => takes(PARTNER, key) };
      },
    },
    'partner-keys/expire': {
      requests: 3,
      async try({ make, takes }) {
        const { key = '' } = await make('POST partners', { name: 'control' });
        await make('POST partner-keys/expire', { key });
        return { effect: 'the key is refused', seen: refused(() => takes(PARTNER, key)) };
      },
    },
    'partners/:ref/suspend': {
      requests: 3,
      async try({ make, takes }) {
        const { key = '', ref = '' } = await make('POST partners', { name: 'control' });
        await make(`POST partners/${encodeURIComponent(ref)}/suspend`, {});
        return { effect: 'the key of the partner is refused', seen: refused(() => takes(PARTNER, key)) };
      },
    },
    'agents/:hash/revoke-key': {
      requests: 3,
      async try({ make, takes, register }) {
        const agent = await register();
        if (agent === undefined) return undefined;
        await make(`POST agents/${agent.hash}/revoke-key`, {});
        return { effect: 'the key is refused', seen: refused(() => takes('init', agent.key)) };
      },
    },
  };

const STALL = 'anchors/stall';
const STALL_REQUESTS = 7;

/** The most requests that looks at the effects of these calls take in a run. */
export function effectRequests(calls: ReadonlySet<string>): number {
  return [...calls].reduce((sum, call) => sum + (call === STALL ? STALL_REQUESTS : (TRIALS[call]?.requests ?? 0)), 0);
}

const PATTERNS = Object.keys(TRIALS).map(
  (call) => [new RegExp(`^POST ${call.replaceAll(/:\w+/g, '[^/]+')}$`), call] as const,
);

/** Ends a check where a call of the control API has another effect than it says, and a client can tell that from a fault of the server. */
export async function needEffect(session: Session, name: string): Promise<void> {
  const call = PATTERNS.find(([pattern]) => pattern.test(name))?.[1];
  const { control } = session;
  // Where one address serves everybody, a limit counts these requests with those of checks.
  if (call === undefined || control === undefined || !session.offers.has('client-ip')) return;
  const fault = await once(session, `effect of ${call}`, async () => {
    const tried = await TRIALS[call]?.try(clientOf(session, control));
    return tried && lateness(`POST ${call}`, tried, session.waitMs);
  });
  endIf(fault, call);
}

/** Ends a check that sleeps by a clock that does not move. */
export function needClock({ misled }: Session): void {
  endIf(misled, 'clock/advance');
}

function endIf(fault: string | undefined, call: string): void {
  if (fault !== undefined) throw new Unjudged('inconclusive', lacking('effect', fault, call));
}

/** Ends a check that is about to stall the anchors where that does not stall them, or does not end. Anchors are issued afterwards. */
export async function needStall(t: Sleeper): Promise<void> {
  const { session } = t;
  const { control, wire, target } = session;
  if (control === undefined || !session.offers.has('clock')) return;
  const fault = await once(session, `effect of ${STALL}`, async () => {
    const sec = INTERVALS * target.protocol.anchor.intervalSec;
    const setTo = async (on: boolean) => {
      await control.call(`POST ${STALL}`, { on }, undefined, { owner: RUN_TRIAL_ID, watched: false });
      session.anchors.forget(on);
      return anchorShown(wire, target);
    };
    const before = await setTo(true);
    await t.sleep({ sec });
    const during = await anchorShown(wire, target);
    const ended = await setTo(false);
    await t.sleep({ sec });
    // The model sees the anchors that have come.
    const after = await anchorShown(wire, target, true);
    if (before === undefined || during === undefined || ended === undefined || after === undefined) return undefined;
    const shown = (from: string, to: string): string => `GET /beat/anchor shows ${from}, and ${to} after ${sec} s`;
    if (before !== during) return `POST ${STALL} {"on": true} stops no anchor: ${shown(before, during)}`;
    if (ended === after) return `POST ${STALL} {"on": false} does not end the stall: ${shown(ended, after)}`;
    return undefined;
  });
  endIf(fault, STALL);
}

/** The fault of a clock that says that it was moved; undefined where anchors or the chain of a new agent show that it was. */
export async function clockFault(session: Session, control: Control): Promise<string | undefined> {
  const { wire, target } = session;
  const before = await anchorShown(wire, target);
  if (before === undefined) return undefined;
  const ms = INTERVALS * target.protocol.anchor.intervalSec * 1_000;
  const { nowMs } = await control.advance(ms, { watched: false });
  const { nowMs: again } = await control.advance(0, { watched: false });
  const call = 'POST clock/advance';
  if (again !== nowMs) return `${call} answers now_ms ${nowMs}, and ${again} when it is asked again with {"ms": 0}`;
  const seen = async (): Promise<boolean | undefined> => {
    const shown = await anchorShown(wire, target);
    return shown === undefined ? undefined : shown !== before;
  };
  if ((await seen()) !== false) return undefined;
  const startedMs = session.offers.has('client-ip') ? await clientOf(session, control).start() : undefined;
  // The server's anchors are at fault where its time has moved.
  if (startedMs !== undefined && Math.abs(startedMs - nowMs) < ms / 2) return undefined;
  const late = await lateness(call, { effect: 'another anchor is there', seen }, session.waitMs);
  return late ?? `${call} {"ms": ${ms}} moves no anchor: GET /beat/anchor shows ${before} before it and after it`;
}

async function lateness(
  call: string,
  { effect, seen }: Tried,
  waitMs: (ms: number) => Promise<void>,
): Promise<string | undefined> {
  if ((await seen()) !== false) return undefined;
  await waitMs(LATE_MS);
  if ((await seen()) !== true) return undefined;
  return `${call} takes effect late: ${effect} ${LATE_MS / 1_000} s after its reply, and not at once`;
}

/** The latest anchor as a text; undefined where none can be read. */
async function anchorShown(wire: Wire, { baseUrl }: Target, watched = false): Promise<string | undefined> {
  const request = { method: 'GET', url: `${baseUrl}${endpointOf('beat-anchor').path}`, headers: {} };
  const { status, body } = await wire.send(request, undefined, { watched, again: true });
  if (status !== 200) return undefined;
  const { index } = anchorOf({ json: jsonIn({ body }) });
  return index === undefined ? undefined : `anchor ${index}`;
}

function clientOf(session: Session, control: Control): Client {
  const { wire, target, addresses } = session;
  const draws = addresses.drawsOf('control');
  const send = async (id: EndpointId, headers: object, body: object) => {
    const { method, path } = endpointOf(id);
    const own = { 'content-type': 'application/json', 'x-forwarded-for': addresses.next(draws), ...headers };
    const sent = method === 'GET' ? {} : { body: JSON.stringify(body) };
    const request = { method, url: `${target.baseUrl}${path}`, headers: own, owner: RUN_TRIAL_ID, ...sent };
    return wire.send(request, undefined, { watched: false });
  };
  const register: Client['register'] = async () => {
    const { status, body } = await send('register', registrationHeaders(session), { name: 'control' });
    const made = jsonIn({ body });
    session.redactor.learn(made);
    session.secrets.learn(made);
    const { hash, api_key: key } = (made ?? {}) as Readonly<Record<string, unknown>>;
    return status < 300 && typeof hash === 'string' && typeof key === 'string' ? { hash, key } : undefined;
  };
  return {
    register,
    async start() {
      const agent = await register();
      if (agent === undefined) return undefined;
      const { body } = await send('init', { authorization: `Bearer ${agent.key}` }, {});
      const startedMs = at(jsonIn({ body }), 'genesis.timestamp');
      return typeof startedMs === 'number' ? startedMs : undefined;
    },
    async make(name, body) {
      const { json } = await control.call(name, body, undefined, { owner: RUN_TRIAL_ID, watched: false });
      session.redactor.learn(json);
      session.secrets.learn(json);
      return typeof json === 'object' && json !== null ? (json as Readonly<Record<string, string>>) : {};
    },
    async takes(id, key) {
      const { status } = await send(id, { authorization: `Bearer ${key}` }, {});
      if (status === 401 || status === 403) return false;
      return status < 500 && status !== 404 && status !== 405 ? true : undefined;
    },
  };
}
