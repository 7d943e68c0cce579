/** Mistakes of heartbeats: what bars them, what they cost, who pays, and what they are good for. */
import type { Mutant } from './mutant.js';

const heartbeatSchema = 'spec/endpoints/heartbeat';
const heartbeatEndpoint = 'reference/http/endpoints/heartbeat';
const replyPartsEndpoint = 'reference/http/endpoints/reply-parts';
const heartbeatRules = 'reference/registry/heartbeat';
const paymentRules = 'reference/registry/payment';
const paymentHttp = 'reference/http/request/payment';

/** Caps that an agent reaches within a few heartbeats of an epoch. */
const SMALL_CAPS = { heartbeat: { narrowTaskCap: 4, autonomousCap: 8, orchestratorCap: 12 } } as const;

export const heartbeatMutants: readonly Mutant[] = [
  {
    id: 'heartbeat/anchor-unvalidated',
    title: 'any global_anchor is accepted',
    clause: 'heartbeat.body.global-anchor.validated',
    patch: {
      file: heartbeatSchema,
      before: 'global_anchor: count.optional() }),',
      after: 'global_anchor: z.unknown().optional() }),',
    },
  },
  {
    id: 'heartbeat/anchor-negative',
    title: 'a negative global_anchor is accepted',
    clause: 'heartbeat.body.global-anchor.validated',
    patch: {
      file: heartbeatSchema,
      before: 'global_anchor: count.optional() }),',
      after: 'global_anchor: z.int().optional() }),',
    },
  },
  {
    id: 'heartbeat/anchor-fraction',
    title: 'a fraction is accepted as global_anchor',
    clause: 'heartbeat.body.global-anchor.validated',
    patch: {
      file: heartbeatSchema,
      before: 'global_anchor: count.optional() }),',
      after: 'global_anchor: z.number().min(0).optional() }),',
    },
  },
  {
    id: 'heartbeat/anchor-wanted',
    title: 'global_anchor must be sent',
    clause: 'heartbeat.body.global-anchor',
    patch: { file: heartbeatSchema, before: 'global_anchor: count.optional() }),', after: 'global_anchor: count }),' },
  },
  {
    id: 'heartbeat/anchor-not-taken',
    title: 'global_anchor must not be sent',
    clause: 'heartbeat.body.global-anchor',
    patch: {
      file: heartbeatSchema,
      before: 'global_anchor: count.optional() }),',
      after: 'global_anchor: z.never().optional() }),',
    },
  },
  {
    id: 'heartbeat/anchor-shown',
    title: "current_beat is the client's global_anchor",
    clause: 'heartbeat.body.global-anchor.own-value',
    patch: {
      file: heartbeatEndpoint,
      before: 'current_beat: done.beat,',
      after: 'current_beat: body.global_anchor ?? done.beat,',
    },
  },
  {
    id: 'heartbeat/anchor-believed',
    title: "the client's global_anchor counts as the last sign of life",
    clause: 'heartbeat.body.global-anchor.own-value',
    patch: {
      file: heartbeatEndpoint,
      before: 'if (!done.ok)\n        return done;',
      after:
        'if (!done.ok)\n        return done;\n    if (body.global_anchor !== undefined) registry.agents.line.setLastSyncAnchor(agent, body.global_anchor);',
    },
  },
  {
    id: 'heartbeat/beat-believed',
    title: "the client's global_anchor counts as the beat of the heartbeat",
    clause: 'heartbeat.body.global-anchor.own-value',
    patch: {
      file: heartbeatEndpoint,
      before: 'if (!done.ok)\n        return done;',
      after:
        'if (!done.ok)\n        return done;\n    if (body.global_anchor !== undefined) registry.agents.line.setLastHeartbeatBeat(agent, body.global_anchor);',
    },
  },
  {
    id: 'heartbeat/total-is-of-epoch',
    title: 'total_heartbeats counts those of the epoch',
    clause: 'heartbeat.reply.total-heartbeats',
    patch: {
      file: heartbeatEndpoint,
      before: 'total_heartbeats: done.totalHeartbeats,',
      after: 'total_heartbeats: done.epochHeartbeats,',
    },
  },
  {
    id: 'heartbeat/epoch-is-total',
    title: 'heartbeat_count_epoch counts all',
    clause: 'heartbeat.reply.heartbeat-count-epoch',
    patch: {
      file: heartbeatEndpoint,
      before: 'heartbeat_count_epoch: done.epochHeartbeats,',
      after: 'heartbeat_count_epoch: done.totalHeartbeats,',
    },
  },
  {
    id: 'heartbeat/total-of-one-byte',
    title: 'total_heartbeats ends at 127',
    clause: 'heartbeat.reply.total-heartbeats',
    patch: {
      file: heartbeatEndpoint,
      before: 'total_heartbeats: done.totalHeartbeats,',
      after: 'total_heartbeats: Math.min(done.totalHeartbeats, 127),',
    },
  },
  {
    id: 'heartbeat/epoch-stays-0',
    title: 'billing_epoch stays 0',
    clause: 'heartbeat.reply.billing-epoch',
    patch: { file: heartbeatEndpoint, before: 'billing_epoch: done.billingEpoch,', after: 'billing_epoch: 0,' },
  },
  {
    id: 'heartbeat/tier-shown-1',
    title: 'fee.tier is always 1',
    clause: 'fee.field.tier',
    patch: { file: heartbeatEndpoint, before: 'tier: done.tier },', after: 'tier: 1 },' },
  },
  {
    id: 'heartbeat/tier-shown-at-most-2',
    title: 'fee.tier is at most 2',
    clause: 'fee.heartbeat.tier-3',
    patch: { file: heartbeatEndpoint, before: 'tier: done.tier },', after: 'tier: Math.min(done.tier, 2) },' },
  },
  {
    id: 'heartbeat/tier-from-0',
    title: 'tiers are counted from 0',
    clause: 'fee.field.tier',
    patch: { file: heartbeatEndpoint, before: 'tier: done.tier },', after: 'tier: done.tier - 1 },' },
  },
  {
    id: 'heartbeat/fee-shown-of-tier-1',
    title: 'the amount that is shown is that of tier 1',
    clause: 'fee.heartbeat.tier-2',
    patch: {
      file: heartbeatEndpoint,
      before: 'feeView(done.feeLamports, body.payment_tx), tier',
      after: 'feeView(500_000, body.payment_tx), tier',
    },
    harmless: ({ heartbeat }) => heartbeat.tier2FeeLamports === 500_000,
  },
  {
    id: 'heartbeat/fee-shown-of-tier-2',
    title: 'the amount that is shown is that of the next tier',
    clause: 'fee.heartbeat.tier-1',
    patch: {
      file: heartbeatEndpoint,
      before: 'feeView(done.feeLamports, body.payment_tx), tier',
      after: 'feeView(done.tier === 1 ? 300_000 : done.feeLamports, body.payment_tx), tier',
    },
    harmless: ({ heartbeat }) => heartbeat.tier1FeeLamports === 300_000,
  },
  {
    id: 'heartbeat/agent-hash-of-another',
    title: 'the reply names another agent',
    clause: 'heartbeat.reply',
    patch: {
      file: heartbeatEndpoint,
      before: 'agent_hash: hashOf(registry, agent),',
      after: 'agent: hashOf(registry, agent),',
    },
  },
  {
    id: 'heartbeat/payment-shown-cut',
    title: 'payment_tx of the fee is cut',
    clause: 'fee.field.payment-tx',
    patch: {
      file: replyPartsEndpoint,
      before: "payment_tx: paymentTx ?? '' };",
      after: "payment_tx: (paymentTx ?? '').slice(0, 44) };",
    },
  },
  {
    id: 'heartbeat/sol-rounded',
    title: 'amount_sol is rounded to three places',
    clause: 'fee.field.amount-sol',
    patch: {
      file: replyPartsEndpoint,
      before: 'amount_sol: solOf(lamports),',
      after: 'amount_sol: Number(solOf(lamports).toFixed(3)),',
    },
  },
  {
    id: 'heartbeat/alias-older',
    title: 'lineage_proof is another print of the passport',
    clause: 'passport.alias.identical',
    patch: {
      file: replyPartsEndpoint,
      before: '{ passport, lineage_proof: passport } : { passport };',
      after: '{ passport, lineage_proof: { ...passport, issued_at: passport.issued_at - 1 } } : { passport };',
    },
  },
  {
    id: 'heartbeat/alias-unsigned',
    title: 'lineage_proof has no signature',
    clause: 'passport.alias.identical',
    patch: {
      file: replyPartsEndpoint,
      before: '{ passport, lineage_proof: passport } : { passport };',
      after:
        '{ passport, lineage_proof: { ...passport, [service.registry.dialect.passportSignatureField]: undefined } } : { passport };',
    },
  },
  {
    id: 'heartbeat/alias-gone',
    title: 'there is no lineage_proof before its sunset',
    clause: 'heartbeat.reply.lineage-proof',
    patch: {
      file: replyPartsEndpoint,
      before: 'return hasLineageProof(service.registry, nowMs) ? ',
      after: 'return nowMs < 0 ? ',
    },
  },
  {
    id: 'heartbeat/alias-for-ever',
    title: 'lineage_proof outlives its sunset',
    clause: 'versioning.lineage-proof',
    patch: {
      file: replyPartsEndpoint,
      before: 'return hasLineageProof(service.registry, nowMs) ?',
      after: 'return nowMs > 0 ?',
    },
  },
  {
    id: 'heartbeat/sigil-not-needed',
    title: 'a root without a SIGIL sends heartbeats',
    clause: 'heartbeat.sigil.root',
    patch: {
      file: heartbeatRules,
      before: 'if (line.identityClass(agent) === 0 && line.depth(agent) === registry.protocol.agent.rootDepth) {',
      after: 'if (line.identityClass(agent) < 0) {',
    },
  },
  {
    id: 'heartbeat/sigil-needed-by-children',
    title: 'a child needs a SIGIL for heartbeats',
    clause: 'heartbeat.sigil.child',
    patch: {
      file: heartbeatRules,
      before: 'if (line.identityClass(agent) === 0 && line.depth(agent) === registry.protocol.agent.rootDepth) {',
      after: 'if (line.identityClass(agent) === 0) {',
    },
  },
  {
    id: 'heartbeat/sigil-needed-by-grandchildren',
    title: 'a grandchild needs a SIGIL for heartbeats',
    clause: 'heartbeat.sigil.child',
    patch: {
      file: heartbeatRules,
      before: 'if (line.identityClass(agent) === 0 && line.depth(agent) === registry.protocol.agent.rootDepth) {',
      after: 'if (line.identityClass(agent) === 0 && line.depth(agent) !== 1) {',
    },
  },
  {
    id: 'heartbeat/payment-not-needed',
    title: 'a heartbeat without payment_tx is free',
    clause: 'heartbeat.body.payment-tx',
    patch: {
      file: heartbeatRules,
      before: "if (payment === 'missing')\n        return refuse('heartbeat/PAYMENT_REQUIRED');",
      after:
        "if (payment === 'missing')\n        return heartbeat(registry, { agent, payment: { id: null, sender: line.wallet(agent), lamports: heartbeatFee(registry, agent, heartbeatTier(protocol, heartbeatsInEpoch(registry, agent, billingEpoch(protocol, currentBeat(registry))) + 1), nowMs), counts: true } }, nowMs);",
    },
  },
  {
    id: 'heartbeat/payment-missing-is-unknown',
    title: 'a missing payment_tx is a transaction not found',
    clause: 'heartbeat.error.payment-required',
    patch: {
      file: heartbeatRules,
      before: "if (payment === 'missing')\n        return refuse('heartbeat/PAYMENT_REQUIRED');",
      after: "if (payment === 'missing')\n        return refuse('heartbeat/PAYMENT_INVALID');",
    },
  },
  {
    id: 'heartbeat/interval-ignored',
    title: 'heartbeats may follow at once',
    clause: 'heartbeat.interval.min',
    patch: {
      file: heartbeatRules,
      before: 'if (lastBeat >= 0 && beat - lastBeat < intervalBeatsMin) {',
      after: 'if (lastBeat < -1) {',
    },
  },
  {
    id: 'heartbeat/interval-once',
    title: 'only the second heartbeat keeps the interval',
    clause: 'heartbeat.interval.min',
    patch: {
      file: heartbeatRules,
      before: 'if (lastBeat >= 0 && beat - lastBeat < intervalBeatsMin) {',
      after: 'if (lastBeat >= 0 && beat - lastBeat < intervalBeatsMin && line.totalHeartbeats(agent) < 2) {',
    },
  },
  {
    id: 'heartbeat/interval-of-the-same-beat',
    title: 'heartbeats may not share a beat',
    clause: 'heartbeat.interval.min',
    patch: {
      file: heartbeatRules,
      before: 'if (lastBeat >= 0 && beat - lastBeat < intervalBeatsMin) {',
      after: 'if (lastBeat >= 0 && beat === lastBeat) {',
    },
  },
  {
    id: 'heartbeat/interval-races',
    title: 'the last heartbeat is noted a moment later',
    clause: 'heartbeat.interval.min',
    patch: {
      file: heartbeatRules,
      before: 'line.setLastHeartbeatBeat(agent, beat);',
      after: 'setImmediate(() => line.setLastHeartbeatBeat(agent, beat));',
    },
  },
  {
    id: 'heartbeat/cap-ignored',
    title: 'no cap is enforced',
    clause: 'heartbeat.cap.reached',
    patch: {
      file: heartbeatRules,
      before: 'if (nth > heartbeatCap(protocol, line.identityClass(agent)))',
      after: 'if (nth > 1_000_000)',
    },
  },
  {
    id: 'heartbeat/cap-refusal-is-life',
    title: 'a heartbeat that the cap refuses is the last heartbeat of its agent',
    clause: 'passport.field.last-heartbeat-beat',
    patch: {
      file: heartbeatRules,
      before: "return refuse('heartbeat/VOLUME_CAP_REACHED');",
      after: "{ line.setLastHeartbeatBeat(agent, beat); return refuse('heartbeat/VOLUME_CAP_REACHED'); }",
    },
  },
  {
    id: 'heartbeat/cap-of-autonomous-ignored',
    title: 'the cap of autonomous agents is shown and not enforced',
    clause: 'heartbeat.cap.autonomous',
    patch: {
      file: heartbeatRules,
      before: 'if (nth > heartbeatCap(protocol, line.identityClass(agent)))',
      after: 'if (line.identityClass(agent) !== 2 && nth > heartbeatCap(protocol, line.identityClass(agent)))',
    },
    overlay: SMALL_CAPS,
  },
  {
    id: 'heartbeat/cap-of-orchestrator-ignored',
    title: 'the cap of orchestrators is shown and not enforced',
    clause: 'heartbeat.cap.orchestrator',
    patch: {
      file: heartbeatRules,
      before: 'if (nth > heartbeatCap(protocol, line.identityClass(agent)))',
      after: 'if (line.identityClass(agent) !== 3 && nth > heartbeatCap(protocol, line.identityClass(agent)))',
    },
    overlay: SMALL_CAPS,
  },
  {
    id: 'heartbeat/cap-of-narrow-task-for-all',
    title: 'every class has the cap of narrow_task',
    clause: 'service.class.cap',
    patch: {
      file: heartbeatRules,
      before: 'if (nth > heartbeatCap(protocol, line.identityClass(agent)))',
      after: 'if (nth > heartbeatCap(protocol, 1))',
    },
  },
  {
    id: 'heartbeat/cap-of-all-time',
    title: 'the cap counts heartbeats of all epochs',
    clause: 'heartbeat.cap.next-epoch',
    patch: {
      file: heartbeatRules,
      before: 'if (nth > heartbeatCap(protocol, line.identityClass(agent)))',
      after: 'if (line.totalHeartbeats(agent) + 1 > heartbeatCap(protocol, line.identityClass(agent)))',
    },
  },
  {
    id: 'heartbeat/tier-of-all-time',
    title: 'tiers count heartbeats of all epochs',
    clause: 'fee.heartbeat.epoch',
    patch: {
      file: heartbeatRules,
      before: 'const tier = heartbeatTier(protocol, nth);',
      after: 'const tier = heartbeatTier(protocol, line.totalHeartbeats(agent) + 1);',
    },
  },
  {
    id: 'heartbeat/tier-stays',
    title: 'an epoch begins with the tier of the one before',
    clause: 'fee.heartbeat.epoch',
    patch: {
      file: heartbeatRules,
      before: 'return line.epoch(row) === epoch ? line.epochHeartbeats(row) : 0;',
      after: 'return line.epochHeartbeats(row);',
    },
  },
  {
    id: 'heartbeat/second-epoch-only',
    title: 'only the first epoch ends',
    clause: 'fee.heartbeat.epoch',
    patch: {
      file: heartbeatRules,
      before: 'return line.epoch(row) === epoch ? line.epochHeartbeats(row) : 0;',
      after:
        'return line.epoch(row) === Math.min(epoch, 1) || (line.epoch(row) >= 1 && epoch >= 1) ? line.epochHeartbeats(row) : 0;',
    },
  },
  {
    id: 'heartbeat/sender-any',
    title: 'anyone pays for anyone',
    clause: 'heartbeat.error.payment-sender-mismatch',
    patch: { file: heartbeatRules, before: 'if (wallet < 0 || paid.sender !== wallet) {', after: 'if (wallet < 0) {' },
  },
  {
    id: 'heartbeat/sender-sponsored-any',
    title: 'whoever has a sponsor is paid for by anyone',
    clause: 'heartbeat.sender.sponsor',
    patch: {
      file: heartbeatRules,
      before: 'const paying = payingSponsorship(registry, agent, sender, nowMs);',
      after:
        "const paying = hasSponsor(registry, agent, nowMs) && payingSponsorship(registry, agent, sender, nowMs).row?.code === 'PAYMENT_SENDER_MISMATCH' ? { ok: true, sponsorship: registry.sponsorships.byChild.get(agent)[0] } : payingSponsorship(registry, agent, sender, nowMs);",
    },
  },
  {
    id: 'heartbeat/own-wallet-charges-sponsor',
    title: "a sponsor is charged for what the agent's own wallet paid",
    clause: 'heartbeat.sender.charged',
    patch: {
      file: heartbeatRules,
      before: 'if (wallet < 0 || paid.sender !== wallet) {',
      after:
        'if (wallet >= 0 && paid.sender === wallet) sponsorship = registry.sponsorships.byChild.get(agent)?.[0] ?? null;\n    if (wallet < 0 || paid.sender !== wallet) {',
    },
  },
  {
    id: 'heartbeat/own-wallet-refused-under-sponsor',
    title: 'an agent that has a sponsor cannot pay itself',
    clause: 'heartbeat.sender.own',
    patch: {
      file: heartbeatRules,
      before: 'if (wallet < 0 || paid.sender !== wallet) {',
      after: 'if (wallet < 0 || paid.sender !== wallet || hasSponsor(registry, agent, nowMs)) {',
    },
  },
  {
    id: 'heartbeat/sponsor-not-charged',
    title: 'sponsored heartbeats are not counted',
    clause: 'heartbeat.sender.charged',
    patch: { file: heartbeatRules, before: 'chargeSponsorship(registry, sponsorship, epoch);', after: 'void epoch;' },
  },
  {
    id: 'heartbeat/sponsored-is-no-life',
    title: 'a sponsored heartbeat is no sign of life',
    clause: 'checkin.replacement',
    patch: {
      file: heartbeatRules,
      before: 'line.setLastSyncAnchor(agent, registry.anchorIndex);',
      after: 'if (sponsorship === null) line.setLastSyncAnchor(agent, registry.anchorIndex);',
    },
  },
  {
    id: 'heartbeat/no-life',
    title: 'a heartbeat is no sign of life',
    clause: 'checkin.replacement',
    patch: { file: heartbeatRules, before: 'line.setLastSyncAnchor(agent, registry.anchorIndex);', after: 'void 0;' },
  },
  {
    id: 'heartbeat/life-of-sponsor',
    title: "a sponsored heartbeat is a sign of its sponsor's life",
    clause: 'dms.freeze',
    patch: {
      file: heartbeatRules,
      before: 'line.setLastSyncAnchor(agent, registry.anchorIndex);',
      after:
        'line.setLastSyncAnchor(agent, registry.anchorIndex);\n    if (sponsorship !== null) line.setLastSyncAnchor(sponsorship.parent, registry.anchorIndex);',
    },
  },
  {
    id: 'heartbeat/life-of-parent',
    title: "a heartbeat is a sign of the parent's life",
    clause: 'dms.freeze',
    patch: {
      file: heartbeatRules,
      before: 'line.setLastSyncAnchor(agent, registry.anchorIndex);',
      after:
        'line.setLastSyncAnchor(agent, registry.anchorIndex);\n    if (registry.agents.columns.parent[agent] >= 0) line.setLastSyncAnchor(registry.agents.columns.parent[agent], registry.anchorIndex);',
    },
  },
  {
    id: 'heartbeat/total-not-counted-when-sponsored',
    title: 'sponsored heartbeats are not in the total',
    clause: 'heartbeat.reply.total-heartbeats',
    patch: {
      file: heartbeatRules,
      before: 'const totalHeartbeats = line.totalHeartbeats(agent) + 1;',
      after: 'const totalHeartbeats = line.totalHeartbeats(agent) + (sponsorship === null ? 1 : 0);',
    },
  },
  {
    id: 'heartbeat/event-not-when-sponsored',
    title: 'heartbeat.recorded is not sent for a sponsored one',
    clause: 'event.heartbeat-recorded',
    patch: {
      file: heartbeatRules,
      before: 'if (line.partner(agent) >= 0) {',
      after: 'if (line.partner(agent) >= 0 && sponsorship === null) {',
    },
  },
  {
    id: 'heartbeat/event-only-first',
    title: 'heartbeat.recorded is sent for the first one',
    clause: 'event.heartbeat-recorded',
    patch: {
      file: heartbeatRules,
      before: 'if (line.partner(agent) >= 0) {',
      after: 'if (line.partner(agent) >= 0 && totalHeartbeats === 1) {',
    },
  },
  {
    id: 'heartbeat/event-only-roots',
    title: 'heartbeat.recorded is sent for roots',
    clause: 'event.heartbeat-recorded',
    patch: {
      file: heartbeatRules,
      before: 'if (line.partner(agent) >= 0) {',
      after: 'if (line.partner(agent) >= 0 && line.depth(agent) === 0) {',
    },
  },
  {
    id: 'heartbeat/frozen-taken',
    title: 'a frozen agent sends heartbeats',
    clause: 'dms.freeze.heartbeats',
    patch: {
      file: heartbeatRules,
      before: "if (status === FROZEN)\n        return refuse('heartbeat/AGENT_FROZEN');",
      after: "if (status > FROZEN)\n        return refuse('heartbeat/AGENT_FROZEN');",
    },
  },
  {
    id: 'heartbeat/complaint-ignored',
    title: 'a sustained complaint does not bar heartbeats',
    clause: 'flag.transition.sustained',
    patch: {
      file: heartbeatRules,
      before: 'if (line.complaints(agent) > 0)',
      after: 'if (line.complaints(agent) < 0)',
    },
  },
  {
    id: 'heartbeat/second-complaint-ignored',
    title: 'only one sustained complaint bars heartbeats',
    clause: 'flag.transition.sustained',
    patch: {
      file: heartbeatRules,
      before: 'if (line.complaints(agent) > 0)',
      after: 'if (line.complaints(agent) === 1)',
    },
  },
  {
    id: 'heartbeat/wallet-not-needed',
    title: 'a child without wallet and sponsor sends heartbeats',
    clause: 'heartbeat.byo-wallet',
    patch: {
      file: heartbeatRules,
      before: 'if (line.wallet(agent) < 0 && registry.policy.byoWallet && !hasSponsor(registry, agent, nowMs)) {',
      after: 'if (line.wallet(agent) < -1) {',
    },
  },
  {
    id: 'heartbeat/wallet-needed-under-sponsor',
    title: 'a sponsored agent needs a wallet',
    clause: 'sponsor.pays',
    patch: {
      file: heartbeatRules,
      before: 'if (line.wallet(agent) < 0 && registry.policy.byoWallet && !hasSponsor(registry, agent, nowMs)) {',
      after: 'if (line.wallet(agent) < 0 && registry.policy.byoWallet) {',
    },
  },
  {
    id: 'heartbeat/payment-races',
    title: 'a payment is used up a moment later',
    clause: 'heartbeat.error.payment-already-used',
    patch: {
      file: heartbeatRules,
      before: 'usePayment(registry, paid);',
      after: 'setImmediate(() => usePayment(registry, paid));',
    },
  },
  {
    id: 'heartbeat/payment-kept',
    title: 'a payment serves again and again',
    clause: 'heartbeat.error.payment-already-used',
    patch: { file: heartbeatRules, before: 'usePayment(registry, paid);', after: 'void paid;' },
  },
  {
    id: 'heartbeat/free-for-sponsored',
    title: 'a sponsored heartbeat is not booked',
    clause: 'split.operations',
    patch: {
      file: heartbeatRules,
      before: "bookFee(registry.feeBook, 'heartbeat', feeLamports, nowMs);",
      after: "if (sponsorship === null) bookFee(registry.feeBook, 'heartbeat', feeLamports, nowMs);",
    },
  },
  {
    id: 'heartbeat/fee-by-class',
    title: 'orchestrators pay twice as much',
    clause: 'fee.heartbeat.tier-1',
    patch: {
      file: heartbeatRules,
      before: 'const feeLamports = heartbeatFee(registry, agent, tier, nowMs);',
      after:
        'const feeLamports = heartbeatFee(registry, agent, tier, nowMs) * (line.identityClass(agent) === 3 ? 2 : 1);',
    },
  },
  {
    id: 'heartbeat/fee-of-autonomous',
    title: 'autonomous agents pay twice as much',
    clause: 'fee.heartbeat.tier-1',
    patch: {
      file: heartbeatRules,
      before: 'const feeLamports = heartbeatFee(registry, agent, tier, nowMs);',
      after:
        'const feeLamports = heartbeatFee(registry, agent, tier, nowMs) * (line.identityClass(agent) === 2 ? 2 : 1);',
    },
  },
  {
    id: 'heartbeat/fee-of-children',
    title: 'children pay nothing at all',
    clause: 'fee.heartbeat.tier-1',
    patch: {
      file: heartbeatRules,
      before: 'const feeLamports = heartbeatFee(registry, agent, tier, nowMs);',
      after: 'const feeLamports = line.depth(agent) > 0 ? 0 : heartbeatFee(registry, agent, tier, nowMs);',
    },
  },
  {
    id: 'heartbeat/class-without-fee-level',
    title: 'the class sets no fee level: all pay tier 1',
    clause: 'service.class.fee',
    patch: {
      file: heartbeatRules,
      before: 'const tier = heartbeatTier(protocol, nth);',
      after: 'const tier = nth < 0 ? heartbeatTier(protocol, nth) : 1;',
    },
  },
  {
    id: 'heartbeat/overpaid',
    title: 'more than the fee is accepted for a heartbeat',
    clause: 'heartbeat.error.payment-invalid.amount',
    patch: {
      file: paymentRules,
      before: 'if (payment.lamports !== feeLamports) {',
      after: "if (payer === 'heartbeat' ? payment.lamports < feeLamports : payment.lamports !== feeLamports) {",
    },
  },
  {
    id: 'heartbeat/underpaid',
    title: 'less than the fee is accepted for a heartbeat',
    clause: 'heartbeat.error.payment-invalid.amount',
    patch: {
      file: paymentRules,
      before: 'if (payment.lamports !== feeLamports) {',
      after: "if (payer === 'heartbeat' ? payment.lamports > feeLamports : payment.lamports !== feeLamports) {",
    },
  },
  {
    id: 'heartbeat/payment-of-a-lamport-off',
    title: 'an amount that is one lamport off is accepted',
    clause: 'heartbeat.error.payment-invalid.amount',
    patch: {
      file: paymentRules,
      before: 'if (payment.lamports !== feeLamports) {',
      after: "if (Math.abs(payment.lamports - feeLamports) > (payer === 'heartbeat' ? 1 : 0)) {",
    },
  },
  {
    id: 'heartbeat/payment-forgotten',
    title: 'a payment is forgotten after 20 more',
    clause: 'heartbeat.error.payment-already-used',
    patch: {
      file: paymentRules,
      before: 'registry.usedPayments.add(payment.id);',
      after:
        '{\n        registry.usedPayments.add(payment.id);\n        if (registry.usedPayments.size > 20) registry.usedPayments.delete(registry.usedPayments.values().next().value);\n    }',
    },
  },
  {
    id: 'heartbeat/payment-of-a-sigil',
    title: 'a payment that bought a SIGIL serves a heartbeat of the same amount',
    clause: 'heartbeat.error.payment-already-used',
    patch: {
      file: paymentRules,
      before: 'if (payment.id !== null && registry.usedPayments.has(payment.id))',
      after:
        "if (payment.id !== null && registry.usedPayments.has(payment.id) && (payer !== 'heartbeat' || payment.sender < 0))",
    },
  },
  {
    id: 'heartbeat/payment-unfounded',
    title: 'a transaction that is not confirmed counts',
    clause: 'heartbeat.error.payment-invalid',
    patch: {
      file: paymentRules,
      before: 'if (!payment.counts) {',
      after: "if (!payment.counts && payer !== 'heartbeat') {",
    },
  },
  {
    id: 'heartbeat/payment-to-anyone',
    title: 'a transfer to anybody pays',
    clause: 'heartbeat.error.payment-invalid',
    patch: {
      file: paymentHttp,
      before: 'const paid = paymentsOf(found).filter(({ to }) => to === paymentAccount);',
      after: 'const paid = paymentsOf(found);',
    },
  },
  {
    id: 'heartbeat/payment-unseen',
    title: 'a transaction that nobody knows pays',
    clause: 'heartbeat.error.payment-invalid',
    patch: {
      file: paymentHttp,
      before: "if (seen === undefined)\n        return 'unknown';",
      after: 'if (seen === undefined)\n        return { id: signature, sender: 0, lamports: 500_000, counts: true };',
    },
  },
  {
    id: 'heartbeat/payment-failed-counts',
    title: 'a failed transaction pays',
    clause: 'heartbeat.error.payment-invalid',
    patch: {
      file: paymentHttp,
      before: "const confirmed = found.status === 'confirmed' &&",
      after: 'const confirmed = true ||',
    },
  },
  {
    id: 'heartbeat/free',
    title: 'a heartbeat needs no payment that is seen',
    clause: 'service.heartbeat.paid',
    patch: {
      file: heartbeatEndpoint,
      before: 'payment: payment(body.payment_tx) }, nowMs);',
      after:
        'payment: body.payment_tx ? { id: null, sender: registry.agents.line.wallet(agent), lamports: 500_000, counts: true } : payment(body.payment_tx) }, nowMs);',
    },
  },
  {
    id: 'heartbeat/passport-of-a-week',
    title: 'the passport of a heartbeat is valid for a week',
    clause: 'service.heartbeat.passport',
    patch: {
      file: heartbeatEndpoint,
      before: '...passportReply(service, agent, nowMs),',
      after:
        '...Object.fromEntries(Object.entries(passportReply(service, agent, nowMs)).map(([name, passport]) => [name, { ...passport, valid_until: passport.issued_at + 7 * 86_400_000 }])),',
    },
  },
  {
    id: 'heartbeat/epoch-of-half',
    title: 'an epoch is 50,000 beats',
    clause: 'constant.billing-epoch',
    patch: {
      file: heartbeatRules,
      before: 'const epoch = billingEpoch(protocol, beat);\n    const nth',
      after: 'const epoch = Math.floor(beat / 50_000);\n    const nth',
    },
  },
  {
    id: 'heartbeat/interval-of-9',
    title: 'an interval of 9 beats is enough, whatever the reply says',
    clause: 'constant.heartbeat-interval',
    patch: {
      file: heartbeatRules,
      before: 'if (lastBeat >= 0 && beat - lastBeat < intervalBeatsMin) {',
      after: 'if (lastBeat >= 0 && beat - lastBeat < intervalBeatsMin - 1) {',
    },
  },
  {
    id: 'heartbeat/life-for-an-anchor',
    title: 'a heartbeat counts as one anchor before',
    clause: 'checkin.replacement',
    patch: {
      file: heartbeatRules,
      before: 'line.setLastSyncAnchor(agent, registry.anchorIndex);',
      after: 'line.setLastSyncAnchor(agent, registry.anchorIndex - 1);',
    },
  },
  {
    id: 'heartbeat/too-soon-without-next',
    title: 'the refusal of an early heartbeat does not say when the next may come',
    clause: 'heartbeat.interval.reply',
    patch: { endpoint: 'heartbeat', code: 'HEARTBEAT_TOO_SOON', remove: 'next_eligible_beat' },
  },
  {
    id: 'heartbeat/too-soon-next-as-text',
    title: 'next_eligible_beat is a text',
    clause: 'heartbeat.interval.reply',
    patch: { endpoint: 'heartbeat', code: 'HEARTBEAT_TOO_SOON', set: 'next_eligible_beat', to: '12' },
  },
  {
    id: 'heartbeat/count-lost-at-resync',
    title: 'a resync begins the count of the epoch anew',
    clause: 'heartbeat.reply.heartbeat-count-epoch',
    patch: {
      file: 'reference/registry/dead-man-switch',
      before: 'line.setStatus(row, ACTIVE);',
      after: 'line.setStatus(row, ACTIVE); line.setEpochHeartbeats(row, 0);',
    },
  },
  {
    id: 'heartbeat/count-lost-at-sigil',
    title: 'a purchase begins the count of the epoch anew',
    clause: 'heartbeat.reply.heartbeat-count-epoch',
    patch: {
      file: 'reference/registry/sigil',
      before: 'columns.sigilAtBeat[agent] = currentBeat(registry);',
      after: 'columns.sigilAtBeat[agent] = currentBeat(registry); line.setEpochHeartbeats(agent, 0);',
    },
  },
  {
    id: 'heartbeat/any-epoch-any-time',
    title: 'the first heartbeat of an epoch may come at any time',
    clause: 'heartbeat.interval.min',
    patch: {
      file: heartbeatRules,
      before: 'if (lastBeat >= 0 && beat - lastBeat',
      after: 'if (lastBeat >= 0 && line.epoch(agent) === billingEpoch(protocol, beat) && beat - lastBeat',
    },
  },
  {
    id: 'heartbeat/eligible-from-now',
    title: 'next_eligible_beat is ten beats from the refusal',
    clause: 'heartbeat.interval.reply',
    patch: {
      file: heartbeatRules,
      before: 'next_eligible_beat: lastBeat + intervalBeatsMin',
      after: 'next_eligible_beat: beat + intervalBeatsMin',
    },
  },
  {
    id: 'heartbeat/amount-in-32-bits',
    title: 'amounts are compared in 32 bits',
    clause: 'heartbeat.error.payment-invalid.amount',
    patch: {
      file: paymentRules,
      before: 'if (payment.lamports !== feeLamports)',
      after: 'if ((payment.lamports | 0) !== feeLamports)',
    },
  },
  {
    id: 'heartbeat/sponsored-payment-twice',
    title: 'a payment of a sponsor can be used again',
    clause: 'heartbeat.error.payment-already-used',
    patch: {
      file: heartbeatRules,
      before: 'usePayment(registry, paid);',
      after: 'if (sponsorship === null) usePayment(registry, paid);',
    },
  },
  {
    id: 'heartbeat/tier-1-without-sigil',
    title: 'an agent without a SIGIL pays the fee of tier 1 for all',
    clause: 'fee.heartbeat.tier-2',
    patch: {
      file: heartbeatRules,
      before: 'const tier = heartbeatTier(protocol, nth);',
      after: 'const tier = heartbeatTier(protocol, line.identityClass(agent) === 0 ? 1 : nth);',
    },
  },
  {
    id: 'heartbeat/cap-of-children',
    title: 'the class of a child does not raise its cap',
    clause: 'sigil.caps',
    patch: {
      file: heartbeatRules,
      before: 'if (nth > heartbeatCap(protocol, line.identityClass(agent)))',
      after: 'if (nth > heartbeatCap(protocol, line.depth(agent) > 0 ? 0 : line.identityClass(agent)))',
    },
  },
  {
    id: 'heartbeat/event-of-first-epoch',
    title: 'heartbeats after the first epoch are not delivered',
    clause: 'event.heartbeat-recorded',
    patch: {
      file: heartbeatRules,
      before: 'if (line.partner(agent) >= 0) {',
      after: 'if (line.partner(agent) >= 0 && epoch === 0) {',
    },
  },
  {
    id: 'heartbeat/too-soon-uses-payment',
    title: 'a heartbeat that is refused as too soon uses up its payment',
    clause: 'heartbeat.error.payment-already-used',
    patch: {
      file: heartbeatRules,
      before: 'if (lastBeat >= 0 && beat - lastBeat < intervalBeatsMin) {',
      after:
        "if (lastBeat >= 0 && beat - lastBeat < intervalBeatsMin) { if (typeof payment === 'object' && typeof payment.id === 'string') usePayment(registry, payment);",
    },
  },
  {
    id: 'heartbeat/barred-uses-payment',
    title: 'a heartbeat that is refused for a complaint or for want of a sponsor uses up its payment',
    clause: 'heartbeat.error.payment-already-used',
    patch: {
      file: heartbeatRules,
      before: '    if (barred !== null)\n',
      after:
        "    if (barred !== null && typeof payment === 'object' && typeof payment.id === 'string') usePayment(registry, payment);\n    if (barred !== null)\n",
    },
  },
  {
    id: 'heartbeat/cap-uses-payment',
    title: 'a heartbeat over the cap of its sponsorship uses up its payment',
    clause: 'heartbeat.error.payment-already-used',
    patch: {
      file: heartbeatRules,
      before: '        if (!charged.ok)\n',
      after: '        if (!charged.ok) usePayment(registry, paid);\n        if (!charged.ok)\n',
    },
  },
  {
    id: 'heartbeat/cap-own-payer-only',
    title: 'the cap of a class holds for what the agent pays itself, and not for what its sponsor pays',
    clause: 'heartbeat.cap.reached',
    patch: {
      file: heartbeatRules,
      before: '    if (nth > heartbeatCap(protocol, line.identityClass(agent)))\n',
      after:
        "    const payer = typeof payment === 'object' && 'sender' in payment ? payment.sender : line.wallet(agent);\n    if (nth > heartbeatCap(protocol, line.identityClass(agent)) && payer === line.wallet(agent))\n",
    },
  },
  {
    id: 'heartbeat/tier-of-sponsorship',
    title: 'the tier of a heartbeat that a sponsor pays follows from what the sponsorship has paid for',
    clause: 'fee.heartbeat.tier-2',
    patch: {
      file: heartbeatRules,
      before: '    const tier = heartbeatTier(protocol, nth);\n',
      after:
        "    const sponsored = typeof payment === 'object' && 'sender' in payment && payment.sender !== line.wallet(agent) ? payingSponsorship(registry, agent, payment.sender, nowMs) : undefined;\n    const tier = heartbeatTier(protocol, sponsored !== undefined && 'sponsorship' in sponsored ? sponsored.sponsorship.used + 1 : nth);\n",
    },
  },
  {
    id: 'heartbeat/count-until-next-epoch',
    title: 'the count of an epoch begins anew in the next one only, and goes on in a later one',
    clause: 'fee.heartbeat.epoch',
    patch: {
      file: heartbeatRules,
      before: 'return line.epoch(row) === epoch ? line.epochHeartbeats(row) : 0;',
      after: 'return line.epoch(row) + 1 === epoch ? 0 : line.epochHeartbeats(row);',
    },
  },
  {
    id: 'heartbeat/alias-without-nulls',
    title: 'lineage_proof leaves out what is null',
    clause: 'passport.alias.identical',
    patch: {
      file: 'reference/http/endpoints/reply-parts',
      before: 'lineage_proof: passport }',
      after: 'lineage_proof: Object.fromEntries(Object.entries(passport).filter(([, value]) => value !== null)) }',
    },
  },
  {
    id: 'heartbeat/sponsor-first',
    title: 'a payment is charged to a sponsorship, though it is from the own wallet too',
    clause: 'heartbeat.sender.own',
    patch: {
      file: 'reference/registry/heartbeat',
      before: 'if (wallet < 0 || paid.sender !== wallet) {',
      after: 'if (wallet < 0 || paid.sender !== wallet || payingSponsorship(registry, agent, paid.sender, nowMs).ok) {',
    },
  },
  {
    id: 'heartbeat/fee-of-operators',
    title: 'agents of operators pay less for a heartbeat',
    clause: 'heartbeat.sender.own',
    patch: {
      file: 'reference/registry/heartbeat',
      before: '    const feeLamports = heartbeatFee(registry, agent, tier, nowMs);',
      after:
        '    const ofOperator = line.wallet(agent) >= 0 && registry.agents.columns.walletModel[agent] === 1;\n    const feeLamports = heartbeatFee(registry, agent, ofOperator ? 2 : tier, nowMs);',
    },
  },
  {
    id: 'heartbeat/anchor-coerced',
    title: 'digits are taken for global_anchor',
    clause: 'heartbeat.body.global-anchor.validated',
    patch: {
      file: 'spec/endpoints/heartbeat',
      before: 'global_anchor: count.optional()',
      after: 'global_anchor: z.coerce.number().int().min(0).optional()',
    },
  },
  {
    id: 'heartbeat/next-eligible-to-wait',
    title: 'next_eligible_beat is the number of beats to wait',
    clause: 'heartbeat.interval.reply',
    patch: {
      file: 'reference/registry/heartbeat',
      before: '{ next_eligible_beat: lastBeat + intervalBeatsMin }',
      after: '{ next_eligible_beat: lastBeat + intervalBeatsMin - beat }',
    },
  },
];
