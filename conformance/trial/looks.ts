/**
 * Looks: reads that a run adds for the model. After a call, or when time has passed, one of the agents concerned is read by a lookup that the seed
 * chooses. Of a check's calls of one kind, accepted or refused, the first is followed by a look, later ones now and then.
 */

import type { State } from '../../model/facts/state.js';
import { at } from '../../model/reading/values.js';
import { changesState } from '../../spec/endpoint.js';
import { type EndpointId, endpointOf } from '../../spec/endpoint-ids.js';
import { isObject } from '../../spec/formats.js';
import type { Reply } from '../assertions/reply.js';
import { lookup } from '../moves/lookup.js';
import { hashForms, type Move } from '../moves/move.js';
import { verifyBatch } from '../moves/verify-batch.js';
import { Draws } from './random.js';
import type { Session } from './session.js';

/** A call or a wait, with the agents that it concerns. */
export interface Action {
  /** The endpoint, the control call, or the passing of time. */
  readonly name: string;
  readonly key?: string | undefined;
  readonly body?: unknown;
  readonly reply?: unknown;
}

/** The part of a session that looks need. */
type LookedAt = Pick<Session, 'seed' | 'salt' | 'addresses' | 'presence'> & { readonly model: State };

/** A look follows the first of every this many calls of a kind. */
export const SELDOM = 32;
/** Most checks begin with these calls; only one in this many is followed by a look. */
const PREPARING: readonly string[] = ['register', 'init'];
const PREPARED = 8;
/** The name of the action by which time passes. */
export const TIME = 'time';
/** The agents of a check that are remembered. */
const AGENTS_MAX = 8;
/** Looks with an agent's key use at most this share of a limit, since the check needs the rest. */
const SHARE_OF_LIMIT = 1 / 5;

/** The valid form is drawn three times as often as all others together. */
const FORMS = [...Array.from({ length: 8 }, () => hashForms.right), ...Object.values(hashForms)];

/** The looks of one check. */
export class Looks {
  readonly #draws: Draws;
  readonly #done = new Map<string, number>();
  /** Agents that the check has called or named, the latest last, with the keys that it has used. */
  readonly #agents = new Map<string, string | undefined>();

  /** Whether requests with an agent's key may be added. They may not if the check counts them. */
  readonly #withKeys: boolean;
  readonly #addresses: Draws;
  /** The looks with a key, by endpoint and key. */
  readonly #used = new Map<string, number>();

  constructor(
    readonly session: LookedAt,
    { id, clauses = [] }: { readonly id: string; readonly clauses?: readonly string[] },
  ) {
    this.#draws = new Draws(`look:${session.seed}:${session.salt}:${id}`);
    this.#addresses = session.addresses.drawsOf(`look ${id}`);
    this.#withKeys = !clauses.some((clause) => clause.startsWith('limit.'));
  }

  /** The look after an action; undefined for none. */
  after(action: Action): Move | undefined {
    this.#meet(action);
    const near = this.#near(action);
    if (near.length === 0) return undefined;
    const done = this.#done.get(action.name) ?? 0;
    this.#done.set(action.name, done + 1);
    if (done % SELDOM !== 0 || (PREPARING.includes(action.name) && this.#below(PREPARED) > 0)) return undefined;
    const hash = near[this.#below(near.length)];
    if (hash === undefined) return undefined;
    const ways = this.#ways(hash, near).filter(
      ({ endpoint }) => this.session.presence.unservedBy(endpoint) === undefined,
    );
    const way = ways[this.#below(ways.length)];
    if (way === undefined || !this.#admits(way)) return undefined;
    // From a new address, since the text does not give the limits of lookups by address.
    return { ...way, address: this.session.addresses.next(this.#addresses) };
  }

  /** Counts a look with a key. False where the check needs the rest of what the endpoint's limits admit. */
  #admits({ endpoint, key }: Move): boolean {
    if (key === undefined) return true;
    const { limits } = this.session.model.settings.protocol;
    const name = `${endpoint} ${key}`;
    const used = (this.#used.get(name) ?? 0) + 1;
    this.#used.set(name, used);
    return endpointOf(endpoint).buckets.every(({ limit }) => used <= limits[limit].count * SHARE_OF_LIMIT);
  }

  #below(count: number): number {
    return (this.#draws.bytes(1)[0] ?? 0) % Math.max(1, count);
  }

  #meet(action: Action): void {
    for (const hash of this.#named(action)) {
      const key = this.#agents.get(hash);
      this.#agents.delete(hash);
      this.#agents.set(hash, key);
    }
    for (const own of this.#ownOf(action)) this.#agents.set(own, action.key);
    const [oldest] = this.#agents.keys();
    if (this.#agents.size > AGENTS_MAX && oldest !== undefined) this.#agents.delete(oldest);
  }

  /** The agent of the key of a call, if it has one. */
  #ownOf({ key }: Action): readonly string[] {
    const own = key === undefined ? undefined : this.session.model.keys.get(key);
    return own === undefined ? [] : [own.hash];
  }

  /** The agents that a call names, in its body, its reply, or the path of a control call. */
  #named({ name, body, reply }: Action): readonly string[] {
    const texts = [...name.split('/'), ...(isObject(body) ? Object.values(body) : []), at(reply, 'hash')];
    return texts.flatMap((each) => {
      const hash = typeof each === 'string' ? (this.session.model.flags.get(each)?.target ?? each).toLowerCase() : '';
      return this.session.model.agents.has(hash) ? [hash] : [];
    });
  }

  /** The agents that a call may have changed: those that it names, its sender and the sender's parent; after time has passed, all agents of the check. */
  #near(action: Action): readonly string[] {
    if (action.name === TIME) return [...this.#agents.keys()];
    const named = [...this.#ownOf(action), ...this.#named(action)];
    const parents = named.flatMap((hash) => this.session.model.agents.get(hash)?.parent ?? []);
    return [...new Set([...named, ...parents])];
  }

  #ways(hash: string, near: readonly string[]): readonly Move[] {
    const form = FORMS[this.#below(FORMS.length)]?.(hash) ?? hash;
    const key = this.#withKeys ? this.#agents.get(hash) : undefined;
    const mine = (endpoint: EndpointId): Move => ({ endpoint, ...(key !== undefined && { key }) });
    return [
      ...(['status', 'verify', 'beat-status'] as const).map((endpoint) => lookup(endpoint, form)),
      verifyBatch([...new Set([form, ...near])]),
      ...(key === undefined ? [] : [mine('passport'), mine('passport'), mine('sponsor.get'), mine('sponsor.get')]),
    ];
  }
}

/** The call that a reply answers. Refusals are included, since the model judges that they changed nothing. */
export function actionOf({ endpoint, name, status, json }: Reply, sent: Omit<Action, 'name'>): Action | undefined {
  if (endpoint === undefined || !changesState(endpointOf(endpoint))) return undefined;
  return { ...sent, reply: json, name: status < 300 ? endpoint : `${name} ${status} ${String(at(json, 'code'))}` };
}
