/** POST /agent/wallet (4.12, 3.2): its refusals, and the evidence of its reply. */

import { groups } from '../../spec/clauses/groups.js';
import { servesMode } from '../../spec/parts.js';
import type { Operation } from '../case.js';
import type { Agent } from '../facts/state.js';
import { issueTicket, type TicketFacts, ticketOf } from '../facts/tickets.js';
import { not } from '../reading/known.js';
import { solanaAddress } from '../reading/signature.js';
import { at, textAt } from '../reading/values.js';
import { provesWallet } from '../reading/wallet-proof.js';

interface Link {
  readonly agent: Agent;
  readonly form: 'challenge' | 'self-custody' | 'operator' | 'none';
  /** The key or address in the request. */
  readonly shown: string;
  readonly nonce: TicketFacts;
}

const isFinal = ({ form }: Link): boolean => form === 'self-custody' || form === 'operator';

/** The clauses about the message that the wallet signs, by form. */
const signing = ({ form }: Link): readonly string[] => [
  ...(form === 'self-custody' || form === 'operator' ? [`wallet.${form}.message`] : []),
  'key.wallet-signature.ed25519',
  'key.wallet-signature.use',
];

export const wallet: Operation<Link> = {
  ids: ['wallet'],
  facts: ({ state, call, agent }) => {
    if (agent === undefined) return undefined;
    const body = call.body ?? {};
    const [key, address] = [textAt(body, 'wallet_public_key'), textAt(body, 'operator_wallet_address')];
    const isOperator = body['wallet_model'] === 'operator' || address !== undefined;
    const isLinking = body['wallet_nonce'] !== undefined || body['wallet_signature'] !== undefined;
    return {
      agent,
      form:
        body['action'] === 'challenge' ? 'challenge' : !isLinking ? 'none' : isOperator ? 'operator' : 'self-custody',
      shown: (isOperator ? address : key) ?? '',
      nonce: ticketOf(state, body['wallet_nonce'], 'wallet', state.settings.protocol.wallet.nonceTtlSec),
    };
  },
  refusals: [
    {
      row: 'wallet/WALLET_ALREADY_LINKED',
      also: ['wallet.transition.again'],
      when: ({ agent }) => agent.wallet !== null,
    },
    { row: 'wallet/VALIDATION', clauses: [], when: ({ form }) => (form === 'none' ? undefined : false) },
    {
      row: 'wallet/VALIDATION',
      clauses: [],
      when: ({ form, shown }, { state }) =>
        (form === 'operator' && !servesMode(state.settings.protocol, 'wallet/operator')) ||
        (form === 'operator' && !/^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(shown)) ||
        (form === 'self-custody' && !/^[0-9a-f]{64}$/i.test(shown)),
    },
    {
      row: 'wallet/NONCE_INVALID',
      also: (_, { state, call: { body } }) => [
        ...(state.tickets.holds(String(body?.['wallet_nonce'])) ? ['wallet.nonce.bound'] : []),
      ],
      when: (facts) =>
        isFinal(facts) && (facts.nonce.ticket === undefined || facts.nonce.ticket.of !== facts.agent.hash),
    },
    {
      row: 'wallet/NONCE_INVALID',
      also: ['constant.nonce-single-use.wallet'],
      decided: 'error.unused',
      when: (facts) => isFinal(facts) && facts.nonce.isUsed,
    },
    {
      row: 'wallet/NONCE_INVALID',
      also: [...groups.linkNonceTtl],
      when: (facts) => isFinal(facts) && facts.nonce.isLate,
    },
    {
      row: 'wallet/SIGNATURE_INVALID',
      also: (facts) => [...signing(facts)],
      when: (facts, { call, state }) => {
        if (facts.form !== 'self-custody' && facts.form !== 'operator') return false;
        const { form, shown, agent } = facts;
        const prefix = `${state.settings.dialect.messagePrefix}-link-wallet${form === 'operator' ? '-operator' : ''}`;
        const text = `${prefix}:${String(call.body?.['wallet_nonce'])}:${shown}:${agent.written}`;
        return not(provesWallet({ kind: form, shown, signature: call.body?.['wallet_signature'], text }));
      },
    },
  ],
  open: ({ agent }) =>
    agent.frozen !== false ? 'the text does not say whether a frozen agent may link a wallet' : undefined,
  accepts: (facts) =>
    facts.form === 'challenge'
      ? ['wallet.challenge.body']
      : [
          'wallet.transition.linked',
          'wallet.purpose',
          ...(isFinal(facts) ? [`wallet.${facts.form}.body`] : []),
          ...signing(facts),
        ],
  accepted: ({ agent, form, shown, nonce }, { state, call, judgement }) => {
    const { json } = call;
    if (form === 'challenge') {
      const fresh = at(json, 'nonce');
      const isNew = typeof fresh === 'string' && !state.tickets.holds(fresh);
      judgement.that('nonce', isNew, 'a new nonce', fresh, 'wallet.challenge.reply');
      issueTicket(state, fresh, { kind: 'wallet', of: agent.hash });
      return;
    }
    if (nonce.ticket !== undefined) nonce.ticket.used = true;
    agent.wallet =
      form === 'operator'
        ? { kind: form, isLinked: true, address: shown }
        : {
            kind: 'self-custody',
            isLinked: true,
            address: solanaAddress(shown.toLowerCase()),
            publicKeyHex: shown.toLowerCase(),
          };
    agent.lineageEvents += 1;
    const { address, kind } = agent.wallet;
    const finished = { ok: true, agent_hash: agent.hash, wallet: address, wallet_model: kind, wallet_chain: 'solana' };
    for (const [field, value] of Object.entries(finished)) judgement.equals(field, value, 'wallet.finalize.reply');
  },
};
