/** Effects of successful calls of the control API: money, time, keys and reviews. */

import type { JsonObject } from '../../spec/formats.js';
import type { Case } from '../case.js';
import { endByKey, moveTo } from '../facts/rules.js';
import { emptyState, type Payment, type State } from '../facts/state.js';
import type { ControlCall } from '../reading/call.js';
import { at } from '../reading/values.js';

/** Records the effect of an accepted call, from its reply. */
export function applyControl(
  { state, judgement }: Pick<Case, 'state' | 'judgement'>,
  { control, body }: ControlCall,
  json: unknown,
): void {
  const [, subject = '', agentOrFlag = '', what = ''] = /^(?:POST|PUT) ([^/]+)\/?([^/]*)\/?(.*)$/.exec(control) ?? [];
  switch (subject) {
    case 'clock': {
      const [nowMs, anchor] = [at(json, 'now_ms'), at(json, 'anchor_index')];
      Object.assign(state, { clock: { kind: 'control' }, slackMs: 0, mayHavePassed: false });
      moveTo(state, typeof nowMs === 'number' ? nowMs : undefined, typeof anchor === 'number' ? anchor : undefined);
      return;
    }
    case 'ledger': {
      const many = body['transfers'];
      if (!Array.isArray(many)) notePayment(state, body, at(json, 'signature'));
      else for (const [n, each] of many.entries()) notePayment(state, Object(each), at(json, `signatures.${n}`));
      return;
    }
    case 'agents': {
      const agent = state.agents.find(agentOrFlag.toLowerCase());
      if (what !== 'revoke-key' || agent === undefined) return;
      agent.revoked = true;
      endByKey(state, agent.hash);
      return;
    }
    case 'flags': {
      const flag = state.flags.find(agentOrFlag.toLowerCase());
      if (flag === undefined) return;
      flag.status = body['outcome'] === 'sustain' ? 'sustained' : 'closed';
      if (flag.status === 'closed') state.flagsClosed += 1;
      judgement.that('a review', true, '', '', `flag.review.${String(body['outcome'])}`);
      const sustained = state.sustained.find(flag.target) ?? state.sustained.set(flag.target, new Set<string>());
      if (body['outcome'] === 'sustain') sustained.add(agentOrFlag);
      else sustained.delete(agentOrFlag);
      return;
    }
    case 'admin-keys': {
      const key = at(json, 'key') ?? body['key'];
      if (typeof key === 'string') state.admins.set(key, { expired: agentOrFlag === 'expire' });
      return;
    }
    case 'partners':
    case 'partner-keys':
      applyPartner(state, { body, json, ref: agentOrFlag, what });
      return;
    case 'fees':
      Object.assign(state, { feeTable: body, shownFees: undefined });
      return;
    case 'reset':
      Object.assign(state, { ...emptyState(state.settings), isTimed: state.isTimed });
  }
}

/** Records a transfer of an accepted call, by the signature of its transaction. */
function notePayment(state: State, { from, to, lamports, status = 'confirmed' }: JsonObject, tx: unknown): void {
  if (typeof tx !== 'string') return;
  state.payments.set(tx, {
    from: String(from),
    to: String(to),
    lamports: Number(lamports),
    status: status as Payment['status'],
    usedFor: null,
    tried: false,
  });
}

function applyPartner(
  state: State,
  {
    body,
    json,
    ref,
    what,
  }: { readonly body: JsonObject; readonly json: unknown; readonly ref: string; readonly what: string },
): void {
  const [key, made] = [at(json, 'key'), at(json, 'ref')];
  if (typeof key === 'string' && typeof made === 'string') {
    state.partners.set(key, { ref: made, suspended: false, expired: false, webhook: null });
    return;
  }
  for (const partner of state.partners.all()) if (what === 'suspend' && partner.ref === ref) partner.suspended = true;
  const expired = state.partners.find(String(body['key']));
  if (ref === 'expire' && expired !== undefined) expired.expired = true;
}
