/** Mistakes of wallet links. Those of the message that is signed are in ownership.ts. */
import type { Mutant } from './mutant.js';

const walletRules = 'reference/registry/wallet';
const walletEndpoint = 'reference/http/endpoints/wallet';
const walletSchema = 'spec/endpoints/wallet';
const walletOwnershipRules = 'reference/registry/wallet-ownership';
const routeHttp = 'reference/http/request/route';

export const walletMutants: readonly Mutant[] = [
  {
    id: 'wallet/again',
    title: 'a wallet is linked over another',
    clause: 'wallet.transition.again',
    patch: {
      file: walletRules,
      before: "return registry.agents.line.wallet(agent) >= 0 ? refuse('wallet/WALLET_ALREADY_LINKED') : null;",
      after: 'return null;',
    },
  },
  {
    id: 'wallet/nonce-of-another-agent',
    title: 'a nonce of another agent is accepted',
    clause: 'wallet.error.nonce-invalid',
    patch: {
      file: walletRules,
      before: "if (peekOneTime(registry, nonce, FLOW, nowMs)?.bound?.['agent'] !== agent)",
      after: 'if (peekOneTime(registry, nonce, FLOW, nowMs) === undefined)',
    },
  },
  {
    id: 'wallet/nonce-any',
    title: 'any nonce is accepted',
    clause: 'wallet.error.nonce-invalid',
    patch: {
      file: walletRules,
      before: "if (peekOneTime(registry, nonce, FLOW, nowMs)?.bound?.['agent'] !== agent)",
      after: "if (nonce === '')",
    },
  },
  {
    id: 'wallet/nonce-for-an-hour',
    title: 'a nonce lives an hour, whatever the reply says',
    clause: 'wallet.transition.nonce',
    patch: {
      file: walletRules,
      before: 'issueOneTime(registry, FLOW, nonceBytes, nonceTtlSec, nowMs, { agent }) };',
      after: 'issueOneTime(registry, FLOW, nonceBytes, 3_600, nowMs, { agent }) };',
    },
  },
  {
    id: 'wallet/nonce-for-a-minute',
    title: 'a nonce lives a minute, whatever the reply says',
    clause: 'wallet.transition.nonce',
    patch: {
      file: walletRules,
      before: 'issueOneTime(registry, FLOW, nonceBytes, nonceTtlSec, nowMs, { agent }) };',
      after: 'issueOneTime(registry, FLOW, nonceBytes, 60, nowMs, { agent }) };',
    },
  },
  {
    id: 'wallet/link-races',
    title: 'a link is made a moment after it was checked',
    clause: 'wallet.transition.again',
    patch: {
      file: walletRules,
      before: 'linkWallet(registry, agent, ownedWallet(registry, form, address), nowMs);',
      after: 'setImmediate(() => linkWallet(registry, agent, ownedWallet(registry, form, address), nowMs));',
    },
  },
  {
    id: 'wallet/not-linked',
    title: 'a finalize call links nothing',
    clause: 'wallet.transition.linked',
    patch: {
      file: walletRules,
      before: 'linkWallet(registry, agent, ownedWallet(registry, form, address), nowMs);',
      after: 'void address;',
    },
  },
  {
    id: 'wallet/operator-not-linked',
    title: 'an operator finalize links nothing',
    clause: 'wallet.transition.linked',
    patch: {
      file: walletRules,
      before: 'linkWallet(registry, agent, ownedWallet(registry, form, address), nowMs);',
      after: "if (form === 'link-wallet') linkWallet(registry, agent, ownedWallet(registry, form, address), nowMs);",
    },
  },
  {
    id: 'wallet/only-roots',
    title: 'a child cannot link a wallet',
    clause: 'wallet.purpose',
    patch: {
      file: walletRules,
      before: 'const subject = hashOf(registry, agent);',
      after: "const subject = registry.agents.line.depth(agent) > 0 ? '' : hashOf(registry, agent);",
    },
  },
  {
    id: 'wallet/subject-is-name',
    title: "the message of a link ends with the agent's name",
    clause: 'wallet.self-custody.message',
    patch: {
      file: walletRules,
      before: 'const subject = hashOf(registry, agent);',
      after: 'const subject = registry.names[agent];',
    },
  },
  {
    id: 'wallet/last-challenge-wins',
    title: 'a challenge ends the one before it',
    clause: 'wallet.transition.nonce',
    patch: {
      file: walletRules,
      before: 'const { nonceBytes, nonceTtlSec } = registry.protocol.wallet;',
      after:
        'const { nonceBytes, nonceTtlSec } = registry.protocol.wallet;\n    for (const [value, { flow, bound }] of registry.oneTime) if (flow === FLOW && bound.agent === agent) registry.oneTime.delete(value);',
    },
  },
  {
    id: 'wallet/expires-in-ms',
    title: 'expires_in is in milliseconds',
    clause: 'wallet.challenge.reply.expires-in',
    patch: {
      file: walletEndpoint,
      before: 'expires_in: nonceTtlSec });',
      after: 'expires_in: nonceTtlSec * 1_000 });',
    },
  },
  {
    id: 'wallet/challenge-without-action',
    title: 'a challenge does not say its action',
    clause: 'wallet.challenge.reply',
    patch: { file: walletEndpoint, before: "action: 'challenge', nonce", after: 'nonce' },
  },
  {
    id: 'wallet/challenge-nonce-nested',
    title: 'the nonce of a challenge is nested in an object',
    clause: 'wallet.challenge.reply',
    patch: {
      file: walletEndpoint,
      before: 'nonce: made.nonce, expires_in',
      after: 'challenge: { nonce: made.nonce }, expires_in',
    },
  },
  {
    id: 'wallet/operator-as-self-custody',
    title: 'an operator link is checked as a self-custody one',
    clause: 'wallet.operator.message',
    patch: {
      file: walletEndpoint,
      before: "const form = operator ? 'link-wallet-operator' : 'link-wallet';",
      after: "const form = 'link-wallet';",
    },
  },
  {
    id: 'wallet/operator-wants-chain',
    title: 'an operator link needs wallet_chain',
    clause: 'wallet.operator.body',
    patch: {
      file: walletSchema,
      before: "wallet_model: z.literal('operator'),",
      after: "wallet_model: z.literal('operator'),\n            wallet_chain: z.literal('solana'),",
    },
  },
  {
    id: 'wallet/self-custody-wants-model',
    title: 'a self-custody link needs wallet_model',
    clause: 'wallet.self-custody.body',
    patch: {
      file: walletSchema,
      before: "wallet_model: z.literal('self-custody').optional(),",
      after: "wallet_model: z.literal('self-custody'),",
    },
  },
  {
    id: 'wallet/challenge-wants-chain',
    title: 'a challenge needs wallet_chain',
    clause: 'wallet.challenge.body',
    patch: {
      file: walletSchema,
      before: "const challenge = z.object({ action: z.literal('challenge') });",
      after: "const challenge = z.object({ action: z.literal('challenge'), wallet_chain: z.string() });",
    },
  },
  {
    id: 'wallet/ed25519-unchecked',
    title: 'an Ed25519 signature is not checked',
    clause: 'key.wallet-signature.ed25519',
    patch: { file: walletOwnershipRules, before: 'verifies: verifyEd25519,', after: 'verifies: () => true,' },
  },
  {
    id: 'wallet/ed25519-by-length',
    title: 'an Ed25519 signature must have its length',
    clause: 'key.wallet-signature.ed25519',
    patch: {
      file: walletOwnershipRules,
      before: 'verifies: verifyEd25519,',
      after: 'verifies: (_key, _message, signature) => signature.length === 128,',
    },
  },
  {
    id: 'wallet/links-unsigned',
    title: 'a link is not checked at all',
    clause: 'key.wallet-signature.use',
    patch: {
      file: walletOwnershipRules,
      before: 'const message = ownershipMessage(registry.dialect.messagePrefix, word, proof);',
      after:
        "if (word.startsWith('link')) return true;\n    const message = ownershipMessage(registry.dialect.messagePrefix, word, proof);",
    },
  },
  {
    id: 'wallet/key-invalid-404',
    title: 'a wallet link with an invalid key is 404',
    clause: 'wallet.error.auth-missing',
    patch: {
      file: routeHttp,
      before: 'if (!admitted.ok)\n        return admitted;',
      after:
        "if (!admitted.ok)\n        return endpoint.stem === 'wallet' ? { ...admitted, row: { ...admitted.row, status: 404 } } : admitted;",
    },
  },
  {
    id: 'wallet/nonce-of-600',
    title: 'a nonce lives 600 seconds',
    clause: 'constant.nonce-ttl.wallet',
    patch: {
      file: walletRules,
      before: 'issueOneTime(registry, FLOW, nonceBytes, nonceTtlSec, nowMs, { agent }) };',
      after: 'issueOneTime(registry, FLOW, nonceBytes, 2 * nonceTtlSec, nowMs, { agent }) };',
    },
  },
  {
    id: 'wallet/nonce-races',
    title: 'a nonce is used up, and the link made, a moment later',
    clause: 'constant.nonce-single-use.wallet',
    patch: {
      file: walletRules,
      before:
        'spendOneTime(registry, nonce);\n    linkWallet(registry, agent, ownedWallet(registry, form, address), nowMs);',
      after:
        'setImmediate(() => {\n        spendOneTime(registry, nonce);\n        linkWallet(registry, agent, ownedWallet(registry, form, address), nowMs);\n    });',
    },
  },
  {
    id: 'wallet/started-only',
    title: 'an agent links a wallet once its chain has started',
    clause: 'wallet.purpose',
    patch: {
      file: walletRules,
      before: 'const subject = hashOf(registry, agent);',
      after: "const subject = registry.agents.line.status(agent) === 0 ? '' : hashOf(registry, agent);",
    },
  },
  {
    id: 'wallet/operator-again',
    title: 'an agent with an operator wallet links another',
    clause: 'wallet.transition.again',
    patch: {
      file: walletRules,
      before: 'return registry.agents.line.wallet(agent) >= 0 ?',
      after: 'return registry.agents.line.wallet(agent) >= 0 && registry.agents.columns.walletModel[agent] === 0 ?',
    },
  },
  {
    id: 'wallet/operator-kept-as-self-custody',
    title: 'an operator link is kept as a self-custody one',
    clause: 'wallet.transition.linked',
    patch: {
      file: walletRules,
      before: 'ownedWallet(registry, form, address), nowMs);',
      after: "{ ...ownedWallet(registry, form, address), model: 'self-custody' }, nowMs);",
    },
  },
  {
    id: 'wallet/forgets-metadata',
    title: 'a link forgets the registration metadata',
    clause: 'register.metadata.set-once',
    patch: {
      file: walletRules,
      before: 'spendOneTime(registry, nonce);',
      after: 'spendOneTime(registry, nonce);\n    registry.metadata.delete(agent);',
    },
  },
  {
    id: 'wallet/nonce-of-any-flow',
    title: 'a nonce of any flow links',
    clause: 'wallet.error.nonce-invalid',
    patch: {
      file: walletRules,
      before: "if (peekOneTime(registry, nonce, FLOW, nowMs)?.bound?.['agent'] !== agent)",
      after: 'if (!registry.oneTime.has(nonce))',
    },
  },
  {
    id: 'wallet/challenge-of-anybody-wins',
    title: 'a challenge ends those of other agents',
    clause: 'wallet.transition.nonce',
    patch: {
      file: walletRules,
      before: 'const { nonceBytes, nonceTtlSec } = registry.protocol.wallet;',
      after:
        'const { nonceBytes, nonceTtlSec } = registry.protocol.wallet;\n    for (const [value, { flow, bound }] of registry.oneTime) if (flow === FLOW && bound.agent !== agent) registry.oneTime.delete(value);',
    },
  },
  {
    id: 'wallet/hash-without-0x',
    title: 'a link that is signed over the agent hash without its 0x is taken',
    clause: 'wallet.self-custody.message',
    patch: {
      file: walletOwnershipRules,
      before: 'return kinds[word].verifies(proof.address, message, proof.signature);',
      after:
        "return kinds[word].verifies(proof.address, message, proof.signature) || (word === 'link-wallet' && kinds[word].verifies(proof.address, ownershipMessage(registry.dialect.messagePrefix, word, { ...proof, subject: proof.subject.slice(2) }), proof.signature));",
    },
  },
  {
    id: 'wallet/again-after-ethereum',
    title: 'an agent that registered with an Ethereum wallet links another',
    clause: 'wallet.transition.again',
    patch: {
      file: walletRules,
      before: 'registry.agents.line.wallet(agent) >= 0 ? refuse',
      after: 'registry.agents.line.wallet(agent) >= 0 && registry.agents.columns.walletChain[agent] !== 1 ? refuse',
    },
  },
  {
    id: 'wallet/operator-nonce-outlives',
    title: 'an operator links a wallet with an expired nonce',
    clause: 'constant.nonce-ttl.wallet',
    patch: {
      file: 'reference/registry/one-time',
      before: '    for (const [value, { expiresAtMs }] of registry.oneTime)\n        if (expiresAtMs < nowMs)',
      after:
        "    for (const [value, { expiresAtMs, flow }] of registry.oneTime)\n        if (expiresAtMs < nowMs && flow !== 'link-wallet')",
      also: [
        {
          file: 'reference/registry/wallet',
          before: 'peekOneTime(registry, nonce, FLOW, nowMs)',
          after: "peekOneTime(registry, nonce, FLOW, form === 'link-wallet-operator' ? 0 : nowMs)",
        },
      ],
    },
  },
  {
    id: 'wallet/linked-later-reissues-nothing',
    title: 'an agent that linked its wallet after its registration gets no reissue',
    clause: 'wallet.transition.linked',
    patch: {
      file: 'reference/registry/wallet',
      before: 'linkWallet(registry, agent, ownedWallet',
      after: '(registry.linkedLater ??= new Set()).add(agent);\n    linkWallet(registry, agent, ownedWallet',
      also: [
        {
          file: 'reference/registry/reissue-proof',
          before: 'const wallet = line.wallet(agent);',
          after: 'const wallet = registry.linkedLater?.has(agent) ? -1 : line.wallet(agent);',
        },
      ],
    },
  },
  {
    id: 'wallet/operator-nonce-races',
    title: "an operator's nonce is used up, and the link made, a moment later",
    clause: 'constant.nonce-single-use.wallet',
    patch: {
      file: 'reference/registry/wallet',
      before:
        'spendOneTime(registry, nonce);\n    linkWallet(registry, agent, ownedWallet(registry, form, address), nowMs);',
      after:
        "const done = () => {\n        spendOneTime(registry, nonce);\n        linkWallet(registry, agent, ownedWallet(registry, form, address), nowMs);\n    };\n    if (form.includes('operator'))\n        setImmediate(done);\n    else\n        done();",
    },
  },
  {
    id: 'wallet/nonce-as-old-as-the-first',
    title: 'a later nonce ends with the first one of its agent',
    clause: 'wallet.transition.nonce',
    patch: {
      file: 'reference/registry/wallet',
      before:
        '    return { ok: true, nonce: issueOneTime(registry, FLOW, nonceBytes, nonceTtlSec, nowMs, { agent }) };',
      after:
        "    const open = [...registry.oneTime.values()].find(({ flow, bound, expiresAtMs }) => flow === FLOW && bound?.['agent'] === agent && nowMs <= expiresAtMs);\n    const nonce = issueOneTime(registry, FLOW, nonceBytes, nonceTtlSec, nowMs, { agent });\n    if (open !== undefined)\n        registry.oneTime.get(nonce).expiresAtMs = open.expiresAtMs;\n    return { ok: true, nonce };",
    },
  },
];
