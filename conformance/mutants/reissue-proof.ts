/** Mistakes planted in POST /agent/reissue-proof (4.7): its payment, its reply, and what it must leave unchanged. */
import type { Mutant } from './mutant.js';

const replyPartsEndpoint = 'reference/http/endpoints/reply-parts';
const paymentRules = 'reference/registry/payment';
const reissueProofRules = 'reference/registry/reissue-proof';
const reissueProofEndpoint = 'reference/http/endpoints/reissue-proof';

export const reissueProofMutants: readonly Mutant[] = [
  {
    id: 'reissue-proof/alias-gone',
    title: 'a reissue has no lineage_proof before its sunset',
    clause: 'reissue-proof.reply.lineage-proof',
    patch: {
      file: replyPartsEndpoint,
      before: 'return hasLineageProof(service.registry, nowMs) ? { passport, lineage_proof: passport }',
      after:
        'return hasLineageProof(service.registry, nowMs) && service.registry.agents.line.lastHeartbeatBeat(agent) === service.registry.anchorIndex ? { passport, lineage_proof: passport }',
    },
  },
  {
    id: 'reissue-proof/overpaid',
    title: 'more than the fee is accepted for a reissue',
    clause: 'reissue-proof.error.payment-invalid.amount',
    patch: {
      file: paymentRules,
      before: 'if (payment.lamports !== feeLamports) {',
      after: "if (payer === 'reissue-proof' ? payment.lamports < feeLamports : payment.lamports !== feeLamports) {",
    },
  },
  {
    id: 'reissue-proof/underpaid',
    title: 'less than the fee is accepted for a reissue',
    clause: 'reissue-proof.error.payment-invalid.amount',
    patch: {
      file: paymentRules,
      before: 'if (payment.lamports !== feeLamports) {',
      after: "if (payer === 'reissue-proof' ? payment.lamports > feeLamports : payment.lamports !== feeLamports) {",
    },
  },
  {
    id: 'reissue-proof/payment-unfounded',
    title: 'a transaction that is not confirmed pays a reissue',
    clause: 'reissue-proof.error.payment-invalid',
    patch: {
      file: paymentRules,
      before: 'if (!payment.counts) {',
      after: "if (!payment.counts && payer !== 'reissue-proof') {",
    },
  },
  {
    id: 'reissue-proof/wallet-not-needed',
    title: 'an agent without a wallet gets a reissue',
    clause: 'reissue-proof.byo-wallet',
    patch: {
      file: reissueProofRules,
      before: 'if (wallet < 0 && registry.policy.byoWallet)',
      after: 'if (wallet < -1 && registry.policy.byoWallet)',
    },
  },
  {
    id: 'reissue-proof/payment-not-needed',
    title: 'a reissue without payment_tx is free',
    clause: 'reissue-proof.body.payment-tx',
    patch: {
      file: reissueProofRules,
      before: "if (payment === 'missing')\n        return refuse('reissue-proof/PAYMENT_REQUIRED');",
      after: "if (payment === 'missing')\n        return { ok: true, feeLamports: 0 };",
    },
  },
  {
    id: 'reissue-proof/is-life',
    title: 'a reissue resets the count of missed anchors',
    clause: 'reissue-proof.no-heartbeat',
    patch: {
      file: reissueProofRules,
      before: 'usePayment(registry, paid);',
      after: 'usePayment(registry, paid);\n    line.setLastSyncAnchor(agent, registry.anchorIndex);',
    },
  },
  {
    id: 'reissue-proof/is-heartbeat-beat',
    title: 'a reissue moves last_heartbeat_beat',
    clause: 'reissue-proof.no-heartbeat',
    patch: {
      file: reissueProofRules,
      before: 'usePayment(registry, paid);',
      after: 'usePayment(registry, paid);\n    line.setLastHeartbeatBeat(agent, registry.anchorIndex);',
    },
  },
  {
    id: 'reissue-proof/is-counted',
    title: 'a reissue adds to the total of heartbeats',
    clause: 'reissue-proof.no-heartbeat',
    patch: {
      file: reissueProofRules,
      before: 'usePayment(registry, paid);',
      after: 'usePayment(registry, paid);\n    line.setTotalHeartbeats(agent, line.totalHeartbeats(agent) + 1);',
    },
  },
  {
    id: 'reissue-proof/is-counted-in-epoch',
    title: 'a reissue counts in the epoch',
    clause: 'reissue-proof.no-heartbeat',
    patch: {
      file: reissueProofRules,
      before: 'usePayment(registry, paid);',
      after: 'usePayment(registry, paid);\n    line.setEpochHeartbeats(agent, line.epochHeartbeats(agent) + 1);',
    },
  },
  {
    id: 'reissue-proof/extends-chain',
    title: 'a reissue adds a beat',
    clause: 'reissue-proof.no-beat',
    patch: {
      file: reissueProofRules,
      before: 'usePayment(registry, paid);',
      after: 'usePayment(registry, paid);\n    registry.agents.columns.latestBeat[agent] += 1;',
    },
  },
  {
    id: 'reissue-proof/adds-beats',
    title: 'a reissue adds to the total of beats',
    clause: 'reissue-proof.no-beat',
    patch: {
      file: reissueProofRules,
      before: 'usePayment(registry, paid);',
      after: 'usePayment(registry, paid);\n    registry.agents.columns.totalBeats[agent] += 1;',
    },
  },
  {
    id: 'reissue-proof/fee-of-heartbeat',
    title: 'a reissue costs what a heartbeat costs',
    clause: 'fee.reissuance',
    patch: {
      file: reissueProofRules,
      before: 'const feeLamports = reissueFee(registry, agent, nowMs);',
      after: 'const feeLamports = reissueFee(registry, agent, nowMs) * 2.5;',
    },
  },
  {
    id: 'reissue-proof/fee-with-tier',
    title: 'the fee of a reissue has a tier',
    clause: 'fee.field.no-tier.reissue-proof',
    patch: {
      file: reissueProofEndpoint,
      before: 'fee: feeView(done.feeLamports, body.payment_tx),',
      after: 'fee: { ...feeView(done.feeLamports, body.payment_tx), tier: 1 },',
    },
  },
  {
    id: 'reissue-proof/same-issue',
    title: 'a reissue reprints the passport of another agent',
    clause: 'reissue-proof.reprint',
    patch: {
      file: reissueProofEndpoint,
      before: '...passportReply(service, agent, nowMs),',
      after: '...passportReply(service, Math.max(0, agent - 1), nowMs),',
    },
  },
  {
    id: 'reissue-proof/not-reissued',
    title: 'reissued is false',
    clause: 'reissue-proof.reply.reissued',
    patch: { file: reissueProofEndpoint, before: 'reissued: true,', after: 'reissued: false,' },
  },
  {
    id: 'reissue-proof/moves-the-chain',
    title: 'a reissue gives the chain another latest hash',
    clause: 'reissue-proof.no-beat',
    patch: {
      file: reissueProofRules,
      before: 'usePayment(registry, paid);',
      after: "usePayment(registry, paid);\n    registry.latestHashes.set(agent, 'ab'.repeat(32));",
    },
  },
  {
    id: 'reissue-proof/dated-as-the-first',
    title: 'a second reissue has the dates of the first',
    clause: 'passport.field.issued-at',
    patch: {
      file: reissueProofEndpoint,
      before: '...passportReply(service, agent, nowMs)',
      after:
        '...passportReply(service, agent, ((registry.firstMs ??= new Map()).has(agent) ? registry.firstMs : registry.firstMs.set(agent, nowMs)).get(agent))',
    },
  },
];
