import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { describeProblem } from '../spec/document.js';
import { PURPOSES } from './purposes.js';
import { parseScenario, scenarioJsonSchema } from './schema.js';

const base = `format: 1
name: one
question: What happens?
duration: 14d
populations:
  - name: workers
    count: 10
    class: { narrow_task: 0.25, orchestrator: 0.75 }
    arrivals: { pattern: poisson, rate: 48 per day }
    heartbeat: { policy: keep_alive, margin: 5m }
    budget: { wallet: 0.5 SOL, top_up: { below: 5000, amount: 0.1 SOL, after: 6h, times: 3 } }
    hash_rate: 2M hashes/s
    outages:
      up: { distribution: weibull, mean: 5d, shape: 0.8 }
      down: { distribution: lognormal, mean: 1h, sigma: 1 }
measures: { every: 1h }
expectations:
  - frozen_share < 5% after 7d
`;

/** The rows of a table of mistakes: what is replaced, by what, and the problem that is named; `\n` is the end of a line. */
const rowsOf = (table: string): readonly string[][] =>
  table
    .split('\n')
    .filter((row) => row !== '')
    .map((row) => row.split(' => ').map((cell) => cell.replaceAll('\\n', '\n')));

/** The problems of a scenario with a part of it replaced. */
function problemsWith(text: string, part: string, replacement: string): string[] {
  expect(text).toContain(part);
  const parsed = parseScenario(text.replace(part, replacement), 'one.yaml');
  return parsed.ok ? [] : parsed.problems.map(describeProblem);
}

describe('a scenario file', () => {
  it('is read with every unit turned into seconds and lamports', () => {
    const parsed = parseScenario(base, 'one.yaml');
    if (!parsed.ok) throw new Error(parsed.problems.map(describeProblem).join('\n'));
    const { populations, ...scenario } = parsed.value;
    expect(scenario).toMatchObject({ format: 1, name: 'one', seed: 1, durationSec: 1_209_600 });
    expect(scenario.measures.everySec).toBe(3_600);
    expect(populations).toEqual([
      {
        name: 'workers',
        count: 10,
        classes: { narrow_task: 0.25, autonomous: 0, orchestrator: 0.75 },
        arrivals: { pattern: 'poisson', fromSec: 0, gapSec: 1_800 },
        heartbeat: { policy: 'keep_alive', marginSec: 300, spreadSec: 0 },
        budget: {
          walletLamports: 500_000_000,
          topUp: { belowLamports: 5_000, amountLamports: 100_000_000, afterSec: 21_600, timesMax: 3 },
        },
        hashesPerSec: 2_000_000,
        difficulty: null,
        outages: {
          up: { distribution: 'weibull', meanSec: 432_000, shape: 0.8 },
          down: { distribution: 'lognormal', meanSec: 3_600, sigma: 1 },
        },
        resync: true,
        countEndsGrowth: false,
        spawned: false,
        sponsored: false,
        sigil: 'at_birth',
        lifetime: null,
        reissue: null,
        spawning: null,
        flagging: null,
        misbehaves: false,
        forges: false,
        economics: { liveDayLamports: 0, heartbeatLamports: 0, gigahashLamports: 0 },
      },
    ]);
  });

  it('carries an overlay of the protocol', () => {
    const text = base.replace('duration: 14d', 'duration: 14d\nprotocol: { dms: { missedAnchorsMax: 90 } }');
    const parsed = parseScenario(text, 'one.yaml');
    expect(parsed.ok && parsed.value.protocol.dms.missedAnchorsMax).toBe(90);
    expect(parsed.ok && parsed.value.protocol.heartbeat.intervalBeatsMin).toBe(10);
  });
});

describe('a scenario file with a mistake says file, line, key and what is allowed', () => {
  // 2,400,000,000 s were minus 1,894,967,296 s in a column of 32 bits: money that arrives before it is asked for.
  it.each(
    rowsOf(`
duration: 14d => duraton: 14d => one.yaml:4: duraton: is not a key that is known here; known: format, name, question
duration: 14d => duration: 14 => one.yaml:4: duration: must be a duration in whole seconds such as 14d, 6h
duration: 14d => duration: 14 days => one.yaml:4: duration: must be a duration in whole seconds such as 14d, 6h
duration: 14d => duration: 11000d => one.yaml:4: duration: must be at most 3650d
after: 6h => after: 4000w => one.yaml:11: populations.0.budget.top_up.after: must be at most 7300d
mean: 5d => mean: 7301d => one.yaml:14: populations.0.outages.up.mean: must be at most 7300d
format: 1 => format: 2 => one.yaml:1: format: must be 1
question: What happens? => seed: 3 => one.yaml:1: question: is missing: must be a text
    count: 10 =>     count: -10 => one.yaml:7: populations.0.count: must be a whole number from 0 to 10000000
    count: 10 =>     count: 1.5 => one.yaml:7: populations.0.count: must be a whole number from 0 to 10000000
    count: 10 =>     size: 10 => one.yaml:7: populations.0.size: is not a key that is known here; known: name, count
name: workers => name: autonomous => one.yaml:6: populations.0.name: is the name of a class
name: workers => name: Workers => one.yaml:6: populations.0.name: must be a lower-case letter, then
orchestrator: 0.75 => orchestrator: 0.5 => one.yaml:8: populations.0.class: has shares that sum to 0.75
orchestrator: 0.75 => orchestra: 0.75 => one.yaml:8: populations.0.class.orchestra: is not a key that is known here
pattern: poisson => pattern: burst => one.yaml:9: populations.0.arrivals.pattern: must be at, uniform, poisson, entry, trace or spawned
rate: 48 per day => rate: 48 => one.yaml:9: populations.0.arrivals.rate: must be a rate above zero such as 200 per day
rate: 48 per day => over: 3d => one.yaml:9: populations.0.arrivals.rate: is missing: must be a rate
margin: 5m => margin: 61m => one.yaml:10: populations.0.heartbeat: has a margin and spread of 3660 s
policy: keep_alive => policy: dayly => one.yaml:10: populations.0.heartbeat.policy: must be interval, keep_alive, daily
wallet: 0.5 SOL => wallet: 0.5 USD => one.yaml:11: populations.0.budget.wallet: must be an amount such as 0.5 SOL
wallet: 0.5 SOL => wallet: 0.5 => one.yaml:11: populations.0.budget.wallet: must be an amount such as 0.5 SOL
2M hashes/s => 2 MH/s => one.yaml:12: populations.0.hash_rate: must be a hash rate above zero such as 2M hashes/s
shape: 0.8 => sigma: 0.8 => one.yaml:14: populations.0.outages.up.shape: is missing: must be a number from 0.2 to 20
distribution: lognormal => distribution: normal => one.yaml:15: populations.0.outages.down.distribution: must be fixed
measures: { every: 1h } => measures: { every: 5s } => one.yaml:16: measures.every: makes more than 100000 samples
measures: { every: 1h } => measures: { every: 1h, list: [frozn] } => one.yaml:16: measures.list.0: must be one of registered
  - frozen_share =>   - frozn_share => one.yaml:18: expectations.0: column 1: "frozn_share" is not a measure
  - frozen_share < =>   - frozen_share.autonomous < => one.yaml:18: expectations.0: is about no agents: none is of autonomous; known: workers, narrow_task, orchestrator
    count: 10 =>     count: 0 => one.yaml:18: expectations.0: is about no agents: no population has any
`),
  )('%s -> %s', (part = '', replacement = '', problem = '') => {
    expect(problemsWith(base, part, replacement)).toContainEqual(expect.stringContaining(problem));
  });

  it('names every mistake at once', () => {
    const text = base
      .replace('count: 10', 'count: -1')
      .replace('2M hashes/s', 'fast')
      .replace('margin: 5m', 'margin: 5');
    const parsed = parseScenario(text, 'one.yaml');
    expect(parsed.ok ? [] : parsed.problems.map(({ line }) => line)).toEqual([7, 10, 12]);
  });

  it('refuses two populations of one name, and more money than there can be', () => {
    const two = base.replace(
      'measures:',
      '  - { name: workers, count: 1, class: autonomous, heartbeat: { policy: interval, every: 1h }, budget: { wallet: 9000000 SOL }, hash_rate: 1k hashes/s }\nmeasures:',
    );
    const parsed = parseScenario(two, 'one.yaml');
    expect(parsed.ok ? [] : parsed.problems.map(describeProblem)).toEqual([
      'one.yaml:16: populations.1.name: is the name of another population',
    ]);
    const rich = parseScenario(base.replace('wallet: 0.5 SOL', 'wallet: 9000000 SOL'), 'one.yaml');
    expect(rich.ok ? [] : rich.problems.map(({ key, message }) => [key, message])).toEqual([
      ['populations', 'hold more than 2^53 - 1 lamports in their wallets'],
    ]);
  });
});

const richer = base.replace(
  'measures:',
  `    spawning: { into: brood, every: { distribution: fixed, mean: 1h }, sponsor: { cap: 50, expires: 24h } }
    flagging: { every: { distribution: fixed, mean: 1h }, targets: workers }
  - name: brood
    count: 5
    class: narrow_task
    arrivals: { pattern: spawned }
    sigil: never
    heartbeat: { policy: daily, from: 8h, for: 10h, every: 20m, margin: 5m }
    budget: { wallet: 0 lamports }
    hash_rate: 2M hashes/s
reviews: { delay: { distribution: fixed, mean: 1h }, accuracy: 0.9 }
faults:
  - { kind: outage, at: 1d, for: 2h, populations: [workers], share: 0.5 }
  - { kind: payments, at: 1d, for: 2h, late: 0.5, dropped: 0.2 }
interventions:
  - { kind: protocol, at: 2d, set: { heartbeat: { tier1FeeLamports: 1 } } }
  - { kind: subsidy, at: 2d, discount_bps: 5000 }
measures:`,
);

describe('a mistake in what few scenarios have says file, line, key and what is allowed', () => {
  it('is none in the scenario itself', () => {
    const parsed = parseScenario(richer, 'one.yaml');
    expect(parsed.ok ? [] : parsed.problems.map(describeProblem)).toEqual([]);
  });

  it.each(
    rowsOf(`
into: brood => into: brod => one.yaml:16: populations.0.spawning.into: "brod" is not a population here; known: workers, brood
into: brood => into: workers => one.yaml:16: populations.0.spawning.into: "workers" must have arrivals { pattern: spawned }
budget: { wallet: 0 lamports }\\n => budget: { wallet: 0 lamports }\\n    difficulty: 99\\n => one.yaml:25: populations.1.difficulty: must be from 100 to 5000: receipts of no other difficulty are given and taken
discount_bps: 5000 => fee: reissuance, discount_bps: 5000 => one.yaml:32: interventions.1.fee: has no effect: no population here has reissue
sigil: never => sigil: never\\n    reissue: { every: { distribution: fixed, mean: 1d } } => one.yaml:23: populations.1.reissue: is for agents with money of their own
cap: 50 => cap: -1 => one.yaml:16: populations.0.spawning.sponsor.cap: must be a whole number from 1 to 10000
expires: 24h => expires: 90m => one.yaml:16: populations.0.spawning.sponsor.expires: must be whole hours
expires: 24h => expire: 24h => one.yaml:16: populations.0.spawning.sponsor.expire: is not a key that is known here; known: cap, expires, renew, answer, generations
targets: workers => targets: nobody => one.yaml:17: populations.0.flagging.targets: "nobody" is not a population here
sigil: never => sigil: later => one.yaml:22: populations.1.sigil: must be one of at_birth, at_cap, never
sigil: never => sigil: at_birth => one.yaml:22: populations.1.sigil: must be never for children without money
for: 10h, every => for: 30h, every => one.yaml:23: populations.1.heartbeat: has hours that are not within a day
every: 20m, margin: 5m => every: 20m, margin: 2h => one.yaml:23: populations.1.heartbeat: has a margin of 7200 s, and must stay under the 3600 s of the DMS
accuracy: 0.9 => accuracy: 90% => one.yaml:26: reviews.accuracy: must be a number from 0 to 1
kind: outage, => kind: blackout, => one.yaml:28: faults.0.kind: must be outage, outages, anchor_stall or payments
at: 1d, for: 2h, populations => at: 20d, for: 2h, populations => one.yaml:28: faults.0.at: must be before the end of the scenario
at: 1d, for: 2h, populations => at: 1d, for: 4000w, populations => faults.0.for: must be at most 7300d
populations: [workers] => populations: [walkers] => one.yaml:28: faults.0.populations.0: "walkers" is not a population here
late: 0.5 => late: 0.9 => one.yaml:29: faults.1: has shares of late and dropped payments that are more than 1 together
kind: payments, at: 1d, for: 2h, late: 0.5, dropped: 0.2 => kind: outage, at: 2d, for: 2h => one.yaml:29: faults.1: needs a name: another outage has none either
kind: payments, at: 1d => kind: payments, name: Ledger, at: 1d => one.yaml:29: faults.1.name: must be up to 64 lower-case letters, digits and hyphens
- { kind: subsidy, at: 2d, discount_bps: 5000 } => - { kind: revoke_keys, name: one, at: 2d }\\n  - { kind: revoke_keys, name: one, at: 3d } => one.yaml:33: interventions.2.name: is the name of another one
tier1FeeLamports: 1 } => epochBeats: 5 } => one.yaml:31: interventions.0.set.heartbeat.epochBeats: cannot change in the middle of a run
tier1FeeLamports: 1 } => tier1Fee: 1 } => one.yaml:31: interventions.0.set.heartbeat.tier1Fee: is not a key that is known here
discount_bps: 5000 => discount_bps: 50% => one.yaml:32: interventions.1.discount_bps: must be a whole number from 1 to 10000
`),
  )('%s -> %s', (part = '', replacement = '', problem = '') => {
    expect(problemsWith(richer, part, replacement)).toContainEqual(expect.stringContaining(problem));
  });
});

describe('the JSON Schema of scenario files', () => {
  it('is closed, and describes units', () => {
    const schema = scenarioJsonSchema();
    expect(schema).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      additionalProperties: false,
      required: ['format', 'name', 'question', 'duration', 'populations', 'measures'],
    });
    const { duration, populations } = schema['properties'] as Record<string, Record<string, unknown>>;
    expect(duration).toMatchObject({ type: 'string', description: expect.stringContaining('14d') });
    expect(populations).toMatchObject({ type: 'array', minItems: 1, items: { additionalProperties: false } });
  });
});

describe('descriptions in the JSON Schema of scenario files', () => {
  it('are there for every key and every kind, and all are used', () => {
    const without: string[] = [];
    const said: string[] = [];
    const walk = (node: unknown, path: string): void => {
      if (typeof node !== 'object' || node === null) return;
      const { properties = {}, ...rest } = node as Record<string, Record<string, unknown>>;
      said.push(String(rest['description']));
      for (const [key, inner] of Object.entries(properties) as [string, Record<string, unknown>][]) {
        // The number's own description begins with a unit; groups of numbers need none.
        const isGroup = /^(protocol|interventions\.set)\./.test(`${path}${key}`) && inner['type'] === 'object';
        if (inner['description'] === undefined && !isGroup) without.push(path + key);
        if (typeof inner['const'] === 'string' && rest['description'] === undefined)
          without.push(`${path}${key} ${inner['const']}`);
        walk(inner, `${path}${key}.`);
      }
      for (const each of Object.values(rest)) for (const one of [each].flat()) walk(one, path);
    };
    walk(scenarioJsonSchema(), '');
    expect(without).toEqual([]);
    const unused = Object.values(PURPOSES).filter((text) => !said.some((each) => each.startsWith(text)));
    expect(unused).toEqual([]);
  });
});

describe('the scenarios that come with the project', () => {
  const folders = ['library', 'bench'].map((folder) => new URL(`./${folder}/`, import.meta.url));
  const files = folders.flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.yaml'))
      .map((name) => new URL(name, folder)),
  );

  it.each(files.map((file) => [file.pathname.split('/').slice(-2).join('/'), file] as const))(
    '%s can be read',
    (name, file) => {
      const parsed = parseScenario(readFileSync(file, 'utf8'), name);
      expect(parsed.ok ? [] : parsed.problems.map(describeProblem)).toEqual([]);
      expect(parsed.ok && parsed.value.expectations.length).toBeGreaterThan(0);
    },
  );
});
