import type { EndpointId } from '../protocol/endpoints.js';
import { clausesOfField } from './attribution.js';
import { Mismatched, show } from './mismatch.js';

const EXCERPT_CHARS = 160;

/** An answer of the target, with typed reads that fail the check where a field is missing or ill-typed. */
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
  ) {
    this.json = parse(text);
  }

  /** The value at a dotted path of the body, `passport.valid_until`; undefined when there is none. */
  get(path: string): unknown {
    return at(this.json, path);
  }

  /** The number at a path; anything else is a mismatch. */
  number(path: string): number {
    const value = this.get(path);
    if (typeof value === 'number') return value;
    return this.#lacks(path, 'a number', value);
  }

  /** The string at a path; anything else is a mismatch. */
  string(path: string): string {
    const value = this.get(path);
    if (typeof value === 'string') return value;
    return this.#lacks(path, 'a string', value);
  }

  #lacks(path: string, expected: string, value: unknown): never {
    const about = `${this.name}: ${path}`;
    throw new Mismatched(
      { about, expected, actual: show(value) },
      this.endpoint && clausesOfField(this.endpoint, path),
    );
  }

  /** The start of the body, for messages. */
  excerpt(): string {
    return this.text.length > EXCERPT_CHARS ? `${this.text.slice(0, EXCERPT_CHARS)}…` : this.text;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
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
