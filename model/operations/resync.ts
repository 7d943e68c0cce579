/** POST /agent/resync by receipt and by challenge (4.10). */

import { servesMode } from '../../spec/parts.js';
import { any, type Known, not } from '../evidence.js';
import { beatProofHolds, receiptKey } from '../reading/proof.js';
import { at, numberAt, textAt } from '../reading/values.js';
import { demandOf, isFreshReceipt, noteFreeze } from '../rules.js';
import type { Operation } from '../settle.js';
import type { Agent, Receipt, State } from '../state.js';
import { handOut, type TicketFacts, ticketOf } from '../tickets.js';

interface Resync {
  readonly agent: Agent;
  readonly form: 'challenge' | 'prove' | 'receipt';
  readonly given: unknown;
  readonly receipt: Receipt | undefined;
  readonly nonce: TicketFacts;
  readonly proof: unknown;
  readonly gap: number | undefined;
  readonly required: number | undefined;
}

/** 4.10: min(100 × missed anchors, 10,000). */
export function penalty({ settings }: State, gap: number | undefined): number | undefined {
  const { beatsPerMissedAnchor, beatsMax } = settings.protocol.resync;
  return gap === undefined ? undefined : Math.min(beatsPerMissedAnchor * gap, beatsMax);
}

const isReceipt = ({ form, given }: Resync): boolean => form === 'receipt' && given !== undefined;
const isProof = ({ form }: Resync): boolean => form === 'prove';

export const resync: Operation<Resync> = {
  ids: ['resync'],
  facts: ({ state, call, agent }) => {
    if (agent === undefined) return undefined;
    const body = call.body ?? {};
    const given = body['beats_receipt'];
    const gap =
      state.anchor === undefined || agent.syncAnchor === undefined ? undefined : state.anchor - agent.syncAnchor;
    return {
      agent,
      form: body['action'] === 'challenge' ? 'challenge' : body['action'] === 'prove' ? 'prove' : 'receipt',
      given,
      receipt: given === undefined ? undefined : state.receipts.get(receiptKey(given)),
      nonce: ticketOf(state, body['challenge_nonce'], 'resync', state.settings.protocol.resync.nonceTtlSec),
      proof: body['proof'],
      gap,
      required: penalty(state, gap),
    };
  },
  refusals: [
    {
      row: 'resync/AGENT_WRONG_STATE',
      clauses: ['resync.transition.not-frozen', 'resync.error.agent-wrong-state'],
      when: ({ agent }) => not(agent.frozen),
    },
    {
      row: 'resync/RECEIPT_REQUIRED',
      clauses: ['resync.receipt.required', 'resync.error.receipt-required'],
      when: ({ form, given }, { state }) => form === 'receipt' && given === undefined && state.beatsRequired,
    },
    {
      row: 'resync/INVALID_RECEIPT',
      clauses: ['resync.error.invalid-receipt'],
      when: (facts) =>
        isReceipt(facts) &&
        (facts.receipt === undefined ? (typeof facts.given === 'string' ? true : undefined) : false),
    },
    {
      row: 'resync/INVALID_RECEIPT',
      clauses: ['resync.transition.active', 'resync.error.invalid-receipt'],
      when: ({ receipt, required }) =>
        receipt !== undefined && (required === undefined ? undefined : receipt.beats < required),
    },
    {
      row: 'resync/INVALID_RECEIPT',
      clauses: ['receipt.once'],
      when: ({ receipt }) => receipt?.used ?? false,
    },
    {
      row: 'resync/VALIDATION',
      clauses: ['resync.error.validation'],
      when: (facts) =>
        isProof(facts) && (facts.nonce.ticket === undefined || facts.nonce.ticket.of !== facts.agent.hash),
    },
    {
      row: 'resync/VALIDATION',
      clauses: ['resync.nonce.once', 'constant.nonce-single-use.resync', 'resync.error.validation'],
      when: (facts) => isProof(facts) && facts.nonce.isUsed,
    },
    {
      row: 'resync/VALIDATION',
      clauses: ['resync.nonce.ttl', 'constant.nonce-ttl.resync', 'resync.error.validation'],
      when: (facts) => isProof(facts) && facts.nonce.isLate,
    },
    {
      row: 'resync/VALIDATION',
      clauses: ['resync.transition.active', 'resync.error.validation.proof'],
      when: (facts, { state }) =>
        isProof(facts) && any(not(beatProofHolds(state, facts.proof)), provesLess(facts, state)),
    },
    {
      row: 'resync/VALIDATION',
      clauses: [],
      when: ({ form }, { state }) => form !== 'receipt' && !servesMode(state.settings.protocol, 'resync/challenge'),
    },
  ],
  open: ({ receipt, form, given, agent }, { state }) => {
    if (receipt !== undefined && !isFreshReceipt(state, receipt))
      return 'how old a receipt may be, and of which difficulty, is open';
    if (form !== 'receipt' && state.beatsRequired !== false)
      return 'whether the challenge form is served where receipts are required is open';
    if (form === 'receipt' && given === undefined && state.beatsRequired !== true)
      return 'a resync without work is open';
    return agent.started ? undefined : 'the chain has not started';
  },
  accepts: ({ receipt }, { state, call }) => [
    ...demandOf(state, receipt, call.json, 'resync/INVALID_RECEIPT'),
    'resync.reactivates',
    'resync.transition.active',
  ],
  accepted: ({ agent, form, receipt, nonce, proof, gap, required }, { state, call, judgement }) => {
    const { json } = call;
    if (form === 'challenge') {
      judgement.equals(
        json,
        'challenge.required_beats',
        required,
        'resync.penalty',
        'resync.penalty.cap',
        'constant.resync-penalty',
        'constant.resync-penalty-cap',
      );
      judgement.equals(json, 'challenge.start_from_beat', agent.chain.beat, 'resync.challenge.reply');
      judgement.equals(json, 'challenge.start_from_hash', agent.chain.hash, 'resync.challenge.reply');
      judgement.equals(json, 'challenge.difficulty', state.settings.protocol.beat.difficulty, 'resync.challenge.reply');
      judgement.equals(json, 'challenge.sync_to_global', state.anchor, 'resync.challenge.reply');
      const { beatsPerAnchor } = state.settings.protocol.anchor;
      judgement.equals(json, 'gap_beats', gap === undefined ? undefined : gap * beatsPerAnchor, 'resync.gap-beats');
      handOut(state, at(json, 'challenge.nonce'), { kind: 'resync', of: agent.hash });
      return;
    }
    judgement.equals(json, 'ok', true, form === 'prove' ? 'resync.prove.reply' : 'resync.receipt.reply');
    if (form === 'prove') {
      if (nonce.ticket !== undefined) nonce.ticket.used = true;
      const beats = numberAt(proof, 'beats_computed');
      const total = agent.totalBeats === undefined || beats === undefined ? undefined : agent.totalBeats + beats;
      judgement.equals(json, 'status', 'active', 'resync.reactivates');
      judgement.equals(json, 'total_beats', total, 'resync.prove.chain');
      agent.chain = { beat: numberAt(proof, 'to_beat'), hash: textAt(proof, 'to_hash') };
      agent.totalBeats = numberAt(json, 'total_beats');
    } else {
      if (receipt !== undefined) receipt.used = true;
      judgement.equals(json, 'agent_hash', agent.hash, 'resync.receipt.reply');
      judgement.equals(json, 'status', 'active', 'resync.receipt.reply.status', 'resync.reactivates');
      judgement.equals(json, 'gap_anchors', gap, 'resync.gap.receipt');
      judgement.equals(
        json,
        'required_beats',
        required,
        'resync.penalty',
        'resync.penalty.cap',
        'constant.resync-penalty',
        'constant.resync-penalty-cap',
      );
      if (receipt !== undefined) judgement.equals(json, 'beats_proven', receipt.beats, 'resync.receipt.reply');
      judgement.equals(
        json,
        'receipt_based',
        receipt !== undefined,
        'resync.receipt.reply.receipt-based',
        'resync.receipt.reply',
      );
      judgement.equals(
        json,
        'last_global_sync',
        typeof at(json, 'last_global_sync') === 'number' ? state.anchor : undefined,
        'resync.transition.last-global-sync',
      );
    }
    if (agent.frozen === undefined) noteFreeze(state, agent);
    agent.frozen = false;
    agent.syncAnchor = state.anchor;
    agent.lineageEvents += 1;
  },
};

/** Whether a proof is of fewer beats than the challenge asked, or of another chain. */
function provesLess({ agent, proof, required, nonce }: Resync, state: State): Known {
  const [beats, from] = [numberAt(proof, 'beats_computed'), at(proof, 'from_hash')];
  if (agent.chain.hash !== undefined && from !== agent.chain.hash) return true;
  // Whether anchors that are missed after the challenge count is a decision.
  const isSameMoment = nonce.ticket?.madeMs === state.nowMs;
  return beats === undefined || required === undefined
    ? undefined
    : beats < required
      ? isSameMoment || undefined
      : false;
}
