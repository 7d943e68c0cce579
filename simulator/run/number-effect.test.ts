import { describe, expect, it } from 'vitest';
import type { Population, Scenario } from '../../scenarios/scenario.js';
import { overlayOf, withOverlay } from '../../spec/overlay.js';
import { protocolNumbers } from '../../spec/protocol.js';
import { DAY_SEC, HOUR_SEC } from '../../spec/time.js';
import { inParts } from '../../test/fixtures/in-parts.js';
import { played, smallScenario } from '../../test/fixtures/small-scenario.js';
import { changeWorldProtocol } from '../play/change-protocol.js';
import { advance, startRun } from './run.js';
import { resultOf } from './simulate.js';

const fixed = (meanSec: number) => ({ distribution: 'fixed', meanSec }) as const;
const measures = {
  everySec: DAY_SEC / 2,
  names: ['fees_lamports', 'gigahashes', 'passports_valid', 'uptime_share'],
} as const;
const plain = (rest: Partial<Scenario> = {}): Scenario => smallScenario([{ count: 2 }], { measures, ...rest });
const changed = (path: string, value: number): Scenario => plain({ protocol: withOverlay(overlayOf(path, value)) });

const notesOf = (scenario: Scenario): readonly string[] =>
  (played(scenario).manifest.no_effect ?? []).map(({ key, text }) => `${key}: ${text}`);
const outcomeOf = (scenario: Scenario): string => {
  const { manifest, series, totals } = played(scenario);
  return JSON.stringify([manifest.event_hash, series, totals]);
};

describe('a changed number without effect', () => {
  it.each([
    ['limits.lookup.count', 600, 'a simulation has no rate limits'],
    ['webhook.retry1Sec', 5, 'a simulation delivers no webhooks'],
    ['beat.difficulty', 2_000, 'nothing that a simulation measures depends on it'],
    ['heartbeat.orchestratorCap', 400, 'no agent sent as many heartbeats'],
    ['heartbeat.tier1HeartbeatsMax', 60, 'no agent sent as many heartbeats'],
    ['heartbeat.tier2FeeLamports', 1, 'no heartbeat was paid in tier 2'],
    ['heartbeat.epochBeats', 2_000, 'the run ends within its first epoch'],
    ['sigil.orchestratorFeeLamports', 1, 'no agent of orchestrator buys a SIGIL'],
    ['reissue.feeLamports', 1, 'no population pays for reissues'],
    ['feeSplit.developmentFallBpsPerYear', 1, 'the run ends before the development share falls'],
    ['resync.beatsMax', 500, 'no agent began a resync'],
    ['work.difficultyMin', 50, 'no agent had beats to compute'],
    ['proof.challengeChecks', 3, 'no agent forges proofs of work'],
    ['spawn.baseBeats', 5, 'no parent asked for a child'],
    ['sponsor.heartbeatsEpochDefault', 5, 'every sponsorship has a cap of its own'],
    ['flag.breakerPendingMax', 5, 'no complaint was filed'],
    ['subsidy.floorLamportsDefault', 5, 'no subsidy takes the default floor'],
  ])('is named with the reason: %s = %i', (path, value, text) => {
    expect(notesOf(changed(path, value))).toEqual([expect.stringContaining(`protocol.${path}: ${text}`)]);
    expect(outcomeOf(changed(path, value))).toBe(outcomeOf(plain()));
  });

  it.each([
    ['heartbeat.tier1HeartbeatsMax', 10],
    ['heartbeat.narrowTaskCap', 20],
    ['heartbeat.tier1FeeLamports', 1],
    ['heartbeat.intervalBeatsMin', 40],
    ['sigil.narrowTaskFeeLamports', 1],
    ['dms.missedAnchorsMax', 20],
    ['passport.validityHours', 0],
    ['feeSplit.operationsBps', 1_000],
  ])('is not one that acts: %s = %i', (path, value) => {
    const scenario = (of: (path: string, value: number) => Scenario): Scenario => ({
      ...of(path, value),
      measures: { everySec: HOUR_SEC, names: ['fees_to_operations_lamports', 'passports_valid'] },
    });
    expect(notesOf(changed(path, value))).toEqual([]);
    expect(outcomeOf(scenario(changed))).not.toBe(outcomeOf(scenario(() => plain())));
  });

  it('is named once for each way in which it was changed', () => {
    const set = { limits: { lookup: { count: 7 } }, webhook: { timeoutSec: 9 }, dms: { missedAnchorsMax: 50 } };
    const scenario = plain({
      protocol: withOverlay({ limits: { lookup: { count: 6 } } }),
      interventions: [{ kind: 'protocol', name: 'p', atSec: HOUR_SEC, set }],
    });
    expect((played(scenario).manifest.no_effect ?? []).map(({ key }) => key)).toEqual([
      'protocol.limits.lookup.count',
      'interventions.0.set.limits.lookup.count',
      'interventions.0.set.webhook.timeoutSec',
    ]);
    const run = startRun(plain(), 1);
    advance(run, HOUR_SEC);
    changeWorldProtocol(run.world, { webhook: { timeoutSec: 9 }, dms: { missedAnchorsMax: 50 } });
    advance(run, DAY_SEC);
    const fork = { name: 'f', at_ms: 3_600_000, set: { 'webhook.timeoutSec': 9, 'dms.missedAnchorsMax': 50 } };
    const origin = { source: { file: 's', sha256: '' }, versions: { aips_lab: '', node: '' }, fork };
    expect(resultOf(run, origin, { wallSec: 0, peakRssMb: 0 }).manifest.no_effect?.map(({ key }) => key)).toEqual([
      'fork.protocol.webhook.timeoutSec',
    ]);
  });

  it('is the same in parts', () => {
    const scenario = smallScenario([{ count: 100 }], {
      protocol: withOverlay({ heartbeat: { tier1HeartbeatsMax: 60 } }),
    });
    const keys = [{ key: 'protocol.heartbeat.tier1HeartbeatsMax', text: 'no agent sent as many heartbeats' }];
    expect(inParts(scenario, 3).result.manifest.no_effect).toEqual(keys);
  });
});

/** A protocol that notes which of its numbers are read. */
function reading(read: Set<string>): Scenario['protocol'] {
  const watch = <T extends object>(node: T, prefix: string): T =>
    new Proxy(node, {
      get(target, key) {
        const value: unknown = Reflect.get(target, key);
        if (typeof value === 'number') read.add(prefix + String(key));
        return typeof value === 'object' && value !== null ? watch({ ...value }, `${prefix}${String(key)}.`) : value;
      },
    });
  return watch(structuredClone(withOverlay({})), '');
}

describe('the rows of numbers', () => {
  it('say of none that a run reads that nothing depends on it, but for the forms of ids, keys and authorizations', () => {
    const children: Partial<Population> = {
      name: 'children',
      count: 9,
      spawned: true,
      arrivals: { pattern: 'spawned' },
    };
    const spawning = {
      into: 'children',
      every: fixed(600),
      childrenMax: 3,
      depthMax: 9,
      beatsMax: 9_000,
      sponsor: null,
    };
    const busy: Partial<Population> = {
      ...{ count: 3, forges: true, spawning, reissue: { every: fixed(HOUR_SEC), free: false } },
      heartbeat: { policy: 'interval', everySec: 5_000, jitter: 0 },
      flagging: { every: fixed(HOUR_SEC), targets: 'agents', assertedClass: 'narrow_task' },
    };
    const read = new Set<string>();
    const run = startRun(smallScenario([busy, children], { protocol: reading(read), measures }), 1);
    advance(run, DAY_SEC);
    const idle = new Set(
      protocolNumbers()
        .map(({ path, value }) => ({ path, value }))
        .filter(({ path, value }) => {
          const notes = notesOf({ ...plain(), durationSec: 60, protocol: withOverlay(overlayOf(path, value + 1)) });
          return notes.some((note) => note.includes('nothing that a simulation measures depends on it'));
        })
        .map(({ path }) => path),
    );
    expect([...read].filter((path) => idle.has(path)).sort()).toEqual([
      ...['agent.hashBytes', 'agent.rootDepth', 'agent.secretBytes', 'beat.genesisIndex', 'metadata.generationStart'],
      'spawn.authorizationTtlSec',
    ]);
    expect([read.size > 30, idle.size > 30]).toEqual([true, true]);
  });
});
