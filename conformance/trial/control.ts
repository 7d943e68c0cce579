/**
 * A client of the target's control API: clock, ledger, keys and deliveries. The control API of the reference is in
 * reference/http/control.
 */
import { CONTROL_PATH } from '../../spec/endpoint.js';
import { ISO_MS_MAX } from '../../spec/formats.js';
import { Reply } from '../assertions/reply.js';
import { Unjudged } from '../assertions/unjudged.js';
import { TransportFailure } from '../wire/transport.js';
import type { RawExchange, Sending, Wire } from '../wire/wire.js';

/** The reply of a target's clock to a move. */
interface ClockReply {
  readonly nowMs: number;
  readonly anchorIndex: number;
}

type Recorder = (exchange: RawExchange) => void;

/** The control API of a target: what a test may do that a client may not (design, section 2). */
export class Control {
  constructor(
    readonly wire: Wire,
    readonly url: string,
    readonly token: string,
  ) {}

  /** One call, `POST ledger/transfers`; an answer other than a success makes the check inconclusive. `owner`: who asks. */
  async call(
    name: string,
    body?: unknown,
    record?: Recorder,
    { owner, ...sending }: Omit<Sending, 'counted'> & { readonly owner?: string } = {},
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
      // Twice as far would spoil the time of every check.
      ...(name === ADVANCE ? { once: true as const } : {}),
    };
    const response = await this.wire.send(request, record, sending);
    const reply = new Reply(`control ${name}`, response.status, response.headers, response.body);
    if (reply.status >= 200 && reply.status < 300) return reply;
    throw new Unjudged('inconclusive', `the control API answered ${name} with ${reply.status} ${reply.excerpt()}`);
  }

  /** The calls that the target's control API has, by name. */
  async capabilities(): Promise<ReadonlySet<string>> {
    const reply = await this.call('GET capabilities', undefined, undefined, { again: true });
    const calls = reply.get('calls');
    if (!Array.isArray(calls)) {
      throw new Unjudged('inconclusive', 'GET capabilities of the control API does not answer {calls: [names]}');
    }
    return new Set(calls.map(String));
  }

  /** Moves the clock on by `ms`, which may be 0, and says what time it is then. */
  async advance(ms: number, { watched = true }: Pick<Sending, 'watched'> = {}): Promise<ClockReply> {
    const reply = await this.call(ADVANCE, { ms }, undefined, { again: ms === 0, watched });
    const nowMs = reply.get('now_ms');
    const anchorIndex = reply.get('anchor_index');
    if (isInstantMs(nowMs)) return { nowMs, anchorIndex: typeof anchorIndex === 'number' ? anchorIndex : 0 };
    throw new Unjudged('inconclusive', `clock/advance does not return now_ms: ${reply.excerpt()}`);
  }

  /**
   * Moves the clock on from `fromMs` to a moment, and returns its time then. If the reply is lost, the clock shows whether it has
   * moved.
   */
  async moveTo(ms: number, fromMs: number): Promise<number> {
    try {
      return (await this.advance(ms - fromMs)).nowMs;
    } catch (error) {
      if (!(error instanceof TransportFailure) || error.kind !== 'broken') throw error;
      const { nowMs } = await this.advance(0);
      return nowMs < ms ? (await this.advance(ms - nowMs)).nowMs : nowMs;
    }
  }
}

const ADVANCE = 'POST clock/advance';

/** Whether a value is a time in Unix milliseconds that ISO 8601 can write in four digits of a year, as replies have to. */
export function isInstantMs(value: unknown): value is number {
  return typeof value === 'number' && Math.abs(value) <= ISO_MS_MAX;
}
