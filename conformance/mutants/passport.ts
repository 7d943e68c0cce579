/** Mistakes planted in passports (2.6): fields, times and signatures. */
import type { Mutant } from './mutant.js';

const passportRules = 'reference/registry/passport';
const passportEndpoint = 'reference/http/endpoints/passport';

export const passportMutants: readonly Mutant[] = [
  {
    id: 'passport/wallet-hidden',
    title: 'agent_public_key is null for every agent',
    clause: 'passport.field.agent-public-key',
    patch: {
      file: passportRules,
      before: 'agent_public_key: wallet < 0 ? null : textOf(registry.wallets, wallet),',
      after: 'agent_public_key: null,',
    },
  },
  {
    id: 'passport/class-narrow',
    title: 'identity_class is narrow_task for all',
    clause: 'passport.field.identity-class',
    patch: {
      file: passportRules,
      before: 'identity_class: identityClassOf(line.identityClass(agent), registry.protocol),',
      after: 'identity_class: identityClassOf(Math.min(1, line.identityClass(agent)), registry.protocol),',
    },
  },
  {
    id: 'passport/class-of-orchestrator',
    title: 'identity_class of an orchestrator is autonomous',
    clause: 'passport.field.identity-class',
    patch: {
      file: passportRules,
      before: 'identity_class: identityClassOf(line.identityClass(agent), registry.protocol),',
      after: 'identity_class: identityClassOf(Math.min(2, line.identityClass(agent)), registry.protocol),',
    },
  },
  {
    id: 'passport/registered-at-0',
    title: 'registered_at_beat is 0 for all',
    clause: 'passport.field.registered-at-beat',
    patch: {
      file: passportRules,
      before: 'registered_at_beat: columns.registeredAtBeat[agent],',
      after: 'registered_at_beat: 0,',
    },
  },
  {
    id: 'passport/registered-with-sigil',
    title: 'registered_at_beat is the beat of the SIGIL',
    clause: 'passport.field.registered-at-beat',
    patch: {
      file: passportRules,
      before: 'registered_at_beat: columns.registeredAtBeat[agent],',
      after: 'registered_at_beat: Math.max(0, sigilAtBeat),',
    },
  },
  {
    id: 'passport/sigil-at-registration',
    title: 'sigil_issued_at_beat is the beat of registration',
    clause: 'passport.field.sigil-issued-at-beat',
    patch: {
      file: passportRules,
      before: 'sigil_issued_at_beat: sigilAtBeat < 0 ? null : sigilAtBeat,',
      after: 'sigil_issued_at_beat: sigilAtBeat < 0 ? null : columns.registeredAtBeat[agent],',
    },
  },
  {
    id: 'passport/sigil-at-0',
    title: 'sigil_issued_at_beat is 0 without a SIGIL',
    clause: 'passport.field.sigil-issued-at-beat',
    patch: {
      file: passportRules,
      before: 'sigil_issued_at_beat: sigilAtBeat < 0 ? null : sigilAtBeat,',
      after: 'sigil_issued_at_beat: Math.max(0, sigilAtBeat),',
    },
  },
  {
    id: 'passport/sigil-of-the-parent',
    title: 'a child without a SIGIL has the sigil_issued_at_beat of its parent',
    clause: 'passport.field.sigil-issued-at-beat',
    patch: {
      file: passportRules,
      before: 'sigil_issued_at_beat: sigilAtBeat < 0 ? null : sigilAtBeat,',
      after:
        'sigil_issued_at_beat: sigilAtBeat >= 0 ? sigilAtBeat : columns.parent[agent] >= 0 && columns.sigilAtBeat[columns.parent[agent]] >= 0 ? columns.sigilAtBeat[columns.parent[agent]] : null,',
    },
  },
  {
    id: 'passport/last-heartbeat-count',
    title: 'last_heartbeat_beat is the number of heartbeats',
    clause: 'passport.field.last-heartbeat-beat',
    patch: {
      file: passportRules,
      before: 'last_heartbeat_beat: Math.max(0, line.lastHeartbeatBeat(agent)),',
      after: 'last_heartbeat_beat: line.totalHeartbeats(agent),',
    },
  },
  {
    id: 'passport/last-heartbeat-now',
    title: 'last_heartbeat_beat is the current beat',
    clause: 'passport.field.last-heartbeat-beat.zero',
    patch: {
      file: passportRules,
      before: 'last_heartbeat_beat: Math.max(0, line.lastHeartbeatBeat(agent)),',
      after: 'last_heartbeat_beat: registry.anchorIndex,',
    },
  },
  {
    id: 'passport/last-heartbeat-null',
    title: 'last_heartbeat_beat is -1 before the first heartbeat',
    clause: 'passport.field.last-heartbeat-beat.zero',
    patch: {
      file: passportRules,
      before: 'last_heartbeat_beat: Math.max(0, line.lastHeartbeatBeat(agent)),',
      after: 'last_heartbeat_beat: line.lastHeartbeatBeat(agent),',
    },
  },
  {
    id: 'passport/last-heartbeat-0',
    title: 'last_heartbeat_beat is always 0',
    clause: 'passport.field.last-heartbeat-beat',
    patch: {
      file: passportRules,
      before: 'last_heartbeat_beat: Math.max(0, line.lastHeartbeatBeat(agent)),',
      after: 'last_heartbeat_beat: 0,',
    },
  },
  {
    id: 'passport/lineage-hash-zero',
    title: 'lineage_chain_hash is one of zeros',
    clause: 'passport.field.lineage-chain-hash',
    patch: {
      file: passportRules,
      before: 'lineage_chain_hash: lineageChainHash(registry, agent),',
      after: "lineage_chain_hash: `0x${'0'.repeat(64)}`,",
    },
  },
  {
    id: 'passport/lineage-hash-of-agent',
    title: "lineage_chain_hash is the agent's hash",
    clause: 'passport.field.lineage-chain-hash',
    patch: {
      file: passportRules,
      before: 'lineage_chain_hash: lineageChainHash(registry, agent),',
      after: 'lineage_chain_hash: hashOf(registry, agent),',
    },
  },
  {
    id: 'passport/issued-in-seconds',
    title: 'issued_at is in seconds',
    clause: 'convention.time.issued-at',
    patch: { file: passportRules, before: 'issued_at: nowMs,', after: 'issued_at: Math.floor(nowMs / 1_000),' },
  },
  {
    id: 'passport/issued-at-hour',
    title: 'issued_at is rounded to the hour',
    clause: 'passport.field.issued-at',
    patch: { file: passportRules, before: 'issued_at: nowMs,', after: 'issued_at: nowMs - (nowMs % HOUR_MS),' },
  },
  {
    id: 'passport/valid-from-last-heartbeat',
    title: 'valid_until counts from the start of the hour',
    clause: 'passport.field.valid-until',
    patch: {
      file: passportRules,
      before: 'valid_until: nowMs + validityHours * HOUR_MS,',
      after: 'valid_until: nowMs - (nowMs % HOUR_MS) + validityHours * HOUR_MS,',
    },
  },
  {
    id: 'passport/signed-without-times',
    title: 'the signature leaves the times out',
    clause: 'passport.signed',
    patch: {
      file: passportRules,
      before: 'authority.signHex(passportText(fields)) };',
      after: 'authority.signHex(passportText({ ...fields, issued_at: undefined, valid_until: undefined })) };',
    },
  },
  {
    id: 'passport/signature-in-base64',
    title: 'the signature is in base64',
    clause: 'passport.field.service-signature',
    patch: {
      file: passportRules,
      before: 'authority.signHex(passportText(fields)) };',
      after: "Buffer.from(authority.signHex(passportText(fields)), 'hex').toString('base64') };",
    },
  },
  {
    id: 'passport/signature-constant',
    title: "the signature is over the agent's hash alone",
    clause: 'passport.signed',
    patch: {
      file: passportRules,
      before: 'authority.signHex(passportText(fields)) };',
      after: 'authority.signHex(fields.agent_hash) };',
    },
  },
  {
    id: 'passport/of-another',
    title: 'a passport names the agent before',
    clause: 'passport.field.agent-hash',
    patch: {
      file: passportRules,
      before: 'agent_hash: hashOf(registry, agent),',
      after: 'agent_hash: hashOf(registry, Math.max(0, agent - 1)),',
    },
  },
  {
    id: 'passport/unsigned',
    title: 'GET /agent/passport prints an unsigned passport',
    clause: 'passport.purpose',
    patch: {
      file: passportEndpoint,
      before: 'return reply({\n        ...printed,',
      after: 'delete printed.passport[dialect.passportSignatureField];\n    return reply({\n        ...printed,',
    },
  },
  {
    id: 'passport/valid-for-a-day-of-the-calendar',
    title: 'a passport ends at midnight',
    clause: 'constant.passport-validity',
    patch: {
      file: passportRules,
      before: 'valid_until: nowMs + validityHours * HOUR_MS,',
      after: 'valid_until: nowMs - (nowMs % (24 * HOUR_MS)) + 24 * HOUR_MS,',
    },
  },
  {
    id: 'passport/wallet-of-parent',
    title: "a child without a wallet has its parent's in its passport",
    clause: 'passport.field.agent-public-key',
    patch: {
      file: passportRules,
      before: 'const wallet = line.wallet(agent);',
      after:
        'const wallet = line.wallet(agent) < 0 && columns.parent[agent] >= 0 ? line.wallet(columns.parent[agent]) : line.wallet(agent);',
    },
  },
  {
    id: 'passport/key-named-otherwise',
    title: 'authority_key_id is not the name of the published key',
    clause: 'passport.field.authority-key-id',
    patch: { file: passportRules, before: 'authority_key_id: keyId,', after: 'authority_key_id: `key-of-1`,' },
  },
  {
    id: 'passport/signed-without-heartbeat',
    title: 'the signature leaves last_heartbeat_beat out',
    clause: 'passport.signed',
    patch: {
      file: passportRules,
      before: 'authority.signHex(passportText(fields)) };',
      after: 'authority.signHex(passportText({ ...fields, last_heartbeat_beat: undefined })) };',
    },
  },
  {
    id: 'passport/signed-without-class',
    title: 'the signature leaves identity_class out',
    clause: 'passport.signed',
    patch: {
      file: passportRules,
      before: 'authority.signHex(passportText(fields)) };',
      after: 'authority.signHex(passportText({ ...fields, identity_class: undefined })) };',
    },
  },
  {
    id: 'passport/format-of-2',
    title: 'format_version of a purchase is 2',
    clause: 'versioning.passport.format',
    patch: { endpoint: 'sigil', set: 'passport.format_version', to: 2 },
  },
  {
    id: 'passport/format-as-text',
    title: 'format_version of a purchase is a text',
    clause: 'versioning.passport.format',
    patch: { endpoint: 'sigil', set: 'passport.format_version', to: '1' },
  },
  {
    id: 'passport/registered-with-parent',
    title: 'registered_at_beat of a child is that of its parent',
    clause: 'passport.field.registered-at-beat',
    patch: {
      file: 'reference/registry/register',
      before: 'columns.registeredAtBeat[agent] = currentBeat(registry);',
      after: 'columns.registeredAtBeat[agent] = parent < 0 ? currentBeat(registry) : columns.registeredAtBeat[parent];',
    },
  },
  {
    id: 'passport/valid-from-anchor',
    title: '24 hours are counted from the latest anchor',
    clause: 'passport.field.valid-until',
    patch: {
      file: passportRules,
      before: 'valid_until: nowMs +',
      after: 'valid_until: registry.anchorAtMs +',
    },
  },
  {
    id: 'passport/beat-lost-at-sigil',
    title: "a purchase takes the last heartbeat's beat away",
    clause: 'passport.field.last-heartbeat-beat',
    patch: {
      file: 'reference/registry/sigil',
      before: 'columns.sigilAtBeat[agent] = currentBeat(registry);',
      after: 'columns.sigilAtBeat[agent] = currentBeat(registry); line.setLastHeartbeatBeat(agent, -1);',
    },
  },
  {
    id: 'passport/no-key-of-operator',
    title: "agent_public_key of an operator's wallet is null",
    clause: 'passport.field.agent-public-key',
    patch: {
      file: passportRules,
      before: 'agent_public_key: wallet < 0 ? null',
      after: 'agent_public_key: wallet < 0 || columns.walletModel[agent] !== 0 ? null',
    },
  },
  {
    id: 'passport/valid-as-the-first',
    title: 'a later passport is valid no longer than the first of its agent',
    clause: 'passport.field.valid-until',
    patch: {
      file: passportRules,
      before: 'valid_until: nowMs + validityHours * HOUR_MS,',
      after:
        'valid_until: ((registry.firstMs ??= new Map()).has(agent) ? registry.firstMs : registry.firstMs.set(agent, nowMs + validityHours * HOUR_MS)).get(agent),',
    },
  },
  {
    id: 'passport/alias-of-the-first',
    title: 'lineage_proof is the first passport of the agent',
    clause: 'passport.alias.identical',
    patch: {
      file: 'reference/http/endpoints/reply-parts',
      before: '{ passport, lineage_proof: passport }',
      after:
        '{ passport, lineage_proof: ((service.registry.firsts ??= new Map()).has(agent) ? service.registry.firsts : service.registry.firsts.set(agent, passport)).get(agent) }',
    },
  },
  {
    id: 'passport/reissue-for-sigils-alone',
    title: 'a child needs a SIGIL for a reissue',
    clause: 'reissue-proof.reprint',
    patch: {
      file: 'reference/registry/reissue-proof',
      before: 'line.identityClass(agent) === 0 && line.depth(agent) === registry.protocol.agent.rootDepth',
      after: 'line.identityClass(agent) === 0',
    },
  },
  {
    id: 'passport/sponsored-reissue',
    title: 'a sponsored child needs no wallet for a reissue',
    clause: 'reissue-proof.byo-wallet',
    patch: {
      file: 'reference/registry/reissue-proof',
      before: '    if (wallet < 0 && registry.policy.byoWallet)',
      after: '    if (wallet < 0 && registry.policy.byoWallet && !hasSponsor(registry, agent, nowMs))',
      also: [
        {
          file: 'reference/registry/reissue-proof',
          before: "import { refuse } from './refusal.js';",
          after: "import { refuse } from './refusal.js';\nimport { hasSponsor } from './sponsored-heartbeat.js';",
        },
      ],
    },
  },
  {
    id: 'passport/reissue-of-orchestrators',
    title: 'an orchestrator reissues for half of the fee',
    clause: 'reissue-proof.error.payment-invalid.amount',
    patch: {
      file: 'reference/registry/reissue-proof',
      before: "    const paid = validPayment(registry, 'reissue-proof', payment, feeLamports);",
      after:
        "    const due = line.identityClass(agent) === 3 && typeof payment === 'object' && payment.lamports < feeLamports ? payment.lamports : feeLamports;\n    const paid = validPayment(registry, 'reissue-proof', payment, due);",
    },
  },
  {
    id: 'passport/reading-is-a-generation',
    title: 'reading the passport starts another generation',
    clause: 'metadata.field.generation-trigger.counter',
    patch: {
      file: 'reference/http/endpoints/passport',
      before: '    const printed = passportReply(service, agent, nowMs);',
      after:
        '    const sigil = registry.sigils.get(agent);\n    if (sigil !== undefined) sigil.generation += 1;\n    const printed = passportReply(service, agent, nowMs);',
    },
  },
];
