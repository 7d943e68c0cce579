import { describe, expect, it } from 'vitest';
import { allChecks } from '../conformance/checks/index.js';
import { assertSound } from '../conformance/mutants/judge-mutant.js';
import { levelOf } from '../conformance/trial/check.js';
import { entailedBy, entailedClauses } from '../spec/clauses/entailed.js';
import { clauseById, clauses } from '../spec/clauses/index.js';
import { allMutants } from './all-mutants.js';
import { matrixOf } from './matrix.js';
import { mistakesIn } from './mistake.js';

describe('mutants', () => {
  it('have ids of their own, and each breaks a must clause that a check can judge', () => {
    expect(new Set(allMutants.map(({ id }) => id)).size).toBe(allMutants.length);
    for (const mutant of allMutants) assertSound(mutant);
  });

  it('break every must clause that can be judged', () => {
    const broken = new Set(allMutants.map(({ clause }) => clause));
    const musts = clauses.filter(({ level, excluded }) => level === 'must' && excluded === undefined);
    expect(musts.length).toBeGreaterThan(600);
    expect(musts.map(({ id }) => id).filter((id) => !broken.has(id))).toEqual([]);
  });

  it('for an unknown clause, one of a decision, or one that nobody can judge are refused', () => {
    const mutant = { id: 'x/y', title: '', patch: { number: 'a', value: 1 } };
    expect(() => assertSound({ ...mutant, clause: 'no.clause' })).toThrow('no clause has the id');
    expect(() => assertSound({ ...mutant, clause: 'dms.when' })).toThrow('no statement of the text');
    expect(() => assertSound({ ...mutant, clause: 'service.preview' })).toThrow('no check can judge');
  });

  it('are refused with their file and entry where they are not written as they have to be', () => {
    const within = (key: string, entry: object) => mistakesIn('a.yaml', { 'spec/x.ts y': { [key]: entry } });
    expect(() => within('x/y', { title: '', change: 'a → b' })).toThrow('a.yaml: "x/y" is not ID breaks CLAUSE');
    expect(() => within('x/y breaks z', { title: '', change: 'a' })).toThrow('write OLD → NEW');
    expect(() => within('x/y breaks z', { title: '', chnage: 'a → b' })).toThrow('chnage');
    expect(() => within('x/y breaks z', { title: '' })).toThrow('a.yaml: "x/y breaks z" changes nothing');
  });
});

describe('what a clause entails', () => {
  it('are clauses of the same level, each way', () => {
    for (const id of entailedClauses) {
      expect(clauseById(id).level, id).toBe('must');
      for (const other of entailedBy(id)) expect(other).not.toBe(id);
    }
  });
});

describe('the matrix', () => {
  const result = { title: '', deployment: 'devnet', outcome: 'killed', collateral: [], checks: 1 } as const;
  const judged = (killers: readonly string[]) =>
    allMutants.map(({ id, clause }) => ({ ...result, id, clause, killers }));

  it('of every mutant names the must checks that found none', () => {
    const musts = allChecks.filter((check) => levelOf(check) === 'must').map(({ id }) => id);
    const [first, ...others] = musts;
    expect(matrixOf({ results: judged(others), broken: [] }, allMutants.length).idle).toEqual([first]);
    expect(matrixOf({ results: judged(musts), broken: [] }, allMutants.length).idle).toEqual([]);
  });

  it('of some says nothing of the others', () => {
    expect(matrixOf({ results: judged([]).slice(1), broken: [] }, allMutants.length).idle).toBeUndefined();
  });
});
