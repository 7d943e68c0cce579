import { describe, expect, it } from 'vitest';
import { schemaFaults } from '../../test/fixtures/json-schema.js';
import {
  cleanConformance,
  conformanceFixture,
  emptyConformance,
  FINDINGS,
  hostileConformance,
  lackingConformance,
  standingConformance,
} from '../../test/fixtures/results.js';
import { ctrf } from './ctrf.js';

/** The schema as its authors publish it (npm ctrf, MIT). */
const SCHEMA = 'node_modules/ctrf/dist/ctrf-schema-0.0.json';

interface Report {
  results: {
    summary: Record<string, number>;
    tests: { name: string; status: string; rawStatus?: string; message?: string; trace?: string; tags?: string[] }[];
  };
}

const read = (text: string): Report => JSON.parse(text) as Report;

describe('ctrf', () => {
  it.each([
    ['every verdict', conformanceFixture()],
    ['known and flaky checks', standingConformance()],
    ['only passes', cleanConformance()],
    ['no check', emptyConformance()],
    ['a missing endpoint', lackingConformance()],
    ['hostile text', hostileConformance()],
  ])('fits the published schema and counts right with %s', (_, result) => {
    for (const strict of [false, true]) {
      const report = read(ctrf(result, { strict }));
      expect(schemaFaults(SCHEMA, report)).toEqual([]);
      const { summary, tests } = report.results;
      expect(summary['tests']).toBe(tests.length);
      for (const status of ['passed', 'failed', 'skipped', 'pending', 'other']) {
        expect(summary[status]).toBe(tests.filter((test) => test.status === status).length);
      }
    }
  });

  it('the schema would refuse another status', () => {
    const report = read(ctrf(cleanConformance()));
    report.results.tests.push({ name: 'a', status: 'green' });
    expect(schemaFaults(SCHEMA, report)).not.toEqual([]);
  });

  it.each([
    ['register/no-wallet', 'passed', undefined],
    [
      'heartbeat/too-soon',
      'failed',
      [
        'POST /api/v1/agent/heartbeat: status: expected 429 HEARTBEAT_TOO_SOON, got 200',
        '  clause heartbeat.interval.min (section 4.5, paragraph “Minimum interval”): Heartbeats lie at least 10 beats apart.',
        '  clause heartbeat.interval.body (section 4.5, paragraph “Minimum interval”): The refusal names the next eligible beat.',
        'ended early: needs next_eligible_beat, which is not there',
      ].join('\n'),
    ],
    [
      'heartbeat/frozen',
      'passed',
      [
        'POST /api/v1/agent/heartbeat: code: expected AGENT_FROZEN, got AGENT_WRONG_STATE',
        '  clause heartbeat.frozen (section 4.5, left open there; D-25 settles it): A frozen agent gets 403 AGENT_FROZEN.',
      ].join('\n'),
    ],
    ['partner-webhook/put', 'skipped', 'the target declares partner-webhook unsupported'],
    ['dms/frozen', 'skipped', 'the target offers no clock'],
    ['status/found', 'other', 'three replies in a row were 503'],
    ['verify/found', 'other', 'the check threw: cannot read the reply'],
  ])('%s is %s', (name, status, message) => {
    const test = read(ctrf(conformanceFixture())).results.tests.find((one) => one.name === name);
    expect(test?.status).toBe(status);
    expect(test?.message).toBe(message);
  });

  it('fails an advisory when the run is strict', () => {
    const { tests } = read(ctrf(conformanceFixture(), { strict: true })).results;
    expect(tests.find(({ name }) => name === 'heartbeat/frozen')?.status).toBe('failed');
  });

  it('skips a known failure, fails a flaky check and a baseline that is not true any more', () => {
    const { tests } = read(ctrf(standingConformance())).results;
    const named = (name: string) => tests.find((test) => test.name === name);
    expect(named('heartbeat/too-soon')).toMatchObject({
      status: 'skipped',
      rawStatus: 'fail',
      tags: ['heartbeat.interval.min', 'heartbeat.interval.body', 'known-failure'],
    });
    expect(named('heartbeat/too-soon')?.message).toContain(
      'known until 2026-12-31: the interval is being reworked (https://example.org/7)',
    );
    expect(named('heartbeat/frozen')).toMatchObject({ status: 'failed', rawStatus: 'advisory' });
    expect(named('heartbeat/frozen')?.message).toContain('flaky: seed 7 pass, seed 8 advisory');
    expect(named('heartbeat/frozen')?.trace).toContain('--only heartbeat/frozen --seed 8');
    expect(named('status/found')?.status).toBe('failed');
    expect(named('run-1')).toMatchObject({
      status: 'failed',
      message: 'heartbeat.reply in heartbeat/accepted passes again: take it off the list',
    });
  });

  it('a failure of which a part is excused names both parts, and fails', () => {
    const known = { reason: 'being fixed', expires: '2026-12-31' };
    const [finding] = FINDINGS;
    if (finding === undefined) throw new Error('the fixture has a finding');
    const findings = [{ ...finding, known, about: 'excused' }, finding];
    const { tests } = read(ctrf(conformanceFixture({ findings }))).results;
    const test = tests.find(({ name }) => name === 'heartbeat/too-soon');
    expect(test?.status).toBe('failed');
    expect(test?.message?.split('\n').filter((line) => /known|^POST/.test(line))).toEqual([
      'POST /api/v1/agent/heartbeat: status: expected 429 HEARTBEAT_TOO_SOON, got 200',
      'POST /api/v1/agent/heartbeat: excused: expected 429 HEARTBEAT_TOO_SOON, got 200',
      '  known until 2026-12-31: being fixed',
    ]);
  });

  it('is red for a run that stopped', () => {
    const { summary, tests } = read(ctrf(emptyConformance())).results;
    expect(summary['failed']).toBe(1);
    expect(tests[0]?.message).toBe('the run stopped: three refused connections in a row');
  });
});
