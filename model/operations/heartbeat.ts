/** POST /agent/heartbeat (4.5): its refusals, and the evidence of its reply. */

import { groups } from '../../spec/clauses/groups.js';
import { identityClasses } from '../../spec/vocabulary.js';
import type { Case, Operation } from '../case.js';
import { unlessUnknown } from '../facts/earlier.js';
import { epochFee } from '../facts/fees.js';
import {
  beatOf,
  capOf,
  endPerhaps,
  epochOf,
  heartbeatsInEpoch,
  isInGrace,
  isSustained,
  tierOf,
} from '../facts/rules.js';
import type { Agent, State } from '../facts/state.js';
import { all, not } from '../reading/known.js';
import { at } from '../reading/values.js';
import { judgeAlias, judgePassport } from '../views/passport.js';
import {
  charge,
  openPayer,
  type PaidBy,
  payerClauses,
  senderRefusals,
  sponsorsWith,
  walletRefusals,
} from './heartbeat-payer.js';
import { judgeFee, paidFacts, paymentInvalid, paymentRequired, paymentUsed } from './payment.js';

interface Heartbeat extends PaidBy {
  /** The number of this heartbeat in its epoch, from 1. */
  readonly nth: number | undefined;
  readonly tier: 1 | 2 | 3 | undefined;
}

/** The interval between heartbeats, in beats: as refusals have shown it, otherwise that of the text. */
const intervalOf = ({ intervalBeats, settings }: State): number =>
  intervalBeats ?? settings.protocol.heartbeat.intervalBeatsMin;

/**
 * Whether an agent was registered, started its chain or bought its SIGIL less than an interval ago. The text does not say from which of these the
 * interval before the first heartbeat counts.
 */
function isNew(state: State, { registeredBeat, syncAnchor, sigil }: Agent): boolean {
  const now = beatOf(state);
  const interval = intervalOf(state);
  const issued = sigil === null ? registeredBeat : sigil.issued_at_beat;
  return [registeredBeat, syncAnchor, issued].some(
    (beat) => now === undefined || typeof beat !== 'number' || now - beat < interval,
  );
}

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;
/** The clauses by which a child may send a heartbeat. */
const childClauses = ({ agent: { depth, sigil } }: Heartbeat): readonly string[] => [
  ...(depth > 0 && sigil === null ? ['heartbeat.sigil.child', 'spawn.child.sigil'] : []),
  ...(depth > 0 ? ['spawn.child.heartbeat'] : []),
];

/** The clauses by which the time since the last heartbeat is long enough. */
const intervalClauses = ({ agent }: Heartbeat, state: State): readonly string[] => [
  ...(agent.lastBeat === null ? ['heartbeat.interval.first'] : ['clock.interval', 'heartbeat.interval.min']),
  ...(agent.lastBeat !== null && heartbeatsInEpoch(state, agent) === 0 ? ['heartbeat.cap.next-epoch'] : []),
];

export const heartbeat: Operation<Heartbeat> = {
  ids: ['heartbeat'],
  facts: (given) => {
    const { state, agent } = given;
    if (agent === undefined) return undefined;
    learnInterval(given, agent);
    const done = unlessUnknown(() => heartbeatsInEpoch(state, agent));
    const nth = done === undefined ? undefined : done + 1;
    const tier = nth === undefined ? undefined : tierOf(state, nth);
    const stated = [
      ...(tier === undefined ? [] : [`fee.heartbeat.tier-${tier}`]),
      ...(unlessUnknown(() => agent.sigil !== null) ? ['service.class.fee'] : []),
    ];
    const paid = paidFacts(given, agent, {
      ...{ feeType: 'heartbeat', name: `heartbeat_tier${tier}`, stated },
      extra: epochFee(state, nth),
    });
    const { payment } = paid;
    return {
      ...paid,
      nth,
      tier,
      // Asked on demand: the sender of a payment from before the traffic is unknown.
      get isOwn() {
        return payment !== undefined && payment.from === agent.wallet?.address;
      },
      get bySender() {
        return payment === undefined ? [] : sponsorsWith(state, agent, payment.from);
      },
    };
  },
  refusals: [
    {
      row: 'heartbeat/VALIDATION',
      clauses: (_, { call }) =>
        isCount(call.body?.['global_anchor'])
          ? ['heartbeat.body.global-anchor']
          : ['heartbeat.error.validation', 'heartbeat.body.global-anchor.validated'],
      when: (_, { call }) => {
        const anchor = call.body?.['global_anchor'];
        return anchor !== undefined && !isCount(anchor);
      },
    },
    {
      row: 'heartbeat/AGENT_NOT_INITIALIZED',
      when: ({ agent }) => !agent.started,
    },
    {
      row: 'heartbeat/AGENT_FROZEN',
      // Heartbeats keep an agent active, so refusing an active agent as frozen breaks that clause, too.
      also: ({ agent }) => [
        ...(agent.frozen === false && agent.lastBeat !== null ? ['checkin.replacement'] : []),
        'dms.freeze.heartbeats',
      ],
      when: ({ agent }, { state }) => all(agent.frozen, not(isInGrace(state, agent))),
    },
    {
      row: 'heartbeat/HEARTBEAT_REFUSED',
      clauses: ({ agent }, { state }) =>
        agent.depth > 0 && !isSustained(state, agent.hash)
          ? ['spawn.child.heartbeat']
          : [
              'flag.transition.sustained',
              'heartbeat.error.heartbeat-refused',
              'flag.review.sustain',
              'flag.refused.any',
            ],
      when: ({ agent }, { state }) => isSustained(state, agent.hash),
    },
    {
      row: 'heartbeat/SIGIL_REQUIRED',
      clauses: ({ agent }) =>
        agent.depth === 0
          ? ['heartbeat.sigil.root', 'heartbeat.error.sigil-required']
          : ['heartbeat.sigil.child', 'spawn.child.heartbeat'],
      when: ({ agent }) => agent.depth === 0 && agent.sigil === null,
    },
    ...walletRefusals,
    paymentRequired('heartbeat'),
    {
      row: 'heartbeat/HEARTBEAT_TOO_SOON',
      // Another interval than that of the table is no evidence for the clauses of the table.
      also: (_, { state }) => {
        const isOfTable = intervalOf(state) === state.settings.protocol.heartbeat.intervalBeatsMin;
        return [...(isOfTable ? groups.heartbeatInterval : ['heartbeat.interval.min']), 'clock.interval'];
      },
      when: ({ agent }, { state }) => {
        const now = beatOf(state);
        if (agent.lastBeat === null) return false;
        if (agent.lastBeat === undefined || now === undefined) return undefined;
        return now - agent.lastBeat < intervalOf(state);
      },
    },
    {
      row: 'heartbeat/HEARTBEAT_TOO_SOON',
      clauses: [],
      decided: 'heartbeat.interval.first',
      when: ({ agent }, { state }) => (agent.lastBeat === null && isNew(state, agent) ? undefined : false),
    },
    {
      row: 'heartbeat/VOLUME_CAP_REACHED',
      clauses: ({ agent: { sigil }, nth = 0 }) => {
        if (nth === 1) return ['heartbeat.cap.next-epoch', 'fee.heartbeat.epoch'];
        const ofClass = identityClasses.find((each) => each === sigil?.identity_class);
        const caps = ofClass === undefined ? [] : [`heartbeat.cap.${ofClass.replace('_', '-')}`, 'sigil.caps'];
        return [...caps, 'service.class.cap', 'heartbeat.cap.reached', 'heartbeat.error.volume-cap-reached'];
      },
      when: ({ agent, nth }, { state }) => {
        // D-50: the cap of a child without a SIGIL is a decision.
        const cap = agent.sigil === null ? undefined : capOf(state, agent.sigil.identity_class);
        if (nth === undefined) return undefined;
        if (cap !== undefined) return nth > cap;
        return nth > (capOf(state, 'narrow_task') ?? 0) ? undefined : false;
      },
    },
    ...paymentInvalid('heartbeat'),
    ...paymentUsed('heartbeat'),
    ...senderRefusals,
  ],
  open: (facts, { state, call }) => {
    const claimed = call.body?.['global_anchor'];
    if (claimed !== undefined && claimed !== state.anchor)
      return 'global_anchor is not the current anchor, and the text does not say how it is validated';
    return openPayer(facts, state);
  },
  accepts: (facts, { state }) => [
    ...(unlessUnknown(() => payerClauses(facts)) ?? []),
    'heartbeat.body.payment-tx',
    'heartbeat.body.global-anchor',
    'service.heartbeat.paid',
    ...(unlessUnknown(() => childClauses(facts)) ?? []),
    ...(unlessUnknown(() => intervalClauses(facts, state)) ?? []),
  ],
  accepted: (facts, given) => {
    const { state, call, judgement } = given;
    const { agent, nth, tier } = facts;
    const { json } = call;
    const epoch = epochOf(state);
    const [claimed, shown, billed] = [
      call.body?.['global_anchor'],
      at(json, 'current_beat'),
      at(json, 'billing_epoch'),
    ];
    if (typeof claimed === 'number' && state.anchor !== undefined && claimed !== state.anchor) {
      const beats = [shown, at(json, 'passport.last_heartbeat_beat')];
      judgement.that(
        'current_beat',
        !beats.includes(claimed),
        'its own value',
        beats,
        'heartbeat.body.global-anchor.own-value',
      );
    }
    // The start of the count of epochs is a decision.
    const { billing_epoch: before } = agent.shown;
    if (typeof before === 'number' && agent.epoch !== undefined && epoch !== undefined)
      judgement.equals('billing_epoch', before + epoch - agent.epoch, ...groups.epoch);
    agent.shown['billing_epoch'] = billed;
    charge(facts, given);
    if (agent.frozen !== false && isInGrace(state, agent) !== false) endPerhaps(state, agent);
    agent.revived = undefined;
    agent.heartbeats += 1;
    agent.epochHeartbeats = nth ?? 1;
    agent.epoch = epoch;
    agent.lastBeat = typeof shown === 'number' ? shown : beatOf(state);
    agent.frozen = false;
    agent.syncAnchor = state.anchor;
    agent.lineageEvents += 1;
    judgement.equals('agent_hash', agent.hash, 'heartbeat.reply');
    judgement.equals('total_heartbeats', agent.heartbeats, 'heartbeat.reply.total-heartbeats', 'heartbeat.reply');
    judgement.equals('heartbeat_count_epoch', nth, 'heartbeat.reply.heartbeat-count-epoch', 'fee.heartbeat.epoch');
    judgement.equals('billing_epoch', epoch, 'clock.billing-epoch', 'heartbeat.reply.billing-epoch');
    judgement.equals('current_beat', beatOf(state), 'clock.current-beat', 'heartbeat.reply.current-beat');
    judgeFee(given, facts, tier);
    judgePassport(given, agent, 'heartbeat');
    judgeAlias(given, 'heartbeat');
  },
  refused: ({ agent }, { call, state, judgement }, row) => {
    if (row !== 'heartbeat/HEARTBEAT_TOO_SOON') return;
    const next = at(call.json, 'next_eligible_beat');
    // The field is a future beat, not a number of beats to wait.
    const isLater = typeof next === 'number' && next > (agent.lastBeat ?? -1);
    judgement.that('next_eligible_beat', isLater, 'a later beat', next, 'heartbeat.interval.reply');
    const { intervalBeats } = state;
    if (agent.lastBeat == null || intervalBeats === undefined) return;
    const due = agent.lastBeat + intervalBeats;
    judgement.equals('next_eligible_beat', due, 'heartbeat.interval.min', 'heartbeat.interval.from-last');
  },
};

/** Learns the interval from the first refusal: its next beat is the beat of the latest heartbeat plus the interval. */
function learnInterval({ state, call, judgement }: Case, { lastBeat }: Agent): void {
  const next = at(call.json, 'next_eligible_beat');
  if (call.status !== 429 || typeof next !== 'number' || lastBeat == null || state.intervalBeats !== undefined) return;
  state.intervalBeats = next - lastBeat;
  judgement.learnt['heartbeat.intervalBeatsMin'] = state.intervalBeats;
}
