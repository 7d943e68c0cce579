/**
 * Checks of the facts of a dialect that the registry shows (D-57): names, children, lookups and the calls of published clients.
 * They run only where the dialect has the fact.
 */

import { createHash } from 'node:crypto';
import { is } from '../../model/reading/compare.js';
import { isTrue } from '../../model/reading/field-tests.js';
import { at } from '../../model/reading/values.js';
import { keptName } from '../../spec/dialect-settings.js';
import type { Reply } from '../assertions/reply.js';
import { lookup } from '../moves/lookup.js';
import { register } from '../moves/register.js';
import { spawn } from '../moves/spawn.js';
import { proveWork } from '../moves/work-proof.js';
import { proofOf } from '../protocol/beats.js';
import { latestAnchor } from '../steps/beat-clock.js';
import { buy, purchase } from '../steps/paid.js';

import { costsOf, registerChild } from '../steps/spawn-call.js';
import { ownChain, type Receipt, receiptIn, receiptOf } from '../steps/work.js';
import type { WrittenCheck } from '../trial/check.js';
import { type Agent, authorityKeyHex, type WalletAgent } from '../trial/fixtures.js';
import type { Trial } from '../trial/trial.js';

const LAMPORTS_PER_SOL = 1_000_000_000;

const tiers: WrittenCheck = {
  id: 'dialect/heartbeat-tiers',
  title: 'The fees summary shows heartbeat tiers as from and to',
  async run(t) {
    const { heartbeat: beat } = t.protocol;
    const reported = t.mustSucceed(await t.call('fees-summary'));
    const expected = [
      { from: 1, to: beat.tier1HeartbeatsMax, lamports: beat.tier1FeeLamports },
      { from: beat.tier1HeartbeatsMax + 1, to: beat.tier2HeartbeatsMax, lamports: beat.tier2FeeLamports },
      { from: beat.tier2HeartbeatsMax + 1, to: null, lamports: beat.tier3FeeLamports },
    ];
    for (const [place, tier] of expected.entries()) {
      for (const [field, value] of Object.entries({ ...tier, sol: tier.lamports / LAMPORTS_PER_SOL })) {
        const path = `schedule.heartbeat_tiers.${place}.${field}`;
        t.shows('dialect.fees-summary.heartbeat-tiers').field(reported, path, is(value));
      }
    }
  },
};

const keyPath: WrittenCheck = {
  id: 'dialect/authority-key-path',
  title: 'The authority key is also served at the path of the dialect',
  async run(t) {
    const { authorityKeyPath: path = '/' } = t.facts.dialect;
    const reported = await t.raw({ method: 'GET', path, service: 'registry' });
    const keyHex = await authorityKeyHex(t);
    t.shows('dialect.authority-key.path').field(reported, 'authority_public_key', keyHex);
  },
};

const credential: WrittenCheck = {
  id: 'dialect/credential',
  title: 'A credential has the issuer and the subject of the dialect',
  needs: ['payments'],
  async run(t) {
    const agent = await t.walletRoot({ sigil: 'narrow_task' });
    const reported = t.mustSucceed(await t.call('passport', { key: agent.key }));
    const { issuer, subjectPrefix } = t.facts.dialect.credential ?? { issuer: '', subjectPrefix: '' };
    // An issuer is a URI, or an object that has one as its id.
    const named = reported.get('passport_vc.issuer.id') ?? reported.get('passport_vc.issuer');
    t.shows('dialect.credential.parties').that('passport_vc.issuer', named === issuer, issuer, named, reported);
    t.shows('dialect.credential.parties').field(
      reported,
      'passport_vc.credentialSubject.id',
      subjectPrefix + agent.hash,
    );
  },
};

const sigilFields: WrittenCheck = {
  id: 'dialect/sigil-fields',
  title: 'A SIGIL purchase sets mutable fields',
  needs: ['payments'],
  async run(t) {
    const fields = { substrate: 'frontier', capability: 'executor', tools: ['grep'] };
    const agent = await t.walletRoot({ init: true });
    t.mustSucceed(await buy(t, agent, { ...purchase(t), ...fields }));
    const found = t.mustSucceed(await t.send(lookup('verify', agent.hash)));
    t.need(found.get('sigil.sigil'), `sigil of ${found.name}`, 'D-20');
    for (const [field, value] of Object.entries(fields)) {
      t.shows('dialect.sigil.fields').field(found, `sigil.${field}`, is(value));
    }
  },
};

const names: WrittenCheck = {
  id: 'dialect/name-characters',
  title: 'The signed message contains the name without the characters that the dialect removes',
  async run(t) {
    const clause = 'dialect.name.characters';
    const sent = 'Zoë <script> O’Brien_1-a.b';
    const kept = keptName(t.facts.dialect, sent);
    const plain = t.accepted(await t.send(register(t.target, { name: sent })), clause);
    t.shows(clause).field(plain, 'name', is(kept));
    const wallet = t.wallet();
    const challenge = t.mustSucceed(await t.send(register(t.target, { name: sent, action: 'challenge' })));
    const signed = (name: string): object => {
      const prefix = t.facts.dialect.messagePrefix;
      const wallet_nonce = challenge.string('nonce');
      const message = `${prefix}-register:${wallet_nonce}:${wallet.publicKeyHex}:${name}`;
      const wallet_public_key = wallet.publicKeyHex;
      return { name: sent, wallet_public_key, wallet_nonce, wallet_signature: wallet.sign(message) };
    };
    t.refused(await t.send(register(t.target, signed(sent))), '4xx', clause);
    t.shows(clause).field(t.accepted(await t.send(register(t.target, signed(kept))), clause), 'name', is(kept));
  },
};

const SHOWN_BEATS = 3;

/** A receipt for `beats` beats. If a server checks only the shown beats of a work proof, three are computed and the others only claimed. */
async function workReceipt(t: Trial, beats: number): Promise<Receipt> {
  if (t.facts.dialect.workProofChecks !== 'shown-beats') return receiptOf(t, beats);
  const proof = { ...proofOf(await ownChain(t, SHOWN_BEATS)), beats_computed: beats };
  // From a new address, since each may send ten proofs a minute.
  const reply = await t.send(proveWork(proof), { address: t.newAddress() });
  return t.need(receiptIn(reply), `a receipt of ${reply.name} (it answered ${reply.excerpt()})`);
}

/** Makes a child of an agent with a receipt for `beats` beats, one spawn call and one registration. */
async function spawnChild(
  t: Trial,
  parent: Pick<Agent, 'key' | 'hash'>,
  beats: number,
): Promise<Pick<Agent, 'key' | 'hash'>> {
  const name = t.word();
  const receipt = await workReceipt(t, beats);
  const granted = t.mustSucceed(await t.send(spawn(parent, { child_name: name, beats_receipt: receipt })));
  const spawn_authorization = granted.string('spawn_authorization');
  const born = t.mustSucceed(await registerChild(t, parent.key, { name, parent: parent.hash, spawn_authorization }));
  return { hash: born.string('hash'), key: born.string('api_key') };
}

/** Enough beats for a child at a depth, with any number of siblings in these checks and any rounding of its cost. */
const enough = (t: Trial, depth: number): number => Math.max(...costsOf(t, depth, 4)) + 1;

const depth: WrittenCheck = {
  id: 'dialect/agent-depth',
  title: 'A child of an agent at depth 9 is accepted, of one at depth 10 refused',
  needs: ['beats', 'client-ip'],
  async run(t) {
    const clause = 'dialect.agent.depth';
    const { depthMax } = t.protocol.agent;
    let agent: Pick<Agent, 'key' | 'hash'> = await t.root();
    for (let above = 0; above < (depthMax ?? 0); above += 1) agent = await spawnChild(t, agent, enough(t, above));
    const found = t.accepted(await t.send(lookup('status', agent.hash)), clause);
    t.shows(clause).field(found, 'depth', depthMax, 'D-19');
    const beats_receipt = await workReceipt(t, enough(t, depthMax ?? 0));
    t.refused(await t.send(spawn(agent, { child_name: t.word(), beats_receipt })), '4xx', clause);
  },
};

/** Generations in which each parent has three children. The next child costs exactly 1,728, 2,592, 3,888 and 5,832 beats. */
const GENERATIONS = 4;
const SIBLINGS = 3;

const cost: WrittenCheck = {
  id: 'dialect/spawn-cost',
  title: 'A fourth child costs 1,727 beats at depth 0, then 2,591, 3,887 and 5,831',
  needs: ['beats', 'client-ip'],
  async run(t) {
    let parent: Pick<Agent, 'key' | 'hash'> = await t.root();
    for (let generation = 0; generation < GENERATIONS; generation += 1) {
      const children: Pick<Agent, 'key' | 'hash'>[] = [];
      while (children.length < SIBLINGS) children.push(await spawnChild(t, parent, enough(t, generation)));
      const probe = await t.send(spawn(parent, { child_name: t.word() }));
      const rounded = costsOf(t, generation, SIBLINGS).at(-1);
      t.shows('dialect.spawn.cost').field(probe, 'required_beats', rounded);
      parent = children[0] ?? parent;
    }
  },
};

const sha = (text: string): string => `0x${createHash('sha256').update(text).digest('hex')}`;

/** The hash of the lineage chain of an agent with events of these kinds, all at one beat. */
function chainHash(agent: string, beat: number, kinds: readonly string[]): string {
  const hashes: string[] = [];
  for (const kind of kinds) hashes.push(sha(`${agent}:${kind}:${beat}:${hashes.at(-1) ?? `0x${'0'.repeat(64)}`}`));
  return sha(hashes.join(':'));
}

const lineage: WrittenCheck = {
  id: 'dialect/lineage-chain',
  title: 'The lineage chain is a hash over hashes of events',
  needs: ['clock', 'payments'],
  async run(t) {
    const { index } = await latestAnchor(t);
    const events: readonly (readonly [agent: Agent | WalletAgent, kinds: readonly string[]])[] = [
      [await t.root(), ['registered']],
      [await t.walletRoot({ sigil: 'narrow_task' }), ['registered', 'wallet_linked', 'sigil']],
    ];
    for (const [{ hash }, kinds] of events) {
      const reported = t.mustSucceed(await t.send(lookup('beat-status', hash)));
      const path = 'heartbeat_epoch.lineage_chain_hash';
      t.shows('dialect.lineage.chain').field(reported, path, chainHash(hash, index, kinds), 'D-21');
    }
  },
};

const clientCalls: WrittenCheck = {
  id: 'dialect/client-calls',
  title: 'The calls that published clients make beyond the specification are served',
  async run(t) {
    const clause = 'dialect.client-calls';
    const { hash, key } = await t.root({ init: true });
    const call = (method: string, path: string, body?: object): Promise<Reply> =>
      t.raw({ method, path: `/api/v1${path}`, service: 'registry', key, ...(body && { body }) });
    for (const reported of [await call('GET', '/skill/bootstrap'), await call('POST', '/skill/bootstrap', {})]) {
      t.accepted(reported, clause);
      t.shows(clause).field(reported, 'ok', isTrue);
      t.shows(clause).field(reported, 'hash', hash);
    }
    const line = await call('GET', `/agent/lineage/${hash}`);
    t.accepted(line, clause);
    const youngest = at(line.json, 'lineage.0.hash');
    t.shows(clause).that('lineage.0.hash', youngest === hash, 'the agent itself', youngest, line);
    // These two succeed only with a sponsored child and a partner, so their refusals show that they exist.
    for (const path of ['/agent/heartbeat/batch', '/sigil/check']) {
      t.refused(await call('POST', path, {}), 400, clause);
    }
  },
};

export const dialectRegistryChecks: readonly WrittenCheck[] = [
  tiers,
  keyPath,
  credential,
  sigilFields,
  names,
  depth,
  cost,
  lineage,
  clientCalls,
];
