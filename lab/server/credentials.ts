/**
 * The credentials of the lab: a bearer token for as long as the server runs, and codes that are exchanged for it once. Chance is
 * an argument. How they reach the page is in lab-server.ts.
 */

import { createHash, timingSafeEqual } from 'node:crypto';

/** Codes that may wait for their exchange at the same time; the oldest one goes first. */
const CODES_MAX = 16;

/** The token, and the codes that have not been used. */
export class Credentials {
  readonly token: string;
  readonly #draw: () => string;
  readonly #tokenDigest: Buffer;
  readonly #codes = new Set<string>();

  /** `draw` returns a new unguessable text at each call; `token` is one that an earlier server drew. */
  constructor(draw: () => string, token = draw()) {
    this.#draw = draw;
    this.token = token;
    this.#tokenDigest = digest(`Bearer ${this.token}`);
  }

  /** A new code, which one exchange takes. */
  newCode(): string {
    const code = this.#draw();
    this.#codes.add(digest(code).toString('hex'));
    const [oldest] = this.#codes;
    if (this.#codes.size > CODES_MAX && oldest !== undefined) this.#codes.delete(oldest);
    return code;
  }

  /** The token for a code that was not used before; undefined for any other. */
  exchange(code: string): string | undefined {
    return this.#codes.delete(digest(code).toString('hex')) ? this.token : undefined;
  }

  /** Whether an Authorization header carries the token. */
  isBearer(authorization: string | undefined): boolean {
    return timingSafeEqual(digest(authorization ?? ''), this.#tokenDigest);
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
