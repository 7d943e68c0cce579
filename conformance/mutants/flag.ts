/** Mistakes of flags and of what a review does. */
import type { Mutant } from './mutant.js';

const flagRules = 'reference/registry/flag';
const flagEndpoint = 'reference/http/endpoints/flag';
const flagSchema = 'spec/endpoints/flag';

export const flagMutants: readonly Mutant[] = [
  {
    id: 'flag/reporter-without-sigil',
    title: 'a reporter needs no SIGIL',
    clause: 'flag.rule.reporter-sigil',
    patch: { file: flagRules, before: "if (tier === undefined || tier === 'sbx')", after: "if (tier === 'sbx')" },
  },
  {
    id: 'flag/reporter-sandbox',
    title: 'a reporter may be in the sandbox',
    clause: 'flag.rule.reporter-tier',
    patch: { file: flagRules, before: "if (tier === undefined || tier === 'sbx')", after: 'if (tier === undefined)' },
    part: 'tiers.sbx',
  },
  {
    id: 'flag/reporter-ephemeral-refused',
    title: 'an ephemeral reporter is refused as well',
    clause: 'flag.rule.reporter-tier',
    patch: {
      file: flagRules,
      before: "if (tier === undefined || tier === 'sbx')",
      after: "if (tier === undefined || tier === 'sbx' || tier === 'eph')",
    },
    part: 'tiers.eph',
  },
  {
    id: 'flag/reporter-sovereign-only',
    title: 'only sovereign and organisational reporters flag',
    clause: 'flag.rule.reporter-tier',
    patch: {
      file: flagRules,
      before: "if (tier === undefined || tier === 'sbx')",
      after: "if (tier !== 'sov' && tier !== 'org' && tier !== 'eph')",
    },
  },
  {
    id: 'flag/self',
    title: 'an agent flags itself',
    clause: 'flag.rule.not-self',
    patch: { file: flagRules, before: 'if (target === agent)', after: 'if (target === -2)' },
  },
  {
    id: 'flag/target-unknown',
    title: 'an unknown target is flagged',
    clause: 'flag.rule.target-exists',
    patch: { file: flagRules, before: 'if (target < 0)', after: 'if (target < -1)' },
  },
  {
    id: 'flag/target-without-sigil-refused',
    title: 'only a target with a SIGIL is flagged',
    clause: 'flag.transition.pending',
    patch: { file: flagRules, before: 'if (target < 0)', after: 'if (target < 0 || !registry.sigils.has(target))' },
  },
  {
    id: 'flag/duplicate',
    title: 'a pending flag may be filed again',
    clause: 'flag.rule.one-pending',
    patch: {
      file: flagRules,
      before: 'if (pendingPairs.has(pair))',
      after: "if (pendingPairs.has(pair) && reason === '')",
    },
  },
  {
    id: 'flag/duplicate-of-another-class',
    title: 'a pending flag may be filed again with another class',
    clause: 'flag.rule.one-pending',
    patch: {
      file: flagRules,
      before: 'const pair = `${agent}:${target}`;',
      after: 'const pair = `${agent}:${target}:${assertedClass}`;',
    },
  },
  {
    id: 'flag/duplicate-of-another-reason',
    title: 'a pending flag may be filed again with another reason',
    clause: 'flag.rule.one-pending',
    patch: {
      file: flagRules,
      before: 'const pair = `${agent}:${target}`;',
      after: 'const pair = `${agent}:${target}:${reason}`;',
    },
  },
  {
    id: 'flag/one-per-target',
    title: 'a target has one pending flag, whoever files it',
    clause: 'flag.rule.one-pending',
    patch: { file: flagRules, before: 'const pair = `${agent}:${target}`;', after: 'const pair = `${target}`;' },
  },
  {
    id: 'flag/one-per-reporter',
    title: 'a reporter has one pending flag',
    clause: 'flag.rule.one-pending',
    patch: { file: flagRules, before: 'const pair = `${agent}:${target}`;', after: 'const pair = `${agent}`;' },
  },
  {
    id: 'flag/races',
    title: 'a flag is noted a moment later',
    clause: 'flag.rule.one-pending',
    patch: { file: flagRules, before: 'pendingPairs.add(pair);', after: 'setImmediate(() => pendingPairs.add(pair));' },
  },
  {
    id: 'flag/never-again',
    title: 'a flag that has been dismissed cannot be filed again',
    clause: 'flag.rule.one-pending',
    patch: {
      file: flagRules,
      before:
        "if (from === 'pending')\n        registry.flags.pendingPairs.delete(`${found.reporter}:${found.target}`);",
      after: '',
    },
  },
  {
    id: 'flag/at-once-sustained',
    title: 'a flag bars heartbeats before its review',
    clause: 'flag.transition.sustained',
    patch: {
      file: flagRules,
      before: 'pendingPairs.add(pair);',
      after: 'pendingPairs.add(pair);\n    registry.agents.line.setComplaints(target, 1);',
    },
  },
  {
    id: 'flag/dismissed-bars',
    title: 'a dismissed flag bars heartbeats',
    clause: 'flag.transition.sustained',
    patch: {
      file: flagRules,
      before: "dismiss: { from: 'pending', to: 'dismissed', complaints: 0 },",
      after: "dismiss: { from: 'pending', to: 'dismissed', complaints: 1 },",
    },
  },
  {
    id: 'flag/sustained-bars-not',
    title: 'a sustained flag bars nothing',
    clause: 'flag.transition.sustained',
    patch: {
      file: flagRules,
      before: "sustain: { from: 'pending', to: 'sustained', complaints: 1 },",
      after: "sustain: { from: 'pending', to: 'sustained', complaints: 0 },",
    },
  },
  {
    id: 'flag/resolved-bars',
    title: 'a resolved flag bars heartbeats',
    clause: 'flag.transition.sustained',
    patch: {
      file: flagRules,
      before: "resolve: { from: 'sustained', to: 'resolved', complaints: -1 },",
      after: "resolve: { from: 'sustained', to: 'resolved', complaints: 0 },",
    },
  },
  {
    id: 'flag/sustained-bars-reporter',
    title: 'a sustained flag bars its reporter',
    clause: 'flag.transition.sustained',
    patch: {
      file: flagRules,
      before: 'line.setComplaints(found.target, line.complaints(found.target) + complaints);',
      after: 'line.setComplaints(found.reporter, line.complaints(found.reporter) + complaints);',
    },
  },
  {
    id: 'flag/resolved-all',
    title: 'resolving one complaint resolves all',
    clause: 'flag.transition.sustained',
    patch: {
      file: flagRules,
      before: 'line.setComplaints(found.target, line.complaints(found.target) + complaints);',
      after: 'line.setComplaints(found.target, complaints < 0 ? 0 : line.complaints(found.target) + complaints);',
    },
  },
  {
    id: 'flag/breaker-off',
    title: 'there is no circuit breaker',
    clause: 'limit.flag.breaker',
    patch: { file: flagRules, before: 'if (waitMs > 0)', after: 'if (waitMs > 1e12)' },
  },
  {
    id: 'flag/breaker-by-target',
    title: 'the breaker counts flags of the target',
    clause: 'limit.flag.breaker',
    patch: {
      file: flagRules,
      before: 'pendingBefore(flags, breakerPendingMax)',
      after:
        "flags.list.filter(({ status, target }) => status === 'pending' && target === flags.list.at(-1).target).at(-1 - breakerPendingMax)",
    },
  },
  {
    id: 'flag/breaker-counts-reviewed',
    title: 'the breaker counts reviewed flags too',
    clause: 'limit.flag.breaker',
    patch: {
      file: flagRules,
      before: 'pendingBefore(flags, breakerPendingMax)',
      after: 'flags.list.at(-1 - breakerPendingMax)',
    },
  },
  {
    id: 'flag/uuid-short',
    title: 'flag_id has no dashes',
    clause: 'flag.field.flag-id',
    patch: {
      file: flagRules,
      before: 'id: nextUuid(registry.stream),',
      after: "id: nextUuid(registry.stream).replaceAll('-', ''),",
    },
  },
  {
    id: 'flag/uuid-of-target',
    title: 'flag_id is the same for all flags',
    clause: 'flag.field.flag-id',
    patch: {
      file: flagRules,
      before: 'id: nextUuid(registry.stream),',
      after: "id: '00000000-0000-4000-8000-000000000000',",
    },
  },
  {
    id: 'flag/reply-nested',
    title: 'the flag is nested in an object',
    clause: 'flag.reply',
    patch: {
      file: flagEndpoint,
      before: 'reply({ flagged: true, flag_id: done.flag.id, status: done.flag.status })',
      after: 'reply({ flag: { flagged: true, flag_id: done.flag.id, status: done.flag.status } })',
    },
  },
  {
    id: 'flag/status-open',
    title: 'status is open',
    clause: 'flag.reply.status',
    patch: { file: flagEndpoint, before: 'status: done.flag.status })', after: "status: 'open' })" },
  },
  {
    id: 'flag/class-any',
    title: 'any text is an asserted_class',
    clause: 'flag.body.asserted-class',
    patch: {
      file: flagSchema,
      before: 'asserted_class: z.enum(identityClasses),',
      after: 'asserted_class: z.string(),',
    },
  },
  {
    id: 'flag/class-no-orchestrator',
    title: 'orchestrator is no asserted_class',
    clause: 'flag.body.asserted-class',
    patch: {
      file: flagSchema,
      before: 'asserted_class: z.enum(identityClasses),',
      after: "asserted_class: z.enum(identityClasses).exclude(['orchestrator']),",
    },
    part: 'classes.orchestrator',
  },
  {
    id: 'flag/class-no-narrow-task',
    title: 'narrow_task is no asserted_class',
    clause: 'flag.body.asserted-class',
    patch: {
      file: flagSchema,
      before: 'asserted_class: z.enum(identityClasses),',
      after: "asserted_class: z.enum(identityClasses).exclude(['narrow_task']),",
    },
  },
  {
    id: 'flag/class-no-autonomous',
    title: 'autonomous is no asserted_class',
    clause: 'flag.body.asserted-class',
    patch: {
      file: flagSchema,
      before: 'asserted_class: z.enum(identityClasses),',
      after: "asserted_class: z.enum(identityClasses).exclude(['autonomous']),",
    },
    part: 'classes.autonomous',
  },
  {
    id: 'flag/class-optional',
    title: 'asserted_class may be left out',
    clause: 'flag.body.asserted-class',
    patch: {
      file: flagSchema,
      before: 'asserted_class: z.enum(identityClasses),',
      after: 'asserted_class: z.enum(identityClasses).optional(),',
    },
  },
  {
    id: 'flag/reason-optional',
    title: 'reason may be left out',
    clause: 'flag.body.reason',
    patch: {
      file: flagSchema,
      before: 'reason: textOf(facts.protocol.flag.reasonCharsMin, facts.protocol.flag.reasonCharsMax),',
      after: 'reason: textOf(facts.protocol.flag.reasonCharsMin, facts.protocol.flag.reasonCharsMax).optional(),',
    },
  },
  {
    id: 'flag/reason-number',
    title: 'reason may be a number',
    clause: 'flag.error.validation.reason',
    patch: {
      file: flagSchema,
      before: 'reason: textOf(facts.protocol.flag.reasonCharsMin, facts.protocol.flag.reasonCharsMax),',
      after:
        'reason: z.union([z.number(), textOf(facts.protocol.flag.reasonCharsMin, facts.protocol.flag.reasonCharsMax)]),',
    },
  },
  {
    id: 'flag/reason-20-at-least',
    title: 'reason has 20 characters at least',
    clause: 'flag.body.reason',
    patch: {
      file: flagSchema,
      before: 'reason: textOf(facts.protocol.flag.reasonCharsMin, facts.protocol.flag.reasonCharsMax),',
      after: 'reason: textOf(20, facts.protocol.flag.reasonCharsMax),',
    },
  },
  {
    id: 'flag/refused-always',
    title: 'nobody can flag',
    clause: 'service.flag',
    patch: {
      file: flagRules,
      before: "if (tier === undefined || tier === 'sbx')",
      after: "if (tier !== undefined || tier === 'sbx')",
    },
  },
  {
    id: 'flag/sandbox-is-unknown-tier',
    title: 'a sandbox reporter is refused because the target is missing',
    clause: 'flag.error.flag-reporter-ineligible.sandbox',
    patch: {
      file: flagRules,
      before: "if (tier === undefined || tier === 'sbx')\n        return refuse('flag/FLAG_REPORTER_INELIGIBLE');",
      after:
        "if (tier === 'sbx')\n        return refuse('flag/FLAG_TARGET_NOT_FOUND');\n    if (tier === undefined)\n        return refuse('flag/FLAG_REPORTER_INELIGIBLE');",
    },
    part: 'tiers.sbx',
  },
  {
    id: 'flag/reason-of-1000',
    title: 'a reason has 1,000 characters at most',
    clause: 'constant.flag-reason-max',
    patch: {
      file: flagSchema,
      before: 'reason: textOf(facts.protocol.flag.reasonCharsMin, facts.protocol.flag.reasonCharsMax),',
      after: 'reason: textOf(facts.protocol.flag.reasonCharsMin, 1_000),',
    },
  },
  {
    id: 'flag/reason-empty',
    title: 'a reason may be empty',
    clause: 'constant.flag-reason-min',
    patch: {
      file: flagSchema,
      before: 'reason: textOf(facts.protocol.flag.reasonCharsMin, facts.protocol.flag.reasonCharsMax),',
      after: 'reason: textOf(0, facts.protocol.flag.reasonCharsMax),',
    },
  },
  {
    id: 'flag/forgotten-at-resync',
    title: 'a resync resolves the complaints against an agent',
    clause: 'flag.transition.sustained',
    patch: {
      file: 'reference/registry/dead-man-switch',
      before: 'columns.frozenAtBeat[row] = -1;',
      after: 'columns.frozenAtBeat[row] = -1; line.setComplaints(row, 0);',
    },
  },
  {
    id: 'flag/pair-after-sustain',
    title: 'a flag that was sustained keeps its pair from another',
    clause: 'flag.rule.one-pending',
    patch: { file: flagRules, before: "if (from === 'pending')", after: "if (outcome === 'dismiss')" },
  },
  {
    id: 'flag/filed-with-422',
    title: 'a flag that is filed is answered with 422',
    clause: 'flag.transition.pending',
    patch: { endpoint: 'flag', answer: 422 },
  },
  {
    id: 'flag/invalid-with-200',
    title: 'a flag whose fields are invalid is answered with 200',
    clause: 'flag.body.target-hash',
    patch: { endpoint: 'flag', code: 'VALIDATION', answer: 200 },
  },
  {
    id: 'flag/dismiss-forgives-the-next',
    title: 'a complaint that is dismissed takes the next one away',
    clause: 'flag.transition.sustained',
    patch: {
      file: flagRules,
      before: "to: 'dismissed', complaints: 0",
      after: "to: 'dismissed', complaints: -1",
    },
  },
  {
    id: 'flag/sustained-with-sigil-only',
    title: 'complaints against agents without a SIGIL refuse no heartbeat',
    clause: 'flag.transition.sustained',
    patch: {
      file: 'reference/registry/heartbeat',
      before: 'if (line.complaints(agent) > 0)',
      after: 'if (line.complaints(agent) > 0 && line.identityClass(agent) !== 0)',
    },
  },
  {
    id: 'flag/reason-in-bytes',
    title: 'a reason is counted in bytes',
    clause: 'constant.flag-reason-max',
    patch: {
      file: flagSchema,
      before: 'reason: textOf(facts.protocol.flag.reasonCharsMin, facts.protocol.flag.reasonCharsMax),',
      after:
        'reason: textOf(facts.protocol.flag.reasonCharsMin, facts.protocol.flag.reasonCharsMax).refine((text) => Buffer.byteLength(text) <= facts.protocol.flag.reasonCharsMax),',
    },
  },
  {
    id: 'flag/tier-of-the-target',
    title: 'where the target has a SIGIL, it is its tier that must not be sandbox',
    clause: 'flag.rule.reporter-tier',
    patch: {
      file: 'reference/registry/flag',
      before: 'registry.sigils.get(agent) ?? {};',
      after:
        '(registry.sigils.has(agent) ? (registry.sigils.get(target) ?? registry.sigils.get(agent)) : undefined) ?? {};',
    },
  },
  {
    id: 'flag/pair-without-direction',
    title: 'whoever is flagged by an agent cannot flag it',
    clause: 'flag.rule.one-pending',
    patch: {
      file: 'reference/registry/flag',
      before: 'const pair = `${agent}:${target}`;',
      after: 'const pair = `${Math.min(agent, target)}:${Math.max(agent, target)}`;',
      also: [
        {
          file: 'reference/registry/flag',
          before: 'registry.flags.pendingPairs.delete(`${found.reporter}:${found.target}`);',
          after:
            'registry.flags.pendingPairs.delete(`${Math.min(found.reporter, found.target)}:${Math.max(found.reporter, found.target)}`);',
        },
      ],
    },
  },
  {
    id: 'flag/limit-of-a-pair',
    title: 'a reporter has a limit for each target',
    clause: 'limit.flag.reporter',
    patch: {
      file: 'reference/http/request/buckets',
      before: 'return caller.agent < 0 ? byIp : `${row}|agent|${caller.agent}`;',
      after:
        "return caller.agent < 0 ? byIp : `${row}|agent|${caller.agent}|${bucket.limit === 'flagReporter' ? targetOf(caller.body) : ''}`;",
    },
  },
  {
    id: 'flag/children-refused-too',
    title: 'a sustained complaint refuses the heartbeats of the children too',
    clause: 'spawn.child.heartbeat',
    patch: {
      file: 'reference/registry/heartbeat',
      before: 'if (line.complaints(agent) > 0)',
      after:
        'if (line.complaints(agent) > 0 || (registry.agents.columns.parent[agent] >= 0 && line.complaints(registry.agents.columns.parent[agent]) > 0))',
    },
  },
  {
    id: 'flag/breaker-counts-sustained',
    title: 'flags that were sustained count as pending for the circuit breaker',
    clause: 'limit.flag.breaker',
    patch: {
      file: 'reference/registry/flag',
      before: 'pendingBefore(flags, breakerPendingMax)',
      after: "flags.list.filter(({ status }) => status !== 'dismissed').at(-1 - breakerPendingMax)",
    },
  },
  {
    id: 'flag/sustained-own-wallet-only',
    title: 'a sustained complaint refuses the heartbeats of who has a wallet, and not those that a sponsor pays',
    clause: 'flag.transition.sustained',
    patch: {
      file: 'reference/registry/heartbeat',
      before: 'if (line.complaints(agent) > 0)',
      after: 'if (line.complaints(agent) > 0 && line.wallet(agent) >= 0)',
    },
  },
  {
    id: 'flag/dismissal-of-another-resolves',
    title: 'a dismissed complaint resolves the sustained ones about its target',
    clause: 'flag.transition.sustained',
    patch: {
      file: 'reference/registry/flag',
      before: 'line.complaints(found.target) + complaints);',
      after: "outcome === 'dismiss' ? 0 : line.complaints(found.target) + complaints);",
    },
  },
  {
    id: 'flag/sandbox-of-higher-class',
    title: 'who has a class above the least may flag from the sandbox',
    clause: 'flag.rule.reporter-tier',
    patch: {
      file: 'reference/registry/flag',
      before: "tier === 'sbx')",
      after: "(tier === 'sbx' && registry.agents.line.identityClass(agent) === 1))",
    },
  },
  {
    id: 'flag/frozen-target',
    title: 'a frozen agent is no target',
    clause: 'flag.rule.target-exists',
    patch: {
      file: 'reference/registry/flag',
      before: '    if (target < 0)',
      after: '    if (target < 0 || registry.agents.line.status(target) === 2)',
    },
  },
  {
    id: 'flag/review-frees-all',
    title: 'the review of one flag frees every pair of its reporter',
    clause: 'flag.rule.one-pending',
    patch: {
      file: 'reference/registry/flag',
      before: '        registry.flags.pendingPairs.delete(`${found.reporter}:${found.target}`);',
      after:
        '        for (const pair of registry.flags.pendingPairs)\n            if (pair.startsWith(`${found.reporter}:`))\n                registry.flags.pendingPairs.delete(pair);',
    },
  },
  {
    id: 'flag/self-of-children',
    title: 'a child flags itself',
    clause: 'flag.rule.not-self',
    patch: {
      file: 'reference/registry/flag',
      before: '    if (target === agent)',
      after: '    if (target === agent && registry.agents.columns.parent[agent] < 0)',
    },
  },
  {
    id: 'flag/ends-sponsorships',
    title: 'a complaint ends the sponsorships of whoever files it',
    clause: 'sponsor.get.reply',
    patch: {
      file: 'reference/registry/flag',
      before: '    addFlag(registry.flags, filed);',
      after:
        "    for (const each of registry.sponsorships.byParent.get(agent) ?? [])\n        each.state = 'revoked';\n    addFlag(registry.flags, filed);",
    },
  },
  {
    id: 'flag/ends-own-sponsorship',
    title: 'whoever complains of another is not sponsored any more',
    clause: 'heartbeat.sender.sponsor',
    patch: {
      file: 'reference/registry/flag',
      before: '    pendingPairs.add(pair);',
      after:
        "    pendingPairs.add(pair);\n    for (const each of registry.sponsorships.byChild.get(agent) ?? []) each.state = 'revoked';",
    },
  },
  {
    id: 'flag/sovereigns-exempt',
    title: 'nobody can complain of an agent whose SIGIL is of the tier sov',
    clause: 'flag.rule.target-exists',
    patch: {
      file: 'reference/registry/flag',
      before: '    if (target < 0)',
      after: "    if (target < 0 || registry.sigils.get(target)?.tier === 'sov')",
    },
  },
];
