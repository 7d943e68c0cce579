/** The model's judgement of one exchange, and what is known after it. */

import { changesState } from '../spec/endpoint.js';
import { type JudgedReply, Judgement } from './evidence.js';
import { noteSent } from './limits.js';
import { beatsSubmit } from './operations/beats-submit.js';
import { applyControl } from './operations/control.js';
import { feesSummary } from './operations/fees-summary.js';
import { flag } from './operations/flag.js';
import { heartbeat } from './operations/heartbeat.js';
import { init } from './operations/init.js';
import * as lookups from './operations/lookups.js';
import { metadata } from './operations/metadata.js';
import * as partnerWebhook from './operations/partner-webhook.js';
import { passport } from './operations/passport.js';
import * as published from './operations/published.js';
import { register } from './operations/register.js';
import { registerToken } from './operations/register-token.js';
import { reissueProof } from './operations/reissue-proof.js';
import { resync } from './operations/resync.js';
import { sigil } from './operations/sigil.js';
import { spawn } from './operations/spawn.js';
import * as sponsor from './operations/sponsor.js';
import * as subsidy from './operations/subsidy.js';
import { wallet } from './operations/wallet.js';
import { answered, type Call, type ControlCall, type ReadReply } from './reading/call.js';
import { at } from './reading/values.js';
import { type Case, type Operation, settle } from './settle.js';
import type { Agent, State } from './state.js';
import { noteTried } from './tried.js';
import { judgeForm } from './views/form.js';

const operations = new Map<string, Operation<unknown>>(
  [
    heartbeat,
    sigil,
    reissueProof,
    passport,
    register,
    registerToken,
    init,
    beatsSubmit,
    resync,
    metadata,
    wallet,
    spawn,
    flag,
    feesSummary,
    ...Object.values(lookups),
    ...Object.values(sponsor),
    ...Object.values(subsidy),
    ...Object.values(partnerWebhook),
    ...Object.values(published),
  ].flatMap((operation) => operation.ids.map((id) => [id, operation] as const)),
);

/** A request as it is sent: it counts in its limits from then on. */
export function noteRequest(state: State, call: Call): void {
  noteSent({ state, call, agent: agentOf(state, call) });
}

/** Judges a call by its reply against a state, which becomes that after it. */
export function judge(state: State, call: Call | ControlCall, reply: ReadReply): Judgement {
  const judgement = new Judgement('control' in call ? '' : call.name, state.standing, judgedReply(call, reply));
  if ('control' in call) {
    if (reply.status < 300) applyControl({ state, judgement }, call, reply.json);
    return judgement;
  }
  const operation = operations.get(call.endpoint.id);
  const given = { state, call: answered(state.settings, call, reply), agent: agentOf(state, call), judgement };
  if (operation === undefined) {
    if (reply.status < 400) judgeForm(given);
    return judgement;
  }
  settle(operation, given);
  learnPolicies(given);
  if (reply.status >= 400) noteTried(state, call);
  return judgement;
}

/** The reply of an endpoint as a report quotes it. */
function judgedReply(call: Call | ControlCall, { status, json }: ReadReply): JudgedReply | undefined {
  if ('control' in call) return undefined;
  return { status, body: JSON.stringify(json) ?? '', isRead: !changesState(call.endpoint) };
}

/** A policy that no setting states is what the first reply shows that depends on it. */
function learnPolicies({ state, call: { endpoint, status, json }, agent }: Case): void {
  const code = at(json, 'code');
  if (['sigil', 'reissue-proof'].includes(endpoint.id) && agent?.wallet === null) {
    if (code === 'WALLET_REQUIRED') state.byoWallet ??= true;
    else if (status < 400) state.byoWallet ??= false;
  }
  if (endpoint.id === 'resync' && code === 'RECEIPT_REQUIRED') state.beatsRequired ??= true;
}

function agentOf(state: State, { bearer }: Call): Agent | undefined {
  const hash = bearer === undefined ? undefined : state.keys.get(bearer)?.hash;
  return hash === undefined ? undefined : state.agents.get(hash);
}
