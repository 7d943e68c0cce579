/** POST /sigil (4.6): its refusals, and the evidence of its reply. */

import { principalPattern, sigilNamePattern } from '../../spec/formats.js';
import { addedClasses, classesOf, sigilTiersOf } from '../../spec/parts.js';
import { any } from '../evidence.js';
import { at } from '../reading/values.js';
import { beatOf, feeOf } from '../rules.js';
import type { Operation } from '../settle.js';
import type { State } from '../state.js';
import { judgePassport } from '../views/passport.js';
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

/** D-57: whether a purchase sets the fields of 2.8 too. */
const takesFields = ({ settings }: State): boolean => settings.dialect.sigilFields !== undefined;

const SIGIL_FIELDS = ['identity_class', 'principal', 'tier'] as const;

export const sigil: Operation<Paid> = {
  ids: ['sigil'],
  facts: (given) => {
    const { agent, state, call } = given;
    if (agent === undefined) return undefined;
    return paidFacts(
      given,
      agent,
      'sigil',
      feeOf(state, agent, 'sigil', `sigil_${String(call.body?.['identity_class'])}`),
    );
  },
  refusals: [
    {
      row: 'sigil/VALIDATION',
      clauses: ['sigil.body.identity-class', 'sigil.error.validation'],
      when: (_, { call, state }) =>
        !classesOf(state.settings.protocol).includes(call.body?.['identity_class'] as string),
    },
    {
      row: 'sigil/VALIDATION',
      clauses: ['sigil.body.tier', 'sigil.error.validation.tier'],
      when: (_, { call, state }) => !sigilTiersOf(state.settings.protocol).includes(call.body?.['tier'] as string),
    },
    {
      row: 'sigil/VALIDATION',
      clauses: ['sigil.body.principal', 'sigil.error.validation.parameters'],
      when: (_, { call, state }) => {
        const principal = call.body?.['principal'];
        return typeof principal !== 'string' || !principalPattern(state.settings.protocol).test(principal);
      },
    },
    {
      row: 'sigil/VALIDATION',
      clauses: ['name.sigil.custom'],
      when: (_, { call, state }) => {
        const name = call.body?.['name'];
        if (name === undefined || name === 'auto') return false;
        return typeof name !== 'string' || !sigilNamePattern(state.settings.protocol).test(name);
      },
    },
    {
      row: 'sigil/VALIDATION',
      clauses: ['dialect.sigil.fields'],
      when: (_, { call: { body }, state }) =>
        takesFields(state) && any(...fieldsIn(body).map((name) => fieldIsBad(name, body, state))),
    },
    {
      row: 'sigil/SIGIL_ALREADY_EXISTS',
      clauses: ['sigil.transition.again', 'sigil.error.sigil-already-exists'],
      when: ({ agent }) => agent.sigil !== null,
    },
    walletRequired('sigil', () => false),
    paymentRequired('sigil'),
    {
      row: 'sigil/SIGIL_NAME_TAKEN',
      clauses: ['sigil.error.sigil-name-taken'],
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
    agent.frozen !== false || !agent.started ? 'whether an agent that is not active may buy is open' : undefined,
  accepts: () => ['sigil.transition.issued'],
  accepted: (facts, given) => {
    const { call, state, judgement } = given;
    const { agent } = facts;
    const { json } = call;
    const body = call.body ?? {};
    judgement.equals(json, 'ok', true, 'sigil.reply');
    for (const field of SIGIL_FIELDS) {
      judgement.equals(json, `sigil.${field}`, body[field], `sigil.field.${field.replace('_', '-')}`);
    }
    const [name, text] = [at(json, 'sigil.sigil_name'), at(json, 'sigil.sigil')];
    if (typeof body['name'] === 'string' && body['name'] !== 'auto')
      judgement.equals(json, 'sigil.sigil_name', body['name'], 'sigil.body.name');
    judgement.equals(
      json,
      'sigil.sigil',
      `${String(name)}*${String(body['principal'])}*${String(body['tier'])}`,
      'sigil.field.sigil',
    );
    judgement.equals(json, 'sigil.issued_at_beat', beatOf(state), 'clock.issued-at-beat');
    const identityClass = String(body['identity_class']);
    // Neither a class that a change of the specification adds nor any other word has a clause of its own.
    const { protocol } = state.settings;
    const isAdded = addedClasses(protocol).some(({ name: added }) => added === identityClass);
    const hasClause = classesOf(protocol).includes(identityClass) && !isAdded;
    judgeFee(given, facts, hasClause ? [`fee.sigil.${identityClass.replace('_', '-')}`] : []);
    judgement.that(
      'fee.tier',
      at(json, 'fee.tier') === undefined,
      'no tier',
      at(json, 'fee.tier'),
      'fee.field.no-tier.sigil',
    );
    agent.sigil = {
      identity_class: identityClass,
      tier: String(body['tier']),
      principal: String(body['principal']),
      sigil_name: name,
      sigil: text,
      issued_at_beat: at(json, 'sigil.issued_at_beat'),
    };
    state.sigils.set(`${String(body['principal'])} ${String(name)}`, {});
    if (takesFields(state)) for (const name of fieldsIn(body)) agent.fields[name] = body[name];
    agent.lineageEvents += 1;
    judgePassport(given, agent, 'sigil');
    if (agent.heartbeats === 0)
      judgement.equals(json, 'passport.last_heartbeat_beat', 0, 'passport.field.last-heartbeat-beat.zero');
  },
};
