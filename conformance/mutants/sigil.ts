/** Mistakes of SIGILs: what a purchase accepts and stores, and what lookups and replies show of it. */
import type { Mutant } from './mutant.js';

const paymentRules = 'reference/registry/payment';
const sigilRules = 'reference/registry/sigil';
const verifyRules = 'reference/registry/verify';
const sigilSchema = 'spec/endpoints/sigil';
const sigilEndpoint = 'reference/http/endpoints/sigil';
const feesRules = 'reference/registry/fees';

export const sigilMutants: readonly Mutant[] = [
  {
    id: 'sigil/overpaid',
    title: 'more than the fee is accepted for a SIGIL',
    clause: 'sigil.error.payment-invalid.amount',
    patch: {
      file: paymentRules,
      before: 'if (payment.lamports !== feeLamports) {',
      after: "if (payer === 'sigil' ? payment.lamports < feeLamports : payment.lamports !== feeLamports) {",
    },
  },
  {
    id: 'sigil/underpaid',
    title: 'less than the fee is accepted for a SIGIL',
    clause: 'sigil.error.payment-invalid.amount',
    patch: {
      file: paymentRules,
      before: 'if (payment.lamports !== feeLamports) {',
      after: "if (payer === 'sigil' ? payment.lamports > feeLamports : payment.lamports !== feeLamports) {",
    },
  },
  {
    id: 'sigil/payment-unfounded',
    title: 'a transaction that is not confirmed buys a SIGIL',
    clause: 'sigil.error.payment-invalid',
    patch: {
      file: paymentRules,
      before: 'if (!payment.counts) {',
      after: "if (!payment.counts && payer !== 'sigil') {",
    },
  },
  {
    id: 'sigil/again',
    title: 'a second SIGIL replaces the first',
    clause: 'sigil.transition.again',
    patch: {
      file: sigilRules,
      before: "if (line.identityClass(agent) !== 0)\n        return refuse('sigil/SIGIL_ALREADY_EXISTS');",
      after: "if (line.identityClass(agent) > 9)\n        return refuse('sigil/SIGIL_ALREADY_EXISTS');",
    },
  },
  {
    id: 'sigil/upgrade',
    title: 'a SIGIL of a higher class replaces the first',
    clause: 'sigil.transition.again',
    patch: {
      file: sigilRules,
      before: "if (line.identityClass(agent) !== 0)\n        return refuse('sigil/SIGIL_ALREADY_EXISTS');",
      after:
        "if (line.identityClass(agent) >= classColumnOf(input.identityClass))\n        return refuse('sigil/SIGIL_ALREADY_EXISTS');",
    },
  },
  {
    id: 'sigil/races',
    title: 'a SIGIL is noted a moment later',
    clause: 'sigil.transition.again',
    patch: {
      file: sigilRules,
      before: 'line.setIdentityClass(agent, classColumnOf(input.identityClass));',
      after: 'setImmediate(() => line.setIdentityClass(agent, classColumnOf(input.identityClass)));',
    },
  },
  {
    id: 'sigil/wallet-not-needed',
    title: 'an agent without a wallet buys a SIGIL',
    clause: 'sigil.byo-wallet',
    patch: {
      file: sigilRules,
      before: 'if (line.wallet(agent) < 0 && registry.policy.byoWallet)',
      after: 'if (line.wallet(agent) < -1 && registry.policy.byoWallet)',
    },
  },
  {
    id: 'sigil/class-not-kept-autonomous',
    title: 'autonomous is kept as narrow_task',
    clause: 'service.sigil.class',
    patch: {
      file: sigilRules,
      before: 'line.setIdentityClass(agent, classColumnOf(input.identityClass));',
      after:
        "line.setIdentityClass(agent, input.identityClass === 'autonomous' ? 1 : classColumnOf(input.identityClass));",
    },
    part: 'classes.autonomous',
  },
  {
    id: 'sigil/class-not-kept-orchestrator',
    title: 'orchestrator is kept as autonomous',
    clause: 'service.sigil.class',
    patch: {
      file: sigilRules,
      before: 'line.setIdentityClass(agent, classColumnOf(input.identityClass));',
      after: 'line.setIdentityClass(agent, Math.min(2, classColumnOf(input.identityClass)));',
    },
    part: 'classes.orchestrator',
  },
  {
    id: 'sigil/beat-0',
    title: 'issued_at_beat is 0',
    clause: 'sigil.field.issued-at-beat',
    patch: {
      file: sigilRules,
      before: 'columns.sigilAtBeat[agent] = currentBeat(registry);',
      after: 'columns.sigilAtBeat[agent] = 0;',
    },
  },
  {
    id: 'sigil/event-missing',
    title: 'sigil.purchased is not sent',
    clause: 'event.sigil-purchased',
    patch: { file: sigilRules, before: 'if (line.partner(agent) >= 0) {', after: 'if (line.partner(agent) < -1) {' },
  },
  {
    id: 'sigil/event-of-narrow-task-only',
    title: 'sigil.purchased is sent for narrow_task',
    clause: 'event.sigil-purchased',
    patch: {
      file: sigilRules,
      before: 'if (line.partner(agent) >= 0) {',
      after: "if (line.partner(agent) >= 0 && input.identityClass === 'narrow_task') {",
    },
  },
  {
    id: 'sigil/event-of-roots-only',
    title: 'sigil.purchased is sent for roots',
    clause: 'event.sigil-purchased',
    patch: {
      file: sigilRules,
      before: 'if (line.partner(agent) >= 0) {',
      after: 'if (line.partner(agent) >= 0 && line.depth(agent) === 0) {',
    },
  },
  {
    id: 'sigil/name-ignored',
    title: 'a custom name is ignored',
    clause: 'sigil.body.name',
    patch: {
      file: sigilRules,
      before: "const custom = input.name !== undefined && input.name !== 'auto';",
      after: 'const custom = false;',
    },
  },
  {
    id: 'sigil/auto-is-a-name',
    title: 'auto is a name of its own',
    clause: 'sigil.body.name',
    patch: {
      file: sigilRules,
      before: "const custom = input.name !== undefined && input.name !== 'auto';",
      after: 'const custom = input.name !== undefined;',
    },
  },
  {
    id: 'sigil/name-unique-over-principals',
    title: 'a name is taken under all principals',
    clause: 'sigil.body.name',
    patch: {
      file: sigilRules,
      before: 'if (custom && registry.sigilNames.has(fullName(input.name, principal)))',
      after: 'if (custom && [...registry.sigilNames].some((taken) => taken.startsWith(`${input.name}*`)))',
    },
  },
  {
    id: 'sigil/tier-kept-as-sov',
    title: 'the tier is kept as sov',
    clause: 'sigil.field.tier',
    patch: {
      file: sigilRules,
      before: "principal,\n        tier,\n        birthTx: '',",
      after: "principal,\n        tier: 'sov',\n        birthTx: '',",
    },
  },
  {
    id: 'sigil/tier-eph-kept-as-sbx',
    title: 'tier eph is kept as sbx',
    clause: 'sigil.body.tier',
    patch: {
      file: sigilRules,
      before: "principal,\n        tier,\n        birthTx: '',",
      after: "principal,\n        tier: tier === 'eph' ? 'sbx' : tier,\n        birthTx: '',",
    },
    part: 'tiers.eph',
  },
  {
    id: 'sigil/principal-cut',
    title: 'the principal is cut after 20 characters',
    clause: 'sigil.body.principal',
    patch: {
      file: sigilRules,
      before: "principal,\n        tier,\n        birthTx: '',",
      after: "principal: principal.slice(0, 20),\n        tier,\n        birthTx: '',",
    },
  },
  {
    id: 'sigil/no-birth',
    title: 'no birth is recorded',
    clause: 'service.sigil.on-chain',
    patch: { file: sigilRules, before: 'issued.birthTx = input.birthTx;', after: "issued.birthTx = '';" },
  },
  {
    id: 'sigil/sender-any',
    title: 'anyone pays for a SIGIL',
    clause: 'sigil.transition.issued',
    patch: {
      file: sigilRules,
      before: 'if (wallet >= 0 && paid.sender !== wallet)',
      after: 'if (wallet >= 0 && paid.sender === wallet)',
    },
  },
  {
    id: 'sigil/counts-as-life',
    title: 'a SIGIL purchase is a sign of life',
    clause: 'dms.freeze',
    patch: {
      file: sigilRules,
      before: 'columns.sigilAtBeat[agent] = currentBeat(registry);',
      after:
        'columns.sigilAtBeat[agent] = currentBeat(registry);\n    line.setLastSyncAnchor(agent, registry.anchorIndex);',
    },
  },
  {
    id: 'sigil/counts-as-heartbeat',
    title: 'a SIGIL purchase is a heartbeat',
    clause: 'passport.field.last-heartbeat-beat.zero',
    patch: {
      file: sigilRules,
      before: 'columns.sigilAtBeat[agent] = currentBeat(registry);',
      after:
        'columns.sigilAtBeat[agent] = currentBeat(registry);\n    line.setLastHeartbeatBeat(agent, currentBeat(registry));',
    },
  },
  {
    id: 'sigil/wants-init',
    title: 'a SIGIL needs a started chain',
    clause: 'sigil.transition.issued',
    patch: {
      file: sigilRules,
      before: "if (payment === 'missing')",
      after: "if (line.status(agent) === 0 || payment === 'missing')",
    },
  },
  {
    id: 'sigil/payment-not-needed',
    title: 'a SIGIL without payment_tx is free',
    clause: 'sigil.body.payment-tx',
    patch: {
      file: sigilRules,
      before: "if (payment === 'missing')\n        return refuse('sigil/PAYMENT_REQUIRED');",
      after:
        "if (payment === 'missing')\n        return sigil(registry, { ...input, payment: { id: null, sender: line.wallet(agent), lamports: sigilFee(registry, agent, input.identityClass, nowMs), counts: true } }, nowMs);",
    },
  },
  {
    id: 'sigil/string-order',
    title: 'the SIGIL reads principal*name*tier',
    clause: 'service.sigil.identity',
    patch: {
      file: verifyRules,
      before: 'sigil: sigilText(sigil),',
      after: 'sigil: `${sigil.principal}*${sigil.name}*${sigil.tier}`,',
    },
  },
  {
    id: 'sigil/string-without-tier',
    title: 'the SIGIL reads name*principal',
    clause: 'sigil.field.sigil',
    patch: {
      file: verifyRules,
      before: 'sigil: sigilText(sigil),',
      after: 'sigil: `${sigil.name}*${sigil.principal}`,',
    },
  },
  {
    id: 'sigil/string-with-dots',
    title: 'the SIGIL reads name.principal.tier',
    clause: 'service.sigil.identity',
    patch: {
      file: verifyRules,
      before: 'sigil: sigilText(sigil),',
      after: 'sigil: `${sigil.name}.${sigil.principal}.${sigil.tier}`,',
    },
  },
  {
    id: 'sigil/beat-moves',
    title: 'issued_at_beat moves with time',
    clause: 'sigil.immutable',
    patch: {
      file: verifyRules,
      before: 'issued_at_beat: columns.sigilAtBeat[agent],',
      after: 'issued_at_beat: registry.anchorIndex,',
    },
  },
  {
    id: 'sigil/verified-sigil-without-name',
    title: 'verify shows no SIGIL',
    clause: 'verify-batch.reply.found',
    patch: {
      file: verifyRules,
      before: 'sigil: sigil === null ? null : sigilState(registry, agent, sigil),',
      after: 'sigil: null,',
    },
  },
  {
    id: 'sigil/class-optional',
    title: 'identity_class may be left out',
    clause: 'sigil.body.identity-class',
    patch: {
      file: sigilSchema,
      before: 'identity_class: z.enum(identityClasses),',
      after: "identity_class: z.enum(identityClasses).default('narrow_task'),",
    },
  },
  {
    id: 'sigil/class-any',
    title: 'an unknown identity_class is taken for narrow_task',
    clause: 'sigil.error.validation',
    patch: {
      file: sigilSchema,
      before: 'identity_class: z.enum(identityClasses),',
      after: "identity_class: z.enum(identityClasses).catch('narrow_task'),",
    },
  },
  {
    id: 'sigil/class-no-orchestrator',
    title: 'orchestrator is an unknown class',
    clause: 'sigil.body.identity-class',
    patch: {
      file: sigilSchema,
      before: 'identity_class: z.enum(identityClasses),',
      after: "identity_class: z.enum(identityClasses).exclude(['orchestrator']),",
    },
    part: 'classes.orchestrator',
  },
  {
    id: 'sigil/class-no-autonomous',
    title: 'autonomous is an unknown class',
    clause: 'sigil.body.identity-class',
    patch: {
      file: sigilSchema,
      before: 'identity_class: z.enum(identityClasses),',
      after: "identity_class: z.enum(identityClasses).exclude(['autonomous']),",
    },
    part: 'classes.autonomous',
  },
  {
    id: 'sigil/tier-no-sov',
    title: 'sov is an unknown tier',
    clause: 'sigil.body.tier',
    patch: {
      file: sigilSchema,
      before: 'tier: z.enum(sigilTiers),',
      after: "tier: z.enum(sigilTiers).exclude(['sov']),",
    },
    part: 'tiers.sov',
  },
  {
    id: 'sigil/tier-no-org',
    title: 'org is an unknown tier',
    clause: 'sigil.body.tier',
    patch: {
      file: sigilSchema,
      before: 'tier: z.enum(sigilTiers),',
      after: "tier: z.enum(sigilTiers).exclude(['org']),",
    },
    part: 'tiers.org',
  },
  {
    id: 'sigil/tier-no-ind',
    title: 'ind is an unknown tier',
    clause: 'sigil.body.tier',
    patch: {
      file: sigilSchema,
      before: 'tier: z.enum(sigilTiers),',
      after: "tier: z.enum(sigilTiers).exclude(['ind']),",
    },
  },
  {
    id: 'sigil/tier-no-eph',
    title: 'eph is an unknown tier',
    clause: 'sigil.body.tier',
    patch: {
      file: sigilSchema,
      before: 'tier: z.enum(sigilTiers),',
      after: "tier: z.enum(sigilTiers).exclude(['eph']),",
    },
    part: 'tiers.eph',
  },
  {
    id: 'sigil/tier-no-sbx',
    title: 'sbx is an unknown tier',
    clause: 'sigil.body.tier',
    patch: {
      file: sigilSchema,
      before: 'tier: z.enum(sigilTiers),',
      after: "tier: z.enum(sigilTiers).exclude(['sbx']),",
    },
    part: 'tiers.sbx',
  },
  {
    id: 'sigil/tier-any',
    title: 'an unknown tier is taken for ind',
    clause: 'sigil.error.validation.tier',
    patch: { file: sigilSchema, before: 'tier: z.enum(sigilTiers),', after: "tier: z.enum(sigilTiers).catch('ind')," },
  },
  {
    id: 'sigil/tier-optional',
    title: 'tier may be left out',
    clause: 'sigil.body.tier',
    patch: {
      file: sigilSchema,
      before: 'tier: z.enum(sigilTiers),',
      after: "tier: z.enum(sigilTiers).default('ind'),",
    },
  },
  {
    id: 'sigil/principal-any',
    title: 'any text is a principal',
    clause: 'sigil.body.principal',
    patch: {
      file: sigilSchema,
      before: 'principal: z.string().regex(principalPattern(protocol)),',
      after: 'principal: z.string().min(1).max(24),',
    },
  },
  {
    id: 'sigil/principal-upper-case',
    title: 'a principal in upper case is accepted',
    clause: 'sigil.body.principal',
    patch: {
      file: sigilSchema,
      before: 'principal: z.string().regex(principalPattern(protocol)),',
      after: 'principal: z.string().toLowerCase().regex(principalPattern(protocol)),',
    },
  },
  {
    id: 'sigil/principal-trimmed',
    title: 'a principal is trimmed',
    clause: 'sigil.body.principal',
    patch: {
      file: sigilSchema,
      before: 'principal: z.string().regex(principalPattern(protocol)),',
      after: 'principal: z.string().trim().regex(principalPattern(protocol)),',
    },
  },
  {
    id: 'sigil/principal-hyphen-first',
    title: 'a principal may begin with a hyphen',
    clause: 'sigil.body.principal',
    patch: {
      file: sigilSchema,
      before: 'principal: z.string().regex(principalPattern(protocol)),',
      after: 'principal: z.string().regex(/^[a-z0-9-]{1,24}$/),',
    },
  },
  {
    id: 'sigil/principal-no-digit-first',
    title: 'a principal begins with a letter',
    clause: 'sigil.body.principal',
    patch: {
      file: sigilSchema,
      before: 'principal: z.string().regex(principalPattern(protocol)),',
      after: 'principal: z.string().regex(/^[a-z][a-z0-9-]{0,23}$/),',
    },
  },
  {
    id: 'sigil/principal-no-hyphen',
    title: 'a principal has no hyphen',
    clause: 'sigil.body.principal',
    patch: {
      file: sigilSchema,
      before: 'principal: z.string().regex(principalPattern(protocol)),',
      after: 'principal: z.string().regex(/^[a-z0-9]{1,24}$/),',
    },
  },
  {
    id: 'sigil/principal-underscore',
    title: 'a principal may have an underscore',
    clause: 'sigil.body.principal',
    patch: {
      file: sigilSchema,
      before: 'principal: z.string().regex(principalPattern(protocol)),',
      after: 'principal: z.string().regex(/^[a-z0-9][a-z0-9_-]{0,23}$/),',
    },
  },
  {
    id: 'sigil/principal-two-at-least',
    title: 'a principal has two characters at least',
    clause: 'sigil.body.principal',
    patch: {
      file: sigilSchema,
      before: 'principal: z.string().regex(principalPattern(protocol)),',
      after: 'principal: z.string().regex(/^[a-z0-9][a-z0-9-]{1,23}$/),',
    },
  },
  {
    id: 'sigil/name-wanted',
    title: 'a SIGIL needs a name',
    clause: 'sigil.body.name',
    patch: {
      file: sigilSchema,
      before: 'name: z.string().regex(sigilNamePattern(protocol)).optional(),',
      after: 'name: z.string().regex(sigilNamePattern(protocol)),',
    },
  },
  {
    id: 'sigil/name-auto-only',
    title: 'no name but auto is accepted',
    clause: 'sigil.body.name',
    patch: {
      file: sigilSchema,
      before: 'name: z.string().regex(sigilNamePattern(protocol)).optional(),',
      after: "name: z.literal('auto').optional(),",
    },
  },
  {
    id: 'sigil/passport-without-signature',
    title: 'the passport of a purchase is not signed',
    clause: 'passport.signed',
    patch: {
      file: sigilEndpoint,
      before: 'passport: signPassport(registry, agent, service.authority, nowMs),',
      after:
        "passport: { ...signPassport(registry, agent, service.authority, nowMs), [registry.dialect.passportSignatureField]: '0'.repeat(128) },",
    },
  },
  {
    id: 'sigil/fee-with-tier',
    title: 'the fee of a SIGIL has a tier',
    clause: 'fee.field.no-tier.sigil',
    patch: {
      file: sigilEndpoint,
      before: 'fee: feeView(done.feeLamports, paymentTx),',
      after: 'fee: { ...feeView(done.feeLamports, paymentTx), tier: 1 },',
    },
  },
  {
    id: 'sigil/fee-shown-of-narrow-task',
    title: 'the fee that is shown is that of narrow_task',
    clause: 'fee.sigil.autonomous',
    patch: {
      file: sigilEndpoint,
      before: 'fee: feeView(done.feeLamports, paymentTx),',
      after: 'fee: feeView(50_000_000, paymentTx),',
    },
  },
  {
    id: 'sigil/fee-shown-of-autonomous',
    title: "an orchestrator's fee is shown as that of autonomous",
    clause: 'fee.sigil.orchestrator',
    patch: {
      file: sigilEndpoint,
      before: 'fee: feeView(done.feeLamports, paymentTx),',
      after: 'fee: feeView(Math.min(done.feeLamports, 150_000_000), paymentTx),',
    },
  },
  {
    id: 'sigil/reply-flat',
    title: 'the fields of the SIGIL stand beside ok',
    clause: 'sigil.reply.sigil',
    patch: {
      file: sigilEndpoint,
      before: 'sigil: sigilView(registry, agent),',
      after: '...sigilView(registry, agent),',
    },
  },
  {
    id: 'sigil/wallet-code',
    title: 'an agent without a wallet is refused because its payment is wrong',
    clause: 'auth.wallet-required',
    patch: {
      file: sigilRules,
      before: "return refuse('sigil/WALLET_REQUIRED');",
      after: "return refuse('sigil/PAYMENT_INVALID');",
    },
  },
  {
    id: 'sigil/third-of-principal-refused',
    title: 'a principal has two names',
    clause: 'sigil.body.name',
    patch: {
      file: sigilRules,
      before: "const custom = input.name !== undefined && input.name !== 'auto';",
      after:
        "const custom = input.name !== undefined && input.name !== 'auto';\n    if ([...registry.sigilNames].filter((taken) => taken.endsWith(`*${principal}`)).length >= 2) return refuse('sigil/VALIDATION');",
    },
  },
  {
    id: 'sigil/cap-of-all-narrow',
    title: 'every SIGIL has the cap of narrow_task',
    clause: 'sigil.caps',
    patch: {
      file: feesRules,
      before: 'return classColumn <= 1 ? narrowTaskCap : classColumn === 2 ? autonomousCap : orchestratorCap;',
      after: 'return narrowTaskCap;',
    },
  },
  {
    id: 'sigil/caps-exchanged',
    title: "autonomous and orchestrator have each other's cap",
    clause: 'sigil.caps',
    patch: {
      file: feesRules,
      before: 'return classColumn <= 1 ? narrowTaskCap : classColumn === 2 ? autonomousCap : orchestratorCap;',
      after: 'return classColumn <= 1 ? narrowTaskCap : classColumn === 2 ? orchestratorCap : autonomousCap;',
    },
  },
  {
    id: 'sigil/prices-exchanged',
    title: "narrow_task and autonomous have each other's price",
    clause: 'fee.sigil.narrow-task',
    patch: {
      file: feesRules,
      before: "case 'narrow_task':\n            return narrowTaskFeeLamports;",
      after: "case 'narrow_task':\n            return autonomousFeeLamports;",
    },
  },
  {
    id: 'sigil/principal-number',
    title: 'a principal may be a number',
    clause: 'sigil.error.validation.parameters',
    patch: {
      file: sigilSchema,
      before: 'principal: z.string().regex(principalPattern(protocol)),',
      after: 'principal: z.coerce.string().regex(principalPattern(protocol)),',
    },
  },
  {
    id: 'sigil/principal-optional',
    title: 'a principal may be left out',
    clause: 'sigil.error.validation.parameters',
    patch: {
      file: sigilSchema,
      before: 'principal: z.string().regex(principalPattern(protocol)),',
      after: "principal: z.string().regex(principalPattern(protocol)).default('none'),",
    },
  },
  {
    id: 'sigil/child-at-narrow-price',
    title: 'a child pays for any class what narrow_task costs',
    clause: 'fee.sigil.autonomous',
    patch: {
      file: 'reference/registry/fee-resolution',
      before: '`sigil_${identityClass}`',
      after: "`sigil_${registry.agents.line.depth(agent) > 0 ? 'narrow_task' : identityClass}`",
    },
  },
  {
    id: 'sigil/second-changes-tier',
    title: 'a refused second purchase changes the tier',
    clause: 'sigil.transition.again',
    patch: {
      file: sigilRules,
      before: "if (line.identityClass(agent) !== 0)\n        return refuse('sigil/SIGIL_ALREADY_EXISTS');",
      after:
        "if (line.identityClass(agent) !== 0) { registry.sigils.set(agent, { ...(registry.sigils.get(agent)), tier }); return refuse('sigil/SIGIL_ALREADY_EXISTS'); }",
    },
  },
  {
    id: 'sigil/name-cut-at-24',
    title: 'a custom name is cut after 24 characters',
    clause: 'sigil.field.sigil-name',
    patch: {
      file: sigilRules,
      before: 'const name = custom ? input.name : freeName(registry, principal);',
      after: 'const name = custom ? input.name.slice(0, 24) : freeName(registry, principal);',
    },
  },
  {
    id: 'sigil/refused-purchase-takes-name',
    title: 'a purchase that is refused for its payment takes the name',
    clause: 'sigil.body.name',
    patch: {
      file: sigilRules,
      before: '    const feeLamports = sigilFee(',
      after:
        '    if (custom) registry.sigilNames.add(`${input.name}*${principal}`);\n    const feeLamports = sigilFee(',
    },
  },
  {
    id: 'sigil/child-buys-again',
    title: 'a child buys a second SIGIL',
    clause: 'sigil.transition.again',
    patch: {
      file: sigilRules,
      before: 'if (line.identityClass(agent) !== 0)\n',
      after: 'if (line.identityClass(agent) !== 0 && line.depth(agent) === registry.protocol.agent.rootDepth)\n',
    },
  },
  {
    id: 'sigil/no-name-for-a-child',
    title: 'the SIGIL of a child has a made-up name whatever it asks for',
    clause: 'sigil.body.name',
    patch: {
      file: 'reference/registry/sigil',
      before: "input.name !== undefined && input.name !== 'auto'",
      after: "input.name !== undefined && input.name !== 'auto' && line.depth(agent) === 0",
    },
  },
  {
    id: 'sigil/issued-at-birth-of-children',
    title: 'the SIGIL of a child is issued at the beat of its registration',
    clause: 'passport.field.sigil-issued-at-beat',
    patch: {
      file: 'reference/registry/sigil',
      before: '    columns.sigilAtBeat[agent] = currentBeat(registry);',
      after:
        '    columns.sigilAtBeat[agent] = columns.parent[agent] >= 0 ? columns.registeredAtBeat[agent] : currentBeat(registry);',
    },
  },
];
