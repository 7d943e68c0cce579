/**
 * A client of the target's control API: clock, ledger, keys and deliveries. The control API of the reference is in
 * reference/http/control.
 */
import { at } from '../../model/reading/values.js';
import { type ControlPath, controlPathOf } from '../../spec/control-calls.js';
import { CONTROL_PATH } from '../../spec/endpoint.js';
import { ISO_MS_MAX } from '../../spec/formats.js';
import { Reply } from '../assertions/reply.js';
import { lacking, Unjudged } from '../assertions/unjudged.js';
import { TransportFailure } from '../wire/transport.js';
import type { RawExchange, Sending, Wire } from '../wire/wire.js';

/** The reply of a target's clock to a move. */
interface ClockReply {
  readonly nowMs: number;
  readonly anchorIndex: number;
}

/** The calls of a control API, and the transfers that one call of `ledger/transfers` makes at most. */
interface Capabilities {
  readonly calls: ReadonlySet<string>;
  readonly transfersMax: number;
}

type Recorder = (exchange: RawExchange) => void;

/** A call of the control API failed. The judged endpoints are not at fault: checks that need the call are inconclusive. */
export class ControlFault extends Unjudged {
  constructor(
    call: ControlPath | undefined,
    reason: string,
    /** Its reply was lost, so it is unknown whether it had its effect. */
    readonly isLost: boolean = false,
    /** The status of its reply; undefined: none came, or the status is not at fault. */
    readonly status?: number,
  ) {
    super('inconclusive', lacking('effect', reason, status === 401 ? undefined : call));
  }
}

/** Fields of a reply that the suite needs, by call: texts that are not empty. */
const NEEDED: Readonly<Partial<Record<ControlPath, readonly string[]>>> = {
  'admin-keys': ['key'],
  partners: ['key', 'ref'],
};

/** The fields that a reply to a call with this body has to have. */
function neededOf(path: ControlPath, body: unknown): readonly string[] {
  const transfers = path === TRANSFERS ? at(body, 'transfers') : undefined;
  if (Array.isArray(transfers)) return transfers.map((_, n) => `signatures.${n}`);
  return path === TRANSFERS ? ['signature'] : (NEEDED[path] ?? []);
}

const TRANSFERS = 'ledger/transfers';
const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';

const REVIEWED: Readonly<Record<string, string>> = { sustain: 'sustained', dismiss: 'dismissed', resolve: 'resolved' };

/** The field of a reply that contradicts the request; undefined if there is none. */
function contradicted(path: ControlPath | undefined, body: unknown, reply: Reply): string | undefined {
  const due: Readonly<Record<string, unknown>> = {
    ok: true,
    ...(path === 'anchors/stall' ? { stalled: at(body, 'on') } : {}),
    ...(path === 'flags/:id/review' ? { status: REVIEWED[String(at(body, 'outcome'))] } : {}),
  };
  return Object.entries(due).flatMap(([field, expected]) => {
    const actual = reply.get(field);
    return typeof actual === typeof expected && actual !== expected ? [`${field}: ${JSON.stringify(actual)}`] : [];
  })[0];
}

/** The control API of a target: what a test may do that a client may not (design, section 2). */
export class Control {
  /** Calls that got no reply are not tried again, since each would take the whole time-out. */
  readonly #dead = new Map<string, ControlFault>();

  constructor(
    readonly wire: Wire,
    readonly url: string,
    readonly token: string,
  ) {}

  /** One call, `POST ledger/transfers`. Throws `ControlFault` if the reply is missing or invalid. `owner`: the check that calls. */
  async call(
    name: string,
    body?: unknown,
    record?: Recorder,
    { owner, ...sending }: Omit<Sending, 'counted' | 'apart'> & { readonly owner?: string } = {},
  ): Promise<Reply> {
    const path = controlPathOf(name);
    const dead = this.#dead.get(path ?? name);
    if (dead !== undefined) throw dead;
    const reply = await this.#sent(name, body, record, { owner, ...sending });
    const answered = `the control API answered ${name}`;
    if (reply.status < 200 || reply.status >= 300) {
      const token = reply.status === 401 ? '; check control.token in the target file' : '';
      throw new ControlFault(path, `${answered} with ${reply.status} ${reply.excerpt()}${token}`, false, reply.status);
    }
    const missing = path && neededOf(path, body).find((field) => !isText(reply.get(field)));
    if (missing !== undefined) throw new ControlFault(path, `${answered} without ${missing}: ${reply.excerpt()}`);
    const other = contradicted(path, body, reply);
    if (other !== undefined) throw new ControlFault(path, `${name} ${JSON.stringify(body)} was answered with ${other}`);
    return reply;
  }

  async #sent(
    name: string,
    body: unknown,
    record: Recorder | undefined,
    { owner, ...sending }: Omit<Sending, 'counted' | 'apart'> & { readonly owner?: string | undefined },
  ): Promise<Reply> {
    const [method = 'GET', path = ''] = name.split(' ');
    const headers = {
      authorization: `Bearer ${this.token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    };
    const request = {
      method,
      url: `${this.url}${CONTROL_PATH}/${path}`,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(owner === undefined ? {} : { owner }),
      // An advance is not repeated: a second one would move the clock too far for every check.
      ...(name === ADVANCE ? { once: true as const } : {}),
    };
    try {
      const response = await this.wire.send(request, record, { ...sending, apart: true });
      return new Reply(`control ${name}`, response.status, response.headers, response.body);
    } catch (error) {
      if (!(error instanceof TransportFailure) || error.kind === 'aborted') throw error;
      const call = controlPathOf(name);
      const reason = `the control API ${this.url} gave no reply to ${name}: ${error.message}`;
      const fault = new ControlFault(call, reason, error.kind === 'broken');
      if (error.kind !== 'broken') this.#dead.set(call ?? name, fault);
      throw fault;
    }
  }

  /** The calls that the target's control API has, by name. */
  async capabilities(): Promise<Capabilities> {
    const reply = await this.call('GET capabilities', undefined, undefined, { again: true });
    const calls = reply.get('calls');
    const most = reply.get('transfers_max');
    const transfersMax = typeof most === 'number' && most >= 1 ? Math.floor(most) : 1;
    if (Array.isArray(calls)) return { calls: new Set(calls.map(String)), transfersMax };
    const reason = `the control API answered GET capabilities without {calls: [names]}: ${reply.excerpt()}`;
    throw new ControlFault('capabilities', reason);
  }

  /** Moves the clock forward by `ms`, which may be 0, and returns the new time. */
  async advance(ms: number, { watched = true }: Pick<Sending, 'watched'> = {}): Promise<ClockReply> {
    const reply = await this.call(ADVANCE, { ms }, undefined, { again: ms === 0, watched });
    const nowMs = reply.get('now_ms');
    const anchorIndex = reply.get('anchor_index');
    if (isInstantMs(nowMs)) return { nowMs, anchorIndex: typeof anchorIndex === 'number' ? anchorIndex : 0 };
    throw new ControlFault(CLOCK, `the control API answered ${ADVANCE} without now_ms: ${reply.excerpt()}`);
  }

  /**
   * Moves the clock from `fromMs` to a moment, and returns the new time. If the call fails, reads whether the clock has moved. Throws `ClockLost`
   * if it shows neither the old time nor the new one.
   */
  async moveTo(ms: number, fromMs: number): Promise<number> {
    try {
      return reached(ms, await this.advance(ms - fromMs));
    } catch (error) {
      if (!(error instanceof ControlFault)) throw error;
      const nowMs = await this.#shown(error);
      if (nowMs >= ms) return nowMs;
      if (error.isLost) return reached(ms, await this.advance(ms - nowMs));
      throw nowMs === fromMs ? error : new ClockLost(error.message);
    }
  }

  /** The time of the clock after a move that failed. */
  async #shown(fault: ControlFault): Promise<number> {
    try {
      return (await this.advance(0)).nowMs;
    } catch (error) {
      throw error instanceof ControlFault ? new ClockLost(fault.message) : error;
    }
  }
}

/** The time is unknown: a move of the clock failed, and the clock does not show its time. */
export class ClockLost extends ControlFault {
  constructor(reason: string) {
    super(CLOCK, reason);
  }
}

function reached(ms: number, { nowMs }: ClockReply): number {
  if (nowMs >= ms) return nowMs;
  throw new ControlFault(CLOCK, `the clock of the target was to move to ${ms}, and ${ADVANCE} answers now_ms ${nowMs}`);
}

const CLOCK = 'clock/advance';
const ADVANCE = 'POST clock/advance';

/** Whether a value is a time in Unix milliseconds that ISO 8601 can write in four digits of a year, as replies have to. */
export function isInstantMs(value: unknown): value is number {
  return typeof value === 'number' && Math.abs(value) <= ISO_MS_MAX;
}
