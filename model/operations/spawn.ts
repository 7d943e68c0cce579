/** POST /agent/spawn (4.8, 3.6): probe, preflight and finalize. */

import { keptName } from '../../spec/dialect-settings.js';
import type { Operation } from '../case.js';
import { isReceiptForm, receiptKey } from '../facts/proof.js';
import { demandOf, isFreshReceipt, isSpent } from '../facts/rules.js';
import { costClauses, spawnCost } from '../facts/spawn-cost.js';
import type { Agent, Receipt } from '../facts/state.js';
import { issueTicket } from '../facts/tickets.js';
import { at, hashAt, textAt } from '../reading/values.js';

interface Spawn {
  readonly agent: Agent;
  readonly mode: 'probe' | 'preflight' | 'finalize' | 'none';
  readonly given: unknown;
  /** The name as the service keeps it; undefined if it is not a text. */
  readonly name: string | undefined;
  readonly receipt: Receipt | undefined;
  readonly required: number;
  readonly child: Agent | undefined;
}

const mayBeReceipt = (given: unknown): boolean => ['string', 'object'].includes(typeof given);

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
    const name = textAt(body, 'child_name');
    return {
      agent,
      mode,
      given,
      name: name === undefined ? undefined : keptName(state.settings.dialect, name).trim(),
      receipt: given === undefined ? undefined : state.receipts.get(receiptKey(given)),
      required: spawnCost(state.settings, agent),
      child: child === undefined ? undefined : state.agents.get(child),
    };
  },
  refusals: [
    {
      row: 'spawn/VALIDATION',
      clauses: ({ mode }) => (mode === 'none' ? ['spawn.error.validation'] : []),
      when: ({ mode }) => mode === 'none',
    },
    {
      row: 'spawn/VALIDATION',
      clauses: ({ name }) => (name === undefined ? ['spawn.body.child-name', 'spawn.error.validation'] : []),
      when: ({ mode, name }) => (mode === 'probe' || mode === 'preflight') && name === undefined,
    },
    {
      row: 'spawn/VALIDATION',
      clauses: [],
      when: ({ mode, name }, { state }) => {
        const { length } = [...(name ?? 'x')];
        return mode !== 'none' && (length < 1 || length > state.settings.protocol.agent.nameCharsMax);
      },
    },
    {
      row: 'spawn/VALIDATION',
      clauses: (_, { state }) => (state.settings.protocol.agent.depthMax > 0 ? ['dialect.agent.depth'] : []),
      when: ({ mode, agent }, { state }) => {
        const { depthMax } = state.settings.protocol.agent;
        return mode !== 'finalize' && depthMax > 0 && agent.depth >= depthMax;
      },
    },
    {
      row: 'spawn/VALIDATION',
      also: ['spawn.body.beats-receipt'],
      when: ({ mode, given }) => mode === 'preflight' && !mayBeReceipt(given),
    },
    {
      row: 'spawn/VALIDATION',
      also: ['spawn.body.child-hash'],
      when: ({ mode }, { call }) => mode === 'finalize' && hashAt(call.body, 'child_hash') === undefined,
    },
    {
      row: 'spawn/VALIDATION',
      clauses: [],
      decided: 'spawn.finalize.without-name',
      when: ({ mode }, { call }) =>
        mode === 'finalize' && call.body?.['child_name'] === undefined ? undefined : false,
    },
    {
      row: 'spawn/VALIDATION',
      cause: 'receipt',
      also: ['spawn.flow.receipt', 'work-proof.reply.receipt', 'receipt.signature'],
      when: ({ mode, receipt, given }, { state }) =>
        mode === 'preflight' &&
        mayBeReceipt(given) &&
        receipt === undefined &&
        (isReceiptForm(state.settings, given) || undefined),
    },
    { row: 'spawn/AGENT_FROZEN', when: ({ agent }) => agent.frozen },
    {
      row: 'spawn/SPAWN_CONFLICT',
      // A conflict about the agent's own child is wrong: the service has read the call in another mode.
      clauses: ({ agent, mode, child }) => {
        if (mode !== 'finalize') return [];
        return child?.parent === agent.hash ? ['spawn.mode'] : ['spawn.auth', 'key.parent.spawn', 'key.agent.bound'];
      },
      when: ({ agent, mode, child }) => mode === 'finalize' && child !== undefined && child.parent !== agent.hash,
    },
    {
      row: 'spawn/SPAWN_CONFLICT',
      // D-31 decides which names are taken, so an acceptance breaks no clause of the text.
      clauses: (_, { call }) => [
        ...(call.status >= 400 ? ['spawn.error.spawn-conflict'] : []),
        'spawn.child-name.taken',
      ],
      when: ({ agent, mode, name }, { state }) =>
        mode === 'preflight' && state.agents.values().some((one) => one.parent === agent.hash && one.name === name),
    },
    {
      row: 'spawn/SPAWN_CONFLICT',
      cause: 'receipt',
      also: ['receipt.once'],
      decided: 'error.unused',
      when: ({ receipt }) => isSpent(receipt),
    },
    {
      row: 'spawn/INSUFFICIENT_BEATS',
      clauses: ({ receipt, required }) =>
        receipt?.beats === required
          ? ['spawn.flow.compute', 'service.beats.spawn']
          : ['spawn.error.insufficient-beats', 'spawn.cost.depth', 'spawn.cost.siblings'],
      when: ({ receipt, required }) => receipt !== undefined && receipt.beats < required,
    },
    {
      row: 'spawn/RECEIPT_REQUIRED',
      also: ['spawn.probe.reply', 'spawn.flow.probe'],
      // D-44: credited beats may replace a receipt.
      when: ({ mode, agent, required }) => {
        const total = agent.started ? agent.totalBeats : 0;
        return mode === 'probe' && (total !== undefined && total < required ? true : undefined);
      },
    },
  ],
  open: ({ mode, agent, given, name, receipt, child }, { state, call }) => {
    if (mode === 'finalize' && given !== undefined)
      return 'the text does not say which mode a call with a receipt and a child has';
    if (mode === 'preflight' && call.body?.['child_name'] === undefined)
      return 'the text does not say which mode a call without child_name has';
    if (!agent.started) return 'the text does not say whether an agent without a started chain may spawn';
    if (receipt !== undefined && !isFreshReceipt(state, receipt))
      return 'the text does not bound the age and the difficulty of a receipt';
    if (mode === 'finalize' && child?.linked === true)
      return 'the text does not say how a second finalize, or one of another child, is refused';
    const isPending = state.tickets
      .values()
      .some((one) => one.kind === 'authorization' && one.of === agent.hash && one.name === name && !one.used);
    return mode === 'preflight' && isPending
      ? 'whether a second preflight for the same name is accepted is a decision'
      : undefined;
  },
  accepts: ({ mode, agent, given, receipt, required }, { state, call }) => {
    const own = ['spawn.mode', 'spawn.auth', 'key.parent.spawn'];
    if (mode === 'finalize') return ['spawn.flow.finalize', 'spawn.body.child-hash', ...own];
    if (mode !== 'preflight') return [];
    return [
      ...demandOf(state, receipt, call.json, 'spawn/VALIDATION'),
      ...(agent.depth > 2 ? ['spawn.preflight.reply'] : []),
      'spawn.flow.preflight',
      ...own,
      'spawn.body.child-name',
      'spawn.flow.anchor',
      'spawn.flow.receipt',
      'service.beats.spawn',
      ...(receipt?.beats === required ? ['spawn.flow.compute'] : []),
      ...(typeof given === 'string' ? ['spawn.body.beats-receipt'] : []),
      ...(agent.depth > 0 ? ['lineage.depth-unlimited'] : []),
    ];
  },
  accepted: ({ agent, mode, name, receipt, required, child }, { state, call, judgement }) => {
    const { json } = call;
    if (mode === 'finalize') {
      judgement.equals('child_hash', child?.hash, 'spawn.finalize.reply', 'spawn.mode');
      if (call.body?.['child_name'] === undefined)
        judgement.that('a call without child_name', true, '', '', 'spawn.finalize.without-name');
      if (child?.linked === false) agent.lineageEvents += 1;
      if (child !== undefined) child.linked = true;
      return;
    }
    if (receipt !== undefined) {
      receipt.used = true;
      judgement.equals('required_beats', required, ...costClauses(state.settings, agent, 'spawn.preflight.reply'));
    } else agent.spendable = undefined;
    agent.authorizations += 1;
    issueTicket(state, at(json, 'spawn_authorization'), { kind: 'authorization', of: agent.hash, name: String(name) });
  },
  refused: ({ agent, required }, { state, judgement }, row) => {
    if (row !== 'spawn/RECEIPT_REQUIRED') return;
    judgement.equals('required_beats', required, ...costClauses(state.settings, agent, 'spawn.probe.reply'));
    // D-31: the reply shows how many beats are missing.
    const deficit = agent.spendable === undefined ? undefined : required - agent.spendable;
    judgement.shown('deficit', deficit, 'beats-submit.credit', 'service.beats.spawn', 'spawn.probe.progress');
    judgement.equals('depth', agent.depth, 'spawn.probe.reply', 'spawn.cost.depth', 'spawn.cost.depth-of');
    judgement.equals('siblings', agent.children, 'spawn.probe.reply', 'spawn.cost.siblings', 'spawn.cost.siblings-of');
    judgement.equals('eligible', false, 'spawn.probe.progress');
  },
};
