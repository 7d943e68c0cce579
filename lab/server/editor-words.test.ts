import { describe, expect, it } from 'vitest';
import { commandFolder } from '../../test/fixtures/command-folder.js';
import { ConformanceDesk } from './conformance/conformance-desk.js';
import type { PlaceWords } from './editor-words.js';
import { packageSweeps } from './simulation/given-sweeps.js';
import { simulationActions } from './simulation/simulation-actions.js';
import { SimulationDesk } from './simulation/simulation-desk.js';
import { specificationActions } from './specification/specification-actions.js';

const actions = [
  ...simulationActions(new SimulationDesk(() => undefined), commandFolder(), await packageSweeps()),
  ...specificationActions(new ConformanceDesk(undefined, 1, () => undefined), commandFolder()),
];

/** The answer about a text at the sign `|` in it. */
function wordsAt(marked: string, path = 'simulation/words', name?: string): PlaceWords {
  const at = marked.indexOf('|');
  const text = marked.replace('|', '');
  const run = actions.find((each) => each.path === path)?.run;
  return run?.({ text, at, ...(name === undefined ? {} : { name }) }) as PlaceWords;
}
const offered = (marked: string, path?: string, name?: string): readonly string[] =>
  wordsAt(marked, path, name).words.map(({ text }) => text);

const POPULATIONS = 'populations:\n  - { name: workers, count: 5 }\n  - name: others\n';

describe('the words at a place', () => {
  it.each([
    ['na|', ['name', 'question', 'measures'], ['count', 'every', 'interval']],
    ['name: x\nse|\nduration: 1d\n', ['seed', 'protocol'], ['name', 'duration', 'kind']],
    ['name: x\n|', ['duration'], ['name']],
    ['populations:\n  - name: a\n    |', ['count', 'heartbeat', 'spawning'], ['name', 'seed']],
    ['populations:\n  - |', ['name', 'class'], ['duration']],
    ['populations:\n  - heartbeat: { | }', ['policy', 'every', 'per_day'], ['count']],
    ['populations:\n  - heartbeat: { policy: bu| }', ['budget', 'interval', 'own'], ['policy', 'every', 'fixed']],
    ['populations:\n  - heartbeat: { policy: budget, | }', ['per_day'], ['every', 'policy', 'jitter']],
    ['populations:\n  - heartbeat:\n      policy: keep_alive\n      |', ['margin', 'spread'], ['every', 'policy']],
    ['populations:\n  - heartbeat: { policy: budget, |\nmeasures: { every: 1h }', ['per_day'], ['every']],
    ['populations:\n  - class: |', ['narrow_task', 'orchestrator'], ['policy']],
    ['populations:\n  - resync: |', ['true', 'false'], ['interval']],
    ['populations:\n  - lifetime: { distribution: weibull, | }', ['mean', 'shape'], ['sigma']],
    ['protocol: { heartbeat: { | } }', ['tier1FeeLamports'], ['missedAnchorsMax', 'policy']],
    ['interventions:\n  - kind: |', ['protocol', 'subsidy'], ['outage', 'payments']],
    ['interventions:\n  - kind: protocol\n    set: { d| }', ['dms', 'heartbeat'], ['at', 'tier1FeeLamports']],
    ['faults: [{ kind: outage, f| }]', ['for', 'share'], ['late', 'kind', 'catch_up']],
    [`${POPULATIONS}faults: [{ kind: outage, populations: [|] }]`, ['workers', 'others'], ['share']],
    [`${POPULATIONS}    spawning: { into: w| }`, ['workers'], ['narrow_task', 'every']],
    ['traces: { gaps: { values: [1] } }\npopulations:\n  - heartbeat: { policy: trace, trace: | }', ['gaps'], []],
    ['measures: { list: [fr|] }', ['frozen_share', 'fees_lamports'], ['every', 'freeze']],
    ['sometimes: [fr|]', ['freeze', 'subsidy'], ['frozen_share']],
    ['expectations:\n  - fro|', ['frozen_share'], ['every']],
    ['expectations:\n  - fro| < 5% at 2d', ['frozen_share'], []],
    [
      `${POPULATIONS}expectations: ["frozen_share.w|"]`,
      ['frozen_share.workers', 'frozen_share.autonomous'],
      ['freezes'],
    ],
    ['# na|', [], ['name']],
    ['name: a # na|', [], ['name']],
    ['question: |', [], ['name', 'seed']],
    ['no: { such: { | } }', [], ['name']],
  ])('%j', (marked, some, none) => {
    const words = offered(marked);
    expect(words).toEqual(expect.arrayContaining(some));
    expect(none.filter((each) => words.includes(each))).toEqual([]);
    expect(new Set(words).size).toBe(words.length);
    if (some.length === 0) expect(words).toEqual([]);
  });

  it('of sweeps and of changes are those of their own schemas', () => {
    const sweep = 'sweep/flat-fees';
    expect(offered('rep|', undefined, sweep)).toEqual(expect.arrayContaining(['replicates', 'design']));
    expect(offered('rep|', undefined, sweep)).not.toContain('populations');
    const factors = offered('design: { kind: grid, factors: { | } }', undefined, sweep);
    expect(factors).toContain('protocol.heartbeat.intervalBeatsMin');
    expect(offered('dms: { | }', 'specification/words')).toEqual([
      'missedAnchorsMax',
      'warningAnchors',
      'graceAnchors',
    ]);
    expect(offered('|', 'specification/words')).not.toContain('populations');
  });

  it.each([
    ['populations:\n  - heart|beat: { policy: interval }', 'when an agent sends heartbeats'],
    ['populations:\n  - heartbeat: { pol|icy: interval }', 'the kind of behaviour'],
    ['populations:\n  - heartbeat: { policy: bud|get }', 'as often as a sum for each day pays for'],
    ['populations:\n  - heartbeat: { policy: spam, every: 1|m }', /^the time from one to the next; a duration/],
    ['populations:\n  - heartbeat: { policy: interval }\nexp|ectations: []', 'what must come true'],
    ['protocol: { heartbeat: { tier1Fee|Lamports: 1 } }', /^lamports: a whole number from 0 .* says 500000/],
    ['measures: { list: [frozen|_share] }', 'Share of agents frozen; in share'],
    ['sometimes: [fre|eze]', "The Dead Man's Switch froze an agent."],
    ['nowhere|: 1', ''],
  ])('what it means: %j', (marked, about) => {
    const said = wordsAt(marked).about;
    if (typeof about === 'string') expect(said).toBe(about);
    else expect(said).toMatch(about);
  });

  it('replace the whole word', () => {
    expect(wordsAt('name: x\ndura|tion: 1d')).toMatchObject({ from: 8, to: 16 });
    expect(wordsAt('measures: { | }')).toMatchObject({ from: 12, to: 12 });
  });
});
