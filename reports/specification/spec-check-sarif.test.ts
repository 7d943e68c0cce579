import { describe, expect, it } from 'vitest';
import type { SpecCheck } from '../../results/spec-check-result.js';
import { schemaFaults } from '../../test/fixtures/json-schema.js';
import { annotationLines } from '../text/annotations.js';
import { specCheckAnnotations, specCheckSarif } from './spec-check-sarif.js';

const check = {
  tool_version: '0.1.0',
  steps: [
    {
      name: 'lint',
      looked: '2 findings',
      faults: [
        { id: 'no-exit/agent-frozen', about: ['b.c'], text: '60 > 50\n::error::no', remedy: 'a lower cap' },
        { id: 'cap/known', text: '1 < 2', accepted: 'meant' },
      ],
      warnings: [{ id: 'cap/new', about: ['b.c'], text: '3 > 2', remedy: 'a cap of 2' }],
    },
    { name: 'scenarios', looked: 'none', faults: [], unable: 'interrupted' },
  ],
  stale: ['cap/gone'],
  exit_status: 1,
} as unknown as SpecCheck;
const lines = [
  { path: 'spec/my change.yaml', line: 5, of: 'b.c' },
  { path: 'spec/my change.yaml', line: 2, of: 'a' },
  { path: 'spec/my change.yaml', line: 2, of: 'a.b' },
];

describe('a check of a change', () => {
  it('is SARIF with the lines of the overlay, and suppresses what is accepted', () => {
    const log = JSON.parse(specCheckSarif(check, lines)) as { runs: [{ results: Record<string, unknown>[] }] };
    expect(schemaFaults('test/fixtures/sarif.schema.json', log)).toEqual([]);
    const { results } = log.runs[0];
    const at = (startLine: number) => ({
      physicalLocation: { artifactLocation: { uri: 'spec/my%20change.yaml' }, region: { startLine } },
    });
    expect(results.map(({ ruleId, suppressions }) => [ruleId, suppressions !== undefined])).toEqual([
      ['no-exit/agent-frozen', false],
      ['cap/known', true],
      ['cap/gone', false],
      ['cap/new', false],
    ]);
    expect(results.map(({ level }) => level)).toEqual(['error', 'error', 'error', 'warning']);
    const { rules } = (log as unknown as { runs: [{ tool: { driver: { rules: Record<string, unknown>[] } } }] }).runs[0]
      .tool.driver;
    expect(rules.map(({ help }) => help)).toEqual([
      { text: 'Fixed by: a lower cap.' },
      undefined,
      { text: 'Fixed by: remove the entry from the file of accepted changes.' },
      { text: 'Fixed by: a cap of 2.' },
    ]);
    expect(results.map((result) => [result['locations'], result['relatedLocations']])).toEqual([
      [[at(5)], [at(2)]],
      [[at(2)], [at(5)]],
      [[at(2)], [at(5)]],
      [[at(5)], [at(2)]],
    ]);
  });

  it('is annotations of what is not accepted, each one line', () => {
    const written = specCheckAnnotations(check, lines).trimEnd().split('\n');
    expect(written).toHaveLength(4);
    expect(written.map((line) => /^::(\w+) file=spec\/my change\.yaml,line=(\d),title=/.exec(line)?.slice(1))).toEqual([
      ['error', '5'],
      ['error', '2'],
      ['error', '2'],
      ['warning', '5'],
    ]);
    expect(written[0]).toContain('title=lint%3A no-exit/agent-frozen::60 > 50%0A::error::no%0Afixed by: a lower cap');
    expect(written[3]).toContain('title=lint%3A cap/new::3 > 2%0Afixed by: a cap of 2');
    expect(written[1]).toContain('cap/gone');
    expect(written[2]).toContain('could not be judged::interrupted');
  });
});

describe('annotations', () => {
  it('says how many are left out of a level, of which GitHub keeps ten', () => {
    const of = (count: number) =>
      Array.from({ length: count }, () => ({ level: 'warning', title: 'a,b', text: '5 %' }) as const);
    expect(annotationLines(of(10)).match(/^::warning title=a%2Cb::5 %25$/gm)).toHaveLength(10);
    const many = annotationLines(of(30)).trimEnd().split('\n');
    expect([many.length, many[9]]).toEqual([10, '::warning title=AIPS::21 more findings: see the summary.']);
  });
});
