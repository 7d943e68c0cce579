/** Mistakes planted in batches of verifications. */
import type { Mutant } from './mutant.js';

const verifyBatchRules = 'reference/registry/verify-batch';
const standingRules = 'reference/registry/standing';

export const verifyBatchMutants: readonly Mutant[] = [
  {
    id: 'verify-batch/sorted',
    title: 'results are sorted by hash',
    clause: 'verify-batch.reply.order',
    patch: {
      file: verifyBatchRules,
      before: 'const results = hashes.map((hash) => {',
      after: 'const results = [...hashes].sort().map((hash) => {',
    },
  },
  {
    id: 'verify-batch/found-first',
    title: 'found agents come first',
    clause: 'verify-batch.reply.order',
    patch: {
      file: verifyBatchRules,
      before: 'const verified = results.filter((result) => result.verified).length;',
      after:
        'results.sort((one, other) => Number(other.verified) - Number(one.verified));\n    const verified = results.filter((result) => result.verified).length;',
    },
  },
  {
    id: 'verify-batch/missing-dropped',
    title: 'missing agents are left out',
    clause: 'verify-batch.reply.missing',
    patch: {
      file: verifyBatchRules,
      before: 'const verified = results.filter((result) => result.verified).length;',
      after:
        'for (let i = results.length - 1; i >= 0; i -= 1) if (!results[i].verified) results.splice(i, 1);\n    const verified = results.filter((result) => result.verified).length;',
    },
  },
  {
    id: 'verify-batch/missing-null',
    title: 'a missing agent is null',
    clause: 'verify-batch.reply.missing',
    patch: {
      file: verifyBatchRules,
      before: "? { verified: false, hash, error: 'no agent has this hash' }",
      after: "? { verified: null, hash, error: 'no agent has this hash' }",
    },
  },
  {
    id: 'verify-batch/missing-without-hash',
    title: "a missing agent's result does not name it",
    clause: 'verify-batch.reply.missing',
    patch: {
      file: verifyBatchRules,
      before: "? { verified: false, hash, error: 'no agent has this hash' }",
      after: "? { verified: false, error: 'no agent has this hash' }",
    },
  },
  {
    id: 'verify-batch/missing-is-404',
    title: 'a batch with a missing agent is 404',
    clause: 'verify-batch.reply.missing',
    patch: {
      file: verifyBatchRules,
      before: 'const verified = results.filter((result) => result.verified).length;',
      after:
        "if (results.some((result) => !result.verified)) return { ok: false, row: { status: 404, code: 'AGENT_NOT_FOUND', cause: 'missing' } };\n    const verified = results.filter((result) => result.verified).length;",
    },
  },
  {
    id: 'verify-batch/total-of-found',
    title: 'total counts those that were found',
    clause: 'verify-batch.reply.summary',
    patch: {
      file: verifyBatchRules,
      before: 'const summary = { total: results.length, verified, not_found: results.length - verified };',
      after: 'const summary = { total: verified, verified, not_found: results.length - verified };',
    },
  },
  {
    id: 'verify-batch/not-found-0',
    title: 'not_found is 0',
    clause: 'verify-batch.reply.summary',
    patch: {
      file: verifyBatchRules,
      before: 'const summary = { total: results.length, verified, not_found: results.length - verified };',
      after: 'const summary = { total: results.length, verified, not_found: 0 };',
    },
  },
  {
    id: 'verify-batch/verified-exchanged',
    title: 'verified and not_found are exchanged',
    clause: 'verify-batch.reply.summary',
    patch: {
      file: verifyBatchRules,
      before: 'const summary = { total: results.length, verified, not_found: results.length - verified };',
      after: 'const summary = { total: results.length, verified: results.length - verified, not_found: verified };',
    },
  },
  {
    id: 'verify-batch/bad-hash-is-missing',
    title: 'a malformed hash is a missing agent',
    clause: 'verify-batch.error.invalid-hash',
    patch: {
      file: verifyBatchRules,
      before: 'return bad < 0 ? null : refuse',
      after: 'return bad < 0 || bad >= 0 ? null : refuse',
    },
  },
  {
    id: 'verify-batch/first-hash-checked',
    title: 'only the form of the first hash is checked',
    clause: 'verify-batch.error.invalid-hash',
    patch: {
      file: verifyBatchRules,
      before: 'return bad < 0 ? null : refuse',
      after: 'return bad !== 0 ? null : refuse',
    },
  },
  {
    id: 'verify-batch/text-as-list',
    title: 'a text is a list of one',
    clause: 'verify-batch.body.hashes',
    patch: {
      file: verifyBatchRules,
      before: 'const refused = refuseList(registry, hashes);',
      after:
        "const refused = typeof hashes === 'string' ? null : refuseList(registry, hashes);\n    if (typeof hashes === 'string') hashes = [hashes];",
    },
  },
  {
    id: 'verify-batch/cut',
    title: 'more than 50 hashes are cut',
    clause: 'verify-batch.body.hashes',
    patch: {
      file: verifyBatchRules,
      before: 'if (hashes.length > hashesMax)',
      after: 'if (hashes.length > hashesMax && hashes.length < 0)',
    },
  },
  {
    id: 'verify-batch/standing-of-frozen',
    title: 'a frozen agent stands as active',
    clause: 'verify-batch.reply.found',
    patch: {
      file: standingRules,
      before: "case FROZEN:\n            return 'frozen';",
      after: "case FROZEN:\n            return 'active';",
    },
  },
  {
    id: 'verify-batch/empty-taken',
    title: 'an empty batch is answered',
    clause: 'constant.verify-batch-min',
    patch: { file: verifyBatchRules, before: 'if (hashes.length < hashesMin)', after: 'if (hashes.length < 0)' },
  },
  {
    id: 'verify-batch/of-20',
    title: 'a batch holds 20 hashes',
    clause: 'constant.verify-batch-max',
    patch: { file: verifyBatchRules, before: 'if (hashes.length > hashesMax)', after: 'if (hashes.length > 20)' },
  },
  {
    id: 'verify-batch/of-100',
    title: 'a batch holds 100 hashes',
    clause: 'constant.verify-batch-max',
    patch: { file: verifyBatchRules, before: 'if (hashes.length > hashesMax)', after: 'if (hashes.length > 100)' },
  },
  {
    id: 'verify-batch/first-10-found',
    title: 'agents after the tenth place are not found',
    clause: 'verify-batch.reply.order',
    patch: {
      file: verifyBatchRules,
      before: 'return agent < 0',
      after: 'return agent < 0 || hashes.indexOf(hash) > 9',
    },
  },
  {
    id: 'verify-batch/first-10-checked',
    title: 'the form of the first ten hashes is checked',
    clause: 'verify-batch.error.invalid-hash',
    patch: {
      file: verifyBatchRules,
      before: 'return bad < 0 ? null : refuse',
      after: 'return bad < 0 || bad > 9 ? null : refuse',
    },
  },
  {
    id: 'verify-batch/reversed',
    title: 'results come backwards',
    clause: 'verify-batch.reply.order',
    patch: {
      file: verifyBatchRules,
      before: 'const verified = results.filter((result) => result.verified).length;',
      after: 'results.reverse();\n    const verified = results.filter((result) => result.verified).length;',
    },
  },
  {
    id: 'verify-batch/numbers-taken',
    title: 'a number is a hash of nobody',
    clause: 'verify-batch.body.hashes',
    patch: {
      file: verifyBatchRules,
      before: "const bad = hashes.findIndex((hash) => typeof hash !== 'string' || !form.test(hash));",
      after:
        "for (const [place, hash] of hashes.entries()) if (typeof hash === 'number') hashes[place] = `0x${'0'.repeat(64)}`;\n    const bad = hashes.findIndex((hash) => typeof hash !== 'string' || !form.test(hash));",
    },
  },
  {
    id: 'verify-batch/first-agent-for-all',
    title: 'every found agent is shown as the first of the batch',
    clause: 'verify-batch.reply.order',
    patch: {
      file: verifyBatchRules,
      before: ': verify(registry, agent, nowMs);',
      after: ': verify(registry, rowOf(registry, hashes.find((one) => rowOf(registry, one) >= 0)), nowMs);',
    },
  },
  {
    id: 'verify-batch/distinct-50',
    title: 'a batch holds 50 distinct hashes, and any number of equal ones',
    clause: 'verify-batch.error.batch-too-large',
    patch: {
      file: verifyBatchRules,
      before: 'if (hashes.length > hashesMax)',
      after: 'if (new Set(hashes).size > hashesMax)',
    },
  },
  {
    id: 'verify-batch/total-distinct',
    title: 'total counts a hash once that has two results',
    clause: 'verify-batch.reply.summary',
    patch: {
      file: verifyBatchRules,
      before: 'total: results.length, verified',
      after: 'total: new Set(hashes).size, verified',
    },
  },
  {
    id: 'verify-batch/revoked-key-not-verified',
    title: 'an agent whose key was revoked is not verified',
    clause: 'verify-batch.reply.found',
    patch: {
      file: 'reference/registry/verify',
      before: 'verified: true',
      after: 'verified: columns.keyRevoked[agent] === 0',
    },
  },
  {
    id: 'verify-batch/child-without-sigil',
    title: 'a batch shows no SIGIL of a child',
    clause: 'verify-batch.reply.found',
    patch: {
      file: verifyBatchRules,
      before: ': verify(registry, agent, nowMs);',
      after:
        ': ((found) => (found.agent.depth > 0 ? { ...found, sigil: null } : found))(verify(registry, agent, nowMs));',
    },
  },
  {
    id: 'verify-batch/refused-not-verified',
    title: 'an agent under a sustained complaint is not verified',
    clause: 'verify-batch.reply.found',
    patch: {
      file: 'reference/registry/verify',
      before: 'verified: true',
      after: 'verified: line.complaints(agent) === 0',
    },
  },
  {
    id: 'verify-batch/kept-results',
    title: 'the result of an agent in a batch is made once and kept',
    clause: 'verify-batch.reply.network',
    patch: {
      file: 'reference/http/endpoints/verify-batch',
      before: 'const done = verifyBatchRule(registry, body.hashes, nowMs);',
      after:
        'const done = verifyBatchRule(registry, body.hashes, nowMs);\n    if (done.ok) {\n        registry.keptResults ??= new Map();\n        for (const [nth, hash] of body.hashes.entries()) {\n            if (!registry.keptResults.has(hash))\n                registry.keptResults.set(hash, done.results[nth]);\n            done.results[nth] = registry.keptResults.get(hash);\n        }\n    }',
    },
  },
  {
    id: 'verify-batch/more-than-a-hash',
    title: 'what stands after the 64 digits of a hash is passed over',
    clause: 'verify-batch.error.invalid-hash',
    patch: {
      file: 'reference/registry/verify-batch',
      before: 'const form = agentHashPattern(registry.protocol);',
      after: "const form = new RegExp(agentHashPattern(registry.protocol).source.replace(/\\$$/, ''));",
    },
  },
  {
    id: 'verify-batch/sandbox-hidden',
    title: 'agents of the sandbox are not found in a batch',
    clause: 'verify-batch.reply.found',
    patch: {
      file: 'reference/registry/verify-batch',
      before: '        return agent < 0',
      after: "        return agent < 0 || registry.sigils.get(agent)?.tier === 'sbx'",
    },
  },
  {
    id: 'verify-batch/root-is-parent',
    title: 'the root in a batch is the parent',
    clause: 'verify-batch.reply.found',
    patch: {
      file: 'reference/registry/verify-batch',
      before: '            : verify(registry, agent, nowMs);',
      after: '            : withRoot(verify(registry, agent, nowMs));',
      also: [
        {
          file: 'reference/registry/verify-batch',
          before: 'function refuseList(registry, hashes) {',
          after:
            'function withRoot(result) {\n    const { hash, registered } = result.lineage[1] ?? result.lineage[0];\n    return { ...result, root: { hash, registered } };\n}\nfunction refuseList(registry, hashes) {',
        },
      ],
    },
  },
];
