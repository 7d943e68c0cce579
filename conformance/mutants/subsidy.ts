/** Mistakes of subsidies, and of where a fee comes from. */
import type { Mutant } from './mutant.js';

const subsidyRules = 'reference/registry/subsidy';
const feeResolutionRules = 'reference/registry/fee-resolution';
const feeTableRules = 'reference/registry/fee-table';
const subsidyEndpoint = 'reference/http/endpoints/subsidy';
const subsidySchema = 'spec/endpoints/subsidy';

export const subsidyMutants: readonly Mutant[] = [
  {
    id: 'subsidy/of-all-types',
    title: 'a subsidy holds for every type of fee',
    clause: 'subsidy.scope',
    patch: {
      file: subsidyRules,
      before: 'return agent * feeTypes.length + feeTypes.indexOf(feeType);',
      after: 'return agent * feeTypes.length;',
    },
  },
  {
    id: 'subsidy/of-all-agents',
    title: 'a subsidy holds for every agent',
    clause: 'subsidy.scope',
    patch: {
      file: subsidyRules,
      before: 'return agent * feeTypes.length + feeTypes.indexOf(feeType);',
      after: 'return feeTypes.indexOf(feeType);',
    },
  },
  {
    id: 'subsidy/of-every-agent',
    title: 'a subsidy of a SIGIL holds for every agent',
    clause: 'subsidy.scope',
    patch: {
      file: subsidyRules,
      before: 'return agent * feeTypes.length + feeTypes.indexOf(feeType);',
      after: "return feeType === 'sigil' ? -1 : agent * feeTypes.length + feeTypes.indexOf(feeType);",
    },
  },
  {
    id: 'subsidy/heartbeat-and-reissue',
    title: 'a subsidy of heartbeats holds for reissues',
    clause: 'subsidy.scope',
    patch: {
      file: subsidyRules,
      before: 'return agent * feeTypes.length + feeTypes.indexOf(feeType);',
      after: 'return agent * feeTypes.length + Math.min(1, feeTypes.indexOf(feeType));',
    },
  },
  {
    id: 'subsidy/first-stays',
    title: 'granting again does not update',
    clause: 'subsidy.post.upsert',
    patch: {
      file: subsidyRules,
      before: 'registry.subsidies.set(subsidyKey(agent, feeType), subsidy);',
      after:
        'if (!registry.subsidies.has(subsidyKey(agent, feeType))) registry.subsidies.set(subsidyKey(agent, feeType), subsidy);',
    },
  },
  {
    id: 'subsidy/again-refused',
    title: 'granting again is refused',
    clause: 'subsidy.post.upsert',
    patch: {
      file: subsidyRules,
      before: "if (agent < 0)\n        return refuse('subsidy/AGENT_NOT_FOUND');\n    const floorLamports",
      after:
        "if (agent < 0)\n        return refuse('subsidy/AGENT_NOT_FOUND');\n    if (registry.subsidies.has(subsidyKey(agent, feeType)))\n        return refuse('subsidy/SUBSIDY_INVALID');\n    const floorLamports",
    },
  },
  {
    id: 'subsidy/again-adds-up',
    title: 'granting again adds to the discount',
    clause: 'subsidy.post.upsert',
    patch: {
      file: subsidyRules,
      before: 'const subsidy = { agent, feeType, discountBps, floorLamports, reason, validUntilMs };',
      after:
        'const subsidy = { agent, feeType, discountBps: Math.min(10_000, discountBps + (registry.subsidies.get(subsidyKey(agent, feeType))?.discountBps ?? 0)), floorLamports, reason, validUntilMs };',
    },
  },
  {
    id: 'subsidy/expired-holds',
    title: 'an expired subsidy goes on',
    clause: 'subsidy.post.body.valid-until',
    patch: {
      file: subsidyRules,
      before:
        'return found === undefined || (found.validUntilMs !== null && nowMs > found.validUntilMs) ? undefined : found;',
      after: 'return found;',
    },
  },
  {
    id: 'subsidy/expires-at-once',
    title: 'a subsidy with valid_until never holds',
    clause: 'subsidy.post.body.valid-until',
    patch: {
      file: subsidyRules,
      before:
        'return found === undefined || (found.validUntilMs !== null && nowMs > found.validUntilMs) ? undefined : found;',
      after: 'return found === undefined || found.validUntilMs !== null ? undefined : found;',
    },
  },
  {
    id: 'subsidy/delete-again',
    title: 'a deleted subsidy is deleted again',
    clause: 'subsidy.error.subsidy-not-found',
    patch: {
      file: subsidyRules,
      before: 'if (standingSubsidy(registry, agent, feeType, nowMs) === undefined)',
      after: "if (feeType === '')",
    },
  },
  {
    id: 'subsidy/delete-nothing',
    title: 'a deletion is answered and not made',
    clause: 'subsidy.delete.reply',
    patch: {
      file: subsidyRules,
      before: 'registry.subsidies.delete(subsidyKey(agent, feeType));',
      after: 'void feeType;',
    },
  },
  {
    id: 'subsidy/delete-races',
    title: 'a deletion is made a moment later',
    clause: 'subsidy.error.subsidy-not-found',
    patch: {
      file: subsidyRules,
      before: 'registry.subsidies.delete(subsidyKey(agent, feeType));',
      after: 'setImmediate(() => registry.subsidies.delete(subsidyKey(agent, feeType)));',
    },
  },
  {
    id: 'subsidy/delete-all-types',
    title: "a deletion ends the agent's subsidies of all types",
    clause: 'subsidy.delete.body',
    patch: {
      file: subsidyRules,
      before: 'registry.subsidies.delete(subsidyKey(agent, feeType));',
      after: 'for (const type of feeTypes) registry.subsidies.delete(subsidyKey(agent, type));',
    },
  },
  {
    id: 'subsidy/floor-ignored',
    title: 'the floor is shown and not kept',
    clause: 'fee.floor.default',
    patch: {
      file: subsidyRules,
      before: 'const floorLamports = input.floorLamports ?? registry.protocol.subsidy.floorLamportsDefault;',
      after: 'const floorLamports = input.floorLamports ?? 0;',
    },
  },
  {
    id: 'subsidy/floor-fixed',
    title: "a floor of one's own is not taken",
    clause: 'subsidy.post.body.floor-lamports',
    patch: {
      file: subsidyRules,
      before: 'const floorLamports = input.floorLamports ?? registry.protocol.subsidy.floorLamportsDefault;',
      after: 'const floorLamports = registry.protocol.subsidy.floorLamportsDefault;',
    },
  },
  {
    id: 'subsidy/floor-zero-is-default',
    title: 'a floor of 0 is taken for none given',
    clause: 'subsidy.post.body.floor-lamports',
    patch: {
      file: subsidyRules,
      before: 'const floorLamports = input.floorLamports ?? registry.protocol.subsidy.floorLamportsDefault;',
      after: 'const floorLamports = input.floorLamports || registry.protocol.subsidy.floorLamportsDefault;',
    },
  },
  {
    id: 'subsidy/discount-is-share',
    title: 'discount_bps is the share that is left',
    clause: 'subsidy.post.discount',
    patch: {
      file: feeResolutionRules,
      before: 'const discounted = Number((BigInt(lamports) * BigInt(BPS - subsidy.discountBps)) / BigInt(BPS));',
      after: 'const discounted = Number((BigInt(lamports) * BigInt(subsidy.discountBps)) / BigInt(BPS));',
    },
  },
  {
    id: 'subsidy/discount-in-percent',
    title: 'discount_bps counts thousandths',
    clause: 'subsidy.post.discount',
    patch: {
      file: feeResolutionRules,
      before: 'const discounted = Number((BigInt(lamports) * BigInt(BPS - subsidy.discountBps)) / BigInt(BPS));',
      after:
        'const discounted = Number((BigInt(lamports) * BigInt(Math.max(0, BPS - 10 * subsidy.discountBps))) / BigInt(BPS));',
    },
  },
  {
    id: 'subsidy/discount-to-whole-percent',
    title: 'a discount counts in whole percents',
    clause: 'subsidy.post.discount',
    patch: {
      file: feeResolutionRules,
      before: 'const discounted = Number((BigInt(lamports) * BigInt(BPS - subsidy.discountBps)) / BigInt(BPS));',
      after:
        'const discounted = Number((BigInt(lamports) * BigInt(BPS - subsidy.discountBps + (subsidy.discountBps % 100))) / BigInt(BPS));',
    },
  },
  {
    id: 'subsidy/discount-in-lamports',
    title: 'discount_bps counts lamports',
    clause: 'subsidy.post.discount',
    patch: {
      file: feeResolutionRules,
      before: 'const discounted = Number((BigInt(lamports) * BigInt(BPS - subsidy.discountBps)) / BigInt(BPS));',
      after: 'const discounted = lamports - subsidy.discountBps;',
    },
  },
  {
    id: 'subsidy/no-floor',
    title: 'a discount goes below the floor',
    clause: 'fee.floor',
    patch: {
      file: feeResolutionRules,
      before: 'return Math.min(lamports, Math.max(1, subsidy.floorLamports, discounted));',
      after: 'return discounted;',
    },
  },
  {
    id: 'subsidy/floor-is-5000',
    title: 'the floor of every discount is 5,000',
    clause: 'fee.floor',
    patch: {
      file: feeResolutionRules,
      before: 'return Math.min(lamports, Math.max(1, subsidy.floorLamports, discounted));',
      after: 'return Math.min(lamports, Math.max(5_000, discounted));',
    },
  },
  {
    id: 'subsidy/heartbeat-unsubsidised',
    title: 'heartbeats are not subsidised',
    clause: 'fee.resolution.subsidy',
    patch: {
      file: feeResolutionRules,
      before: "return subsidised(registry, agent, 'heartbeat', flatFeeLamports(registry, tier), nowMs);",
      after: 'return flatFeeLamports(registry, tier);',
    },
  },
  {
    id: 'subsidy/heartbeat-tier-1-only',
    title: 'heartbeats are subsidised in tier 1',
    clause: 'fee.resolution.subsidy',
    patch: {
      file: feeResolutionRules,
      before: "return subsidised(registry, agent, 'heartbeat', flatFeeLamports(registry, tier), nowMs);",
      after:
        "return tier > 1 ? flatFeeLamports(registry, tier) : subsidised(registry, agent, 'heartbeat', flatFeeLamports(registry, tier), nowMs);",
    },
  },
  {
    id: 'subsidy/heartbeat-of-tier-1',
    title: 'a subsidised heartbeat pays a part of tier 1 in every tier',
    clause: 'subsidy.post.discount',
    patch: {
      file: feeResolutionRules,
      before: "return subsidised(registry, agent, 'heartbeat', flatFeeLamports(registry, tier), nowMs);",
      after:
        "return registry.subsidies.size === 0 ? flatFeeLamports(registry, tier) : Math.min(flatFeeLamports(registry, tier), subsidised(registry, agent, 'heartbeat', flatFeeLamports(registry, 1), nowMs));",
    },
  },
  {
    id: 'subsidy/sigil-unsubsidised',
    title: 'SIGILs are not subsidised',
    clause: 'fee.resolution.subsidy',
    patch: {
      file: feeResolutionRules,
      before: "return subsidised(registry, agent, 'sigil', registry.feeTable.flat[`sigil_${identityClass}`], nowMs);",
      after: 'return registry.feeTable.flat[`sigil_${identityClass}`];',
    },
  },
  {
    id: 'subsidy/sigil-narrow-task-only',
    title: 'a SIGIL of narrow_task alone is subsidised',
    clause: 'fee.resolution.subsidy',
    patch: {
      file: feeResolutionRules,
      before: "return subsidised(registry, agent, 'sigil', registry.feeTable.flat[`sigil_${identityClass}`], nowMs);",
      after:
        "return identityClass === 'narrow_task' ? subsidised(registry, agent, 'sigil', registry.feeTable.flat[`sigil_${identityClass}`], nowMs) : registry.feeTable.flat[`sigil_${identityClass}`];",
    },
  },
  {
    id: 'subsidy/reissue-unsubsidised',
    title: 'reissues are not subsidised',
    clause: 'fee.resolution.subsidy',
    patch: {
      file: feeResolutionRules,
      before: "return subsidised(registry, agent, 'reissuance', registry.feeTable.flat.reissuance, nowMs);",
      after: 'return registry.feeTable.flat.reissuance;',
    },
  },
  {
    id: 'subsidy/reissue-of-heartbeat',
    title: 'a reissue takes the subsidy of heartbeats',
    clause: 'subsidy.scope',
    patch: {
      file: feeResolutionRules,
      before: "return subsidised(registry, agent, 'reissuance', registry.feeTable.flat.reissuance, nowMs);",
      after: "return subsidised(registry, agent, 'heartbeat', registry.feeTable.flat.reissuance, nowMs);",
    },
  },
  {
    id: 'subsidy/of-parent',
    title: 'a subsidy of the parent holds for its children',
    clause: 'subsidy.scope',
    patch: {
      file: feeResolutionRules,
      before: 'const subsidy = standingSubsidy(registry, agent, type, nowMs);',
      after:
        'const subsidy = standingSubsidy(registry, agent, type, nowMs) ?? (registry.agents.columns.parent[agent] >= 0 ? standingSubsidy(registry, registry.agents.columns.parent[agent], type, nowMs) : undefined);',
    },
  },
  {
    id: 'subsidy/of-same-wallet',
    title: 'a subsidy holds for all agents of the wallet',
    clause: 'subsidy.scope',
    patch: {
      file: feeResolutionRules,
      before: 'const subsidy = standingSubsidy(registry, agent, type, nowMs);',
      after:
        'const wallet = registry.agents.line.wallet(agent);\n    const subsidy = standingSubsidy(registry, agent, type, nowMs) ?? [...registry.subsidies.values()].find((each) => each.feeType === type && wallet >= 0 && registry.agents.line.wallet(each.agent) === wallet);',
    },
  },
  {
    id: 'subsidy/base-is-built-in',
    title: "a subsidy discounts the built-in fee, not the table's",
    clause: 'fee.resolution.table',
    patch: {
      file: feeResolutionRules,
      before: "return subsidised(registry, agent, 'heartbeat', flatFeeLamports(registry, tier), nowMs);",
      after: "return subsidised(registry, agent, 'heartbeat', registry.feeTable.base[`heartbeat_tier${tier}`], nowMs);",
    },
  },
  {
    id: 'subsidy/table-over-subsidy',
    title: 'a fee in the table comes before the subsidy',
    clause: 'fee.resolution.subsidy',
    patch: {
      file: feeResolutionRules,
      before: "return subsidised(registry, agent, 'reissuance', registry.feeTable.flat.reissuance, nowMs);",
      after:
        "return registry.feeTable.table.reissuance ?? subsidised(registry, agent, 'reissuance', registry.feeTable.flat.reissuance, nowMs);",
    },
  },
  {
    id: 'subsidy/table-ignored',
    title: 'the fee table is ignored',
    clause: 'fee.resolution.table',
    patch: {
      file: feeTableRules,
      before: 'fees.flat = { ...fees.base, ...table };',
      after: 'fees.flat = { ...fees.base };',
    },
  },
  {
    id: 'subsidy/table-after-base',
    title: 'built-in fees come before the table',
    clause: 'fee.resolution.table',
    patch: {
      file: feeTableRules,
      before: 'fees.flat = { ...fees.base, ...table };',
      after: 'fees.flat = { ...table, ...fees.base };',
    },
  },
  {
    id: 'subsidy/table-stays',
    title: 'a fee that left the table stays',
    clause: 'fee.resolution.default',
    patch: {
      file: feeTableRules,
      before: 'fees.flat = { ...fees.base, ...table };',
      after: 'fees.flat = { ...fees.flat, ...table };',
    },
  },
  {
    id: 'subsidy/table-without-sigils',
    title: 'fees of SIGILs in the table are ignored',
    clause: 'fee.resolution.table',
    patch: {
      file: feeTableRules,
      before: 'fees.flat = { ...fees.base, ...table };',
      after:
        "fees.flat = { ...fees.base, ...Object.fromEntries(Object.entries(table).filter(([name]) => !name.startsWith('sigil'))) };",
    },
  },
  {
    id: 'subsidy/table-tier-1-for-all',
    title: "the table's fee of tier 1 holds for all tiers",
    clause: 'fee.resolution.default',
    patch: {
      file: feeTableRules,
      before: 'fees.flat = { ...fees.base, ...table };',
      after:
        'fees.flat = { ...fees.base, ...table, ...(table.heartbeat_tier1 === undefined ? {} : { heartbeat_tier2: table.heartbeat_tier1, heartbeat_tier3: table.heartbeat_tier1 }) };',
    },
  },
  {
    id: 'subsidy/floor-shown-default',
    title: 'floor_lamports is always 5000',
    clause: 'subsidy.field.floor-lamports',
    patch: {
      file: subsidyEndpoint,
      before: 'floor_lamports: done.subsidy.floorLamports,',
      after: 'floor_lamports: 5_000,',
    },
  },
  {
    id: 'subsidy/discount-shown-in-percent',
    title: 'discount_bps is shown in percent',
    clause: 'subsidy.field.discount-bps',
    patch: {
      file: subsidyEndpoint,
      before: 'discount_bps: discountBps,\n            floor',
      after: 'discount_bps: discountBps / 100,\n            floor',
    },
  },
  {
    id: 'subsidy/valid-until-shown-in-ms',
    title: 'valid_until is shown in Unix milliseconds',
    clause: 'subsidy.field.valid-until',
    patch: {
      file: subsidyEndpoint,
      before: 'validUntilMs === null ? null : isoOf(validUntilMs),',
      after: 'validUntilMs,',
    },
  },
  {
    id: 'subsidy/valid-until-as-day',
    title: 'valid_until counts to the day',
    clause: 'subsidy.post.body.valid-until',
    patch: {
      file: subsidyEndpoint,
      before: 'const validUntilMs = body.valid_until === undefined ? null : Date.parse(body.valid_until);',
      after:
        'const validUntilMs = body.valid_until === undefined ? null : Date.parse(body.valid_until.slice(0, 10)) + 86_400_000;',
    },
  },
  {
    id: 'subsidy/fee-type-shown-upper',
    title: 'fee_type is shown in upper case',
    clause: 'subsidy.field.fee-type',
    patch: {
      file: subsidyEndpoint,
      before: 'fee_type: feeType,\n            discount_bps',
      after: 'fee_type: feeType.toUpperCase(),\n            discount_bps',
    },
  },
  {
    id: 'subsidy/fee-type-any',
    title: 'an unknown fee_type is taken for heartbeat',
    clause: 'subsidy.error.subsidy-invalid',
    patch: {
      file: subsidySchema,
      before: 'body: (facts) => z.object({\n        agent_hash: agentHash(facts),\n        fee_type: z.enum(feeTypes),',
      after:
        "body: (facts) => z.object({\n        agent_hash: agentHash(facts),\n        fee_type: z.enum(feeTypes).catch('heartbeat'),",
    },
  },
  {
    id: 'subsidy/fee-type-optional',
    title: 'fee_type may be left out',
    clause: 'subsidy.post.body.fee-type',
    patch: {
      file: subsidySchema,
      before: 'body: (facts) => z.object({\n        agent_hash: agentHash(facts),\n        fee_type: z.enum(feeTypes),',
      after:
        "body: (facts) => z.object({\n        agent_hash: agentHash(facts),\n        fee_type: z.enum(feeTypes).default('heartbeat'),",
    },
  },
  {
    id: 'subsidy/fee-type-no-reissuance',
    title: 'reissuance is no fee_type',
    clause: 'subsidy.post.body.fee-type',
    patch: {
      file: subsidySchema,
      before: 'body: (facts) => z.object({\n        agent_hash: agentHash(facts),\n        fee_type: z.enum(feeTypes),',
      after:
        "body: (facts) => z.object({\n        agent_hash: agentHash(facts),\n        fee_type: z.enum(feeTypes).exclude(['reissuance']),",
    },
  },
  {
    id: 'subsidy/reason-optional',
    title: 'reason may be left out of the body',
    clause: 'subsidy.post.body.reason',
    patch: {
      file: subsidySchema,
      before: 'reason: z.string().min(1),\n        floor_lamports: count.optional(),',
      after: "reason: z.string().default('none'),\n        floor_lamports: count.optional(),",
    },
  },
  {
    id: 'subsidy/floor-wanted',
    title: 'floor_lamports must be sent',
    clause: 'subsidy.post.body.floor-lamports',
    patch: { file: subsidySchema, before: 'floor_lamports: count.optional(),', after: 'floor_lamports: count,' },
  },
  {
    id: 'subsidy/valid-until-wanted',
    title: 'valid_until must be sent',
    clause: 'subsidy.post.body.valid-until',
    patch: { file: subsidySchema, before: 'valid_until: isoTimeSent.optional(),', after: 'valid_until: isoTimeSent,' },
  },
  {
    id: 'subsidy/discount-clamped',
    title: 'a discount over 10,000 is taken for 10,000',
    clause: 'subsidy.error.subsidy-invalid.discount-bps',
    patch: {
      file: subsidySchema,
      before:
        'const discountBps = ({ protocol }) => z.int().min(protocol.subsidy.discountBpsMin).max(protocol.subsidy.discountBpsMax);',
      after:
        'const discountBps = ({ protocol }) => z.int().min(protocol.subsidy.discountBpsMin).transform((bps) => Math.min(bps, protocol.subsidy.discountBpsMax));',
    },
  },
  {
    id: 'subsidy/without-effect',
    title: 'a subsidy has no effect',
    clause: 'service.subsidy',
    patch: {
      file: feeResolutionRules,
      before: 'if (subsidy === undefined)\n        return lamports;',
      after: 'if (subsidy === undefined || subsidy.agent === agent)\n        return lamports;',
    },
  },
  {
    id: 'subsidy/floor-shown-0',
    title: 'the default floor is 0',
    clause: 'constant.subsidy-floor',
    patch: {
      file: subsidyRules,
      before: 'const floorLamports = input.floorLamports ?? registry.protocol.subsidy.floorLamportsDefault;',
      after: 'const floorLamports = input.floorLamports ?? 1;',
    },
  },
  {
    id: 'subsidy/expired-key-ends',
    title: 'an expired admin key ends subsidies still',
    clause: 'subsidy.error.auth-invalid.expired',
    patch: {
      file: 'reference/http/request/authentication',
      before: 'const known = authenticateAdmin(registry, bearer(header));',
      after:
        'const { body } = arguments[0];\n    const all = new Map([...registry.adminKeys.keys()].map((digest) => [digest, false]));\n    const known = authenticateAdmin(body?.discount_bps === undefined ? { ...registry, adminKeys: all } : registry, bearer(header));',
    },
  },
  {
    id: 'subsidy/sol-of-four-decimals',
    title: 'amount_sol has four decimals',
    clause: 'fee.field.amount-sol',
    patch: {
      file: 'reference/http/endpoints/reply-parts',
      before: 'amount_sol: solOf(lamports)',
      after: 'amount_sol: Number(solOf(lamports).toFixed(4))',
    },
  },
  {
    id: 'subsidy/key-missing-with-200',
    title: 'a subsidy without a key is answered with 200',
    clause: 'subsidy.auth',
    patch: { endpoint: 'subsidy.post', code: 'AUTH_MISSING', answer: 200 },
  },
  {
    id: 'subsidy/discount-in-floating-point',
    title: 'a discount is computed in floating point',
    clause: 'subsidy.post.discount',
    patch: {
      file: feeResolutionRules,
      before: 'const discounted = Number((BigInt(lamports) * BigInt(BPS - subsidy.discountBps)) / BigInt(BPS));',
      after: 'const discounted = Math.floor(lamports * (1 - subsidy.discountBps / BPS));',
    },
  },
  {
    id: 'subsidy/offset-ignored',
    title: 'the offset of valid_until is ignored',
    clause: 'subsidy.post.body.valid-until',
    patch: {
      file: subsidyEndpoint,
      before: 'Date.parse(body.valid_until)',
      after: 'Date.parse(`${body.valid_until.slice(0, 19)}Z`)',
    },
  },
  {
    id: 'subsidy/next-is-the-deleted',
    title: 'after a subsidy was deleted the next one for the fee has its discount',
    clause: 'fee.resolution.subsidy',
    patch: {
      file: 'reference/registry/subsidy',
      before: '    registry.subsidies.delete(subsidyKey(agent, feeType));',
      after:
        '    (registry.oldSubsidies ??= new Map()).set(subsidyKey(agent, feeType), registry.subsidies.get(subsidyKey(agent, feeType)));\n    registry.subsidies.delete(subsidyKey(agent, feeType));',
      also: [
        {
          file: 'reference/registry/subsidy',
          before: '    registry.subsidies.set(subsidyKey(agent, feeType), subsidy);',
          after:
            '    registry.subsidies.set(subsidyKey(agent, feeType), registry.oldSubsidies?.get(subsidyKey(agent, feeType)) ?? subsidy);',
        },
      ],
    },
  },
  {
    id: 'subsidy/refused-grant-ends',
    title: 'a grant that is refused ends the subsidy that was there',
    clause: 'subsidy.delete.body',
    patch: {
      file: 'reference/registry/subsidy',
      before: "if (reason.trim() === '')\n",
      after:
        "if (reason.trim() === '' || (validUntilMs !== null && validUntilMs < nowMs))\n        registry.subsidies.delete(subsidyKey(agent, feeType));\n    if (reason.trim() === '')\n",
    },
  },
  {
    id: 'subsidy/local-time',
    title: 'the offset of a valid_until is passed over',
    clause: 'subsidy.post.body.valid-until',
    patch: {
      file: 'reference/http/endpoints/subsidy',
      before:
        'const done = grantSubsidy(registry, { agent, feeType, discountBps, reason, floorLamports, validUntilMs }, nowMs);',
      after:
        "const localMs = body.valid_until === undefined ? null : Date.parse(body.valid_until.replace(/(T.*)[+-]\\d\\d:?\\d\\d$/, '$1Z'));\n    const done = grantSubsidy(registry, { agent, feeType, discountBps, reason, floorLamports, validUntilMs: localMs }, nowMs);",
    },
  },
  {
    id: 'subsidy/until-freeze',
    title: 'a freeze ends the subsidies of its agent',
    clause: 'fee.resolution.subsidy',
    patch: {
      file: 'reference/registry/dead-man-switch',
      before: '    line.setStatus(row, FROZEN);\n',
      after:
        '    line.setStatus(row, FROZEN);\n    for (const type of [0, 1, 2]) registry.subsidies.delete(row * 3 + type);\n',
    },
  },
  {
    id: 'subsidy/of-nobody-named',
    title: 'a subsidy without agent_hash is granted to the first agent',
    clause: 'subsidy.post.body.agent-hash',
    patch: {
      file: 'spec/endpoints/subsidy',
      before: 'body: (facts) => z.object({\n        agent_hash: agentHash(facts),',
      after: 'body: (facts) => z.object({\n        agent_hash: agentHash(facts).optional(),',
      also: [
        {
          file: 'reference/http/endpoints/subsidy',
          before: '    const agent = rowOf(registry, body.agent_hash.toLowerCase());\n    const validUntilMs',
          after:
            '    const agent = body.agent_hash === undefined ? 0 : rowOf(registry, body.agent_hash.toLowerCase());\n    const validUntilMs',
        },
      ],
    },
  },
  {
    id: 'subsidy/floor-stays',
    title: 'a subsidy that is granted anew without a floor keeps the one it had',
    clause: 'subsidy.post.body.floor-lamports',
    patch: {
      file: 'reference/registry/subsidy',
      before: '    const floorLamports = input.floorLamports ?? registry.protocol.subsidy.floorLamportsDefault;',
      after:
        '    const floorLamports = input.floorLamports ?? standingSubsidy(registry, agent, feeType, nowMs)?.floorLamports ?? registry.protocol.subsidy.floorLamportsDefault;',
    },
  },
  {
    id: 'subsidy/not-for-orchestrators',
    title: 'a subsidy on SIGILs leaves the fee of orchestrators as it is',
    clause: 'fee.resolution.subsidy',
    patch: {
      file: 'reference/registry/fee-resolution',
      before: "return subsidised(registry, agent, 'sigil', registry",
      after:
        "return identityClass === 'orchestrator' ? registry.feeTable.flat.sigil_orchestrator : subsidised(registry, agent, 'sigil', registry",
    },
  },
  {
    id: 'subsidy/ended-in-part',
    title: 'the end of a subsidy on SIGILs leaves a hundredth off',
    clause: 'fee.resolution.default',
    patch: {
      file: 'reference/registry/subsidy',
      before: '    registry.subsidies.delete(subsidyKey(agent, feeType));',
      after:
        "    if (feeType === 'sigil')\n        registry.subsidies.get(subsidyKey(agent, feeType)).discountBps = 100;\n    else\n        registry.subsidies.delete(subsidyKey(agent, feeType));",
    },
  },
  {
    id: 'subsidy/not-for-reissues-of-children',
    title: 'a subsidy leaves what a child pays for a reissue as it is',
    clause: 'fee.resolution.subsidy',
    patch: {
      file: 'reference/registry/fee-resolution',
      before: "    return subsidised(registry, agent, 'reissuance', registry",
      after:
        "    return registry.agents.line.depth(agent) > 0\n        ? registry.feeTable.flat.reissuance\n        : subsidised(registry, agent, 'reissuance', registry",
    },
  },
  {
    id: 'subsidy/not-for-operators',
    title: 'a subsidy leaves what agents of operators pay as it is',
    clause: 'fee.resolution.subsidy',
    patch: {
      file: 'reference/registry/fee-resolution',
      before: '    if (registry.subsidies.size === 0)',
      after:
        '    if (registry.subsidies.size === 0 || (registry.agents.line.wallet(agent) >= 0 && registry.agents.columns.walletModel[agent] === 1))',
    },
  },
  {
    id: 'subsidy/reason-escaped',
    title: 'the reason of a subsidy is escaped for HTML',
    clause: 'subsidy.field.reason',
    patch: {
      file: 'reference/http/endpoints/subsidy',
      before: '            reason,\n',
      after: "            reason: reason.replaceAll('&', '&amp;').replaceAll('<', '&lt;'),\n",
    },
  },
  {
    id: 'subsidy/frozen-has-none',
    title: 'a frozen agent is granted no subsidy',
    clause: 'subsidy.post.reply',
    patch: {
      file: 'reference/registry/subsidy',
      before: '    const floorLamports = input',
      after:
        "    if (registry.agents.line.status(agent) === 2)\n        return refuse('subsidy/AGENT_NOT_FOUND');\n    const floorLamports = input",
    },
  },
  {
    id: 'subsidy/discount-coerced',
    title: 'digits are taken for discount_bps',
    clause: 'subsidy.post.body.discount-bps',
    patch: {
      file: 'spec/endpoints/subsidy',
      before: '=> z.int().min(protocol.subsidy.discountBpsMin)',
      after: '=> z.coerce.number().int().min(protocol.subsidy.discountBpsMin)',
    },
  },
  {
    id: 'subsidy/floor-coerced',
    title: 'digits are taken for floor_lamports',
    clause: 'subsidy.post.body.floor-lamports',
    patch: {
      file: 'spec/endpoints/subsidy',
      before: 'floor_lamports: count.optional()',
      after: 'floor_lamports: z.coerce.number().int().min(0).optional()',
    },
  },
];
