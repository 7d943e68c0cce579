// The verdict of one check, from its evidence and from how it ended.
import { describe, expect, it } from 'vitest';
import type { Evidence } from '../../model/evidence.js';
import { Unjudged } from '../assertions/unjudged.js';
import { type Ending, judgementOf } from './verdict.js';

const OWN = 'heartbeat.interval.min';
const OTHER = 'fee.field.tier';

function seen(about: string, rest: Partial<Evidence> = {}): Evidence {
  return { clauses: [OWN], level: 'must', endpoint: 'POST /heartbeat', about, ok: true, ...rest };
}
const against = (about: string, rest: Partial<Evidence> = {}): Evidence =>
  seen(about, { ok: false, expected: '1', actual: '2', ...rest });

function judged(evidence: readonly Evidence[], rest: Partial<Ending> = {}) {
  return judgementOf({
    endedParts: [],
    evidence,
    withheld: [],
    clauses: [OWN, 'heartbeat.interval.anchors'],
    strict: false,
    waitedSec: 0,
    doubtful: new Set(),
    ...rest,
  });
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
      reason: 'it saw nothing of its clauses',
      sawNothing: true,
    });
    const withheld = ['D-11 is not followed', 'D-11 is not followed', 'no receiver'].map((reason) => ({
      clauses: [OWN],
      reason,
    }));
    const reason = 'D-11 is not followed; no receiver';
    expect(judged([], { withheld })).toEqual({ verdict: 'not-tested', reason, sawNothing: true });
  });

  it('is not tested if it was ended, whatever it saw', () => {
    const endedParts = [new Unjudged('inconclusive', 'no reply')];
    expect(judged([seen('a field')], { endedParts })).toEqual({ verdict: 'inconclusive', reason: 'no reply' });
  });
});
