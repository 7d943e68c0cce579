/**
 * Judges an agent in lookups (4.1, 4.14). The text does not give the form of these replies, so only shown fields are judged: facts of the text by its
 * clauses, the rest by decisions D-19 to D-21.
 */

import { groups } from '../../spec/clauses/groups.js';
import type { Case } from '../case.js';
import { clauseOf } from '../evidence.js';
import { firstGeneration, isDegraded, isSustained, noteFreeze } from '../facts/rules.js';
import type { Agent, State } from '../facts/state.js';
import { identical, sameMeaning, show } from '../reading/compare.js';
import { at } from '../reading/values.js';

/** 3.1: the status must not contradict the state of the agent. Other words than active and frozen are from D-19. */
export function judgeStatusWord(
  { state, call, judgement }: Case,
  path: string,
  agent: Agent,
  clause: string,
  words: readonly string[],
): void {
  const word = at(call.json, path);
  if (typeof word !== 'string') return;
  if (word === 'frozen' && agent.frozen === undefined) noteFreeze(state, agent);
  const { frozen } = agent;
  const isWrong = (agent.started && frozen === true && word === 'active') || (frozen === false && word === 'frozen');
  const isRight = frozen === undefined ? undefined : !isWrong;
  judgement.that(path, isRight, frozen ? 'frozen' : 'active', word, ...groups.freeze, clause);
  // Other words are from D-19, so they break no clause of the text.
  const isOfText = word === 'active' || word === 'frozen' || undefined;
  if (agent.started) judgement.that(path, isOfText, '', '', 'agent.status.values');
  const isUnstarted = !agent.started && path.endsWith('standing');
  if (words.length === 0 && !isUnstarted) return;
  const { warningAnchors } = state.settings.protocol.dms;
  const behind =
    state.anchor === undefined || agent.syncAnchor === undefined ? undefined : state.anchor - agent.syncAnchor;
  const expected = isSustained(state, agent.hash)
    ? 'refused'
    : frozen === true
      ? 'frozen'
      : !agent.started
        ? 'registered'
        : behind === undefined || frozen === undefined
          ? undefined
          : behind > warningAnchors
            ? 'warning'
            : 'active';
  const both = expected === 'refused' && frozen === true ? ['agent.standing.refused', 'agent.standing.values'] : [];
  judgement.equals(path, expected, ...words, ...both, ...(isUnstarted ? ['agent.unstarted.standing'] : []));
}

/** 2.2: a lookup shows the metadata of the registration as it was sent. */
function judgeMetadata({ call, judgement }: Case, path: string, agent: Agent, lookup: 'status' | 'verify'): void {
  const { metadata, shown } = agent;
  if (metadata === undefined) {
    judgement.shown(path, null, 'agent.metadata.absent.lookup');
    return;
  }
  const returned = `register.metadata.returned.${lookup}`;
  const inBatch = path.startsWith('results.');
  const found = at(call.json, path) ?? (inBatch ? undefined : namedIn(call.json, 'metadata'));
  if (found === undefined && inBatch) {
    judgement.leave('the text does not list the fields of agent', returned);
    return;
  }
  const isSame = sameMeaning(found, metadata.value);
  if (metadata.unfit.length > 0) {
    judgement.that('invalid metadata', !isSame, 'not kept', found, ...metadata.unfit);
    return;
  }
  if (!metadata.isTaken) return;
  const what = inBatch ? 'results.n.agent.metadata' : 'metadata';
  judgement.that(what, found !== undefined && (isSame || returned in shown), metadata.value, found, returned);
  if (found === undefined) return;
  const free = returned in shown ? [] : ['register.metadata.free'];
  judgement.that(what, isSame, metadata.value, found, 'register.metadata.set-once', ...free);
  if (isSame) shown[returned] = true;
}

/** The first value with a name, at any depth. */
function namedIn(json: unknown, name: string): unknown {
  if (typeof json !== 'object' || json === null) return undefined;
  if (Object.hasOwn(json, name)) return at(json, name);
  for (const inner of Object.values(json)) {
    const found = namedIn(inner, name);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** 2.7 and 2.8: a SIGIL does not change after its purchase, and mutable fields keep their last set values. */
function judgeSigil({ state, call, judgement }: Case, path: string, agent: Agent, found: string): void {
  const { sigil, fields, generation } = agent;
  const shown = at(call.json, path);
  if (shown === undefined) return;
  if (sigil === null) {
    const none = shown === null || at(shown, 'sigil') === undefined || at(shown, 'sigil') === null;
    judgement.that(path, none, 'no SIGIL', shown, 'verify.reply.sigil');
    return;
  }
  if (typeof shown !== 'object' || shown === null) {
    judgement.that(path, typeof shown === 'string' ? undefined : false, 'a SIGIL', shown, 'sigil.immutable', found);
    return;
  }
  for (const name of ['sigil', 'sigil_name', 'principal', 'tier', 'identity_class', 'issued_at_beat'] as const) {
    judgement.shown(`${path}.${name}`, sigil[name], 'sigil.immutable', 'verify.reply.sigil');
  }
  const counter = generation === undefined ? 'metadata.generation.start' : 'verify.reply.sigil';
  judgement.shown(`${path}.generation`, generation ?? firstGeneration(state, agent), counter);
  for (const [name, value] of Object.entries(fields)) judgeField({ call, judgement }, `${path}.${name}`, agent, value);
}

/** 2.8: a field of a SIGIL has its last set value. D-20: a reply with the generation shows every set field. */
function judgeField(
  { call, judgement }: Pick<Case, 'call' | 'judgement'>,
  path: string,
  { shown }: Agent,
  value: unknown,
): void {
  const name = path.replace(/^.*\./, '');
  const kept = at(call.json, path);
  const own =
    name === 'generation_trigger' ? 'metadata.field.generation-trigger.reason' : clauseOf('metadata.field', name);
  const clauses = [own, 'metadata.only-way'];
  if (kept === undefined && at(call.json, path.replace(name, 'generation')) === undefined) {
    judgement.leave(`${path} is not shown`, ...clauses);
    return;
  }
  judgement.that(path, kept !== undefined, value, kept, 'verify.reply.sigil');
  const ok = identical(kept, value);
  // A value that was right before has changed since; otherwise it was set wrongly.
  const wrong = kept === undefined || identical(shown[name], value) ? clauses.slice(1) : [own];
  judgement.that(path, ok, value, kept, ...(ok ? clauses : wrong));
  if (ok) shown[name] = value;
}

/** D-19: judges the states of the chain and of the agent. */
function judgeBeatState(given: Case, path: string, agent: Agent): void {
  const { call, judgement, state } = given;
  if (!agent.started) judgement.shown(path, null, 'agent.unstarted.beat-state');
  if (!agent.started || typeof at(call.json, path) !== 'object' || at(call.json, path) === null) return;
  const clause = 'status.reply.beat-state';
  judgement.shown(`${path}.latest_beat`, agent.chain.beat, clause);
  judgement.shown(`${path}.total_heartbeats`, agent.heartbeats, clause);
  const isIndex = agent.revived !== undefined && typeof at(call.json, `${path}.last_global_sync`) === 'number';
  const sync = isIndex ? ['resync.transition.last-global-sync'] : [];
  judgement.shown(`${path}.last_global_sync`, agent.syncAnchor, clause, ...sync);
  judgement.shown(`${path}.difficulty`, state.settings.protocol.beat.difficulty, clause);
  judgement.shown(`${path}.lifetime_beats`, agent.totalBeats, clause);
  judgeStatusWord(given, `${path}.status`, agent, 'agent.beat-state.status', []);
}

/** Judges the reply of GET /status/:hash (D-19). */
export function judgeStatus(given: Case, agent: Agent): void {
  const { call, judgement } = given;
  const { json } = call;
  judgeStatusWord(given, 'status', agent, 'status.purpose', [
    'status.reply.status',
    'status.reply.status.warning',
    'status.reply.status.refused',
  ]);
  judgement.shown('exists', true, 'status.reply');
  const unstarted = agent.started ? [] : ['init.independent'];
  judgement.shown('hash', agent.hash, 'status.purpose', ...unstarted);
  judgement.shown('name', agent.name, 'status.reply');
  judgement.shown('depth', agent.depth, 'status.reply', ...placeOf(agent));
  judgeMetadata(given, 'metadata', agent, 'status');
  if (agent.sigil !== null) {
    const { identity_class, tier, principal, sigil, issued_at_beat } = agent.sigil;
    for (const [name, value] of Object.entries({ identity_class, tier, principal }))
      judgement.shown(name, value, 'sigil.immutable', 'status.reply');
    if (typeof at(json, 'sigil') === 'string') judgement.equals('sigil', sigil, 'sigil.immutable', 'status.reply');
    if (typeof at(json, 'sigil_issued_at') === 'number')
      judgement.equals('sigil_issued_at', issued_at_beat, 'sigil.immutable');
  }
  judgeWallet(given, agent);
  judgeBeatState(given, 'beat_state', agent);
}

/** The clauses about an agent's place in its lineage. The shown depth of a root is a decision. */
const placeOf = ({ parent }: Agent): readonly string[] =>
  parent === null ? [] : ['lineage.place', 'register.child.lineage'];

/** The wallet of an agent must be shown, in any form. */
function judgeWallet({ call: { json }, judgement }: Case, { wallet, parent }: Agent): void {
  if (wallet === null) {
    const own = parent === null ? 'register.no-wallet.identity-only' : 'register.child.no-wallet';
    judgement.shown('wallet', null, 'wallet.state.none', own);
    judgement.shown('wallet_model', 'self-custody', 'agent.wallet-model.none');
    return;
  }
  const shown = at(json, 'wallet');
  const linked = wallet.isLinked ? ['wallet.transition.linked', 'wallet.purpose'] : [];
  const clauses = wallet.isLinked ? linked : [`register.${wallet.kind}.finalize`];
  if (shown === undefined) judgement.leave('wallet is not shown', ...clauses);
  else {
    const isOwn = [wallet.address, wallet.publicKeyHex ?? wallet.address].some((text) =>
      show(shown).toLowerCase().includes(text.toLowerCase()),
    );
    judgement.that('wallet', isOwn, wallet.address, shown, ...clauses);
  }
  if (wallet.kind === 'operator')
    judgement.shown('wallet_model', 'operator', 'agent.field.wallet-model.operator', ...linked.slice(0, 1));
  const chain = wallet.kind === 'ethereum' ? 'ethereum' : 'solana';
  judgement.shown('wallet_chain', chain, 'agent.field.wallet-chain', ...linked.slice(0, 1));
}

/** An agent, followed by its ancestors. */
function lineOf(state: State, agent: Agent): readonly Agent[] {
  const above = agent.parent === null ? undefined : state.agents.get(agent.parent);
  return above === undefined ? [agent] : [agent, ...lineOf(state, above)];
}

/** Judges the reply of GET /verify/:hash (D-20), or one result of POST /verify/batch (4.14) at the path `prefix`. */
export function judgeVerified(given: Case, prefix: string, agent: Agent): void {
  const { state, judgement } = given;
  const field = (name: string): string => `${prefix}${name}`;
  const inBatch = prefix !== '';
  const found = inBatch ? 'verify-batch.reply.found' : 'verify.purpose';
  judgement.shown(field('verified'), true, found);
  judgeStatusWord(
    given,
    field('standing'),
    agent,
    found,
    inBatch ? [] : ['status.reply.status', 'agent.standing.values'],
  );
  for (const [name, value] of Object.entries({
    hash: agent.hash,
    name: agent.name,
    depth: agent.depth,
    parent: agent.parent,
  })) {
    judgement.shown(
      field(`agent.${name}`),
      value,
      ...(name === 'hash' || name === 'parent' ? [found] : []),
      'verify.reply.agent',
      ...(name === 'parent' || name === 'depth' ? placeOf(agent) : []),
    );
  }
  judgeMetadata(given, field('agent.metadata'), agent, 'verify');
  judgeSigil(given, field('sigil'), agent, found);
  if (!inBatch) judgement.shown('passport', null, 'verify.reply.passport');
  judgeBeatState(given, field('beat_state'), agent);
  judgement.shown(
    field('network.current_anchor_index'),
    state.anchor,
    inBatch ? 'verify-batch.reply.network' : 'verify.reply',
  );
  judgement.shown(field('network.anchor_degraded'), isDegraded(state), 'verify.reply.anchor-degraded');
  judgeLineage(given, prefix, agent, found);
}

/** 4.1 and 4.14: judges the lineage and the root of an agent. */
function judgeLineage({ state, call, judgement }: Case, prefix: string, agent: Agent, found: string): void {
  const { json } = call;
  const line = lineOf(state, agent);
  const root = at(json, `${prefix}root`);
  const rootHash = typeof root === 'string' ? `${prefix}root` : `${prefix}root.hash`;
  judgement.shown(rootHash, line.at(-1)?.hash, found, ...placeOf(agent));
  const lineage = at(json, `${prefix}lineage`);
  if (!Array.isArray(lineage) || at(lineage, '0.hash') === undefined) return;
  const hashes = lineage.map((each) => String(at(each, 'hash')).toLowerCase());
  const own = line.map(({ hash }) => hash);
  // The text gives neither the direction of a lineage, nor whether it includes the agent.
  const forms = [own, own.slice(1), own.toReversed(), own.slice(1).toReversed()];
  const isOne = forms.some((form) => form.join() === hashes.join());
  judgement.that(`${prefix.replace(/\d+/, 'n')}lineage`, isOne, own, hashes, found);
  judgement.that('lineage', hashes.join() === own.join(), own, hashes, 'verify.reply.lineage');
}
