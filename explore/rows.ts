/**
 * Dead rows: rows of spec/errors and moves of spec/states that no state of a small world reaches. Rows that follow from the form of a
 * request alone, or that no move of the small world could meet, lie outside, each with the reason.
 */

import { ACTIVE, FROZEN, REGISTERED as NOT_STARTED } from '../reference/registry/state.js';
import { type ErrorKey, errors } from '../spec/errors.js';
import { moves as specMoves } from '../spec/states.js';
import * as F from './fields.js';
import { ACCEPTED, errorOf, type First, type Graph } from './search.js';

type Reason = 'form' | 'no-move' | 'limits' | 'signatures';

/** Why rows lie outside the small world. */
export const reasons: Readonly<Record<Reason, string>> = {
  form: 'follows from the form of one request, in whatever state',
  'no-move': 'the small world has no such call',
  limits: 'the buckets of section 8 are counted outside the rules',
  signatures: 'needs a signature or beats that the small world does not compute',
};

const FORMS =
  /^(VALIDATION|INVALID_HASH|INVALID_INPUT|BATCH_TOO_LARGE|CONTENT_TYPE_REQUIRED|WALLET_CHAIN_UNSUPPORTED)$/;
/** Endpoints without a move in the small world. */
const ABSENT = new Set(
  'register-token checkin verify-batch status verify beat-status beat-anchor beat-verify authority-key fees-summary subsidy partner-webhook work-proof beat-timestamp'.split(
    ' ',
  ),
);
/** Single rows that lie outside, where their endpoint has moves. */
const SINGLE: Readonly<Partial<Record<ErrorKey, Reason>>> = {
  'any/RATE_LIMITED': 'limits',
  'register/AUTH_MISSING': 'no-move',
  'register/AUTH_INVALID': 'no-move',
  'register/NONCE_INVALID': 'no-move',
  'register/AGENT_NOT_FOUND': 'form',
  'register/SIGNATURE_INVALID': 'signatures',
  'wallet/SIGNATURE_INVALID': 'signatures',
  'beats-submit/PROOF_INVALID': 'signatures',
};

/** Why a row lies outside; undefined for one that the moves of a small world should meet. */
function outside(key: ErrorKey): Reason | undefined {
  const { endpoint, code } = errors[key];
  if (SINGLE[key] !== undefined) return SINGLE[key];
  if (endpoint === 'any') return code === 'AUTH_MISSING' ? undefined : 'form';
  if (ABSENT.has(endpoint)) return 'no-move';
  return FORMS.test(code) ? 'form' : undefined;
}

/** One step of the specification: whether a state reaches it, with the first one, or why it lies outside. */
export interface Reach {
  readonly id: string;
  readonly first: First | undefined;
  readonly outside: Reason | undefined;
}

/** Every row of spec/errors: the first state in which a move is refused by it. */
export function rowsOf({ firsts }: Graph): readonly Reach[] {
  const first = new Map<ErrorKey, First>();
  for (const each of firsts) {
    const row = errorOf(each.answer);
    if (row !== undefined && !first.has(row)) first.set(row, each);
  }
  return (Object.keys(errors) as ErrorKey[]).map((id) => {
    const found = first.get(id);
    return { id, first: found, outside: found === undefined ? outside(id) : undefined };
  });
}

/** The mover of an operation, in the words of spec/states. */
function moverOf(op: string): 'agent' | 'other' | 'time' {
  if (op === 'time') return 'time';
  return op === 'review' || op === 'revoke-key' || op === 'flag' ? 'other' : 'agent';
}

const AGENT_STATES = new Map([
  [NOT_STARTED, 'registered'],
  [ACTIVE, 'active'],
  [FROZEN, 'frozen'],
]);
/** An ended sponsorship is like none in a small world, unless its end by a freeze changes an answer. */
const ENDED = 'none';

const FLAGS = ['none', 'pending', 'sustained'];

/** Every move of spec/states: the first edge that makes it. */
export function transitionsOf(graph: Graph): readonly Reach[] {
  const { world, edges, moves, states, expanded } = graph;
  const { fields } = world;
  const found = new Map<string, First>();
  const [before, after] = [world.first(), world.first()];
  for (let state = 0; state < expanded; state++) {
    fields.layout.unpack(states.packed, state * states.words, before);
    for (let e = edges.offsets[state]!; e < edges.offsets[state + 1]!; e++) {
      fields.layout.unpack(states.packed, edges.target[e]! * states.words, after);
      const move = edges.move[e]!;
      const by = moverOf(moves[move]!.op);
      for (const change of changesOf(fields, before, after)) {
        const id = `${change} by ${by}`;
        if (!found.has(id)) found.set(id, { move, answer: ACCEPTED, state });
      }
    }
  }
  const name = (state: string): string => (state === 'revoked' || state === 'expired' ? ENDED : state);
  return specMoves.map(({ subject, from, to, by, trigger }): Reach => {
    const [was, is] = subject === 'sponsorship' ? [name(from), name(to)] : [from, to === 'closed' ? 'none' : to];
    return {
      id: `${subject}: ${from} to ${to} by ${trigger}`,
      first: found.get(`${subject}: ${was} to ${is} by ${by}`),
      outside: undefined,
    };
  });
}

/** The changes between two states, in the words of spec/states. */
function changesOf(fields: F.Fields, before: Int32Array, after: Int32Array): readonly string[] {
  const changes: string[] = [];
  const add = (subject: string, from: string | undefined, to: string | undefined): void => {
    if (from !== to) changes.push(`${subject}: ${from} to ${to}`);
  };
  const word = (values: Int32Array, at: number, words: readonly string[]): string => words[values[at]!]!;
  for (let agent = 0; agent < fields.agents; agent++) {
    if (!fields.exists(before, agent) || !fields.exists(after, agent)) continue;
    const at = fields.agent(agent);
    add('agent', AGENT_STATES.get(before[at + F.STATUS]!), AGENT_STATES.get(after[at + F.STATUS]!));
    const key = ['valid', 'revoked'];
    add('key', word(before, at + F.REVOKED, key), word(after, at + F.REVOKED, key));
    if (after[at + F.REVOKED] === 0) {
      const wallet = ['none', 'linked'];
      add('wallet', word(before, at + F.WALLET, wallet), word(after, at + F.WALLET, wallet));
      const sigil = ['none', 'issued', 'issued'];
      add('sigil', word(before, at + F.SIGIL_KIND, sigil), word(after, at + F.SIGIL_KIND, sigil));
    }
    if (agent > 0) {
      const sponsorship = fields.sponsorship(agent) + F.SPONSOR_STATE;
      const words = [ENDED, 'active', ENDED];
      add('sponsorship', word(before, sponsorship, words), word(after, sponsorship, words));
    }
    for (let by = 0; by < fields.agents; by++) {
      const flag = fields.flag(by, agent);
      if (after[at + F.REVOKED] === 0) add('flag', word(before, flag, FLAGS), word(after, flag, FLAGS));
    }
  }
  return changes;
}
