import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { validateXML } from 'xmllint-wasm';
import { type CheckStep, SPEC_CHECK_SCHEMA, type SpecCheck } from '../../results/spec-check-result.js';
import { SPEC_DIFF_SCHEMA } from '../../results/spec-diff-result.js';
import { parseAcceptedChanges } from '../../spec/accepted-changes.js';
import { root } from '../../test/source-tree.js';
import { specCheckJunit } from './spec-check-junit.js';
import { specCheckConsole, specCheckJson, specCheckMarkdown, stepFails } from './spec-check-text.js';

const sound: CheckStep = {
  name: 'lint',
  looked: '31 findings',
  faults: [{ id: 'a/b', text: '1 | 2', accepted: 'it is meant' }],
};
const broken: CheckStep = {
  name: 'scenarios',
  looked: '19 scenarios',
  faults: [{ id: 'quickstart: freezes > 500', text: 'measured 3' }],
};
const unable: CheckStep = { name: 'suite', looked: '0 checks', faults: [], unable: 'no reply' };

const check: SpecCheck = {
  schema: SPEC_CHECK_SCHEMA,
  tool_version: '0.0.0',
  change: 'change.yaml',
  steps: [sound, broken, unable],
  stale: ['old/one'],
  diff: {
    schema: SPEC_DIFF_SCHEMA,
    tool_version: '0.0.0',
    from: 'spec',
    to: 'change.yaml',
    numbers: [{ path: 'dms.missedAnchorsMax', unit: 'anchors', from: 60, to: 30 }],
    statements: { added: [], removed: [], changed: [] },
    clauses: [],
    errors: [],
    endpoints: [],
    checks: [],
    mutants: [],
    findings: { appear: [], vanish: [] },
    replicates: 0,
    seed: 1,
    effects: [],
    unmeasured: [],
  },
  exit_status: 1,
};

describe('a check of a change', () => {
  it('fails by what nobody accepted', () => {
    expect([sound, broken, unable].map(stepFails)).toEqual([false, true, false]);
  });

  it('says on the console what holds and what does not', () => {
    expect(specCheckConsole(check).split('\n')).toEqual([
      'ok   lint: passes, 1 accepted change (31 findings)',
      '       a/b: 1 | 2 [accepted: it is meant]',
      'FAIL scenarios: 1 fault (19 scenarios)',
      '       quickstart: freezes > 500: measured 3',
      'OPEN suite: could not be judged: no reply (0 checks)',
      '     no recorded server was judged: --recordings names recordings of servers',
      'FAIL accepted changes: old/one is not needed any more',
      'The change fails: change.yaml; scenarios; suite; accepted changes that nothing needs.',
    ]);
  });

  it('is JUnit that its schema allows: faults fail, accepted ones are skipped, warnings pass', async () => {
    const warned: CheckStep = {
      name: 'w',
      looked: 'x',
      faults: [],
      warnings: [{ id: 'i/j', text: 'w <1>', shown: 'a "b"' }],
    };
    const xml = specCheckJunit({
      ...check,
      steps: [...check.steps, warned, { name: 'empty', looked: 'nothing', faults: [] }],
    });
    const schema = { fileName: 'junit.xsd', contents: readFileSync(join(root, 'test/fixtures/junit.xsd'), 'utf8') };
    const { errors } = await validateXML({ xml: [{ fileName: 'junit.xml', contents: xml }], schema: [schema] });
    expect(errors).toEqual([]);
    expect(xml).toContain('tests="6" failures="2" errors="1"');
    expect(xml).toContain('<failure message="measured 3" type="fault">measured 3</failure>');
    expect(xml).toContain('<skipped message="accepted (it is meant): 1 | 2"/>');
    expect(xml).toContain('<system-out>w &lt;1&gt;\na "b"</system-out>');
    expect(xml).toContain('<error message="no reply" type="unable">');
  });

  it('prints the entries that would accept what is open, for their reasons', () => {
    const worse: CheckStep = {
      name: 'lint',
      looked: '',
      faults: [
        { id: 'a/b', text: '', accepted: 'it is meant', entry: { id: 'a/b', arithmetic: '1' } },
        { id: 'c/d', text: '', entry: { id: 'c/d', arithmetic: '2 "of" 3' } },
        { id: 'x: y > 1', text: '', entry: { scenario: 'x', expectation: 'y > 1' } },
        { id: 'dms/a', text: '', entry: { check: 'dms/a', finding: 'c/d' } },
        { id: 'm/n', text: '', entry: { mutant: 'm/n', finding: 'c/d' } },
      ],
      warnings: [{ id: 'e/f', text: '3 > 2', remedy: 'a cap of 2' }],
    };
    const entries = [
      'findings:',
      '  - { id: "c/d", arithmetic: "2 \\"of\\" 3", reason: "" }',
      'scenarios:',
      '  - { scenario: "x", expectation: "y > 1", reason: "" }',
      'checks:',
      '  - { check: "dms/a", finding: "c/d", reason: "" }',
      'mutants:',
      '  - { mutant: "m/n", finding: "c/d", reason: "" }',
    ];
    const open = { ...check, steps: [worse] };
    expect(specCheckConsole(open)).toContain(`each with its reason:\n${entries.join('\n')}\n`);
    expect(specCheckMarkdown(open)).toContain(`\`\`\`yaml\n${entries.join('\n')}\n\`\`\``);
    expect(specCheckConsole(open)).toContain('       warning: e/f: 3 > 2\n       fixed by: a cap of 2\n');
    expect(specCheckMarkdown(open)).toContain('`e/f` | 3 > 2<br>fixed by: a cap of 2 | ⚠️ a warning');
    const reasoned = entries.join('\n').replaceAll('reason: ""', 'reason: "meant"');
    const accepted = parseAcceptedChanges(reasoned, 'accepted.yaml');
    expect(accepted).toMatchObject({
      ok: true,
      value: {
        findings: [{ id: 'c/d', arithmetic: '2 "of" 3', reason: 'meant' }],
        scenarios: [{ scenario: 'x', expectation: 'y > 1', reason: 'meant' }],
      },
    });
    expect(parseAcceptedChanges(entries.join('\n'), 'accepted.yaml').ok).toBe(false);
  });

  it('is one summary of a CI job, with what the change is', () => {
    const text = specCheckMarkdown(check);
    expect(text.split('\n')[0]).toBe('## ❌ The change fails: `change.yaml`');
    expect(text).toContain('| ✅ | lint | passes, 1 accepted change | 31 findings |');
    expect(text).toContain('| lint | `a/b` | 1 \\| 2 | it is meant |');
    expect(text).toContain('| scenarios | `quickstart: freezes > 500` | measured 3 | ❌ not accepted |');
    expect(text).toContain('`dms.missedAnchorsMax: 60 → 30 anchors`');
    expect(specCheckMarkdown({ ...check, exit_status: 0 })).toContain('✅ The change passes');
  });

  it('is JSON that reads back', () => {
    const causes = ['scenarios', 'suite', 'accepted changes that nothing needs'];
    expect(JSON.parse(specCheckJson(check))).toEqual({ ...check, causes });
  });
});
