/** Collects from the judged requests of a run, or of watched traffic, which planted mistakes they would have noticed. */

import type { Judgement } from '../model/evidence.js';
import { type KillData, shippedKills } from './kill-data.js';

/** The witnesses of mistakes by endpoint and reasons: the facts that a request has to have. */
type Witnesses = ReadonlyMap<string, readonly { readonly mistake: string; readonly facts: readonly string[] }[]>;

const byData = new WeakMap<
  KillData,
  { readonly requests: Witnesses; readonly checks: ReadonlyMap<string, string[]> }
>();

function indexed(data: KillData): { readonly requests: Witnesses; readonly checks: ReadonlyMap<string, string[]> } {
  const known = byData.get(data);
  if (known !== undefined) return known;
  const requests = new Map<string, { mistake: string; facts: readonly string[] }[]>();
  const checks = new Map<string, string[]>();
  const text = (place: number): string => data.texts[place] ?? '';
  for (const { id, requests: shown = [], checks: by = [] } of data.mistakes) {
    for (const [endpoint = 0, outcome = 0, ...facts] of shown) {
      const head = headOf(text(endpoint), text(outcome));
      requests.set(head, [...(requests.get(head) ?? []), { mistake: id, facts: facts.map(text) }]);
    }
    for (const each of by) checks.set(text(each), [...(checks.get(text(each)) ?? []), id]);
  }
  const made = { requests, checks };
  byData.set(data, made);
  return made;
}

const headOf = (endpoint: string, outcome: string): string => `${endpoint} ${outcome}`;

/** The planted mistakes that requests would have noticed. */
export class Noticing {
  readonly #noticed = new Set<string>();
  readonly #data: KillData;

  constructor(data: KillData = shippedKills()) {
    this.#data = data;
  }

  /** Adds a judged request. One without evidence notices nothing. */
  see({ endpoint, situation, evidence }: Pick<Judgement, 'endpoint' | 'situation' | 'evidence'>): void {
    if (situation === undefined || evidence.length === 0) return;
    const [outcome = ''] = situation;
    const witnesses = indexed(this.#data).requests.get(headOf(endpoint, outcome));
    if (witnesses === undefined) return;
    let facts: ReadonlySet<string> | undefined;
    for (const { mistake, facts: needed } of witnesses) {
      if (this.#noticed.has(mistake)) continue;
      facts ??= new Set(situation);
      if (needed.every((fact) => facts?.has(fact))) this.#noticed.add(mistake);
    }
  }

  /** Adds a check of the suite that came to its end. */
  seeCheck(id: string): void {
    for (const mistake of indexed(this.#data).checks.get(id) ?? []) this.#noticed.add(mistake);
  }

  /** The ids of the mistakes that would have been noticed. */
  get noticed(): ReadonlySet<string> {
    return this.#noticed;
  }
}
