/** Reads typed values from one reply of the target. If a step needs a missing value, the check ends. It asserts nothing. */

import type { JudgedReply } from '../../model/evidence.js';
import { show } from '../../model/reading/compare.js';
import { decisionBehind } from '../../model/reading/decision-forms.js';
import { instantMs } from '../../model/reading/field-tests.js';
import { at, parse } from '../../model/reading/values.js';
import { changesState } from '../../spec/endpoint.js';
import { type EndpointId, endpointOf } from '../../spec/endpoint-ids.js';
import { withoutByteOrderMark } from '../../spec/formats.js';
import { Unjudged, unmet } from './unjudged.js';

const EXCERPT_CHARS = 160;

/** A reply of the target. Its methods read values that later steps need; a missing value ends the check. */
export class Reply {
  /** The body as JSON; undefined when it is not JSON. */
  readonly json: unknown;

  constructor(
    /** Method and path of the request, as reports name it. */
    readonly name: string,
    readonly status: number,
    readonly headers: Readonly<Record<string, string>>,
    readonly text: string,
    /** The id of the endpoint that answered; absent for a request that no endpoint takes. */
    readonly endpoint?: EndpointId,
    /** The body of the request, as JSON. */
    readonly sent?: unknown,
    /** The number of the exchange in the transcript of its check, from 1. */
    readonly step = 0,
    /** The body under our names for fields of the target (shapes.ts); read from `text` without it. */
    json?: unknown,
  ) {
    this.json = json ?? parse(text);
  }

  /** The value at a dotted path of the body, `passport.valid_until`; undefined when there is none. */
  get(path: string): unknown {
    return at(this.json, path);
  }

  /** The number at a path, which the check needs: any other value ends the check. */
  number(path: string): number {
    const value = this.get(path);
    if (typeof value === 'number') return value;
    return this.#lacks(path, 'a number', value);
  }

  /** The string at a path, which the check needs: any other value ends the check. */
  string(path: string): string {
    const value = this.get(path);
    if (typeof value === 'string') return value;
    return this.#lacks(path, 'a string', value);
  }

  /** The instant at a path in Unix ms, from any ISO 8601 form. Any other value ends the check. */
  instant(path: string): number {
    const value = this.get(path);
    return instantMs(value) ?? this.#lacks(path, 'an ISO 8601 string', value);
  }

  #lacks(path: string, expected: string, value: unknown): never {
    const decision = this.endpoint && decisionBehind(this.endpoint, path);
    throw new Unjudged('not-tested', unmet(`${path} of ${this.name}, ${expected}, and got ${show(value)}`, decision));
  }

  /** Whether the body begins with a byte order mark. */
  get hasByteOrderMark(): boolean {
    return withoutByteOrderMark(this.text) !== this.text;
  }

  /** The reply as evidence quotes it. */
  get judged(): JudgedReply {
    const { status, text, endpoint } = this;
    return { status, body: text, isRead: endpoint !== undefined && !changesState(endpointOf(endpoint)) };
  }

  /** The start of the body, for messages. */
  excerpt(): string {
    return this.text.length > EXCERPT_CHARS ? `${this.text.slice(0, EXCERPT_CHARS)}…` : this.text;
  }
}
