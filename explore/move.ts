/** A move of a small world: the rule that it calls, its costs, and the actions by which a script plays it. */

import type { NamedPayment } from '../reference/registry/payment.js';
import { type Refusal, refuse } from '../reference/registry/refusal.js';
import type { EndpointId } from '../spec/endpoint-ids.js';
import { shutBy } from '../spec/limits.js';
import * as F from './fields.js';
import type { World } from './world.js';

/** An action of a script, as `conformance/fuzz` plays it. */
export interface Action {
  readonly op: string;
  readonly [field: string]: unknown;
}

/** The costs of a move. */
export interface Cost {
  lamports: number;
  /** Beats of a chain that have to be computed. */
  beats: number;
  anchors: number;
}

/** The answer of a rule: accepted, or a refusal by a row of spec/errors. */
export type Outcome = { readonly ok: true } | Pick<Refusal, 'ok' | 'row'>;

export interface Move {
  readonly name: string;
  /** The operation without its details, by which edges are grouped. */
  readonly op: string;
  /** The agent that sends it; -1 for the administrator, and for time. */
  readonly actor: number;
  /** Present on moves that a quick exploration leaves out: complaints, revocations, the sandbox, and sponsorships with an end. */
  readonly isFurther?: true;
  /** Present on the moves by which an agent comes back from a freeze. */
  readonly isResync?: true;
  /** The parts of the service that it needs, each of which can be withheld. */
  readonly uses: readonly Withheld[];
  /** True in states with all agents that the move names. */
  readonly isPossible: (values: Int32Array) => boolean;
  /** Calls the rule, and adds to `cost` what an accepted call costs. */
  readonly play: (cost: Cost, values: Int32Array) => Outcome;
  /** The actions of a script. `anchors`: those that passed, for a move of time. */
  readonly actions: (anchors: number) => readonly Action[];
}

/** Parts of the service that can be withheld. */
export const withheld = ['sponsor', 'money', 'beats', 'wallet', 'review'] as const;
export type Withheld = (typeof withheld)[number];

/** The claim and the reason of every complaint. */
export const COMPLAINT = { assertedClass: 'orchestrator', reason: 'r' };
export const FURTHER = { isFurther: true } as const;
export const OK: Outcome = { ok: true };
/** Agents of a script begin after the two that every random sequence begins with. */
const FIRST_AGENT = 2;

/** The endpoints of operations that are not named like theirs. */
const ENDPOINTS: Readonly<Record<string, EndpointId>> = {
  'register-child': 'register',
  'resync-challenge': 'resync',
  'spawn-link': 'spawn',
  sponsor: 'sponsor.post',
  'sponsor-delete': 'sponsor.delete',
};
/** The fields of a request by which section 8 tells the forms of a call apart. */
const FORMS: Readonly<Record<string, object>> = { 'resync-challenge': { action: 'challenge' } };
/** The ways to get a receipt by a call of the beats service. */
const PROVEN: readonly unknown[] = ['made', 'short'];

/** True if a limit of 0 refuses each such request. Other limits are no part of the small world. */
export function isShut({ registry: { protocol } }: World, op: string, fields: object = {}): boolean {
  const needsProof = 'receipt' in fields && PROVEN.includes(fields.receipt);
  if (needsProof && shutBy(protocol, 'work-proof.post', {}) !== undefined) return true;
  return shutBy(protocol, ENDPOINTS[op] ?? (op as EndpointId), FORMS[op] ?? {}) !== undefined;
}

export const SHUT: Outcome = refuse('any/RATE_LIMITED');

/** The number of an agent in scripts. */
export const script = (agent: number): number => FIRST_AGENT + agent;

/** A move of an agent. The check of keys comes before every rule: a call with a revoked key is a move of its own. */
export function own(
  world: World,
  agent: number,
  op: string,
  detail: string,
  rule: (cost: Cost, values: Int32Array) => Outcome,
  fields: object,
  more: Partial<Move> = {},
): Move {
  const at = world.fields.agent(agent);
  const { isPossible = (values: Int32Array) => world.fields.exists(values, agent), ...others } = more;
  return {
    name: `${F.nameOf(agent)}: ${op}${detail === '' ? '' : ` ${detail}`}`,
    op,
    actor: agent,
    uses: [],
    isPossible: (values) => values[at + F.REVOKED] === 0 && isPossible(values),
    play: isShut(world, op, fields) ? () => SHUT : rule,
    actions: () => [{ op, agent: script(agent), ...fields }],
    ...others,
  };
}

/** A payment; without an id one that was never used. */
export const payment = (world: World, payer: number, lamports: number, id = world.nextPayment()): NamedPayment => ({
  ...{ id, sender: payer, lamports },
  counts: true,
});

/** A wallet that is no agent's. */
export const STRANGER = 99;

/** The answer to a paid request; its fee is added to the costs, and a deposit, which a change may ask for. */
export function pay(
  cost: Cost,
  result: { ok: true; feeLamports: number; depositLamports?: number } | Refusal,
): Outcome {
  if (result.ok) cost.lamports += result.feeLamports + (result.depositLamports ?? 0);
  return result;
}
