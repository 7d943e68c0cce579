/** GET /agent/passport (4.1). The signed passport may be at any place in the reply. */

import type { Operation } from '../case.js';
import { isPast } from '../facts/rules.js';
import type { Agent, State } from '../facts/state.js';
import { instantMs } from '../reading/field-tests.js';
import { at } from '../reading/values.js';
import { judgePassport } from '../views/passport.js';

const ENVELOPE = 'passport.reply.passport-vc';

/** 2.6: whether the latest passport is valid. The text does not say what a read returns after it expires. */
function isValid(state: State, { passport }: Agent): boolean {
  if (passport === null) return false;
  // A run without a clock is shorter than the lifetime of a passport.
  if (!state.isTimed) return true;
  const until = passport['valid_until'];
  return typeof until === 'number' && isPast(state, until) === false;
}

export const passport: Operation<Agent> = {
  ids: ['passport'],
  facts: ({ agent }) => agent,
  refusals: [
    {
      row: 'passport/SIGIL_REQUIRED',
      when: (agent) => agent.depth === 0 && agent.sigil === null,
    },
  ],
  open: (agent, { state }) =>
    agent.frozen !== false || !agent.started || !isValid(state, agent)
      ? 'there is no valid passport, or the agent is not active'
      : undefined,
  accepts: (_, { call }) => [
    ...(call.status < 400 && at(call.json, 'passport') == null ? [] : ['passport.purpose']),
    'passport.free',
  ],
  accepted: (agent, given) => {
    const { call, judgement, state } = given;
    // 4.1 shows no reply: a service may report that there is no passport yet, or no valid one.
    if (!isValid(state, agent) && at(call.json, 'passport') == null)
      return judgement.leave('there is no valid passport', 'passport.purpose');
    judgePassport(given, agent, 'passport');
    judgement.equals('authority_public_key_hex', state.authority.keyHex, 'passport.reply');
    const subject = 'passport_vc.credentialSubject';
    for (const field of [
      'agent_hash',
      'agent_public_key',
      'identity_class',
      'last_heartbeat_beat',
      'lineage_chain_hash',
    ])
      judgement.equals(`${subject}.${field}`, at(call.json, `passport.${field}`), ENVELOPE);
    const [until, expires] = ['passport.valid_until', 'passport_vc.expirationDate'].map((path) => at(call.json, path));
    judgement.that('passport_vc.expirationDate', instantMs(expires) === until, until, expires, ENVELOPE);
    const { credentialType, cryptosuite } = state.settings.dialect;
    judgement.equals('passport_vc.type.1', credentialType, 'dialect.credential-names');
    judgement.equals('passport_vc.proof.cryptosuite', cryptosuite, 'dialect.credential-names');
  },
};
