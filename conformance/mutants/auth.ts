/** Mistakes of keys: how they are read, checked and revoked, and how errors are reported. */
import type { Mutant } from './mutant.js';

const keysRules = 'reference/registry/keys';
const authenticationHttp = 'reference/http/request/authentication';
const adminKeysRules = 'reference/registry/admin-keys';
const partnerRules = 'reference/registry/partner';
const routeHttp = 'reference/http/request/route';

export const authMutants: readonly Mutant[] = [
  {
    id: 'auth/signature-unchecked',
    title: 'the signature of a key is not checked',
    clause: 'key.agent.signature',
    patch: {
      file: keysRules,
      before: 'if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) {',
      after: 'if (given.length !== wanted.length) {',
    },
  },
  {
    id: 'auth/signature-prefix-checked',
    title: "half of a key's signature is checked",
    clause: 'key.agent.signature',
    patch: {
      file: keysRules,
      before: 'if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) {',
      after: 'if (!timingSafeEqual(given.subarray(0, 16), wanted.subarray(0, 16))) {',
    },
  },
  {
    id: 'auth/signature-of-payload-prefix',
    title: "a key's signature covers the beginning of its payload",
    clause: 'key.agent.signature',
    patch: {
      file: keysRules,
      before: "return createHmac('sha256', registry.keySecret).update(payload).digest('hex');",
      after: "return createHmac('sha256', registry.keySecret).update(payload.slice(0, 12)).digest('hex');",
    },
  },
  {
    id: 'auth/signature-without-payload-end',
    title: "a key's signature leaves out the end of its payload",
    clause: 'key.agent.signature',
    patch: {
      file: keysRules,
      before: "return createHmac('sha256', registry.keySecret).update(payload).digest('hex');",
      after: "return createHmac('sha256', registry.keySecret).update(payload.slice(0, -30)).digest('hex');",
    },
  },
  {
    id: 'auth/key-of-another-form',
    title: 'a key has no prefix',
    clause: 'key.agent.form',
    patch: {
      file: keysRules,
      before: 'return `pvn_${payload}.${sign(registry, payload)}`;',
      after: 'return `key_${payload}.${sign(registry, payload)}`;',
    },
  },
  {
    id: 'auth/key-is-of-first-agent',
    title: "every key is the first agent's",
    clause: 'key.agent.bound',
    patch: {
      file: keysRules,
      before: 'const agent = rowOf(registry, h);',
      after: 'const agent = rowOf(registry, h) < 0 ? -1 : 0;',
    },
  },
  {
    id: 'auth/revocation-ignored',
    title: 'a revoked key is accepted',
    clause: 'key.agent.revocation',
    patch: {
      file: keysRules,
      before: 'if (registry.agents.columns.keyRevoked[agent] !== 0)',
      after: 'if (registry.agents.columns.keyRevoked[agent] > 1)',
    },
  },
  {
    id: 'auth/revocation-undone-by-init',
    title: 'a revoked key of an agent whose chain runs is accepted',
    clause: 'key.agent.revocation',
    patch: {
      file: keysRules,
      before: 'if (registry.agents.columns.keyRevoked[agent] !== 0)',
      after: 'if (registry.agents.columns.keyRevoked[agent] !== 0 && registry.agents.line.status(agent) === 0)',
    },
  },
  {
    id: 'auth/revocation-leaves-sponsorships',
    title: 'a revoked key leaves the sponsorships of its agent',
    clause: 'sponsor.transition.key-revoked',
    patch: { file: keysRules, before: 'revokeOfChild(registry, agent, nowMs);', after: 'void nowMs;' },
  },
  {
    id: 'auth/any-scheme',
    title: 'a key is accepted under any scheme',
    clause: 'convention.bearer',
    patch: { file: authenticationHttp, before: 'return /^Bearer +(\\S+) *$/i', after: 'return /^\\S+ +(\\S+) *$/i' },
  },
  {
    id: 'auth/no-scheme',
    title: 'a key is accepted without a scheme',
    clause: 'convention.bearer',
    patch: {
      file: authenticationHttp,
      before: 'return /^Bearer +(\\S+) *$/i',
      after: 'return /^(?:Bearer +)?(\\S+) *$/i',
    },
  },
  {
    id: 'auth/key-in-header-of-its-own',
    title: 'the key is read from x-api-key',
    clause: 'key.agent.header',
    patch: {
      file: authenticationHttp,
      before: ".exec(header('authorization') ?? '')?.[1];",
      after: ".exec(header('x-api-key') ?? '')?.[1];",
    },
  },
  {
    id: 'auth/missing-key-is-first-agent',
    title: "a request without a key is the first agent's",
    clause: 'auth.agent-key.missing',
    patch: {
      file: authenticationHttp,
      before: 'return known.ok ? { ok: true, agent: known.agent, partner: -1 } : known;',
      after:
        "return known.ok ? { ok: true, agent: known.agent, partner: -1 } : header('authorization') === undefined ? { ok: true, agent: 0, partner: -1 } : known;",
    },
  },
  {
    id: 'auth/admin-key-unchecked',
    title: "any key is an admin's",
    clause: 'subsidy.auth',
    patch: {
      file: authenticationHttp,
      before: 'const known = authenticateAdmin(registry, bearer(header));',
      after: '    const known = bearer(header) === undefined ? authenticateAdmin(registry, undefined) : { ok: true };',
    },
  },
  {
    id: 'auth/admin-key-by-prefix',
    title: "every key that begins with pva_ is an admin's",
    clause: 'subsidy.error.auth-invalid',
    patch: {
      file: authenticationHttp,
      before: 'const known = authenticateAdmin(registry, bearer(header));',
      after:
        "    const known = bearer(header)?.startsWith('pva_') ? { ok: true } : authenticateAdmin(registry, bearer(header));",
    },
  },
  {
    id: 'auth/agent-key-is-admin',
    title: "an agent's key is taken as an admin's",
    clause: 'subsidy.auth',
    patch: {
      file: authenticationHttp,
      before: 'const known = authenticateAdmin(registry, bearer(header));',
      after:
        "    const known = bearer(header)?.startsWith('pvn_') ? { ok: true } : authenticateAdmin(registry, bearer(header));",
    },
  },
  {
    id: 'auth/admin-key-expired-taken',
    title: 'an expired admin key is accepted',
    clause: 'subsidy.error.auth-invalid.expired',
    patch: {
      file: adminKeysRules,
      before: "return expired ? refuse('subsidy/AUTH_INVALID', 'the admin key has expired') : { ok: true };",
      after: 'return { ok: true };',
    },
  },
  {
    id: 'auth/admin-key-missing-403',
    title: 'a missing admin key is taken for an invalid one',
    clause: 'subsidy.error.auth-missing',
    patch: {
      file: adminKeysRules,
      before: "return refuse('subsidy/AUTH_MISSING', 'send Authorization: Bearer <admin key>');",
      after: "return refuse('subsidy/AUTH_INVALID', 'send Authorization: Bearer <admin key>');",
    },
  },
  {
    id: 'auth/one-admin-key',
    title: 'a new admin key ends those before it',
    clause: 'key.admin',
    patch: {
      file: adminKeysRules,
      before: 'registry.adminKeys.set(keyDigest(key), false);',
      after: 'registry.adminKeys.clear();\n    registry.adminKeys.set(keyDigest(key), false);',
    },
  },
  {
    id: 'auth/partner-suspended-taken',
    title: 'a suspended partner goes on',
    clause: 'partner-webhook.error.auth-forbidden.suspended',
    patch: { file: partnerRules, before: 'if (known.suspended)', after: 'if (known.suspended && known.keyExpired)' },
  },
  {
    id: 'auth/partner-key-unknown-is-latest',
    title: "an unknown partner key is the latest partner's",
    clause: 'partner-webhook.error.auth-forbidden',
    patch: {
      file: partnerRules,
      before: 'const partner = partnerOfKey(registry, key);\n    const known',
      after:
        'const found = partnerOfKey(registry, key);\n    const partner = found < 0 ? registry.partners.length - 1 : found;\n    const known',
    },
  },
  {
    id: 'auth/partners-share',
    title: "every partner key is the first partner's",
    clause: 'key.partner',
    patch: { file: partnerRules, before: 'return { ok: true, partner };', after: 'return { ok: true, partner: 0 };' },
    deployment: 'webhooks',
  },
  {
    id: 'auth/revoked-key-reads',
    title: 'a revoked key still reads',
    clause: 'key.agent.revocation',
    patch: {
      file: routeHttp,
      before: 'return { ...(own ?? authenticator(endpoint.auth))({ registry, nowMs, ...given }), nowMs };',
      after:
        "const { columns } = registry.agents;\n    const revoked = columns.keyRevoked;\n    if (endpoint.method === 'GET') columns.keyRevoked = new Uint8Array(revoked.length);\n    const known = (own ?? authenticator(endpoint.auth))({ registry, nowMs, ...given });\n    columns.keyRevoked = revoked;\n    return { ...known, nowMs };",
    },
  },
  {
    id: 'auth/revoked-key-deletes',
    title: 'a revoked key still deletes',
    clause: 'key.agent.revocation',
    patch: {
      file: routeHttp,
      before: 'return { ...(own ?? authenticator(endpoint.auth))({ registry, nowMs, ...given }), nowMs };',
      after:
        "const { columns } = registry.agents;\n    const revoked = columns.keyRevoked;\n    if (endpoint.method === 'DELETE') columns.keyRevoked = new Uint8Array(revoked.length);\n    const known = (own ?? authenticator(endpoint.auth))({ registry, nowMs, ...given });\n    columns.keyRevoked = revoked;\n    return { ...known, nowMs };",
    },
  },
  {
    id: 'auth/revoked-key-registers',
    title: 'a revoked key still registers children',
    clause: 'key.agent.revocation',
    patch: {
      file: routeHttp,
      before: 'return { ...(own ?? authenticator(endpoint.auth))({ registry, nowMs, ...given }), nowMs };',
      after:
        "const { columns } = registry.agents;\n    const revoked = columns.keyRevoked;\n    if (endpoint.stem === 'register') columns.keyRevoked = new Uint8Array(revoked.length);\n    const known = (own ?? authenticator(endpoint.auth))({ registry, nowMs, ...given });\n    columns.keyRevoked = revoked;\n    return { ...known, nowMs };",
    },
  },
  {
    id: 'auth/error-without-text',
    title: 'an error has no error text',
    clause: 'error.body.error',
    patch: {
      file: routeHttp,
      before: 'return { error: detail ?? row.cause, code: row.code, ...fields };',
      after: 'return { message: detail ?? row.cause, code: row.code, ...fields };',
    },
  },
  {
    id: 'auth/error-code-numeric',
    title: 'the code of an error is its status',
    clause: 'error.body.code',
    patch: {
      file: routeHttp,
      before: 'return { error: detail ?? row.cause, code: row.code, ...fields };',
      after: 'return { error: detail ?? row.cause, code: row.status, ...fields };',
    },
  },
  {
    id: 'auth/error-nested',
    title: 'an error is nested in an object',
    clause: 'error.body.error',
    patch: {
      file: routeHttp,
      before: 'return { error: detail ?? row.cause, code: row.code, ...fields };',
      after: 'return { error: { message: detail ?? row.cause, code: row.code }, ...fields };',
    },
  },
  {
    id: 'auth/code-unauthorized',
    title: 'the code of a missing key is UNAUTHORIZED',
    clause: 'auth.error.auth-missing',
    patch: {
      file: routeHttp,
      before: 'if (!admitted.ok)\n        return admitted;',
      after:
        "if (!admitted.ok)\n        return header('authorization') === undefined ? { ...admitted, row: { ...admitted.row, code: 'UNAUTHORIZED' } } : admitted;",
    },
  },
  {
    id: 'auth/code-invalid-key',
    title: 'the code of an invalid key is AUTH_INVALID',
    clause: 'auth.error.auth-missing.invalid',
    patch: {
      file: routeHttp,
      before: 'if (!admitted.ok)\n        return admitted;',
      after:
        "if (!admitted.ok)\n        return header('authorization') !== undefined ? { ...admitted, row: { ...admitted.row, code: 'AUTH_INVALID' } } : admitted;",
    },
  },
  {
    id: 'auth/signature-prolonged',
    title: 'what follows the signature of a key is not read',
    clause: 'key.agent.signature',
    patch: {
      file: keysRules,
      before: 'if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) {',
      after: 'if (given.length < wanted.length || !timingSafeEqual(given.subarray(0, wanted.length), wanted)) {',
    },
  },
  {
    id: 'auth/signature-cut',
    title: 'the beginning of a signature is enough',
    clause: 'key.agent.signature',
    patch: {
      file: keysRules,
      before: 'if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) {',
      after: "if (!wanted.toString('utf8').startsWith(given.toString('utf8'))) {",
    },
  },
  {
    id: 'auth/half-signature',
    title: 'the signature of a key is compared but for its last third',
    clause: 'key.agent.signature',
    patch: {
      file: keysRules,
      before: '!timingSafeEqual(given, wanted)',
      after: '!timingSafeEqual(given.subarray(0, 40), wanted.subarray(0, 40))',
    },
  },
  {
    id: 'auth/revoked-until-freeze',
    title: 'a revoked key is good again once its agent freezes',
    clause: 'key.agent.revocation',
    patch: {
      file: 'reference/registry/dead-man-switch',
      before: 'columns.frozenAtBeat[row] = currentBeat(registry);',
      after: 'columns.frozenAtBeat[row] = currentBeat(registry); columns.keyRevoked[row] = 0;',
    },
  },
  {
    id: 'auth/revoked-with-parent',
    title: 'the revocation of a key is one of the keys of the children, too',
    clause: 'key.agent.revocation',
    patch: {
      file: 'reference/registry/keys',
      before: 'if (registry.agents.columns.keyRevoked[agent] !== 0)',
      after:
        'if (registry.agents.columns.keyRevoked[agent] !== 0 || registry.agents.columns.keyRevoked[registry.agents.columns.parent[agent]] === 1)',
    },
  },
  {
    id: 'auth/forged-fills',
    title: 'a request under a forged key counts among those of the agent that it names',
    clause: 'auth.rate-bucket.agent',
    patch: {
      file: 'reference/registry/keys',
      before: "        return refuse('any/AUTH_MISSING', \"the key's signature does not verify\");",
      after:
        "        return { ...refuse('any/AUTH_MISSING', \"the key's signature does not verify\"), agent: rowOf(registry, JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')).h) };",
      also: [
        {
          file: 'reference/http/request/route',
          before: '    const { agent, partner } = admitted.ok ? admitted : ANONYMOUS;',
          after: '    const { agent, partner } = { ...ANONYMOUS, ...admitted };',
        },
      ],
    },
  },
  {
    id: 'auth/bucket-of-root',
    title: 'children count in the buckets of their root',
    clause: 'auth.rate-bucket.agent',
    patch: {
      file: 'reference/http/request/buckets',
      before: "case 'agent':\n            return caller.agent < 0 ? byIp : `${row}|agent|${caller.agent}`;",
      after: "case 'agent':\n            return caller.agent < 0 ? byIp : `${row}|agent|${rootOf(caller.agent)}`;",
      also: [
        {
          file: 'reference/http/request/buckets',
          before:
            '/** The buckets in which this request counts, by the rows of section 8. */\nexport function bucketsOf(host, endpoint, caller) {',
          after:
            'let columnsNow;\nfunction rootOf(agent) {\n    let at = agent;\n    while (columnsNow.parent[at] >= 0)\n        at = columnsNow.parent[at];\n    return at;\n}\n/** The buckets in which this request counts, by the rows of section 8. */\nexport function bucketsOf(host, endpoint, caller) {\n    columnsNow = host.service.registry.agents.columns;',
        },
      ],
    },
  },
  {
    id: 'auth/key-part-behind',
    title: 'what stands behind a second dot of a key is not looked at',
    clause: 'key.agent.signature',
    patch: {
      file: 'reference/registry/keys',
      before: '    if (!API_KEY.test(key))',
      after: "    key = key.split('.').slice(0, 2).join('.');\n    if (!API_KEY.test(key))",
    },
  },
  {
    id: 'auth/key-prefix-loose',
    title: 'the prefix of a key may be repeated, or in capitals',
    clause: 'key.agent.form',
    patch: {
      file: 'reference/registry/keys',
      before: '    if (!API_KEY.test(key))',
      after: "    key = key.replace(/^(pvn_)+/i, 'pvn_');\n    if (!API_KEY.test(key))",
    },
  },
  {
    id: 'auth/key-of-list',
    title: 'of keys that are joined by a comma the first counts',
    clause: 'key.agent.signature',
    patch: {
      file: 'reference/registry/keys',
      before: '    if (!API_KEY.test(key))',
      after: "    key = key.split(',')[0];\n    if (!API_KEY.test(key))",
    },
  },
];
