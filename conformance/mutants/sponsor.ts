/** Mistakes of sponsorships: who may, for whom, how often and how long. */
import type { Mutant } from './mutant.js';

const sponsorRules = 'reference/registry/sponsor';
const sponsoredHeartbeatRules = 'reference/registry/sponsored-heartbeat';
const sponsorEndpoint = 'reference/http/endpoints/sponsor';
const sponsorSchema = 'spec/endpoints/sponsor';

export const sponsorMutants: readonly Mutant[] = [
  {
    id: 'sponsor/hours-as-days',
    title: 'expires_in_hours counts days',
    clause: 'sponsor.post.body.expires-in-hours',
    patch: { file: sponsorRules, before: 'const HOUR_MS = 3_600_000;', after: 'const HOUR_MS = 86_400_000;' },
  },
  {
    id: 'sponsor/hours-as-minutes',
    title: 'expires_in_hours counts minutes',
    clause: 'sponsor.post.body.expires-in-hours',
    patch: { file: sponsorRules, before: 'const HOUR_MS = 3_600_000;', after: 'const HOUR_MS = 60_000;' },
  },
  {
    id: 'sponsor/update-keeps-cap',
    title: 'an update keeps the cap',
    clause: 'sponsor.transition.update',
    patch: {
      file: sponsorRules,
      before: "Object.assign(known, { heartbeatsEpochMax, expiresAtMs, state: 'active' });",
      after: "Object.assign(known, { expiresAtMs, state: 'active' });",
    },
  },
  {
    id: 'sponsor/update-keeps-expiry',
    title: 'an update keeps the expiry',
    clause: 'sponsor.transition.update',
    patch: {
      file: sponsorRules,
      before: "Object.assign(known, { heartbeatsEpochMax, expiresAtMs, state: 'active' });",
      after: "Object.assign(known, { heartbeatsEpochMax, state: 'active' });",
    },
  },
  {
    id: 'sponsor/update-does-not-revive',
    title: 'a revoked sponsorship is not revived',
    clause: 'sponsor.transition.create',
    patch: {
      file: sponsorRules,
      before: "Object.assign(known, { heartbeatsEpochMax, expiresAtMs, state: 'active' });",
      after: 'Object.assign(known, { heartbeatsEpochMax, expiresAtMs });',
    },
  },
  {
    id: 'sponsor/update-refused',
    title: 'sponsoring again is refused',
    clause: 'sponsor.transition.update',
    patch: {
      file: sponsorRules,
      before: 'if (known !== undefined) {',
      after:
        "if (known !== undefined && known.state === 'active')\n        return refuse('sponsor/VALIDATION');\n    if (known !== undefined) {",
    },
  },
  {
    id: 'sponsor/update-makes-a-second',
    title: 'sponsoring again makes a second sponsorship',
    clause: 'sponsor.transition.update',
    patch: {
      file: sponsorRules,
      before: 'if (known !== undefined) {',
      after: "if (known !== undefined && known.state !== 'active') {",
    },
  },
  {
    id: 'sponsor/one-child',
    title: "a new sponsorship ends the sponsor's others",
    clause: 'sponsor.transition.create',
    patch: {
      file: sponsorRules,
      before: 'append(registry.sponsorships.byParent, agent, made);',
      after:
        "for (const each of registry.sponsorships.byParent.get(agent) ?? []) each.state = 'revoked';\n    append(registry.sponsorships.byParent, agent, made);",
    },
  },
  {
    id: 'sponsor/one-sponsor',
    title: 'a new sponsorship ends those of other sponsors',
    clause: 'sponsor.transition.create',
    patch: {
      file: sponsorRules,
      before: 'append(registry.sponsorships.byChild, child, made);',
      after:
        "for (const each of registry.sponsorships.byChild.get(child) ?? []) each.state = 'revoked';\n    append(registry.sponsorships.byChild, child, made);",
    },
  },
  {
    id: 'sponsor/self',
    title: 'an agent sponsors itself',
    clause: 'sponsor.rule.not-self',
    patch: {
      file: sponsorRules,
      before: "if (child === agent)\n        return refuse('sponsor/SPONSOR_INVALID');",
      after: 'if (child === agent)\n        return null;',
    },
  },
  {
    id: 'sponsor/anyone',
    title: 'an agent sponsors any other',
    clause: 'sponsor.rule.descendant',
    patch: { file: sponsorRules, before: 'if (!isAncestor(registry, agent, child))', after: 'if (child < -1)' },
  },
  {
    id: 'sponsor/siblings',
    title: 'an agent sponsors its siblings',
    clause: 'sponsor.rule.descendant',
    patch: {
      file: sponsorRules,
      before: 'if (!isAncestor(registry, agent, child))',
      after: 'if (!isAncestor(registry, agent, child) && columns.parent[child] !== columns.parent[agent])',
    },
  },
  {
    id: 'sponsor/upwards',
    title: 'a child sponsors its parent',
    clause: 'sponsor.rule.descendant',
    patch: {
      file: sponsorRules,
      before: 'if (!isAncestor(registry, agent, child))',
      after: 'if (!isAncestor(registry, agent, child) && !isAncestor(registry, child, agent))',
    },
  },
  {
    id: 'sponsor/children-only',
    title: 'only children are sponsored',
    clause: 'sponsor.rule.descendant',
    patch: {
      file: sponsorRules,
      before: 'for (let row = child; linked[row] === 1; row = parent[row])',
      after: 'for (let row = child; row === child && linked[row] === 1; row = parent[row])',
    },
  },
  {
    id: 'sponsor/two-generations',
    title: 'descendants are sponsored over two generations',
    clause: 'sponsor.rule.descendant',
    patch: {
      file: sponsorRules,
      before: 'for (let row = child; linked[row] === 1; row = parent[row])',
      after: 'for (let row = child, steps = 0; steps < 2 && linked[row] === 1; steps += 1, row = parent[row])',
    },
  },
  {
    id: 'sponsor/three-generations',
    title: 'descendants are sponsored over three generations',
    clause: 'sponsor.rule.descendant',
    patch: {
      file: sponsorRules,
      before: 'for (let row = child; linked[row] === 1; row = parent[row])',
      after: 'for (let row = child, steps = 0; steps < 3 && linked[row] === 1; steps += 1, row = parent[row])',
    },
  },
  {
    id: 'sponsor/roots-only',
    title: 'only a root sponsors',
    clause: 'sponsor.rule.descendant',
    patch: {
      file: sponsorRules,
      before: 'if (!isAncestor(registry, agent, child))',
      after: 'if (!isAncestor(registry, agent, child) || columns.parent[agent] >= 0)',
    },
  },
  {
    id: 'sponsor/wallet-not-needed',
    title: 'a sponsor needs no wallet',
    clause: 'sponsor.rule.wallet',
    patch: {
      file: sponsorRules,
      before: "if (line.wallet(agent) < 0 || walletChains[columns.walletChain[agent]] !== 'solana')",
      after: 'if (line.wallet(agent) < -1)',
    },
  },
  {
    id: 'sponsor/operator-wallet-refused',
    title: "a sponsor's wallet must be its own",
    clause: 'sponsor.rule.wallet',
    patch: {
      file: sponsorRules,
      before: "if (line.wallet(agent) < 0 || walletChains[columns.walletChain[agent]] !== 'solana')",
      after:
        "if (line.wallet(agent) < 0 || columns.walletModel[agent] === 1 || walletChains[columns.walletChain[agent]] !== 'solana')",
    },
  },
  {
    id: 'sponsor/frozen-sponsors',
    title: 'a frozen agent sponsors',
    clause: 'sponsor.rule.not-frozen',
    patch: {
      file: sponsorRules,
      before: 'if (line.status(agent) === FROZEN)',
      after: 'if (line.status(agent) > FROZEN)',
    },
  },
  {
    id: 'sponsor/delete-by-child',
    title: 'the child revokes a sponsorship',
    clause: 'sponsor.error.sponsor-not-found',
    patch: {
      file: sponsorRules,
      before: 'const known = between(registry, input.agent, input.child);\n    if (known === undefined || !isActive',
      after:
        'const known = between(registry, input.agent, input.child) ?? registry.sponsorships.byParent.get(input.child)?.[0];\n    if (known === undefined || !isActive',
    },
  },
  {
    id: 'sponsor/delete-by-anyone',
    title: 'an ancestor revokes the sponsorships of others',
    clause: 'sponsor.error.sponsor-not-found',
    patch: {
      file: sponsorRules,
      before: 'const known = between(registry, input.agent, input.child);\n    if (known === undefined || !isActive',
      after:
        'const known = registry.sponsorships.byChild.get(input.child)?.[0];\n    if (known === undefined || !isActive',
    },
  },
  {
    id: 'sponsor/delete-again',
    title: 'a revoked sponsorship is revoked again',
    clause: 'sponsor.error.sponsor-not-found',
    patch: {
      file: sponsorRules,
      before: 'if (known === undefined || !isActive(known, nowMs))',
      after: 'if (known === undefined)',
    },
  },
  {
    id: 'sponsor/delete-races',
    title: 'a revocation is noted a moment later',
    clause: 'sponsor.error.sponsor-not-found',
    patch: {
      file: sponsorRules,
      before: "known.state = 'revoked';",
      after: "setImmediate(() => { known.state = 'revoked'; });",
    },
  },
  {
    id: 'sponsor/delete-all',
    title: "a revocation revokes all of the sponsor's",
    clause: 'sponsor.transition.revoke',
    patch: {
      file: sponsorRules,
      before: "known.state = 'revoked';",
      after: "for (const each of registry.sponsorships.byParent.get(input.agent) ?? []) each.state = 'revoked';",
    },
  },
  {
    id: 'sponsor/delete-nothing',
    title: 'a revocation is answered and not made',
    clause: 'sponsor.transition.revoke',
    patch: { file: sponsorRules, before: "known.state = 'revoked';", after: 'void known;' },
  },
  {
    id: 'sponsor/list-of-child',
    title: 'the list of a child names those that sponsor it',
    clause: 'sponsor.get.reply',
    patch: {
      file: sponsorRules,
      before: 'return registry.sponsorships.byParent.get(parent) ?? [];',
      after: 'return registry.sponsorships.byParent.get(parent) ?? registry.sponsorships.byChild.get(parent) ?? [];',
    },
  },
  {
    id: 'sponsor/list-of-all',
    title: "the list names everybody's sponsorships",
    clause: 'sponsor.get.reply',
    patch: {
      file: sponsorRules,
      before: 'return registry.sponsorships.byParent.get(parent) ?? [];',
      after: 'return [...registry.sponsorships.byParent.values()].flat();',
    },
  },
  {
    id: 'sponsor/list-of-latest',
    title: 'the list names the latest sponsorship',
    clause: 'sponsor.get.reply',
    patch: {
      file: sponsorRules,
      before: 'return registry.sponsorships.byParent.get(parent) ?? [];',
      after: 'return (registry.sponsorships.byParent.get(parent) ?? []).slice(-1);',
    },
  },
  {
    id: 'sponsor/list-of-two',
    title: 'the list ends after two',
    clause: 'sponsor.get.reply',
    patch: {
      file: sponsorRules,
      before: 'return registry.sponsorships.byParent.get(parent) ?? [];',
      after: 'return (registry.sponsorships.byParent.get(parent) ?? []).slice(0, 2);',
    },
  },
  {
    id: 'sponsor/used-for-ever',
    title: 'the count of heartbeats does not begin anew',
    clause: 'sponsor.field.heartbeats-used-epoch',
    patch: {
      file: sponsorRules,
      before: 'currentBeat(registry)) ? sponsorship.used : 0;',
      after: 'currentBeat(registry)) || sponsorship.used > 0 ? sponsorship.used : 0;',
    },
  },
  {
    id: 'sponsor/freeze-of-parent-keeps',
    title: 'the freeze of a sponsor leaves its sponsorships',
    clause: 'sponsor.transition.frozen.parent',
    patch: { file: sponsorRules, before: "each.state = 'revoked-by-sponsor-freeze';", after: 'void each;' },
  },
  {
    id: 'sponsor/freeze-of-parent-first-only',
    title: 'the freeze of a sponsor revokes its first sponsorship',
    clause: 'sponsor.transition.frozen.parent',
    patch: {
      file: sponsorRules,
      before: "each.state = 'revoked-by-sponsor-freeze';",
      after: "{ each.state = 'revoked-by-sponsor-freeze'; break; }",
    },
  },
  {
    id: 'sponsor/freeze-of-child-keeps',
    title: 'the freeze of a child leaves its sponsorships',
    clause: 'sponsor.transition.frozen.child',
    patch: { file: sponsorRules, before: '}\n    revokeOfChild(registry, agent, nowMs);\n}', after: '}\n}' },
  },
  {
    id: 'sponsor/key-revocation-first-only',
    title: 'the revocation of a key revokes one sponsorship',
    clause: 'sponsor.transition.key-revoked',
    patch: {
      file: sponsorRules,
      before: "each.state = 'revoked';\n    }",
      after: "{ each.state = 'revoked'; break; }\n    }",
    },
  },
  {
    id: 'sponsor/first-pays',
    title: 'the first sponsor pays, with room or not',
    clause: 'heartbeat.sender.sponsor',
    patch: {
      file: sponsoredHeartbeatRules,
      before: 'const open = holding.find((each) => usedInEpoch(registry, each) < each.heartbeatsEpochMax);',
      after: 'const open = holding.slice(0, 1).find((each) => usedInEpoch(registry, each) < each.heartbeatsEpochMax);',
    },
  },
  {
    id: 'sponsor/cap-ignored',
    title: 'the cap of a sponsorship is shown and not enforced',
    clause: 'heartbeat.error.sponsor-cap-reached',
    patch: {
      file: sponsoredHeartbeatRules,
      before: 'const open = holding.find((each) => usedInEpoch(registry, each) < each.heartbeatsEpochMax);',
      after: 'const open = holding[0];',
    },
  },
  {
    id: 'sponsor/cap-of-one-more',
    title: 'a sponsorship pays one more than its cap',
    clause: 'heartbeat.error.sponsor-cap-reached',
    patch: {
      file: sponsoredHeartbeatRules,
      before: 'const open = holding.find((each) => usedInEpoch(registry, each) < each.heartbeatsEpochMax);',
      after: 'const open = holding.find((each) => usedInEpoch(registry, each) <= each.heartbeatsEpochMax);',
    },
  },
  {
    id: 'sponsor/cap-of-sponsor',
    title: "the cap counts all of a sponsor's children",
    clause: 'heartbeat.sender.sponsor',
    patch: {
      file: sponsoredHeartbeatRules,
      before: 'const open = holding.find((each) => usedInEpoch(registry, each) < each.heartbeatsEpochMax);',
      after:
        'const open = holding.find((each) => registry.sponsorships.byParent.get(each.parent).reduce((sum, one) => sum + usedInEpoch(registry, one), 0) < each.heartbeatsEpochMax);',
    },
  },
  {
    id: 'sponsor/parent-pays-only',
    title: 'only the parent itself pays, no other ancestor',
    clause: 'sponsor.pays',
    patch: {
      file: sponsoredHeartbeatRules,
      before: '.filter((each) => isActive(each, nowMs))',
      after: '.filter((each) => isActive(each, nowMs) && line.depth(each.parent) === line.depth(child) - 1)',
    },
  },
  {
    id: 'sponsor/revoked-pays',
    title: 'a revoked sponsorship pays on',
    clause: 'sponsor.transition.revoke',
    patch: {
      file: sponsoredHeartbeatRules,
      before: '.filter((each) => isActive(each, nowMs))',
      after: ".filter((each) => isActive(each, nowMs) || each.state === 'revoked')",
    },
  },
  {
    id: 'sponsor/used-by-2',
    title: 'each heartbeat counts twice',
    clause: 'heartbeat.sender.charged',
    patch: {
      file: sponsoredHeartbeatRules,
      before: 'sponsorship.used = usedInEpoch(registry, sponsorship) + 1;',
      after: 'sponsorship.used = usedInEpoch(registry, sponsorship) + 2;',
    },
  },
  {
    id: 'sponsor/used-at-most-1',
    title: 'the count of heartbeats ends at 1',
    clause: 'heartbeat.sender.charged',
    patch: {
      file: sponsoredHeartbeatRules,
      before: 'sponsorship.used = usedInEpoch(registry, sponsorship) + 1;',
      after: 'sponsorship.used = 1;',
    },
  },
  {
    id: 'sponsor/cap-races',
    title: 'a sponsored heartbeat is charged a moment later',
    clause: 'heartbeat.error.sponsor-cap-reached',
    patch: {
      file: sponsoredHeartbeatRules,
      before: 'sponsorship.used = usedInEpoch(registry, sponsorship) + 1;',
      after: 'setImmediate(() => { sponsorship.used = usedInEpoch(registry, sponsorship) + 1; });',
    },
  },
  {
    id: 'sponsor/used-shown-0',
    title: 'heartbeats_used_epoch is always 0',
    clause: 'sponsor.field.heartbeats-used-epoch',
    patch: {
      file: sponsorEndpoint,
      before: 'heartbeats_used_epoch: usedInEpoch(registry, given),',
      after: 'heartbeats_used_epoch: 0,',
    },
  },
  {
    id: 'sponsor/cap-shown-default',
    title: 'max_heartbeats_epoch is always 100',
    clause: 'sponsor.field.max-heartbeats-epoch',
    patch: {
      file: sponsorEndpoint,
      before: 'max_heartbeats_epoch: given.heartbeatsEpochMax,',
      after: 'max_heartbeats_epoch: 100,',
    },
  },
  {
    id: 'sponsor/parent-shown-as-child',
    title: 'parent_hash and child_hash are exchanged',
    clause: 'sponsor.field.parent-hash',
    patch: {
      file: sponsorEndpoint,
      before: 'parent_hash: hashOf(registry, given.parent),\n        child_hash: hashOf(registry, given.child),',
      after: 'parent_hash: hashOf(registry, given.child),\n        child_hash: hashOf(registry, given.parent),',
    },
  },
  {
    id: 'sponsor/parent-shown-of-child',
    title: "parent_hash is the child's parent",
    clause: 'sponsor.field.parent-hash',
    patch: {
      file: sponsorEndpoint,
      before: 'parent_hash: hashOf(registry, given.parent),',
      after: 'parent_hash: hashOf(registry, registry.agents.columns.parent[given.child]),',
    },
  },
  {
    id: 'sponsor/status-shown-active',
    title: 'status is active for ever',
    clause: 'sponsor.transition.revoke',
    patch: { file: sponsorEndpoint, before: 'status: sponsorshipStatus(given, nowMs),', after: "status: 'active'," },
  },
  {
    id: 'sponsor/expires-shown-in-ms',
    title: 'expires_at is in Unix milliseconds',
    clause: 'sponsor.field.expires-at',
    patch: {
      file: sponsorEndpoint,
      before: 'given.expiresAtMs === null ? null : isoOf(given.expiresAtMs),',
      after: 'given.expiresAtMs,',
    },
  },
  {
    id: 'sponsor/expires-shown-late',
    title: 'expires_at is a day late',
    clause: 'sponsor.field.expires-at',
    patch: {
      file: sponsorEndpoint,
      before: 'given.expiresAtMs === null ? null : isoOf(given.expiresAtMs),',
      after: 'given.expiresAtMs === null ? null : isoOf(given.expiresAtMs + 86_400_000),',
    },
  },
  {
    id: 'sponsor/created-shown-now',
    title: 'created_at is the time of the listing',
    clause: 'sponsor.field.created-at',
    patch: {
      file: sponsorEndpoint,
      before: 'created_at: isoOf(given.createdAtMs),',
      after: 'created_at: isoOf(nowMs),',
    },
  },
  {
    id: 'sponsor/child-any-text',
    title: 'any text is taken as child_hash',
    clause: 'sponsor.error.validation',
    patch: {
      file: sponsorSchema,
      before:
        'body: (facts) => {\n        const { heartbeatsEpochMin, heartbeatsEpochMax, expiresHoursMin } = facts.protocol.sponsor;\n        return z.object({\n            child_hash: agentHash(facts),',
      after:
        'body: (facts) => {\n        const { heartbeatsEpochMin, heartbeatsEpochMax, expiresHoursMin } = facts.protocol.sponsor;\n        return z.object({\n            child_hash: z.string(),',
    },
  },
  {
    id: 'sponsor/delete-child-any-text',
    title: 'any text is taken as child_hash of a revocation',
    clause: 'sponsor.error.validation',
    patch: {
      file: sponsorSchema,
      before: 'body: (facts) => z.object({ child_hash: agentHash(facts) }),',
      after: 'body: (facts) => z.object({ child_hash: z.string() }),',
    },
  },
  {
    id: 'sponsor/cap-clamped',
    title: 'a cap over 10,000 is taken for 10,000',
    clause: 'sponsor.post.body.max-heartbeats-epoch',
    patch: {
      file: sponsorSchema,
      before: 'max_heartbeats_epoch: z.int().min(heartbeatsEpochMin).max(heartbeatsEpochMax).optional(),',
      after:
        'max_heartbeats_epoch: z.int().min(heartbeatsEpochMin).transform((cap) => Math.min(cap, heartbeatsEpochMax)).optional(),',
    },
  },
  {
    id: 'sponsor/cap-as-text',
    title: 'a cap as a text is accepted',
    clause: 'sponsor.error.validation.parameters',
    patch: {
      file: sponsorSchema,
      before: 'max_heartbeats_epoch: z.int().min(heartbeatsEpochMin).max(heartbeatsEpochMax).optional(),',
      after:
        'max_heartbeats_epoch: z.coerce.number().int().min(heartbeatsEpochMin).max(heartbeatsEpochMax).optional(),',
    },
  },
  {
    id: 'sponsor/hours-as-text',
    title: 'expires_in_hours as a text is accepted',
    clause: 'sponsor.error.validation.parameters',
    patch: {
      file: sponsorSchema,
      before: 'expires_in_hours: z.number().min(expiresHoursMin).max(ISO_SPAN_HOURS_MAX).optional(),',
      after: 'expires_in_hours: z.coerce.number().min(expiresHoursMin).max(ISO_SPAN_HOURS_MAX).optional(),',
    },
  },
  {
    id: 'sponsor/hours-of-a-week',
    title: 'expires_in_hours goes up to 168',
    clause: 'sponsor.post.body.expires-in-hours',
    patch: {
      file: sponsorSchema,
      before: 'expires_in_hours: z.number().min(expiresHoursMin).max(ISO_SPAN_HOURS_MAX).optional(),',
      after: 'expires_in_hours: z.number().min(expiresHoursMin).max(168).optional(),',
    },
  },
  {
    id: 'sponsor/cap-wanted',
    title: 'a cap must be sent',
    clause: 'sponsor.post.body.max-heartbeats-epoch.default',
    patch: {
      file: sponsorSchema,
      before: 'max_heartbeats_epoch: z.int().min(heartbeatsEpochMin).max(heartbeatsEpochMax).optional(),',
      after: 'max_heartbeats_epoch: z.int().min(heartbeatsEpochMin).max(heartbeatsEpochMax),',
    },
  },
  {
    id: 'sponsor/get-wants-child',
    title: 'a listing wants child_hash',
    clause: 'sponsor.get.body',
    patch: {
      file: sponsorSchema,
      before: 'body: null,\n    invalid: null,',
      after: "body: (facts) => z.object({ child_hash: agentHash(facts) }),\n    invalid: 'sponsor/VALIDATION',",
    },
  },
  {
    id: 'sponsor/never-pays',
    title: 'a sponsorship pays nothing',
    clause: 'service.sponsor',
    patch: {
      file: sponsoredHeartbeatRules,
      before: 'if (open !== undefined)',
      after: 'if (open !== undefined && open.used < 0)',
    },
  },
  {
    id: 'sponsor/key-of-child-sponsors',
    title: "a child's key sponsors it in its parent's name",
    clause: 'sponsor.auth',
    patch: {
      file: sponsorRules,
      before: 'const { agent, child } = input;',
      after:
        'const { child } = input;\n    const agent = input.agent === child || registry.agents.columns.parent[input.agent] < 0 ? input.agent : registry.agents.columns.parent[input.agent];',
    },
  },
  {
    id: 'sponsor/refused-for-all',
    title: "a parent's key sponsors nothing",
    clause: 'key.parent.sponsor',
    patch: {
      file: sponsorRules,
      before: 'const refused = refuseSponsor(registry, agent, child);',
      after:
        "const refused = child >= 0 ? refuse('sponsor/SPONSOR_NOT_ANCESTOR') : refuseSponsor(registry, agent, child);",
    },
  },
  {
    id: 'sponsor/child-renamed',
    title: 'a sponsorship names its child as child',
    clause: 'sponsor.post.body.child-hash',
    patch: {
      file: sponsorSchema,
      before: 'child_hash: agentHash(facts),\n            max',
      after: 'child: agentHash(facts),\n            max',
    },
  },
  {
    id: 'sponsor/delete-child-renamed',
    title: 'a revocation names its child as child',
    clause: 'sponsor.delete.body',
    patch: {
      file: sponsorSchema,
      before: 'body: (facts) => z.object({ child_hash: agentHash(facts) }),',
      after: 'body: (facts) => z.object({ child: agentHash(facts) }),',
    },
  },
  {
    id: 'sponsor/list-of-four',
    title: 'a listing names the latest four sponsorships alone',
    clause: 'sponsor.get.reply',
    patch: {
      file: sponsorRules,
      before: 'return registry.sponsorships.byParent.get(parent) ?? [];',
      after: 'return (registry.sponsorships.byParent.get(parent) ?? []).slice(-4);',
    },
  },
  {
    id: 'sponsor/use-of-last-epoch',
    title: 'terms that are set anew in an epoch bring back the use of the one before',
    clause: 'sponsor.field.heartbeats-used-epoch',
    patch: {
      file: sponsorRules,
      before: "heartbeatsEpochMax, expiresAtMs, state: 'active' }",
      after:
        "heartbeatsEpochMax, expiresAtMs, state: 'active', epoch: billingEpoch(registry.protocol, currentBeat(registry)) }",
    },
  },
  {
    id: 'sponsor/cap-never-lowered',
    title: 'a cap that is set anew is never lower than it was',
    clause: 'sponsor.transition.update',
    patch: {
      file: sponsorRules,
      before: 'Object.assign(known, { heartbeatsEpochMax,',
      after: 'Object.assign(known, { heartbeatsEpochMax: Math.max(known.heartbeatsEpochMax, heartbeatsEpochMax),',
    },
  },
  {
    id: 'sponsor/payer-above',
    title: "the wallet of a sponsor's parent pays, too",
    clause: 'heartbeat.sender.sponsor',
    patch: {
      file: sponsoredHeartbeatRules,
      before: 'sender >= 0 && line.wallet(parent) === sender',
      after:
        'sender >= 0 && (line.wallet(parent) === sender || line.wallet(Math.max(0, registry.agents.columns.parent[parent] ?? -1)) === sender)',
    },
  },
  {
    id: 'sponsor/frozen-grandparent',
    title: 'a frozen agent sponsors the children of its children',
    clause: 'sponsor.rule.not-frozen',
    patch: {
      file: sponsorRules,
      before: 'if (line.status(agent) === FROZEN)',
      after: 'if (line.status(agent) === FROZEN && columns.parent[child] === agent)',
    },
  },
  {
    id: 'sponsor/freeze-ends-children',
    title: 'the freeze of a sponsor ends its sponsorships of its own children alone',
    clause: 'sponsor.transition.frozen.parent',
    patch: {
      file: sponsorRules,
      before: "if (isActive(each, nowMs))\n            each.state = 'revoked-by-sponsor-freeze';",
      after:
        "if (isActive(each, nowMs) && registry.agents.columns.parent[each.child] === agent)\n            each.state = 'revoked-by-sponsor-freeze';",
    },
  },
  {
    id: 'sponsor/whole-hours',
    title: 'a part of an hour is taken and left out',
    clause: 'sponsor.post.body.expires-in-hours',
    patch: {
      file: sponsorRules,
      before: 'Math.floor(input.expiresInHours * HOUR_MS)',
      after: 'Math.floor(input.expiresInHours) * HOUR_MS',
    },
  },
  {
    id: 'sponsor/ended-by-link',
    title: 'a sponsorship ends when the child links a wallet',
    clause: 'heartbeat.sender.sponsor',
    patch: {
      file: 'reference/registry/wallet',
      before: 'linkWallet(registry, agent, ownedWallet',
      after:
        "for (const each of registry.sponsorships.byChild.get(agent) ?? []) each.state = 'revoked';\n  linkWallet(registry, agent, ownedWallet",
    },
  },
  {
    id: 'sponsor/freeze-ends-two',
    title: 'a freeze ends the first two sponsorships of a sponsor',
    clause: 'sponsor.transition.frozen.parent',
    patch: {
      file: sponsorRules,
      before: 'for (const each of registry.sponsorships.byParent.get(agent) ?? []) {',
      after: 'for (const each of (registry.sponsorships.byParent.get(agent) ?? []).slice(0, 2)) {',
    },
  },
  {
    id: 'sponsor/expiring-survives',
    title: 'a sponsorship with an expiry survives the freeze of its child',
    clause: 'sponsor.transition.frozen.child',
    patch: {
      file: sponsorRules,
      before: "if (isActive(each, nowMs))\n            each.state = 'revoked';",
      after: "if (isActive(each, nowMs) && each.expiresAtMs === null) each.state = 'revoked';",
    },
  },
  {
    id: 'sponsor/use-of-odd-epochs',
    title: 'the use of a sponsorship goes on in every second epoch',
    clause: 'sponsor.field.heartbeats-used-epoch',
    patch: {
      file: sponsorRules,
      before:
        'return sponsorship.epoch === billingEpoch(registry.protocol, currentBeat(registry)) ? sponsorship.used : 0;',
      after:
        'return sponsorship.epoch === billingEpoch(registry.protocol, currentBeat(registry)) || billingEpoch(registry.protocol, currentBeat(registry)) % 2 === 0 ? sponsorship.used : 0;',
    },
  },
  {
    id: 'sponsor/renewed-in-the-reply-alone',
    title: 'a sponsorship that was revoked is made again in the reply, and not in effect',
    clause: 'sponsor.transition.create',
    patch: {
      file: sponsorRules,
      before:
        "Object.assign(known, { heartbeatsEpochMax, expiresAtMs, state: 'active' });\n        return { ok: true, sponsorship: known };",
      after:
        "Object.assign(known, { heartbeatsEpochMax, expiresAtMs });\n        return { ok: true, sponsorship: { ...known, state: 'active' } };",
    },
  },
  {
    id: 'sponsor/listing-of-three',
    title: 'a listing ends after three sponsorships',
    clause: 'sponsor.get.reply',
    patch: {
      file: sponsorEndpoint,
      before: 'sponsorshipsOf(registry, agent).map(',
      after: 'sponsorshipsOf(registry, agent).slice(0, 3).map(',
    },
  },
  {
    id: 'sponsor/refused-update-holds',
    title: 'terms that are refused are set all the same',
    clause: 'sponsor.field.max-heartbeats-epoch',
    patch: {
      file: 'reference/http/request/route',
      before: '    if (parsed !== undefined && !parsed.ok)\n        return parsed;',
      after:
        "    if (parsed !== undefined && !parsed.ok) {\n        if (endpoint.id === 'sponsor.post') for (const one of host.service.registry.sponsorships.byParent.get(agent) ?? []) one.heartbeatsEpochMax = Number(raw.value.max_heartbeats_epoch) || one.heartbeatsEpochMax;\n        return parsed;\n    }",
    },
  },
  {
    id: 'sponsor/only-the-first-pays',
    title: 'of the sponsorships of a child only the oldest active one is looked at',
    clause: 'heartbeat.sender.sponsor',
    patch: {
      file: 'reference/registry/sponsored-heartbeat',
      before:
        '    const from = (registry.sponsorships.byChild.get(child) ?? []).filter(({ parent }) => sender >= 0 && line.wallet(parent) === sender);',
      after:
        '    const all = registry.sponsorships.byChild.get(child) ?? [];\n    const first = all.find((each) => isActive(each, nowMs));\n    const from = all.filter((each) => (each === first || !isActive(each, nowMs)) && sender >= 0 && line.wallet(each.parent) === sender);',
    },
  },
  {
    id: 'sponsor/cap-refusal-for-good',
    title: 'a sponsorship that refused a heartbeat for its cap refuses those of later epochs',
    clause: 'heartbeat.sender.sponsor',
    patch: {
      file: 'reference/registry/sponsored-heartbeat',
      before: '/** 4.5, sender rule: the sponsorship to which',
      after: 'const exhausted = new WeakSet();\n/** 4.5, sender rule: the sponsorship to which',
      also: [
        {
          file: 'reference/registry/sponsored-heartbeat',
          before: 'holding.find((each) => usedInEpoch(registry, each) < each.heartbeatsEpochMax)',
          after:
            'holding.find((each) => !exhausted.has(each) && usedInEpoch(registry, each) < each.heartbeatsEpochMax)',
        },
        {
          file: 'reference/registry/sponsored-heartbeat',
          before: "    if (holding.length > 0)\n        return refuse('heartbeat/SPONSOR_CAP_REACHED');",
          after:
            "    if (holding.length > 0) {\n        for (const each of holding)\n            exhausted.add(each);\n        return refuse('heartbeat/SPONSOR_CAP_REACHED');\n    }",
        },
      ],
    },
  },
  {
    id: 'sponsor/update-unbounded',
    title: 'the bounds of a cap are looked at where a sponsorship is made, and not where it is changed',
    clause: 'sponsor.post.body.max-heartbeats-epoch',
    patch: {
      file: 'spec/endpoints/sponsor',
      before: 'max_heartbeats_epoch: z.int().min(heartbeatsEpochMin).max(heartbeatsEpochMax).optional(),',
      after: 'max_heartbeats_epoch: z.int().optional(),',
      also: [
        {
          file: 'reference/registry/sponsor',
          before: '    const refused = refuseSponsor(registry, agent, child);\n',
          after:
            "    const bounds = registry.protocol.sponsor;\n    const cap = input.heartbeatsEpochMax ?? bounds.heartbeatsEpochMin;\n    const before = between(registry, agent, child);\n    if ((before === undefined || !isActive(before, nowMs)) && (cap < bounds.heartbeatsEpochMin || cap > bounds.heartbeatsEpochMax))\n        return refuse('sponsor/VALIDATION', 'max_heartbeats_epoch: is out of bounds');\n    const refused = refuseSponsor(registry, agent, child);\n",
        },
      ],
    },
  },
  {
    id: 'sponsor/never-after-a-freeze',
    title: 'an agent that was ever frozen sponsors nobody',
    clause: 'sponsor.transition.create',
    patch: {
      file: 'reference/registry/sponsor',
      before: 'if (line.status(agent) === FROZEN)',
      after: 'if (line.status(agent) === FROZEN || registry.onceFrozen?.has(agent))',
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
    id: 'sponsor/no-pause-when-sponsored',
    title: 'heartbeats of a child without a wallet may follow each other at once',
    clause: 'heartbeat.interval.min',
    patch: {
      file: 'reference/registry/heartbeat',
      before: 'if (lastBeat >= 0 && beat - lastBeat < intervalBeatsMin) {',
      after: 'if (lastBeat >= 0 && line.wallet(agent) >= 0 && beat - lastBeat < intervalBeatsMin) {',
    },
  },
  {
    id: 'sponsor/revokes-what-a-freeze-ended',
    title: 'a sponsorship that the freeze of its sponsor ended can be revoked',
    clause: 'sponsor.error.sponsor-not-found',
    patch: {
      file: 'reference/registry/sponsor',
      before: 'if (known === undefined || !isActive(known, nowMs))',
      after: "if (known === undefined || (!isActive(known, nowMs) && known.state !== 'revoked-by-sponsor-freeze'))",
    },
  },
  {
    id: 'sponsor/first-cap-holds',
    title: 'a sponsorship pays up to the cap that it was made with, and shows that of the update',
    clause: 'heartbeat.sender.sponsor',
    patch: {
      file: 'reference/registry/sponsor',
      before: '        heartbeatsEpochMax,\n        expiresAtMs,\n        state:',
      after: '        heartbeatsEpochMax,\n        firstMax: heartbeatsEpochMax,\n        expiresAtMs,\n        state:',
      also: [
        {
          file: 'reference/registry/sponsored-heartbeat',
          before: 'usedInEpoch(registry, each) < each.heartbeatsEpochMax',
          after: 'usedInEpoch(registry, each) < each.firstMax',
        },
      ],
    },
  },
  {
    id: 'sponsor/listings-fill-posts',
    title: 'an agent that lists and revokes sponsorships has fewer posts left',
    clause: 'limit.sponsor.post',
    patch: {
      file: 'reference/http/request/buckets',
      before: '    return [...byRow, ...dailyTimestamps(host, endpoint, caller)];',
      after:
        "    const { limits: all } = host.service.registry.protocol;\n    const posts = { key: bucketKey(endpoint, { limit: 'sponsorPost', by: 'agent' }, caller), limit: { ...all.sponsorPost, count: endpoint.method === 'POST' ? all.sponsorPost.count : 1e9 } };\n    return endpoint.stem === 'sponsor' ? [...byRow.filter(({ limit }) => limit !== all.sponsorPost), posts] : [...byRow, ...dailyTimestamps(host, endpoint, caller)];",
    },
  },
  {
    id: 'sponsor/frozen-parent-pays',
    title: 'a sponsor that the DMS has frozen still pays',
    clause: 'heartbeat.error.sponsor-parent-frozen',
    patch: {
      file: 'reference/registry/sponsored-heartbeat',
      before: '        .filter((each) => isActive(each, nowMs))\n        .toSorted',
      after:
        "        .filter((each) => isActive(each, nowMs) || each.state === 'revoked-by-sponsor-freeze')\n        .toSorted",
    },
  },
  {
    id: 'sponsor/parent-keeps-its-own',
    title: 'the freeze of an agent that gives sponsorships leaves those that it has itself',
    clause: 'sponsor.transition.frozen.child',
    patch: {
      file: 'reference/registry/sponsor',
      before: '    revokeOfChild(registry, agent, nowMs);\n}',
      after: '    if (!registry.sponsorships.byParent.has(agent))\n        revokeOfChild(registry, agent, nowMs);\n}',
    },
  },
  {
    id: 'sponsor/frozen-for-ever',
    title: 'what a sponsor pays that was frozen once is refused as if it still were',
    clause: 'heartbeat.error.payment-sender-mismatch',
    patch: {
      file: 'reference/registry/sponsored-heartbeat',
      before: "state === 'revoked-by-sponsor-freeze' && line.status(parent) === FROZEN",
      after: "state === 'revoked-by-sponsor-freeze' && (line.status(parent) === FROZEN || true)",
    },
  },
  {
    id: 'sponsor/cap-stays',
    title: 'a sponsorship that is made again without a cap keeps the one it had',
    clause: 'sponsor.post.body.max-heartbeats-epoch',
    patch: {
      file: 'reference/registry/sponsor',
      before: '    const heartbeatsEpochMax = input.heartbeatsEpochMax ?? registry',
      after:
        '    const heartbeatsEpochMax = input.heartbeatsEpochMax ?? between(registry, agent, child)?.heartbeatsEpochMax ?? registry',
    },
  },
  {
    id: 'sponsor/as-old-as-the-child',
    title: 'created_at of a sponsorship is when its child registered',
    clause: 'sponsor.field.created-at',
    patch: {
      file: 'reference/http/endpoints/sponsor',
      before: 'created_at: isoOf(given.createdAtMs),',
      after: 'created_at: isoOf(registry.agents.columns.registeredAtMs[given.child]),',
    },
  },
  {
    id: 'sponsor/none-for-orchestrators',
    title: 'whoever is an orchestrator pays for itself',
    clause: 'heartbeat.sender.sponsor',
    patch: {
      file: 'reference/registry/sponsored-heartbeat',
      before: '    if (open !== undefined)',
      after: '    if (open !== undefined && line.identityClass(child) !== 3)',
    },
  },
  {
    id: 'sponsor/sibling-resets-use',
    title: 'sponsoring another child starts the count of each that is sponsored anew',
    clause: 'sponsor.field.heartbeats-used-epoch',
    patch: {
      file: 'reference/registry/sponsor',
      before: '    append(registry.sponsorships.byParent, agent, made);',
      after:
        '    append(registry.sponsorships.byParent, agent, made);\n    for (const each of registry.sponsorships.byParent.get(agent)) each.used = 0;',
    },
  },
  {
    id: 'sponsor/terms-of-all',
    title: 'the terms of a sponsorship that is made again are those of each that its sponsor has given',
    clause: 'sponsor.field.max-heartbeats-epoch',
    patch: {
      file: 'reference/registry/sponsor',
      before: "        Object.assign(known, { heartbeatsEpochMax, expiresAtMs, state: 'active' });",
      after:
        "        for (const each of registry.sponsorships.byParent.get(agent)) Object.assign(each, { heartbeatsEpochMax, expiresAtMs });\n        known.state = 'active';",
    },
  },
  {
    id: 'sponsor/frozen-child',
    title: 'a child that is frozen cannot be sponsored',
    clause: 'sponsor.transition.create',
    patch: {
      file: 'reference/registry/sponsor',
      before: '    if (child === agent)',
      after:
        "    if (line.status(child) === FROZEN)\n        return refuse('sponsor/SPONSOR_INVALID');\n    if (child === agent)",
    },
  },
  {
    id: 'sponsor/revoked-by-roots-alone',
    title: 'a child cannot end the sponsorships that it has given',
    clause: 'sponsor.transition.revoke',
    patch: {
      file: 'reference/registry/sponsor',
      before: "    known.state = 'revoked';",
      after:
        "    if (registry.agents.columns.parent[input.agent] >= 0)\n        return refuse('sponsor/SPONSOR_NOT_FOUND');\n    known.state = 'revoked';",
    },
  },
];
