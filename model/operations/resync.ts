/** POST /agent/resync by receipt and by challenge (4.10). */

import { groups } from '../../spec/clauses/groups.js';
import { penaltyFormula } from '../../spec/formula/formulas.js';
import { servesMode } from '../../spec/parts.js';
import type { Operation, Refusal } from '../case.js';
import { depositWithResync } from '../facts/fees.js';
import {
  beatProofFaults,
  continues,
  HIDDEN,
  isReceiptForm,
  isWhole,
  PROOF_FAULTS,
  type ProofFaults,
  receiptKey,
} from '../facts/proof.js';
import { demandOf, isFreshReceipt, isSpent, noteFreeze } from '../facts/rules.js';
import type { Agent, Payment, Receipt, State } from '../facts/state.js';
import { issueTicket, type TicketFacts, ticketOf } from '../facts/tickets.js';
import { type Known, not } from '../reading/known.js';
import { at, numberAt, textAt } from '../reading/values.js';
import { judgeDeposit } from './deposit.js';
import { paymentOf } from './payment.js';

interface Resync extends ProofFaults {
  readonly agent: Agent;
  readonly form: 'challenge' | 'prove' | 'receipt';
  readonly given: unknown;
  readonly receipt: Receipt | undefined;
  readonly nonce: TicketFacts;
  readonly proof: unknown;
  readonly gap: number | undefined;
  readonly required: number | undefined;
  readonly tx: unknown;
  readonly payment: Payment | undefined;
}

/** 4.10: min(100 × missed anchors, 10,000), or the formula of an overlay. */
export function penalty({ settings: { protocol } }: State, gap: number | undefined): number | undefined {
  if (gap === undefined) return undefined;
  const { beatsPerMissedAnchor, beatsMax } = protocol.resync;
  return penaltyFormula(protocol)?.(gap) ?? Math.min(beatsPerMissedAnchor * gap, beatsMax);
}

/** The clauses about a penalty, or about its cap if the penalty reaches it. */
function ofPenalty({ settings: { protocol } }: State, gap = 0): readonly string[] {
  if (penaltyFormula(protocol) !== undefined) return groups.penalty;
  const { beatsPerMissedAnchor, beatsMax } = protocol.resync;
  return beatsPerMissedAnchor * gap > beatsMax ? groups.penaltyCap : groups.penalty;
}

const isReceipt = ({ form, given }: Resync): boolean => form === 'receipt' && given !== undefined;
const isProof = ({ form }: Resync): boolean => form === 'prove';

/** The price of a resync by a change, in lamports: a fee, and the deposit of an agent with a SIGIL. */
export const resyncPrice = (state: State, agent: Agent): number =>
  state.settings.protocol.resync.feeLamports + depositWithResync(state, agent);

/** Refusals of a payment where a change gives resyncs a price, by the rows of reissue-proof; the clause of the move then includes the payment. */
const feeRefusals: readonly Refusal<Resync>[] = (
  [
    ['PAYMENT_REQUIRED', ({ tx }) => tx === undefined],
    ['PAYMENT_INVALID', ({ tx, payment }) => typeof tx === 'string' && tx !== '' && payment === undefined],
    [
      'PAYMENT_INVALID',
      ({ payment, agent }, state) => payment !== undefined && payment.lamports !== resyncPrice(state, agent),
    ],
    ['PAYMENT_ALREADY_USED', ({ payment }) => payment?.usedFor != null],
  ] as const satisfies readonly (readonly [code: string, when: (facts: Resync, state: State) => boolean])[]
).map(([code, when]) => ({
  row: `reissue-proof/${code}`,
  clauses: ['resync.transition.active'],
  when: (facts, { state }) => facts.form !== 'challenge' && resyncPrice(state, facts.agent) > 0 && when(facts, state),
}));

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
      ...(body['action'] === 'prove' ? beatProofFaults(state, body['proof']) : { faults: [], unknown: false }),
      gap,
      required: penalty(state, gap),
      tx: body['payment_tx'],
      payment: paymentOf(state, body['payment_tx']),
    };
  },
  refusals: [
    {
      row: 'resync/AGENT_WRONG_STATE',
      also: ['resync.transition.not-frozen'],
      when: ({ agent }) => not(agent.frozen),
    },
    // Refusals that no valid receipt may get, and the clauses that they break.
    { row: 'resync/RECEIPT_REQUIRED', clauses: ['resync.receipt.body'], when: () => false },
    {
      row: 'resync/INVALID_RECEIPT',
      clauses: ['service.beats.resync', 'resync.transition.active', 'resync.penalty'],
      when: () => false,
    },
    {
      row: 'resync/RECEIPT_REQUIRED',
      also: ['resync.receipt.required'],
      when: ({ form, given }, { state }) => form === 'receipt' && given === undefined && state.beatsRequired,
    },
    ...feeRefusals,
    {
      row: 'resync/INVALID_RECEIPT',
      also: ['resync.receipt.body', 'receipt.signature'],
      when: (facts, { state }) =>
        isReceipt(facts) &&
        (facts.receipt === undefined ? (isReceiptForm(state.settings, facts.given) ? true : undefined) : false),
    },
    ...[groups.penalty, groups.penaltyCap].map(
      (clauses): Refusal<Resync> => ({
        row: 'resync/INVALID_RECEIPT',
        also: ['resync.transition.active', ...clauses],
        when: ({ receipt, required, gap }, { state }) =>
          receipt !== undefined &&
          (required === undefined ? undefined : receipt.beats < required && ofPenalty(state, gap) === clauses),
      }),
    ),
    {
      row: 'resync/INVALID_RECEIPT',
      clauses: ['receipt.window'],
      when: ({ receipt }, { state: { anchor, settings } }) =>
        receipt?.anchor !== undefined &&
        anchor !== undefined &&
        anchor - receipt.anchor > settings.protocol.work.receiptAnchorsMax,
    },
    {
      row: 'resync/INVALID_RECEIPT',
      clauses: ['receipt.once'],
      decided: 'error.unused',
      when: ({ receipt }) => isSpent(receipt),
    },
    {
      row: 'resync/VALIDATION',
      // 4.10: the nonce must be from the agent's own challenge.
      also: ['resync.prove.body'],
      when: (facts) =>
        isProof(facts) && (facts.nonce.ticket === undefined || facts.nonce.ticket.of !== facts.agent.hash),
    },
    {
      row: 'resync/VALIDATION',
      also: [...groups.resyncNonceOnce],
      decided: 'error.unused',
      when: (facts) => isProof(facts) && facts.nonce.isUsed,
    },
    {
      row: 'resync/VALIDATION',
      also: [...groups.resyncNonceTtl],
      when: (facts) => isProof(facts) && facts.nonce.isLate,
    },
    {
      row: 'resync/VALIDATION',
      cause: 'proof',
      also: ['resync.transition.active', 'resync.penalty'],
      when: (facts, { state }) => isProof(facts) && provesTooFewBeats(facts, state),
    },
    {
      row: 'resync/VALIDATION',
      cause: 'proof',
      also: ['proof.field.from-hash'],
      when: (facts) => isProof(facts) && not(continues(at(facts.proof, 'from_hash'), facts.agent.chain.hash)),
    },
    {
      row: 'resync/VALIDATION',
      clauses: ['resync.prove.body'],
      when: ({ faults, unknown }) => (unknown ? undefined : faults.includes('')),
    },
    ...PROOF_FAULTS.map(
      ([fault, ...also]): Refusal<Resync> => ({
        row: 'resync/VALIDATION',
        cause: 'proof',
        also: [fault, ...also, 'resync.transition.active'],
        when: ({ faults }) => faults.includes(fault),
      }),
    ),
    {
      row: 'resync/VALIDATION',
      clauses: ['resync.challenge.body'],
      when: ({ form }, { state }) => form !== 'receipt' && !servesMode(state.settings.protocol, 'resync/challenge'),
    },
  ],
  open: ({ receipt, form, given, agent }, { state, call }) => {
    if (receipt !== undefined && !isFreshReceipt(state, receipt))
      return 'the text does not bound the age and the difficulty of a receipt';
    if (form !== 'receipt' && state.beatsRequired !== false && call.status === 402)
      return 'the text does not say whether resync by challenge is served where receipts are required';
    if (form === 'receipt' && given === undefined && state.beatsRequired !== true)
      return 'the text does not say whether a resync without a receipt is served';
    return agent.started ? undefined : 'the text does not say whether an agent without a started chain may resync';
  },
  doubt: ({ form, proof }, { state }) => (form === 'prove' && !isWhole(state, proof) ? HIDDEN : undefined),
  accepts: ({ form, given, receipt }, { state, call }) => {
    if (form === 'challenge') return ['resync.challenge.body', 'resync.challenge.either'];
    const back = ['resync.reactivates', 'resync.transition.active'];
    if (form === 'prove')
      return at(call.json, 'code') === 'VALIDATION' ? ['resync.prove.body'] : [...back, 'resync.prove.body'];
    const free = given === undefined ? ['resync.free'] : ['resync.receipt.body', 'service.beats.resync'];
    return [...demandOf(state, receipt, call.json, 'resync/INVALID_RECEIPT'), ...back, ...free, 'service.resync'];
  },
  accepted: ({ agent, form, receipt, nonce, proof, gap, required, payment }, given) => {
    const { state, call, judgement } = given;
    const { json } = call;
    if (form === 'challenge') {
      judgement.equals('challenge.required_beats', required, ...ofPenalty(state, gap), 'resync.gap.challenge');
      judgement.equals('challenge.start_from_beat', agent.chain.beat, 'resync.challenge.reply', 'resync.prove.chain');
      judgement.equals('challenge.start_from_hash', agent.chain.hash, 'resync.challenge.reply', 'resync.prove.chain');
      judgement.equals('challenge.difficulty', state.settings.protocol.beat.difficulty, 'resync.challenge.reply');
      judgement.equals('challenge.sync_to_global', state.anchor, 'resync.challenge.reply');
      const { beatsPerAnchor } = state.settings.protocol.anchor;
      judgement.equals('gap_beats', gap === undefined ? undefined : gap * beatsPerAnchor, 'resync.gap-beats');
      issueTicket(state, at(json, 'challenge.nonce'), { kind: 'resync', of: agent.hash });
      return;
    }
    judgement.equals('ok', true, form === 'prove' ? 'resync.prove.reply' : 'resync.receipt.reply');
    if (form === 'prove') {
      if (nonce.ticket !== undefined) nonce.ticket.used = true;
      const beats = numberAt(proof, 'beats_computed');
      const total = agent.totalBeats === undefined || beats === undefined ? undefined : agent.totalBeats + beats;
      judgement.equals('status', 'active', 'resync.reactivates');
      judgement.equals('total_beats', total, 'resync.prove.chain');
      agent.chain = { beat: numberAt(proof, 'to_beat'), hash: textAt(proof, 'to_hash') };
      agent.totalBeats = numberAt(json, 'total_beats');
    } else {
      if (receipt !== undefined) receipt.used = true;
      judgement.equals('agent_hash', agent.hash, 'resync.receipt.reply');
      judgement.equals('status', 'active', 'resync.receipt.reply.status', 'resync.reactivates');
      judgement.equals('gap_anchors', gap, 'resync.gap.receipt', 'resync.receipt.reply');
      judgement.equals('required_beats', required, ...ofPenalty(state, gap), 'resync.receipt.reply');
      if (receipt !== undefined) judgement.equals('beats_proven', receipt.beats, 'resync.receipt.reply');
      judgement.equals(
        'receipt_based',
        receipt !== undefined,
        'resync.receipt.reply.receipt-based',
        'resync.receipt.reply',
      );
      judgement.equals(
        'last_global_sync',
        typeof at(json, 'last_global_sync') === 'number' ? state.anchor : undefined,
        'resync.transition.last-global-sync',
      );
    }
    noteFee(state, payment);
    const { feeLamports } = state.settings.protocol.resync;
    const replies = form === 'prove' ? 'resync.prove.reply' : 'resync.receipt.reply';
    if (feeLamports > 0) judgement.equals('fee.amount_lamports', feeLamports, replies);
    judgeDeposit(given, agent, depositWithResync(state, agent), replies);
    if (agent.frozen === undefined) noteFreeze(state, agent);
    agent.frozen = false;
    agent.syncAnchor = state.anchor;
    agent.lineageEvents += 1;
    agent.revived = form;
  },
  refused: ({ gap, required }, { state, judgement }, row) => {
    if (row !== 'resync/RECEIPT_REQUIRED') return;
    judgement.shown('required_beats', required, ...ofPenalty(state, gap), 'resync.receipt.required.reply');
    judgement.shown('gap_anchors', gap, 'resync.receipt.required.reply');
  },
};

/** Notes that a payment has paid a resync. It is booked like a reissue of the passport. */
function noteFee(state: State, payment: Payment | undefined): void {
  const { feeLamports } = state.settings.protocol.resync;
  if (payment !== undefined && feeLamports + state.settings.protocol.deposit.lamports > 0)
    payment.usedFor = 'reissuance';
  if (feeLamports === 0) return;
  const book = state.books.get('reissuance') ?? state.books.set('reissuance', { count: 0, lamports: 0 });
  book.count += 1;
  book.lamports += feeLamports;
}

/** Whether a proof has fewer beats than the challenge requires. */
function provesTooFewBeats({ proof, required, nonce }: Resync, state: State): Known {
  const beats = numberAt(proof, 'beats_computed');
  // Whether anchors missed after the challenge count is a decision.
  const isSameMoment = nonce.ticket?.madeMs === state.nowMs;
  return beats === undefined || required === undefined
    ? undefined
    : beats < required
      ? isSameMoment || undefined
      : false;
}
