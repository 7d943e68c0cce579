/** POST /agent/flag (4.16, 3.5): its refusals, and the evidence of its reply. */

import { groups } from '../../spec/clauses/groups.js';
import { classesOf } from '../../spec/parts.js';
import type { Operation } from '../case.js';
import type { Agent, Flag } from '../facts/state.js';
import { hashAt, textAt } from '../reading/values.js';

interface Complaint {
  readonly agent: Agent;
  readonly target: string | undefined;
  readonly reason: unknown;
  readonly pending: readonly Flag[];
  /** Sustained complaints without a resolution. The text does not show their status, so they may count as pending. */
  readonly sustained: readonly Flag[];
}

/** The status of the circuit breaker's refusal. */
const TOO_MANY = 429;

const isOfPair =
  ({ agent, target }: Complaint) =>
  (one: Flag): boolean =>
    one.reporter === agent.hash && one.target === target;

export const flag: Operation<Complaint> = {
  ids: ['flag'],
  facts: ({ state, call, agent }) =>
    agent === undefined
      ? undefined
      : {
          agent,
          target: hashAt(call.body, 'target_hash'),
          reason: call.body?.['reason'],
          pending: state.flags.values().filter(({ status }) => status === 'pending'),
          sustained: state.flags.values().filter(({ status }) => status === 'sustained'),
        },
  refusals: [
    {
      row: 'flag/VALIDATION',
      clauses: ['flag.body.target-hash'],
      when: (_, { call }) => typeof call.body?.['target_hash'] !== 'string',
    },
    {
      row: 'flag/VALIDATION',
      clauses: [],
      when: ({ target }, { call }) => typeof call.body?.['target_hash'] === 'string' && target === undefined,
    },
    {
      row: 'flag/VALIDATION',
      also: ['flag.body.asserted-class'],
      when: (_, { call, state }) =>
        !classesOf(state.settings.protocol).includes(call.body?.['asserted_class'] as string),
    },
    {
      row: 'flag/VALIDATION',
      cause: 'reason',
      also: [...groups.flagReason],
      when: ({ reason }, { state }) => {
        if (typeof reason !== 'string') return true;
        const { reasonCharsMin, reasonCharsMax } = state.settings.protocol.flag;
        const { length } = [...reason];
        return length < reasonCharsMin || length > reasonCharsMax || (reason.trim() === '' ? undefined : false);
      },
    },
    {
      row: 'flag/VALIDATION',
      clauses: [],
      decided: 'body.text.code-points',
      when: ({ reason }, { state }) => {
        const { reasonCharsMax } = state.settings.protocol.flag;
        if (typeof reason !== 'string' || [...reason].length > reasonCharsMax) return false;
        return reason.length > reasonCharsMax ? undefined : false;
      },
    },
    {
      row: 'flag/FLAG_REPORTER_INELIGIBLE',
      cause: 'sandbox',
      also: ['flag.rule.reporter-tier'],
      when: ({ agent }) => agent.sigil?.tier === 'sbx',
    },
    {
      row: 'flag/FLAG_REPORTER_INELIGIBLE',
      also: ['flag.rule.reporter-sigil'],
      when: ({ agent }) => agent.sigil === null,
    },
    {
      row: 'flag/FLAG_SELF',
      also: ['flag.rule.not-self'],
      when: ({ agent, target }) => target === agent.hash,
    },
    {
      row: 'flag/FLAG_TARGET_NOT_FOUND',
      also: ['flag.rule.target-exists'],
      when: ({ target }, { state }) => target !== undefined && !state.agents.has(target),
    },
    {
      row: 'flag/FLAG_DUPLICATE',
      also: ['flag.rule.one-pending'],
      when: (facts, { state }) => {
        const isSame = facts.pending.some(isOfPair(facts));
        // A review that nobody sees may have closed the complaint, or an earlier one may be pending.
        return state.isWhole || (!isSame && !facts.agent.isPartial) ? isSame : undefined;
      },
    },
    {
      row: 'flag/FLAG_DUPLICATE',
      clauses: [],
      when: (facts) => (facts.sustained.some(isOfPair(facts)) ? undefined : false),
    },
  ],
  open: ({ agent, pending, sustained }, { state, call }) => {
    if (agent.frozen !== false) return 'the text does not say whether a frozen agent may complain';
    if (!state.isWhole)
      return call.status === TOO_MANY
        ? 'complaints from before the traffic may make the circuit breaker refuse it'
        : undefined;
    const { breakerPendingMax } = state.settings.protocol.flag;
    // The service may have received open complaints before this one, and reviews after it.
    const underWay = state.flagsSent + state.flagsClosed - (call.closedBefore ?? state.flagsClosed);
    const most = pending.length + sustained.length + underWay;
    return most > breakerPendingMax - 1 ? 'the circuit breaker may refuse it' : undefined;
  },
  accepts: ({ reason }, { state }) => {
    const { reasonCharsMin, reasonCharsMax } = state.settings.protocol.flag;
    const { length } = [...String(reason)];
    const isBound = length === reasonCharsMin || length === reasonCharsMax;
    return [
      ...(isBound ? ['flag.body.reason', `constant.flag-reason-${length === reasonCharsMin ? 'min' : 'max'}`] : []),
      // Until the first flag is accepted, the target may accept none at all.
      ...(state.flags.keys().length === 0 ? ['service.flag'] : []),
      'flag.transition.pending',
      'service.flag',
      'flag.body.target-hash',
      'flag.body.asserted-class',
      'flag.body.reason',
    ];
  },
  accepted: ({ agent, target }, { state, call, judgement }) => {
    const { json } = call;
    const id = textAt(json, 'flag_id')?.toLowerCase();
    judgement.equals('status', 'pending', 'flag.reply.status', 'flag.transition.pending');
    const isUuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id ?? '');
    judgement.that('flag_id', isUuid, 'the shape of a UUID', id, 'flag.field.flag-id');
    judgement.that('flag_id', id !== undefined && !state.flags.holds(id), 'a new id', id, 'flag.transition.pending');
    if (id !== undefined && target !== undefined)
      state.flags.set(id, { reporter: agent.hash, target, status: 'pending' });
  },
};
