/** Mistakes planted in POST /agent/init, by which a beat chain starts. */
import type { Mutant } from './mutant.js';

const initRules = 'reference/registry/init';
const initEndpoint = 'reference/http/endpoints/init';
const initSchema = 'spec/endpoints/init';
const lookupEndpoint = 'reference/http/endpoints/lookup';

export const initMutants: readonly Mutant[] = [
  {
    id: 'init/status-kept',
    title: 'init leaves the agent registered',
    clause: 'init.transition.active',
    patch: { file: initRules, before: 'line.setStatus(input.agent, ACTIVE);', after: 'void ACTIVE;' },
  },
  {
    id: 'init/repeat-is-life',
    title: 'a repeated init counts as life',
    clause: 'dms.freeze',
    patch: {
      file: initRules,
      before: 'return { ok: true, started: false };',
      after: '{ line.setLastSyncAnchor(input.agent, registry.anchorIndex); return { ok: true, started: false }; }',
    },
  },
  {
    id: 'init/repeat-unfreezes',
    title: 'a repeated init makes a frozen agent active',
    clause: 'init.idempotent',
    patch: {
      file: initRules,
      before: 'return { ok: true, started: false };',
      after: '{ line.setStatus(input.agent, ACTIVE); return { ok: true, started: false }; }',
    },
  },
  {
    id: 'init/repeat-starts-anew',
    title: 'a repeated init is answered as the first one',
    clause: 'init.reply.already-initialized',
    patch: {
      file: initRules,
      before: 'return { ok: true, started: false };',
      after: 'return { ok: true, started: true };',
    },
  },
  {
    id: 'init/repeat-clears-credit',
    title: 'a repeated init sets the beats to 0',
    clause: 'init.idempotent',
    patch: {
      file: initRules,
      before: 'return { ok: true, started: false };',
      after:
        '{ columns.totalBeats[input.agent] = 0; columns.latestBeat[input.agent] = 0; registry.latestHashes.delete(input.agent); return { ok: true, started: false }; }',
    },
  },
  {
    id: 'init/races',
    title: 'init sees a moment later that it has been made',
    clause: 'init.idempotent',
    patch: {
      file: initRules,
      before: 'line.setStatus(input.agent, ACTIVE);',
      after: 'setImmediate(() => line.setStatus(input.agent, ACTIVE));',
    },
  },
  {
    id: 'init/repeat-refused',
    title: 'a repeated init is refused',
    clause: 'init.transition.repeat',
    patch: {
      file: initEndpoint,
      before: 'return reply({\n        ok: true,\n        already_initialized: true,',
      after:
        "return { ok: false, row: { status: 409, code: 'AGENT_WRONG_STATE', cause: 'started' } };\n    return reply({\n        ok: true,\n        already_initialized: true,",
    },
  },
  {
    id: 'init/repeat-shows-latest-as-genesis',
    title: 'a repeated init shows the latest hash as genesis',
    clause: 'init.transition.repeat',
    patch: {
      file: initEndpoint,
      before: 'genesis_hash: genesis,',
      after: 'genesis_hash: latestHash(registry, agent),',
    },
  },
  {
    id: 'init/repeat-shows-no-beats',
    title: 'a repeated init shows 0 beats',
    clause: 'init.transition.repeat',
    patch: { file: initEndpoint, before: 'total_beats: columns.totalBeats[agent],', after: 'total_beats: 0,' },
  },
  {
    id: 'init/repeat-shows-genesis-hash',
    title: 'a repeated init shows the genesis hash as latest',
    clause: 'init.transition.repeat',
    patch: { file: initEndpoint, before: 'latest_hash: latestHash(registry, agent),', after: 'latest_hash: genesis,' },
  },
  {
    id: 'init/repeat-shows-genesis-beat',
    title: 'a repeated init shows the genesis beat as latest',
    clause: 'init.transition.repeat',
    patch: {
      file: initEndpoint,
      before: 'latest_beat: columns.latestBeat[agent],',
      after: 'latest_beat: genesisIndex,',
    },
  },
  {
    id: 'init/timestamp-in-seconds',
    title: 'the genesis timestamp is in seconds',
    clause: 'init.reply.genesis.timestamp',
    patch: {
      file: initEndpoint,
      before: 'timestamp: columns.initAtMs[agent] },',
      after: 'timestamp: Math.floor(columns.initAtMs[agent] / 1_000) },',
    },
  },
  {
    id: 'init/timestamp-of-registration',
    title: 'the genesis timestamp is the time of registration',
    clause: 'init.reply.genesis.timestamp',
    patch: {
      file: initEndpoint,
      before: 'timestamp: columns.initAtMs[agent] },',
      after: 'timestamp: columns.registeredAtMs[agent] },',
    },
  },
  {
    id: 'init/one-genesis',
    title: 'the genesis that init shows is not that of the chain',
    clause: 'init.reply.again',
    patch: {
      file: initEndpoint,
      before: 'const genesis = genesisHash(agentHash);',
      after: "const genesis = genesisHash('');",
    },
  },
  {
    id: 'init/prev-is-hash',
    title: 'prev of the genesis is its own hash',
    clause: 'init.reply.genesis.prev',
    patch: { file: initEndpoint, before: 'prev: ZERO_HASH,', after: 'prev: genesis,' },
  },
  {
    id: 'init/prev-empty',
    title: 'prev of the genesis is empty',
    clause: 'init.reply.genesis.prev',
    patch: { file: initEndpoint, before: 'prev: ZERO_HASH,', after: "prev: ''," },
  },
  {
    id: 'init/hash-of-another',
    title: 'init shows another agent',
    clause: 'init.reply.agent-hash',
    patch: {
      file: initEndpoint,
      before: 'const agentHash = hashOf(registry, agent);',
      after: 'const agentHash = hashOf(registry, Math.max(0, agent - 1));',
    },
  },
  {
    id: 'init/reply-wrapped',
    title: 'the reply of init is nested in an object',
    clause: 'init.reply',
    patch: {
      file: initEndpoint,
      before: 'return reply({\n            agent_hash: agentHash,\n            genesis:',
      after: 'return reply({\n            agent: agentHash,\n            genesis_block:',
    },
  },
  {
    id: 'init/body-wanted',
    title: 'init wants the agent hash in its body',
    clause: 'init.body',
    patch: {
      file: initSchema,
      before: 'body: () => z.object({}),',
      after: 'body: () => z.object({ agent_hash: z.string() }),',
    },
  },
  {
    id: 'init/unseen-before',
    title: 'an agent is not found before its init',
    clause: 'init.independent',
    patch: {
      file: lookupEndpoint,
      before: 'if (agent >= 0)',
      after: 'if (agent >= 0 && registry.agents.line.status(agent) !== 0)',
    },
  },
  {
    id: 'init/difficulty-of-100',
    title: 'the difficulty that init shows is ten times that of the chain',
    clause: 'constant.beats-difficulty',
    patch: {
      file: initEndpoint,
      before: "difficulty,\n            status: 'active',",
      after: "difficulty: difficulty * 10,\n            status: 'active',",
    },
  },
  {
    id: 'init/every-second-refused',
    title: 'every second agent gets no chain',
    clause: 'service.beat-chain',
    patch: {
      file: initEndpoint,
      before: 'const { started } = initRule(registry, { agent }, nowMs);',
      after:
        "if (agent % 2 === 0) return { ok: false, row: { status: 409, code: 'CHAIN_EXISTS', cause: 'there is a chain' } };\n    const { started } = initRule(registry, { agent }, nowMs);",
    },
  },
  {
    id: 'init/children-refused',
    title: 'a child starts no chain',
    clause: 'spawn.child.init',
    patch: {
      file: initEndpoint,
      before: 'const { started } = initRule(registry, { agent }, nowMs);',
      after:
        "if (registry.agents.line.depth(agent) > 0) return { ok: false, row: { status: 403, code: 'FORBIDDEN', cause: 'a child' } };\n    const { started } = initRule(registry, { agent }, nowMs);",
    },
  },
  {
    id: 'init/repeat-of-frozen-active',
    title: 'a repeated init shows a frozen agent as active',
    clause: 'agent.status.values',
    patch: {
      file: initEndpoint,
      before: "status: line.status(agent) === FROZEN ? 'frozen' : 'active',",
      after: "status: 'active',",
    },
  },
  {
    id: 'init/repeat-of-frozen-refused',
    title: 'a repeated init of a frozen agent is refused',
    clause: 'init.transition.repeat',
    patch: {
      file: initEndpoint,
      before: 'return reply({\n        ok: true,\n        already_initialized: true,',
      after:
        "if (line.status(agent) === FROZEN) return { ok: false, row: { status: 403, code: 'AGENT_FROZEN', cause: 'frozen' } };\n    return reply({\n        ok: true,\n        already_initialized: true,",
    },
  },
  {
    id: 'init/repeat-shows-first-credit',
    title: 'a repeated init shows the beats of the first submission',
    clause: 'init.transition.repeat',
    patch: {
      file: initEndpoint,
      before: 'total_beats: columns.totalBeats[agent],',
      after: 'total_beats: Math.min(3, columns.totalBeats[agent]),',
    },
  },
  {
    id: 'init/genesis-now',
    title: 'a chain is dated by the anchor before it',
    clause: 'init.reply.genesis.timestamp',
    patch: {
      file: initRules,
      before: 'columns.initAtMs[input.agent] = nowMs;',
      after: 'columns.initAtMs[input.agent] = Math.max(0, registry.anchorAtMs - 60_000);',
    },
  },
  {
    id: 'init/freeze-takes-beats',
    title: 'a freeze takes the beats of the chain away',
    clause: 'init.transition.repeat',
    patch: {
      file: 'reference/registry/dead-man-switch',
      before: 'line.setStatus(row, FROZEN);',
      after: 'line.setStatus(row, FROZEN); columns.totalBeats[row] = 0;',
    },
  },
  {
    id: 'init/registers-again',
    title: 'init makes its own beat that of the registration',
    clause: 'passport.field.registered-at-beat',
    patch: {
      file: 'reference/registry/init',
      before: '    columns.initAtMs[input.agent] = nowMs;',
      after:
        '    columns.initAtMs[input.agent] = nowMs;\n    columns.registeredAtBeat[input.agent] = currentBeat(registry);',
      also: [
        {
          file: 'reference/registry/init',
          before: 'import { ACTIVE, REGISTERED }',
          after: 'import { ACTIVE, currentBeat, REGISTERED }',
        },
      ],
    },
  },
];
