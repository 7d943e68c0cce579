// A rule without an end ends with a message.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { callRule, ruleModules, useRules } from './rule-module.js';

const own = (): string => ruleModules()[0]?.sha256 ?? '';

afterAll(() => useRules());

it('a loop', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'aips-rules-')), 'rules.mjs');
  writeFileSync(file, 'export default { rule: () => { for (;;); } }');
  useRules(file);
  const given = { missedAnchors: 7 };
  const call = () => callRule({ module: 'rules.mjs', sha256: own(), name: 'rule', given, numbers: {} });
  expect(call).toThrow('rules.mjs: rule of {"missedAnchors":7} has not come to its end after 5 s');
});
