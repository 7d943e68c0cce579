import { describe, expect, it } from 'vitest';
import { describeProblem } from './document.js';
import { brokenRelations, overlayOf, overlaySchema, parseOverlay, relations, withOverlay } from './overlay.js';
import { protocol, protocolNumbers } from './protocol.js';

const WHOLE = 'must be a whole number from 0 to 9007199254740991 (the specification says 10)';

/** Each mistake of a file, with its line and its key. */
const faults: readonly (readonly [fault: string, text: string, line: number, key: string, message: string])[] = [
  [
    'an unknown group',
    'heartbeets:\n  intervalBeatsMin: 9\n',
    1,
    'heartbeets',
    'is not a key that is known here; did you mean heartbeat?',
  ],
  [
    'an unknown number',
    '# note\nheartbeat:\n  interval: 9\n',
    3,
    'heartbeat.interval',
    expect.stringContaining('heartbeat has intervalBeatsMin, epochBeats, '),
  ],
  ['text', 'heartbeat:\n  intervalBeatsMin: ten\n', 2, 'heartbeat.intervalBeatsMin', WHOLE],
  ['a quoted number', 'heartbeat:\n  intervalBeatsMin: "9"\n', 2, 'heartbeat.intervalBeatsMin', WHOLE],
  ['a negative number', 'heartbeat:\n  intervalBeatsMin: -1\n', 2, 'heartbeat.intervalBeatsMin', WHOLE],
  ['a fraction', 'heartbeat:\n  intervalBeatsMin: 9.5\n', 2, 'heartbeat.intervalBeatsMin', WHOLE],
  ['a negative fraction', 'heartbeat:\n  intervalBeatsMin: -9.5\n', 2, 'heartbeat.intervalBeatsMin', WHOLE],
  ['infinity', 'heartbeat:\n  intervalBeatsMin: .inf\n', 2, 'heartbeat.intervalBeatsMin', WHOLE],
  ['more than is safe', 'heartbeat:\n  intervalBeatsMin: 1e17\n', 2, 'heartbeat.intervalBeatsMin', WHOLE],
  ['a map for a number', 'heartbeat:\n  intervalBeatsMin:\n    beats: 9\n', 2, 'heartbeat.intervalBeatsMin', WHOLE],
  ['a number for a map', 'dms:\n  warningAnchors: 9\nheartbeat: 9\n', 3, 'heartbeat', 'must be a map of numbers'],
  ['nothing for a map', 'heartbeat:\n', 1, 'heartbeat', 'must be a map of numbers'],
  ['a list for the file', '- 1\n', 1, '', 'must be a map of numbers'],
  ['a limit without requests', 'limits:\n  flag:\n    count: none\n', 3, 'limits.flag.count', WHOLE],
  [
    'a divisor of zero',
    'feeSplit:\n  yearDays: 0\n',
    2,
    'feeSplit.yearDays',
    'must be a whole number from 1 to 36500 (the specification says 365)',
  ],
  [
    'a year beyond the calendar',
    'feeSplit:\n  yearDays: 36501\n',
    2,
    'feeSplit.yearDays',
    'must be a whole number from 1 to 36500 (the specification says 365)',
  ],
  [
    'hashes of another length',
    'agent: { hashBytes: 15 }\n',
    1,
    'agent.hashBytes',
    'is not changed by data: every example and vector of the text has 0x and 64 characters',
  ],
  [
    'another depth of roots',
    'agent: { rootDepth: 1 }\n',
    1,
    'agent.rootDepth',
    'is not changed by data: by depth 0 every rule tells a root from a child',
  ],
  [
    'a period of grace',
    'passport: { validityHours: 12, graceHours: 1 }\n',
    1,
    'passport.graceHours',
    'is not changed by data: a freeze has a period of grace, dms.graceAnchors, and any other is a rule of its own; change the behaviour in reference/, and the text of its clauses in spec/clauses/ by pull request',
  ],
  [
    'a cap for life',
    'heartbeat:\n  capForLife: 9\n',
    2,
    'heartbeat.capForLife',
    'is not changed by data: a cap for life needs a count that no epoch resets; change the behaviour in reference/, and the text of its clauses in spec/clauses/ by pull request',
  ],
  [
    'another formula',
    'spawn: { formula: "2^n" }\n',
    1,
    'spawn.formula',
    'is not changed by data: the numbers of a formula are, resync.penaltyBeats and spawn.costBeats are below formulas, and another formula is a rule; change the behaviour in reference/, and the text of its clauses in spec/clauses/ by pull request',
  ],
  [
    'text alone',
    'clauses: { dms.freeze: later }\n',
    1,
    'clauses',
    'is not changed by data: change the text of the clause in spec/clauses/ by pull request',
  ],
  [
    'a slip in a key',
    'heartbeat: { narowTaskCap: 9 }\n',
    1,
    'heartbeat.narowTaskCap',
    'is not a key that is known here; did you mean narrowTaskCap?',
  ],
  [
    'a number in no group',
    'narrowTaskCap: 9\n',
    1,
    'narrowTaskCap',
    'is not a key that is known here; did you mean heartbeat.narrowTaskCap?',
  ],
  [
    'a number given twice',
    'heartbeat:\n  intervalBeatsMin: 9\n  intervalBeatsMin: 8\n',
    3,
    'heartbeat.intervalBeatsMin',
    'is given twice',
  ],
];

describe('an overlay file', () => {
  it.each(faults)('with %s is refused with line and key', (_, text, line, key, message) => {
    expect(parseOverlay(text, 'overlay.yaml')).toEqual({
      ok: false,
      problems: [{ file: 'overlay.yaml', line, key, message }],
    });
  });

  it('that is not YAML is refused with its line', () => {
    const parsed = parseOverlay('dms:\n  warningAnchors: 9\nheartbeat: [1,\n', 'overlay.yaml');
    expect(parsed.ok).toBe(false);
    const problems = parsed.ok ? [] : parsed.problems;
    expect(problems[0]?.message).toMatch(/^is not YAML: /);
    expect(problems.map(({ file, line }) => [file, line >= 3])).toEqual(problems.map(() => ['overlay.yaml', true]));
  });

  it('reports every mistake at once, one line each', () => {
    const parsed = parseOverlay('heartbeat:\n  intervalBeatsMin: x\ndms:\n  missed: 1\n  warned: 2\n', 'o.yaml');
    expect(parsed.ok ? [] : parsed.problems.map(describeProblem)).toEqual([
      `o.yaml:2: heartbeat.intervalBeatsMin: ${WHOLE}`,
      'o.yaml:4: dms.missed: is not a key that is known here: dms has missedAnchorsMax, warningAnchors, graceAnchors; a number that is new needs a rule that obeys it (CONTRIBUTING.md, A number)',
      'o.yaml:5: dms.warned: is not a key that is known here: dms has missedAnchorsMax, warningAnchors, graceAnchors; a number that is new needs a rule that obeys it (CONTRIBUTING.md, A number)',
    ]);
  });

  it('may be empty, and may hold any part of the protocol', () => {
    expect(parseOverlay('', 'o.yaml')).toEqual({ ok: true, value: {} });
    expect(parseOverlay('limits: { flag: { count: 3 } }', 'o.yaml')).toEqual({
      ok: true,
      value: { limits: { flag: { count: 3 } } },
    });
  });
});

describe('withOverlay', () => {
  it('replaces one number, and leaves the others and the original alone', () => {
    const changed = withOverlay({ heartbeat: { intervalBeatsMin: 9 } });
    const others = (from: typeof protocol) =>
      protocolNumbers(from).filter(({ path }) => path !== 'heartbeat.intervalBeatsMin');
    expect(changed.heartbeat.intervalBeatsMin).toBe(9);
    expect(others(changed)).toEqual(others(protocol));
    expect(protocol.heartbeat.intervalBeatsMin).toBe(10);
  });

  it('lays one overlay over another', () => {
    const first = withOverlay({ dms: { missedAnchorsMax: 70 } });
    const second = withOverlay({ dms: { warningAnchors: 50 } }, first);
    expect(second.dms).toEqual({ missedAnchorsMax: 70, warningAnchors: 50, graceAnchors: 0 });
    expect(first.dms).toEqual({ missedAnchorsMax: 70, warningAnchors: 48, graceAnchors: 0 });
  });

  it('gives a protocol that cannot be changed', () => {
    const changed = withOverlay({ limits: { flag: { count: 3 } } });
    expect(changed.limits.flag).toEqual({ count: 3, windowSec: 60 });
    expect(() => Object.assign(changed.limits.flag, { count: 4 })).toThrow(TypeError);
  });

  it.each(protocolNumbers())('replaces $path alone', ({ path, value }) => {
    const changed = protocolNumbers(withOverlay(overlayOf(path, value + 1)));
    const differing = changed.filter((number, at) => number.value !== protocolNumbers()[at]?.value);
    expect(differing).toEqual([{ path, value: value + 1 }]);
  });
});

describe('a number is at most what can be done with it', () => {
  it.each([
    ['webhook.timeoutSec', 2_147_483, 'a timer waits 2^31 - 1 ms'],
    ['webhook.retry5Sec', 3_200_000_000, 'retries wait on the clock of the service, not on a timer'],
    ['anchor.beatsPerAnchor', 1_000_000, 'beats stay safe integers over a century'],
    ['beat.genesisIndex', 1_000_000_000_000_000, 'a chain has to have room after it'],
    ['passport.validityHours', 876_000, 'a century'],
    ['passport.lineageProofUntilMs', 253_402_300_799_999, 'the last moment of the year 9999'],
  ])('%s: %d, since %s', (path, most) => {
    expect(overlaySchema.safeParse(overlayOf(path, most)).success).toBe(true);
    expect(overlaySchema.safeParse(overlayOf(path, most + 1)).success).toBe(false);
  });
});

/** Numbers that an overlay cannot change. */
const fixed = ['agent.hashBytes', 'agent.rootDepth', 'wallet.publicKeyBytes'];

/** Numbers at the end of their range, so that one less is refused. */
const lowest = [
  ...fixed,
  'agent.nameCharsMin',
  'agent.depthMax',
  'beat.genesisIndex',
  'proof.challengeChecks',
  'anchor.beatsPerAnchor',
  'heartbeat.epochFeeLamports',
  'feeSplit.burntBps',
  'resync.feeLamports',
  'deposit.lamports',
  'dms.graceAnchors',
];

describe('relations', () => {
  it('hold for the specification', () => {
    expect(brokenRelations(protocol)).toEqual([]);
  });

  it.each(protocolNumbers())('hold, and the schema too, with $path one more', ({ path, value }) => {
    const overlay = overlayOf(path, value + 1);
    expect(overlaySchema.safeParse(overlay).success).toBe(!fixed.includes(path));
    expect(brokenRelations(withOverlay(overlay))).toEqual([]);
  });

  it.each(protocolNumbers())('hold with $path one less, where it is not at its lowest', ({ path, value }) => {
    const overlay = overlayOf(path, value - 1);
    expect(overlaySchema.safeParse(overlay).success).toBe(!lowest.includes(path));
    if (!lowest.includes(path)) expect(brokenRelations(withOverlay(overlay))).toEqual([]);
  });

  /** For every relation an overlay of one number that breaks it, and nothing else. */
  const breaking: readonly (readonly [path: string, value: number, text: string])[] = [
    ['agent.nameCharsMax', 0, 'agent.nameCharsMin <= agent.nameCharsMax'],
    ['registration.metadataBytesMax', 65_537, 'registration.metadataBytesMax <= body.bytesMax'],
    ['body.bytesMax', 262_145, 'body.bytesMax <= body.proofBytesMax'],
    ['proof.spotChecksMin', 26, 'proof.spotChecksMin <= proof.spotChecksMax'],
    ['proof.challengeChecks', 26, 'proof.challengeChecks <= proof.spotChecksMax'],
    ['anchor.graceAnchors', 0, '1 <= anchor.graceAnchors'],
    ['work.difficultyMin', 1_001, 'work.difficultyMin <= beat.difficulty <= work.difficultyMax'],
    ['work.difficultyMax', 999, 'work.difficultyMin <= beat.difficulty <= work.difficultyMax'],
    ['work.receiptDifficultyMin', 1_001, 'work.receiptDifficultyMin <= beat.difficulty'],
    ['heartbeat.tier1HeartbeatsMax', 1_000, 'heartbeat.tier1HeartbeatsMax < heartbeat.tier2HeartbeatsMax'],
    [
      'sigil.nameCharsMax',
      12,
      'sigil: the automatic name, auto- and the hex of autoNameBytes, is at most nameCharsMax',
    ],
    [
      'feeSplit.operationsBps',
      4_501,
      'feeSplit: operations, contributors, referral and developmentStart together are at most 10000',
    ],
    ['feeSplit.developmentFloorBps', 1_501, 'feeSplit.developmentFloorBps <= feeSplit.developmentStartBps'],
    ['dms.warningAnchors', 61, 'dms.warningAnchors <= dms.missedAnchorsMax'],
    [
      'sponsor.heartbeatsEpochMin',
      101,
      'sponsor.heartbeatsEpochMin <= sponsor.heartbeatsEpochDefault <= sponsor.heartbeatsEpochMax',
    ],
    ['verifyBatch.hashesMin', 51, 'verifyBatch.hashesMin <= verifyBatch.hashesMax'],
    ['flag.reasonCharsMin', 2_001, 'flag.reasonCharsMin <= flag.reasonCharsMax'],
    ['subsidy.discountBpsMin', 10_001, 'subsidy.discountBpsMin <= subsidy.discountBpsMax'],
    ['metadata.textCharsMin', 257, 'metadata.textCharsMin <= metadata.textCharsMax'],
  ];

  it.each(breaking)('are broken by %s = %d', (path, value, text) => {
    expect(brokenRelations(withOverlay(overlayOf(path, value)))).toEqual([text]);
  });

  it('are each broken by a row above', () => {
    expect(new Set(breaking.map(([, , text]) => text))).toEqual(new Set(relations.map(({ text }) => text)));
  });
});

describe('parts of the specification that are no data', () => {
  it.each([
    ['passport: { fields: { region: string } }', 'in spec/endpoints/'],
    ['replies: { heartbeat: { region: string } }', 'in spec/endpoints/'],
    ['states: { paused: true }', 'spec/states.ts'],
    ['agent: { states: [paused] }', 'spec/states.ts'],
    ['spawn: { formula: linear }', 'another formula is a rule'],
    ['vocabulary: { substrate: [quantum] }', 'spec/vocabulary.ts'],
    ['metadata: { substrate: [quantum] }', 'spec/vocabulary.ts'],
    ['limits: { spawn: { by: ip } }', 'kept by (address, agent'],
    ['paths: { heartbeat: /v2 }', 'in its file in spec/endpoints/'],
    ['/api/v1/agent/heartbeat: { method: PUT }', 'in its file in spec/endpoints/'],
    ['errors: { heartbeat/AGENT_FROZEN: false }', 'needs its rule to go'],
    ['errors: { heartbeat/AGENT_FROZEN: { status: 409, text: no } }', 'another status or code'],
    ['keys: { agent: pvx_ }', 'credentials and signatures are rules'],
    ['limits.spawn.count: 6', 'an overlay nests: limits: { spawn: { count: … } }'],
    ['limits: { spawn.count: 6 }', 'an overlay nests: limits: { spawn: { count: … } }'],
    ['limits: { spawn: 6 }', 'must be a map of numbers: count, windowSec'],
    ['__proto__: { count: 1 }', 'an overlay has the groups of numbers'],
    ['heartbeat: { __proto__: { count: 1 } }', 'heartbeat has intervalBeatsMin'],
    ['constructor: 3', 'an overlay has the groups of numbers'],
    ['anchor: { graceAnchor: 4 }', 'did you mean graceAnchors?'],
    ['anchor: { graceAnchors: x }', 'must be a whole number from'],
    ['insurance: { premium: 3 }', 'an overlay has the groups of numbers'],
  ])('%s says what to do', (text, message) => {
    const parsed = parseOverlay(text, 'change.yaml');
    expect(parsed.ok ? [] : parsed.problems.map((each) => each.message)).toEqual([expect.stringContaining(message)]);
  });

  it('a key that is given twice hides no other mistake, and a line that is not YAML is one', () => {
    const of = (text: string) => {
      const parsed = parseOverlay(text, 'o.yaml');
      return parsed.ok ? [] : parsed.problems.map(({ line, key }) => [line, key]);
    };
    expect(of('dms:\n  warningAnchors: 3\n  warningAnchors: 4\nheartbeat:\n  narrowTaskCap: x\n')).toEqual([
      [3, 'dms.warningAnchors'],
      [5, 'heartbeat.narrowTaskCap'],
    ]);
    expect(of('a: 1: 2: 3\nb: {\n').map(([line]) => line)).toEqual([1, 3]);
  });

  it.each([['endpoints: { passport: false }', 'limits.passport.count: 0']])(
    '%j says that it is not changed by data, and what is',
    (text, message) => {
      const parsed = parseOverlay(text, 'change.yaml');
      expect(parsed.ok ? [] : parsed.problems).toEqual([
        { file: 'change.yaml', line: 1, key: text.split(':')[0], message: expect.stringContaining(message) },
      ]);
      expect(parsed.ok ? '' : parsed.problems[0]?.message).toContain('is not changed by data');
    },
  );
});

it('an overlay with one part has no key for the others, so that a journal can hold it', () => {
  expect(parseOverlay('tiers: { gov: true }\n', 'o.yaml')).toStrictEqual({
    ok: true,
    value: { parts: { tiers: { gov: true } } },
  });
});
