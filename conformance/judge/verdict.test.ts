// The verdict of one check, from its evidence and from how it ended.
import { describe, expect, it } from 'vitest';
import type { SeenEvidence } from '../assertions/evidence.js';
import { Unjudged } from '../assertions/unjudged.js';
import type { EndedCheck } from './record.js';
import { type Ending, endOf, judgedRun, judgementOf, notTested } from './verdict.js';

const OWN = 'heartbeat.interval.min';
const OTHER = 'fee.field.tier';

function seen(about: string, rest: Partial<SeenEvidence> = {}): SeenEvidence {
  return { clauses: [OWN], level: 'must', endpoint: 'POST /heartbeat', n: 1, about, ok: true, ...rest };
}
const against = (about: string, rest: Partial<SeenEvidence> = {}): SeenEvidence =>
  seen(about, { ok: false, expected: '1', actual: '2', ...rest });

type Given = Partial<Ending> & { readonly strict?: boolean; readonly withheld?: EndedCheck['withheld'] };

function judged(evidence: readonly SeenEvidence[], { strict = false, withheld = [], ...rest }: Given = {}) {
  const clauses = [OWN, 'heartbeat.interval.anchors'];
  const doubtful = rest.doubtful ?? new Set();
  const end = endOf({ endedParts: [], evidence, clauses, waitedSec: 0, doubtful, ...rest });
  const sure = evidence.filter((one) => !doubtful.has(one));
  const about = { id: 'heartbeat/interval', title: 'An interval', level: 'must', wall_ms: 0 } as const;
  return judgementOf({ ...about, clauses, evidence: sure, withheld, ...(end && { end }) }, strict);
}

describe('evidence against the clauses of a check', () => {
  it('fails it, as it was seen', () => {
    const about = 'POST /heartbeat: status';
    expect(judged([seen('a field'), against('status')])).toEqual({
      verdict: 'fail',
      about,
      expected: '1',
      actual: '2',
    });
  });

  it('counts if one of the clauses that it names is among them, and not if none is', () => {
    expect(judged([against('status', { clauses: [OTHER, OWN] })]).verdict).toBe('fail');
    expect(judged([seen('a field'), against('status', { clauses: [OTHER] })]).verdict).toBe('pass');
  });

  it('is told at the level of the text, even where a decision was met before', () => {
    const decided = against('form', { level: 'decision' });
    expect(judged([decided, against('status')])).toMatchObject({ verdict: 'fail', about: 'POST /heartbeat: status' });
  });

  it('is an advisory against a decision, and fails a strict run', () => {
    const decided = [against('form', { level: 'decision' })];
    expect(judged(decided).verdict).toBe('advisory');
    expect(judged(decided, { strict: true }).verdict).toBe('fail');
  });

  it('stands beside the reason for which the check ended early', () => {
    const thrown = { error: new Unjudged('not-tested', 'no clock') };
    expect(judged([against('status')], { thrown })).toMatchObject({ verdict: 'fail', ended: 'no clock' });
    expect(judged([against('status')])).not.toHaveProperty('ended');
  });

  it('is not believed after an unexpected wait, unless some of it is sure', () => {
    const late = against('status');
    const doubtful = new Set([late]);
    expect(judged([late], { doubtful, waitedSec: 61 })).toEqual({
      verdict: 'not-tested',
      reason:
        'a rate limit made it wait 61 s on the way, so its mismatch may be due to that (POST /heartbeat: status); clients told apart (client_ip) would avoid it',
      why: { kind: 'client-ip' },
    });
    const sure = judged([late, against('code')], { doubtful, waitedSec: 61 });
    expect(sure).toMatchObject({ verdict: 'fail', about: 'POST /heartbeat: code' });
  });

  it('does not hide an error of the suite', () => {
    const error = new RangeError('no such clause');
    expect(judged([against('status')], { thrown: { error } })).toEqual({
      verdict: 'error',
      reason: 'RangeError: no such clause',
    });
  });
});

describe('a check without evidence against its clauses', () => {
  it('passes if it saw one of them, among others', () => {
    expect(judged([seen('a field', { clauses: [OTHER, OWN] })])).toEqual({ verdict: 'pass' });
  });

  it('is not tested if it saw none of them, for the reasons that were given, each once', () => {
    expect(judged([seen('a field', { clauses: [OTHER] })])).toEqual({
      verdict: 'not-tested',
      reason: 'it judged none of its clauses',
    });
    const withheld = ['D-11 is not followed', 'D-11 is not followed', 'no receiver'].map((reason) => ({
      clauses: [OWN],
      reason,
    }));
    const reason = 'D-11 is not followed; no receiver';
    expect(judged([], { withheld })).toEqual({ verdict: 'not-tested', reason });
  });

  it('is not tested if it was ended, whatever it saw', () => {
    const endedParts = [new Unjudged('inconclusive', 'no reply')];
    expect(judged([seen('a field')], { endedParts })).toEqual({ verdict: 'inconclusive', reason: 'no reply' });
  });
});

describe('the evidence of the model', () => {
  const ended: EndedCheck = {
    id: 'heartbeat/interval',
    title: 'An interval',
    clauses: [OWN],
    level: 'must',
    wall_ms: 0,
    transcript: () => [],
    evidence: [],
    withheld: [],
  };
  const control = { verdict: 'inconclusive', reason: 'the clock is late', why: { kind: 'effect' } } as const;

  it.each([
    ['for its clause passes a check that asserts nothing', ended, seen('a field'), 'pass'],
    ['for another clause does not', ended, seen('a field', { clauses: [OTHER] }), 'not-tested'],
    ['against its clause fails it', ended, against('status'), 'fail'],
    [
      'against its clause fails one that ended early',
      { ...ended, end: notTested({ reason: 'no clock' }) },
      against('status'),
      'fail',
    ],
    [
      'counts for nothing against clauses where the control API is at fault',
      { ...ended, end: control },
      against('status'),
      'inconclusive',
    ],
    [
      'hides no error of the suite',
      { ...ended, end: { verdict: 'error', reason: 'a fault' } as const },
      against('status'),
      'error',
    ],
  ])('%s', (_, check, evidence, verdict) => {
    expect(judgedRun(check, [evidence], false).verdict).toBe(verdict);
  });
});
