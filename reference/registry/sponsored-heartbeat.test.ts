import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codeOf, paymentOf, putAgent, testAgent, testChild, testRegistry } from '../../test/fixtures/registry.js';
import { intern } from './columns/interner.js';
import { advanceAnchor } from './dead-man-switch.js';
import { heartbeat } from './heartbeat.js';
import { revokeKey } from './keys.js';
import { resync } from './resync.js';
import { spawn } from './spawn.js';
import { sponsor, sponsorshipStatus, sponsorshipsOf, unsponsor, usedInEpoch } from './sponsor.js';
import type { Registry } from './state.js';

/** Half an hour, so that an hour of a sponsorship is two anchors and a sequence sees it end. */
const ANCHOR_MS = 1_800_000;
const EPOCH_BEATS = 12;
const MISSED_MAX = 6;
const VOLUME_CAP = 4;

/** The agents: the parent's place in this list (-1: a root), and a wallet, or none. */
const FAMILY = [
  { parent: -1, wallet: 'W' },
  // The same wallet again: it may sponsor through two ancestors (D-50).
  { parent: 0, wallet: 'W' },
  { parent: 1, wallet: 'V' },
  { parent: 2, wallet: null },
  { parent: 1, wallet: null },
  { parent: 2, wallet: 'U' },
  // Not linked to its parent until a step links it (D-31).
  { parent: 0, wallet: null },
  // Not related to the others.
  { parent: -1, wallet: 'W' },
] as const;
const LATE = 6;
const WALLETS = ['W', 'V', 'U', 'unknown'] as const;

/** Any agent, and twice as often one of the long lineage. */
const who = fc.oneof(fc.integer({ min: 0, max: FAMILY.length - 1 }), fc.constantFrom(0, 1, 2, 3, 3, 4));
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('sponsor' as const),
      who: fc.integer({ min: 0, max: 2 }),
      child: who,
      cap: fc.constantFrom(1, 1, 2, 3, undefined),
      hours: fc.constantFrom(undefined, undefined, 1, 1.5, 4),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('revoke' as const), who, child: who }) },
  {
    weight: 20,
    arbitrary: fc.record({ kind: fc.constant('beat' as const), who, payer: fc.constantFrom('W', ...WALLETS) }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('anchors' as const), many: fc.constantFrom(1, 1, 2, 5) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('a millisecond' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('resync', 'revoke-key'), who }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('link' as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** A sponsorship in the model. Uses are counted by epoch, so none has to be reset. */
interface Promised {
  readonly parent: number;
  readonly child: number;
  readonly createdMs: number;
  cap: number;
  endsMs: number;
  ended: 'no' | 'revoked' | 'sponsor froze';
  readonly uses: Map<number, number>;
}

/** 3.4, 4.5 and 4.13 a second time, as simply as possible: every query scans one list. */
class Model {
  nowMs: number;
  beat = 0;
  linked = false;
  readonly promises: Promised[] = [];
  readonly frozen = new Set<number>();
  readonly seenAt = FAMILY.map(() => 0);
  readonly beats = FAMILY.map(() => new Map<number, number>());

  constructor(startMs: number) {
    this.nowMs = startMs;
  }

  get epoch(): number {
    return Math.floor(this.beat / EPOCH_BEATS);
  }

  holds({ ended, endsMs }: Promised): boolean {
    return ended === 'no' && this.nowMs <= endsMs;
  }

  /** The ancestors of an agent, the nearest first. */
  above(agent: number): number[] {
    const parent = FAMILY[agent]?.parent ?? -1;
    return parent < 0 || (agent === LATE && !this.linked) ? [] : [parent, ...this.above(parent)];
  }

  sponsor(parent: number, child: number, cap = 100, hours?: number): string {
    if (this.frozen.has(parent)) return 'SPONSOR_PARENT_FROZEN';
    if (parent === child) return 'SPONSOR_INVALID';
    if (!this.above(child).includes(parent)) return 'SPONSOR_NOT_ANCESTOR';
    if (FAMILY[parent]?.wallet === null) return 'WALLET_REQUIRED';
    const endsMs = hours === undefined ? Number.POSITIVE_INFINITY : this.nowMs + hours * 3_600_000;
    const known = this.promises.find((each) => each.parent === parent && each.child === child);
    if (known !== undefined) Object.assign(known, { cap, endsMs, ended: 'no' });
    else this.promises.push({ parent, child, createdMs: this.nowMs, cap, endsMs, ended: 'no', uses: new Map() });
    return 'accepted';
  }

  revoke(parent: number, child: number): string {
    const held = this.promises.find((each) => each.parent === parent && each.child === child && this.holds(each));
    if (held === undefined) return 'SPONSOR_NOT_FOUND';
    held.ended = 'revoked';
    return 'accepted';
  }

  revokeKey(child: number): void {
    for (const each of this.promises) if (each.child === child && this.holds(each)) each.ended = 'revoked';
  }

  /** The order of agents that freeze at the same anchor is the registry's own. */
  freeze(agents: readonly number[]): void {
    for (const agent of agents) {
      this.frozen.add(agent);
      for (const each of this.promises.filter((one) => this.holds(one))) {
        if (each.parent === agent) each.ended = 'sponsor froze';
        else if (each.child === agent) each.ended = 'revoked';
      }
    }
  }

  due(): number[] {
    return FAMILY.map((_, agent) => agent).filter(
      (agent) => !this.frozen.has(agent) && this.beat - (this.seenAt[agent] ?? 0) > MISSED_MAX,
    );
  }

  heartbeat(agent: number, payer: (typeof WALLETS)[number]): string {
    const own = FAMILY[agent]?.wallet ?? null;
    const ours = this.promises.filter(({ child }) => child === agent);
    const silenced = ours.filter(({ ended, parent }) => ended === 'sponsor froze' && this.frozen.has(parent));
    if (this.frozen.has(agent)) return 'AGENT_FROZEN';
    if (agent === FAMILY.length - 1) return 'SIGIL_REQUIRED';
    if (own === null && !ours.some((each) => this.holds(each)) && silenced.length === 0) return 'WALLET_REQUIRED';
    const nth = (this.beats[agent]?.get(this.epoch) ?? 0) + 1;
    if (nth > VOLUME_CAP) return 'VOLUME_CAP_REACHED';
    if (payer !== own) {
      const paid = ({ parent }: Promised): boolean => FAMILY[parent]?.wallet === payer;
      const line = this.above(agent).flatMap((up) => ours.filter((each) => each.parent === up));
      const holding = line.filter((each) => paid(each) && this.holds(each));
      const used = (each: Promised): number => each.uses.get(this.epoch) ?? 0;
      const open = holding.find((each) => used(each) < each.cap);
      if (open === undefined && holding.length > 0) return 'SPONSOR_CAP_REACHED';
      if (open === undefined) return silenced.some(paid) ? 'SPONSOR_PARENT_FROZEN' : 'PAYMENT_SENDER_MISMATCH';
      open.uses.set(this.epoch, used(open) + 1);
      if (open !== holding[0]) seen.add('the nearest was full');
    }
    this.beats[agent]?.set(this.epoch, nth);
    this.seenAt[agent] = this.beat;
    return payer === own ? 'accepted' : 'accepted, sponsored';
  }

  listing(parent: number) {
    return this.promises
      .filter((each) => each.parent === parent)
      .map((each) => ({
        child: each.child,
        status: each.ended !== 'no' ? 'revoked' : this.holds(each) ? 'active' : 'expired',
        cap: each.cap,
        used: each.uses.get(this.epoch) ?? 0,
        endsMs: each.endsMs,
        createdMs: each.createdMs,
      }));
  }
}

/** The outcomes that the sequences have reached, so that a generator that misses a case is noticed. */
const seen = new Set<string>();

function family(): Registry {
  const registry = testRegistry({
    overlay: {
      heartbeat: { epochBeats: EPOCH_BEATS, intervalBeatsMin: 0, narrowTaskCap: VOLUME_CAP },
      dms: { missedAnchorsMax: MISSED_MAX, warningAnchors: 3 },
    },
    policy: { lineage: false },
  });
  for (const [place, { parent, wallet }] of FAMILY.entries()) {
    const root = { wallet: false, sigil: null };
    const agent = parent < 0 ? testAgent(registry, root) : testChild(registry, parent, { link: place !== LATE });
    if (wallet !== null) putAgent(registry, agent, { wallet: intern(registry.wallets, wallet) });
    expect(agent).toBe(place);
  }
  putAgent(registry, 0, { identityClass: 1 });
  return registry;
}

/** Applies a step to the registry and to the model; returns both answers. */
function take(registry: Registry, model: Model, one: Step, id: string): readonly [string, string] {
  const code = (outcome: Parameters<typeof codeOf>[0]): string => codeOf(outcome).replace(/^.*\//, '');
  const { nowMs } = model;
  switch (one.kind) {
    case 'sponsor': {
      const input = { agent: one.who, child: one.child, heartbeatsEpochMax: one.cap, expiresInHours: one.hours };
      return [code(sponsor(registry, input, nowMs)), model.sponsor(one.who, one.child, one.cap, one.hours)];
    }
    case 'revoke': {
      const outcome = code(unsponsor(registry, { agent: one.who, child: one.child }, nowMs));
      return [outcome, model.revoke(one.who, one.child)];
    }
    case 'beat': {
      const sender = one.payer === 'unknown' ? -1 : intern(registry.wallets, one.payer);
      const payment = { id, sender, lamports: 500_000, counts: true };
      const outcome = code(heartbeat(registry, { agent: one.who, payment }, nowMs));
      const wanted = model.heartbeat(one.who, one.payer);
      seen.add(`heartbeat: ${wanted}`);
      return [outcome, wanted.replace(', sponsored', '')];
    }
    case 'resync': {
      const wanted = model.frozen.delete(one.who) ? 'accepted' : 'AGENT_WRONG_STATE';
      if (wanted === 'accepted') model.seenAt[one.who] = model.beat;
      return [code(resync(registry, { agent: one.who, simulatedBeats: 10_000 }, nowMs)), wanted];
    }
    case 'revoke-key':
      revokeKey(registry, one.who, nowMs);
      model.revokeKey(one.who);
      return ['', ''];
    case 'link':
      model.linked ||= !model.frozen.has(0);
      return [
        code(spawn(registry, { agent: 0, child: LATE }, nowMs)),
        model.frozen.has(0) ? 'AGENT_FROZEN' : 'accepted',
      ];
    case 'a millisecond':
      model.nowMs += 1;
      return ['', ''];
    case 'anchors':
      return passes(registry, model, one.many);
    default:
      return one satisfies never;
  }
}

function passes(registry: Registry, model: Model, anchors: number): readonly [string, string] {
  const outcomes: string[] = [];
  const wanted: string[] = [];
  for (let i = 0; i < anchors; i++) {
    model.nowMs += ANCHOR_MS;
    model.beat += 1;
    const froze = advanceAnchor(registry, model.nowMs);
    outcomes.push(froze.toSorted().join());
    wanted.push(model.due().join());
    model.freeze(froze);
  }
  return [outcomes.join(';'), wanted.join(';')];
}

describe('sponsorship accounting against a plain model (3.4, 4.5, 4.13, D-28 to D-30, D-50)', () => {
  const rules = ['nearest', 'use.reset', 'update.use', 'update.terms', 'expired.status', 'expired.unused', 'get.all'];
  const ends = ['revoke', 'update', 'frozen.parent', 'frozen.child', 'key-revoked'].map((end) => `transition.${end}`);
  const clauses = [...rules, ...ends].map((name) => `[sponsor.${name}]`).join(' ');

  it(`${clauses} answers, lists, counts and ends like the model, whatever children and ancestors do in between`, () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 40, maxLength: 160 }), (steps) => {
        const registry = family();
        const model = new Model(registry.anchorAtMs);
        for (const [nth, one] of steps.entries()) {
          const [told, wanted] = take(registry, model, one, `payment ${nth}`);
          expect([nth, one, told]).toEqual([nth, one, wanted]);
          for (const parent of FAMILY.keys()) {
            const listed = sponsorshipsOf(registry, parent).map((each) => ({
              child: each.child,
              status: sponsorshipStatus(each, model.nowMs),
              cap: each.heartbeatsEpochMax,
              used: usedInEpoch(registry, each),
              endsMs: each.expiresAtMs ?? Number.POSITIVE_INFINITY,
              createdMs: each.createdAtMs,
            }));
            for (const { status } of listed) seen.add(status);
            expect([nth, one, listed]).toEqual([nth, one, model.listing(parent)]);
          }
        }
      }),
      { seed: 413, numRuns: 300 },
    );
    expect([...seen].toSorted()).toEqual([
      'active',
      'expired',
      'heartbeat: AGENT_FROZEN',
      'heartbeat: PAYMENT_SENDER_MISMATCH',
      'heartbeat: SIGIL_REQUIRED',
      'heartbeat: SPONSOR_CAP_REACHED',
      'heartbeat: SPONSOR_PARENT_FROZEN',
      'heartbeat: VOLUME_CAP_REACHED',
      'heartbeat: WALLET_REQUIRED',
      'heartbeat: accepted',
      'heartbeat: accepted, sponsored',
      'revoked',
      'the nearest was full',
    ]);
  });
});

it('[heartbeat.byo-wallet] without the wallet policy anyone pays for who has no wallet, a sponsor is charged, and a wallet still pays for its own', () => {
  const registry = testRegistry({ policy: { byoWallet: false }, overlay: { heartbeat: { intervalBeatsMin: 0 } } });
  const parent = testAgent(registry);
  const child = testChild(registry, parent);
  expect(sponsor(registry, { agent: parent, child, heartbeatsEpochMax: 1 }, registry.anchorAtMs).ok).toBe(true);
  const send = (agent: number, payer: number) =>
    codeOf(
      heartbeat(registry, { agent, payment: { ...paymentOf(registry, parent, 500_000, null), sender: payer } }, 0),
    );
  const wallet = registry.agents.line.wallet(parent);
  expect([send(child, -1), send(child, wallet), send(child, wallet)]).toEqual([
    'accepted',
    'accepted',
    'heartbeat/SPONSOR_CAP_REACHED',
  ]);
  expect([send(parent, -1), send(parent, wallet)]).toEqual(['heartbeat/PAYMENT_SENDER_MISMATCH', 'accepted']);
});
