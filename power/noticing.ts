/** Collects from the judged requests of a run, or of watched traffic, which planted mistakes they would have noticed. */

import type { Judgement } from '../model/evidence.js';
import { type KillData, shippedKills } from './kill-data.js';

/** Witnesses of mistakes: the facts that a request has to have. */
type Witnesses = readonly { readonly mistake: string; readonly facts: readonly string[] }[];

/** Kill data by what notices a mistake: endpoint and reasons of a request, and checks. */
interface Indexed {
  readonly requests: ReadonlyMap<string, Witnesses>;
  readonly checks: ReadonlyMap<string, string[]>;
}

const byData = new WeakMap<KillData, Indexed>();

function indexed(data: KillData): Indexed {
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
  /** The witnesses of mistakes that are not noticed, and how many were noticed when they were sorted out. */
  readonly #left = new Map<string, { readonly witnesses: Witnesses; readonly of: number }>();

  constructor(data: KillData = shippedKills()) {
    this.#data = data;
  }

  /** Whether a request of an endpoint can notice one more mistake. `outcome`: the reasons to refuse it, the first fact of its situation. */
  readonly asks = (endpoint: string, outcome: string): boolean => this.#leftOf(headOf(endpoint, outcome)).length > 0;

  #leftOf(head: string): Witnesses {
    const known = this.#left.get(head);
    if (known?.of === this.#noticed.size) return known.witnesses;
    const all = known?.witnesses ?? indexed(this.#data).requests.get(head) ?? [];
    const witnesses = all.filter(({ mistake }) => !this.#noticed.has(mistake));
    this.#left.set(head, { witnesses, of: this.#noticed.size });
    return witnesses;
  }

  /** Adds a judged request. One without evidence notices nothing. */
  see({ endpoint, situation, evidence }: Pick<Judgement, 'endpoint' | 'situation' | 'evidence'>): void {
    if (situation === undefined || evidence.length === 0) return;
    const [outcome = ''] = situation;
    const left = this.#leftOf(headOf(endpoint, outcome));
    if (left.length === 0) return;
    const facts = new Set(situation);
    for (const { mistake, facts: needed } of left)
      if (needed.every((fact) => facts.has(fact))) this.#noticed.add(mistake);
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
