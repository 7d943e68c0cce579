/** Resync after a freeze, by section 4.10: with a receipt, or with a challenge where no receipts are required. */

import { creditedProof, receiptBeats, receiptName } from './beats.js';
import { Refusal } from './refusal.js';
import type { Call, Reply } from './server.js';
import type { Agent, World } from './world.js';

/** POST /agent/resync */
export function resync(world: World, call: Call): Reply {
  const challenge = call.body['action'] !== undefined;
  if (challenge) world.limit('resyncChallenge', call.ip);
  else world.limit('resyncReceipt', call.ip);
  const agent = world.agentOf(call.headers.authorization);
  if (!agent.frozen) throw new Refusal(409, 'AGENT_WRONG_STATE', 'The agent is not frozen.');
  if (challenge && world.settings.without.includes('resync/challenge'))
    throw new Refusal(400, 'VALIDATION', 'There are no challenges.');
  const gap = world.anchor - agent.lastSync;
  const { beatsPerMissedAnchor, beatsMax } = world.numbers.resync;
  const required = Math.min(beatsPerMissedAnchor * gap, beatsMax);
  const receipt = call.body['beats_receipt'];
  if (receipt === undefined && challenge && !world.settings.beatsRequired)
    return byChallenge(world, call, agent, gap, required);
  if (receipt === undefined) {
    throw new Refusal(402, 'RECEIPT_REQUIRED', 'Prove the penalty and send beats_receipt.', {
      required_beats: required,
    });
  }
  const beats = receiptBeats(world, receipt);
  if (beats === null) throw new Refusal(402, 'INVALID_RECEIPT', 'beats_receipt is no receipt that can be used.');
  if (beats < required) throw new Refusal(402, 'INVALID_RECEIPT', `The receipt is for fewer than ${required} beats.`);
  world.receiptsUsed.add(receiptName(world, receipt));
  wake(world, agent);
  return {
    body: {
      ok: true,
      agent_hash: agent.hash,
      status: 'active',
      last_global_sync: agent.lastSync,
      gap_anchors: gap,
      required_beats: required,
      beats_proven: beats,
      receipt_based: true,
    },
  };
}

function wake(world: World, agent: Agent): void {
  agent.frozen = false;
  agent.lastSync = world.anchor;
}

function byChallenge(world: World, call: Call, agent: Agent, gap: number, required: number): Reply {
  const { chain } = agent;
  const { body } = call;
  if (chain === null) throw new Refusal(409, 'AGENT_WRONG_STATE', 'The agent has no chain.');
  const kind = `resync ${agent.hash}`;
  if (body['action'] === 'challenge') {
    const challenge = {
      nonce: world.nonce(kind, required),
      required_beats: required,
      start_from_hash: chain.latestHash,
      start_from_beat: chain.latestBeat,
      difficulty: world.settings.difficulty,
      sync_to_global: world.anchor,
    };
    return { body: { challenge, gap_anchors: gap } };
  }
  if (body['action'] !== 'prove') throw new Refusal(400, 'VALIDATION', 'action is challenge or prove.');
  const nonce = world.takeNonce(kind, body['challenge_nonce']);
  if (nonce === undefined) throw new Refusal(400, 'VALIDATION', 'challenge_nonce is unknown, used or expired.');
  creditedProof(world, agent, body['proof'], Number(nonce.about));
  wake(world, agent);
  return { body: { ok: true, status: 'active', total_beats: chain.total } };
}
