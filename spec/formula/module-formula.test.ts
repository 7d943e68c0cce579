// Formulas that are functions of a module: their values, the numbers that they read, and the faults of an overlay that names one.
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { ruleModules, useRules } from '../../rules/rule-module.js';
import { root } from '../../test/source-tree.js';
import { changedParts } from '../change.js';
import { describeProblem } from '../document.js';
import { parseOverlay, withOverlay } from '../overlay.js';
import { protocol } from '../protocol.js';
import { formulaOf, penaltyFormula, unreadNumbers } from './formulas.js';

const folder = mkdtempSync(join(tmpdir(), 'aips-rules-'));
const OWN = `const pow = (base, n) => { let value = 1n; for (; n > 0; n -= 1) value *= BigInt(base); return value; };
export default {
  'resync.penaltyBeats': ({ missedAnchors }, { resync }) => Math.min(resync.beatsPerMissedAnchor * missedAnchors, resync.beatsMax),
  'spawn.costBeats': ({ depth, siblings }, { spawn }) => {
    const byDepth = (BigInt(spawn.baseBeats) * pow(spawn.depthFactorNumerator, depth)) / pow(spawn.depthFactorDenominator, depth);
    return (byDepth * pow(spawn.siblingFactorNumerator, siblings)) / pow(spawn.siblingFactorDenominator, siblings);
  },
};
`;

/** Names a module of this text, and gives the digest of it. */
function use(text: string): string {
  const file = join(folder, 'own.mjs');
  writeFileSync(file, text);
  useRules(file);
  return ruleModules()[0]?.sha256 ?? '';
}

const of = (name: string, sha256: string) => `formulas:\n  ${name}: { module: own.mjs, sha256: ${sha256} }\n`;
const faultsOf = (text: string) => {
  const parsed = parseOverlay(text, 'o.yaml');
  return parsed.ok ? '' : parsed.problems.map(describeProblem).join('\n');
};
const heldBy = (text: string, numbers = {}) => {
  const parsed = parseOverlay(text, 'o.yaml');
  if (!parsed.ok) throw new Error(faultsOf(text));
  return withOverlay({ ...numbers, ...parsed.value });
};

afterEach(() => useRules());

describe('a formula of a module', () => {
  it('gives the text’s penalty where it is the text’s: 100 for each missed anchor, at most 10,000', () => {
    const held = heldBy(of('resync.penaltyBeats', use(OWN)));
    const at = [0, 1, 61, 99, 100, 101, 5_000].map((missed) => penaltyFormula(held)?.(missed));
    expect(at).toEqual([0, 100, 6_100, 9_900, 10_000, 10_000, 10_000]);
  });

  it('gives the text’s cost of a child, exactly, up to 2^53 - 1', () => {
    const cost = formulaOf(heldBy(of('spawn.costBeats', use(OWN))), 'spawn.costBeats');
    const at = [
      [0, 0],
      [0, 1],
      [1, 0],
      [1, 1],
      [2, 0],
      [2, 3],
      [0, 3],
    ].map(([depth = 0, siblings = 0]) => cost?.(depth, siblings));
    expect(at).toEqual([1_000, 1_200, 1_500, 1_800, 2_250, 3_888, 1_728]);
    expect([cost?.(72, 0), cost?.(74, 0)]).toEqual([4_770_574_165_868_066, null]);
  });

  it('reads the numbers of its protocol, and those that it does not read have no effect', () => {
    const text = `export default { 'resync.penaltyBeats': ({ missedAnchors }, { resync }) => resync.beatsPerMissedAnchor * missedAnchors };`;
    const held = heldBy(of('resync.penaltyBeats', use(text)), { resync: { beatsPerMissedAnchor: 7 } });
    expect(formulaOf(held, 'resync.penaltyBeats')?.(1_000)).toBe(7_000);
    expect([...unreadNumbers(held)]).toEqual(['resync.beatsMax']);
  });

  it.each([
    ['1.9', 1],
    ['-5', 0],
    ['1 / 0', null],
    ['2 ** 53', null],
    ['2n ** 53n - 1n', 9_007_199_254_740_991],
    ['missedAnchors === 77 ? null : 3', null],
  ])('is a whole number of at least 0: %s is %s', (body, value) => {
    const held = heldBy(
      of('resync.penaltyBeats', use(`export default { 'resync.penaltyBeats': ({ missedAnchors }) => ${body} }`)),
    );
    expect(formulaOf(held, 'resync.penaltyBeats')?.(77)).toBe(value);
  });

  it('is told by the module and its digest in a comparison', () => {
    const sha256 = use(OWN);
    expect(changedParts(protocol, heldBy(of('resync.penaltyBeats', sha256)))).toMatchObject([
      { path: 'formulas.resync.penaltyBeats', to: `the module own.mjs (SHA-256 ${sha256})` },
    ]);
  });
});

describe('an overlay that names a module', () => {
  it('is refused where nobody names the file, where it is another one, and where it lacks the function', () => {
    const sha256 = use(`export default { 'spawn.costBeats': () => 7 };`);
    const key = 'o.yaml:2: formulas.resync.penaltyBeats';
    expect(faultsOf(of('resync.penaltyBeats', sha256))).toBe(
      `${key}.module: has no function 'resync.penaltyBeats': it has spawn.costBeats`,
    );
    expect(faultsOf(of('resync.penaltyBeats', 'a'.repeat(64)))).toContain(
      `.sha256: is that of no module of --rules: ${folder}`,
    );
    expect(faultsOf('formulas: { resync.penaltyBeats: { module: own.mjs } }')).toContain(`own.mjs is ${sha256}`);
    useRules();
    expect(faultsOf(of('resync.penaltyBeats', sha256))).toBe(
      `${key}.module: is code, which is run only if you name it: give its path with --rules, such as --rules own.mjs`,
    );
  });

  it('is refused where the module has a function that is no formula', () => {
    const sha256 = use(`export default { 'resync.penaltyBeats': () => 1, 'spawn.costBeat': () => 1 }`);
    expect(faultsOf(of('resync.penaltyBeats', sha256))).toContain(
      "module: has a function 'spawn.costBeat', which is no formula; did you mean spawn.costBeats?",
    );
  });

  it.each([
    ['({ missed }) => 2 * missed', 'gives NaN with missedAnchors 0'],
    ['() => { throw new Error("no") }', 'throws Error: no with missedAnchors 0'],
    ['({ missedAnchors: n }) => (n > 61 ? "many" : n)', 'gives string and no number with missedAnchors 100'],
  ])('is refused where a usual input has no value: %s', (body, wanted) => {
    const sha256 = use(`export default { 'resync.penaltyBeats': ${body} }`);
    expect(faultsOf(of('resync.penaltyBeats', sha256))).toContain(`formulas.resync.penaltyBeats.module: ${wanted}`);
  });

  it('may be one of two whose modules differ', () => {
    const first = use(OWN);
    const text = of('resync.penaltyBeats', first);
    const other = join(folder, 'other.mjs');
    writeFileSync(other, `export default { 'resync.penaltyBeats': () => 7 };`);
    useRules(join(folder, 'own.mjs'), other);
    const second = of('resync.penaltyBeats', ruleModules()[1]?.sha256 ?? '');
    expect([text, second].map((each) => penaltyFormula(heldBy(each))?.(61))).toEqual([6_100, 7]);
  });

  it('computes nothing once another module is named in its place', () => {
    const held = heldBy(of('resync.penaltyBeats', use(OWN)));
    use(`${OWN}// changed\n`);
    expect(() => penaltyFormula(held)?.(61)).toThrow(
      /resync\.penaltyBeats is computed by the module own\.mjs with SHA-256 \w{64}: give its path/,
    );
  });

  it('is the example, whose digest is that of its file', () => {
    useRules(join(root, 'examples/changes/penalty-by-day.mjs'));
    const held = heldBy(readFileSync(join(root, 'examples/changes/penalty-by-day.yaml'), 'utf8'));
    const at = [61, 1_439, 1_440, 2_880, 4_320, 100_000].map((missed) => penaltyFormula(held)?.(missed));
    expect(at).toEqual([6_100, 10_000, 15_000, 25_000, 50_000, 50_000]);
  });
});
