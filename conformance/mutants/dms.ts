/** Mistakes planted in the Dead Man's Switch: who is frozen, when, and what that forbids. */
import type { Mutant } from './mutant.js';

const deadManSwitchRules = 'reference/registry/dead-man-switch';
const heartbeatRules = 'reference/registry/heartbeat';

export const dmsMutants: readonly Mutant[] = [
  {
    id: 'dms/off',
    title: 'nobody is ever frozen',
    clause: 'dms.freeze',
    patch: { file: deadManSwitchRules, before: 'if (missed[i] > missedAnchorsMax)', after: 'if (missed[i] > 1e9)' },
  },
  {
    id: 'dms/roots-only',
    title: 'only roots are frozen',
    clause: 'dms.freeze',
    patch: {
      file: deadManSwitchRules,
      before: 'if (missed[i] > missedAnchorsMax)',
      after: 'if (missed[i] > missedAnchorsMax && registry.agents.line.depth(row) === 0)',
    },
  },
  {
    id: 'dms/from-init-only',
    title: 'an agent that has sent a heartbeat is never frozen',
    clause: 'dms.freeze',
    patch: {
      file: deadManSwitchRules,
      before: 'if (missed[i] > missedAnchorsMax)',
      after: 'if (missed[i] > missedAnchorsMax && registry.agents.line.totalHeartbeats(row) === 0)',
    },
  },
  {
    id: 'dms/after-heartbeat-only',
    title: 'an agent that never sent a heartbeat is never frozen',
    clause: 'dms.freeze',
    patch: {
      file: deadManSwitchRules,
      before: 'if (missed[i] > missedAnchorsMax)',
      after: 'if (missed[i] > missedAnchorsMax && registry.agents.line.totalHeartbeats(row) > 0)',
    },
  },
  {
    id: 'dms/orchestrators-spared',
    title: 'orchestrators are not frozen',
    clause: 'dms.freeze',
    patch: {
      file: deadManSwitchRules,
      before: 'if (missed[i] > missedAnchorsMax)',
      after: 'if (missed[i] > missedAnchorsMax && registry.agents.line.identityClass(row) !== 3)',
    },
  },
  {
    id: 'dms/counts-from-init',
    title: 'anchors are counted from the start of the chain, heartbeats or not',
    clause: 'dms.freeze',
    patch: {
      file: deadManSwitchRules,
      before: 'if (missed[i] > missedAnchorsMax)',
      after:
        'if (missed[i] > missedAnchorsMax || registry.anchorIndex * 60_000 - (registry.agents.columns.initAtMs[row] - registry.genesisMs) > (missedAnchorsMax * 5 / 3) * 60_000)',
    },
  },
  {
    id: 'dms/status-kept',
    title: 'agent.frozen is sent and the agent stays active',
    clause: 'dms.freeze',
    patch: { file: deadManSwitchRules, before: 'line.setStatus(row, FROZEN);', after: 'void FROZEN;' },
  },
  {
    id: 'dms/sponsorships-kept',
    title: 'a freeze leaves sponsorships',
    clause: 'dms.freeze.sponsorships',
    patch: {
      file: deadManSwitchRules,
      before: 'if (registry.sponsorships.byChild.size > 0)',
      after: 'if (registry.sponsorships.byChild.size > 1e9)',
    },
  },
  {
    id: 'dms/event-missing',
    title: 'agent.frozen is not sent',
    clause: 'event.agent-frozen',
    patch: {
      file: deadManSwitchRules,
      before: "emit(registry, 'agent.frozen', row, nowMs, {",
      after: "if (row < 0) emit(registry, 'agent.frozen', row, nowMs, {",
    },
    deployment: 'webhooks',
  },
  {
    id: 'dms/event-first-freeze-only',
    title: 'agent.frozen is sent once for each agent',
    clause: 'event.agent-frozen',
    patch: {
      file: deadManSwitchRules,
      before: "emit(registry, 'agent.frozen', row, nowMs, {",
      after:
        "if ((registry.toldFrozen ??= new Set()).has(row)) return;\n    registry.toldFrozen.add(row);\n    emit(registry, 'agent.frozen', row, nowMs, {",
    },
    deployment: 'webhooks',
  },
  {
    id: 'dms/event-roots-only',
    title: 'agent.frozen is not sent for a child',
    clause: 'event.agent-frozen',
    patch: {
      file: deadManSwitchRules,
      before: "emit(registry, 'agent.frozen', row, nowMs, {",
      after: "if (line.depth(row) === 0) emit(registry, 'agent.frozen', row, nowMs, {",
    },
    deployment: 'webhooks',
  },
  {
    id: 'dms/unfrozen-event-missing',
    title: 'agent.unfrozen is not sent',
    clause: 'event.agent-unfrozen',
    patch: {
      file: deadManSwitchRules,
      before: "emit(registry, 'agent.unfrozen', row, nowMs, { gap_anchors",
      after: "if (row < 0) emit(registry, 'agent.unfrozen', row, nowMs, { gap_anchors",
    },
    deployment: 'webhooks',
  },
  {
    id: 'dms/unfrozen-event-name',
    title: 'a resync is sent as agent.resynced',
    clause: 'event.agent-unfrozen',
    patch: {
      file: deadManSwitchRules,
      before: "emit(registry, 'agent.unfrozen', row, nowMs, { gap_anchors",
      after: "emit(registry, 'agent.resynced', row, nowMs, { gap_anchors",
    },
    deployment: 'webhooks',
  },
  {
    id: 'dms/never-again',
    title: 'an agent that came back is never frozen again',
    clause: 'dms.freeze',
    patch: {
      file: deadManSwitchRules,
      before: 'columns.frozenAtBeat[row] = -1;\n    armDeadManSwitch(registry, row);',
      after: 'columns.frozenAtBeat[row] = -1;\n    line.setLastSyncAnchor(row, registry.anchorIndex);',
    },
  },
  {
    id: 'dms/sync-kept',
    title: 'a resync does not move the last sign of life',
    clause: 'resync.transition.last-global-sync',
    patch: {
      file: deadManSwitchRules,
      before: 'line.setStatus(row, ACTIVE);\n    columns.frozenAtBeat[row] = -1;\n    armDeadManSwitch(registry, row);',
      after: 'line.setStatus(row, ACTIVE);\n    columns.frozenAtBeat[row] = -1;',
    },
  },
  {
    id: 'dms/ten-at-once',
    title: 'ten agents are frozen at an anchor at most',
    clause: 'dms.freeze',
    patch: {
      file: deadManSwitchRules,
      before: 'frozen.push(row);',
      after: '{ if (frozen.length < 10) frozen.push(row); else scheduleFreeze(registry, row); }',
    },
  },
  {
    id: 'dms/half-as-patient',
    title: 'agents are frozen 30 anchors too early',
    clause: 'constant.dms-threshold',
    patch: {
      file: deadManSwitchRules,
      before: 'const deadline = registry.agents.line.lastSyncAnchor(row) + registry.protocol.dms.missedAnchorsMax + 1;',
      after:
        'registry.agents.line.setLastSyncAnchor(row, registry.agents.line.lastSyncAnchor(row) - 30);\n    const deadline = registry.agents.line.lastSyncAnchor(row) + registry.protocol.dms.missedAnchorsMax + 1;',
    },
  },
  {
    id: 'dms/looks-every-100',
    title: 'agents are frozen 39 anchors too late',
    clause: 'service.dms',
    patch: {
      file: deadManSwitchRules,
      before: 'const deadline = registry.agents.line.lastSyncAnchor(row) + registry.protocol.dms.missedAnchorsMax + 1;',
      after: 'const deadline = registry.agents.line.lastSyncAnchor(row) + registry.protocol.dms.missedAnchorsMax + 40;',
    },
  },
  {
    id: 'dms/frozen-event-without-freeze-name',
    title: 'a freeze is sent as agent.stopped',
    clause: 'dms.freeze.event',
    patch: {
      file: deadManSwitchRules,
      before: "emit(registry, 'agent.frozen', row, nowMs, {",
      after: "emit(registry, 'agent.stopped', row, nowMs, {",
    },
    deployment: 'webhooks',
  },
  {
    id: 'dms/refused-heartbeat',
    title: 'a heartbeat without a payment is a sign of life',
    clause: 'dms.freeze',
    patch: {
      file: heartbeatRules,
      before: "return refuse('heartbeat/PAYMENT_REQUIRED');",
      after: "{ line.setLastSyncAnchor(agent, registry.anchorIndex); return refuse('heartbeat/PAYMENT_REQUIRED'); }",
    },
  },
  {
    id: 'dms/birth-counts',
    title: 'the birth of a child counts as a heartbeat of its parent',
    clause: 'dms.freeze',
    patch: {
      file: 'reference/registry/register-child',
      before: 'spendOneTime(registry, authorization);',
      after:
        'spendOneTime(registry, authorization); registry.agents.line.setLastSyncAnchor(parent, registry.anchorIndex);',
    },
  },
  {
    id: 'dms/resync-of-active-counts',
    title: 'a resync that is refused for want of a freeze counts as a heartbeat',
    clause: 'dms.freeze',
    patch: {
      file: 'reference/registry/resync',
      before: "if (registry.agents.line.status(agent) !== FROZEN)\n        return refuse('resync/AGENT_WRONG_STATE');",
      after:
        "if (registry.agents.line.status(agent) !== FROZEN) { registry.agents.line.setLastSyncAnchor(agent, registry.anchorIndex); return refuse('resync/AGENT_WRONG_STATE'); }",
    },
  },
  {
    id: 'dms/frozen-child-heartbeats',
    title: 'a frozen child with a wallet of its own sends heartbeats',
    clause: 'dms.freeze.heartbeats',
    patch: {
      file: heartbeatRules,
      before: 'if (status === FROZEN)',
      after: 'if (status === FROZEN && line.depth(agent) === registry.protocol.agent.rootDepth)',
    },
  },
  {
    id: 'dms/malformed-heartbeat-counts',
    title: 'a heartbeat whose body is refused keeps its agent alive',
    clause: 'dms.freeze',
    patch: {
      file: 'reference/http/request/route',
      before: '    if (parsed !== undefined && !parsed.ok)\n        return parsed;',
      after:
        "    if (parsed !== undefined && !parsed.ok) {\n        const { agents, anchorIndex } = host.service.registry;\n        if (endpoint.stem === 'heartbeat' && agent >= 0) agents.line.setLastSyncAnchor(agent, anchorIndex);\n        return parsed;\n    }",
    },
  },
  {
    id: 'dms/sponsorship-comes-back',
    title: 'the sponsorships of a child that froze are active again after its resync',
    clause: 'sponsor.transition.frozen.child',
    patch: {
      file: 'reference/registry/sponsor',
      before: '    revokeOfChild(registry, agent, nowMs);',
      after:
        '    for (const each of registry.sponsorships.byChild.get(agent) ?? []) {\n        if (isActive(each, nowMs))\n            paused.add(each);\n    }\n    revokeOfChild(registry, agent, nowMs);',
      also: [
        {
          file: 'reference/registry/sponsor',
          before: 'const HOUR_MS = 3_600_000;',
          after:
            "const HOUR_MS = 3_600_000;\nconst paused = new WeakSet();\nexport function resumeOfChild(registry, agent) {\n    for (const each of registry.sponsorships.byChild.get(agent) ?? []) {\n        if (paused.delete(each) && each.state === 'revoked')\n            each.state = 'active';\n    }\n}",
        },
        {
          file: 'reference/registry/dead-man-switch',
          before: 'import { revokeOnFreeze }',
          after: 'import { resumeOfChild, revokeOnFreeze }',
        },
        {
          file: 'reference/registry/dead-man-switch',
          before: '    columns.frozenAtBeat[row] = -1;',
          after: '    columns.frozenAtBeat[row] = -1;\n    resumeOfChild(registry, row);',
        },
      ],
    },
  },
  {
    id: 'dms/deep-heartbeats-missed',
    title: "the heartbeats of a child's child do not count",
    clause: 'dms.freeze',
    patch: {
      file: 'reference/registry/heartbeat',
      before: '    line.setLastSyncAnchor(agent, registry.anchorIndex);',
      after: '    if (line.depth(agent) < 2)\n        line.setLastSyncAnchor(agent, registry.anchorIndex);',
    },
  },
  {
    id: 'dms/generation-lost',
    title: 'a resync starts the generation of a SIGIL anew',
    clause: 'metadata.field.generation-trigger.counter',
    patch: {
      file: 'reference/registry/dead-man-switch',
      before: 'line.setStatus(row, ACTIVE);',
      after:
        'line.setStatus(row, ACTIVE);\n    const sigil = registry.sigils.get(row);\n    if (sigil !== undefined)\n        sigil.generation = registry.protocol.metadata.generationStart;',
    },
  },
  {
    id: 'dms/anchor-of-the-client',
    title: 'missed anchors count from an earlier global_anchor that a heartbeat names',
    clause: 'heartbeat.body.global-anchor.own-value',
    patch: {
      file: 'reference/registry/heartbeat',
      before: 'line.setLastSyncAnchor(agent, registry.anchorIndex);',
      after:
        'const named = input.globalAnchor;\n    const earlier = named !== undefined && named <= registry.anchorIndex && named >= line.lastSyncAnchor(agent);\n    line.setLastSyncAnchor(agent, earlier ? named : registry.anchorIndex);',
      also: [
        {
          file: 'reference/http/endpoints/heartbeat',
          before: '{ agent, payment: payment(body.payment_tx) }',
          after: '{ agent, payment: payment(body.payment_tx), globalAnchor: body.global_anchor }',
        },
      ],
    },
  },
  {
    id: 'dms/refused-sender-counts',
    title: 'a heartbeat that is refused for its sender counts as life',
    clause: 'dms.freeze',
    patch: {
      file: 'reference/registry/heartbeat',
      before: 'if (!charged.ok)\n            return charged;',
      after:
        'if (!charged.ok) {\n            line.setLastSyncAnchor(agent, registry.anchorIndex);\n            return charged;\n        }',
    },
  },
  {
    id: 'dms/reissue-of-child-is-life',
    title: 'a reissue counts as a heartbeat of a child',
    clause: 'dms.freeze',
    patch: {
      file: 'reference/registry/reissue-proof',
      before: '    usePayment(registry, paid);',
      after:
        '    if (line.depth(agent) > 0)\n        line.setLastSyncAnchor(agent, registry.anchorIndex);\n    usePayment(registry, paid);',
    },
  },
  {
    id: 'dms/link-is-life',
    title: 'the link of a wallet counts as a heartbeat',
    clause: 'dms.freeze',
    patch: {
      file: 'reference/registry/wallet',
      before: '    spendOneTime(registry, nonce);',
      after:
        '    spendOneTime(registry, nonce);\n    if (registry.agents.line.status(agent) === 1)\n        registry.agents.line.setLastSyncAnchor(agent, registry.anchorIndex);',
    },
  },
  {
    id: 'dms/living-parent',
    title: 'a child is not frozen while its parent has a SIGIL',
    clause: 'dms.freeze',
    patch: {
      file: 'reference/registry/dead-man-switch',
      before: 'if (missed[i] > missedAnchorsMax)',
      after:
        'if (missed[i] > missedAnchorsMax && !(registry.agents.columns.parent[row] >= 0 && registry.agents.columns.sigilAtBeat[registry.agents.columns.parent[row]] >= 0))',
    },
  },
];
