/** Mistakes of metadata: each field, each word, and what never changes. */
import type { Mutant } from './mutant.js';

const metadataRules = 'reference/registry/metadata';
const identitySchemasSchema = 'spec/endpoints/identity-schemas';
const metadataSchema = 'spec/endpoints/metadata';
const metadataEndpoint = 'reference/http/endpoints/metadata';
const routeHttp = 'reference/http/request/route';

export const metadataMutants: readonly Mutant[] = [
  {
    id: 'metadata/sigil-not-needed',
    title: 'metadata is set without a SIGIL',
    clause: 'metadata.sigil-needed',
    patch: {
      file: metadataRules,
      before: "if (sigil === undefined)\n        return refuse('metadata/SIGIL_REQUIRED');",
      after: 'if (sigil === undefined)\n        return { ok: true, generation: 1, updated: Object.keys(fields) };',
    },
  },
  {
    id: 'metadata/replaces',
    title: 'a change drops the fields that it does not name',
    clause: 'metadata.body',
    patch: { file: metadataRules, before: '{ ...registry.sigilMetadata.get(agent), ...given });', after: 'given);' },
  },
  {
    id: 'metadata/not-kept',
    title: 'a change is answered and not kept',
    clause: 'metadata.only-way',
    patch: {
      file: metadataRules,
      before: '{ ...registry.sigilMetadata.get(agent), ...given });',
      after: '{ ...registry.sigilMetadata.get(agent) });',
    },
  },
  {
    id: 'metadata/first-value-stays',
    title: 'a field that is set once keeps its value',
    clause: 'metadata.body',
    patch: {
      file: metadataRules,
      before: '{ ...registry.sigilMetadata.get(agent), ...given });',
      after: '{ ...given, ...registry.sigilMetadata.get(agent) });',
    },
  },
  {
    id: 'metadata/reason-not-kept',
    title: 'the text of generation_trigger is not kept',
    clause: 'metadata.field.generation-trigger.reason',
    patch: {
      file: metadataRules,
      before: '{ ...registry.sigilMetadata.get(agent), ...given });',
      after: '{ ...registry.sigilMetadata.get(agent), ...given, generation_trigger: undefined });',
    },
  },
  {
    id: 'metadata/first-reason-stays',
    title: 'the first reason of a generation stays',
    clause: 'metadata.field.generation-trigger.reason',
    patch: {
      file: metadataRules,
      before: '{ ...registry.sigilMetadata.get(agent), ...given });',
      after:
        '{ ...registry.sigilMetadata.get(agent), ...given, ...(registry.sigilMetadata.get(agent)?.generation_trigger ? { generation_trigger: registry.sigilMetadata.get(agent).generation_trigger } : {}) });',
    },
  },
  {
    id: 'metadata/generation-not-raised',
    title: 'generation_trigger does not raise the counter',
    clause: 'metadata.field.generation-trigger.counter',
    patch: { file: metadataRules, before: 'sigil.generation += 1;', after: 'sigil.generation += 0;' },
  },
  {
    id: 'metadata/generation-raised-by-2',
    title: 'generation_trigger raises the counter by 2',
    clause: 'metadata.field.generation-trigger.counter',
    patch: { file: metadataRules, before: 'sigil.generation += 1;', after: 'sigil.generation += 2;' },
  },
  {
    id: 'metadata/generation-raised-once',
    title: 'generation_trigger raises the counter once',
    clause: 'metadata.field.generation-trigger.counter',
    patch: {
      file: metadataRules,
      before: 'sigil.generation += 1;',
      after: 'sigil.generation = registry.protocol.metadata.generationStart + 1;',
    },
  },
  {
    id: 'metadata/generation-raised-always',
    title: 'every change raises the counter',
    clause: 'metadata.field.generation-trigger.counter',
    patch: { file: metadataRules, before: 'if (given.generation_trigger !== undefined)', after: 'if (agent >= 0)' },
  },
  {
    id: 'metadata/generation-same-reason',
    title: 'the same reason again does not raise the counter',
    clause: 'metadata.field.generation-trigger.counter',
    patch: {
      file: metadataRules,
      before: 'if (given.generation_trigger !== undefined)',
      after:
        'if (given.generation_trigger !== undefined && !(registry.lastReasons ??= new Set()).has(`${agent}${given.generation_trigger}`) && registry.lastReasons.add(`${agent}${given.generation_trigger}`))',
    },
  },
  {
    id: 'metadata/updated-all',
    title: 'updated_fields names all fields',
    clause: 'metadata.reply.updated-fields',
    patch: {
      file: metadataRules,
      before: 'return { ok: true, generation: sigil.generation, updated };',
      after: 'return { ok: true, generation: sigil.generation, updated: [...mutableFields] };',
    },
  },
  {
    id: 'metadata/updated-first',
    title: 'updated_fields names the first field',
    clause: 'metadata.reply.updated-fields',
    patch: {
      file: metadataRules,
      before: 'return { ok: true, generation: sigil.generation, updated };',
      after: 'return { ok: true, generation: sigil.generation, updated: updated.slice(0, 1) };',
    },
  },
  {
    id: 'metadata/modality-output-as-input',
    title: 'modality_output is kept as modality_input',
    clause: 'metadata.field.modality-output',
    patch: {
      file: metadataRules,
      before: 'const given = Object.fromEntries(updated.map((field) => [field, fields[field]]));',
      after:
        "const given = Object.fromEntries(updated.map((field) => [field.replace('modality_output', 'modality_input'), fields[field]]));",
    },
  },
  {
    id: 'metadata/tools-sorted',
    title: 'tools come back sorted',
    clause: 'metadata.field.tools',
    patch: {
      file: metadataRules,
      before: 'const given = Object.fromEntries(updated.map((field) => [field, fields[field]]));',
      after:
        "const given = Object.fromEntries(updated.map((field) => [field, field === 'tools' ? [...fields[field]].sort() : fields[field]]));",
    },
  },
  {
    id: 'metadata/tools-at-most-16',
    title: 'of more than 16 tools 16 are kept',
    clause: 'metadata.field.tools',
    patch: {
      file: metadataRules,
      before: 'const given = Object.fromEntries(updated.map((field) => [field, fields[field]]));',
      after:
        "const given = Object.fromEntries(updated.map((field) => [field, field === 'tools' ? fields[field].slice(0, 16) : fields[field]]));",
    },
  },
  {
    id: 'metadata/text-cut',
    title: 'texts are kept up to 128 characters',
    clause: 'metadata.field.capability-scope',
    patch: {
      file: metadataRules,
      before: 'const given = Object.fromEntries(updated.map((field) => [field, fields[field]]));',
      after:
        "const given = Object.fromEntries(updated.map((field) => [field, typeof fields[field] === 'string' ? fields[field].slice(0, 128) : fields[field]]));",
    },
  },
  {
    id: 'metadata/substrate-any',
    title: 'any text is a substrate',
    clause: 'metadata.field.substrate',
    patch: {
      file: identitySchemasSchema,
      before: 'substrate: z.enum(substrates).optional(),',
      after: 'substrate: z.string().optional(),',
    },
  },
  {
    id: 'metadata/substrate-no-human',
    title: 'human is no substrate',
    clause: 'metadata.field.substrate',
    patch: {
      file: identitySchemasSchema,
      before: 'substrate: z.enum(substrates).optional(),',
      after: "substrate: z.enum(substrates).exclude(['human']).optional(),",
    },
  },
  {
    id: 'metadata/substrate-no-symbolic',
    title: 'symbolic is no substrate',
    clause: 'metadata.field.substrate',
    patch: {
      file: identitySchemasSchema,
      before: 'substrate: z.enum(substrates).optional(),',
      after: "substrate: z.enum(substrates).exclude(['symbolic']).optional(),",
    },
  },
  {
    id: 'metadata/substrate-hybrid-upper-case',
    title: 'substrates are read in any case',
    clause: 'metadata.field.substrate',
    patch: {
      file: identitySchemasSchema,
      before: 'substrate: z.enum(substrates).optional(),',
      after: 'substrate: z.string().toLowerCase().pipe(z.enum(substrates)).optional(),',
    },
  },
  {
    id: 'metadata/provider-any',
    title: 'any text is a provider',
    clause: 'metadata.field.substrate-provider',
    patch: {
      file: identitySchemasSchema,
      before: "substrate_provider: z.enum([...dialect.vendors, 'custom']).optional(),",
      after: 'substrate_provider: z.string().optional(),',
    },
  },
  {
    id: 'metadata/provider-no-custom',
    title: 'custom is no provider',
    clause: 'metadata.field.substrate-provider',
    patch: {
      file: identitySchemasSchema,
      before: "substrate_provider: z.enum([...dialect.vendors, 'custom']).optional(),",
      after: 'substrate_provider: z.enum([...dialect.vendors]).optional(),',
    },
  },
  {
    id: 'metadata/provider-seven',
    title: 'the eighth vendor is no provider',
    clause: 'metadata.field.substrate-provider',
    patch: {
      file: identitySchemasSchema,
      before: "substrate_provider: z.enum([...dialect.vendors, 'custom']).optional(),",
      after: "substrate_provider: z.enum([...dialect.vendors.slice(0, 7), 'custom']).optional(),",
    },
  },
  {
    id: 'metadata/capability-any',
    title: 'any text is a capability',
    clause: 'metadata.field.capability',
    patch: {
      file: identitySchemasSchema,
      before: 'capability: z.enum(capabilities).optional(),',
      after: 'capability: z.string().optional(),',
    },
  },
  {
    id: 'metadata/capability-no-witness',
    title: 'witness is no capability',
    clause: 'metadata.field.capability',
    patch: {
      file: identitySchemasSchema,
      before: 'capability: z.enum(capabilities).optional(),',
      after: "capability: z.enum(capabilities).exclude(['witness']).optional(),",
    },
  },
  {
    id: 'metadata/capability-no-renderer',
    title: 'renderer is no capability',
    clause: 'metadata.field.capability',
    patch: {
      file: identitySchemasSchema,
      before: 'capability: z.enum(capabilities).optional(),',
      after: "capability: z.enum(capabilities).exclude(['renderer']).optional(),",
    },
  },
  {
    id: 'metadata/tools-text',
    title: 'tools is a text',
    clause: 'metadata.field.tools',
    patch: {
      file: identitySchemasSchema,
      before: 'tools: z.array(textOf(0, toolCharsMax)).max(toolsMax).optional(),',
      after: 'tools: z.union([z.string(), z.array(textOf(0, toolCharsMax)).max(toolsMax)]).optional(),',
    },
  },
  {
    id: 'metadata/tools-numbers',
    title: 'tools may be numbers',
    clause: 'metadata.field.tools',
    patch: {
      file: identitySchemasSchema,
      before: 'tools: z.array(textOf(0, toolCharsMax)).max(toolsMax).optional(),',
      after: 'tools: z.array(z.union([z.number(), textOf(0, toolCharsMax)])).max(toolsMax).optional(),',
    },
  },
  {
    id: 'metadata/tools-first-item',
    title: 'only the first tool is measured',
    clause: 'metadata.field.tools.item',
    patch: {
      file: identitySchemasSchema,
      before: 'tools: z.array(textOf(0, toolCharsMax)).max(toolsMax).optional(),',
      after:
        "tools: z.array(z.string()).max(toolsMax).refine((tools) => (tools[0] ?? '').length <= toolCharsMax).optional(),",
    },
  },
  {
    id: 'metadata/modality-input-text',
    title: 'modality_input is a text',
    clause: 'metadata.field.modality-input',
    patch: {
      file: identitySchemasSchema,
      before: 'modality_input: modalities,',
      after: 'modality_input: z.union([z.string(), modalities]),',
    },
  },
  {
    id: 'metadata/modality-output-text',
    title: 'modality_output is a text',
    clause: 'metadata.field.modality-output',
    patch: {
      file: identitySchemasSchema,
      before: 'modality_output: modalities,',
      after: 'modality_output: z.union([z.string(), modalities]),',
    },
  },
  {
    id: 'metadata/modality-output-unknown',
    title: 'modality_output is not known',
    clause: 'metadata.field.modality-output',
    patch: { file: identitySchemasSchema, before: 'modality_output: modalities,', after: '' },
  },
  {
    id: 'metadata/protocol-any',
    title: 'any text is a protocol',
    clause: 'metadata.field.protocol',
    patch: {
      file: identitySchemasSchema,
      before: 'protocol: z.enum(protocols).optional(),',
      after: 'protocol: z.string().optional(),',
    },
  },
  {
    id: 'metadata/protocol-no-a2a',
    title: 'a2a is no protocol',
    clause: 'metadata.field.protocol',
    patch: {
      file: identitySchemasSchema,
      before: 'protocol: z.enum(protocols).optional(),',
      after: "protocol: z.enum(protocols).exclude(['a2a']).optional(),",
    },
  },
  {
    id: 'metadata/protocol-no-mcp',
    title: 'mcp is no protocol',
    clause: 'metadata.field.protocol',
    patch: {
      file: identitySchemasSchema,
      before: 'protocol: z.enum(protocols).optional(),',
      after: "protocol: z.enum(protocols).exclude(['mcp']).optional(),",
    },
  },
  {
    id: 'metadata/endpoint-any-text',
    title: 'any text is an endpoint',
    clause: 'metadata.field.endpoint',
    patch: {
      file: identitySchemasSchema,
      before: ".refine(isServiceUrl, 'must be an absolute URL with a host, such as https://agent.example/')",
      after: '',
    },
  },
  {
    id: 'metadata/endpoint-longer',
    title: 'an endpoint may have 2,048 characters',
    clause: 'metadata.field.endpoint',
    patch: {
      file: identitySchemasSchema,
      before: 'endpoint: textOf(textCharsMin, textCharsMax)',
      after: 'endpoint: textOf(textCharsMin, 2_048)',
    },
  },
  {
    id: 'metadata/endpoint-shorter',
    title: 'an endpoint may have 128 characters',
    clause: 'metadata.field.endpoint',
    patch: {
      file: identitySchemasSchema,
      before: 'endpoint: textOf(textCharsMin, textCharsMax)',
      after: 'endpoint: textOf(textCharsMin, 128)',
    },
  },
  {
    id: 'metadata/regime-any',
    title: 'any text is a regime',
    clause: 'metadata.field.compliance-regime',
    patch: {
      file: identitySchemasSchema,
      before: 'compliance_regime: z.enum(complianceRegimes).optional(),',
      after: 'compliance_regime: z.string().optional(),',
    },
  },
  {
    id: 'metadata/regime-no-none',
    title: 'none is no regime',
    clause: 'metadata.field.compliance-regime',
    patch: {
      file: identitySchemasSchema,
      before: 'compliance_regime: z.enum(complianceRegimes).optional(),',
      after: "compliance_regime: z.enum(complianceRegimes).exclude(['none']).optional(),",
    },
  },
  {
    id: 'metadata/regime-no-aisi',
    title: 'aisi is no regime',
    clause: 'metadata.field.compliance-regime',
    patch: {
      file: identitySchemasSchema,
      before: 'compliance_regime: z.enum(complianceRegimes).optional(),',
      after: "compliance_regime: z.enum(complianceRegimes).exclude(['aisi']).optional(),",
    },
  },
  {
    id: 'metadata/model-longer',
    title: 'substrate_model has no bound',
    clause: 'metadata.field.substrate-model',
    patch: {
      file: identitySchemasSchema,
      before: 'substrate_model: text,',
      after: 'substrate_model: z.string().optional(),',
    },
  },
  {
    id: 'metadata/model-number',
    title: 'substrate_model may be a number',
    clause: 'metadata.field.substrate-model',
    patch: {
      file: identitySchemasSchema,
      before: 'substrate_model: text,',
      after: 'substrate_model: z.union([z.number(), text]),',
    },
  },
  {
    id: 'metadata/scope-longer',
    title: 'capability_scope has no bound',
    clause: 'metadata.field.capability-scope',
    patch: {
      file: identitySchemasSchema,
      before: 'capability_scope: text,',
      after: 'capability_scope: z.string().optional(),',
    },
  },
  {
    id: 'metadata/trigger-longer',
    title: 'generation_trigger has no bound',
    clause: 'metadata.field.generation-trigger',
    patch: {
      file: identitySchemasSchema,
      before: 'generation_trigger: text,',
      after: 'generation_trigger: z.string().optional(),',
    },
  },
  {
    id: 'metadata/trigger-shorter',
    title: 'generation_trigger has 255 characters at most',
    clause: 'metadata.field.generation-trigger',
    patch: {
      file: identitySchemasSchema,
      before: 'generation_trigger: text,',
      after: 'generation_trigger: textOf(textCharsMin, textCharsMax - 1).optional(),',
    },
  },
  {
    id: 'metadata/trigger-number',
    title: 'generation_trigger may be a number',
    clause: 'metadata.field.generation-trigger',
    patch: {
      file: identitySchemasSchema,
      before: 'generation_trigger: text,',
      after: 'generation_trigger: z.union([z.number(), text]),',
    },
  },
  {
    id: 'metadata/sigil-settable',
    title: 'sigil may be named in a change',
    clause: 'metadata.immutable.sigil',
    patch: {
      file: identitySchemasSchema,
      before: "export const immutableFields = ['sigil', 'sigil_name',",
      after: "export const immutableFields = ['sigil_name',",
    },
  },
  {
    id: 'metadata/sigil-name-settable',
    title: 'sigil_name may be named in a change',
    clause: 'metadata.immutable.sigil-name',
    patch: {
      file: identitySchemasSchema,
      before: "export const immutableFields = ['sigil', 'sigil_name',",
      after: "export const immutableFields = ['sigil',",
    },
  },
  {
    id: 'metadata/principal-settable',
    title: 'principal may be named in a change',
    clause: 'metadata.immutable.principal',
    patch: {
      file: identitySchemasSchema,
      before: "'sigil_name', 'principal', 'tier', 'identity_class'];",
      after: "'sigil_name', 'tier', 'identity_class'];",
    },
  },
  {
    id: 'metadata/tier-settable',
    title: 'tier may be named in a change',
    clause: 'metadata.immutable.tier',
    patch: {
      file: identitySchemasSchema,
      before: "'sigil_name', 'principal', 'tier', 'identity_class'];",
      after: "'sigil_name', 'principal', 'identity_class'];",
    },
  },
  {
    id: 'metadata/class-settable',
    title: 'identity_class may be named in a change',
    clause: 'metadata.immutable.identity-class',
    patch: {
      file: identitySchemasSchema,
      before: "'sigil_name', 'principal', 'tier', 'identity_class'];",
      after: "'sigil_name', 'principal', 'tier'];",
    },
  },
  {
    id: 'metadata/nothing-taken',
    title: 'a change that names no field is accepted',
    clause: 'metadata.error.validation.no-field',
    patch: {
      file: metadataSchema,
      before:
        ".refine((body) => mutableFields.some((field) => body[field] !== undefined), 'must have a mutable field'),",
      after: ',',
    },
  },
  {
    id: 'metadata/unknown-refused',
    title: 'an unknown field beside a known one is refused',
    clause: 'metadata.body',
    patch: {
      file: metadataSchema,
      before: '.object({ ...mutableMetadata(facts), ...unchangeable })',
      after: '.object({ ...mutableMetadata(facts), ...unchangeable, tools: z.never().optional() })',
    },
  },
  {
    id: 'metadata/one-field-at-a-time',
    title: 'one field is taken at a time',
    clause: 'metadata.body',
    patch: {
      file: metadataSchema,
      before:
        ".refine((body) => mutableFields.some((field) => body[field] !== undefined), 'must have a mutable field'),",
      after:
        ".refine((body) => mutableFields.filter((field) => body[field] !== undefined).length === 1, 'must have a mutable field'),",
    },
  },
  {
    id: 'metadata/registration-overwritten',
    title: 'a change overwrites the registration metadata',
    clause: 'register.metadata.set-once',
    patch: {
      file: metadataEndpoint,
      before: 'const sigil = sigilView(registry, agent)?.sigil;',
      after: 'registry.metadata.set(agent, body);\n    const sigil = sigilView(registry, agent)?.sigil;',
    },
  },
  {
    id: 'metadata/generation-text',
    title: 'generation is a text',
    clause: 'metadata.reply.generation',
    patch: {
      file: metadataEndpoint,
      before: 'generation: done.generation,',
      after: 'generation: String(done.generation),',
    },
  },
  {
    id: 'metadata/sigil-name-only',
    title: 'sigil of the reply is the name',
    clause: 'metadata.reply.sigil',
    patch: {
      file: metadataEndpoint,
      before: 'const sigil = sigilView(registry, agent)?.sigil;',
      after: 'const sigil = sigilView(registry, agent)?.sigil_name;',
    },
  },
  {
    id: 'metadata/only-roots',
    title: 'a child with a SIGIL cannot change metadata',
    clause: 'metadata.body',
    patch: {
      file: metadataEndpoint,
      before: 'const done = setMetadata(registry, { agent, fields: body });',
      after:
        "const done = registry.agents.line.depth(agent) > 0 ? { ok: false, row: { status: 403, code: 'SIGIL_REQUIRED', cause: 'a child' } } : setMetadata(registry, { agent, fields: body });",
    },
  },
  {
    id: 'metadata/immutable-ignored',
    title: 'immutable fields beside mutable ones are ignored',
    clause: 'metadata.error.validation.immutable',
    patch: {
      file: metadataSchema,
      before: "const changing = z.never('cannot be changed after the purchase').optional();",
      after: 'const changing = z.unknown().optional();',
    },
  },
  {
    id: 'metadata/unknown-key-403',
    title: 'a metadata change with a bad key is 403',
    clause: 'metadata.error.auth-missing',
    patch: {
      file: routeHttp,
      before: 'if (!admitted.ok)\n        return admitted;',
      after:
        "if (!admitted.ok)\n        return endpoint.stem === 'metadata' ? { ...admitted, row: { ...admitted.row, status: 403 } } : admitted;",
    },
  },
  {
    id: 'metadata/modality-first',
    title: 'only the first modality is kept',
    clause: 'metadata.field.modality-input',
    patch: {
      file: metadataRules,
      before: 'const given = Object.fromEntries(updated.map((field) => [field, fields[field]]));',
      after:
        "const given = Object.fromEntries(updated.map((field) => [field, field === 'modality_input' ? fields[field].slice(0, 1) : fields[field]]));",
    },
  },
  {
    id: 'metadata/tools-once',
    title: 'a tool that is named in capitals too is kept once',
    clause: 'metadata.field.tools',
    patch: {
      file: metadataRules,
      before: 'const given = Object.fromEntries(updated.map((field) => [field, fields[field]]));',
      after:
        "const given = Object.fromEntries(updated.map((field) => [field, field === 'tools' ? fields[field].filter((one, at, all) => all.findIndex((two) => two.toLowerCase() === one.toLowerCase()) === at) : fields[field]]));",
    },
  },
  {
    id: 'metadata/substrate-passed-over',
    title: 'a bad substrate beside a good field is passed over',
    clause: 'metadata.field.substrate',
    patch: {
      file: identitySchemasSchema,
      before: 'substrate: z.enum(substrates).optional(),',
      after: 'substrate: z.enum(substrates).optional().catch(undefined),',
    },
  },
  {
    id: 'metadata/capability-in-any-case',
    title: 'capabilities are read in any case',
    clause: 'metadata.field.capability',
    patch: {
      file: identitySchemasSchema,
      before: 'capability: z.enum(capabilities).optional(),',
      after: 'capability: z.string().toLowerCase().pipe(z.enum(capabilities)).optional(),',
    },
  },
  {
    id: 'metadata/generation-of-all',
    title: 'generation_trigger raises the counter of every agent',
    clause: 'metadata.field.generation-trigger.counter',
    patch: {
      file: metadataRules,
      before: 'sigil.generation += 1;',
      after: 'for (const [, one] of registry.sigils) one.generation += 1;',
    },
  },
  {
    id: 'metadata/updated-none-of-lists',
    title: 'updated_fields leaves lists out',
    clause: 'metadata.reply.updated-fields',
    patch: {
      file: metadataRules,
      before: 'return { ok: true, generation: sigil.generation, updated };',
      after:
        'return { ok: true, generation: sigil.generation, updated: updated.filter((field) => !Array.isArray(fields[field])) };',
    },
  },
  {
    id: 'metadata/of-3-agents',
    title: 'metadata of three agents is kept',
    clause: 'metadata.body',
    patch: {
      file: metadataRules,
      before: 'return { ok: true, generation: sigil.generation, updated };',
      after:
        'if (registry.sigilMetadata.size > 3) registry.sigilMetadata.delete(registry.sigilMetadata.keys().next().value);\n    return { ok: true, generation: sigil.generation, updated };',
    },
  },
  {
    id: 'metadata/refused-change-counts',
    title: 'a change that is refused for an immutable field counts the generation',
    clause: 'metadata.field.generation-trigger.counter',
    patch: {
      file: routeHttp,
      before: '    if (parsed !== undefined && !parsed.ok)\n        return parsed;',
      after:
        "    if (parsed !== undefined && !parsed.ok) {\n        const held = host.service.registry.sigils.get(agent);\n        if (endpoint.stem === 'metadata' && held !== undefined && raw.value.generation_trigger !== undefined) held.generation += 1;\n        return parsed;\n    }",
    },
  },
  {
    id: 'metadata/text-in-bytes',
    title: 'free text is counted in bytes',
    clause: 'metadata.field.substrate-model',
    patch: {
      file: 'spec/endpoints/shared',
      before: '        const chars = codePoints(text);\n        return chars >= charsMin',
      after: '        const chars = Buffer.byteLength(text);\n        return chars >= charsMin',
    },
  },
  {
    id: 'metadata/tools-in-bytes',
    title: 'an item of tools is counted in bytes',
    clause: 'metadata.field.tools.item',
    patch: {
      file: identitySchemasSchema,
      before: 'tools: z.array(textOf(0, toolCharsMax))',
      after: 'tools: z.array(textOf(0, toolCharsMax).refine((tool) => Buffer.byteLength(tool) <= toolCharsMax))',
    },
  },
  {
    id: 'metadata/refused-change-holds',
    title: 'of a change that is refused, the fields that are not at fault are set',
    clause: 'metadata.field.capability-scope',
    patch: {
      file: routeHttp,
      before: '    if (parsed !== undefined && !parsed.ok)\n        return parsed;',
      after:
        "    if (parsed !== undefined && !parsed.ok) {\n        const { sigilMetadata, sigils } = host.service.registry;\n        if (endpoint.stem === 'metadata' && sigils.has(agent) && raw.value.capability_scope !== undefined) sigilMetadata.set(agent, { ...sigilMetadata.get(agent), capability_scope: raw.value.capability_scope });\n        return parsed;\n    }",
    },
  },
  {
    id: 'metadata/capability-is-class',
    title: 'the capability orchestrator makes an orchestrator',
    clause: 'sigil.immutable',
    patch: {
      file: 'reference/registry/metadata',
      before: '    if (given.generation_trigger',
      after:
        "    if (given.capability === 'orchestrator')\n        registry.agents.line.setIdentityClass(agent, classColumns(registry.protocol)('orchestrator'));\n    if (given.generation_trigger",
      also: [
        {
          file: 'reference/registry/metadata',
          before: 'import { refuse }',
          after: "import { classColumns } from './fees.js';\nimport { refuse }",
        },
      ],
    },
  },
  {
    id: 'metadata/immutable-empty',
    title: 'an immutable field that is an empty text is passed over',
    clause: 'metadata.immutable.tier',
    patch: {
      file: 'spec/endpoints/metadata',
      before: "const changing = z.never('cannot be changed after the purchase').optional();",
      after: "const changing = z.literal('').or(z.never('cannot be changed after the purchase')).optional();",
    },
  },
  {
    id: 'metadata/lost-by-resync',
    title: 'a resync clears the fields of the SIGIL',
    clause: 'metadata.only-way',
    patch: {
      file: 'reference/registry/dead-man-switch',
      before: "    armDeadManSwitch(registry, row);\n    appendLineage(registry, row, 'unfrozen'",
      after:
        "    armDeadManSwitch(registry, row);\n    registry.sigilMetadata.delete(row);\n    appendLineage(registry, row, 'unfrozen'",
    },
  },
  {
    id: 'metadata/texts-escaped',
    title: 'free texts of a SIGIL are escaped for HTML',
    clause: 'metadata.field.substrate-model',
    patch: {
      file: 'reference/registry/metadata',
      before: '    const given = Object.fromEntries(updated.map((field) => [field, fields[field]]));',
      after:
        "    const escaped = (value) => (typeof value === 'string' ? value.replaceAll('&', '&amp;').replaceAll('<', '&lt;') : value);\n    const given = Object.fromEntries(updated.map((field) => [field, escaped(fields[field])]));",
    },
  },
  {
    id: 'metadata/endpoint-without-query',
    title: 'the query of an endpoint is cut off',
    clause: 'metadata.field.endpoint',
    patch: {
      file: 'reference/registry/metadata',
      before: '[field, fields[field]]));',
      after: "[field, field === 'endpoint' ? fields[field].split('?')[0] : fields[field]]));",
    },
  },
  {
    id: 'metadata/generations-of-many',
    title: 'a trigger that is set with more than two other fields starts two generations',
    clause: 'metadata.field.generation-trigger.counter',
    patch: {
      file: 'reference/registry/metadata',
      before: 'sigil.generation += 1;',
      after: 'sigil.generation += updated.length > 3 ? 2 : 1;',
    },
  },
  {
    id: 'metadata/not-when-accused',
    title: 'whoever has a sustained complaint cannot change its metadata',
    clause: 'metadata.body',
    patch: {
      file: 'reference/registry/metadata',
      before: '    const updated = mutableFields',
      after:
        "    if (registry.agents.line.complaints(agent) > 0)\n        return refuse('metadata/SIGIL_REQUIRED');\n    const updated = mutableFields",
    },
  },
];
