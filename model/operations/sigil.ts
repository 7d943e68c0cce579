/** POST /sigil (4.6): its refusals, and the evidence of its reply. */

import { BASE58, OWN_RECORD, principalPattern, sigilNamePattern } from '../../spec/formats.js';
import { addedClasses, classesOf, sigilTiersOf } from '../../spec/parts.js';
import type { Protocol } from '../../spec/protocol.js';
import type { Case, Operation, Refusal } from '../case.js';
import { depositWithSigil } from '../facts/fees.js';
import { beatOf } from '../facts/rules.js';
import type { State } from '../facts/state.js';
import { any } from '../reading/known.js';
import { at } from '../reading/values.js';
import { judgePassport } from '../views/passport.js';
import { judgeDeposit } from './deposit.js';
import { fieldIsBad, fieldsIn } from './metadata.js';
import {
  judgeFee,
  ownSender,
  type Paid,
  paidFacts,
  paymentInvalid,
  paymentRequired,
  paymentUsed,
  walletRequired,
} from './payment.js';

/** D-57: whether a purchase also sets the fields of 2.8. */
const purchaseSetsFields = ({ settings }: State): boolean => settings.dialect.sigilFields !== undefined;

const SIGIL_FIELDS = ['identity_class', 'principal', 'tier'] as const;

type Body = Readonly<Record<string, unknown>>;

/** The text has no bound; a service may refuse longer names. */
const NAME_SURE_MAX = 24;

/** A fault of one field, and the clauses that require its refusal. */
const faulty = (
  isFault: (body: Body, protocol: Protocol) => boolean,
  clauses: (body: Body) => readonly string[],
): Refusal<Paid> => {
  const when = ({ call, state }: Case): boolean => isFault(call.body ?? {}, state.settings.protocol);
  return {
    row: 'sigil/VALIDATION',
    clauses: (_, given) => (when(given) ? clauses(given.call.body ?? {}) : []),
    when: (_, given) => when(given),
  };
};

export const sigil: Operation<Paid> = {
  ids: ['sigil'],
  facts: (given) => {
    const { agent, state, call } = given;
    if (agent === undefined) return undefined;
    const { protocol } = state.settings;
    const identityClass = String(call.body?.['identity_class']);
    // Classes that an overlay adds and unknown words have no clause.
    const isAdded = addedClasses(protocol).some(({ name }) => name === identityClass);
    const isOfText = classesOf(protocol).includes(identityClass) && !isAdded;
    const fee = {
      feeType: 'sigil',
      name: `sigil_${identityClass}`,
      stated: [isOfText ? `fee.sigil.${identityClass.replace('_', '-')}` : 'service.sigil.class'],
    } as const;
    return paidFacts(given, agent, fee, depositWithSigil(state, agent));
  },
  refusals: [
    faulty(
      ({ identity_class }, protocol) => !classesOf(protocol).includes(identity_class as string),
      () => ['sigil.body.identity-class', 'sigil.error.validation'],
    ),
    faulty(
      ({ tier }, protocol) => !sigilTiersOf(protocol).includes(tier as string),
      () => ['sigil.body.tier', 'sigil.error.validation.tier'],
    ),
    faulty(
      ({ principal }, protocol) => typeof principal !== 'string' || !principalPattern(protocol).test(principal),
      () => ['sigil.body.principal', 'sigil.error.validation.parameters'],
    ),
    faulty(
      ({ name = 'auto' }, protocol) =>
        name !== 'auto' && (typeof name !== 'string' || !sigilNamePattern(protocol).test(name)),
      ({ name }) => [
        'name.sigil.custom',
        ...(typeof name === 'string' ? [] : ['sigil.body.name', 'sigil.error.validation.parameters']),
      ],
    ),
    {
      row: 'sigil/VALIDATION',
      clauses: [],
      decided: 'name.sigil.custom',
      when: (_, { call }) => (String(call.body?.['name'] ?? '').length > NAME_SURE_MAX ? undefined : false),
    },
    {
      row: 'sigil/VALIDATION',
      clauses: ['dialect.sigil.fields'],
      when: (_, { call: { body }, state }) =>
        purchaseSetsFields(state) && any(...fieldsIn(body).map((name) => fieldIsBad(name, body, state))),
    },
    {
      row: 'sigil/SIGIL_ALREADY_EXISTS',
      also: ['sigil.transition.again'],
      when: ({ agent }) => agent.sigil !== null,
    },
    walletRequired('sigil', () => false),
    paymentRequired('sigil'),
    {
      row: 'sigil/SIGIL_NAME_TAKEN',
      when: (_, { call, state }) => {
        const { name, principal } = call.body ?? {};
        return name !== undefined && name !== 'auto' && state.sigils.has(`${String(principal)} ${String(name)}`);
      },
    },
    ...paymentInvalid('sigil'),
    ...paymentUsed('sigil'),
    ownSender('sigil'),
  ],
  open: ({ agent }) =>
    agent.frozen !== false || !agent.started
      ? 'the text does not say whether an agent that is not active may buy'
      : undefined,
  accepts: () => [
    'sigil.transition.issued',
    ...['identity-class', 'principal', 'tier', 'name', 'payment-tx'].map((field) => `sigil.body.${field}`),
  ],
  accepted: (facts, given) => {
    const { call, state, judgement } = given;
    const { agent } = facts;
    const { json } = call;
    const body = call.body ?? {};
    for (const field of SIGIL_FIELDS) {
      const word = field.replace('_', '-');
      const more = field === 'identity_class' ? ['service.sigil.class'] : [];
      judgement.equals(`sigil.${field}`, body[field], `sigil.field.${word}`, `sigil.body.${word}`, ...more);
    }
    const [name, text] = [at(json, 'sigil.sigil_name'), at(json, 'sigil.sigil')];
    if (typeof body['name'] === 'string' && body['name'] !== 'auto')
      judgement.equals('sigil.sigil_name', body['name'], 'sigil.body.name', 'sigil.field.sigil-name');
    else {
      const chars = 2 * state.settings.protocol.sigil.autoNameBytes;
      const isAuto = typeof name === 'string' && new RegExp(`^auto-[0-9a-f]{${chars}}$`).test(name);
      judgement.that('sigil.sigil_name', isAuto, `auto- and ${chars} hex characters`, name, 'name.sigil.auto');
      const isNew = !state.sigils.holds(`${String(body['principal'])} ${String(name)}`);
      judgement.that('sigil.sigil_name', isNew, 'a name of its own', name, 'sigil.body.name');
    }
    judgement.equals(
      'sigil.sigil',
      `${String(name)}*${String(body['principal'])}*${String(body['tier'])}`,
      'sigil.field.sigil',
      'service.sigil.identity',
    );
    judgeBirth(given);
    judgement.equals('sigil.issued_at_beat', beatOf(state), 'clock.issued-at-beat');
    const identityClass = String(body['identity_class']);
    judgeFee(given, facts);
    judgeDeposit(given, agent, facts.deposit, 'sigil.error.payment-invalid.amount');
    const tierOfFee = at(json, 'fee.tier');
    judgement.that('fee.tier', tierOfFee === undefined, 'no tier', tierOfFee, 'fee.field.no-tier.sigil');
    agent.sigil = {
      identity_class: identityClass,
      tier: String(body['tier']),
      principal: String(body['principal']),
      sigil_name: name,
      sigil: text,
      issued_at_beat: at(json, 'sigil.issued_at_beat'),
    };
    state.sigils.set(`${String(body['principal'])} ${String(name)}`, {});
    if (purchaseSetsFields(state)) for (const name of fieldsIn(body)) agent.fields[name] = body[name];
    agent.lineageEvents += 1;
    judgePassport(given, agent, 'sigil');
    if (agent.heartbeats === 0)
      judgement.equals('passport.last_heartbeat_beat', 0, 'passport.field.last-heartbeat-beat.zero');
  },
};

/** D-45: judges the memo of a SIGIL on the ledger, or the statement that the service cannot write one. */
function judgeBirth({ call: { json }, judgement }: Case): void {
  const birth = at(json, 'sigil.birth_tx');
  const isThere = typeof birth === 'string' && birth !== '';
  judgement.that('sigil.birth_tx', isThere, 'a transaction', birth, 'service.sigil.on-chain');
  if (!isThere || birth.startsWith(OWN_RECORD)) return;
  judgement.that('sigil.birth_tx', BASE58.test(birth), 'a signature in base58', birth, 'sigil.birth-tx.form');
  const explorer = `https://explorer.solana.com/tx/${birth}?cluster=devnet`;
  judgement.equals('sigil.explorer_url', explorer, 'sigil.explorer-url.form');
}
