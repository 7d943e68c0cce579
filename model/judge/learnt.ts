/** Learns about agents from before the traffic from the replies that show them. */

import type { EndpointId } from '../../spec/endpoint-ids.js';
import type { Case } from '../case.js';
import { UNKNOWN } from '../facts/earlier.js';
import { feeTypes } from '../facts/fees.js';
import { earlierAgent, UNSEEN, unknownCourse } from '../facts/open-state.js';
import { beatOf, epochOf } from '../facts/rules.js';
import type { Agent } from '../facts/state.js';
import { at, hashAt, numberAt, textAt } from '../reading/values.js';
import { OWN_HASH } from './accepted.js';

/** Learns from an accepted call about the agent of its key. `isDone`: the state has all effects of the call. */
export function learnEarlier(
  { state, call, agent: known }: Pick<Case, 'state' | 'call' | 'agent'>,
  isDone: boolean,
): void {
  if (call.endpoint.auth !== 'agent' || call.status >= 400 || call.bearer === undefined) return;
  const hash = known?.hash ?? OWN_HASH.map((path) => hashAt(call.json, path)).find((each) => each !== undefined);
  if (hash === undefined) return;
  if (known === undefined) state.keys.set(call.bearer, { hash });
  const agent = state.agents.find(hash) ?? state.agents.set(hash, earlierAgent(hash));
  const tx = call.body?.['payment_tx'];
  const usedFor = feeTypes[call.endpoint.id as EndpointId] ?? null;
  if (!isDone && typeof tx === 'string') state.payments.set(tx, { ...(state.payments.find(tx) ?? UNSEEN), usedFor });
  if (!isDone && known !== undefined) Object.assign(agent, unknownCourse(), { isPartial: true });
  if (agent.isPartial) READS[call.endpoint.id as EndpointId]?.(agent, { state, call });
}

type Reads = (agent: Agent, given: Pick<Case, 'state' | 'call'>) => void;

/** The facts about its agent that the reply of each endpoint shows. */
const READS: Partial<Record<EndpointId, Reads>> = {
  heartbeat: (agent, { state, call: { json } }) => {
    const [total, nth] = [numberAt(json, 'total_heartbeats'), numberAt(json, 'heartbeat_count_epoch')];
    Object.assign(agent, {
      ...isActive(state.anchor),
      heartbeats: total ?? UNKNOWN,
      epochHeartbeats: nth ?? UNKNOWN,
      epoch: epochOf(state),
      lastBeat: numberAt(json, 'current_beat') ?? beatOf(state),
    });
    readPassport(agent, json);
  },
  sigil: (agent, { call: { json } }) => readPassport(agent, json),
  'reissue-proof': (agent, { call: { json } }) => readPassport(agent, json),
  init: (agent, { state, call: { json } }) => {
    agent.started = true;
    if (textAt(json, 'status') === 'active') agent.frozen = false;
    if (at(json, 'already_initialized') === true) {
      agent.chain = { beat: numberAt(json, 'latest_beat'), hash: textAt(json, 'latest_hash') };
      agent.totalBeats = numberAt(json, 'total_beats');
      agent.genesisHash = textAt(json, 'genesis_hash');
    } else {
      agent.syncAnchor = state.anchor;
      agent.genesisHash = textAt(json, 'genesis.hash');
      agent.chain = { beat: state.settings.protocol.beat.genesisIndex, hash: agent.genesisHash };
    }
  },
  'beats-submit': (agent, { call: { body, json } }) => {
    Object.assign(agent, { started: true, totalBeats: numberAt(json, 'total_beats') });
    agent.chain = { beat: numberAt(body, 'proof.to_beat') ?? numberAt(body, 'to_beat'), hash: undefined };
  },
  resync: (agent, { state, call: { json } }) => {
    if (at(json, 'status') === 'active') Object.assign(agent, isActive(state.anchor));
  },
};

/** An agent that has just shown a sign of life. */
function isActive(syncAnchor: number | undefined): Partial<Agent> {
  return { started: true, frozen: false, syncAnchor, revived: undefined };
}

/** 2.6: a passport shows class and age of a SIGIL, and the key or address of the wallet. */
function readPassport(agent: Agent, json: unknown): void {
  const identityClass = at(json, 'passport.identity_class');
  const issued = at(json, 'passport.sigil_issued_at_beat');
  if (identityClass === null) agent.sigil = null;
  else if (typeof identityClass === 'string')
    agent.sigil = {
      identity_class: identityClass,
      tier: UNKNOWN,
      principal: UNKNOWN,
      sigil_name: UNKNOWN,
      sigil: UNKNOWN,
      issued_at_beat: issued,
    };
  const passport = at(json, 'passport');
  agent.passport = typeof passport === 'object' && passport !== null ? { ...passport } : UNKNOWN;
}
