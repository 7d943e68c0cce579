/**
 * A small world: one registry of the shipped rules, into which any abstract state is written before a rule is called, and from which the
 * next state is read back. The wheel of the Dead Man's Switch is written too, so that it agrees with the ages of the agents.
 */

import { addFlag } from '../reference/registry/columns/flags.js';
import type { Flag, Sigil, Sponsorship } from '../reference/registry/columns/records.js';
import { schedule } from '../reference/registry/columns/wheel.js';
import { advanceAnchor } from '../reference/registry/dead-man-switch.js';
import { postDeposit } from '../reference/registry/deposit.js';
import { issueKey } from '../reference/registry/keys.js';
import { addAgent, registerRoot } from '../reference/registry/register.js';
import { SPAWN_FLOW } from '../reference/registry/spawn.js';
import {
  ACTIVE,
  createRegistry,
  currentBeat,
  FROZEN,
  REGISTERED as NOT_STARTED,
  PLAYED_POLICY,
  type Policy,
  type Registry,
} from '../reference/registry/state.js';
import { dialects } from '../spec/dialect.js';
import type { Protocol } from '../spec/protocol.js';
import * as F from './fields.js';
import { readState } from './read-state.js';

/** A payment that has paid before, in every state in which one exists. */
export const USED_PAYMENT = 'used';
/** The hash at the latest beat of every chain, and of every anchor: beats are not computed in a small world. */
export const HASH = `0x${'0'.repeat(64)}`;
/** The billing epoch in which every state is written: late enough that every age lies after the first anchor. */
const EPOCH = 1_000;
/** The name of every SIGIL, as the registry keeps it. */
export const SIGIL_NAME = { name: 'a', principal: 'p' };
const TAKEN_NAME = 'a*p';
const AUTHORIZATION = 'authorization';
const GENESIS_MS = 0;

interface WorldOptions {
  /** The numbers of the world, small ones for a search to its end. */
  readonly protocol: Protocol;
  /** The root and its children: 2 or 3. */
  readonly agents: number;
  /** Whether states that differ only in the order of children are one. */
  readonly symmetric?: boolean;
  /** Changes of the deployment's policy. */
  readonly policy?: Partial<Policy>;
}

export class World {
  readonly fields: F.Fields;
  readonly registry: Registry;
  readonly symmetric: boolean;
  /** Of each agent: the key that its requests carry. */
  readonly keys: readonly string[];
  nowMs = 0;
  /** The deposits of the state that was written. */
  depositsLamports = 0;
  #payments = 0;
  readonly #sponsorships: Sponsorship[];
  readonly #sigils: readonly (Sigil | undefined)[];
  readonly #flags: readonly Flag[];
  readonly #intervalMs: number;
  readonly #slots: Int32Array;
  readonly #hashes: Uint8Array;

  constructor(readonly options: WorldOptions) {
    const { protocol, agents, symmetric = true, policy } = options;
    this.fields = new F.Fields(protocol, agents);
    this.symmetric = symmetric;
    this.#intervalMs = protocol.anchor.intervalSec * 1_000;
    const registry = createRegistry({
      protocol,
      dialect: dialects.service,
      policy: { ...PLAYED_POLICY, ...policy },
      seed: 1,
      genesisMs: GENESIS_MS,
      capacity: agents + 1,
    });
    this.registry = registry;
    registry.usedPayments.add(USED_PAYMENT);
    registerRoot(registry, { name: F.nameOf(0) }, 0);
    for (let child = 1; child < agents; child++) addAgent(registry, { name: F.nameOf(child) }, 0, 0);
    this.keys = Array.from({ length: agents }, (_, agent) => issueKey(registry, agent, 0));
    this.#slots = registry.index.slots.slice();
    this.#hashes = registry.agents.columns.hash.slice();
    this.#sponsorships = Array.from({ length: agents }, (_, child) => ({
      ...{ parent: 0, child, createdAtMs: 0, heartbeatsEpochMax: protocol.sponsor.heartbeatsEpochMin },
      ...{ expiresAtMs: null, state: 'active' as const, epoch: 0, used: 0 },
    }));
    this.#flags = Array.from({ length: 2 * agents * agents }, (_, nth) => {
      const pair = Math.floor(nth / 2);
      return {
        ...{ id: `${nth}`, reporter: Math.floor(pair / agents), target: pair % agents },
        ...{ assertedClass: 'orchestrator', reason: 'r', createdAtMs: 0, status: 'pending' },
      };
    });
    const sigil = (tier: string): Sigil => ({
      ...{ ...SIGIL_NAME, tier, birthTx: '', paymentTx: '' },
      generation: protocol.metadata.generationStart,
    });
    this.#sigils = [undefined, sigil('ind'), sigil('sbx')];
  }

  /** The id of a payment that was not used since the state was written. */
  nextPayment(): string {
    this.#payments += 1;
    return `payment ${this.#payments}`;
  }

  /** The abstract state before anything has happened. */
  first(): Int32Array {
    return new Int32Array(this.fields.layout.size);
  }

  /** Writes an abstract state into the registry. */
  load(values: Int32Array): void {
    const { registry, fields } = this;
    const { epoch } = fields.spans;
    registry.anchorIndex = EPOCH * epoch + values[fields.phase]!;
    this.nowMs = GENESIS_MS + registry.anchorIndex * this.#intervalMs;
    registry.anchorAtMs = this.nowMs;
    registry.stream.drawn = 0;
    registry.feeBook.sums.fill(0);
    registry.deposits.byAgent.clear();
    registry.deposits.heldLamports = 0;
    registry.deposits.forfeitedLamports = 0;
    registry.oneTime.clear();
    registry.reservations.clear();
    registry.sigilNames.clear();
    if (registry.usedPayments.size > 1) {
      registry.usedPayments.clear();
      registry.usedPayments.add(USED_PAYMENT);
    }
    this.#payments = 0;
    this.#loadAgents(values);
    this.#loadSponsorships(values);
    this.#loadFlags(values);
    this.depositsLamports = registry.deposits.heldLamports;
  }

  #loadAgents(values: Int32Array): void {
    const { registry, fields } = this;
    const { columns, line } = registry.agents;
    const { interval } = fields.spans;
    if (registry.index.used !== fields.agents) {
      registry.index.slots.set(this.#slots);
      registry.index.used = fields.agents;
      columns.hash.set(this.#hashes);
    }
    registry.wheel.heads.fill(-1);
    registry.wheel.tails.fill(-1);
    registry.wheel.chunks = 0;
    registry.wheel.free = -1;
    registry.childNames.clear();
    let rows = 0;
    for (let agent = 0; agent < fields.agents; agent++) {
      const at = fields.agent(agent);
      const stage = values[at + F.STAGE]!;
      if (stage === F.AUTHORIZED) this.#authorize(agent, values[fields.authorizationLeft]!);
      const status = values[at + F.STATUS]!;
      const sync = registry.anchorIndex - values[at + F.AGE]!;
      const beat = values[at + F.BEAT]!;
      const sigil = values[at + F.SIGIL_KIND]!;
      line.setStatus(agent, status);
      line.setIdentityClass(agent, sigil === F.NO_SIGIL ? 0 : 1);
      line.setWallet(agent, values[at + F.WALLET] === 1 ? agent : -1);
      line.setComplaints(agent, 0);
      line.setPartner(agent, -1);
      line.setDepth(agent, agent === 0 ? 0 : 1);
      line.setLastSyncAnchor(agent, status === NOT_STARTED ? -1 : sync);
      line.setTotalHeartbeats(agent, 0);
      line.setLastHeartbeatBeat(agent, this.#beatOf(beat === F.OLD ? interval : beat - F.FRESH, beat));
      line.setEpoch(agent, EPOCH);
      line.setEpochHeartbeats(agent, values[at + F.COUNT]!);
      columns.parent[agent] = agent === 0 ? -1 : 0;
      columns.linked[agent] = stage === F.LINKED ? 1 : 0;
      columns.keyRevoked[agent] = values[at + F.REVOKED]!;
      columns.children[agent] = 0;
      columns.latestBeat[agent] = 0;
      columns.totalBeats[agent] = 0;
      columns.availableBeats[agent] = 0;
      columns.walletChain[agent] = 0;
      // The row of an agent to come is as a new one: a rule that adds it finds no traces of other states.
      registry.sigils.delete(agent);
      if (stage < F.REGISTERED) continue;
      rows = agent + 1;
      registry.latestHashes.set(agent, HASH);
      if (status === ACTIVE) schedule(registry.wheel, agent, sync + fields.spans.freeze, registry.anchorIndex);
      if (agent > 0) registry.childNames.set(`0:${F.nameOf(agent)}`, agent);
      const held = this.#sigils[sigil];
      if (held === undefined) continue;
      registry.sigils.set(agent, held);
      // An agent with a SIGIL holds a deposit until a freeze takes it.
      if (status !== FROZEN) postDeposit(registry, agent, registry.protocol.deposit.lamports);
      registry.sigilNames.add(TAKEN_NAME);
    }
    columns.children[0] = Math.max(0, rows - 1);
    registry.agents.rows = rows;
    if (registry.names.length === rows) return;
    registry.names.length = rows;
    for (let agent = 0; agent < rows; agent++) registry.names[agent] = F.nameOf(agent);
  }

  #beatOf(age: number, kind: number): number {
    const { registry } = this;
    return kind === F.NEVER ? -1 : currentBeat(registry) - age * registry.protocol.anchor.beatsPerAnchor;
  }

  #authorize(child: number, left: number): void {
    this.registry.oneTime.set(AUTHORIZATION, {
      flow: SPAWN_FLOW,
      expiresAtMs: this.nowMs + left * this.#intervalMs,
      bound: { parent: 0, childName: F.nameOf(child) },
    });
  }

  #loadSponsorships(values: Int32Array): void {
    const { registry, fields } = this;
    const { byChild, byParent } = registry.sponsorships;
    byChild.clear();
    byParent.clear();
    for (let child = 1; child < fields.agents; child++) {
      const at = fields.sponsorship(child);
      const state = values[at + F.SPONSOR_STATE]!;
      const used = values[at + F.SPONSOR_USED]!;
      if (state === F.UNSPONSORED && used === 0) continue;
      const left = values[at + F.SPONSOR_LEFT]!;
      const each = this.#sponsorships[child]!;
      each.state = STATES[state]!;
      each.heartbeatsEpochMax = registry.protocol.sponsor.heartbeatsEpochMin;
      each.expiresAtMs = left > fields.spans.sponsorship ? null : this.nowMs + left * this.#intervalMs;
      each.epoch = EPOCH;
      each.used = used;
      byChild.set(child, [each]);
      const others = byParent.get(0);
      if (others === undefined) byParent.set(0, [each]);
      else others.push(each);
    }
  }

  #loadFlags(values: Int32Array): void {
    const { registry, fields } = this;
    const { flags } = registry;
    if (flags.list.length > 0) {
      flags.list.length = 0;
      flags.placeOf.clear();
      flags.pendingPairs.clear();
      flags.pendingTree.length = 0;
    }
    const { line } = registry.agents;
    for (let by = 0; by < fields.agents; by++) {
      for (let of = 0; of < fields.agents; of++) {
        const open = values[fields.flag(by, of)]!;
        if ((open & F.SUSTAINED) !== 0) {
          this.#file(by, of, 'sustained');
          line.setComplaints(of, line.complaints(of) + 1);
        }
        if ((open & F.PENDING) === 0) continue;
        this.#file(by, of, 'pending');
        flags.pendingPairs.add(`${by}:${of}`);
      }
    }
  }

  #file(by: number, of: number, status: 'pending' | 'sustained'): void {
    const flag = this.#flags[2 * (by * this.fields.agents + of) + (status === 'pending' ? 1 : 0)]!;
    flag.status = status;
    addFlag(this.registry.flags, flag);
  }

  /** Reads the abstract state of the registry. */
  read(values: Int32Array): void {
    readState(this.registry, this.fields, this.nowMs, values);
  }

  /** Lets this many anchors pass. */
  pass(anchors: number): void {
    for (let nth = 0; nth < anchors; nth++) {
      this.nowMs += this.#intervalMs;
      advanceAnchor(this.registry, this.nowMs);
    }
  }
}

const STATES: readonly Sponsorship['state'][] = ['revoked', 'active', 'revoked-by-sponsor-freeze'];
