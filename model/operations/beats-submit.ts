/** POST /agent/beats/submit (4.9): its refusals, and the evidence of its reply. */

import type { Known } from '../evidence.js';
import { beatProofHolds, isProofShaped } from '../reading/proof.js';
import { at, numberAt, textAt } from '../reading/values.js';
import type { Operation } from '../settle.js';
import type { Agent } from '../state.js';

interface Submission {
  readonly agent: Agent;
  readonly proof: unknown;
  readonly holds: Known;
  /** Starts at the end of the chain. */
  readonly continues: Known;
  readonly beats: number | undefined;
}

export const beatsSubmit: Operation<Submission> = {
  ids: ['beats-submit'],
  facts: ({ state, call, agent }) => {
    if (agent === undefined) return undefined;
    const proof = call.body?.['proof'] ?? call.body;
    const { beat, hash } = agent.chain;
    const continues =
      beat === undefined || hash === undefined
        ? undefined
        : at(proof, 'from_beat') === beat && at(proof, 'from_hash') === hash;
    return { agent, proof, holds: beatProofHolds(state, proof), continues, beats: numberAt(proof, 'beats_computed') };
  },
  refusals: [
    {
      row: 'beats-submit/AGENT_NOT_INITIALIZED',
      clauses: ['beats-submit.error.agent-not-initialized'],
      when: ({ agent }) => !agent.started,
    },
    {
      row: 'beats-submit/AGENT_FROZEN',
      clauses: ['beats-submit.error.agent-frozen'],
      when: ({ agent }) => agent.frozen,
    },
    {
      row: 'beats-submit/VALIDATION',
      clauses: ['beats-submit.body', 'beats-submit.error.validation'],
      when: ({ proof }) => !isProofShaped(proof),
    },
    {
      row: 'beats-submit/PROOF_INVALID',
      clauses: ['beats-submit.body', 'beats-submit.error.proof-invalid'],
      when: ({ holds, proof }) => isProofShaped(proof) && (holds === undefined ? undefined : !holds),
    },
    {
      row: 'beats-submit/CHAIN_MISMATCH',
      clauses: ['beats-submit.continues', 'beats-submit.error.chain-mismatch'],
      when: ({ agent, continues }) => agent.started && (continues === undefined ? undefined : !continues),
    },
  ],
  open: ({ beats }, { state, call }) => {
    if (call.body?.['proof'] !== undefined) return 'a proof inside of a field is a decision';
    return beats !== undefined && beats > state.settings.protocol.proof.submitBeatsMax
      ? 'how many beats a call may credit is open'
      : undefined;
  },
  accepts: () => ['beats-submit.credit', 'beats-submit.fee-free'],
  accepted: ({ agent, proof, beats }, { call, judgement }) => {
    const { json } = call;
    const total = agent.totalBeats === undefined || beats === undefined ? undefined : agent.totalBeats + beats;
    judgement.equals(json, 'ok', true, 'beats-submit.reply');
    judgement.equals(json, 'agent_hash', agent.hash, 'beats-submit.reply');
    judgement.equals(json, 'beats_accepted', beats, 'beats-submit.reply');
    judgement.equals(json, 'total_beats', total, 'beats-submit.credit');
    judgement.equals(json, 'latest_beat_index', at(proof, 'to_beat'), 'beats-submit.reply');
    const checks = at(proof, 'spot_checks');
    judgement.equals(
      json,
      'spot_checks_verified',
      Array.isArray(checks) ? checks.length : undefined,
      'beats-submit.reply',
    );
    agent.chain = { beat: numberAt(proof, 'to_beat'), hash: textAt(proof, 'to_hash') };
    agent.totalBeats = total;
  },
};
