/**
 * Checks of the passport and the credential that a registration and a heartbeat return. Reissuing one is in
 * reissue-proof.ts.
 */

import { instantMs, isHex } from '../../model/reading/field-tests.js';
import type { Protocol } from '../../spec/protocol.js';
import { judgeLimit } from '../steps/limit.js';
import { buy, passportIs, purchase } from '../steps/paid.js';
import { signatureIs } from '../steps/passport.js';
import { windowOf } from '../steps/waits.js';
import type { Check } from '../trial/check.js';
import { authorityKeyHex } from '../trial/fixtures.js';

const base = { needs: ['payments'], registers: 0, walletRegisters: 2, writes: true } as const;
const spent = ({ sigil }: Protocol): number => sigil.narrowTaskFeeLamports;

const reply: Check = {
  ...base,
  id: 'passport/reply',
  title: 'An agent fetches its signed passport free of charge',
  clauses: [
    'passport.route',
    'passport.purpose',
    'passport.reply',
    'passport.free',
    'passport.signed',
    'passport.bytes',
    'dialect.passport-signature-field',
  ],
  requests: 8,
  lamports: spent,
  async run(t) {
    const agent = await t.walletRoot({ init: true });
    const bought = t.accepted(await buy(t, agent, purchase(t)));
    const reply = t.accepted(await t.call('passport', { key: agent.key }), 'passport.purpose', 'passport.free');
    // The shape of the reply is not shown: without a passport where D-12 has it nothing of it can be read.
    t.need(reply.get('passport.agent_hash'), `passport of ${reply.name}`, 'D-12');
    passportIs(t, reply, agent, 'narrow_task');
    // 4.1: it is a signed passport, and 2.6 says where the signature of one is.
    t.shows('passport.purpose').fieldIs(reply, `passport.${t.facts.dialect.passportSignatureField}`, isHex(64));
    const keyHex = await t.setup('the authority key', () => authorityKeyHex(t));
    t.shows('passport.reply').field(reply, 'authority_public_key_hex', keyHex);
    await signatureIs(t, reply, bought);
  },
};

const credential: Check = {
  ...base,
  id: 'passport/credential',
  title: 'The credential envelope holds the fields of the passport',
  clauses: ['passport.reply.passport-vc', 'dialect.credential-names'],
  requests: 8,
  lamports: spent,
  async run(t) {
    const agent = await t.walletRoot({ sigil: 'narrow_task' });
    const reply = t.accepted(await t.call('passport', { key: agent.key }));
    const envelope = t.shows('passport.reply.passport-vc');
    for (const field of [
      'agent_hash',
      'agent_public_key',
      'identity_class',
      'last_heartbeat_beat',
      'lineage_chain_hash',
    ]) {
      envelope.field(reply, `passport_vc.credentialSubject.${field}`, reply.get(`passport.${field}`));
    }
    const expires = instantMs(reply.get('passport_vc.expirationDate'));
    envelope.equal('passport_vc.expirationDate', expires, reply.get('passport.valid_until'));
    const names = t.shows('dialect.credential-names');
    names.field(reply, 'passport_vc.type.1', t.facts.dialect.credentialType);
    names.field(reply, 'passport_vc.proof.cryptosuite', t.facts.dialect.cryptosuite);
  },
};

const sigilRequired: Check = {
  ...base,
  id: 'passport/sigil-required',
  title: 'A root without a SIGIL has no passport',
  clauses: ['passport.error.sigil-required'],
  requests: 8,
  lamports: spent,
  refusal: true,
  async run(t) {
    const agent = await t.walletRoot({ init: true });
    const reply = await t.call('passport', { key: agent.key });
    t.refused(reply, 'passport/SIGIL_REQUIRED', 'passport.error.sigil-required');
    await t.setup('a SIGIL', async () => void t.accepted(await buy(t, agent, purchase(t))));
    t.accepted(await t.call('passport', { key: agent.key }));
  },
};

const limit: Check = {
  ...base,
  id: 'passport/limit',
  title: 'An agent fetches its passport 10 times an hour',
  clauses: ['limit.passport', 'limit.window', 'limit.retry-after'],
  needs: ['clock'],
  registers: 2,
  walletRegisters: 0,
  requests: 18,
  refusal: true,
  waits: windowOf('passport'),
  async run(t) {
    const [agent, other] = [await t.root(), await t.root()];
    const send = (key: string) => t.call('passport', { key, mayLimit: true });
    await judgeLimit(t, {
      limit: 'passport',
      clause: 'limit.passport',
      send: () => send(agent.key),
      other: () => send(other.key),
    });
  },
};

export const passportChecks: readonly Check[] = [reply, credential, sigilRequired, limit];
