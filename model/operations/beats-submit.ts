/** POST /agent/beats/submit (4.9): its refusals, and the evidence of its reply. */

import type { ErrorKey } from '../../spec/errors.js';
import type { Operation, Refusal } from '../case.js';
import {
  beatProofFaults,
  continues,
  fieldFaults,
  HIDDEN,
  isWhole,
  PROOF_FAULTS,
  type ProofFaults,
} from '../facts/proof.js';
import type { Agent } from '../facts/state.js';
import { not } from '../reading/known.js';
import { at, numberAt, textAt } from '../reading/values.js';

interface Submission extends ProofFaults {
  readonly agent: Agent;
  readonly proof: unknown;
  /** The fields that are missing or of another type. */
  readonly fields: readonly string[];
  readonly beats: number | undefined;
}

const FIELDS = [
  'from_beat',
  'to_beat',
  'from_hash',
  'to_hash',
  'beats_computed',
  'global_anchor',
  'anchor_hash',
  'spot_checks',
];
/** The text has no bound of beats in one call; a service may refuse more than this. */
const BEATS_SURE_MAX = 5_000;
const clauseOf = (field: string): string => `proof.field.${field.replaceAll('_', '-')}`;
const ofFields = FIELDS.map(clauseOf);

/** The refusal of a proof that does not start at the end of the chain. */
const elsewhere = (field: 'from_beat' | 'from_hash', end: 'beat' | 'hash'): Refusal<Submission> => ({
  row: 'beats-submit/CHAIN_MISMATCH',
  also: [clauseOf(field), 'beats-submit.continues'],
  when: ({ agent, proof }) => {
    const given = at(proof, field);
    const is = end === 'hash' ? continues(given, agent.chain.hash) : given === agent.chain.beat;
    return agent.started && (agent.chain[end] === undefined ? undefined : not(is));
  },
});

/** A refusal that no valid proof may get, and the clauses that it breaks. */
const unfounded = (
  row: ErrorKey,
  isOpen: (facts: Submission) => boolean,
  ...clauses: string[]
): Refusal<Submission> => ({
  row,
  clauses,
  when: (facts) => (isOpen(facts) ? undefined : false),
});

export const beatsSubmit: Operation<Submission> = {
  ids: ['beats-submit'],
  facts: ({ state, call, agent }) => {
    if (agent === undefined) return undefined;
    const proof = call.body?.['proof'] ?? call.body;
    const fields = fieldFaults(proof);
    const found = fields.length > 0 ? { faults: [], unknown: false } : beatProofFaults(state, proof);
    return { agent, proof, fields, ...found, beats: numberAt(proof, 'beats_computed') };
  },
  refusals: [
    {
      row: 'beats-submit/AGENT_NOT_INITIALIZED',
      when: ({ agent }) => !agent.started,
    },
    {
      row: 'beats-submit/AGENT_FROZEN',
      when: ({ agent }) => agent.frozen,
    },
    unfounded('beats-submit/VALIDATION', ({ unknown }) => unknown, 'beats-submit.body', ...ofFields),
    ...FIELDS.map(
      (field): Refusal<Submission> => ({
        row: 'beats-submit/VALIDATION',
        also: [clauseOf(field)],
        when: ({ fields }) => fields.includes(field),
      }),
    ),
    unfounded('beats-submit/PROOF_INVALID', ({ unknown }) => unknown, 'beats-submit.credit', ...ofFields),
    ...PROOF_FAULTS.map(
      ([fault, ...also]): Refusal<Submission> => ({
        row: 'beats-submit/PROOF_INVALID',
        also: [fault, ...also, ...(fault === 'service.beats.proven' ? ['beats-submit.credit'] : [])],
        when: ({ faults }) => faults.includes(fault),
      }),
    ),
    {
      row: 'beats-submit/PROOF_INVALID',
      clauses: ['beats-submit.beats-max'],
      when: ({ beats = 0 }, { state }) => beats > state.settings.protocol.proof.submitBeatsMax,
    },
    {
      row: 'beats-submit/PROOF_INVALID',
      clauses: [],
      decided: 'beats-submit.beats-max',
      when: ({ beats = 0 }) => (beats > BEATS_SURE_MAX ? undefined : false),
    },
    unfounded('beats-submit/CHAIN_MISMATCH', () => false, 'beats-submit.credit'),
    elsewhere('from_beat', 'beat'),
    elsewhere('from_hash', 'hash'),
  ],
  open: (_, { call }) =>
    call.body?.['proof'] === undefined ? undefined : 'the text does not say whether the proof may be inside a field',
  doubt: ({ proof }, { state }) => (isWhole(state, proof) ? undefined : HIDDEN),
  accepts: (_, { call }) =>
    call.status === 402
      ? ['beats-submit.fee-free']
      : [
          'beats-submit.credit',
          'beats-submit.fee-free',
          'beats-submit.body',
          'service.beats.proven',
          'proof.field.spot-checks.end',
          'proof.spot-checks.recomputed',
          ...ofFields,
        ],
  accepted: ({ agent, proof, beats }, { judgement }) => {
    const total = agent.totalBeats === undefined || beats === undefined ? undefined : agent.totalBeats + beats;
    judgement.equals('agent_hash', agent.hash, 'beats-submit.reply');
    judgement.equals('beats_accepted', beats, 'beats-submit.reply', 'beats-submit.credit');
    judgement.equals('total_beats', total, 'beats-submit.credit');
    judgement.equals('latest_beat_index', at(proof, 'to_beat'), 'beats-submit.reply', 'beats-submit.credit');
    const checks = at(proof, 'spot_checks');
    judgement.equals('spot_checks_verified', Array.isArray(checks) ? checks.length : undefined, 'beats-submit.reply');
    agent.chain = { beat: numberAt(proof, 'to_beat'), hash: textAt(proof, 'to_hash') };
    agent.totalBeats = total;
    agent.spendable = beats === undefined || agent.spendable === undefined ? undefined : agent.spendable + beats;
  },
};
