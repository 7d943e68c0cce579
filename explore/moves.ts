/**
 * The moves of a small world. Each calls a shipped rule, and says by which actions of random sequences a script plays it on a server. A
 * move of an agent whose key is revoked is refused by the shipped check of keys.
 */

import { latestHash } from '../reference/registry/beat-status.js';
import { beatsSubmit } from '../reference/registry/beats-submit.js';
import type { Flag } from '../reference/registry/columns/records.js';
import { flatFeeLamports } from '../reference/registry/fee-resolution.js';
import { billingEpoch, heartbeatTier, sigilFeeLamports } from '../reference/registry/fees.js';
import { type FlagOutcome, flag, reviewFlag } from '../reference/registry/flag.js';
import { heartbeat, heartbeatsInEpoch } from '../reference/registry/heartbeat.js';
import { init } from '../reference/registry/init.js';
import { authenticate, revokeKey } from '../reference/registry/keys.js';
import { setMetadata } from '../reference/registry/metadata.js';
import { passport } from '../reference/registry/passport.js';
import type { NamedPayment } from '../reference/registry/payment.js';
import type { Refusal } from '../reference/registry/refusal.js';
import { linkWallet, registerRoot } from '../reference/registry/register.js';
import { registerChild } from '../reference/registry/register-child.js';
import { reissueProof } from '../reference/registry/reissue-proof.js';
import { penaltyBeats, resync } from '../reference/registry/resync.js';
import { resyncChallenge, resyncProve } from '../reference/registry/resync-challenge.js';
import { sigil } from '../reference/registry/sigil.js';
import { spawn } from '../reference/registry/spawn.js';
import { spawnCostBeats } from '../reference/registry/spawn-cost.js';
import { sponsor, unsponsor } from '../reference/registry/sponsor.js';
import { currentBeat, missedAnchors } from '../reference/registry/state.js';
import { finalizeWallet, refuseLinked } from '../reference/registry/wallet.js';
import type { BeatProof } from '../spec/endpoints/proof-schemas.js';
import * as F from './fields.js';
import { HASH, SIGIL_NAME, USED_PAYMENT, type World } from './world.js';

/** An action of a script, as `conformance/fuzz` plays it. */
export interface Action {
  readonly op: string;
  readonly [field: string]: unknown;
}

/** The costs of a move. */
export interface Cost {
  lamports: number;
  /** Beats of a chain that have to be computed. */
  beats: number;
  anchors: number;
}

/** The answer of a rule: accepted, or a refusal by a row of spec/errors. */
export type Outcome = { readonly ok: true } | Pick<Refusal, 'ok' | 'row'>;

export interface Move {
  readonly name: string;
  /** The operation without its details, by which edges are grouped. */
  readonly op: string;
  /** The agent that sends it; -1 for the administrator, and for time. */
  readonly actor: number;
  /** Present on moves that a quick exploration leaves out: complaints, revocations, the sandbox, and sponsorships with an end. */
  readonly isFurther?: true;
  /** Present on the moves by which an agent comes back from a freeze. */
  readonly isResync?: true;
  /** The parts of the service that it needs, each of which can be withheld. */
  readonly uses: readonly Withheld[];
  /** Whether there is anything to send: whom it names exists. */
  readonly isPossible: (values: Int32Array) => boolean;
  /** Calls the rule, and adds to `cost` what an accepted call costs. */
  readonly play: (cost: Cost, values: Int32Array) => Outcome;
  /** The actions of a script. `anchors`: those that passed, for a move of time. */
  readonly actions: (anchors: number) => readonly Action[];
}

/** Parts of the service that can be withheld. */
export const withheld = ['sponsor', 'money', 'beats', 'wallet', 'review'] as const;
export type Withheld = (typeof withheld)[number];

const COMPLAINT = { assertedClass: 'orchestrator', reason: 'r' };
const FURTHER = { isFurther: true } as const;
const OK: Outcome = { ok: true };
/** Agents of a script begin after the two that every random sequence begins with. */
const FIRST_AGENT = 2;

/** All moves of a world, in a fixed order. */
export function movesOf(world: World): readonly Move[] {
  const { agents } = world.fields;
  const all = Array.from({ length: agents }, (_, agent) => agent);
  const pairs = all.flatMap((one) => all.filter((other) => other !== one).map((other) => [one, other] as const));
  const children = all.slice(1);
  return [
    registration(world),
    ...all.flatMap((agent) => ownMoves(world, agent)),
    ...children.flatMap((child) => childMoves(world, child)),
    ...pairs.flatMap(([by, of]) => flagMoves(world, by, of)),
    time(world),
  ];
}

const script = (agent: number): number => FIRST_AGENT + agent;

/** A move of an agent. The check of keys comes before every rule: a call with a revoked key is a move of its own. */
function own(
  world: World,
  agent: number,
  op: string,
  detail: string,
  rule: (cost: Cost, values: Int32Array) => Outcome,
  fields: object,
  more: Partial<Move> = {},
): Move {
  const at = world.fields.agent(agent);
  const { isPossible = (values: Int32Array) => world.fields.exists(values, agent), ...others } = more;
  return {
    name: `${F.nameOf(agent)}: ${op}${detail === '' ? '' : ` ${detail}`}`,
    op,
    actor: agent,
    uses: [],
    isPossible: (values) => values[at + F.REVOKED] === 0 && isPossible(values),
    play: rule,
    actions: () => [{ op, agent: script(agent), ...fields }],
    ...others,
  };
}

/** The revocation of a key by an administrator. */
function revocation(world: World, agent: number): Move {
  const { fields, registry } = world;
  return {
    name: `${F.nameOf(agent)}: revoke-key`,
    op: 'revoke-key',
    ...FURTHER,
    actor: -1,
    uses: [],
    isPossible: (values) => fields.exists(values, agent) && values[fields.agent(agent) + F.REVOKED] === 0,
    play: () => {
      revokeKey(registry, agent, world.nowMs);
      return OK;
    },
    actions: () => [{ op: 'revoke-key', agent: script(agent) }],
  };
}

/** A call with a revoked key. */
function revokedMove(world: World, agent: number): Move {
  const { registry, fields, keys } = world;
  return {
    name: `${F.nameOf(agent)}: a call with a revoked key`,
    op: 'init',
    actor: agent,
    uses: [],
    isPossible: (values) => values[fields.agent(agent) + F.REVOKED] === 1,
    play: () => {
      const known = authenticate(registry, keys[agent]);
      return known.ok ? init(registry, { agent }, world.nowMs) : known;
    },
    actions: () => [{ op: 'init', agent: script(agent) }],
  };
}

/** A payment; without an id one that was never used. */
const payment = (world: World, payer: number, lamports: number, id = world.nextPayment()): NamedPayment => ({
  ...{ id, sender: payer, lamports },
  counts: true,
});

/** A wallet that is no agent's. */
const STRANGER = 99;

/** The payments of a fee: a right one, and one for each way in which it can be wrong. */
const payments = [
  ['', { payer: 'own' }],
  ['without a payment', { tx: 'none' }],
  ['with a payment that is too low', { amount: 'low' }],
  ['paid by another', { payer: 'other' }],
] as const;

function named(world: World, agent: number, fee: number, how: (typeof payments)[number][1]): NamedPayment {
  if ('tx' in how) return 'missing';
  if ('amount' in how) return payment(world, agent, fee - 1);
  return payment(world, how.payer === 'other' ? STRANGER : agent, fee);
}

function ownMoves(world: World, agent: number): Move[] {
  const { registry } = world;
  const at = (values: Int32Array, field: number): number => values[world.fields.agent(agent) + field]!;
  const heartbeatFee = (): number => {
    const epoch = billingEpoch(registry.protocol, currentBeat(registry));
    return flatFeeLamports(registry, heartbeatTier(registry.protocol, heartbeatsInEpoch(registry, agent, epoch) + 1));
  };
  const pay = (cost: Cost, result: { ok: true; feeLamports: number } | Refusal): Outcome => {
    if (result.ok) cost.lamports += result.feeLamports;
    return result;
  };
  const beat = (cost: Cost, paid: NamedPayment): Outcome =>
    pay(cost, heartbeat(registry, { agent, payment: paid }, world.nowMs));
  const money = { uses: ['money'] as const };
  const reissueFee = registry.feeTable.flat.reissuance;
  const sigilFee = sigilFeeLamports(registry.protocol, 'narrow_task');
  const buy = (cost: Cost, tier: string, paid: NamedPayment, name?: string): Outcome => {
    const what = { identityClass: 'narrow_task', principal: SIGIL_NAME.principal, tier, name };
    return pay(cost, sigil(registry, { agent, ...what, payment: paid }, world.nowMs));
  };
  const others = (values: Int32Array): boolean =>
    world.fields.exists(values, agent) && world.fields.hasSigilBeside(values, agent);
  return [
    own(world, agent, 'init', '', () => init(registry, { agent }, world.nowMs), {}),
    ...payments.map(([detail, how]) =>
      own(
        world,
        agent,
        'heartbeat',
        detail,
        (cost) => beat(cost, named(world, agent, heartbeatFee(), how)),
        how,
        money,
      ),
    ),
    own(
      ...([world, agent, 'heartbeat', 'with a payment that was used'] as const),
      (cost) => beat(cost, payment(world, agent, heartbeatFee(), USED_PAYMENT)),
      { tx: 'again' },
      { ...money, isPossible: (values) => agent === 0 && at(values, F.BEAT) !== F.NEVER && at(values, F.COUNT) === 0 },
    ),
    // One agent with a SIGIL of the sandbox is enough to meet what differs for it.
    ...(agent === 0 ? (['ind', 'sbx'] as const) : (['ind'] as const)).map((tier) =>
      own(
        ...([world, agent, 'sigil', tier] as const),
        (cost) => buy(cost, tier, payment(world, agent, sigilFee)),
        { tier, identityClass: 'narrow_task' },
        { ...money, ...(tier === 'sbx' && FURTHER) },
      ),
    ),
    ...payments
      .slice(1)
      .map(([detail, how]) =>
        own(
          ...([world, agent, 'sigil', detail] as const),
          (cost) => buy(cost, 'ind', named(world, agent, sigilFee, how)),
          { identityClass: 'narrow_task', ...how },
          money,
        ),
      ),
    ...payments.map(([detail, how]) =>
      own(
        ...([world, agent, 'reissue-proof', detail] as const),
        (cost) =>
          pay(cost, reissueProof(registry, { agent, payment: named(world, agent, reissueFee, how) }, world.nowMs)),
        how,
        money,
      ),
    ),
    own(
      ...([world, agent, 'sigil', 'of a name that is taken'] as const),
      (cost) => buy(cost, 'ind', payment(world, agent, sigilFee), SIGIL_NAME.name),
      { identityClass: 'narrow_task', principal: 'of-another', name: 'of-another' },
      { ...money, isPossible: others },
    ),
    own(
      ...([world, agent, 'sigil', 'with a payment that was used'] as const),
      (cost) => buy(cost, 'ind', payment(world, agent, sigilFee, USED_PAYMENT)),
      { identityClass: 'narrow_task', tx: 'again' },
      { ...money, isPossible: others },
    ),
    own(
      ...([world, agent, 'reissue-proof', 'twice with one payment'] as const),
      (cost) => {
        const twice = { agent, payment: payment(world, agent, reissueFee) };
        const once = pay(cost, reissueProof(registry, twice, world.nowMs));
        return once.ok ? pay(cost, reissueProof(registry, twice, world.nowMs)) : once;
      },
      {},
      {
        ...money,
        actions: () => [
          { op: 'reissue-proof', agent: script(agent) },
          { op: 'reissue-proof', agent: script(agent), tx: 'again' },
        ],
      },
    ),
    own(
      ...([world, agent, 'wallet', 'by an unknown nonce'] as const),
      () => {
        const proof = { form: 'link-wallet', nonce: 'unknown', address: HASH.slice(2), signature: '' } as const;
        return finalizeWallet(registry, { agent, ...proof }, world.nowMs);
      },
      { wrong: 'nonce' },
    ),
    own(world, agent, 'passport', '', () => passport(registry, { agent }), {}),
    own(
      ...([world, agent, 'beats-submit', 'from another beat'] as const),
      () => beatsSubmit(registry, { agent, ...provenBeats(world, agent, SUBMITTED_BEATS, 1) }),
      { wrong: 'start' },
    ),
    own(
      ...([world, agent, 'flag', 'an unknown agent'] as const),
      () => flag(registry, { agent, target: -1, ...COMPLAINT }, world.nowMs),
      { target: script(agent), unknown: true },
    ),
    own(
      ...([world, agent, 'sponsor', 'an unknown agent'] as const),
      () => sponsor(registry, { agent, child: -1 }, world.nowMs),
      { child: script(agent), unknown: 'unknown' },
      { uses: ['sponsor'] },
    ),
    own(
      ...([world, agent, 'wallet', ''] as const),
      () => {
        const linked = refuseLinked(registry, agent);
        if (linked !== null) return linked;
        linkWallet(registry, agent, { wallet: agent, model: 'self-custody', chain: 'solana' }, world.nowMs);
        return OK;
      },
      {},
      { uses: ['wallet'] },
    ),
    own(world, agent, 'metadata', '', () => setMetadata(registry, { agent, fields: { capability: 'analyst' } }), {
      change: 0,
    }),
    own(world, agent, 'beats-submit', '', () => submit(world, agent), {}, { uses: ['beats'] }),
    ...resyncMoves(world, agent),
    own(world, agent, 'spawn', 'without a receipt', () => spawn(registry, { agent, childName: 'probe' }, world.nowMs), {
      receipt: 'none',
    }),
    own(
      ...([world, agent, 'flag', 'itself'] as const),
      () => flag(registry, { agent, target: agent, ...COMPLAINT }, world.nowMs),
      { target: script(agent) },
    ),
    own(
      world,
      agent,
      'sponsor',
      'itself',
      () => sponsor(registry, { agent, child: agent }, world.nowMs),
      {
        child: script(agent),
      },
      { uses: ['sponsor'] },
    ),
    revokedMove(world, agent),
    revocation(world, agent),
  ];
}

/** Every hash that a proof shows is right. */
const checkBeat = (): boolean => true;

const proofs = new Map<number, ReturnType<typeof provenBeats>>();

/** `provenBeats` of a chain as a world writes it; made once, since it is the same in every state. */
function firstBeats(world: World, agent: number, beats: number) {
  if (world.registry.agents.columns.latestBeat[agent] !== 0) return provenBeats(world, agent, beats);
  const known = proofs.get(beats) ?? provenBeats(world, agent, beats);
  proofs.set(beats, known);
  return known.proof.from_hash === latestHash(world.registry, agent) ? known : provenBeats(world, agent, beats);
}

/** A proof that continues the chain of an agent by a number of beats. */
function provenBeats({ registry }: World, agent: number, beats: number, gap = 0) {
  const from = registry.agents.columns.latestBeat[agent]! + gap;
  const from_hash = latestHash(registry, agent);
  const shown = Math.min(3, beats);
  const spot_checks = Array.from({ length: shown }, (_, nth) => {
    const index = from + beats - shown + 1 + nth;
    return { index, hash: HASH, prev: index === from + 1 ? from_hash : HASH };
  });
  const proof: BeatProof = {
    ...{ from_beat: from, to_beat: from + beats, from_hash, to_hash: HASH, beats_computed: beats },
    ...{ global_anchor: 0, anchor_hash: HASH, spot_checks },
  };
  return { proof, anchorHash: HASH, checkBeat };
}

const SUBMITTED_BEATS = 3;

function submit(world: World, agent: number): Outcome {
  return beatsSubmit(world.registry, { agent, ...firstBeats(world, agent, SUBMITTED_BEATS) });
}

function resyncMoves(world: World, agent: number): Move[] {
  const { registry } = world;
  const owed = (): number => penaltyBeats(registry, missedAnchors(registry, agent));
  const again = { isResync: true } as const;
  const beats = { ...again, uses: ['beats'] } as const;
  const byReceipt = (cost: Cost, more: number): Outcome => {
    const simulatedBeats = owed() + more;
    const result = resync(registry, { agent, simulatedBeats }, world.nowMs);
    if (result.ok) cost.beats += result.beatsProven;
    return result;
  };
  const byChallenge = (cost: Cost, more: number): Outcome => {
    const asked = resyncChallenge(registry, { agent }, world.nowMs);
    if (!asked.ok) return asked;
    const proven = Math.max(1, asked.requiredBeats + more);
    const result = resyncProve(
      registry,
      { agent, nonce: asked.nonce, ...firstBeats(world, agent, proven) },
      world.nowMs,
    );
    if (result.ok) cost.beats += proven;
    return result;
  };
  return [
    own(world, agent, 'resync', '', (cost) => byReceipt(cost, 0), { receipt: 'made' }, beats),
    own(world, agent, 'resync', 'with too few beats', (cost) => byReceipt(cost, -1), { receipt: 'short' }, again),
    own(world, agent, 'resync', 'without a receipt', () => resync(registry, { agent }, world.nowMs), {
      receipt: 'none',
    }),
    ...(registry.protocol.parts?.modes?.['resync/challenge'] === false
      ? []
      : [
          own(world, agent, 'resync-challenge', '', (cost) => byChallenge(cost, 0), {}, beats),
          own(
            ...([world, agent, 'resync-challenge', 'with too few beats'] as const),
            (cost) => byChallenge(cost, -1),
            { wrong: 'short' },
            again,
          ),
        ]),
  ];
}

function registration(world: World): Move {
  const { registry, fields } = world;
  return {
    name: 'register the root',
    op: 'register',
    actor: -1,
    uses: [],
    isPossible: (values) => !fields.exists(values, 0),
    play: () => registerRoot(registry, { name: F.nameOf(0) }, world.nowMs),
    actions: () => [{ op: 'register' }],
  };
}

/** The moves of the root about one child, and those that the child makes with its parent. */
function childMoves(world: World, child: number): Move[] {
  const { registry, fields } = world;
  const isNext = (values: Int32Array): boolean => fields.exists(values, child - 1) && !fields.exists(values, child);
  const exists = (values: Int32Array): boolean => fields.exists(values, child);
  const name = F.nameOf(child);
  const cost = (): number => spawnCostBeats(registry.protocol, 0, child - 1, registry.dialect) ?? 0;
  const by = (detail: string, rule: (cost: Cost) => Outcome, fieldsOf: object, more: Partial<Move>, op: string): Move =>
    own(world, 0, op, detail, rule, fieldsOf, more);
  const spawnBy = (paid: Cost, beats: number): Outcome => {
    const result = spawn(registry, { agent: 0, childName: name, simulatedBeats: beats }, world.nowMs);
    if (result.ok) paid.beats += beats;
    return result;
  };
  const sponsorships = { uses: ['sponsor'] as const, isPossible: exists };
  const least = registry.protocol.sponsor.heartbeatsEpochMin;
  const sponsorBy = (hours?: number): Outcome =>
    sponsor(registry, { agent: 0, child, heartbeatsEpochMax: least, expiresInHours: hours }, world.nowMs);
  const names = { child: script(child) };
  return [
    by(
      `for the ${name}`,
      (paid) => spawnBy(paid, cost()),
      { receipt: 'made' },
      { isPossible: isNext, uses: ['beats'] },
      'spawn',
    ),
    by(
      ...([`for the ${name} with too few beats`, (paid: Cost) => spawnBy(paid, cost() - 1)] as const),
      ...([{ receipt: 'made', shortBy: 1 }, { isPossible: isNext }, 'spawn'] as const),
    ),
    by(
      `the ${name}`,
      () => {
        const authorization = authorizationOf(world, name);
        return registerChild(registry, { agent: 0, name, authorization }, world.nowMs);
      },
      {},
      {
        isPossible: (values) => values[fields.agent(child) + F.STAGE] !== F.ABSENT,
        actions: () => [{ op: 'register-child' }],
      },
      'register-child',
    ),
    by(
      `the ${name}`,
      () => spawn(registry, { agent: 0, childName: name, child }, world.nowMs),
      names,
      { isPossible: exists },
      'spawn-link',
    ),
    own(
      ...([world, child, 'spawn-link', 'its parent'] as const),
      () => spawn(registry, { agent: child, childName: F.nameOf(0), child: 0 }, world.nowMs),
      { child: script(0) },
    ),
    by(`the ${name}`, () => sponsorBy(), { ...names, max: 'least' }, sponsorships, 'sponsor'),
    by(
      ...([`the ${name} for a short time`, () => sponsorBy(registry.protocol.sponsor.expiresHoursMin)] as const),
      ...([{ ...names, max: 'least', hours: 'least' }, { ...sponsorships, ...FURTHER }, 'sponsor'] as const),
    ),
    by(
      `of the ${name}`,
      () => unsponsor(registry, { agent: 0, child }, world.nowMs),
      names,
      { isPossible: exists },
      'sponsor-delete',
    ),
    own(
      ...([world, child, 'sponsor', 'its parent'] as const),
      () => sponsor(registry, { agent: child, child: 0 }, world.nowMs),
      { child: script(0) },
      { uses: ['sponsor'] },
    ),
    paidByParent(world, child),
  ];
}

function paidByParent(world: World, child: number): Move {
  const { registry } = world;
  return own(
    ...([world, child, 'heartbeat', 'paid by the parent'] as const),
    (cost) => {
      const epoch = billingEpoch(registry.protocol, currentBeat(registry));
      const nth = heartbeatsInEpoch(registry, child, epoch) + 1;
      const fee = flatFeeLamports(registry, heartbeatTier(registry.protocol, nth));
      const result = heartbeat(registry, { agent: child, payment: payment(world, 0, fee) }, world.nowMs);
      if (result.ok) cost.lamports += result.feeLamports;
      return result;
    },
    { payer: 'parent' },
    {
      uses: ['money', 'sponsor'],
      isPossible: (values) => world.fields.exists(values, child) && values[world.fields.agent(0) + F.WALLET] === 1,
    },
  );
}

/** The authorization for a child of this name; one that is used if there is none. */
function authorizationOf({ registry, nowMs }: World, name: string): string {
  for (const [value, { expiresAtMs, bound }] of registry.oneTime)
    if (nowMs <= expiresAtMs && bound?.['childName'] === name) return value;
  return 'used';
}

function flagMoves(world: World, by: number, of: number): Move[] {
  const { registry, fields } = world;
  const isOpen = (values: Int32Array): boolean =>
    fields.exists(values, by) &&
    fields.exists(values, of) &&
    values[fields.flag(by, of)] !== F.SUSTAINED &&
    values[fields.agent(of) + F.REVOKED] === 0;
  const review = (outcome: FlagOutcome, from: number): Move => ({
    name: `review: ${outcome} the flag by the ${F.nameOf(by)} on the ${F.nameOf(of)}`,
    op: 'review',
    ...FURTHER,
    actor: -1,
    uses: ['review'],
    isPossible: (values) => values[fields.flag(by, of)] === from,
    play: () => {
      const status = from === F.PENDING ? 'pending' : 'sustained';
      const isMeant = (each: Flag): boolean => each.reporter === by && each.target === of && each.status === status;
      const found = registry.flags.list.find(isMeant);
      const result = found === undefined ? undefined : reviewFlag(registry, found.id, outcome);
      if (result?.ok !== true) throw new Error(`${F.nameOf(by)} has no flag on the ${F.nameOf(of)} to ${outcome}`);
      return OK;
    },
    actions: () => [{ op: 'review', outcome, by: script(by), of: script(of) }],
  });
  return [
    own(
      ...([world, by, 'flag', `the ${F.nameOf(of)}`] as const),
      () => flag(registry, { agent: by, target: of, ...COMPLAINT }, world.nowMs),
      { target: script(of) },
      { ...FURTHER, isPossible: isOpen },
    ),
    review('sustain', F.PENDING),
    review('dismiss', F.PENDING),
    review('resolve', F.SUSTAINED),
  ];
}

function time(world: World): Move {
  return {
    name: 'time passes',
    op: 'time',
    actor: -1,
    uses: [],
    isPossible: () => true,
    play: (cost, values) => {
      const anchors = world.untilChange(values);
      cost.anchors += anchors;
      world.pass(anchors);
      return OK;
    },
    actions: (anchors) => [{ op: 'wait', by: { anchors } }],
  };
}
