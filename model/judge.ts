/** The model's judgement of one exchange, and what is known after it. */

import { Judgement } from './evidence.js';
import { noteSent } from './limits.js';
import { applyControl } from './operations/control.js';
import { heartbeat } from './operations/heartbeat.js';
import * as life from './operations/life.js';
import * as lookups from './operations/lookups.js';
import * as others from './operations/others.js';
import { passport } from './operations/passport.js';
import { register, registerToken } from './operations/register.js';
import { reissueProof } from './operations/reissue-proof.js';
import { sigil } from './operations/sigil.js';
import { type Call, callOf, controlCallOf, type Exchange, type Request } from './reading/call.js';
import { type Operation, settle } from './settle.js';
import type { Agent, State } from './state.js';

const operations = new Map<string, Operation<unknown>>(
  [
    heartbeat,
    sigil,
    reissueProof,
    passport,
    register,
    registerToken,
    life.init,
    life.beatsSubmit,
    life.resync,
    life.metadata,
    life.wallet,
    life.spawn,
    lookups.status,
    lookups.verify,
    lookups.beatStatus,
    lookups.verifyBatch,
    others.sponsorPost,
    others.sponsorDelete,
    others.flag,
    others.subsidyPost,
    others.subsidyDelete,
    others.feesSummary,
    others.authorityKey,
    others.beatAnchor,
  ].flatMap((operation) => operation.ids.map((id) => [id, operation] as const)),
);

/** A request as it is sent: it counts in its limits from then on. */
export function sent(state: State, request: Request): void {
  const call = callOf(state, { ...request, status: 0, replyHeaders: {}, replyBody: '' });
  if (call !== undefined) noteSent({ state, call, agent: agentOf(state, call) });
}

/** Judges an exchange against a state, which becomes that after it. */
export function judge(state: State, exchange: Exchange): Judgement {
  const judgement = new Judgement();
  const control = controlCallOf(state, exchange);
  if (control !== undefined) {
    applyControl(state, control);
    return judgement;
  }
  const call = callOf(state, exchange);
  const operation = call === undefined ? undefined : operations.get(call.endpoint.id);
  if (call === undefined || operation === undefined) return judgement;
  settle(operation, { state, call, agent: agentOf(state, call), judgement });
  return judgement;
}

function agentOf(state: State, { bearer }: Call): Agent | undefined {
  const hash = bearer === undefined ? undefined : state.keys.get(bearer)?.hash;
  return hash === undefined ? undefined : state.agents.get(hash);
}
