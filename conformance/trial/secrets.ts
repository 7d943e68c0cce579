/**
 * Knows every secret that a run was given or issued, and looks for them in replies that should not hold them. Reports hide secrets
 * by wire/redact.ts.
 */
import { secretsIn } from '../wire/redact.js';

/** A secret that a reply contained, and the clause that forbids it. */
interface Leak {
  readonly kind: string;
  readonly clause: string;
}

/** The clauses that forbid it: 2.13 and 6 for the webhook secret, which only PUT returns; D-15 for the others. */
const CLAUSES: Readonly<Record<string, string>> = { webhook_secret: 'delivery.secret.only-put' };
const KEPT = 'key.secret.kept';
/** The least length at which a secret can be distinguished from other text. */
const CHARS_MIN = 16;
const WORD = /[\w.+/=-]{16,}/g;

/** The secrets of one run, by their value. */
export class Secrets {
  readonly #kinds = new Map<string, string>();

  /** `given`: those of the target file, by name. */
  constructor(given: Readonly<Record<string, string | undefined>>) {
    for (const [kind, value] of Object.entries(given)) this.#add(kind.toLowerCase(), value);
  }

  /** Records the secrets that a reply issues. */
  learn(json: unknown): void {
    for (const { field, value } of secretsIn(json)) this.#add(field, value);
  }

  /** Secrets in the text of a reply, except those that its own fields issue. */
  leakedIn(text: string, json: unknown): readonly Leak[] {
    if (this.#kinds.size === 0) return [];
    const issued = new Set(secretsIn(json).map(({ value }) => value));
    const found = new Set(text.match(WORD) ?? []);
    return [...found].flatMap((word) => {
      const kind = this.#kinds.get(word);
      return kind === undefined || issued.has(word) ? [] : [{ kind, clause: CLAUSES[kind] ?? KEPT }];
    });
  }

  #add(kind: string, value: string | undefined): void {
    if (value !== undefined && value.length >= CHARS_MIN) this.#kinds.set(value, kind);
  }
}
