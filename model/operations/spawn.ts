/** POST /agent/spawn (4.8, 3.6): probe, preflight and finalize. */

import { receiptKey } from '../reading/proof.js';
import { at, hashAt, textAt } from '../reading/values.js';
import { demandOf, isFreshReceipt } from '../rules.js';
import type { Operation } from '../settle.js';
import { spawnCost } from '../spawn-cost.js';
import type { Agent, Receipt } from '../state.js';
import { handOut } from '../tickets.js';

interface Spawn {
  readonly agent: Agent;
  readonly mode: 'probe' | 'preflight' | 'finalize' | 'none';
  readonly given: unknown;
  readonly receipt: Receipt | undefined;
  readonly required: number;
  readonly child: Agent | undefined;
}

export const spawn: Operation<Spawn> = {
  ids: ['spawn'],
  facts: ({ state, call, agent }) => {
    if (agent === undefined) return undefined;
    const body = call.body ?? {};
    const given = body['beats_receipt'];
    const mode =
      body['child_hash'] !== undefined
        ? 'finalize'
        : given !== undefined
          ? 'preflight'
          : body['child_name'] !== undefined
            ? 'probe'
            : 'none';
    const child = hashAt(body, 'child_hash');
    return {
      agent,
      mode,
      given,
      receipt: given === undefined ? undefined : state.receipts.get(receiptKey(given)),
      required: spawnCost(state.settings.protocol, agent.depth, agent.children),
      child: child === undefined ? undefined : state.agents.get(child),
    };
  },
  refusals: [
    { row: 'spawn/VALIDATION', clauses: ['spawn.error.validation'], when: ({ mode }) => mode === 'none' },
    {
      row: 'spawn/VALIDATION',
      clauses: ['spawn.body.child-name', 'spawn.error.validation'],
      when: ({ mode }, { call }) =>
        (mode === 'probe' || mode === 'preflight') && textAt(call.body, 'child_name') === undefined,
    },
    {
      row: 'spawn/VALIDATION',
      clauses: [],
      when: ({ mode }, { call, state }) => {
        const { length } = [...(textAt(call.body, 'child_name') ?? 'x').trim()];
        return mode !== 'none' && (length < 1 || length > state.settings.protocol.agent.nameCharsMax);
      },
    },
    {
      row: 'spawn/VALIDATION',
      clauses: ['spawn.error.validation.receipt'],
      when: ({ mode, receipt, given }) =>
        mode === 'preflight' && receipt === undefined && (typeof given === 'string' || undefined),
    },
    { row: 'spawn/AGENT_FROZEN', clauses: ['spawn.error.agent-frozen'], when: ({ agent }) => agent.frozen },
    {
      row: 'spawn/SPAWN_CONFLICT',
      clauses: ['receipt.once', 'spawn.error.spawn-conflict.receipt'],
      when: ({ receipt }) => receipt?.used ?? false,
    },
    {
      row: 'spawn/INSUFFICIENT_BEATS',
      clauses: ['spawn.error.insufficient-beats', 'spawn.cost.depth', 'spawn.cost.siblings'],
      when: ({ receipt, required }) => receipt !== undefined && receipt.beats < required,
    },
    {
      row: 'spawn/RECEIPT_REQUIRED',
      clauses: ['spawn.probe.reply', 'spawn.error.receipt-required', 'spawn.flow.probe'],
      // D-44: beats that were credited may do in place of a receipt.
      when: ({ mode, agent, required }) =>
        mode === 'probe' && (agent.totalBeats !== undefined && agent.totalBeats < required ? true : undefined),
    },
  ],
  open: ({ mode, agent, receipt, child }, { state, call }) => {
    if (mode !== 'none' && call.body?.['child_name'] === undefined) return 'a call without child_name is open';
    if (!agent.started) return 'whether an agent whose chain has not started may spawn is open';
    if (receipt !== undefined && !isFreshReceipt(state, receipt))
      return 'how old a receipt may be, and of which difficulty, is open';
    if (mode === 'finalize' && (child?.parent !== agent.hash || child.linked))
      return 'how a finalize of another child, or a second one, is refused is open';
    return mode === 'preflight' && agent.authorizations > 0
      ? 'names of siblings in a second preflight are a decision'
      : undefined;
  },
  accepts: ({ mode, receipt }, { state, call }) => {
    if (mode !== 'preflight') return mode === 'finalize' ? ['spawn.flow.finalize'] : [];
    return [...demandOf(state, receipt, call.json, 'spawn/VALIDATION'), 'spawn.flow.preflight', 'spawn.auth'];
  },
  accepted: ({ agent, mode, receipt, required, child }, { state, call, judgement }) => {
    const { json } = call;
    if (mode === 'finalize') {
      judgement.equals(json, 'child_hash', child?.hash, 'spawn.finalize.reply');
      if (child?.linked === false) agent.lineageEvents += 1;
      if (child !== undefined) child.linked = true;
      return;
    }
    if (receipt !== undefined) {
      receipt.used = true;
      judgement.equals(
        json,
        'required_beats',
        required,
        'spawn.preflight.reply',
        'spawn.cost.depth',
        'spawn.cost.siblings',
      );
      judgement.equals(json, 'receipt_based', true, 'spawn.preflight.reply.receipt-based');
    }
    agent.authorizations += 1;
    handOut(state, at(json, 'spawn_authorization'), {
      kind: 'authorization',
      of: agent.hash,
      name: String(call.body?.['child_name']).trim(),
    });
  },
  refused: ({ agent, required }, { call, judgement }, row) => {
    if (row !== 'spawn/RECEIPT_REQUIRED') return;
    judgement.equals(
      call.json,
      'required_beats',
      required,
      'spawn.probe.reply',
      'spawn.cost.depth',
      'spawn.cost.siblings',
    );
    judgement.equals(call.json, 'depth', agent.depth, 'spawn.probe.reply');
    judgement.equals(call.json, 'siblings', agent.children, 'spawn.probe.reply');
  },
};
