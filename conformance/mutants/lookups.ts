/** Mistakes planted in the lookups by hash: status, verify and beat status. */
import type { Mutant } from './mutant.js';

const authorityKeyEndpoint = 'reference/http/endpoints/authority-key';
const verifyRules = 'reference/registry/verify';
const statusRules = 'reference/registry/status';
const standingRules = 'reference/registry/standing';
const beatStatusRules = 'reference/registry/beat-status';
const lookupEndpoint = 'reference/http/endpoints/lookup';
const beatAnchorEndpoint = 'reference/http/endpoints/beat-anchor';
const beatVerifyEndpoint = 'reference/http/endpoints/beat-verify';
const beatVerifyBeats = 'reference/beats/beat-verify';
const serviceRules = 'reference/service';

export const lookupsMutants: readonly Mutant[] = [
  {
    id: 'authority-key/of-the-beats-service',
    title: "the key that is published is the beats service's",
    clause: 'service.passport.offline',
    patch: {
      file: authorityKeyEndpoint,
      before: 'authority_public_key_hex: service.authority.publicKeyHex,',
      after: 'authority_public_key_hex: service.workProofKey.publicKeyHex,',
    },
  },
  {
    id: 'authority-key/key-of-another-server',
    title: 'the key of another server is published',
    clause: 'authority-key.purpose',
    patch: {
      file: authorityKeyEndpoint,
      before: 'authority_public_key_hex: service.authority.publicKeyHex,',
      after: 'authority_public_key_hex: service.timestampKey.publicKeyHex,',
    },
  },
  {
    id: 'authority-key/key-not-published',
    title: 'no key is published',
    clause: 'authority-key.purpose',
    patch: {
      file: authorityKeyEndpoint,
      before: 'authority_public_key_hex: service.authority.publicKeyHex,',
      after: "authority_public_key_hex: '',",
    },
  },
  {
    id: 'verify/lineage-of-3',
    title: 'a lineage ends after 3 agents',
    clause: 'verify.purpose',
    patch: {
      file: verifyRules,
      before: 'for (let row = agent; row >= 0; row = columns.parent[row]) {',
      after: 'for (let row = agent; row >= 0 && lineage.length < 3; row = columns.parent[row]) {',
    },
  },
  {
    id: 'verify/lineage-without-self',
    title: 'a lineage has parent and root only',
    clause: 'verify.purpose',
    patch: {
      file: verifyRules,
      before: 'for (let row = agent; row >= 0; row = columns.parent[row]) {',
      after:
        'for (let row = agent; row >= 0; row = columns.parent[row] < 0 ? -1 : columns.parent[columns.parent[row]]) {',
    },
  },
  {
    id: 'verify/metadata-hidden',
    title: 'verify shows no registration metadata',
    clause: 'register.metadata.returned.verify',
    patch: { file: verifyRules, before: 'metadata: registry.metadata.get(agent) ?? null,', after: 'metadata: null,' },
  },
  {
    id: 'verify/metadata-of-root',
    title: 'verify shows the metadata of the root',
    clause: 'register.metadata.returned.verify',
    patch: {
      file: verifyRules,
      before: 'metadata: registry.metadata.get(agent) ?? null,',
      after: 'metadata: registry.metadata.get(root) ?? null,',
    },
  },
  {
    id: 'verify/root-is-self',
    title: 'the root of an agent is itself',
    clause: 'verify-batch.reply.found',
    patch: {
      file: verifyRules,
      before: 'root: { hash: hashOf(registry, root), registered',
      after: 'root: { hash: hashOf(registry, agent), registered',
    },
  },
  {
    id: 'verify/network-flat',
    title: 'network has only the anchor',
    clause: 'verify-batch.reply.network',
    patch: {
      file: verifyRules,
      before: 'anchor_degraded: anchorDegraded(registry, nowMs),',
      after: 'degraded: anchorDegraded(registry, nowMs),',
    },
  },
  {
    id: 'verify/network-anchor-0',
    title: 'current_anchor_index is 0',
    clause: 'verify-batch.reply.network',
    patch: {
      file: verifyRules,
      before: 'current_anchor_index: Math.max(0, registry.anchorIndex),',
      after: 'current_anchor_index: 0,',
    },
  },
  {
    id: 'verify/passport-text',
    title: 'passport is a text',
    clause: 'verify-batch.reply.passport',
    patch: { file: verifyRules, before: 'passport: null,', after: "passport: 'none'," },
  },
  {
    id: 'verify/passport-unsigned',
    title: 'passport has no signature',
    clause: 'verify-batch.reply.passport',
    patch: {
      file: verifyRules,
      before: 'passport: null,',
      after: 'passport: { agent_hash: hashOf(registry, agent) },',
    },
  },
  {
    id: 'verify/lineage-object',
    title: 'lineage is an object',
    clause: 'verify-batch.reply.lineage',
    patch: {
      file: verifyRules,
      before: 'lineage,\n        root:',
      after: 'lineage: Object.fromEntries(lineage.map((each) => [each.hash, each])),\n        root:',
    },
  },
  {
    id: 'lookups/status-frozen-hidden',
    title: "a frozen agent's beat state is active",
    clause: 'agent.status.values',
    patch: {
      file: statusRules,
      before: 'status: standingOf(registry, agent),\n        hash',
      after:
        "status: standingOf(registry, agent) === 'frozen' ? 'suspended' : standingOf(registry, agent),\n        hash",
    },
  },
  {
    id: 'lookups/status-of-another',
    title: 'status shows the agent that registered before',
    clause: 'status.purpose',
    patch: {
      file: statusRules,
      before: 'hash: hashOf(registry, agent),\n        type',
      after: 'hash: hashOf(registry, Math.max(0, agent - 1)),\n        type',
    },
  },
  {
    id: 'lookups/status-metadata-hidden',
    title: 'status shows no registration metadata',
    clause: 'register.metadata.returned.status',
    patch: { file: statusRules, before: 'metadata: registry.metadata.get(agent) ?? null,', after: 'metadata: null,' },
  },
  {
    id: 'lookups/status-metadata-keys',
    title: 'status shows the keys of metadata',
    clause: 'register.metadata.returned.status',
    patch: {
      file: statusRules,
      before: 'metadata: registry.metadata.get(agent) ?? null,',
      after: 'metadata: registry.metadata.has(agent) ? Object.keys(registry.metadata.get(agent)) : null,',
    },
  },
  {
    id: 'lookups/wallet-shown-empty',
    title: 'an agent without a wallet shows an empty one',
    clause: 'wallet.state.none',
    patch: {
      file: statusRules,
      before: 'wallet: linked ? textOf(registry.wallets, wallet) : null,',
      after: "wallet: linked ? textOf(registry.wallets, wallet) : '',",
    },
  },
  {
    id: 'lookups/chain-shown-without-wallet',
    title: 'an agent without a wallet shows solana',
    clause: 'agent.field.wallet-chain.none',
    patch: {
      file: statusRules,
      before: 'wallet_chain: linked ? walletChains[walletChain[agent]] : null,',
      after: "wallet_chain: linked ? walletChains[walletChain[agent]] : 'solana',",
    },
  },
  {
    id: 'lookups/model-shown-operator',
    title: 'every agent shows an operator wallet',
    clause: 'agent.field.wallet-model',
    patch: {
      file: statusRules,
      before: "wallet_model: linked ? walletModels[walletModel[agent]] : 'self-custody',",
      after: "wallet_model: 'operator',",
    },
  },
  {
    id: 'lookups/type-of-child-for-root',
    title: "a root's type is agent",
    clause: 'agent.field.type',
    patch: {
      file: statusRules,
      before: "registry.protocol.agent.rootDepth ? 'root' : 'agent';",
      after: "registry.protocol.agent.rootDepth ? 'agent' : 'agent';",
    },
  },
  {
    id: 'lookups/frozen-shown-active',
    title: 'a frozen agent is shown active',
    clause: 'dms.freeze',
    patch: {
      file: standingRules,
      before: "status: line.status(agent) === FROZEN ? 'frozen' : 'active',",
      after: "status: 'active',",
    },
  },
  {
    id: 'lookups/beat-count-0',
    title: 'beat_count is 0',
    clause: 'status.purpose',
    patch: { file: standingRules, before: 'beat_count: columns.totalBeats[agent],', after: 'beat_count: 0,' },
  },
  {
    id: 'lookups/beat-status-latest-0',
    title: 'latest_beat is 0',
    clause: 'beat-status.purpose',
    patch: {
      file: beatStatusRules,
      before: 'latest_beat: started ? columns.latestBeat[agent] : null,',
      after: 'latest_beat: started ? 0 : null,',
    },
  },
  {
    id: 'lookups/beat-status-total-0',
    title: 'total_beats is 0',
    clause: 'beat-status.purpose',
    patch: { file: beatStatusRules, before: 'total_beats: columns.totalBeats[agent],', after: 'total_beats: 0,' },
  },
  {
    id: 'beat-status/cap-shown-of-narrow-task',
    title: 'volume_cap is that of narrow_task',
    clause: 'heartbeat.cap.autonomous',
    patch: { file: beatStatusRules, before: 'volume_cap: cap,', after: 'volume_cap: Math.min(cap, 1_000),' },
  },
  {
    id: 'beat-status/cap-shown-of-autonomous',
    title: 'volume_cap is at most 5,000',
    clause: 'heartbeat.cap.orchestrator',
    patch: { file: beatStatusRules, before: 'volume_cap: cap,', after: 'volume_cap: Math.min(cap, 5_000),' },
  },
  {
    id: 'lookups/beat-status-of-another',
    title: 'beat-status shows the agent that registered before',
    clause: 'beat-status.purpose',
    patch: {
      file: beatStatusRules,
      before: 'agent_hash: hashOf(registry, agent),',
      after: 'agent_hash: hashOf(registry, Math.max(0, agent - 1)),',
    },
  },
  {
    id: 'lookups/unknown-found',
    title: 'an unknown agent is the first one',
    clause: 'status.purpose',
    patch: {
      file: lookupEndpoint,
      before: 'if (agent >= 0)\n        return reply(view(agent));',
      after: 'if (agent >= -1)\n        return reply(view(Math.max(0, agent)));',
    },
  },
  {
    id: 'lookups/after-4',
    title: 'agents after the fourth are not found',
    clause: 'status.purpose',
    patch: { file: lookupEndpoint, before: 'if (agent >= 0)', after: 'if (agent >= 0 && agent < 4)' },
  },
  {
    id: 'lookups/anchor-stale',
    title: 'the anchor is not the latest',
    clause: 'beat-anchor.purpose',
    patch: {
      file: beatAnchorEndpoint,
      before: 'const latest = latestAnchor(anchors);',
      after: 'const latest = anchors.ring[0];',
    },
  },
  {
    id: 'lookups/anchor-of-the-past',
    title: 'the anchor is the one before the latest',
    clause: 'beat-anchor.purpose',
    patch: {
      file: beatAnchorEndpoint,
      before: 'const latest = latestAnchor(anchors);',
      after: 'const latest = anchors.ring[Math.max(0, anchors.latestIndex - 1) % anchors.keep];',
    },
  },
  {
    id: 'lookups/beat-verify-always',
    title: 'every chain is valid',
    clause: 'beat-verify.purpose',
    patch: {
      file: beatVerifyEndpoint,
      before: 'return verdictReply(body.mode, valid, beatsChecked, reason);',
      after: 'return verdictReply(body.mode, valid || true, beatsChecked, undefined);',
    },
  },
  {
    id: 'lookups/beat-verify-never',
    title: 'no chain is valid',
    clause: 'beat-verify.purpose',
    patch: {
      file: beatVerifyEndpoint,
      before: 'return verdictReply(body.mode, valid, beatsChecked, reason);',
      after: "return verdictReply(body.mode, valid && false, beatsChecked, 'no');",
    },
  },
  {
    id: 'lookups/beat-verify-links',
    title: 'links of a chain are not checked',
    clause: 'beat-verify.purpose',
    patch: {
      file: beatVerifyBeats,
      before: 'if (before !== undefined && beat.prev !== before.hash)',
      after: "if (before !== undefined && beat.prev === '')",
    },
  },
  {
    id: 'lookups/beat-verify-gaps',
    title: 'gaps of a chain are not checked',
    clause: 'beat-verify.purpose',
    patch: {
      file: beatVerifyBeats,
      before: 'if (before !== undefined && beat.index !== before.index + 1) {',
      after: 'if (before !== undefined && beat.index < before.index) {',
    },
  },
  {
    id: 'lookups/beat-verify-hashes',
    title: 'hashes of a chain are not checked',
    clause: 'beat-verify.purpose',
    patch: {
      file: beatVerifyBeats,
      before: 'if (!checkBeat({ prev, index, nonce, anchorHash, difficulty }, beat.hash)) {',
      after: 'if (!checkBeat({ prev, index, nonce, anchorHash, difficulty }, beat.hash) && index < 0) {',
    },
  },
  {
    id: 'authority-key/key-changes-with-time',
    title: 'passports are signed with the key of the beats service',
    clause: 'auth.passport.offline',
    patch: { file: serviceRules, before: 'signHex: authorityKey.signHex,', after: 'signHex: workProofKey.signHex,' },
  },
  {
    id: 'status/frozen-unknown',
    title: 'a frozen agent is not found',
    clause: 'status.purpose',
    patch: {
      file: lookupEndpoint,
      before: 'if (agent >= 0)',
      after: 'if (agent >= 0 && registry.agents.line.status(agent) !== 2)',
    },
  },
  {
    id: 'verify/sigil-hidden',
    title: 'verify shows no SIGIL',
    clause: 'verify.purpose',
    patch: {
      file: verifyRules,
      before: 'sigil: sigil === null ? null : sigilState(registry, agent, sigil),',
      after: 'sigil: null,',
    },
  },
  {
    id: 'verify/sigil-hidden-in-batches',
    title: 'a result of a batch has no SIGIL',
    clause: 'verify-batch.reply.found',
    patch: {
      file: verifyRules,
      before: 'sigil: sigil === null ? null : sigilState(registry, agent, sigil),',
      after: 'sigil: null,',
    },
  },
  {
    id: 'verify/frozen-unverified',
    title: 'a frozen agent is not verified',
    clause: 'verify-batch.reply.found',
    patch: {
      file: verifyRules,
      before: 'verified: true,',
      after: "verified: standingOf(registry, agent) !== 'frozen',",
    },
  },
  {
    id: 'verify/root-is-parent',
    title: 'the root of an agent is its parent',
    clause: 'lineage.place',
    patch: {
      file: verifyRules,
      before: 'root: { hash: hashOf(registry, root), registered',
      after: 'root: { hash: hashOf(registry, columns.parent[agent] < 0 ? agent : columns.parent[agent]), registered',
    },
  },
  {
    id: 'verify/lineage-of-root-alone',
    title: 'a lineage has the root alone',
    clause: 'verify.purpose',
    patch: {
      file: verifyRules,
      before: 'lineage,\n        root:',
      after: 'lineage: lineage.slice(-1),\n        root:',
    },
  },
  {
    id: 'verify/anchor-one-behind',
    title: 'current_anchor_index is one behind',
    clause: 'verify-batch.reply.network',
    patch: {
      file: verifyRules,
      before: 'current_anchor_index: Math.max(0, registry.anchorIndex),',
      after: 'current_anchor_index: Math.max(0, registry.anchorIndex - 1),',
    },
  },
  {
    id: 'verify/anchor-one-ahead',
    title: 'current_anchor_index is one ahead',
    clause: 'verify-batch.reply.network',
    patch: {
      file: verifyRules,
      before: 'current_anchor_index: Math.max(0, registry.anchorIndex),',
      after: 'current_anchor_index: Math.max(0, registry.anchorIndex) + 1,',
    },
  },
  {
    id: 'verify/metadata-of-latest',
    title: 'verify shows the metadata of the latest agent',
    clause: 'register.metadata.returned.verify',
    patch: {
      file: verifyRules,
      before: 'metadata: registry.metadata.get(agent) ?? null,',
      after: 'metadata: [...registry.metadata.values()].at(-1) ?? null,',
    },
  },
  {
    id: 'status/metadata-of-parent',
    title: 'status shows the metadata of the parent',
    clause: 'register.metadata.returned.status',
    patch: {
      file: statusRules,
      before: 'metadata: registry.metadata.get(agent) ?? null,',
      after: 'metadata: registry.metadata.get(agent) ?? registry.metadata.get(columns.parent[agent]) ?? null,',
    },
  },
  {
    id: 'beat-status/latest-hash-of-genesis',
    title: 'beat-status shows the genesis hash as latest',
    clause: 'beat-status.purpose',
    patch: {
      file: beatStatusRules,
      before: 'latest_hash: started ? latestHash(registry, agent) : null,',
      after: 'latest_hash: started ? genesisHash(hashOf(registry, agent)) : null,',
    },
  },
  {
    id: 'beat-status/frozen-shown-active',
    title: 'beat-status shows a frozen agent as active',
    clause: 'agent.status.values',
    patch: {
      file: beatStatusRules,
      before:
        'const started = line.status(agent) !== REGISTERED;\n    return {\n        status: standingOf(registry, agent),',
      after: "const started = line.status(agent) !== REGISTERED;\n    return {\n        status: 'active',",
    },
  },
  {
    id: 'status/child-as-parent',
    title: 'status of a child is that of its parent',
    clause: 'status.purpose',
    patch: {
      file: statusRules,
      before: 'hash: hashOf(registry, agent),\n        type',
      after: 'hash: hashOf(registry, columns.parent[agent] < 0 ? agent : columns.parent[agent]),\n        type',
    },
  },
  {
    id: 'status/depth-0',
    title: 'every agent is shown at depth 0',
    clause: 'lineage.place',
    patch: { file: statusRules, before: 'depth: line.depth(agent),', after: 'depth: 0,' },
  },
  {
    id: 'verify/child-as-parent',
    title: 'verify of a child is that of its parent',
    clause: 'verify.purpose',
    patch: {
      file: verifyRules,
      before: 'agent: {\n            hash: hashOf(registry, agent),',
      after: 'agent: {\n            hash: hashOf(registry, columns.parent[agent] < 0 ? agent : columns.parent[agent]),',
    },
  },
  {
    id: 'status/unstarted-unknown',
    title: 'status does not know an agent whose chain has not started',
    clause: 'init.independent',
    patch: {
      file: lookupEndpoint,
      before: 'if (agent >= 0)',
      after: 'if (agent >= 0 && registry.agents.columns.initAtMs[agent] !== 0)',
    },
  },
  {
    id: 'verify/metadata-gone-with-sigil',
    title: 'verify leaves the metadata out once there is a SIGIL',
    clause: 'register.metadata.returned.verify',
    patch: {
      file: verifyRules,
      before: 'metadata: registry.metadata.get(agent) ?? null,',
      after: 'metadata: (registry.sigils.has(agent) ? undefined : registry.metadata.get(agent)) ?? null,',
    },
  },
];
