/**
 * One reply of the target with typed, tolerant reads. It ends a check where a value that the next step needs is
 * missing, and asserts nothing itself.
 */
import { jsonDeeperAt, jsonOf, withoutByteOrderMark } from '../../spec/formats.js';
import type { EndpointId } from '../protocol/endpoints.js';
import { show } from './compare.js';
import { decisionBehind } from './decision-forms.js';
import { instantMs } from './field-tests.js';
import { Unjudged } from './unjudged.js';

const EXCERPT_CHARS = 160;

/** An answer of the target, with typed reads of what later steps need: a check ends where they are not there. */
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
    /** The place of the exchange in the transcript of its check, from 1. */
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

  /** The number at a path; anything else ends the check, which needs it. */
  number(path: string): number {
    const value = this.get(path);
    if (typeof value === 'number') return value;
    return this.#lacks(path, 'a number', value);
  }

  /** The string at a path; anything else ends the check, which needs it. */
  string(path: string): string {
    const value = this.get(path);
    if (typeof value === 'string') return value;
    return this.#lacks(path, 'a string', value);
  }

  /** The instant at a path in Unix ms, whatever ISO 8601 form it is in. */
  instant(path: string): number {
    const value = this.get(path);
    return instantMs(value) ?? this.#lacks(path, 'an ISO 8601 string', value);
  }

  #lacks(path: string, expected: string, value: unknown): never {
    const decision = this.endpoint && decisionBehind(this.endpoint, path);
    const why = decision === undefined ? '' : `: ${decision} is not followed`;
    throw new Unjudged('not-tested', `needs ${path} of ${this.name}, ${expected}, and got ${show(value)}${why}`);
  }

  /** Whether the body begins with a byte order mark. */
  get hasByteOrderMark(): boolean {
    return withoutByteOrderMark(this.text) !== this.text;
  }

  /** The start of the body, for messages. */
  excerpt(): string {
    return this.text.length > EXCERPT_CHARS ? `${this.text.slice(0, EXCERPT_CHARS)}…` : this.text;
  }
}

/** Deeper than any reply of the specification nests by far; what looks at a reply goes through it recursively. */
const DEPTH_MAX = 200;

/** Names of fields by which JavaScript makes a text of an object: one from a reply must not be taken for the means to do so. */
const OWN_MEANS = /toString|valueOf|\\u/;

/** The value of a JSON text, in which every object with such a field reads as its JSON where a text is wanted. */
function asWords(text: string, value: unknown): unknown {
  if (!OWN_MEANS.test(text) || typeof value !== 'object' || value === null) return value;
  if (!Array.isArray(value) && (Object.hasOwn(value, 'toString') || Object.hasOwn(value, 'valueOf'))) {
    Object.defineProperty(value, Symbol.toPrimitive, { value: () => JSON.stringify(value) });
  }
  for (const item of Object.values(value)) asWords(text, item);
  return value;
}

/** A text as JSON; undefined when it is not, or nests too deep to be read. */
export function parse(text: string): unknown {
  if (jsonDeeperAt(text, DEPTH_MAX) !== undefined) return undefined;
  return asWords(text, jsonOf(withoutByteOrderMark(text)));
}

/** The value at a dotted path; list items by their index. */
export function at(value: unknown, path: string): unknown {
  let node: unknown = value;
  for (const key of path.split('.')) {
    if (typeof node !== 'object' || node === null || !Object.hasOwn(node, key)) return undefined;
    node = (node as Record<string, unknown>)[key];
  }
  return node;
}
