import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { clauseById } from '../clauses/index.js';
import { flows } from '../flows.js';
import { brokenRelations, type Overlay, relations, withOverlay } from '../overlay.js';
import { type Protocol, protocolNumbers } from '../protocol.js';
import { moves, states } from '../states.js';
import { dimensionOf, type Fit, fits } from './fits.js';
import { factsOf, type LintFacts, lint, lintRules } from './index.js';
import { arithmeticOf, excuseOf, isWorse, newErrors, parseKnownFindings, toleranceOf, worseFindings } from './known.js';

const under = (overlay: Overlay, hashesPerSec?: number) => lint(factsOf(withOverlay(overlay), hashesPerSec));
const ids = (overlay: Overlay, hashesPerSec?: number) => under(overlay, hashesPerSec).map(({ id }) => id);
const stated = lint(factsOf());

/** The overlays of the tables below, which bring findings of every rule. */
const tried = (): readonly Overlay[] => [...fixed, ...planted].map(([, , overlay]) => overlay);

/** The paths of the numbers that rules of a kind read under any of the overlays. */
function readBy(kind: string, overlays: readonly Overlay[]): ReadonlySet<string> {
  const read = new Set<string>();
  const watched = (node: object, prefix: string): object => {
    const copy = {};
    for (const [key, value] of Object.entries(node)) {
      const inner: unknown = typeof value === 'object' && value !== null ? watched(value, `${prefix}${key}.`) : value;
      Object.defineProperty(copy, key, {
        enumerable: true,
        get: () => {
          read.add(prefix + key);
          return inner;
        },
      });
    }
    return copy;
  };
  const rule = lintRules.find((each) => each.kind === kind);
  for (const overlay of overlays) rule?.find(factsOf(watched(withOverlay(overlay), '') as Protocol));
  return read;
}

const knownFile = 'spec/known-findings.yaml';
function knownFindings() {
  const parsed = parseKnownFindings(readFileSync(knownFile, 'utf8'), knownFile);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return parsed.value;
}
const known = { entries: knownFindings(), stated };

/** The arithmetic of a finding about the current specification, and an overlay that fixes it. */
const fixed: readonly (readonly [id: string, arithmetic: string, mend: Overlay])[] = [
  ['class-cap/narrow-task', 'an epoch takes 1,666', { heartbeat: { narrowTaskCap: 1_666 } }],
  ['class-cap/narrow-task', '60,060 of 100,000 anchors', { dms: { missedAnchorsMax: 100 } }],
  ['unreachable/cap-orchestrator', '100,000 beats / 10 = 10,000', { heartbeat: { orchestratorCap: 9_999 } }],
  ['unreachable/sponsor-cap', '= 10,000 heartbeats an epoch', { sponsor: { heartbeatsEpochMax: 9_999 } }],
  ['unreachable/tier-3-narrow-task', 'begins at heartbeat 1,001', { heartbeat: { tier2HeartbeatsMax: 999 } }],
  ['unreachable/register-by-token', '3 in 3,600 s', { limits: { registerToken: { count: 10 } } }],
  ['early-default/sponsorship', '4.167 days of an epoch of 69.44', { sponsor: { heartbeatsEpochDefault: 1_666 } }],
  ['saturation/resync-penalty', '10,000 / 100 = 100 missed', { resync: { beatsMax: 10_000_000 } }],
  ['saturation/discount', 'of 9,750 bps', { subsidy: { discountBpsMax: 9_750 } }],
  ['hash-rate/resync-nonce', '= 33,367 hashes a second', { resync: { beatsMax: 5_994, beatsPerMissedAnchor: 98 } }],
  ['hash-rate/siblings', 'no child after number 23', { spawn: { siblingFactorNumerator: 10 } }],
  ['stopped-flow/spawn', 'takes 3 calls', { limits: { spawn: { count: 6 } } }],
  ['dominated-price/reissue', '0.0002 SOL', { reissue: { feeLamports: 0 } }],
  ['dominated-price/passport-without-heartbeat', '0.4532 SOL', { limits: { passport: { count: 0 } } }],
  [
    'dominated-price/heartbeat',
    '30.8 seconds in 61 minutes',
    { resync: { beatsPerMissedAnchor: 2_000, beatsMax: 200_000 } },
  ],
  ['dominated-price/heartbeat', '30.8 seconds', { limits: { resyncReceipt: { count: 1, windowSec: 86_400 } } }],
  ['dominated-price/sigil', '1,000 beats × 101 hashes', { spawn: { baseBeats: 100_000_000 } }],
  ['dominated-price/difficulty', '9.911 times', { work: { receiptDifficultyMin: 1_000 } }],
  ['dominated-price/proof', '3 × 101 = 303 hashes', { proof: { challengeChecks: 5 } }],
  ['penalty-loop/cap-narrow-task', '654 in', { heartbeat: { narrowTaskCap: 1_666 } }],
  ['penalty-loop/flag-sustained', 'each 6,100 beats', { dms: { missedAnchorsMax: 100_000 } }],
  ['outlived-right/passport', 'for 22.98 hours', { passport: { validityHours: 1 } }],
  ['outlived-right/receipt', 'up to 60 minutes', { work: { receiptAnchorsMax: 5 } }],
  ['cheap-identity/flag-breaker', '1 SIGIL of 0.05 SOL', { flag: { breakerPendingMax: 600 } }],
  ['cheap-identity/flag-shield', '4 agents without', { limits: { flagTarget: { count: 31 } } }],
  ['below-cost/floor', 'becomes 0', { subsidy: { discountBpsMax: 9_750 } }],
];

/** A finding that the current specification does not have, and an overlay that plants it. */
const planted: readonly (readonly [id: string, arithmetic: string, plant: Overlay])[] = [
  ['class-cap/interval', 'one anchor in 60 is left', { heartbeat: { intervalBeatsMin: 60 } }],
  ['class-cap/interval', 'nobody can stay alive', { heartbeat: { intervalBeatsMin: 61 } }],
  ['class-cap/autonomous', 'an epoch takes 1,666', { heartbeat: { autonomousCap: 1_665 } }],
  ['unreachable/cap-autonomous', '1,667 heartbeats an epoch', { heartbeat: { intervalBeatsMin: 60 } }],
  ['unreachable/tier-2-narrow-task', 'begins at heartbeat 101', { heartbeat: { narrowTaskCap: 100 } }],
  ['hash-rate/resync-receipt', '= 33,667', { resync: { beatsMax: 100_000 } }],
  ['hash-rate/first-child', '100,000 beats', { spawn: { baseBeats: 100_000 } }],
  [
    'stopped-flow/register-ethereum',
    'of its calls 0 are accepted',
    { parts: { modes: { 'register/ethereum': false } } },
  ],
  ['stopped-flow/resync-challenge', 'can never finish', { limits: { resyncChallenge: { count: 1 } } }],
  ['stopped-flow/wallet-link', 'after 1 of its 2', { limits: { wallet: { count: 31 } } }],
  ['no-exit/agent-frozen', '594 missed anchors', { resync: { beatsMax: 10_000_000 } }],
  ['penalty-loop/cap-autonomous', 'after 100 heartbeats', { heartbeat: { autonomousCap: 100 } }],
  ['tight-limit/heartbeat', 'one heartbeat in 2 hours', { limits: { heartbeat: { count: 1, windowSec: 7_200 } } }],
  ['tight-limit/heartbeat', 'no heartbeat at all', { limits: { heartbeat: { count: 0 } } }],
  [
    'tight-limit/heartbeat',
    'frozen 20 minutes after',
    { dms: { missedAnchorsMax: 19 }, limits: { heartbeat: { count: 3, windowSec: 3_600 } } },
  ],
  [
    'tight-limit/heartbeat-interval',
    'leaves one in 20 minutes',
    { limits: { heartbeat: { count: 3, windowSec: 3_600 } } },
  ],
  ['tight-limit/cap-narrow-task', 'room for 833', { limits: { heartbeat: { count: 1, windowSec: 7_200 } } }],
  [
    'tight-limit/resync',
    'never comes back',
    { limits: { resyncReceipt: { count: 0 }, resyncChallenge: { count: 1 } } },
  ],
  ['tight-limit/resync', 'by challenge only at 20,354 hashes a second', { limits: { resyncReceipt: { count: 0 } } }],
  ['tight-limit/resync', 'once in 24 hours', { limits: { resyncReceipt: { count: 1, windowSec: 86_400 } } }],
  [
    'tight-limit/resync',
    'limits.workProof of 1 in 24 hours',
    { limits: { workProof: { count: 1, windowSec: 86_400 } } },
  ],
  ['dominated-price/class-orchestrator', '0.15 SOL for 5,000', { heartbeat: { orchestratorCap: 3_000 } }],
  ['dominated-price/class-autonomous', '0.05 SOL for 5,000', { heartbeat: { narrowTaskCap: 5_000 } }],
  [
    'dominated-price/class-swarm',
    '0.5 SOL',
    { parts: { classes: { swarm: { cap: 50_000, feeLamports: 500_000_000 } } } },
  ],
  ['unreachable/sponsor-cap', 'more than 5,000', { heartbeat: { orchestratorCap: 3_000 } }],
  ['cheap-identity/siblings', 'nothing is left after 31', { spawn: { siblingFactorNumerator: 8 } }],
  ['cheap-identity/siblings', 'nothing is left after 0', { spawn: { siblingFactorNumerator: 8, baseBeats: 0 } }],
  ['cheap-identity/depth', 'any further generation is free', { spawn: { depthFactorNumerator: 1 } }],
  ['tight-limit/passport', '24 hours are without one', { limits: { passport: { count: 1, windowSec: 172_800 } } }],
  ['tight-limit/register-token', '2 in 60 minutes: one alone', { limits: { registerTokenGlobal: { count: 2 } } }],
  ['tight-limit/flag-address', '2 in 60 minutes: one', { limits: { flag: { count: 2, windowSec: 3_600 } } }],
  ['tight-limit/flag-target', '2 in 60 minutes: one', { limits: { flagTarget: { count: 2 } } }],
  ['fee-split/whole', '= 110 %', { feeSplit: { operationsBps: 4_000 } }],
  ['fee-split/whole', '= 95 %', { feeSplit: { treasuryStartBps: 1_000 } }],
  ['short-life/registration-nonce', 'is 1 s', { registration: { nonceTtlSec: 1 } }],
  ['short-life/registration-token', 'is 1 s', { registration: { tokenTtlSec: 1 } }],
  ['short-life/wallet-nonce', 'is 9 s', { wallet: { nonceTtlSec: 9 } }],
  ['short-life/resync-nonce', 'is 0 s', { resync: { nonceTtlSec: 0 } }],
  ['short-life/spawn-authorization', 'is 1 s', { spawn: { authorizationTtlSec: 1 } }],
  ['short-life/delivery', 'is 0 s', { webhook: { timeoutSec: 0 } }],
  ['short-life/delivery-retry', 'webhook.retry1Sec is 60 s', { webhook: { timeoutSec: 120 } }],
  ['short-life/delivery-retry', 'webhook.retry4Sec is 3 s', { webhook: { retry4Sec: 3 } }],
  ['short-life/anchor-grace', 'no time is sure', { anchor: { graceAnchors: 1 } }],
  ['unreachable/epoch', 'an epoch is 10 beats', { heartbeat: { epochBeats: 10 } }],
  ['unreachable/tier-3', 'more than 10,000', { heartbeat: { tier2HeartbeatsMax: 10_000 } }],
  [
    'unreachable/tier-2',
    'more than 4',
    { heartbeat: { epochBeats: 3_000 }, limits: { heartbeat: { count: 1, windowSec: 50_000 } } },
  ],
  ['outlived-right/receipt', 'up to 61 minutes before the freeze, by challenge too', { anchor: { graceAnchors: 100 } }],
  ['short-life/passport', 'shows none for 60 minutes', { passport: { validityHours: 0 } }],
  ['short-life/passport', 'shows none for 9 hours', { dms: { missedAnchorsMax: 1_980 } }],
  ['short-life/receipt', 'longer than 3 minutes', { work: { receiptAnchorsMax: 2 } }],
  ['short-life/warning', 'no anchor is left', { dms: { warningAnchors: 60 } }],
  ['short-life/warning', 'everybody is warned', { heartbeat: { intervalBeatsMin: 48 } }],
  ['short-life/anchor', 'after 60 seconds', { anchor: { degradedIntervals: 1 } }],
  ['body-size/verify-batch', '69,000 bytes', { verifyBatch: { hashesMax: 1_000 } }],
  ['body-size/flag', 'body.bytesMax is 65,536', { flag: { reasonCharsMax: 65_500 } }],
  ['body-size/metadata', 'two texts of 32,768', { metadata: { textCharsMax: 32_768 } }],
  ['body-size/names', 'a principal of 65,536', { sigil: { principalCharsMax: 65_536 } }],
  ['body-size/spot-checks', '2,000 spot checks', { proof: { spotChecksMax: 2_000 } }],
  ['body-size/chain', '2,000 beats', { beatVerify: { chainBeatsMax: 2_000 } }],
  ['below-cost/fee-sigil', '4,999 lamports', { sigil: { narrowTaskFeeLamports: 4_999 } }],
  ['below-cost/fee-reissuance', '4,999 lamports', { reissue: { feeLamports: 4_999 } }],
];

describe('findings about the specification as it stands', () => {
  it.each(fixed)('%s says %s, and is gone once fixed', (id, arithmetic, mend) => {
    expect(stated.find((finding) => finding.id === id)?.arithmetic).toContain(arithmetic);
    expect(brokenRelations(withOverlay(mend))).toEqual([]);
    expect(ids(mend)).not.toContain(id);
  });

  it('rest on clauses that exist, each with an id of its own and one line of arithmetic with a number in it', () => {
    expect(new Set(stated.map(({ id }) => id)).size).toBe(stated.length);
    for (const { id, clauses, arithmetic, remedy } of stated) {
      for (const clause of clauses) expect(clauseById(clause).id).toBe(clause);
      expect([id, clauses.length > 0, /\d/.test(arithmetic), arithmetic.includes('\n'), remedy.length > 5]).toEqual([
        id,
        true,
        true,
        false,
        true,
      ]);
      expect(lintRules.map(({ kind }) => kind)).toContain(id.split('/')[0]);
    }
  });

  it('of severity error are all known, and nothing else is', () => {
    expect(newErrors(stated, known)).toEqual([]);
    const found = new Set(stated.map(({ arithmetic }) => arithmetic));
    expect(known.entries.filter(({ arithmetic }) => !found.has(arithmetic))).toEqual([]);
    const but = { stated, entries: known.entries.slice(1) };
    expect(newErrors(stated, but).map(({ id }) => id)).toEqual([known.entries[0]?.id]);
  });

  it('are known with their arithmetic: an entry about another figure excuses nothing', () => {
    const [entry, ...rest] = known.entries;
    if (entry === undefined) throw new Error('nothing is known');
    const entries = [{ ...entry, arithmetic: '1,001 heartbeats' }, ...rest];
    expect(newErrors(stated, { stated, entries }).map(({ id }) => id)).toEqual([entry.id]);
  });

  it('say with the fast agents of a data centre that they can meet what a small computer cannot', () => {
    expect(ids({}, 2_000_000)).not.toContain('hash-rate/resync-nonce');
    expect(ids({}, 33_366)).toContain('hash-rate/resync-nonce');
    expect(ids({}, 33_367)).not.toContain('hash-rate/resync-nonce');
  });
});

describe('findings about a change', () => {
  it.each(planted)('%s says %s where it is planted', (id, arithmetic, plant) => {
    const wrong = under(plant).find((finding) => finding.id === id);
    expect(wrong?.arithmetic).toContain(arithmetic);
    expect(stated.find((finding) => finding.id === id && finding.arithmetic === wrong?.arithmetic)).toBeUndefined();
  });

  it.each<[id: string, worse: Overlay, better: Overlay]>([
    ['outlived-right/passport', { passport: { validityHours: 876_000 } }, { passport: { validityHours: 12 } }],
    ['cheap-identity/flag-breaker', { flag: { breakerPendingMax: 0 } }, { flag: { breakerPendingMax: 40 } }],
    ['cheap-identity/flag-shield', { limits: { register: { count: 40 } } }, { limits: { flagTarget: { count: 20 } } }],
    ['class-cap/narrow-task', { heartbeat: { narrowTaskCap: 10 } }, { heartbeat: { narrowTaskCap: 1_500 } }],
    ['early-default/sponsorship', { sponsor: { heartbeatsEpochDefault: 1 } }, { dms: { missedAnchorsMax: 70 } }],
    ['dominated-price/reissue', { reissue: { feeLamports: 9_000_000 } }, { reissue: { feeLamports: 100_000 } }],
    ['dominated-price/proof', { resync: { beatsMax: 20_000 } }, { proof: { spotChecksMin: 6 } }],
    ['dominated-price/heartbeat', { resync: { beatsPerMissedAnchor: 1 } }, { resync: { beatsPerMissedAnchor: 150 } }],
    ['hash-rate/resync-nonce', { resync: { beatsMax: 20_000 } }, { resync: { beatsMax: 9_000 } }],
    ['penalty-loop/flag-sustained', { resync: { beatsPerMissedAnchor: 150 } }, { dms: { missedAnchorsMax: 90_000 } }],
    ['below-cost/floor', { subsidy: { floorLamportsDefault: 9_000 } }, { subsidy: { discountBpsMax: 9_800 } }],
  ])('%s is excused when it becomes better, and not when it becomes worse', (id, worse, better) => {
    const of = (overlay: Overlay) => under(overlay).find((finding) => finding.id === id);
    const [was, bad, good] = [of({}), of(worse), of(better)];
    if (was === undefined || bad === undefined || good === undefined) throw new Error(`${id} is not found`);
    expect([isWorse(bad, was), isWorse(good, was), isWorse(was, was)]).toEqual([true, false, false]);
    expect([excuseOf(bad, known), excuseOf(good, known)?.id]).toEqual([undefined, id]);
    expect(newErrors(under(worse), known)).toContainEqual(bad);
    expect(worseFindings(stated, under(worse))).toContainEqual({ now: bad, was });
    const both = arithmeticOf(bad, known);
    expect([both.includes(bad.arithmetic), both.includes(was.arithmetic)]).toEqual([true, true]);
  });

  it('a grace longer than the way to a freeze is a worse error, and no finding is gone by it', () => {
    const was = stated.find(({ id }) => id === 'outlived-right/receipt');
    const now = under({ anchor: { graceAnchors: 100 } }).find(({ id }) => id === was?.id);
    expect([was?.severity, now?.severity, now?.remedy]).toEqual([
      'warning',
      'error',
      'work.receiptAnchorsMax of at most 30 with anchor.graceAnchors of at most 30, or a challenge in every receipt',
    ]);
  });

  it.each<[what: string, overlay: Overlay, open: readonly string[]]>([
    [
      'a clock of twice the anchors',
      {
        anchor: { intervalSec: 30, graceAnchors: 10, degradedIntervals: 6 },
        dms: { missedAnchorsMax: 120, warningAnchors: 96 },
        work: { receiptAnchorsMax: 120 },
        heartbeat: { epochBeats: 200_000, intervalBeatsMin: 20 },
        resync: { beatsPerMissedAnchor: 50 },
      },
      [],
    ],
    [
      'ten beats an anchor',
      { anchor: { beatsPerAnchor: 10 }, heartbeat: { epochBeats: 1_000_000, intervalBeatsMin: 100 } },
      [],
    ],
    ['an hour more', { passport: { validityHours: 25 } }, ['outlived-right/passport']],
    ['half a percent more', { reissue: { feeLamports: 201_000 } }, ['dominated-price/reissue']],
    ['a tier of the same price', { heartbeat: { tier2HeartbeatsMax: 10_000, tier3FeeLamports: 300_000 } }, []],
  ])('harms are compared at the scale of the change: %s', (_what, overlay, open) => {
    const tolerance = toleranceOf(withOverlay({}), withOverlay(overlay));
    const found = newErrors(under(overlay), { ...known, tolerance }).map(({ id }) => id);
    expect(found.filter((id) => !id.startsWith('dominated-price/') || open.includes(id))).toEqual(open);
    expect(found).not.toContain('unreachable/tier-3');
  });

  it('a warning that becomes an error is worse', () => {
    const [was] = stated.filter(({ severity }) => severity === 'warning');
    if (was === undefined) throw new Error('there is no warning');
    expect(isWorse({ ...was, severity: 'error', harm: was.harm - 1 }, was)).toBe(true);
    expect(isWorse(was, { ...was, severity: 'error', harm: was.harm - 1 })).toBe(false);
  });

  it.each<[Overlay]>([
    [{ dms: { missedAnchorsMax: 0, warningAnchors: 0 } }],
    [{ dms: { missedAnchorsMax: 20, warningAnchors: 15 } }],
    [{ heartbeat: { tier3FeeLamports: 1_000, epochBeats: 1, intervalBeatsMin: 2 }, subsidy: { discountBpsMax: 1 } }],
    [{ reissue: { feeLamports: 0 }, resync: { beatsPerMissedAnchor: 9_000, beatsMax: 10_000_000 } }],
    [{ limits: { heartbeat: { count: 1, windowSec: 3_200_000_000 } }, agent: { nameCharsMax: 1_000_000 } }],
  ])('remedies name values that an overlay may have and that do something: %j', (overlay) => {
    for (const { id, remedy } of under(overlay))
      expect(remedy, id).not.toMatch(/ -\d|Infinity|NaN|undefined|\b(of|at most|at least|below) 0\b/);
  });

  it('every kind has one that is planted or fixed above', () => {
    const kinds = [...fixed, ...planted].map(([id]) => id.split('/')[0]);
    expect(lintRules.map(({ kind }) => kind).filter((kind) => !kinds.includes(kind))).toEqual([]);
  });
});

describe('pairs of numbers that must fit each other', () => {
  const numbers = protocolNumbers().map(({ path }) => path);
  const holds = ({ one, other }: Fit, a: string, b: string): boolean =>
    (one.test(a) && other.test(b)) || (one.test(b) && other.test(a));
  const pairs = numbers.flatMap((a, at) => numbers.slice(at + 1).map((b) => [a, b] as const));

  it('of one dimension are all in the table', () => {
    const open = pairs.filter(([a, b]) => dimensionOf(a) === dimensionOf(b) && !fits.some((fit) => holds(fit, a, b)));
    expect(open).toEqual([]);
  });

  it('are named by each row of the table, before another one does', () => {
    const used = new Set(pairs.map(([a, b]) => fits.find((fit) => holds(fit, a, b))));
    expect(fits.filter((fit) => !used.has(fit))).toEqual([]);
  });

  it.each(fits.flatMap((fit) => ('finding' in fit ? [[fit.finding, fit] as const] : [])))(
    'are read by the rule of %s, which finds it where it is planted or fixed',
    (id, fit) => {
      expect([...fixed, ...planted].map(([each]) => each)).toContain(id);
      const read = readBy(id.split('/')[0] ?? '', tried());
      const named = pairs.filter(([a, b]) => holds(fit, a, b)).flat();
      expect(named.filter((path) => !read.has(path))).toEqual([]);
    },
  );

  it('are named by relations that an overlay is held to', () => {
    const texts = relations.map(({ text }) => text);
    expect(fits.flatMap((fit) => ('relation' in fit && !texts.includes(fit.relation) ? [fit.relation] : []))).toEqual(
      [],
    );
  });
});

describe('findings from the tables of states and flows', () => {
  const facts = factsOf();
  const found = (over: Partial<LintFacts>) => lint({ ...facts, ...over }).map(({ id }) => id);

  it('a sponsorship that its parent’s freeze does not end makes the code reachable', () => {
    expect(found({})).toContain('unreachable/sponsor-parent-frozen');
    const kept = moves.filter(({ trigger }) => !trigger.includes('freezes the parent'));
    expect(found({ moves: kept })).not.toContain('unreachable/sponsor-parent-frozen');
  });

  it('a move out of a state is an exit, and one by decision alone is told', () => {
    expect(found({})).toEqual(expect.arrayContaining(['no-exit/key-revoked', 'no-exit/flag-sustained']));
    const issue = {
      subject: 'key',
      from: 'revoked',
      to: 'valid',
      trigger: 'a new key',
      by: 'agent',
      source: 'spec',
    } as const;
    expect(found({ moves: [...moves, issue] })).not.toContain('no-exit/key-revoked');
    const none = moves.filter(({ trigger }) => trigger !== 'POST /agent/resync');
    expect(found({ moves: none })).toContain('no-exit/agent-frozen');
    expect(found({ moves: none })).not.toContain('penalty-loop/flag-sustained');
  });

  it('a complaint that its target can end is no loop', () => {
    const appeal = {
      subject: 'flag',
      from: 'sustained',
      to: 'closed',
      trigger: 'an appeal',
      by: 'agent',
      source: 'spec',
    } as const;
    expect(found({ moves: [...moves, appeal] })).not.toContain('penalty-loop/flag-sustained');
  });

  it('an agent that can be removed can be missing', () => {
    expect(found({})).toEqual(
      expect.arrayContaining(['unreachable/wallet-agent-not-found', 'unreachable/metadata-agent-not-found']),
    );
    const removal = {
      subject: 'agent',
      from: 'active',
      to: 'removed',
      trigger: 'DELETE',
      by: 'other',
      source: 'spec',
    } as const;
    expect(found({ moves: [...moves, removal] }).filter((id) => id.endsWith('agent-not-found'))).toEqual([]);
  });

  it('name states that exist, and clauses and rows that exist', () => {
    const names = states.map(({ subject, name }) => `${subject}/${name}`);
    expect(
      moves
        .flatMap(({ subject, from, to }) => [from, to].map((name) => `${subject}/${name}`))
        .filter((each) => !names.includes(each)),
    ).toEqual([]);
    expect(states.flatMap(({ refuses }) => refuses).filter((row) => facts.errors[row] === undefined)).toEqual([]);
    for (const clause of [...states, ...flows].flatMap(({ clauses }) => clauses))
      expect(clauseById(clause).id).toBe(clause);
  });
});

describe('a file of known findings', () => {
  it.each([
    ['- id: x', 'id: must be the id of a finding'],
    ['- id: a/b\n  reason: r', 'arithmetic: is missing'],
    ['- id: a/b\n  arithmetic: x', 'reason: is missing'],
    ['- id: a/b\n  reason: r\n  why: w', 'why: is not a key'],
  ])('%j is refused with %s', (text, message) => {
    const parsed = parseKnownFindings(text, 'known.yaml');
    const said = parsed.ok ? [] : parsed.problems.map(({ key, message: what }) => `${key}: ${what}`);
    expect(said.join('\n')).toContain(message);
  });
});
