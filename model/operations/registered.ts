/** Judges the reply of an accepted registration (2.1), and records the new agent. */

import type { RegistrationMode } from '../../spec/endpoints/register.js';
import type { Case } from '../case.js';
import { type Agent, newAgent, type Wallet } from '../facts/state.js';
import { solanaAddress } from '../reading/signature.js';
import { at, parse } from '../reading/values.js';

import { type Body, boundsOf, metadataIsBad, type Registration } from './registration.js';

/** D-15: judges the payload of an agent key. */
export function judgePayload({ judgement }: Case, key: string, hash: unknown): void {
  const [, encoded] = /^pvn_([^.]+)\./.exec(key) ?? [];
  if (encoded === undefined) return;
  const payload = parse(Buffer.from(encoded, 'base64url').toString());
  const isWhole = at(payload, 'h') === hash && ['k', 'iat'].every((field) => at(payload, field) !== undefined);
  judgement.that('the payload of api_key', isWhole, '{h, k, iat}', 'another form', 'key.agent.payload');
}

/** Judges the agent object in the reply (2.1). */
export function judgeAgentObject({ call, judgement }: Case, { mode, body }: Registration, agent: Agent): void {
  const { json } = call;
  const { metadata } = body;
  const birth = at(json, 'birth_tx');
  const fields = {
    type: agent.parent === null ? 'root' : 'agent',
    parent: agent.parent,
    depth: agent.depth,
    name: agent.name,
    wallet_model: agent.wallet?.kind === 'operator' ? 'operator' : 'self-custody',
    wallet_chain: agent.wallet === null ? null : agent.wallet.kind === 'ethereum' ? 'ethereum' : 'solana',
  };
  const decided = { 'self-custody': 'register.self-custody.reply.fields', child: 'register.child.reply' };
  if (mode === 'child' || mode === 'self-custody') {
    for (const [field, value] of Object.entries(fields)) judgement.equals(field, value, decided[mode]);
    const isOlder = mode === 'self-custody';
    judgement.equals('ok', isOlder ? undefined : true, decided[mode]);
    judgement.that('birth_tx', isOlder === (birth === undefined), 'only in the newer form', birth, decided[mode]);
  }
  const shown = at(json, 'name');
  if (shown !== undefined || mode === 'root')
    judgement.that('name', isOf(String(body['name']), shown), body['name'], shown, 'agent.field.name');
  if (body['name'] === call.body?.['name']) judgement.shown('name', agent.name, 'name.text');
  else if (typeof shown === 'string')
    judgement.that('name', shown.trim() === agent.name, agent.name, shown, 'dialect.name.characters');
  if (mode === 'child') judgement.equals('type', 'agent', 'agent.child.type');
  // 2.1: a registration with a wallet may have the older reply, which lacks some fields.
  const judged = mode === 'root' ? 'equals' : 'shown';
  if (mode !== 'self-custody' && mode !== 'child') judgement[judged]('ok', true, 'agent.field.ok');
  const root = agent.parent === null ? ['lineage.root'] : [];
  judgement[judged]('depth', agent.depth, 'agent.field.depth', ...root);
  judgement[judged]('parent', agent.parent, 'agent.field.parent', ...root);
  if (typeof birth === 'string') {
    const isRecord = /^rec_[0-9a-f]{32}$/.test(birth);
    judgement.that('birth_tx', isRecord, 'rec_ and 32 hex characters', birth, 'agent.birth-tx.form');
  }
  if (metadata === undefined) judgement.shown('metadata', {}, 'agent.metadata.absent');
  else if (agent.metadata?.unfit.length === 0)
    judgement.shown('metadata', metadata, 'agent.field.metadata', 'register.metadata.free');
}

/**
 * 2.1: whether the kept name can come from the name in the request. The text does not give the allowed characters: a server may remove characters
 * and normalize Unicode, but must not add any.
 */
function isOf(given: string, kept: unknown): boolean {
  const letters = [...given.normalize('NFKD')];
  let place = 0;
  const isLeft = (letter: string): boolean => {
    place = letters.indexOf(letter, place) + 1;
    return place > 0;
  };
  return typeof kept === 'string' && [...kept.normalize('NFKD')].every(isLeft);
}

export function adopt(
  given: Case,
  facts: Registration,
  { written, key }: { readonly written: string; readonly key: string },
): Agent {
  const { state, call } = given;
  const { mode, body, parent, authorization } = facts;
  const hash = written.toLowerCase();
  const unfit = mode === 'root' || metadataIsBad(facts, given) !== true ? [] : boundsOf(body['metadata'], state);
  // The service may ignore metadata that the reply does not show, except for roots.
  const isTaken = mode === 'root' || at(call.json, 'metadata') !== undefined;
  const above = mode === 'child' ? (parent ?? state.agents.find(authorization.ticket?.of ?? '')) : undefined;
  if (above !== undefined) above.children += 1;
  state.keys.set(key, { hash });
  // A hash that is issued twice stays with the first agent; otherwise an agent could become its own ancestor.
  const known = state.agents.find(hash);
  if (known !== undefined) return known;
  return state.agents.set(
    hash,
    newAgent(state, {
      hash,
      written,
      name: typeof body['name'] === 'string' ? body['name'].trim() : undefined,
      parent: above,
      metadata: body['metadata'] === undefined ? undefined : { value: body['metadata'], unfit, isTaken },
      wallet: walletOf(mode, body),
    }),
  );
}

function walletOf(mode: RegistrationMode, body: Body): Wallet | null {
  if (mode === 'self-custody') {
    const publicKeyHex = String(body['wallet_public_key']).toLowerCase();
    return { kind: mode, address: solanaAddress(publicKeyHex), publicKeyHex };
  }
  if (mode === 'operator') return { kind: mode, address: String(body['operator_wallet_address']) };
  return mode === 'ethereum' ? { kind: mode, address: String(body['wallet_address']).toLowerCase() } : null;
}
