import { describe, expect, it } from 'vitest';
import { schemaFaults } from '../../test/fixtures/json-schema.js';
import {
  cleanConformance,
  conformanceFixture,
  emptyConformance,
  hostileConformance,
  lackingConformance,
  standingConformance,
} from '../../test/fixtures/results.js';
import { sarif } from './sarif.js';

const SCHEMA = 'test/fixtures/sarif.schema.json';

interface Log {
  runs: {
    tool: { driver: { rules: { id: string; help: { text: string }; properties: { section: string } }[] } };
    invocations: { executionSuccessful: boolean; exitCode: number; toolExecutionNotifications: Notification[] }[];
    results: Found[];
  }[];
}
interface Notification {
  level: string;
  message: { text: string };
}
interface Found {
  ruleId: string;
  ruleIndex: number;
  level: string;
  message: { text: string };
  locations: { physicalLocation?: object; logicalLocations: object[] }[];
  suppressions?: object[];
  properties: { finding: string; level: string; checks: string[] };
}

function runOf(text: string): Log['runs'][number] {
  const [run] = (JSON.parse(text) as Log).runs;
  if (run === undefined) throw new Error('no run');
  return run;
}

describe('sarif', () => {
  it.each([
    ['every verdict', conformanceFixture()],
    ['known and flaky checks', standingConformance()],
    ['only passes', cleanConformance()],
    ['no check', emptyConformance()],
    ['a missing endpoint', lackingConformance()],
    ['hostile text', hostileConformance()],
  ])('fits the schema, and every result points at its rule, with %s', (_, result) => {
    for (const strict of [false, true]) {
      const text = sarif(result, { strict, lineOf: () => 12 });
      expect(schemaFaults(SCHEMA, JSON.parse(text))).toEqual([]);
      const { tool, results } = runOf(text);
      for (const { ruleId, ruleIndex } of results) expect(tool.driver.rules[ruleIndex]?.id).toBe(ruleId);
    }
  });

  it('the schema would refuse another level', () => {
    const log = JSON.parse(sarif(conformanceFixture())) as Log;
    const [found] = log.runs[0]?.results ?? [];
    if (found !== undefined) found.level = 'fatal';
    expect(schemaFaults(SCHEMA, log)).toEqual(['/runs/0/results/0/level must be equal to one of the allowed values']);
  });

  it('has a result for each finding at each of its clauses, however many checks met it', () => {
    const { results } = runOf(sarif(conformanceFixture()));
    expect(results.map(({ ruleId, level, properties }) => [ruleId, level, properties.checks.join(' ')])).toEqual([
      ['heartbeat.interval.min', 'error', 'heartbeat/accepted heartbeat/too-soon'],
      ['heartbeat.interval.body', 'error', 'heartbeat/accepted heartbeat/too-soon'],
      ['heartbeat.frozen', 'warning', 'heartbeat/frozen'],
    ]);
    expect(results[0]?.message.text).toContain('expected 429 HEARTBEAT_TOO_SOON, got 200');
    expect(results[0]?.message.text).toContain('Met by 2 checks: heartbeat/accepted, heartbeat/too-soon');
    expect(results[0]?.message.text).toContain('--only heartbeat/too-soon --seed 7');
  });

  it('a strict run has no warnings', () => {
    const { results } = runOf(sarif(conformanceFixture(), { strict: true }));
    expect(new Set(results.map(({ level }) => level))).toEqual(new Set(['error']));
  });

  it('names section and line of a clause', () => {
    const lineOf = (id: string): number | undefined => (id === 'heartbeat.interval.min' ? 345 : undefined);
    const { results, tool } = runOf(sarif(conformanceFixture(), { lineOf }));
    expect(results[0]?.locations).toEqual([
      {
        physicalLocation: {
          artifactLocation: { uri: 'docs/clauses.md', uriBaseId: 'AIPS_LAB' },
          region: { startLine: 345 },
        },
        logicalLocations: [
          { name: 'heartbeat.interval.min', fullyQualifiedName: '4.5/heartbeat.interval.min', kind: 'clause' },
        ],
      },
    ]);
    expect(results[1]?.locations[0]?.physicalLocation).toBeUndefined();
    expect(tool.driver.rules[0]?.properties.section).toBe('4.5');
    expect(tool.driver.rules[0]?.help.text).toBe(
      'Section 4.5, paragraph “Minimum interval”: Heartbeats lie at least 10 beats apart.',
    );
  });

  it('suppresses what is excused, and notes flaky checks and what is wrong with the baseline as errors', () => {
    const { results, invocations } = runOf(sarif(standingConformance()));
    const of = (level: string) => results.filter(({ properties }) => properties.level === level);
    expect(of('must').map(({ suppressions }) => suppressions)).toEqual(
      Array.from({ length: 2 }, () => [
        {
          kind: 'external',
          status: 'accepted',
          justification: 'until 2026-12-31: the interval is being reworked (https://example.org/7)',
        },
      ]),
    );
    expect(of('decision').map(({ level, suppressions }) => [level, suppressions])).toEqual([['warning', undefined]]);
    expect(invocations[0]?.toolExecutionNotifications.slice(0, 3)).toEqual(
      [
        'heartbeat.reply in heartbeat/accepted passes again: take it off the list',
        'heartbeat/frozen is flaky: seed 7 pass, seed 8 advisory',
        'status/found is flaky: seed 7 pass, seed 8 inconclusive',
      ].map((text) => ({ level: 'error', message: { text } })),
    );
  });

  it.each([
    ['every verdict', conformanceFixture(), true, 1, ['warning', 'warning']],
    ['only passes', cleanConformance(), true, 0, []],
    ['a run that stopped', emptyConformance(), false, 2, ['error', 'error']],
  ])('says how the run ended: %s', (_, result, successful, status, levels) => {
    const [invocation] = runOf(sarif(result)).invocations;
    expect(invocation?.executionSuccessful).toBe(successful);
    expect(invocation?.exitCode).toBe(status);
    expect(invocation?.toolExecutionNotifications.map(({ level }) => level)).toEqual(levels);
  });
});
