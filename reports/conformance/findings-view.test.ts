import { describe, expect, it } from 'vitest';
import { conformanceFixture, FINDINGS, lackingConformance, standingConformance } from '../../test/fixtures/results.js';
import { checkToRepeat, findingLines, findingsOfCheck, sortedFindings } from './findings-view.js';

const ids = (findings: readonly { readonly id: string }[]): string[] => findings.map(({ id }) => id);
const [text, decision] = FINDINGS;
if (text === undefined || decision === undefined) throw new Error('the fixture has two findings');

describe('findings, sorted', () => {
  it.each([
    ['a run', conformanceFixture(), false, { failing: [text.id], known: [], decisions: [decision.id] }],
    ['a strict run', conformanceFixture(), true, { failing: [text.id, decision.id], known: [], decisions: [] }],
    [
      'a run with a baseline',
      standingConformance(),
      false,
      { failing: [], known: [text.id], decisions: [decision.id] },
    ],
    ['a strict one', standingConformance(), true, { failing: [decision.id], known: [text.id], decisions: [] }],
    [
      'a missing endpoint, which is listed apart',
      lackingConformance(),
      false,
      { failing: [], known: [], decisions: [] },
    ],
  ])('of %s', (_, result, strict, expected) => {
    const { failing, known, decisions } = sortedFindings(result, { strict });
    expect({ failing: ids(failing), known: ids(known), decisions: ids(decisions) }).toEqual(expected);
  });

  it('an excused decision stays among the decisions', () => {
    const known = { reason: 'r', expires: '2026-12-31' };
    const findings = [{ ...decision, known }];
    expect(ids(sortedFindings(conformanceFixture({ findings }), { strict: true }).decisions)).toEqual([decision.id]);
  });
});

describe('a finding', () => {
  it('of a check comes before those that do not fail the run', () => {
    const findings = [{ ...decision, checks: ['heartbeat/too-soon'] }, text];
    expect(ids(findingsOfCheck({ findings }, 'heartbeat/too-soon', {}))).toEqual([text.id, decision.id]);
    expect(findingsOfCheck({ findings }, 'register/no-wallet', {})).toEqual([]);
  });

  it('is seen again by a check that is about it, else by the first that met it', () => {
    expect(checkToRepeat(text, conformanceFixture())).toBe('heartbeat/too-soon');
    expect(checkToRepeat({ ...text, clauses: ['gone'] }, conformanceFixture())).toBe('heartbeat/accepted');
    expect(checkToRepeat({ checks: [], clauses: [] }, conformanceFixture())).toBeUndefined();
  });

  it('in lines names its clauses, where they rest, and why it does not count', () => {
    const known = { reason: 'being fixed', expires: '2026-12-31' };
    expect(findingLines({ ...text, known }, conformanceFixture())).toEqual([
      'POST /api/v1/agent/heartbeat: status: expected 429 HEARTBEAT_TOO_SOON, got 200',
      '  known until 2026-12-31: being fixed',
      '  clause heartbeat.interval.min (section 4.5, paragraph “Minimum interval”): Heartbeats lie at least 10 beats apart.',
      '  clause heartbeat.interval.body (section 4.5, paragraph “Minimum interval”): The refusal names the next eligible beat.',
    ]);
  });
});
