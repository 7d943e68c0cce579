/** Sends the requests of a run, and lets the model judge each exchange. */

import type { Evidence } from '../../model/evidence.js';
import { emptyState, type State } from '../../model/facts/state.js';
import { type Judged, Oracle } from '../../model/oracle.js';
import { parse } from '../../model/reading/values.js';
import type { Signed } from '../../results/conformance-result.js';
import { CONTROL_PATH } from '../../spec/endpoint.js';
import { jsonOf } from '../../spec/formats.js';
import { callOf, type Move, requestOf } from '../moves/move.js';
import { withOwnHeaders } from '../target/access.js';
import { beyondFuzz, settingsOf } from '../target/modelled.js';
import type { Target } from '../target/target.js';
import { Draws } from '../trial/random.js';
import { hiddenOf } from '../trial/session.js';
import { Redactor } from '../wire/redact.js';
import { type Transport, TransportFailure, type WireReply } from '../wire/transport.js';
import { type RawExchange, REPLY_BYTES_MAX, withSources } from '../wire/wire.js';
import { inWords, type Tally } from './tally.js';

/** A move to send, and the values of an accepting reply to record in addition to the model's. */
export interface Ready extends Move {
  readonly note?: (answer: Answer) => void;
}

export interface Answer {
  readonly status: number;
  readonly json: unknown;
  readonly text: string;
}

/** The run cannot go on, since the service cannot do something that it needs. */
export class Unplayable extends Error {
  override readonly name = 'Unplayable';
}

/** A reply that the text does not allow. */
export class Break extends Error {
  override readonly name = 'Break';

  constructor(
    readonly evidence: Evidence,
    readonly exchange: RawExchange,
  ) {
    super(inWords(`${exchange.request.method} ${new URL(exchange.request.url).pathname}`, evidence));
  }
}

const TIMEOUT_MS = 60_000;
/** How many characters of a reply are shown if it ends the run. */
const ANSWER_CHARS_MAX = 2_000;

export class Requests {
  readonly exchanges: RawExchange[] = [];
  /** All that the model knows. */
  readonly state: State;
  /** The address of all requests; undefined for a new one each time. */
  sharedAddress: string | null = null;
  readonly #oracle: Oracle<RawExchange>;
  readonly #signed: Signed[] = [];
  #broken: Break | undefined;
  #addresses = 0;
  readonly #headersOf: ReturnType<typeof withOwnHeaders>;

  /** `salt`: the seed of names, wallets and addresses. `state`: that of the service; by default it is new. */
  constructor(
    readonly target: Target,
    readonly transport: Transport,
    readonly salt: string,
    readonly tally: Tally,
    state?: State,
    readonly draws = new Draws(`fuzz:${salt}`),
  ) {
    const beyond = beyondFuzz(target);
    if (beyond !== undefined) throw new Unplayable(`the model does not know ${beyond}`);
    this.#headersOf = withOwnHeaders(target);
    this.state = state ?? emptyState(settingsOf(target));
    this.#oracle = new Oracle<RawExchange>(this.state, (judged) => this.#judged(judged));
  }

  #judged({ by, judgement }: Judged<RawExchange>): void {
    this.tally.take(judgement, by.request, (text) => this.redactor().redact(text));
    const against = judgement.evidence.find(({ ok, level }) => !ok && level === 'must');
    if (against !== undefined) this.#broken ??= new Break(against, by);
  }

  /** Records the texts that wallets of the player sign. */
  readonly onSigned = (signed: Signed): void => {
    this.#signed.push(signed);
  };

  /** A redactor that knows the secrets of the target, and those that its replies have issued so far. */
  redactor(): Redactor {
    const redactor = new Redactor(hiddenOf(this.target));
    for (const { response } of this.exchanges)
      redactor.learn(response === undefined ? undefined : jsonOf(response.body));
    return redactor;
  }

  /** The error that ends a run after a reply. It quotes the reply without secrets. */
  unplayable(what: string, { status, text }: Answer): Unplayable {
    return new Unplayable(`${what} with ${status} ${this.redactor().redact(text.slice(0, ANSWER_CHARS_MAX))}`);
  }

  /** Sends a move and returns the reply. Throws a Break if the text does not allow the reply. */
  async send(move: Ready): Promise<Answer> {
    const [answer] = await this.atOnce([move]);
    return answer as Answer;
  }

  /** Sends moves at once. */
  async atOnce(moves: readonly Ready[]): Promise<readonly Answer[]> {
    const answers = await Promise.all(moves.map((move) => this.#call(move)));
    answers.forEach((answer, nth) => {
      if (answer.status < 400) moves[nth]?.note?.(answer);
    });
    if (this.#broken !== undefined) this.end(this.#broken);
    return answers;
  }

  /** Called at each reply from the first one on that the text does not allow. */
  protected end(broken: Break): void {
    throw broken;
  }

  async #call(move: Move): Promise<Answer> {
    const call = callOf(move);
    const base = call.service === 'beats' ? this.target.beatsUrl : this.target.baseUrl;
    if (base === null) throw new Unplayable('the target has no beats_url');
    const address = this.target.clientIp === 'none' ? undefined : (call.address ?? this.address());
    return this.#exchange(requestOf(base, { ...call, address }));
  }

  /** Calls the control API, and returns its reply. Throws Unplayable unless it succeeds. */
  async control(method: string, path: string, body?: unknown): Promise<Readonly<Record<string, unknown>>> {
    const { control } = this.target;
    if (control === undefined) throw new Unplayable('the target file has no control');
    const call = { method, path: `${CONTROL_PATH}/${path}`, key: control.token, body };
    const answer = await this.#exchange(requestOf(control.url, call));
    const isObject = typeof answer.json === 'object' && answer.json !== null;
    if (answer.status >= 200 && answer.status < 300 && isObject) return answer.json as Record<string, unknown>;
    throw this.unplayable(`the control API answered ${method} ${path}`, answer);
  }

  async #exchange(asked: ReturnType<typeof requestOf>): Promise<Answer> {
    const request = {
      ...asked,
      headers: this.#headersOf(asked.url, asked.headers),
      ...(asked.url.endsWith('/clock/advance') ? { once: true as const } : {}),
    };
    const { nowMs } = this.state;
    const at = nowMs === undefined ? {} : { at: new Date(nowMs).toISOString() };
    const exchange: RawExchange & { response?: WireReply } = withSources(
      { request, ...at },
      { made: this.#signed, answers: [] },
    );
    const end = this.#oracle.begin(request, exchange);
    const response = await this.#sent(request);
    exchange.response = response;
    this.exchanges.push(exchange);
    end(response);
    return { status: response.status, json: parse(response.body), text: response.body };
  }

  /** The reply to a request. Throws Unplayable if none comes. */
  async #sent(request: RawExchange['request']): Promise<WireReply> {
    try {
      const reply = await this.transport({ ...request, timeoutMs: TIMEOUT_MS, replyBytesMax: REPLY_BYTES_MAX });
      if (reply.resent === undefined || request.method === 'GET') return reply;
      throw new TransportFailure('broken', `${reply.resent}, and the service may have served it: start again`);
    } catch (error) {
      if (!(error instanceof TransportFailure)) throw error;
      const said = this.redactor().redact(error.message);
      throw new Unplayable(`no reply to ${request.method} ${new URL(request.url).pathname} can be read: ${said}`);
    }
  }

  /** A new address, unless requests share one. */
  address(): string {
    return this.sharedAddress ?? this.newAddress();
  }

  newAddress(): string {
    this.#addresses += 1;
    return `10.${this.draws.bytes(1)[0]}.${(this.#addresses >> 8) & 255}.${this.#addresses & 255}`;
  }
}
