import { describe, expect, it } from 'vitest';
import { dialects } from '../../spec/dialect.js';
import { standingIn } from '../../spec/dialect-clauses.js';
import { type Evidence, EvidenceLog } from './evidence.js';

const inProvenonce = standingIn(dialects.provenonce);

function seen(ok: boolean, ...clauses: readonly string[]): Evidence {
  return { clauses, level: 'must', step: '#1', endpoint: 'POST /x', about: 'status', ok };
}

describe('evidence in a dialect with facts of its own (D-57)', () => {
  it('about a clause that a fact is judged by counts for the fact, at its level', () => {
    const log = new EvidenceLog(['dialect.limit.register'], undefined, inProvenonce);
    log.record(seen(true, 'limit.register'));
    expect(log.entries).toMatchObject([{ clauses: ['dialect.limit.register'], level: 'decision', ok: true }]);
  });

  it('about what nobody judges counts for nothing, and is told to nobody', () => {
    const told: Evidence[] = [];
    const log = new EvidenceLog(['error.body.code'], (evidence) => told.push(evidence), inProvenonce);
    log.record(seen(false, 'work-proof.reply'));
    log.recordInPassing(seen(false, 'work-proof.reply'));
    log.withhold(['work-proof.reply'], 'no reason');
    expect([log.entries, told, log.withheld]).toEqual([[], [], [{ clauses: [], reason: 'no reason' }]]);
  });

  it('about several clauses is taken apart by level, and taken back together', () => {
    const log = new EvidenceLog(['dialect.limit.register', 'limit.error.rate-limited'], undefined, inProvenonce);
    const both = seen(true, 'limit.register', 'limit.error.rate-limited');
    log.record(both);
    expect(log.entries.map(({ clauses, level }) => [clauses, level])).toEqual([
      [['limit.error.rate-limited'], 'must'],
      [['dialect.limit.register'], 'decision'],
    ]);
    log.withdraw(new Set([both]), 'refused too');
    expect(log.entries).toEqual([]);
    expect(log.withheld[0]?.clauses.toSorted()).toEqual(['dialect.limit.register', 'limit.error.rate-limited']);
  });

  it('that a check does not list is a mistake of the check', () => {
    const log = new EvidenceLog(['limit.error.rate-limited'], undefined, inProvenonce);
    expect(() => log.record(seen(true, 'limit.register'))).toThrow(RangeError);
  });
});
