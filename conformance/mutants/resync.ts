/** Mistakes planted in resync, by receipt and by challenge. */
import type { Mutant } from './mutant.js';

const resyncRules = 'reference/registry/resync';
const resyncEndpoint = 'reference/http/endpoints/resync';
const resyncChallengeRules = 'reference/registry/resync-challenge';
const resyncSchema = 'spec/endpoints/resync';
const deadManSwitchRules = 'reference/registry/dead-man-switch';
const receiptUseRules = 'reference/registry/receipt-use';

export const resyncMutants: readonly Mutant[] = [
  {
    id: 'resync/not-frozen',
    title: 'an active agent is resynced',
    clause: 'resync.transition.not-frozen',
    patch: {
      file: resyncRules,
      before: 'if (registry.agents.line.status(agent) !== FROZEN)',
      after: 'if (registry.agents.line.status(agent) === 0)',
    },
  },
  {
    id: 'resync/no-penalty',
    title: 'the penalty is 0 beats',
    clause: 'resync.penalty',
    patch: {
      file: resyncRules,
      before: 'const requiredBeats = penaltyBeats(registry, gapAnchors);\n    const receiptBased',
      after: 'const requiredBeats = 0;\n    const receiptBased',
    },
  },
  {
    id: 'resync/penalty-of-anchors-over-60',
    title: 'the penalty counts only the missed anchors after the 60th',
    clause: 'resync.penalty',
    patch: {
      file: resyncRules,
      before: 'return Math.min(beatsPerMissedAnchor * gapAnchors, beatsMax);',
      after: 'return Math.min(beatsPerMissedAnchor * (gapAnchors - 60), beatsMax);',
    },
  },
  {
    id: 'resync/penalty-capped-at-6100',
    title: 'the penalty is capped at that of 61 anchors',
    clause: 'resync.penalty',
    patch: {
      file: resyncRules,
      before: 'return Math.min(beatsPerMissedAnchor * gapAnchors, beatsMax);',
      after: 'return Math.min(beatsPerMissedAnchor * gapAnchors, 6_100);',
    },
  },
  {
    id: 'resync/penalty-uncapped',
    title: 'the penalty has no cap',
    clause: 'resync.penalty.cap',
    patch: {
      file: resyncRules,
      before: 'return Math.min(beatsPerMissedAnchor * gapAnchors, beatsMax);',
      after: 'return beatsPerMissedAnchor * gapAnchors;',
    },
  },
  {
    id: 'resync/penalty-always-cap',
    title: 'the penalty is always 10,000',
    clause: 'resync.penalty',
    patch: {
      file: resyncRules,
      before: 'return Math.min(beatsPerMissedAnchor * gapAnchors, beatsMax);',
      after: 'return beatsMax;',
    },
  },
  {
    id: 'resync/receipt-not-required',
    title: 'an agent comes back without a receipt',
    clause: 'resync.receipt.required',
    patch: {
      file: resyncRules,
      before: 'if (!receiptBased && registry.policy.beatsRequired) {',
      after: 'if (!receiptBased && !registry.policy.beatsRequired) {',
    },
  },
  {
    id: 'resync/receipt-faults-taken',
    title: 'a receipt that does not verify is accepted',
    clause: 'resync.error.invalid-receipt',
    patch: {
      file: resyncRules,
      before:
        "if (!taken.ok)\n            return refuse('resync/INVALID_RECEIPT', taken.why);\n        beatsProven = taken.beats;",
      after: 'beatsProven = taken.beats ?? 0;',
    },
  },
  {
    id: 'resync/forged-taken',
    title: 'a forged receipt is accepted',
    clause: 'resync.error.invalid-receipt',
    patch: { file: resyncRules, before: 'if (!taken.ok)', after: "if (!taken.ok && taken.fault !== 'forged')" },
  },
  {
    id: 'resync/too-few-taken',
    title: 'a receipt of too few beats is accepted',
    clause: 'resync.transition.active',
    patch: { file: resyncRules, before: 'if (!taken.ok)', after: "if (!taken.ok && taken.fault !== 'too-few')" },
  },
  {
    id: 'resync/status-frozen',
    title: 'the status of the reply is frozen',
    clause: 'resync.receipt.reply.status',
    patch: {
      file: resyncEndpoint,
      before: "agent_hash: hashOf(registry, agent),\n        status: 'active',",
      after: "agent_hash: hashOf(registry, agent),\n        status: 'frozen',",
    },
  },
  {
    id: 'resync/sync-shown-before',
    title: 'last_global_sync is the anchor before the gap',
    clause: 'resync.transition.last-global-sync',
    patch: {
      file: resyncEndpoint,
      before: 'last_global_sync: registry.agents.line.lastSyncAnchor(agent),',
      after: 'last_global_sync: registry.agents.line.lastSyncAnchor(agent) - done.gapAnchors,',
    },
  },
  {
    id: 'resync/required-shown-as-proven',
    title: 'required_beats shows beats_proven',
    clause: 'resync.penalty',
    patch: {
      file: resyncEndpoint,
      before: 'required_beats: done.requiredBeats,',
      after: 'required_beats: done.beatsProven,',
    },
  },
  {
    id: 'resync/gap-shown-in-minutes',
    title: 'gap_anchors is called gap',
    clause: 'resync.receipt.reply',
    patch: { file: resyncEndpoint, before: 'gap_anchors: done.gapAnchors,', after: 'gap: done.gapAnchors,' },
  },
  {
    id: 'resync/prove-without-total',
    title: 'the reply to prove lacks total_beats',
    clause: 'resync.prove.reply',
    patch: {
      file: resyncEndpoint,
      before: "status: 'active', total_beats: done.totalBeats }",
      after: "status: 'active' }",
    },
  },
  {
    id: 'resync/challenge-flat',
    title: 'the challenge stands beside gap_beats',
    clause: 'resync.challenge.reply',
    patch: {
      file: resyncEndpoint,
      before: 'challenge: {\n            nonce: made.nonce,',
      after: '...{\n            nonce: made.nonce,',
    },
  },
  {
    id: 'resync/challenge-required-0',
    title: 'a challenge lacks required_beats',
    clause: 'resync.challenge.reply',
    patch: {
      file: resyncEndpoint,
      before: 'required_beats: made.requiredBeats,\n            start',
      after: 'required_beats: undefined,\n            start',
    },
  },
  {
    id: 'resync/challenge-not-frozen',
    title: 'an active agent gets a challenge',
    clause: 'resync.transition.not-frozen',
    patch: {
      file: resyncChallengeRules,
      before:
        "if (line.status(agent) !== FROZEN)\n        return refuse('resync/AGENT_WRONG_STATE');\n    const gapAnchors",
      after: 'const gapAnchors',
    },
  },
  {
    id: 'resync/prove-nonce-any',
    title: 'any nonce proves',
    clause: 'resync.prove.body',
    patch: {
      file: resyncChallengeRules,
      before:
        "if (bound?.['agent'] !== agent)\n        return refuse('resync/VALIDATION', 'challenge_nonce: is unknown, used or expired');\n    const requiredBeats = Number(bound['requiredBeats']);",
      after: 'const requiredBeats = penaltyBeats(registry, missedAnchors(registry, agent));',
    },
  },
  {
    id: 'resync/prove-penalty-halved',
    title: 'half of the penalty proves',
    clause: 'resync.penalty',
    patch: {
      file: resyncChallengeRules,
      before: 'if (proof.beats_computed < requiredBeats) {',
      after: 'if (proof.beats_computed < requiredBeats / 2) {',
    },
  },
  {
    id: 'resync/prove-one-short',
    title: 'one beat less than the penalty proves',
    clause: 'resync.penalty',
    patch: {
      file: resyncChallengeRules,
      before: 'if (proof.beats_computed < requiredBeats) {',
      after: 'if (proof.beats_computed < requiredBeats - 1) {',
    },
  },
  {
    id: 'resync/prove-unchecked',
    title: 'a proof is not checked',
    clause: 'resync.transition.active',
    patch: { file: resyncChallengeRules, before: 'if (!held.ok)', after: 'if (!held.ok && agent < 0)' },
  },
  {
    id: 'resync/prove-no-event',
    title: 'agent.unfrozen is not sent after prove',
    clause: 'event.agent-unfrozen',
    patch: {
      file: resyncChallengeRules,
      before: 'unfreeze(registry, agent, { gapAnchors',
      after:
        'const partner = line.partner(agent);\n    line.setPartner(agent, -1);\n    setImmediate(() => line.setPartner(agent, partner));\n    unfreeze(registry, agent, { gapAnchors',
    },
    deployment: 'webhooks',
  },
  {
    id: 'resync/challenge-nonce-an-hour',
    title: 'a nonce lives an hour',
    clause: 'resync.nonce.ttl',
    patch: {
      file: resyncChallengeRules,
      before: 'issueOneTime(registry, FLOW, nonceBytes, nonceTtlSec, nowMs, { agent',
      after: 'issueOneTime(registry, FLOW, nonceBytes, 3_600, nowMs, { agent',
    },
  },
  {
    id: 'resync/challenge-nonce-a-minute',
    title: 'a nonce lives a minute',
    clause: 'resync.nonce.ttl',
    patch: {
      file: resyncChallengeRules,
      before: 'issueOneTime(registry, FLOW, nonceBytes, nonceTtlSec, nowMs, { agent',
      after: 'issueOneTime(registry, FLOW, nonceBytes, 60, nowMs, { agent',
    },
  },
  {
    id: 'resync/challenge-of-another-word',
    title: 'a challenge is asked with action start',
    clause: 'resync.challenge.body',
    patch: {
      file: resyncSchema,
      before: "z.enum(['challenge', 'prove'])",
      after: "z.enum(['start', 'prove'])",
    },
  },
  {
    id: 'resync/prove-of-another-word',
    title: 'a proof is sent with action verify',
    clause: 'resync.prove.body',
    patch: {
      file: resyncSchema,
      before: "z.enum(['challenge', 'prove'])",
      after: "z.enum(['challenge', 'verify'])",
    },
  },
  {
    id: 'resync/receipt-under-another-name',
    title: 'the receipt is read from receipt',
    clause: 'resync.receipt.body',
    patch: {
      file: resyncSchema,
      before: 'beats_receipt: receiptSent.optional(),',
      after: 'receipt: receiptSent.optional(),',
    },
  },
  {
    id: 'resync/stays-frozen',
    title: 'a resync is answered and leaves the agent frozen',
    clause: 'service.resync',
    patch: {
      file: deadManSwitchRules,
      before: 'line.setStatus(row, ACTIVE);\n    columns.frozenAtBeat[row] = -1;',
      after: 'columns.frozenAtBeat[row] = -1;',
    },
  },
  {
    id: 'resync/back-to-registered',
    title: 'a resync takes an agent back to before its init',
    clause: 'resync.reactivates',
    patch: {
      file: deadManSwitchRules,
      before: 'line.setStatus(row, ACTIVE);\n    columns.frozenAtBeat[row] = -1;',
      after: 'line.setStatus(row, 0);\n    columns.frozenAtBeat[row] = -1;',
    },
  },
  {
    id: 'resync/event-first-only',
    title: 'agent.unfrozen is sent once for each agent',
    clause: 'resync.transition.event',
    patch: {
      file: deadManSwitchRules,
      before: "emit(registry, 'agent.unfrozen', row, nowMs, { gap_anchors",
      after:
        "if ((registry.toldUnfrozen ??= new Set()).has(row)) return;\n    registry.toldUnfrozen.add(row);\n    emit(registry, 'agent.unfrozen', row, nowMs, { gap_anchors",
    },
    deployment: 'webhooks',
  },
  {
    id: 'resync/event-capped-only',
    title: 'agent.unfrozen is sent after at most 50 missed anchors',
    clause: 'resync.transition.event',
    patch: {
      file: deadManSwitchRules,
      before: "emit(registry, 'agent.unfrozen', row, nowMs, { gap_anchors",
      after: "if (gapAnchors <= 50) emit(registry, 'agent.unfrozen', row, nowMs, { gap_anchors",
    },
    deployment: 'webhooks',
  },
  {
    id: 'resync/beats-not-proven',
    title: 'a receipt needs twice the penalty',
    clause: 'service.beats.resync',
    patch: {
      file: receiptUseRules,
      before: 'if (receipt.beats_verified < requiredBeats) {',
      after: 'if (receipt.beats_verified < requiredBeats * 2) {',
    },
  },
  {
    id: 'resync/penalty-of-anchor-less',
    title: 'the penalty counts one missed anchor too few',
    clause: 'constant.resync-penalty',
    patch: {
      file: resyncRules,
      before: 'return Math.min(beatsPerMissedAnchor * gapAnchors, beatsMax);',
      after: 'return Math.min(beatsPerMissedAnchor * (gapAnchors - 1), beatsMax);',
    },
  },
  {
    id: 'resync/penalty-cap-doubled',
    title: 'the penalty is capped at 20,000',
    clause: 'constant.resync-penalty-cap',
    patch: {
      file: resyncRules,
      before: 'return Math.min(beatsPerMissedAnchor * gapAnchors, beatsMax);',
      after: 'return Math.min(beatsPerMissedAnchor * gapAnchors, 2 * beatsMax);',
    },
  },
  {
    id: 'resync/nonce-of-600',
    title: 'a resync nonce lives 600 seconds',
    clause: 'constant.nonce-ttl.resync',
    patch: {
      file: resyncChallengeRules,
      before: 'issueOneTime(registry, FLOW, nonceBytes, nonceTtlSec, nowMs, { agent',
      after: 'issueOneTime(registry, FLOW, nonceBytes, 2 * nonceTtlSec, nowMs, { agent',
    },
  },
  {
    id: 'resync/challenge-uncapped',
    title: 'the penalty of a challenge has no cap',
    clause: 'resync.penalty.cap',
    patch: {
      file: resyncChallengeRules,
      before: 'const requiredBeats = penaltyBeats(registry, gapAnchors);',
      after: 'const requiredBeats = penaltyBeats(registry, 1) * gapAnchors;',
    },
  },
  {
    id: 'resync/challenge-from-zero',
    title: 'a challenge names beat 0 to start from, however long the chain is',
    clause: 'resync.challenge.reply',
    patch: {
      file: resyncChallengeRules,
      before: 'startFromBeat: columns.latestBeat[agent]',
      after: 'startFromBeat: 0 * columns.latestBeat[agent]',
    },
  },
  {
    id: 'resync/cap-short',
    title: 'a receipt for 9,000 beats is taken where 10,000 are owed',
    clause: 'resync.penalty.cap',
    patch: {
      file: resyncRules,
      before: 'takeReceipt(registry, receipt, requiredBeats)',
      after: 'takeReceipt(registry, receipt, Math.min(requiredBeats, 9000))',
    },
  },
  {
    id: 'resync/proven-is-required',
    title: 'beats_proven is what was owed, whatever the receipt proved',
    clause: 'resync.receipt.reply',
    patch: {
      file: resyncEndpoint,
      before: 'beats_proven: done.beatsProven',
      after: 'beats_proven: done.requiredBeats',
    },
  },
  {
    id: 'resync/gap-from-heartbeat',
    title: 'missed anchors count from the last heartbeat, though a resync came after it',
    clause: 'resync.penalty',
    patch: {
      file: resyncRules,
      before: 'const gapAnchors = missedAnchors(registry, agent);',
      after:
        'const lastBeat = registry.agents.line.lastHeartbeatBeat(agent);\n  const gapAnchors = lastBeat < 0 ? missedAnchors(registry, agent) : registry.anchorIndex - lastBeat;',
    },
  },
  {
    id: 'resync/last-heartbeat-forgotten',
    title: 'a resync forgets the last heartbeat',
    clause: 'passport.field.last-heartbeat-beat',
    patch: {
      file: deadManSwitchRules,
      before: 'columns.frozenAtBeat[row] = -1;',
      after: 'columns.frozenAtBeat[row] = -1; line.setLastHeartbeatBeat(row, -1);',
    },
  },
  {
    id: 'resync/sigil-issued-anew',
    title: 'a resync moves the beat at which the SIGIL was issued',
    clause: 'sigil.immutable',
    patch: {
      file: deadManSwitchRules,
      before: 'line.setStatus(row, ACTIVE);',
      after:
        'line.setStatus(row, ACTIVE); if (columns.sigilAtBeat[row] >= 0) columns.sigilAtBeat[row] = currentBeat(registry);',
    },
  },
  {
    id: 'resync/sponsorships-restored',
    title: 'a resync brings back the sponsorships that the freeze revoked',
    clause: 'sponsor.transition.frozen.parent',
    patch: {
      file: deadManSwitchRules,
      before: "appendLineage(registry, row, 'unfrozen', nowMs);",
      after:
        "appendLineage(registry, row, 'unfrozen', nowMs); for (const each of registry.sponsorships.byParent.get(row) ?? []) if (each.state === 'revoked-by-sponsor-freeze') each.state = 'active';",
    },
  },
  {
    id: 'resync/proven-capped-at-owed',
    title: 'beats_proven is no more than what was owed',
    clause: 'resync.receipt.reply',
    patch: {
      file: resyncRules,
      before: 'beatsProven = taken.beats;',
      after: 'beatsProven = Math.min(taken.beats, requiredBeats);',
    },
  },
  {
    id: 'resync/proven-beats-forgotten',
    title: 'the beats of a proof are told in its reply and are no part of the chain',
    clause: 'init.transition.repeat',
    patch: {
      file: 'reference/registry/resync-challenge',
      before: '    extendChain(registry, agent, proof);',
      after:
        '    { const was = columns.totalBeats[agent]; extendChain(registry, agent, proof); registry.lateTotal = columns.totalBeats[agent]; columns.totalBeats[agent] = was; }',
      also: [
        {
          file: 'reference/registry/resync-challenge',
          before: 'totalBeats: columns.totalBeats[agent] }',
          after: 'totalBeats: registry.lateTotal }',
        },
      ],
    },
  },
  {
    id: 'resync/prove-count-unlooked',
    title: 'a prove may say another beats_computed than its beats are',
    clause: 'proof.field.beats-computed',
    patch: {
      file: 'reference/registry/resync-challenge',
      before: 'const held = checkChainProof(registry, input);',
      after:
        'const held = checkChainProof(registry, { ...input, proof: { ...proof, beats_computed: proof.to_beat - proof.from_beat } });',
    },
  },
  {
    id: 'resync/prove-in-any-state',
    title: 'an agent that is not frozen any more proves a challenge that it was given when it was',
    clause: 'resync.transition.not-frozen',
    patch: {
      file: 'reference/registry/resync-challenge',
      before:
        "    const { agent, nonce, proof } = input;\n    const { columns, line } = registry.agents;\n    if (line.status(agent) !== FROZEN)\n        return refuse('resync/AGENT_WRONG_STATE');\n",
      after: '    const { agent, nonce, proof } = input;\n    const { columns } = registry.agents;\n',
    },
  },
  {
    id: 'resync/once-frozen-always',
    title: 'an agent that was ever frozen may resync when it is active',
    clause: 'resync.transition.not-frozen',
    patch: {
      file: 'reference/registry/resync',
      before: '    if (registry.agents.line.status(agent) !== FROZEN)\n',
      after: '    if (registry.agents.line.status(agent) !== FROZEN && !registry.onceFrozen?.has(agent))\n',
      also: [
        {
          file: 'reference/registry/dead-man-switch',
          before: 'line.setStatus(row, FROZEN);',
          after: 'line.setStatus(row, FROZEN);\n    (registry.onceFrozen ??= new Set()).add(row);',
        },
      ],
    },
  },
  {
    id: 'resync/answers-at-once',
    title: 'two answers to one challenge at the same moment are both taken',
    clause: 'resync.transition.not-frozen',
    patch: {
      file: 'reference/registry/resync-challenge',
      before:
        "    if (line.status(agent) !== FROZEN)\n        return refuse('resync/AGENT_WRONG_STATE');\n    const bound = peekOneTime(registry, nonce, FLOW, nowMs)?.bound;",
      after:
        "    if (line.status(agent) !== FROZEN && !registry.answered?.has(nonce))\n        return refuse('resync/AGENT_WRONG_STATE');\n    if (registry.answered?.has(nonce))\n        return { ok: true, totalBeats: columns.totalBeats[agent] };\n    const bound = peekOneTime(registry, nonce, FLOW, nowMs)?.bound;",
      also: [
        {
          file: 'reference/registry/resync-challenge',
          before: '    spendOneTime(registry, nonce);\n',
          after:
            '    spendOneTime(registry, nonce);\n    registry.answered ??= new Set();\n    registry.answered.add(nonce);\n    setTimeout(() => registry.answered.delete(nonce), 50).unref();\n',
        },
      ],
    },
  },
  {
    id: 'resync/free-for-all',
    title: 'while no receipt is needed, an agent that is not frozen resyncs, too',
    clause: 'resync.transition.not-frozen',
    patch: {
      file: 'reference/registry/resync',
      before: '    if (registry.agents.line.status(agent) !== FROZEN)\n',
      after:
        '    if (registry.agents.line.status(agent) !== FROZEN && (receipt !== undefined || registry.policy.beatsRequired))\n',
    },
    deployment: 'free',
  },
  {
    id: 'resync/unstarted-missing',
    title: 'an agent whose chain did not start is not found',
    clause: 'resync.transition.not-frozen',
    patch: {
      file: 'reference/registry/resync',
      before: '    if (registry.agents.line.status(agent) !== FROZEN)\n',
      after:
        "    if (registry.agents.line.status(agent) === 0)\n        return refuse('status/AGENT_NOT_FOUND');\n    if (registry.agents.line.status(agent) !== FROZEN)\n",
    },
  },
  {
    id: 'resync/unstarted-challenged',
    title: 'an agent whose chain did not start gets a challenge',
    clause: 'resync.transition.not-frozen',
    patch: {
      file: 'reference/registry/resync-challenge',
      before:
        "if (line.status(agent) !== FROZEN)\n        return refuse('resync/AGENT_WRONG_STATE');\n    const gapAnchors",
      after:
        "if (line.status(agent) !== FROZEN && line.status(agent) !== 0)\n        return refuse('resync/AGENT_WRONG_STATE');\n    const gapAnchors",
    },
  },
  {
    id: 'resync/half-for-children',
    title: 'a child owes for half the anchors that it missed',
    clause: 'resync.penalty',
    patch: {
      file: 'reference/registry/resync',
      before: 'const requiredBeats = penaltyBeats(registry, gapAnchors);\n    const receiptBased',
      after:
        'const requiredBeats = penaltyBeats(registry, registry.agents.line.depth(agent) > 0 ? Math.floor(gapAnchors / 2) : gapAnchors);\n    const receiptBased',
    },
  },
  {
    id: 'resync/challenge-half-for-children',
    title: 'the challenge of a child asks for half the beats',
    clause: 'resync.penalty',
    patch: {
      file: 'reference/registry/resync-challenge',
      before: 'const requiredBeats = penaltyBeats(registry, gapAnchors);',
      after:
        'const requiredBeats = penaltyBeats(registry, line.depth(agent) > 0 ? Math.floor(gapAnchors / 2) : gapAnchors);',
    },
  },
  {
    id: 'resync/proved-while-active',
    title: 'an agent that is not frozen proves itself back',
    clause: 'resync.transition.not-frozen',
    patch: {
      file: 'reference/registry/resync-challenge',
      before:
        "    if (line.status(agent) !== FROZEN)\n        return refuse('resync/AGENT_WRONG_STATE');\n    const bound",
      after: '    const bound',
    },
  },
  {
    id: 'resync/from-hash-unread',
    title: 'a proof may start from any hash',
    clause: 'proof.field.from-hash',
    patch: {
      file: 'reference/registry/resync-challenge',
      before: 'if (!continuesChain(registry, agent, proof)) {',
      after: 'if (proof.from_beat !== columns.latestBeat[agent]) {',
    },
  },
  {
    id: 'resync/short-proof-of-children',
    title: 'a child answers a challenge with as few beats as it likes',
    clause: 'resync.penalty',
    patch: {
      file: 'reference/registry/resync-challenge',
      before: '    if (proof.beats_computed < requiredBeats) {',
      after: '    if (proof.beats_computed < requiredBeats && columns.parent[agent] < 0) {',
    },
  },
  {
    id: 'resync/clears-sigil-metadata-of-children',
    title: 'a child that comes back has the metadata of its SIGIL no more',
    clause: 'metadata.only-way',
    patch: {
      file: 'reference/registry/resync-challenge',
      before: '    spendOneTime(registry, nonce);',
      after:
        '    spendOneTime(registry, nonce);\n    if (columns.parent[agent] >= 0)\n        registry.sigilMetadata.delete(agent);',
    },
  },
];
