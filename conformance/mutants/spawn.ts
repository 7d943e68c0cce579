/** Mistakes of spawning: what a child costs, and the steps that make it. */
import type { Mutant } from './mutant.js';

const spawnCostRules = 'reference/registry/spawn-cost';
const spawnRules = 'reference/registry/spawn';
const spawnEndpoint = 'reference/http/endpoints/spawn';
const spawnSchema = 'spec/endpoints/spawn';
const receiptUseRules = 'reference/registry/receipt-use';
const registerChildRules = 'reference/registry/register-child';
const initRules = 'reference/registry/init';
const heartbeatRules = 'reference/registry/heartbeat';
const sigilRules = 'reference/registry/sigil';

export const spawnMutants: readonly Mutant[] = [
  {
    id: 'spawn/depth-floored-first',
    title: 'the powers are floored first',
    clause: 'spawn.cost.depth',
    patch: {
      file: spawnCostRules,
      before: 'const depthCost = raise(BigInt(baseBeats), depthFactorNumerator, depthFactorDenominator, depth);',
      after: 'const depthCost = BigInt(baseBeats) * raise(1n, depthFactorNumerator, depthFactorDenominator, depth);',
    },
  },
  {
    id: 'spawn/siblings-floored-first',
    title: 'the power of siblings is floored first',
    clause: 'spawn.cost.siblings',
    patch: {
      file: spawnCostRules,
      before: 'const cost = raise(depthCost, siblingFactorNumerator, siblingFactorDenominator, siblings);',
      after: 'const cost = depthCost * raise(1n, siblingFactorNumerator, siblingFactorDenominator, siblings);',
    },
  },
  {
    id: 'spawn/depth-linear',
    title: 'the cost grows linearly with depth',
    clause: 'spawn.cost.depth',
    patch: {
      file: spawnCostRules,
      before: 'const depthCost = raise(BigInt(baseBeats), depthFactorNumerator, depthFactorDenominator, depth);',
      after: 'const depthCost = BigInt(baseBeats + 500 * depth);',
    },
  },
  {
    id: 'spawn/siblings-linear',
    title: 'the cost grows linearly with siblings',
    clause: 'spawn.cost.siblings',
    patch: {
      file: spawnCostRules,
      before: 'const cost = raise(depthCost, siblingFactorNumerator, siblingFactorDenominator, siblings);',
      after: 'const cost = depthCost + (depthCost * 2n * BigInt(siblings)) / 10n;',
    },
  },
  {
    id: 'spawn/siblings-to-3',
    title: 'siblings past the third cost nothing more',
    clause: 'spawn.cost.siblings',
    patch: {
      file: spawnCostRules,
      before: 'const cost = raise(depthCost, siblingFactorNumerator, siblingFactorDenominator, siblings);',
      after: 'const cost = raise(depthCost, siblingFactorNumerator, siblingFactorDenominator, Math.min(siblings, 3));',
    },
  },
  {
    id: 'spawn/siblings-to-2',
    title: 'siblings past the second cost nothing more',
    clause: 'spawn.cost.siblings',
    patch: {
      file: spawnCostRules,
      before: 'const cost = raise(depthCost, siblingFactorNumerator, siblingFactorDenominator, siblings);',
      after: 'const cost = raise(depthCost, siblingFactorNumerator, siblingFactorDenominator, Math.min(siblings, 2));',
    },
  },
  {
    id: 'spawn/depth-to-2',
    title: 'depths past 2 cost nothing more',
    clause: 'spawn.cost.depth',
    patch: {
      file: spawnCostRules,
      before: 'const depthCost = raise(BigInt(baseBeats), depthFactorNumerator, depthFactorDenominator, depth);',
      after:
        'const depthCost = raise(BigInt(baseBeats), depthFactorNumerator, depthFactorDenominator, Math.min(depth, 2));',
    },
  },
  {
    id: 'spawn/depth-to-4',
    title: 'depths past 4 cost nothing more',
    clause: 'spawn.cost.depth',
    patch: {
      file: spawnCostRules,
      before: 'const depthCost = raise(BigInt(baseBeats), depthFactorNumerator, depthFactorDenominator, depth);',
      after:
        'const depthCost = raise(BigInt(baseBeats), depthFactorNumerator, depthFactorDenominator, Math.min(depth, 4));',
    },
  },
  {
    id: 'spawn/rounded-up',
    title: 'costs are rounded up',
    clause: 'spawn.cost.siblings',
    patch: {
      file: spawnCostRules,
      before: 'const cost = raise(depthCost, siblingFactorNumerator, siblingFactorDenominator, siblings);',
      after:
        'const cost = raise(depthCost, siblingFactorNumerator, siblingFactorDenominator, siblings) + ((depthCost * BigInt(siblingFactorNumerator) ** BigInt(siblings)) % BigInt(siblingFactorDenominator) ** BigInt(siblings) > 0n ? 1n : 0n);',
    },
  },
  {
    id: 'spawn/depth-not-floored',
    title: 'the cost of depth is not floored before that of siblings',
    clause: 'spawn.cost.siblings',
    patch: {
      file: spawnCostRules,
      before: 'const cost = raise(depthCost, siblingFactorNumerator, siblingFactorDenominator, siblings);',
      after:
        'const cost = (BigInt(baseBeats) * BigInt(depthFactorNumerator) ** BigInt(depth) * BigInt(siblingFactorNumerator) ** BigInt(siblings)) / (BigInt(depthFactorDenominator) ** BigInt(depth) * BigInt(siblingFactorDenominator) ** BigInt(siblings));',
    },
  },
  {
    id: 'spawn/cost-0-1',
    title: 'a second root child costs 1,250',
    clause: 'spawn.cost.check.0-1',
    patch: {
      file: spawnCostRules,
      before: 'return cost > BigInt(Number.MAX_SAFE_INTEGER) ? null : Number(cost);',
      after: 'return depth === 0 && siblings === 1 ? 1_250 : Number(cost);',
    },
  },
  {
    id: 'spawn/cost-1-0',
    title: 'a first grandchild costs 1,501',
    clause: 'spawn.cost.check.1-0',
    patch: {
      file: spawnCostRules,
      before: 'return cost > BigInt(Number.MAX_SAFE_INTEGER) ? null : Number(cost);',
      after: 'return depth === 1 && siblings === 0 ? 1_501 : Number(cost);',
    },
  },
  {
    id: 'spawn/cost-1-1',
    title: 'a second grandchild costs 1,700',
    clause: 'spawn.cost.check.1-1',
    patch: {
      file: spawnCostRules,
      before: 'return cost > BigInt(Number.MAX_SAFE_INTEGER) ? null : Number(cost);',
      after: 'return depth === 1 && siblings === 1 ? 1_700 : Number(cost);',
    },
  },
  {
    id: 'spawn/cost-2-0',
    title: 'a first child at depth 2 costs 2,000',
    clause: 'spawn.cost.check.2-0',
    patch: {
      file: spawnCostRules,
      before: 'return cost > BigInt(Number.MAX_SAFE_INTEGER) ? null : Number(cost);',
      after: 'return depth === 2 && siblings === 0 ? 2_000 : Number(cost);',
    },
  },
  {
    id: 'spawn/cost-2-3',
    title: 'a fourth child at depth 2 costs 3,887',
    clause: 'spawn.cost.check.2-3',
    patch: {
      file: spawnCostRules,
      before: 'return cost > BigInt(Number.MAX_SAFE_INTEGER) ? null : Number(cost);',
      after: 'return depth === 2 && siblings === 3 ? 3_887 : Number(cost);',
    },
  },
  {
    id: 'spawn/receipt-too-few',
    title: 'a receipt of fewer beats is accepted',
    clause: 'spawn.error.insufficient-beats',
    patch: {
      file: spawnRules,
      before: "if (taken.fault === 'too-few')\n        return refuse('spawn/INSUFFICIENT_BEATS', taken.why);",
      after: "if (taken.fault === 'too-few')\n        return null;",
    },
  },
  {
    id: 'spawn/receipt-forged',
    title: 'a forged receipt is accepted',
    clause: 'spawn.flow.receipt',
    patch: {
      file: spawnRules,
      before: "return refuse('spawn/VALIDATION', `beats_receipt: ${taken.why}`);",
      after: "return taken.fault === 'forged' ? null : refuse('spawn/VALIDATION', `beats_receipt: ${taken.why}`);",
    },
  },
  {
    id: 'spawn/receipt-not-needed',
    title: 'a child costs nothing',
    clause: 'spawn.error.receipt-required',
    patch: { file: spawnRules, before: 'if (available >= requiredBeats)', after: 'if (available >= 0)' },
  },
  {
    id: 'spawn/probe-siblings-0',
    title: 'the probe shows 0 siblings',
    clause: 'spawn.probe.reply',
    patch: { file: spawnRules, before: 'siblings: columns.children[agent],', after: 'siblings: 0,' },
  },
  {
    id: 'spawn/probe-depth-0',
    title: 'the probe shows depth 0',
    clause: 'spawn.probe.reply',
    patch: {
      file: spawnRules,
      before: 'depth: line.depth(agent),\n        siblings',
      after: 'depth: 0,\n        siblings',
    },
  },
  {
    id: 'spawn/probe-depth-of-child',
    title: "the probe shows the child's depth",
    clause: 'spawn.cost.depth',
    patch: {
      file: spawnRules,
      before: 'depth: line.depth(agent),\n        siblings',
      after: 'depth: line.depth(agent) + 1,\n        siblings',
    },
  },
  {
    id: 'spawn/probe-base',
    title: 'the probe always asks for 1,000 beats',
    clause: 'spawn.cost.siblings',
    patch: {
      file: spawnRules,
      before: 'required_beats: requiredBeats,\n        depth',
      after: 'required_beats: 1_000,\n        depth',
    },
  },
  {
    id: 'spawn/authorization-for-sixty-days',
    title: 'an authorization lives sixty days',
    clause: 'spawn.error.spawn-conflict.expired',
    patch: {
      file: spawnRules,
      before: 'const { authorizationTtlSec } = registry.protocol.spawn;',
      after: 'const authorizationTtlSec = 5_184_000;',
    },
  },
  {
    id: 'spawn/finalize-of-another',
    title: 'a child of another parent is linked',
    clause: 'spawn.auth',
    patch: {
      file: spawnRules,
      before: 'if (columns.parent[child] !== input.agent)',
      after: 'if (child === input.agent)',
    },
  },
  {
    id: 'spawn/finalize-links-not',
    title: 'finalize links nothing',
    clause: 'spawn.flow.finalize',
    patch: { file: spawnRules, before: 'columns.linked[child] = 1;', after: 'void columns;' },
  },
  {
    id: 'spawn/registered-again',
    title: 'a child of a name that is registered is authorized again',
    clause: 'spawn.error.spawn-conflict',
    patch: {
      file: spawnRules,
      before:
        "if (childOfName(registry, agent, name) !== undefined)\n        return refuse('spawn/SPAWN_CONFLICT', 'a child of this name is registered');",
      after: "if (name === '')\n        return refuse('spawn/SPAWN_CONFLICT', 'a child of this name is registered');",
    },
  },
  {
    id: 'spawn/mode-by-receipt',
    title: 'a receipt beside child_hash makes it a preflight',
    clause: 'spawn.mode',
    patch: {
      file: spawnRules,
      before: 'return input.child === undefined ? authorize',
      after: 'return input.child === undefined || input.childName !== undefined ? authorize',
    },
  },
  {
    id: 'spawn/third-child-refused',
    title: 'a third child is refused',
    clause: 'spawn.flow.preflight',
    patch: {
      file: spawnRules,
      before: 'if (requiredBeats === null) {',
      after: 'if (requiredBeats === null || columns.children[agent] >= 3) {',
    },
  },
  {
    id: 'spawn/depth-3-refused',
    title: 'children deeper than 3 are refused',
    clause: 'spawn.preflight.reply',
    patch: { file: spawnRules, before: 'const { depthMax } = registry.protocol.agent;', after: 'const depthMax = 3;' },
  },
  {
    id: 'spawn/depth-5-refused',
    title: 'children deeper than 5 are refused',
    clause: 'spawn.probe.reply',
    patch: { file: spawnRules, before: 'const { depthMax } = registry.protocol.agent;', after: 'const depthMax = 5;' },
  },
  {
    id: 'spawn/preflight-not-receipt-based',
    title: 'receipt_based is false',
    clause: 'spawn.preflight.reply.receipt-based',
    patch: { file: spawnEndpoint, before: 'receipt_based: done.receiptBased,', after: 'receipt_based: false,' },
  },
  {
    id: 'spawn/preflight-required-1000',
    title: 'required_beats of the preflight is 1,000',
    clause: 'spawn.preflight.reply',
    patch: {
      file: spawnEndpoint,
      before: 'required_beats: done.requiredBeats,',
      after: 'required: done.requiredBeats,',
    },
  },
  {
    id: 'spawn/finalize-shows-parent',
    title: "child_hash of finalize is the parent's",
    clause: 'spawn.finalize.reply',
    patch: {
      file: spawnEndpoint,
      before: 'child_hash: hashOf(registry, done.child) });',
      after: 'child_hash: hashOf(registry, agent) });',
    },
  },
  {
    id: 'spawn/name-any-type',
    title: 'child_name may be a number',
    clause: 'spawn.body.child-name',
    patch: {
      file: spawnSchema,
      before: 'child_name: agentName(facts).optional(),',
      after:
        "child_name: z.preprocess((name) => (typeof name === 'number' ? String(name) : name), agentName(facts).optional()),",
    },
  },
  {
    id: 'spawn/receipt-any-type',
    title: 'beats_receipt may be a number',
    clause: 'spawn.body.beats-receipt',
    patch: {
      file: spawnSchema,
      before: 'beats_receipt: receiptSent.optional(),',
      after:
        "beats_receipt: z.preprocess((given) => (typeof given === 'number' ? undefined : given), receiptSent.optional()),",
    },
  },
  {
    id: 'spawn/nothing-taken',
    title: 'a call that names nothing is a probe',
    clause: 'spawn.error.validation',
    patch: {
      file: spawnSchema,
      before: '.refine((body) => body.child_name !== undefined || body.child_hash !== undefined, {',
      after: '.refine((body) => body !== undefined, {',
    },
  },
  {
    id: 'spawn/receipt-one-more',
    title: 'a receipt must prove one beat more',
    clause: 'spawn.flow.compute',
    patch: {
      file: receiptUseRules,
      before: 'if (receipt.beats_verified < requiredBeats) {',
      after: 'if (receipt.beats_verified <= requiredBeats) {',
    },
  },
  {
    id: 'spawn/probe-authorizes',
    title: 'a probe authorizes',
    clause: 'spawn.flow.probe',
    patch: {
      file: spawnRules,
      before: 'if (available >= requiredBeats)',
      after: 'if (available < requiredBeats || available >= requiredBeats)',
    },
  },
  {
    id: 'spawn/probe-as-400',
    title: 'a probe is invalid',
    clause: 'spawn.flow.probe',
    patch: {
      file: spawnRules,
      before: "return refuse('spawn/RECEIPT_REQUIRED', undefined, {",
      after: "return refuse('spawn/VALIDATION', undefined, {",
    },
  },
  {
    id: 'spawn/child-key-spawns',
    title: "the parent's child spawns in its parent's name",
    clause: 'key.parent.spawn',
    patch: {
      file: spawnRules,
      before: 'const { agent, simulatedBeats, receipt } = input;',
      after:
        'const { simulatedBeats, receipt } = input;\n    const agent = columns.parent[input.agent] >= 0 ? columns.parent[input.agent] : input.agent;',
    },
  },
  {
    id: 'spawn/child-born-started',
    title: "a child's chain runs from its birth, and init is refused",
    clause: 'spawn.child.init',
    patch: {
      file: registerChildRules,
      before: 'line.setPartner(child, line.partner(parent));',
      after: 'line.setPartner(child, line.partner(parent));\n    line.setStatus(child, 1);',
    },
  },
  {
    id: 'spawn/child-born-with-class',
    title: "a child has its parent's class",
    clause: 'spawn.child.sigil',
    patch: {
      file: registerChildRules,
      before: 'line.setPartner(child, line.partner(parent));',
      after:
        'line.setPartner(child, line.partner(parent));\n    line.setIdentityClass(child, line.identityClass(parent));',
    },
  },
  {
    id: 'spawn/child-inherits-metadata',
    title: "a child has its parent's metadata",
    clause: 'register.metadata.returned.status',
    patch: {
      file: registerChildRules,
      before: 'line.setPartner(child, line.partner(parent));',
      after:
        'line.setPartner(child, line.partner(parent));\n    if (registry.metadata.has(parent)) registry.metadata.set(child, registry.metadata.get(parent));',
    },
  },
  {
    id: 'spawn/child-init-refused',
    title: 'a child cannot be started',
    clause: 'spawn.child.init',
    patch: {
      file: initRules,
      before: 'line.setStatus(input.agent, ACTIVE);',
      after:
        'if (line.depth(input.agent) > 0)\n        return { ok: true, started: false };\n    line.setStatus(input.agent, ACTIVE);',
    },
  },
  {
    id: 'spawn/child-heartbeat-refused',
    title: 'children send no heartbeats',
    clause: 'spawn.child.heartbeat',
    patch: {
      file: heartbeatRules,
      before: 'if (line.complaints(agent) > 0)',
      after: 'if (line.complaints(agent) > 0 || line.depth(agent) > 0)',
    },
  },
  {
    id: 'spawn/child-sigil-needed',
    title: 'a child needs a SIGIL for its second heartbeat',
    clause: 'spawn.child.sigil',
    patch: {
      file: heartbeatRules,
      before: 'if (line.identityClass(agent) === 0 && line.depth(agent) === registry.protocol.agent.rootDepth) {',
      after:
        'if (line.identityClass(agent) === 0 && (line.depth(agent) === registry.protocol.agent.rootDepth || line.totalHeartbeats(agent) > 0)) {',
    },
  },
  {
    id: 'spawn/child-sigil-refused',
    title: 'children buy no SIGIL',
    clause: 'sigil.transition.issued',
    patch: {
      file: sigilRules,
      before: 'if (line.identityClass(agent) !== 0)',
      after: 'if (line.identityClass(agent) !== 0 || line.depth(agent) > 0)',
    },
  },
  {
    id: 'spawn/cost-rounded-each',
    title: 'the price is rounded down with every sibling',
    clause: 'spawn.cost.siblings',
    patch: {
      file: spawnCostRules,
      before: 'const cost = raise(depthCost, siblingFactorNumerator, siblingFactorDenominator, siblings);',
      after:
        'let cost = depthCost; for (let i = 0; i < siblings; i++) cost = raise(cost, siblingFactorNumerator, siblingFactorDenominator, 1);',
    },
  },
  {
    id: 'spawn/four-siblings-at-most',
    title: 'no more than four siblings raise the price',
    clause: 'spawn.cost.siblings',
    patch: {
      file: spawnRules,
      before: 'const requiredBeats = spawnCostBeats(registry.protocol, depth, columns.children[agent]',
      after: 'const requiredBeats = spawnCostBeats(registry.protocol, depth, Math.min(4, columns.children[agent])',
    },
  },
  {
    id: 'spawn/finalize-by-grandparent',
    title: 'a grandparent links the child of its child',
    clause: 'spawn.auth',
    patch: {
      file: spawnRules,
      before: 'if (columns.parent[child] !== input.agent)',
      after:
        'if (columns.parent[child] !== input.agent && columns.parent[columns.parent[child] ?? -1] !== input.agent)',
    },
  },
  {
    id: 'spawn/price-of-the-last',
    title: 'a receipt for the price of the child before is taken',
    clause: 'spawn.error.insufficient-beats',
    patch: {
      file: spawnRules,
      before: '? refuseWork(registry, input, requiredBeats)',
      after:
        '? refuseWork(registry, input, spawnCostBeats(registry.protocol, depth, Math.max(0, columns.children[agent] - 1), registry.dialect) ?? requiredBeats)',
    },
  },
  {
    id: 'spawn/child-init-of-another',
    title: 'init of a child shows the hash of another agent',
    clause: 'spawn.child.init',
    patch: { endpoint: 'init', set: 'agent_hash', to: `0x${'0'.repeat(64)}` },
  },
  {
    id: 'spawn/cost-of-six-siblings',
    title: 'more than six siblings cost what six do',
    clause: 'spawn.cost.siblings',
    patch: {
      file: spawnCostRules,
      before: 'siblingFactorNumerator, siblingFactorDenominator, siblings);\n    return cost > BigInt',
      after: 'siblingFactorNumerator, siblingFactorDenominator, Math.min(siblings, 6));\n  return cost > BigInt',
    },
  },
  {
    id: 'spawn/grandchildren-as-siblings',
    title: "the children of an agent's children count as siblings of its next one",
    clause: 'spawn.cost.siblings',
    patch: {
      file: registerChildRules,
      before: 'columns.children[parent] = columns.children[parent] + 1;',
      after:
        'for (let row = parent; row >= 0; row = columns.parent[row]) columns.children[row] = columns.children[row] + 1;',
    },
  },
  {
    id: 'spawn/frozen-children-cost-nothing',
    title: 'children that are frozen do not raise the price of the next',
    clause: 'spawn.cost.siblings',
    patch: {
      file: 'reference/registry/spawn',
      before: 'spawnCostBeats(registry.protocol, depth, columns.children[agent], registry.dialect)',
      after:
        'spawnCostBeats(registry.protocol, depth, columns.children[agent] - [...columns.parent.keys()].filter((row) => row > agent && columns.parent[row] === agent && line.status(row) === FROZEN).length, registry.dialect)',
    },
  },
  {
    id: 'spawn/never-registered',
    title: 'no child is ever registered, whatever work its parent has proved',
    clause: 'service.spawn',
    patch: {
      file: 'reference/registry/register-child',
      before: "if (bound?.['parent'] !== parent) {",
      after: 'if (bound !== null) {',
    },
  },
  {
    id: 'spawn/old-anchor',
    title: 'GET /beat/anchor goes on to give the first anchor that it gave',
    clause: 'spawn.flow.anchor',
    patch: {
      file: 'reference/http/endpoints/beat-anchor',
      before: 'const anchor = latest === undefined ? null : wireAnchor(latest, registry.protocol, signature);',
      after:
        'const anchor = latest === undefined ? null : (anchors.firstShown ??= wireAnchor(latest, registry.protocol, signature));',
    },
  },
  {
    id: 'spawn/child-hash-as-number',
    title: 'child_hash may be a number',
    clause: 'spawn.body.child-hash',
    patch: {
      file: 'spec/endpoints/spawn',
      before: 'child_hash: agentHash(facts).optional(),',
      after: 'child_hash: z.union([agentHash(facts), z.number()]).optional(),',
    },
  },
  {
    id: 'spawn/name-normalized',
    title: 'a preflight is for the name in normalized characters, a registration for the name as it is sent',
    clause: 'spawn.flow.register',
    patch: {
      file: 'reference/registry/spawn',
      before: "(input.childName ?? '').trim();",
      after: "(input.childName ?? '').trim().normalize('NFC');",
    },
  },
  {
    id: 'spawn/names-of-all-parents',
    title: 'no two children have one name, whoever their parents are',
    clause: 'spawn.error.spawn-conflict',
    patch: {
      file: 'reference/registry/spawn',
      before: 'registry.childNames.get(`${parent}:${name}`)',
      after: 'registry.childNames.get(`:${name}`)',
      also: [
        {
          file: 'reference/registry/register-child',
          before: 'registry.childNames.set(`${parent}:${name}`, child);',
          after: 'registry.childNames.set(`:${name}`, child);',
        },
      ],
    },
  },
  {
    id: 'spawn/init-waits-for-the-link',
    title: 'the chain of a child does not start before it is linked',
    clause: 'init.transition.active',
    patch: {
      file: 'reference/registry/init',
      before: '    line.setStatus(input.agent, ACTIVE);',
      after:
        '    if (columns.parent[input.agent] >= 0 && columns.linked[input.agent] === 0)\n        return { ok: true, started: false };\n    line.setStatus(input.agent, ACTIVE);',
    },
  },
  {
    id: 'spawn/finalize-normalized',
    title: 'a link is for the name in decomposed characters',
    clause: 'spawn.flow.finalize',
    patch: {
      file: 'reference/registry/spawn',
      before: 'input.childName.trim() !== registry.names[child]',
      after: "input.childName.trim().normalize('NFKD') !== registry.names[child]",
    },
  },
  {
    id: 'spawn/cheap-for-grandchildren',
    title: 'whoever is a grandchild gets a child for any receipt',
    clause: 'spawn.error.insufficient-beats',
    patch: {
      file: 'reference/registry/spawn',
      before: '        ? refuseWork(registry, input, requiredBeats)',
      after: '        ? refuseWork(registry, input, depth > 1 ? 1 : requiredBeats)',
    },
  },
  {
    id: 'spawn/conflict-of-linked-alone',
    title: 'a preflight for the name of a child that is not linked yet is taken',
    clause: 'spawn.error.spawn-conflict',
    patch: {
      file: 'reference/registry/spawn',
      before: '    if (childOfName(registry, agent, name) !== undefined)',
      after: '    if (columns.linked[childOfName(registry, agent, name) ?? -1] === 1)',
    },
  },
  {
    id: 'spawn/link-ends-sponsorships',
    title: 'the birth of a child ends the sponsorships that its parent has given',
    clause: 'sponsor.transition.create',
    patch: {
      file: 'reference/registry/spawn',
      before: "        appendLineage(registry, input.agent, 'spawned', nowMs);",
      after:
        "        appendLineage(registry, input.agent, 'spawned', nowMs);\n        for (const each of registry.sponsorships.byParent.get(input.agent) ?? []) each.state = 'revoked';",
    },
  },
  {
    id: 'spawn/link-credits-beats',
    title: 'the birth of a child adds a beat to the chain of its parent',
    clause: 'beats-submit.credit',
    patch: {
      file: 'reference/registry/spawn',
      before: "        appendLineage(registry, input.agent, 'spawned', nowMs);",
      after:
        "        appendLineage(registry, input.agent, 'spawned', nowMs);\n        columns.totalBeats[input.agent] += 1;",
    },
  },
];
