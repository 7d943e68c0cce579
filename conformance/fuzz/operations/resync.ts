/** POST /agent/resync (4.10), by receipt and by challenge. */

import { servesMode } from '../../../spec/parts.js';
import { at } from '../../assertions/reply.js';
import { equals, type Fault, isText, settle, that } from '../expectation.js';
import { mostly, type Operation, place, request, sequence } from '../operation.js';
import type { Player, Ready } from '../player.js';
import type { AgentState, State } from '../state.js';
import { keyFault } from './init.js';
import { receiptFor } from './spawn.js';

const gapOf = (state: State, { syncAnchor }: AgentState): number => state.anchor - syncAnchor;

/** min(100 × missed anchors, 10,000) */
function penalty({ protocol: { resync } }: State, gap: number): number {
  return Math.min(resync.beatsPerMissedAnchor * gap, resync.beatsMax);
}

interface Resyncing {
  readonly agent: number;
  readonly receipt: 'made' | 'more' | 'short' | 'none' | 'forged';
}

async function readyResync(player: Player, { agent: who, receipt: kind }: Resyncing): Promise<Ready | undefined> {
  const index = who % player.state.agents.length;
  const agent = player.agent(index);
  if (kind === 'none' && !player.state.beatsRequired) return undefined;
  const needed = agent.frozen ? penalty(player.state, gapOf(player.state, agent)) : 100;
  const works = kind === 'made' || kind === 'more' || kind === 'short';
  const made = works
    ? await receiptFor(player, Math.max(1, kind === 'short' ? needed - 1 : kind === 'more' ? needed + 7 : needed))
    : undefined;
  const receipt =
    kind === 'forged' ? player.draws.hex(32) : made === undefined ? undefined : player.state.receipts[made]?.receipt;
  const address = player.address();
  return {
    request: { method: 'POST', path: '/agent/resync', key: agent.key, address, body: { beats_receipt: receipt } },
    judge: (state, answer) => {
      const own = state.agents[index] as AgentState;
      const gap = gapOf(state, own);
      const required = penalty(state, gap);
      const faults: Fault[] = [...keyFault(own)];
      if (!own.frozen) faults.push({ why: 'the agent is not frozen', status: 409, code: 'AGENT_WRONG_STATE' });
      if (kind === 'none') faults.push({ why: 'there is no receipt', status: 402, code: 'RECEIPT_REQUIRED' });
      if (kind === 'forged') faults.push({ why: 'the receipt is forged', status: 402, code: 'INVALID_RECEIPT' });
      const proven = made === undefined ? undefined : state.receipts[made]?.beats;
      if (proven !== undefined && proven < required) faults.push({ why: 'the receipt is for too few beats' });
      const used = made !== undefined && state.receipts[made]?.used === true;
      const open = used ? ['the receipt is used'] : [];
      // Without a receipt its form is open, and with it which limit it counts in.
      const counted = kind === 'none' ? [] : ([[`resync ${address}`, state.protocol.limits.resyncReceipt]] as const);
      if (!settle(state, answer, { faults, open, counted })) return;
      const entry = made === undefined ? undefined : state.receipts[made];
      if (entry !== undefined) entry.used = true;
      equals(answer, 'ok', true);
      equals(answer, 'agent_hash', own.hash);
      equals(answer, 'status', 'active');
      equals(answer, 'last_global_sync', state.anchor);
      equals(answer, 'gap_anchors', gap);
      equals(answer, 'required_beats', required);
      equals(answer, 'beats_proven', entry?.beats);
      equals(answer, 'receipt_based', true);
      own.frozen = false;
      own.syncAnchor = state.anchor;
    },
  };
}

/** POST /agent/resync with a receipt. */
export const resync: Operation = request<Resyncing>(
  'resync',
  { agent: place, receipt: mostly('made', 'more', 'short', 'none', 'forged') },
  readyResync,
);

/** Everybody who is frozen comes back: a run in which nobody is active shows little. */
export const revive: Operation = sequence<object>('revive', {}, async (player) => {
  for (const [agent, { frozen, revoked }] of player.state.agents.entries()) {
    if (frozen && !revoked) await resync.run(player, { op: 'resync', agent, receipt: 'made' });
  }
});

interface Challenged {
  readonly agent: number;
  readonly waits: 'no' | 'to-the-end' | 'beyond';
  readonly wrong: 'nothing' | 'short' | 'nonce' | 'twice';
}

/** The challenge form. Where receipts are required it may be refused. */
export const resyncChallenge: Operation = sequence<Challenged>(
  'resync-challenge',
  { agent: place, waits: mostly('no', 'to-the-end', 'beyond'), wrong: mostly('nothing', 'short', 'nonce', 'twice') },
  async (player, { agent: who, waits, wrong }) => {
    const { nonceTtlSec } = player.state.protocol.resync;
    const waitSec = { no: 0, 'to-the-end': nonceTtlSec - 1, beyond: nonceTtlSec + 1 }[waits];
    const index = who % player.state.agents.length;
    const agent = player.agent(index);
    const { key } = agent;
    const { state } = player;
    const address = player.address();
    const counted = [[`resync-challenge ${address}`, state.protocol.limits.resyncChallenge]] as const;
    const path = '/agent/resync';
    const asked = await player.call({ method: 'POST', path, key, address, body: { action: 'challenge' } });
    const open = state.beatsRequired ? ['receipts are required'] : [];
    const wrongState: Fault = { why: 'the agent is not frozen', status: 409, code: 'AGENT_WRONG_STATE' };
    const off: Fault = { why: 'the challenge form is switched off', status: 400 };
    const serves = servesMode(state.protocol, 'resync/challenge');
    const faults = [...keyFault(agent), ...(agent.frozen ? [] : [wrongState]), ...(serves ? [] : [off])];
    if (!settle(state, asked, { faults, open, counted })) return;
    const gap = gapOf(state, agent);
    const required = penalty(state, gap);
    equals(asked, 'gap_beats', at(asked.json, 'gap_beats'));
    equals(asked, 'challenge.required_beats', required);
    equals(asked, 'challenge.start_from_beat', agent.chain?.beat);
    equals(asked, 'challenge.start_from_hash', agent.chain?.hash);
    equals(asked, 'challenge.sync_to_global', state.anchor);
    equals(asked, 'challenge.difficulty', state.protocol.beat.difficulty);
    that(asked, 'challenge.nonce', 'a text', isText);
    const nonce = wrong === 'nonce' ? player.draws.hex(32) : String(at(asked.json, 'challenge.nonce'));
    if (waitSec > 0) await player.advance({ ms: waitSec * 1_000 });
    const beats = wrong === 'short' ? required - 1 : required;
    const from = agent.chain ?? { hash: '', beat: 0 };
    const { anchor_index, difficulty: _, ...work } = await player.work(beats, from.hash, from.beat);
    const proof = { ...work, from_beat: from.beat, to_beat: from.beat + beats, global_anchor: anchor_index };
    const body = { action: 'prove', challenge_nonce: nonce, proof };
    for (let nth = 0; nth < (wrong === 'twice' ? 2 : 1); nth += 1) {
      const answer = await player.call({ method: 'POST', path, key, address, body });
      const late = waitSec > nonceTtlSec;
      const reasons: Fault[] = [
        ...(late ? [{ why: 'the nonce has expired' }] : []),
        ...(wrong === 'nonce' || wrong === 'short' ? [{ why: `the proof is wrong (${wrong})` }] : []),
        ...(nth > 0 ? [{ why: 'the nonce is used' }] : []),
      ];
      const drifted = waitSec > 0 ? ['more anchors have been missed since'] : [];
      if (!settle(state, answer, { faults: reasons, open: [...open, ...drifted], counted })) continue;
      equals(answer, 'ok', true);
      equals(answer, 'status', 'active');
      agent.frozen = false;
      agent.syncAnchor = state.anchor;
      agent.chain = { beat: from.beat + beats, hash: work.to_hash };
      agent.totalBeats = Number(at(answer.json, 'total_beats'));
    }
  },
);
