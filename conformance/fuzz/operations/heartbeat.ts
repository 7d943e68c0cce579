/** POST /agent/heartbeat (4.5), marches of heartbeats, and POST /agent/reissue-proof (4.7), which is no heartbeat. */

import * as fc from 'fast-check';
import { type Answer, alike, equals, type Fault, settle } from '../expectation.js';
import { type Operation, place, request, sequence } from '../operation.js';
import type { Player, Ready } from '../player.js';
import {
  type AgentState,
  book,
  capOf,
  epochOf,
  feeOf,
  inEpoch,
  type PaymentState,
  type SponsorshipState,
  type State,
  usedInEpoch,
} from '../state.js';
import { keyFault } from './init.js';
import { checkPayment, judgeAlias, judgeFee, judgePassport, type Paying, paid, paying, walletFault } from './paid.js';

interface Beating extends Paying {
  readonly agent: number;
  readonly claim: 'none' | 'true' | 'behind';
}

/** The tier and the price of an agent's next heartbeat. */
function nextPrice(state: State, agent: AgentState): { readonly tier: number; readonly lamports: number } {
  const { heartbeat } = state.protocol;
  const nth = inEpoch(state, agent) + 1;
  if (nth <= heartbeat.tier1HeartbeatsMax) return { tier: 1, lamports: heartbeat.tier1FeeLamports };
  if (nth <= heartbeat.tier2HeartbeatsMax) return { tier: 2, lamports: heartbeat.tier2FeeLamports };
  return { tier: 3, lamports: heartbeat.tier3FeeLamports };
}

interface Paid {
  readonly faults: readonly Fault[];
  readonly open: readonly string[];
  readonly sponsorship?: SponsorshipState;
}

/** The possible payers: the agent, or the sponsor of an active sponsorship whose cap is not reached. */
function sender(state: State, index: number, agent: AgentState, payment: PaymentState): Paid {
  if (payment.from === agent.wallet?.address) return { faults: [], open: [] };
  const mine = state.sponsorships.filter(
    ({ child, sponsor }) => child === index && state.agents[sponsor]?.wallet?.address === payment.from,
  );
  const active = mine.filter((each) => each.state === 'active');
  const ended = active.filter(({ expiresMs }) => expiresMs !== null && expiresMs <= state.nowMs);
  const running = active.filter((each) => !ended.includes(each));
  const sponsorship = running.find((each) => usedInEpoch(state, each) < each.max);
  if (sponsorship !== undefined) return { faults: [], open: [], sponsorship };
  const open =
    ended.length > 0 ? ['the sponsorship has run out'] : agent.wallet === null ? ['the agent has no wallet'] : [];
  if (running.length > 0) {
    const why = "the sponsorship's cap is reached";
    return { faults: [{ why, status: 429, code: 'SPONSOR_CAP_REACHED' }], open: [] };
  }
  const mismatch: Fault = { why: 'a stranger pays', status: 400, code: 'PAYMENT_SENDER_MISMATCH' };
  const frozen: Fault = { why: 'the sponsor is frozen', status: 403, code: 'SPONSOR_PARENT_FROZEN' };
  const byFrozen = mine.some((each) => each.state === 'sponsor-frozen');
  if (open.length > 0) return { faults: [], open };
  return { faults: byFrozen ? [mismatch, frozen] : [mismatch], open };
}

/** The reasons to refuse a heartbeat of an agent, for any payer. */
function hindrances(state: State, index: number, agent: AgentState): Fault[] {
  const faults: Fault[] = [];
  if (agent.frozen) faults.push({ why: 'the agent is frozen' });
  if (state.flags.some(({ target, status }) => target === index && status === 'sustained')) {
    faults.push({ why: 'a complaint against the agent has been sustained' });
  }
  if (agent.parent === null && agent.sigil === null) {
    faults.push({ why: 'a root needs a SIGIL', status: 403, code: 'SIGIL_REQUIRED' });
  }
  const last = agent.lastHeartbeatBeat;
  if (last !== null && state.anchor - last < state.protocol.heartbeat.intervalBeatsMin) {
    faults.push({ why: 'the last heartbeat is too near', status: 429, code: 'HEARTBEAT_TOO_SOON' });
  }
  const cap = capOf(state, agent);
  if (cap !== undefined && inEpoch(state, agent) >= cap) {
    faults.push({ why: 'the cap of the class is reached', status: 429, code: 'VOLUME_CAP_REACHED' });
  }
  return faults;
}

async function readyHeartbeat(player: Player, action: Beating): Promise<Ready> {
  const index = action.agent % player.state.agents.length;
  const agent = player.agent(index);
  const asked = feeOf(player.state, index, 'heartbeat', nextPrice(player.state, agent).lamports);
  const tx = await paid(player, index, asked, action);
  const claimed = { none: undefined, true: player.state.anchor, behind: Math.max(0, player.state.anchor - 1) }[
    action.claim
  ];
  return {
    request: {
      method: 'POST',
      path: '/agent/heartbeat',
      key: agent.key,
      body: { payment_tx: tx, global_anchor: claimed },
    },
    judge: (state, answer) => {
      const own = state.agents[index] as AgentState;
      const { tier, lamports } = nextPrice(state, own);
      const fee = feeOf(state, index, 'heartbeat', lamports);
      const { payment, faults } = checkPayment(state, tx, fee);
      const by: Paid = payment === undefined ? { faults: [], open: [] } : sender(state, index, own, payment);
      // A child has no wallet of its own: whether its sponsor may pay for it all the same, the text says both ways.
      const sponsored = own.wallet === null && by.sponsorship !== undefined;
      const used = payment?.usedFor === 'heartbeat';
      const expected = {
        faults: [
          ...keyFault(own),
          ...(sponsored ? [] : walletFault(state, own)),
          ...hindrances(state, index, own),
          ...(tx === undefined ? [{ why: 'payment_tx is missing', status: 400, code: 'PAYMENT_REQUIRED' }] : []),
          ...(used ? [{ why: 'the payment is used', status: 409, code: 'PAYMENT_ALREADY_USED' }] : []),
          ...faults,
          ...by.faults,
        ],
        open: [
          ...by.open,
          ...(sponsored ? ['the child has no wallet'] : []),
          ...(own.chain === null ? ['the chain is not started'] : []),
          ...(payment !== undefined && payment.usedFor !== null && !used ? ['the payment bought something else'] : []),
          ...(action.claim === 'behind' ? ['global_anchor is behind'] : []),
        ],
        counted: [[`heartbeat ${index}`, state.protocol.limits.heartbeat]] as const,
      };
      if (!settle(state, answer, expected)) return shownInterval(state, answer, own);
      if (payment !== undefined) payment.usedFor = 'heartbeat';
      book(state, 'heartbeat', fee);
      if (by.sponsorship !== undefined) {
        by.sponsorship.used = usedInEpoch(state, by.sponsorship) + 1;
        by.sponsorship.epoch = epochOf(state);
      }
      own.epochHeartbeats = inEpoch(state, own) + 1;
      own.epoch = epochOf(state);
      own.heartbeats += 1;
      own.lastHeartbeatBeat = state.anchor;
      own.syncAnchor = state.anchor;
      equals(answer, 'ok', true);
      equals(answer, 'agent_hash', own.hash);
      equals(answer, 'total_heartbeats', own.heartbeats);
      equals(answer, 'heartbeat_count_epoch', own.epochHeartbeats);
      equals(answer, 'billing_epoch', epochOf(state));
      equals(answer, 'current_beat', state.anchor);
      judgeFee(answer, fee, String(tx), tier);
      judgePassport(state, answer, own);
      judgeAlias(state, answer);
    },
  };
}

/** A heartbeat that comes too soon is refused with the time from which one may come. */
function shownInterval(state: State, answer: Answer, { lastHeartbeatBeat: last }: AgentState): void {
  const { code } = answer.json as { readonly code?: unknown };
  if (!alike(code, 'HEARTBEAT_TOO_SOON') || last === null) return;
  equals(answer, 'next_eligible_beat', last + state.protocol.heartbeat.intervalBeatsMin);
}

/** POST /agent/heartbeat */
export const heartbeat: Operation = request<Beating>(
  'heartbeat',
  { agent: place, claim: fc.constantFrom('none', 'none', 'true', 'behind'), ...paying },
  readyHeartbeat,
);

/** Right heartbeats, each as soon as it may come. */
export const march: Operation = sequence<{
  readonly agent: number;
  readonly count: number;
  readonly payer: 'own' | 'parent';
}>(
  'march',
  {
    agent: place,
    count: fc.oneof(
      { weight: 12, arbitrary: fc.integer({ min: 1, max: 5 }) },
      { weight: 1, arbitrary: fc.constant(102) },
    ),
    payer: fc.constantFrom('own', 'own', 'parent'),
  },
  async (player, { agent, count, payer }) => {
    const right = { agent, payer, amount: 'right', tx: 'made', claim: 'none' } as const;
    for (let nth = 0; nth < count; nth += 1) {
      const { lastHeartbeatBeat: last, frozen } = player.agent(agent);
      const toGo = last === null ? 0 : last + player.state.protocol.heartbeat.intervalBeatsMin - player.state.anchor;
      if (toGo > 0) await player.advance({ anchors: toGo });
      const { status } = await player.play(await readyHeartbeat(player, right));
      if (status >= 300 || frozen) return;
    }
  },
);

/** POST /agent/reissue-proof */
export const reissue: Operation = request<Paying & { readonly agent: number }>(
  'reissue-proof',
  { agent: place, ...paying },
  async (player, action) => {
    const index = action.agent % player.state.agents.length;
    const fee = feeOf(player.state, index, 'reissuance', player.state.protocol.reissue.feeLamports);
    const tx = await paid(player, index, fee, action);
    return {
      request: { method: 'POST', path: '/agent/reissue-proof', key: player.agent(index).key, body: { payment_tx: tx } },
      judge: (state, answer) => {
        const own = state.agents[index] as AgentState;
        const { payment, faults } = checkPayment(state, tx, fee);
        const missing: Fault = { why: 'payment_tx is missing', status: 400 };
        const expected = {
          faults: [...keyFault(own), ...walletFault(state, own), ...faults, ...(tx === undefined ? [missing] : [])],
          open: [
            ...(own.frozen || own.chain === null ? ['the agent is not active'] : []),
            ...(own.sigil === null ? ['there is no SIGIL'] : []),
            ...(payment !== undefined && payment.from !== own.wallet?.address ? ['somebody else pays'] : []),
            ...(payment?.usedFor == null ? [] : ['the payment is used']),
          ],
          counted: [[`reissue-proof ${index}`, state.protocol.limits.reissueProof]] as const,
        };
        if (!settle(state, answer, expected)) return;
        if (payment !== undefined) payment.usedFor = 'reissuance';
        book(state, 'reissuance', fee);
        equals(answer, 'ok', true);
        equals(answer, 'reissued', true);
        judgeFee(answer, fee, String(tx));
        judgePassport(state, answer, own);
        judgeAlias(state, answer);
      },
    };
  },
);
