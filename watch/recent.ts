/** The latest exchanges about each agent, key, payment and nonce, within a bound of memory. Excerpts of breaks are made of them. */

import { perText } from '../model/reading/memo.js';
import type { Observed } from './exchange.js';

/** Hashes, keys, ids and signatures are at least this long. */
const NAME = /[\w.:+/=-]{16,}/g;
const NAMES_OF_REPLY =
  /"(?:hash|agent_hash|api_key|wallet_nonce|challenge_nonce|nonce|spawn_authorization|token|receipt|signature|flag_id)"\s*:\s*"([^"\\]{16,})"/g;
const NAMES_MAX = 64;

/** Bounds of what is kept. */
const EXCHANGES_MAX = 1_500;
const CHARS_MAX = 8_388_608;
const BODY_CHARS_MAX = 65_536;
/** The exchange that first names something is kept longer than others: it is mostly a registration. */
const FIRSTS_MAX = 2_000;
/** At most this many exchanges are related to one. */
const RELATED_MAX = 24;

interface Kept {
  readonly nth: number;
  readonly observed: Observed;
  readonly names: readonly string[];
  readonly chars: number;
}

/** The names in a path or a credential, which many requests share. */
const namesInText = perText((text): readonly string[] => text.match(NAME) ?? []);

/** The texts in an exchange that may be the name of something. */
function namesOf({ request, reply }: Observed): readonly string[] {
  const { url, headers, body = '' } = request;
  const named = [
    ...namesInText(url.slice(url.indexOf('/', 9))),
    ...namesInText(headers['authorization'] ?? ''),
    ...(body.slice(0, BODY_CHARS_MAX).match(NAME) ?? []),
  ];
  const issued = [...(reply?.body.slice(0, BODY_CHARS_MAX) ?? '').matchAll(NAMES_OF_REPLY)].map(
    ([, name = '']) => name,
  );
  return [...new Set([...named, ...issued].flatMap((name) => name.toLowerCase().split('/')))]
    .filter((name) => name.length >= 16)
    .slice(0, NAMES_MAX);
}

/** Keeps recent exchanges by what they name. */
export class Recent {
  readonly #byName = new Map<string, Kept[]>();
  readonly #firsts = new Map<string, Kept>();
  readonly #all: Kept[] = [];
  #chars = 0;
  #nth = 0;

  /** Keeps an exchange. Very long ones are left out. */
  add(observed: Observed): void {
    const chars = (observed.request.body?.length ?? 0) + (observed.reply?.body.length ?? 0) + 1_000;
    if (chars > BODY_CHARS_MAX) return;
    this.#nth += 1;
    const kept: Kept = { nth: this.#nth, observed, names: namesOf(observed), chars };
    this.#all.push(kept);
    this.#chars += chars;
    for (const name of kept.names) {
      const known = this.#byName.get(name);
      if (known === undefined) this.#byName.set(name, [kept]);
      else known.push(kept);
      if (!this.#firsts.has(name)) this.#firsts.set(name, kept);
    }
    this.#forget();
  }

  #forget(): void {
    while (this.#all.length > EXCHANGES_MAX || this.#chars > CHARS_MAX) {
      const oldest = this.#all.shift();
      if (oldest === undefined) return;
      this.#chars -= oldest.chars;
      for (const name of oldest.names) {
        const known = this.#byName.get(name);
        known?.shift();
        if (known?.length === 0) this.#byName.delete(name);
      }
    }
    for (const name of this.#firsts.keys()) {
      if (this.#firsts.size <= FIRSTS_MAX) return;
      this.#firsts.delete(name);
    }
  }

  /** The exchanges about what an exchange names, in order, itself last: the first of each name and the latest. */
  relatedTo(observed: Observed): readonly Observed[] {
    const firsts = new Set<Kept>();
    const latest = new Set<Kept>();
    const names = new Set(namesOf(observed));
    // A key leads to its registration, and the registration to the hash of its agent.
    for (const name of names) {
      const first = this.#firsts.get(name);
      if (first === undefined || firsts.has(first)) continue;
      firsts.add(first);
      if (firsts.size < 4) for (const other of first.names) names.add(other);
    }
    for (const name of names) for (const kept of (this.#byName.get(name) ?? []).slice(-RELATED_MAX)) latest.add(kept);
    const inOrder = (some: Iterable<Kept>): readonly Kept[] =>
      [...some].filter((each) => each.observed !== observed).sort((one, other) => one.nth - other.nth);
    const chosen = new Set([...inOrder(firsts).slice(0, RELATED_MAX / 3), ...inOrder(latest).slice(-RELATED_MAX)]);
    return [...inOrder(chosen).map((kept) => kept.observed), observed];
  }
}
