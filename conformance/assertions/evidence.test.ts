// The evidence that a check records for clauses: in which dialect, about which clauses, and what of it is taken back.
import { describe, expect, it } from 'vitest';
import { dialects } from '../../spec/dialect.js';
import { standingIn } from '../../spec/dialect-clauses.js';
import { EvidenceLog, levelOfClauses, type SeenEvidence } from './evidence.js';

const inProvenonce = standingIn(dialects.provenonce);

function seen(ok: boolean, ...clauses: readonly string[]): SeenEvidence {
  return { clauses, level: 'must', n: 1, endpoint: 'POST /x', about: 'status', ok };
}

describe('evidence in a dialect with facts of its own (D-57)', () => {
  it('about a clause that a fact is judged by counts for the fact, at its level', () => {
    const log = new EvidenceLog(['dialect.limit.register'], undefined, inProvenonce);
    log.record(seen(true, 'limit.register'));
    expect(log.entries).toMatchObject([{ clauses: ['dialect.limit.register'], level: 'decision', ok: true }]);
  });

  it('about what nobody judges counts for nothing, and is told to nobody', () => {
    const told: SeenEvidence[] = [];
    const log = new EvidenceLog(['error.body.code'], (evidence) => told.push(evidence), inProvenonce);
    log.record(seen(false, 'work-proof.reply'));
    log.withhold(['work-proof.reply'], { reason: 'no reason' });
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
});

describe('an assertion', () => {
  it('has the level of its clauses, of which there is at least one, and all are of one level', () => {
    expect(levelOfClauses(['limit.register', 'limit.error.rate-limited'])).toBe('must');
    expect(levelOfClauses(['dialect.limit.register'])).toBe('decision');
    expect(() => levelOfClauses([])).toThrow('at least one clause');
    expect(() => levelOfClauses(['limit.register', 'dialect.limit.register'])).toThrow('clauses of one level');
  });
});

describe('evidence that an assertion records', () => {
  const logOf = () => {
    const noticed: SeenEvidence[] = [];
    return { noticed, log: new EvidenceLog(['limit.register'], (evidence) => noticed.push(evidence)) };
  };

  it('for clauses counts for those that the check lists, and not at all if it lists none', () => {
    const { log, noticed } = logOf();
    log.record(seen(true, 'limit.register', 'limit.status'));
    log.record(seen(true, 'limit.status'));
    expect(log.entries.map(({ clauses }) => clauses)).toEqual([['limit.register']]);
    expect(noticed).toEqual([]);
  });

  it('against clauses counts against all of them, and is noticed at once', () => {
    const { log, noticed } = logOf();
    log.record(seen(false, 'limit.status', 'limit.error.rate-limited'));
    expect(log.entries.map(({ clauses }) => clauses)).toEqual([['limit.status', 'limit.error.rate-limited']]);
    expect(noticed).toEqual(log.entries);
  });

  it('is kept against nothing if it names no clause', () => {
    const { log } = logOf();
    log.record(seen(false));
    expect(log.entries).toEqual([]);
  });
});

describe('evidence of refusals that is taken back', () => {
  it('is that which speaks for clauses; what speaks against them and what others showed is kept', () => {
    const log = new EvidenceLog(['limit.register', 'limit.status', 'limit.error.rate-limited']);
    const [good, bad, another] = [
      seen(true, 'limit.register'),
      seen(false, 'limit.status'),
      seen(true, 'limit.status'),
    ];
    for (const one of [good, bad, another]) log.record(one);
    log.withdraw(new Set([good, bad]), 'refused too');
    expect(log.entries).toEqual([bad, another]);
    expect(log.withheld).toEqual([{ clauses: ['limit.register'], reason: 'refused too' }]);
  });

  it('leaves no reason where there is none to take back', () => {
    const log = new EvidenceLog(['limit.register']);
    log.record(seen(true, 'limit.register'));
    log.withdraw(new Set(), 'refused too');
    expect([log.entries.length, log.withheld]).toEqual([1, []]);
  });

  it('and what is withheld names the clauses that the check lists alone', () => {
    const log = new EvidenceLog(['limit.register']);
    log.withhold(['limit.status', 'limit.register'], { reason: 'D-34 is not followed' });
    expect(log.withheld).toEqual([{ clauses: ['limit.register'], reason: 'D-34 is not followed' }]);
  });
});
