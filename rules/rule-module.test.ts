// A module of rules: its values, that a call depends on its arguments alone, and the messages about its faults.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { callRule, isRuleUsed, ruleModules, useRules } from './rule-module.js';

const folder = mkdtempSync(join(tmpdir(), 'aips-rules-'));
const file = join(folder, 'rules.mjs');

/** Names a module of this text. */
function use(text: string): void {
  writeFileSync(file, text);
  useRules(file);
}

/** The digest of the module that is named. */
const own = (): string => ruleModules()[0]?.sha256 ?? '';

/** The answer of a rule with this body, which is given `a` and the numbers. */
function answerOf(body: string, a = 1) {
  use(`export default { rule: ({ a }, numbers) => ${body} }`);
  return callRule({
    module: 'rules.mjs',
    sha256: own(),
    name: 'rule',
    given: { a },
    numbers: { resync: { beatsMax: 10_000 }, feeSplit: { burntBps: 7 } },
  });
}

afterEach(() => useRules());

describe('a rule', () => {
  it.each([
    ['a + 1', '2', []],
    ['2 ** 3 + Math.floor(0.5)', '8', []],
    ['2n ** 100n', '1267650600228229401496703205376', []],
    ['a / 0', 'Infinity', []],
    [
      'Math.min(numbers.resync.beatsMax, 5) + numbers.feeSplit.burntBps',
      '12',
      ['resync.beatsMax', 'feeSplit.burntBps'],
    ],
    ['Object.keys(numbers.resync).length', '1', []],
    ['[1, 2, 3].map((each) => each * each).reduce((sum, each) => sum + each)', '14', []],
  ])('%s is %s', (body, value, read) => {
    expect(answerOf(body)).toEqual({ ok: true, value, read });
  });

  it('has helpers beside it, and its digest and functions are told', () => {
    use('const twice = (x) => 2 * x;\nexport default {\n  one: ({ a }) => twice(a),\n  two: () => 2,\n};\n');
    expect(ruleModules()[0]).toMatchObject({ file, names: ['one', 'two'] });
    expect(ruleModules()[0]?.sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(callRule({ module: 'rules.mjs', sha256: own(), name: 'one', given: { a: 21 }, numbers: {} })).toEqual({
      ok: true,
      value: '42',
      read: [],
    });
    expect(isRuleUsed()).toBe(true);
  });

  it.each([
    ['a comment of an import', "// import (2020)\n/** @type {import('x').Y} */\nexport default { rule: () => 2 }"],
    [
      'a comment and a text of an export',
      "// one:\n/*\nexport default {\n*/\nconst b = 'export default {';\nexport default { rule: () => 2 }",
    ],
    ['a constant after the export', 'export default { rule: () => b };\nconst b = 2;'],
    ['a name as the export', 'const rules = { rule: () => 2 };\nexport default rules;'],
    ['an indented export', '  export default { rule: () => 2 }'],
    ['lines of Windows', 'const b = 2;\r\nexport default {\r\n rule: () => b,\r\n};\r\n'],
  ])('may have %s', (_what, text) => {
    use(text);
    const call = { module: 'rules.mjs', sha256: own(), name: 'rule', given: {}, numbers: {} };
    expect(callRule(call)).toEqual({ ok: true, value: '2', read: [] });
  });

  it('keeps nothing from one call to the next', () => {
    use(
      'let calls = 0;\nconst seen = [];\nexport default { rule: () => { seen.push(1); calls += 1; return calls + seen.length; } };',
    );
    const call = () => callRule({ module: 'rules.mjs', sha256: own(), name: 'rule', given: {}, numbers: {} });
    expect([call(), call(), call()]).toEqual(Array(3).fill({ ok: true, value: '2', read: [] }));
  });

  it.each([
    ['(Array.prototype.n = 1)', 'not extensible'],
    ['(globalThis.n = 1)', 'not extensible'],
    ['(ruleModule.n = 1)', 'not extensible'],
    ['(Math.floor = () => 3)', 'read only'],
    ['((function* () {})().__proto__.__proto__.n = 1)', 'not extensible'],
    ['(numbers.resync.beatsMax = 1)', 'only a getter'],
    ['("ab".match(/b/), RegExp.lastMatch.length)', 'Cannot read properties of undefined'],
    ['Math.random()', 'Math.random is not the same on every machine'],
    ['Math.exp(1)', 'Math.exp is not the same on every machine'],
    ['Date.now()', 'Date is not defined'],
    ['performance.now()', 'performance is not defined'],
    ['process.pid', 'process is not defined'],
    ['require("fs")', 'require is not defined'],
    ['new Intl.NumberFormat()', 'Intl is not defined'],
    ['(1).toLocaleString().length', 'toLocaleString is not a function'],
    ['eval("1")', 'eval is not defined'],
    ['a.constructor.constructor("return process")()', 'Code generation from strings disallowed'],
    ['numbers.constructor.constructor("return process")()', 'Code generation from strings disallowed'],
    ['(function* () {}).constructor("yield process")()', 'Code generation from strings disallowed'],
    ['new WebAssembly.Memory({ initial: 1 })', 'WebAssembly is not defined'],
    ['new SharedArrayBuffer(1)', 'SharedArrayBuffer is not defined'],
    ['setTimeout(() => 1)', 'setTimeout is not defined'],
    ['((f) => f(f))((f) => f(f))', 'Maximum call stack size exceeded'],
    ['missed', 'missed is not defined'],
  ])('%s is refused', (body, wanted) => {
    expect(answerOf(body)).toEqual({ ok: false, fault: expect.stringContaining(wanted) });
  });

  it.each([
    ['"12"', 'gives string and no number'],
    ['null', 'gives null and no number'],
    ['undefined', 'gives undefined and no number'],
    ['[1]', 'gives object and no number'],
    ['numbers.resync.beats * 2', 'gives NaN'],
    ['(() => { throw { toString() { throw 1 } } })()', 'throws something'],
  ])('%s is no value', (body, fault) => {
    expect(answerOf(body)).toEqual({ ok: false, fault });
  });
});

describe('a module', () => {
  it.each([
    ['const a = 1;\nimport fs from "fs";\nexport default {}', 'rules.mjs:2: a module of rules imports nothing'],
    ['export default { rule: () => import("fs") }', 'rules.mjs:1: a module of rules imports nothing'],
    [
      'const a = 1;\nexport default { rule: async () => a }',
      'rules.mjs:2: a rule computes at once: it has no async function',
    ],
    ['export { a } from "b";\nexport default {}', 'rules.mjs:1: a module of rules imports nothing'],
    ['export { a as default };', 'must have one line that begins with "export default"'],
    ['export const rule = () => 1', 'must have one line that begins with "export default"'],
    ['export default {}\nexport default {}', 'must have one line that begins with "export default"'],
    ['// one\nexport default { rule: () => 1 +* 2 }', "rules.mjs:2: Unexpected token '*'"],
    ['export default { rule: () => 1 }\n}); (() => {', "rules.mjs:2: Unexpected token '}'"],
    ['const a = b;\nexport default {}', 'throws ReferenceError: b is not defined'],
    ['export default 3', 'must have "export default { … }"'],
    ['export default { rule: 3 }', 'rule must be a function'],
    [`export default {} // ${'x'.repeat(100_000)}`, 'has at most 100000 bytes'],
  ])('is refused: %s', (text, wanted) => {
    expect(() => use(text)).toThrow(wanted);
  });

  it('is none where nobody names one', () => {
    expect(ruleModules()).toEqual([]);
    expect(() => callRule({ module: 'rules.mjs', sha256: own(), name: 'rule', given: {}, numbers: {} })).toThrow(
      'rule is computed by the module rules.mjs with SHA-256',
    );
  });
});
