/** The model's judgement of one exchange, and the state after it. */

import { changesState } from '../spec/endpoint.js';
import type { Case } from './case.js';
import { type JudgedReply, Judgement } from './evidence.js';
import { unlessUnknown } from './facts/earlier.js';
import { forgetSubject } from './facts/join.js';
import { countEnded, countSent } from './facts/limits.js';
import type { Agent, State } from './facts/state.js';
import { noteTried } from './facts/tried.js';
import { judgeForm } from './judge/form.js';
import { learnEarlier } from './judge/learnt.js';
import { settle } from './judge/settle.js';
import { situationOf } from './judge/situation.js';
import { applyControl } from './operations/control.js';
import { operations } from './operations/index.js';
import { answered, type Call, type ControlCall, type ReadReply } from './reading/call.js';
import { at, namesIn } from './reading/values.js';

/** Counts a request in its rate limits when it is sent. */
export function noteRequest(state: State, call: Call): void {
  countSent({ state, call, agent: agentOf(state, call) });
  if (call.endpoint.id !== 'flag') return;
  state.flagsSent += 1;
  call.closedBefore = state.flagsClosed;
}

/** Ends the counting of a request that has been judged, or never will be. */
export function noteEnd(state: State, call: Call | ControlCall): void {
  if ('endpoint' in call) countEnded({ state, call, agent: agentOf(state, call) });
}

/** Judges a call by its reply against a state, and updates the state. */
export function judge(state: State, call: Call | ControlCall, reply: ReadReply): Judgement {
  if ('control' in call) {
    const judgement = new Judgement('', state.lists);
    if (reply.status < 300) applyControl({ state, judgement }, call, reply.json);
    return judgement;
  }
  if (call.endpoint.id === 'flag') state.flagsSent -= 1;
  const read = answered(state.settings, call, reply);
  const judgement = new Judgement(call.name, state.lists, new QuotedReply(call, reply), read.json);
  const operation = operations.get(call.endpoint.id);
  const given = { state, call: read, agent: agentOf(state, call), judgement };
  if (operation === undefined) {
    judgement.situation = situationOf(given, [], []);
    if (reply.status < 400) judgeForm(given);
    return judgement;
  }
  const isDone = settle(operation, given);
  if (!state.isWhole) {
    if (!isDone && reply.status < 400) for (const name of namesIn(call.body)) forgetSubject(state, name);
    learnEarlier(given, isDone);
  }
  unlessUnknown(() => learnPolicies(given));
  if (reply.status >= 400) noteTried(state, call);
  return judgement;
}

/** The reply of an endpoint as reports quote it. Its body is written on demand: only a deviation is quoted. */
class QuotedReply implements JudgedReply {
  readonly status: number;
  readonly isRead: boolean;
  readonly #json: unknown;

  constructor(call: Call, { status, json }: ReadReply) {
    this.status = status;
    this.isRead = !changesState(call.endpoint);
    this.#json = json;
  }

  get body(): string {
    return JSON.stringify(this.#json) ?? '';
  }
}

/** Learns an unknown policy from the first reply that depends on it. */
function learnPolicies({ state, call: { endpoint, status, json }, agent }: Case): void {
  const code = at(json, 'code');
  if (['sigil', 'reissue-proof'].includes(endpoint.id) && agent?.wallet === null) {
    if (code === 'WALLET_REQUIRED') state.byoWallet ??= true;
    else if (status < 400) state.byoWallet ??= false;
  }
  if (endpoint.id === 'resync' && code === 'RECEIPT_REQUIRED') state.beatsRequired ??= true;
}

function agentOf(state: State, { bearer }: Call): Agent | undefined {
  const hash = bearer === undefined ? undefined : state.keys.find(bearer)?.hash;
  return hash === undefined || !state.agents.holds(hash) ? undefined : state.agents.get(hash);
}
