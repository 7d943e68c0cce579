/** POST /agent/heartbeat (4.5): its refusals, and the evidence of its reply. */

import { groups } from '../../spec/clauses/groups.js';
import { identityClasses } from '../../spec/vocabulary.js';
import type { Case, Operation, Undone } from '../case.js';
import { endUnknown, unlessUnknown } from '../facts/earlier.js';
import {
  beatOf,
  capOf,
  descends,
  epochOf,
  heartbeatsInEpoch,
  isActive,
  isExpired,
  isSustained,
  tierOf,
  usedInEpoch,
} from '../facts/rules.js';
import type { Agent, Sponsorship, State } from '../facts/state.js';
import { all, any, type Known } from '../reading/known.js';
import { at } from '../reading/values.js';
import { judgeAlias, judgePassport } from '../views/passport.js';
import {
  judgeFee,
  type Paid,
  paidFacts,
  paymentInvalid,
  paymentRequired,
  paymentUsed,
  walletRequired,
} from './payment.js';

interface Heartbeat extends Paid {
  /** The number of this heartbeat in its epoch, from 1. */
  readonly nth: number | undefined;
  readonly tier: 1 | 2 | 3 | undefined;
  readonly isOwn: boolean;
  /** The agent's sponsorships by parents with the wallet that pays. */
  readonly bySender: readonly Sponsorship[];
}

/** The sponsorships of an agent as a child that the state holds. */
function sponsorshipsOf({ sponsorships }: State, { hash }: Agent): readonly Sponsorship[] {
  const own = sponsorships.keys().filter((key) => key.endsWith(` ${hash}`));
  return own.flatMap((key) => sponsorships.get(key) ?? []);
}

function sponsorsWith(state: State, agent: Agent, address: string): readonly Sponsorship[] {
  // An agent from before the traffic may have more sponsors.
  if (agent.isPartial) endUnknown();
  return sponsorshipsOf(state, agent).filter(({ parent }) => state.agents.get(parent)?.wallet?.address === address);
}

/** Whether a sponsorship has heartbeats left under its cap in this epoch. */
const isBelowCap = (state: State, one: Sponsorship): Known => {
  // 4.5: the cap is for a whole epoch, even if a change of terms resets the shown number.
  if (one.paid.count >= one.max && one.paid.epoch !== undefined && one.paid.epoch === epochOf(state)) return false;
  const used = usedInEpoch(state, one);
  return used === undefined ? undefined : used < one.max;
};

/** Whether the payer is a sponsor that may pay: its sponsorship is active, has not expired (D-30), and is below its cap. */
const isSponsored = ({ bySender }: Heartbeat, { state }: Case): Known =>
  any(
    ...bySender.map((one) =>
      all(isActive(state, one), isExpired(state, one) === false ? true : undefined, isBelowCap(state, one)),
    ),
  );

/**
 * Whether an agent was registered, started its chain or bought its SIGIL less than an interval ago. The text does not say from which of these the
 * interval before the first heartbeat counts.
 */
function isNew(state: State, { registeredBeat, syncAnchor, sigil }: Agent): boolean {
  const now = beatOf(state);
  const interval = state.intervalBeats ?? state.settings.protocol.heartbeat.intervalBeatsMin;
  const issued = sigil === null ? registeredBeat : sigil.issued_at_beat;
  return [registeredBeat, syncAnchor, issued].some(
    (beat) => now === undefined || typeof beat !== 'number' || now - beat < interval,
  );
}

const SPONSORSHIP_KEPT: Undone = { call: 'sponsor.delete', clauses: ['sponsor.transition.revoke'] };

const mayBeActive = ({ status }: Sponsorship): boolean => status !== 'revoked';

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;
const depthOf = (state: State, { parent }: Sponsorship): number => state.agents.get(parent)?.depth ?? 0;

/** The clauses by which the sender of the payment may pay. */
const payerClauses = ({ isOwn }: Heartbeat): readonly string[] =>
  isOwn ? ['heartbeat.sender.own'] : ['heartbeat.sender.sponsor', 'sponsor.pays', 'service.sponsor'];

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
    const paid = paidFacts(given, agent, { feeType: 'heartbeat', name: `heartbeat_tier${tier}`, stated });
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
      when: ({ agent }) => agent.frozen,
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
    walletRequired('heartbeat', (facts, given) =>
      any(isSponsored(facts as Heartbeat, given), (facts as Heartbeat).bySender.length > 0 ? undefined : false),
    ),
    {
      row: 'heartbeat/WALLET_REQUIRED',
      clauses: ['sponsor.expired.unused'],
      when: ({ agent, bySender, isOwn }, { state }) => {
        const active = bySender.filter(mayBeActive);
        if (agent.wallet !== null || isOwn || active.length === 0 || state.byoWallet !== true) return false;
        return all(...active.map((one) => isExpired(state, one)));
      },
    },
    paymentRequired('heartbeat'),
    {
      row: 'heartbeat/HEARTBEAT_TOO_SOON',
      // Another interval than that of the table is no evidence for the clauses of the table.
      also: (_, { state: { intervalBeats, settings } }) => {
        const isOfTable =
          (intervalBeats ?? settings.protocol.heartbeat.intervalBeatsMin) ===
          settings.protocol.heartbeat.intervalBeatsMin;
        return [...(isOfTable ? groups.heartbeatInterval : ['heartbeat.interval.min']), 'clock.interval'];
      },
      when: ({ agent }, { state }) => {
        const now = beatOf(state);
        if (agent.lastBeat === null) return false;
        if (agent.lastBeat === undefined || now === undefined) return undefined;
        return now - agent.lastBeat < (state.intervalBeats ?? state.settings.protocol.heartbeat.intervalBeatsMin);
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
    {
      row: 'heartbeat/SPONSOR_PARENT_FROZEN',
      also: ({ agent }) => [
        'heartbeat.sponsor.frozen',
        ...(agent.wallet === null ? ['heartbeat.child.sponsor-frozen'] : []),
      ],
      when: ({ bySender, isOwn }, { state }) => {
        if (isOwn) return false;
        const isPaid = any(...bySender.map((one) => isActive(state, one)));
        if (isPaid !== false) return isPaid === true ? false : undefined;
        const frozen = bySender.filter((one) => one.endedBy === 'parent');
        if (frozen.length === 0) return false;
        // A parent that came back is not frozen; its sponsorships stay revoked.
        return any(...frozen.map(({ parent }) => state.agents.get(parent)?.frozen));
      },
    },
    {
      row: 'heartbeat/SPONSOR_CAP_REACHED',
      // A cap that is reached too early keeps the sponsor from paying.
      also: ({ bySender }, { state }) => [
        ...(bySender.some((one) => isBelowCap(state, one) === true) ? ['service.sponsor'] : []),
      ],
      when: ({ bySender, isOwn }, { state }) => {
        const active = bySender.filter(mayBeActive);
        if (isOwn || active.length === 0) return false;
        const room = any(...active.map((one) => isBelowCap(state, one)));
        if (room !== false) return room === undefined ? undefined : false;
        if (active.some((one) => isActive(state, one) === undefined)) return undefined;
        return active.every((one) => isExpired(state, one) === false) ? true : undefined;
      },
    },
    {
      row: 'heartbeat/PAYMENT_SENDER_MISMATCH',
      clauses: ({ isOwn, bySender }) => {
        if (isOwn) return ['heartbeat.sender.own'];
        const isPaid = bySender.some(({ status }) => status === 'active');
        return isPaid ? ['heartbeat.sender.sponsor', 'sponsor.pays'] : ['heartbeat.error.payment-sender-mismatch'];
      },
      when: ({ payment, isOwn, bySender, agent }, { state }) => {
        if (payment === undefined || isOwn) return false;
        if (bySender.length === 0)
          return agent.wallet?.kind === 'ethereum' || agent.wallet !== null || state.byoWallet === true
            ? true
            : undefined;
        const active = bySender.filter(mayBeActive);
        if (active.length === 0 && agent.wallet === null && state.byoWallet !== true) return undefined;
        if (active.length === 0) return bySender.some((one) => one.endedBy === 'parent') ? undefined : true;
        if (active.some((one) => isActive(state, one) === undefined)) return undefined;
        return any(...active.map((one) => isExpired(state, one))) === false ? false : undefined;
      },
      undone: ({ bySender }) =>
        bySender.length > 0 && bySender.every(({ status, endedBy }) => status === 'revoked' && endedBy === 'call')
          ? SPONSORSHIP_KEPT
          : undefined,
    },
  ],
  open: ({ agent, isOwn, bySender, payment }, { state, call }) => {
    const claimed = call.body?.['global_anchor'];
    if (claimed !== undefined && claimed !== state.anchor)
      return 'global_anchor is not the current anchor, and the text does not say how it is validated';
    if (agent.wallet === null && payment !== undefined && !bySender.some(mayBeActive) && state.byoWallet !== true)
      return 'the text does not say whether another wallet may pay for an agent without a wallet';
    const parent = bySender.map((one) => state.agents.get(one.parent)).find((one) => one !== undefined);
    if (!isOwn && parent !== undefined && descends(state, agent, parent.hash) !== true)
      return 'the child is not linked to its parent yet';
    return undefined;
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

/** 4.5: charges the sponsor that paid for a heartbeat. If the payer is unknown, any sponsor of the agent may have paid. */
function charge(facts: Heartbeat, { state }: Case): void {
  const isOwn = unlessUnknown(() => facts.isOwn);
  if (isOwn) return;
  const bySender = unlessUnknown(() => facts.bySender);
  if (isOwn === undefined || bySender === undefined) {
    for (const one of sponsorshipsOf(state, facts.agent)) one.used = undefined;
    return;
  }
  const epoch = epochOf(state);
  const paying = bySender.filter(mayBeActive);
  const [only] = paying;
  if (only !== undefined && paying.length === 1) only.status = 'active';
  // D-50: of several sponsors below their caps, the nearest one pays; this reply does not show the payer.
  const nearest = paying
    .filter((one) => (one.decided ?? usedInEpoch(state, one) ?? 0) < one.max)
    .toSorted((one, other) => depthOf(state, other) - depthOf(state, one));
  for (const one of paying) {
    const used = usedInEpoch(state, one);
    const charged = one === nearest[0] ? 1 : 0;
    one.decided = paying.length > 1 ? (one.decided ?? used ?? 0) + charged : undefined;
    one.used = paying.length > 1 || used === undefined ? undefined : used + 1;
    one.epoch = epoch;
    const before = one.paid.epoch === epoch ? one.paid.count : 0;
    one.paid = { epoch, count: before + (paying.length > 1 ? 0 : 1) };
  }
}

/** Learns the interval from the first refusal: its next beat is the beat of the latest heartbeat plus the interval. */
function learnInterval({ state, call }: Case, { lastBeat }: Agent): void {
  const next = at(call.json, 'next_eligible_beat');
  if (call.status !== 429 || typeof next !== 'number' || lastBeat == null) return;
  state.intervalBeats ??= next - lastBeat;
}
