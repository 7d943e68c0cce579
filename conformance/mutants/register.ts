/** Mistakes of registration: of roots, of wallets, of children, and of what opens it. */
import type { Mutant } from './mutant.js';

const registerEndpoint = 'reference/http/endpoints/register';
const bodyHttp = 'reference/http/request/body';
const registerSchema = 'spec/endpoints/register';
const registerRules = 'reference/registry/register';
const registerChildRules = 'reference/registry/register-child';
const registerWalletRules = 'reference/registry/register-wallet';
const walletOwnershipRules = 'reference/registry/wallet-ownership';
const walletSignatureRules = 'reference/registry/wallet-signature';

/** Metadata that one mode alone does not look at: a schema of its own, in which the line was forgotten. */
const metadataUnread = (['child', 'self-custody', 'operator', 'ethereum'] as const).map(
  (mode): Mutant => ({
    id: `register/metadata-unread-${mode}`,
    title: `whatever is sent is taken as metadata in the ${mode} mode`,
    clause: 'register.metadata.object',
    patch: {
      file: registerSchema,
      before: 'metadata: registrationMetadata(facts).optional(),',
      after: 'metadata: z.unknown().optional(),',
      also: [
        {
          file: registerSchema,
          before: 'const mode = registrationMode(body);\n        for',
          after: `const mode = registrationMode(body);
            if (!mode.startsWith('${mode}') && !registrationMetadata(facts).optional().safeParse(body.metadata).success)
                context.addIssue({ code: 'custom', path: ['metadata'], message: 'must be a small JSON object' });
            for`,
        },
      ],
    },
  }),
);

export const registerMutants: readonly Mutant[] = [
  ...metadataUnread,
  {
    id: 'register/costs',
    title: 'a registration without a wallet asks for a payment',
    clause: 'service.register.free',
    patch: {
      file: registerEndpoint,
      before: 'return registered(call, registerRoot(registry, root, nowMs));',
      after: "return { ok: false, row: { status: 402, code: 'PAYMENT_REQUIRED', cause: 'payment_tx is missing' } };",
    },
  },
  {
    id: 'register/reply-wrapped',
    title: 'the agent stands under a field of its own',
    clause: 'register.no-wallet.reply',
    patch: {
      file: registerEndpoint,
      before:
        'return reply({ ok: true, ...agentView(registry, made), metadata: body.metadata ?? {}, birth_tx: birthTx });',
      after:
        'return reply({ ok: true, agent: { ...agentView(registry, made), metadata: body.metadata ?? {}, birth_tx: birthTx } });',
    },
  },
  {
    id: 'register/metadata-not-echoed',
    title: 'metadata of the reply is always empty',
    clause: 'agent.field.metadata',
    patch: {
      file: registerEndpoint,
      before: 'metadata: body.metadata ?? {}, birth_tx',
      after: 'metadata: {}, birth_tx',
    },
  },
  {
    id: 'register/name-lower-cased',
    title: 'the name of the reply is in lower case',
    clause: 'agent.field.name',
    patch: {
      file: registerEndpoint,
      before: "name: registry.names[agent] ?? '',",
      after: "name: (registry.names[agent] ?? '').toLowerCase(),",
    },
  },
  {
    id: 'register/token-header-of-another-name',
    title: 'the token is read from another header',
    clause: 'register-token.use.header',
    patch: {
      file: registerEndpoint,
      before: "token: header('x-registration-token') };",
      after: "token: header('x-token') };",
    },
    deployment: 'mainnet',
  },
  {
    id: 'register/secret-in-first-phase-only',
    title: 'the second phase of a wallet registration needs no secret',
    clause: 'register.header.secret.mainnet',
    patch: {
      file: registerEndpoint,
      before: 'return refuseCredential(registry, credentialHeaders(header), nowMs) ?? ANONYMOUS;',
      after:
        'return (body?.wallet_signature === undefined ? refuseCredential(registry, credentialHeaders(header), nowMs) : null) ?? ANONYMOUS;',
    },
    deployment: 'mainnet',
  },
  {
    id: 'register/child-without-key',
    title: "a child is registered without its parent's key",
    clause: 'register.child.auth',
    patch: {
      file: registerEndpoint,
      before: "return parent.ok ? parent : refuse('register/AUTH_MISSING', parent.detail);",
      after: "return parent.ok ? parent : { ok: true, agent: rowOf(registry, body.parent ?? ''), partner: -1 };",
    },
  },
  {
    id: 'register/child-in-two-phases',
    title: 'a child registration without a nonce answers with one',
    clause: 'register.child.single-phase',
    patch: {
      file: registerEndpoint,
      before: 'return child(call, body.spawn_authorization, body.parent);',
      after:
        "return body.wallet_nonce === undefined ? { ok: false, row: { status: 400, code: 'VALIDATION', cause: 'a nonce is missing' } } : child(call, body.spawn_authorization, body.parent);",
    },
  },
  {
    id: 'register/child-parent-misread',
    title: "the parent's hash is looked up without its prefix",
    clause: 'register.child.body.parent',
    patch: {
      file: registerEndpoint,
      before: 'rowOf(registry, parentHash.toLowerCase());',
      after: 'rowOf(registry, parentHash.slice(2));',
    },
  },
  {
    id: 'register/ethereum-challenge-as-operator',
    title: 'the challenge of an Ethereum registration is one of the operator flow',
    clause: 'register.ethereum.finalize',
    patch: {
      file: registerEndpoint,
      before: "return challenge(call, 'register-ethereum');",
      after: "return challenge(call, 'register-operator');",
    },
  },
  {
    id: 'register/self-custody-reply-newer',
    title: 'the self-custody reply is that of the other modes',
    clause: 'register.self-custody.reply',
    patch: {
      file: registerEndpoint,
      before: 'return made.ok ? olderReply(call, made) : made;',
      after: 'return made.ok ? registered(call, made) : made;',
    },
  },
  {
    id: 'register/metadata-required',
    title: 'metadata must be sent',
    clause: 'register.metadata.optional',
    patch: {
      file: registerSchema,
      before: 'metadata: registrationMetadata(facts).optional(),',
      after: 'metadata: registrationMetadata(facts),',
    },
  },
  {
    id: 'register/metadata-array-taken',
    title: 'an array is accepted as metadata',
    clause: 'register.metadata.object',
    patch: { file: registerSchema, before: 'value !== null && !Array.isArray(value);', after: 'value !== null;' },
  },
  {
    id: 'register/metadata-string-taken',
    title: 'a string is accepted as metadata',
    clause: 'register.metadata.object',
    patch: {
      file: registerSchema,
      before: "return typeof value === 'object' && value !== null && !Array.isArray(value);",
      after:
        "return typeof value === 'string' || (typeof value === 'object' && value !== null && !Array.isArray(value));",
    },
  },
  {
    id: 'register/metadata-number-taken',
    title: 'a number is accepted as metadata',
    clause: 'register.metadata.object',
    patch: {
      file: registerSchema,
      before: "return typeof value === 'object' && value !== null && !Array.isArray(value);",
      after:
        "return typeof value === 'number' || (typeof value === 'object' && value !== null && !Array.isArray(value));",
    },
  },
  {
    id: 'register/metadata-boolean-taken',
    title: 'true is accepted as metadata',
    clause: 'register.metadata.object',
    patch: {
      file: registerSchema,
      before: "return typeof value === 'object' && value !== null && !Array.isArray(value);",
      after:
        "return typeof value === 'boolean' || (typeof value === 'object' && value !== null && !Array.isArray(value));",
    },
  },
  {
    id: 'register/metadata-validated',
    title: 'values of metadata must be strings',
    clause: 'register.metadata.free',
    patch: {
      file: registerSchema,
      before: "typeof value === 'object' && value !== null && !Array.isArray(value);",
      after:
        "typeof value === 'object' && value !== null && !Array.isArray(value) && Object.values(value).every((each) => typeof each === 'string');",
    },
  },
  {
    id: 'register/metadata-keys-validated',
    title: 'keys of metadata must be words',
    clause: 'register.metadata.free',
    patch: {
      file: registerSchema,
      before: "typeof value === 'object' && value !== null && !Array.isArray(value);",
      after:
        "typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).every((each) => /^[a-z_]+$/.test(each));",
    },
  },
  {
    id: 'register/name-optional',
    title: 'a root is registered without a name',
    clause: 'register.no-wallet.body.name',
    patch: { file: registerSchema, before: "root: ['name'],", after: 'root: [],' },
  },
  {
    id: 'register/name-any-type',
    title: 'a name that is a number is accepted',
    clause: 'register.no-wallet.body.name',
    patch: {
      file: registerSchema,
      before: 'name: agentName(facts).optional(),',
      after:
        "name: z.preprocess((name) => (typeof name === 'number' ? String(name) : name), agentName(facts).optional()),",
    },
  },
  {
    id: 'register/default-is-self-custody',
    title: 'a registration that names no wallet form starts the self-custody one',
    clause: 'register.no-wallet.default',
    patch: {
      file: registerSchema,
      before: "return signed || has('wallet_public_key') ? 'self-custody' : 'root';",
      after: "return signed || has('wallet_public_key') ? 'self-custody' : 'self-custody-challenge';",
    },
  },
  {
    id: 'register/operator-wants-chain',
    title: 'phase 2 of an operator registration needs wallet_chain',
    clause: 'register.operator.finalize',
    patch: {
      file: registerSchema,
      before: "operator: ['name', 'operator_wallet_address', 'wallet_nonce', 'wallet_signature'],",
      after: "operator: ['name', 'operator_wallet_address', 'wallet_nonce', 'wallet_signature', 'wallet_chain'],",
    },
  },
  {
    id: 'register/operator-challenge-wants-address',
    title: 'phase 1 of an operator registration needs the address',
    clause: 'register.operator.challenge',
    patch: {
      file: registerSchema,
      before: "'operator-challenge': ['name'],",
      after: "'operator-challenge': ['name', 'operator_wallet_address'],",
    },
  },
  {
    id: 'register/operator-challenge-wants-action',
    title: 'phase 1 of an operator registration needs action challenge',
    clause: 'register.operator.challenge',
    patch: {
      file: registerSchema,
      before: "return challenge || !(signed || has('operator_wallet_address')) ? 'operator-challenge' : 'operator';",
      after: "return challenge ? 'operator-challenge' : 'operator';",
    },
  },
  {
    id: 'register/ethereum-challenge-wants-address',
    title: 'phase 1 of an Ethereum registration needs the address',
    clause: 'register.ethereum.challenge',
    patch: {
      file: registerSchema,
      before: "'ethereum-challenge': [],",
      after: "'ethereum-challenge': ['wallet_address'],",
    },
  },
  {
    id: 'register/ethereum-wants-model',
    title: 'phase 2 of an Ethereum registration needs wallet_model',
    clause: 'register.ethereum.finalize',
    patch: {
      file: registerSchema,
      before: "'wallet_address', 'wallet_nonce', 'wallet_signature'],",
      after: "'wallet_address', 'wallet_nonce', 'wallet_signature', 'wallet_model'],",
    },
  },
  {
    id: 'register/self-custody-challenge-wants-key',
    title: 'phase 1 of a self-custody registration needs the public key',
    clause: 'register.self-custody.challenge',
    patch: {
      file: registerSchema,
      before: "'self-custody-challenge': ['name'],",
      after: "'self-custody-challenge': ['name', 'wallet_public_key'],",
    },
  },
  {
    id: 'register/self-custody-wants-chain',
    title: 'phase 2 of a self-custody registration needs wallet_chain',
    clause: 'register.self-custody.finalize',
    patch: {
      file: registerSchema,
      before: "'self-custody': ['name', 'wallet_public_key', 'wallet_nonce', 'wallet_signature'],",
      after: "'self-custody': ['name', 'wallet_public_key', 'wallet_nonce', 'wallet_signature', 'wallet_chain'],",
    },
  },
  {
    id: 'register/wallet-chain-solana-only',
    title: 'wallet_chain ethereum is an unknown word',
    clause: 'register.ethereum.challenge',
    patch: {
      file: registerSchema,
      before: '(ethereum ? z.enum(walletChains)',
      after: "(ethereum ? z.literal('solana')",
    },
  },
  {
    id: 'register/child-wants-no-parent',
    title: 'a child registration must not name its parent',
    clause: 'register.child.body.parent',
    patch: {
      file: registerSchema,
      before: 'parent: agentHash(facts).optional(),',
      after: 'parent: z.never().optional(),',
    },
  },
  {
    id: 'register/metadata-dropped',
    title: 'metadata is not kept',
    clause: 'register.metadata.set-once',
    patch: { file: registerRules, before: 'registry.metadata.set(agent, metadata);', after: 'void metadata;' },
  },
  {
    id: 'register/metadata-nulls-dropped',
    title: 'nulls in metadata are dropped',
    clause: 'register.metadata.set-once',
    patch: {
      file: registerRules,
      before: 'registry.metadata.set(agent, metadata);',
      after: 'registry.metadata.set(agent, JSON.parse(JSON.stringify(metadata, (_key, value) => value ?? undefined)));',
    },
  },
  {
    id: 'register/metadata-numbers-as-text',
    title: 'numbers in metadata come back as text',
    clause: 'register.metadata.set-once',
    patch: {
      file: registerRules,
      before: 'registry.metadata.set(agent, metadata);',
      after:
        "registry.metadata.set(agent, JSON.parse(JSON.stringify(metadata, (_key, value) => (typeof value === 'number' ? String(value) : value))));",
    },
  },
  {
    id: 'register/metadata-fractions-cut',
    title: 'fractions in metadata are cut off',
    clause: 'register.metadata.set-once',
    patch: {
      file: registerRules,
      before: 'registry.metadata.set(agent, metadata);',
      after:
        "registry.metadata.set(agent, JSON.parse(JSON.stringify(metadata, (_key, value) => (typeof value === 'number' ? Math.trunc(value) : value))));",
    },
  },
  {
    id: 'register/metadata-numbers-32-bit',
    title: 'numbers in metadata above 2^31 wrap round',
    clause: 'register.metadata.set-once',
    patch: {
      file: registerRules,
      before: 'registry.metadata.set(agent, metadata);',
      after:
        'registry.metadata.set(agent, JSON.parse(JSON.stringify(metadata, (_key, value) => (Number.isInteger(value) ? value | 0 : value))));',
    },
  },
  {
    id: 'register/metadata-astral-lost',
    title: 'characters of metadata outside the BMP come back as U+FFFD',
    clause: 'register.metadata.set-once',
    patch: {
      file: registerRules,
      before: 'registry.metadata.set(agent, metadata);',
      after:
        "registry.metadata.set(agent, JSON.parse(JSON.stringify(metadata).replaceAll(/[\\u{10000}-\\u{10ffff}]/gu, '\\ufffd')));",
    },
  },
  {
    id: 'register/metadata-keys-lower-cased',
    title: 'keys of metadata come back in lower case',
    clause: 'register.metadata.set-once',
    patch: {
      file: registerRules,
      before: 'registry.metadata.set(agent, metadata);',
      after:
        'registry.metadata.set(agent, Object.fromEntries(Object.entries(metadata).map(([key, value]) => [key.toLowerCase(), value])));',
    },
  },
  {
    id: 'register/metadata-flat',
    title: 'objects within metadata come back as text',
    clause: 'register.metadata.set-once',
    patch: {
      file: registerRules,
      before: 'registry.metadata.set(agent, metadata);',
      after:
        "registry.metadata.set(agent, Object.fromEntries(Object.entries(metadata).map(([key, value]) => [key, value !== null && typeof value === 'object' ? JSON.stringify(value) : value])));",
    },
  },
  {
    id: 'register/metadata-text-cut',
    title: 'texts in metadata are cut after 255 characters',
    clause: 'register.metadata.set-once',
    patch: {
      file: registerRules,
      before: 'registry.metadata.set(agent, metadata);',
      after:
        "registry.metadata.set(agent, JSON.parse(JSON.stringify(metadata, (_key, value) => (typeof value === 'string' ? value.slice(0, 255) : value))));",
    },
  },
  {
    id: 'register/metadata-empty-dropped',
    title: 'an empty text, list or object in metadata is dropped',
    clause: 'register.metadata.set-once',
    patch: {
      file: registerRules,
      before: 'registry.metadata.set(agent, metadata);',
      after:
        "registry.metadata.set(agent, Object.fromEntries(Object.entries(metadata).filter(([, value]) => !['\"\"', '[]', '{}'].includes(JSON.stringify(value)))));",
    },
  },
  {
    id: 'register/metadata-trimmed',
    title: 'texts in metadata are trimmed',
    clause: 'register.metadata.set-once',
    patch: {
      file: registerRules,
      before: 'registry.metadata.set(agent, metadata);',
      after:
        "registry.metadata.set(agent, JSON.parse(JSON.stringify(metadata, (_key, value) => (typeof value === 'string' ? value.trim() : value))));",
    },
  },
  {
    id: 'register/hash-of-name',
    title: 'two agents of one name have one hash',
    clause: 'service.registers',
    patch: {
      file: registerRules,
      before: 'const hash = nextBytes(registry.stream, registry.protocol.agent.hashBytes);',
      after: 'const hash = Buffer.alloc(registry.protocol.agent.hashBytes, name.trim());',
    },
  },
  {
    id: 'register/parent-of-all',
    title: "every child is the first agent's",
    clause: 'lineage.place',
    patch: {
      file: registerRules,
      before: 'columns.parent[agent] = parent;',
      after: 'columns.parent[agent] = Math.min(parent, 0);',
    },
  },
  {
    id: 'register/parent-is-root',
    title: "a grandchild's parent is the root",
    clause: 'spawn.finalize.reply',
    patch: {
      file: registerRules,
      before: 'columns.parent[agent] = parent;',
      after: 'columns.parent[agent] = parent < 0 || columns.parent[parent] < 0 ? parent : columns.parent[parent];',
    },
  },
  {
    id: 'register/depth-at-most-1',
    title: 'a grandchild has depth 1',
    clause: 'register.child.lineage',
    patch: { file: registerRules, before: 'line.depth(parent) + 1);', after: '1);' },
  },
  {
    id: 'register/depth-at-most-2',
    title: 'depths go up to 2',
    clause: 'register.child.lineage',
    patch: { file: registerRules, before: 'line.depth(parent) + 1);', after: 'Math.min(line.depth(parent) + 1, 2));' },
  },
  {
    id: 'register/depth-at-most-4',
    title: 'depths go up to 4',
    clause: 'register.child.lineage',
    patch: { file: registerRules, before: 'line.depth(parent) + 1);', after: 'Math.min(line.depth(parent) + 1, 4));' },
  },
  {
    id: 'register/wallet-made',
    title: 'a registration without a wallet links one that the service holds',
    clause: 'register.no-wallet.identity-only',
    patch: {
      file: registerRules,
      before: 'if (input.linked !== undefined)\n        linkWallet(registry, agent, input.linked, nowMs);',
      after:
        "linkWallet(registry, agent, input.linked ?? { wallet: 1_000_000 + agent, model: 'self-custody', chain: 'solana' }, nowMs);",
    },
  },
  {
    id: 'register/token-kept',
    title: 'a token is not used up',
    clause: 'register-token.use.once',
    patch: {
      file: registerRules,
      before: 'if (input.token !== undefined)\n        spendOneTime(registry, input.token);',
      after: '',
    },
    deployment: 'mainnet',
  },
  {
    id: 'register/token-races',
    title: 'a token is used up a moment after it was seen',
    clause: 'register-token.use.once',
    patch: {
      file: registerRules,
      before: 'spendOneTime(registry, input.token);',
      after: 'setImmediate(() => spendOneTime(registry, input.token));',
    },
    deployment: 'mainnet',
  },
  {
    id: 'register/token-beside-secret',
    title: 'a token does not stand in for the secret',
    clause: 'register-token.use.replaces-secret',
    patch: {
      file: registerRules,
      before:
        "return good === undefined ? refuse('register/AUTH_INVALID', 'the token is unknown, used or expired') : null;",
      after:
        "if (good === undefined || given.secret === undefined) return refuse('register/AUTH_INVALID', 'the token is unknown, used or expired');",
    },
    deployment: 'mainnet',
  },
  {
    id: 'register/token-beside-secret-on-mainnet',
    title: 'on mainnet a token does not stand in for the secret',
    clause: 'register-token.use.replaces-secret',
    patch: {
      file: registerRules,
      before:
        "return good === undefined ? refuse('register/AUTH_INVALID', 'the token is unknown, used or expired') : null;",
      after:
        "if (good === undefined || (registry.policy.network === 'mainnet' && given.secret === undefined)) return refuse('register/AUTH_INVALID', 'the token is unknown, used or expired');",
    },
    deployment: 'mainnet',
  },
  {
    id: 'register/token-unknown-taken',
    title: 'any token is accepted',
    clause: 'key.registration-token',
    patch: {
      file: registerRules,
      before:
        "return good === undefined ? refuse('register/AUTH_INVALID', 'the token is unknown, used or expired') : null;",
      after: 'return null;',
    },
    deployment: 'mainnet',
  },
  {
    id: 'register/secret-not-enforced',
    title: 'mainnet does not enforce the secret',
    clause: 'register.header.secret.mainnet',
    patch: { file: registerRules, before: "const enforced = network === 'mainnet';", after: 'const enforced = false;' },
    deployment: 'mainnet',
  },
  {
    id: 'register/secret-enforced-on-devnet',
    title: 'devnet enforces the secret',
    clause: 'register.header.secret.devnet',
    patch: { file: registerRules, before: "const enforced = network === 'mainnet';", after: 'const enforced = true;' },
    deployment: 'secret',
  },
  {
    id: 'register/secret-any',
    title: 'any secret is accepted',
    clause: 'key.registration-secret',
    patch: {
      file: registerRules,
      before: "return same ? null : refuse('register/AUTH_INVALID', 'the registration secret is wrong');",
      after: "return same || true ? null : refuse('register/AUTH_INVALID', 'the registration secret is wrong');",
    },
    deployment: 'mainnet',
  },
  {
    id: 'register/secret-prefix',
    title: 'the beginning of the secret is taken for it',
    clause: 'key.registration-secret',
    patch: {
      file: registerRules,
      before: 'const same = wanted.length === sent.length && timingSafeEqual(wanted, sent);',
      after: 'const same = wanted.subarray(0, sent.length).equals(sent);',
    },
    deployment: 'mainnet',
  },
  {
    id: 'register/secret-of-any-length',
    title: 'a text that begins with the secret is taken for it',
    clause: 'key.registration-secret',
    patch: {
      file: registerRules,
      before: 'const same = wanted.length === sent.length && timingSafeEqual(wanted, sent);',
      after: 'const same = sent.subarray(0, wanted.length).equals(wanted);',
    },
    deployment: 'mainnet',
  },
  {
    id: 'register/child-of-another',
    title: 'whoever has an authorization registers the child of the parent that it names',
    clause: 'key.parent.register',
    patch: {
      file: registerChildRules,
      before: 'const { agent: parent, authorization } = input;',
      after: 'const { authorization } = input;\n    const parent = input.parent ?? input.agent;',
    },
  },
  {
    id: 'register/child-without-authorization',
    title: 'an unknown authorization is accepted',
    clause: 'register.child.body.spawn-authorization',
    patch: {
      file: registerChildRules,
      before: 'const bound = peekOneTime(registry, authorization, SPAWN_FLOW, nowMs)?.bound;',
      after:
        'const bound = peekOneTime(registry, authorization, SPAWN_FLOW, nowMs)?.bound ?? { parent, childName: input.name.trim() };',
    },
  },
  {
    id: 'register/child-with-wallet',
    title: "a child has its parent's wallet",
    clause: 'register.child.no-wallet',
    patch: {
      file: registerChildRules,
      before: 'line.setPartner(child, line.partner(parent));',
      after: 'line.setPartner(child, line.partner(parent));\n    line.setWallet(child, line.wallet(parent));',
    },
  },
  {
    id: 'register/siblings-not-counted-after-2',
    title: 'siblings are counted up to 2',
    clause: 'spawn.cost.siblings',
    patch: {
      file: registerChildRules,
      before: 'columns.children[parent] = columns.children[parent] + 1;',
      after: 'columns.children[parent] = Math.min(columns.children[parent] + 1, 2);',
    },
  },
  {
    id: 'register/siblings-not-counted',
    title: 'siblings are not counted',
    clause: 'spawn.cost.check.0-1',
    patch: { file: registerChildRules, before: 'columns.children[parent] = columns.children[parent] + 1;', after: '' },
  },
  {
    id: 'register/ethereum-on-mainnet',
    title: 'mainnet takes Ethereum wallets',
    clause: 'register.ethereum.mainnet',
    patch: {
      file: registerWalletRules,
      before: "const barred = mode === 'register-ethereum' && registry.policy.network === 'mainnet';",
      after: 'const barred = false;',
    },
    deployment: 'mainnet',
  },
  {
    id: 'register/token-kept-by-wallets',
    title: 'a registration with a wallet does not use the token up',
    clause: 'register-token.use.once',
    patch: {
      file: registerWalletRules,
      before: 'return registerRoot(registry, { ...input, linked: ownedWallet(registry, mode, address) }, nowMs);',
      after:
        'return registerRoot(registry, { ...input, token: undefined, linked: ownedWallet(registry, mode, address) }, nowMs);',
    },
    deployment: 'mainnet',
  },
  {
    id: 'register/wallet-not-linked',
    title: 'a registration with a wallet links none',
    clause: 'register.self-custody.finalize',
    patch: {
      file: registerWalletRules,
      before: 'return registerRoot(registry, { ...input, linked: ownedWallet(registry, mode, address) }, nowMs);',
      after: 'return registerRoot(registry, input, nowMs);',
    },
  },
  {
    id: 'register/operator-shown-as-self-custody',
    title: 'an operator wallet is shown as self-custody',
    clause: 'agent.field.wallet-model.operator',
    patch: { file: walletOwnershipRules, before: "model: 'operator',", after: "model: 'self-custody'," },
  },
  {
    id: 'register/operator-shown-as-ethereum',
    title: 'an operator wallet is shown as one of Ethereum',
    clause: 'agent.field.wallet-chain',
    patch: {
      file: walletOwnershipRules,
      before: "model: 'operator',\n    chain: 'solana',",
      after: "model: 'operator',\n    chain: 'ethereum',",
    },
  },
  {
    id: 'register/ethereum-shown-as-solana',
    title: 'an Ethereum wallet is shown as one of Solana',
    clause: 'agent.field.wallet-chain',
    patch: { file: walletOwnershipRules, before: "chain: 'ethereum',", after: "chain: 'solana'," },
  },
  {
    id: 'register/ethereum-unprefixed',
    title: 'an Ethereum signature is checked without the EIP-191 prefix',
    clause: 'key.wallet-signature.ethereum',
    patch: {
      file: walletSignatureRules,
      before:
        'const digest = keccak_256(Buffer.concat([Buffer.from(`\\x19Ethereum Signed Message:\\n${text.length}`), text]));',
      after: 'const digest = keccak_256(text);',
    },
  },
  {
    id: 'register/ethereum-length-in-hex',
    title: 'the length in an EIP-191 prefix is in hex',
    clause: 'register.ethereum.message',
    patch: {
      file: walletSignatureRules,
      before: 'Signed Message:\\n${text.length}`',
      after: 'Signed Message:\\n${text.length.toString(16)}`',
    },
  },
  {
    id: 'register/child-name-elsewhere',
    title: 'the name of a child is read from child_name',
    clause: 'register.child.body.name',
    patch: {
      file: registerEndpoint,
      before: 'const { name, metadata } = body;',
      after: "const { child_name: name = '', metadata } = body;",
    },
  },
  {
    id: 'register/operator-of-secp256k1',
    title: 'an operator signs with secp256k1',
    clause: 'register.chain.solana',
    patch: {
      file: walletOwnershipRules,
      before: 'verifies: verifySolanaSignature,',
      after: 'verifies: verifyEthereumSignature,',
    },
  },
  {
    id: 'register/ethereum-of-ed25519',
    title: 'an Ethereum wallet signs with Ed25519',
    clause: 'register.chain.ethereum',
    patch: {
      file: walletOwnershipRules,
      before: 'verifies: verifyEthereumSignature,',
      after: 'verifies: verifySolanaSignature,',
    },
  },
  {
    id: 'register/metadata-of-a-kind',
    title: 'metadata must say of which kind it is',
    clause: 'agent.optional-metadata',
    patch: {
      file: registerSchema,
      before: ".refine(isJsonObject, { error: 'must be a JSON object', abort: true })",
      after:
        ".refine((value) => isJsonObject(value) && 'kind' in value, { error: 'must be a JSON object', abort: true })",
    },
  },
  {
    id: 'register/child-unknown-to-all',
    title: 'a child is registered as a root',
    clause: 'register.child.lineage',
    patch: {
      file: registerChildRules,
      before: 'const child = addAgent(registry, input, parent, nowMs);',
      after: 'const child = addAgent(registry, input, -1, nowMs);',
    },
  },
  {
    id: 'register/child-of-frozen-lost',
    title: 'the third child of a parent is registered and lost',
    clause: 'lineage.place',
    patch: {
      file: registerChildRules,
      before: 'registry.childNames.set(`${parent}:${name}`, child);',
      after:
        'registry.childNames.set(`${parent}:${name}`, child);\n    if (columns.children[parent] === 3) columns.parent[child] = -1;',
    },
  },
  {
    id: 'register/token-wants-secret-header',
    title: 'a registration is read from the query',
    clause: 'register.no-wallet.body.metadata',
    patch: {
      file: registerSchema,
      before: 'metadata: registrationMetadata(facts).optional(),',
      after: 'metadata: z.never().optional(),',
    },
  },
  {
    id: 'register/token-dropped',
    title: "a token of one's own is not read",
    clause: 'register.header.token',
    patch: {
      file: registerEndpoint,
      before: 'const root = { name, metadata, ref, token };',
      after:
        "if (token !== undefined) return { ok: false, row: { status: 400, code: 'VALIDATION', cause: 'token' } };\n    const root = { name, metadata, ref, token };",
    },
    deployment: 'mainnet',
  },
  {
    id: 'register/child-key-in-body',
    title: "a child's registration refuses Authorization",
    clause: 'register.header.authorization',
    patch: {
      file: registerEndpoint,
      before: "return parent.ok ? parent : refuse('register/AUTH_MISSING', parent.detail);",
      after: "return refuse('register/AUTH_MISSING', parent.detail);",
    },
  },
  {
    id: 'register/root-key-wanted',
    title: 'a root registration wants Authorization',
    clause: 'register.header.authorization',
    patch: {
      file: registerEndpoint,
      before: 'return refuseCredential(registry, credentialHeaders(header), nowMs) ?? ANONYMOUS;',
      after: "return header('authorization') === undefined ? refuse('register/AUTH_MISSING') : ANONYMOUS;",
    },
  },
  {
    id: 'register/mainnet-secret-by-length',
    title: 'on mainnet a secret of the same length is accepted',
    clause: 'key.registration-secret.mainnet',
    patch: {
      file: registerRules,
      before: 'const same = wanted.length === sent.length && timingSafeEqual(wanted, sent);',
      after: 'const same = wanted.length === sent.length;',
    },
    deployment: 'mainnet',
  },
  {
    id: 'register/mainnet-secret-any',
    title: 'on mainnet any secret is accepted',
    clause: 'key.registration-secret.mainnet',
    patch: {
      file: registerRules,
      before: 'const same = wanted.length === sent.length && timingSafeEqual(wanted, sent);',
      after: 'const same = sent.length > 0;',
    },
    deployment: 'mainnet',
  },
  {
    id: 'register/devnet-secret-wanted',
    title: 'devnet wants a secret',
    clause: 'key.registration-secret.devnet',
    patch: {
      file: registerRules,
      before: "const enforced = network === 'mainnet';",
      after: "const enforced = network !== 'mainnet';",
    },
    deployment: 'devnet',
  },
  {
    id: 'register/metadata-of-2-kb',
    title: 'metadata has 2 KB at most',
    clause: 'constant.registration-metadata',
    patch: {
      file: registerSchema,
      before: 'const { metadataBytesMax } = protocol.registration;',
      after: 'const metadataBytesMax = 2_048;',
    },
  },
  {
    id: 'register/metadata-of-64-kb',
    title: 'metadata has no bound of its own',
    clause: 'constant.registration-metadata',
    patch: {
      file: registerSchema,
      before: 'const { metadataBytesMax } = protocol.registration;',
      after: 'const metadataBytesMax = 65_536;',
    },
  },
  {
    id: 'register/child-refused',
    title: 'no child is ever registered',
    clause: 'spawn.flow.register',
    patch: {
      file: registerChildRules,
      before: 'spendOneTime(registry, authorization);\n',
      after:
        "if (authorization !== '') return refuse('register/SPAWN_CONFLICT');\n    spendOneTime(registry, authorization);\n",
    },
  },
  {
    id: 'register/name-cut',
    title: 'of a name 32 characters are kept',
    clause: 'agent.field.name',
    patch: {
      file: registerRules,
      before: 'registry.names.push(name.trim());',
      after: 'registry.names.push(name.trim().slice(0, 32));',
    },
  },
  {
    id: 'register/name-in-ascii',
    title: 'accents of a name are lost',
    clause: 'agent.field.name',
    patch: {
      file: registerRules,
      before: 'registry.names.push(name.trim());',
      after: "registry.names.push(name.trim().normalize('NFD').replaceAll(/[^ -~]/g, ''));",
    },
  },
  {
    id: 'register/content-type-json-refused',
    title: 'a registration as application/json is refused',
    clause: 'register.header.content-type',
    patch: {
      file: bodyHttp,
      before: "if (mediaType !== 'application/json')",
      after: "if (mediaType !== 'application/json' || bytes.toString('utf8').includes('\"name\"'))",
    },
  },
  {
    id: 'register/content-type-text',
    title: 'a registration as text/plain is accepted',
    clause: 'register.header.content-type',
    patch: {
      file: bodyHttp,
      before: "if (mediaType !== 'application/json')",
      after: "if (mediaType !== 'application/json' && mediaType !== 'text/plain')",
    },
  },
  {
    id: 'register/metadata-of-one-agent',
    title: 'the metadata of the latest agent alone is kept',
    clause: 'register.metadata.returned.verify',
    patch: {
      file: registerRules,
      before: 'registry.metadata.set(agent, metadata);',
      after: '{ registry.metadata.clear(); registry.metadata.set(agent, metadata); }',
    },
  },
  {
    id: 'register/message-composed',
    title: 'the message of a name is checked in composed characters, however it was sent',
    clause: 'register.self-custody.message',
    patch: {
      file: walletOwnershipRules,
      before: '${proof.subject}`',
      after: "${proof.subject.normalize('NFC')}`",
    },
  },
  {
    id: 'register/name-64-units',
    title: 'a name is cut after 64 units of 16 bits',
    clause: 'agent.field.name',
    patch: {
      file: registerRules,
      before: 'registry.names.push(name.trim());',
      after: 'registry.names.push(name.trim().slice(0, 64));',
    },
  },
  {
    id: 'register/metadata-of-children',
    title: 'the metadata of children is not kept',
    clause: 'register.metadata.returned.status',
    patch: {
      file: registerRules,
      before: 'if (metadata !== undefined)\n        registry.metadata.set(agent, metadata);',
      after: 'if (metadata !== undefined && parent < 0) registry.metadata.set(agent, metadata);',
    },
  },
  {
    id: 'register/metadata-of-wallet-roots',
    title: 'the metadata of roots with a wallet is not kept',
    clause: 'register.metadata.returned.verify',
    patch: {
      file: registerWalletRules,
      before: 'registerRoot(registry, { ...input, linked: ownedWallet(registry, mode, address) }, nowMs)',
      after:
        'registerRoot(registry, { ...input, metadata: undefined, linked: ownedWallet(registry, mode, address) }, nowMs)',
    },
  },
  {
    id: 'register/wallet-of-operator-parent',
    title: 'a child gets the wallet of a parent that has an operator',
    clause: 'register.child.no-wallet',
    patch: {
      file: registerChildRules,
      before: 'line.setPartner(child, line.partner(parent));',
      after:
        'line.setPartner(child, line.partner(parent)); if (columns.walletModel[parent] === 1) line.setWallet(child, line.wallet(parent));',
    },
  },
  {
    id: 'register/grandchild-under-root',
    title: 'a grandchild is told its root as its parent',
    clause: 'agent.field.parent',
    patch: {
      file: registerEndpoint,
      before: 'parent: columns.parent[agent] < 0 ? null : hashOf(registry, columns.parent[agent]),',
      after:
        'parent: columns.parent[agent] < 0 ? null : hashOf(registry, columns.parent[columns.parent[agent]] < 0 ? columns.parent[agent] : columns.parent[columns.parent[agent]]),',
    },
  },
  {
    id: 'register/metadata-in-characters',
    title: 'the size of metadata is counted in characters',
    clause: 'register.metadata.size',
    patch: {
      file: registerSchema,
      before: 'return new TextEncoder().encode(JSON.stringify(value)).length;',
      after: 'return JSON.stringify(value).length;',
    },
  },
  {
    id: 'register/second-child-unauthorized',
    title: 'whoever has a child registers the next without an authorization',
    clause: 'register.child.body.spawn-authorization',
    patch: {
      file: 'spec/endpoints/register',
      before: "child: ['name', 'spawn_authorization'],",
      after: "child: ['name'],",
      also: [
        {
          file: 'reference/registry/register-child',
          before: '    const named = input.parent ?? parent;',
          after:
            "    const renewal = authorization === undefined && registry.agents.columns.children[parent] > 0;\n    if (authorization === undefined && !renewal)\n        return refuse('register/VALIDATION', 'spawn_authorization: is required in child registration');\n    const named = input.parent ?? parent;",
        },
        {
          file: 'reference/registry/register-child',
          before: "if (bound?.['parent'] !== parent) {",
          after: "if (!renewal && bound?.['parent'] !== parent) {",
        },
        {
          file: 'reference/registry/register-child',
          before: "if (bound['childName'] !== name) {",
          after: "if (!renewal && bound['childName'] !== name) {",
        },
      ],
    },
  },
  {
    id: 'register/metadata-falsy-taken',
    title: 'metadata that is false, 0 or an empty text counts as none',
    clause: 'register.metadata.object',
    patch: {
      file: 'spec/endpoints/register',
      before: '.refine(isJsonObject, {',
      after: '.refine((value) => !value || isJsonObject(value), {',
      also: [
        {
          file: 'spec/endpoints/register',
          before: "({ ...body, name: body.name ?? '', mode",
          after: "({ ...body, metadata: body.metadata || undefined, name: body.name ?? '', mode",
        },
      ],
    },
  },
  {
    id: 'register/metadata-size-by-mode',
    title: 'the size of metadata is looked at in some modes only',
    clause: 'register.metadata.size',
    patch: {
      file: 'spec/endpoints/register',
      before:
        '        .refine((value) => serialisedBytes(value) <= metadataBytesMax, `must be at most ${metadataBytesMax} bytes of JSON`)\n',
      after: '',
      also: [
        {
          file: 'spec/endpoints/register',
          before: '        const mode = registrationMode(body);\n        for (const field',
          after:
            "        const mode = registrationMode(body);\n        const { metadataBytesMax } = facts.protocol.registration;\n        if ((mode === 'root' || mode === 'child') && body.metadata !== undefined && serialisedBytes(body.metadata) > metadataBytesMax) {\n            context.addIssue({ code: 'custom', path: ['metadata'], message: `must be at most ${metadataBytesMax} bytes of JSON` });\n        }\n        for (const field",
        },
      ],
    },
  },
  {
    id: 'register/ethereum-by-token',
    title: 'mainnet takes an Ethereum wallet where the registration carries a token',
    clause: 'register.ethereum.mainnet',
    deployment: 'mainnet',
    patch: {
      file: 'reference/registry/register-wallet',
      before: 'function refuseChain(registry, mode) {\n',
      after: 'function refuseChain(registry, mode, token) {\n    if (token !== undefined)\n        return null;\n',
      also: [
        {
          file: 'reference/registry/register-wallet',
          before:
            'export function registerChallenge(registry, mode, nowMs) {\n    const refused = refuseChain(registry, mode);',
          after:
            'export function registerChallenge(registry, mode, nowMs, token) {\n    const refused = refuseChain(registry, mode, token);',
        },
        {
          file: 'reference/registry/register-wallet',
          before:
            'export function registerWithWallet(registry, mode, input, nowMs) {\n    const refused = refuseChain(registry, mode);',
          after:
            'export function registerWithWallet(registry, mode, input, nowMs) {\n    const refused = refuseChain(registry, mode, input.token);',
        },
        {
          file: 'reference/http/endpoints/register',
          before:
            'function challenge({ registry, nowMs }, mode) {\n    const made = registerChallenge(registry, mode, nowMs);',
          after:
            'function challenge({ registry, nowMs, header }, mode) {\n    const made = registerChallenge(registry, mode, nowMs, credentialHeaders(header).token);',
        },
      ],
    },
  },
  {
    id: 'register/name-of-the-first-phase',
    title: 'the signature is looked at with the name of the first phase, and the agent has that of the second',
    clause: 'register.self-custody.message',
    patch: {
      file: 'reference/http/endpoints/register',
      before: "registerChallenge(registry, 'register', nowMs)",
      after: "registerChallenge(registry, 'register', nowMs, { name })",
      also: [
        {
          file: 'reference/registry/register-wallet',
          before: 'export function registerChallenge(registry, mode, nowMs) {',
          after: 'export function registerChallenge(registry, mode, nowMs, bound) {',
        },
        {
          file: 'reference/registry/register-wallet',
          before: 'issueOneTime(registry, mode, nonceBytes, nonceTtlSec, nowMs) };',
          after: 'issueOneTime(registry, mode, nonceBytes, nonceTtlSec, nowMs, bound) };',
        },
        {
          file: 'reference/registry/register-wallet',
          before: 'if (!verifyOwnership(registry, mode, { nonce, address, subject: name, signature })) {',
          after:
            'if (!verifyOwnership(registry, mode, { nonce, address, subject: peekOneTime(registry, nonce, mode, nowMs)?.bound?.name ?? name, signature })) {',
        },
      ],
    },
  },
  {
    id: 'register/model-of-the-wallet',
    title: 'an operator wallet that another agent has in self-custody is shown as that',
    clause: 'agent.field.wallet-model.operator',
    patch: {
      file: 'reference/registry/wallet-ownership',
      before: '    return { wallet: intern(registry.wallets, normalized(address)), model, chain };',
      after:
        '    const wallet = intern(registry.wallets, normalized(address));\n    const models = (registry.modelsOf ??= new Map());\n    if (!models.has(wallet))\n        models.set(wallet, model);\n    return { wallet, model: models.get(wallet), chain };',
    },
  },
  {
    id: 'register/depth-of-two',
    title: 'no depth above 1 is shown',
    clause: 'agent.field.depth',
    patch: {
      file: 'reference/http/endpoints/register',
      before: 'depth: line.depth(agent),',
      after: 'depth: Math.min(1, line.depth(agent)),',
    },
  },
  {
    id: 'register/names-escaped',
    title: 'names are escaped for HTML',
    clause: 'agent.field.name',
    patch: {
      file: 'reference/registry/register',
      before: '    registry.names.push(name.trim());',
      after: "    registry.names.push(name.trim().replaceAll('&', '&amp;').replaceAll('<', '&lt;'));",
    },
  },
  {
    id: 'register/metadata-of-vocabularies',
    title: 'metadata under the name of a field of SIGILs has its vocabulary',
    clause: 'register.metadata.free',
    patch: {
      file: 'reference/http/endpoints/register',
      before: '    const root = { name, metadata, ref, token };',
      after:
        "    const root = { name, metadata, ref, token };\n    if (metadata?.protocol !== undefined && !['http', 'grpc', 'websocket', 'mcp', 'a2a', 'custom'].includes(metadata.protocol))\n        return refuse('register/VALIDATION', 'metadata.protocol');",
    },
  },
  {
    id: 'register/descendant-named',
    title: 'a registration that names a descendant of the agent whose key it carries makes a child of that agent',
    clause: 'register.child.body.parent',
    patch: {
      file: 'reference/registry/register-child',
      before: '    if (named >= 0 && named !== parent) {',
      after: '    if (named >= 0 && named !== parent && registry.agents.columns.parent[named] !== parent) {',
    },
  },
  {
    id: 'register/ethereum-address-lowered',
    title: 'the address of a message is put in lower case before it is verified',
    clause: 'register.ethereum.message',
    patch: {
      file: 'reference/registry/wallet-ownership',
      before: 'const message = ownershipMessage(registry.dialect.messagePrefix, word, proof);',
      after:
        "const address = word === 'register-ethereum' ? proof.address.toLowerCase() : proof.address;\n    const message = ownershipMessage(registry.dialect.messagePrefix, word, { ...proof, address });",
    },
  },
];
