import { describe, expect, it } from 'vitest';
import { entailedBy, entailedClauses } from '../../spec/clauses/entailed.js';
import { clauseById, clauses } from '../../spec/clauses/index.js';
import { allChecks } from '../checks/index.js';
import { levelOf } from '../trial/check.js';
import { replacedOnce } from './hooks.js';
import { allMutants } from './index.js';
import { assertSound } from './judge-mutant.js';
import { matrixOf } from './matrix.js';

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

  it('whose text is not there, or there twice, are out of date', () => {
    const patch = { file: 'a', before: 'x', after: 'y' };
    expect(replacedOnce('x', patch)).toBe('y');
    expect(() => replacedOnce('z', patch)).toThrow('a has 0 places that read "x", and one is wanted');
    expect(() => replacedOnce('xx', patch)).toThrow('a has 2 places');
  });

  it('for an unknown clause, one of a decision, or one that nobody can judge are refused', () => {
    const mutant = { id: 'x/y', title: '', patch: { number: 'a', value: 1 } };
    expect(() => assertSound({ ...mutant, clause: 'no.clause' })).toThrow('no clause has the id');
    expect(() => assertSound({ ...mutant, clause: 'dms.when' })).toThrow('no statement of the text');
    expect(() => assertSound({ ...mutant, clause: 'service.preview' })).toThrow('no check can judge');
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
  const result = { title: '', deployment: 'devnet', fate: 'killed', collateral: [], checks: 1 } as const;
  const judged = (killers: readonly string[]) =>
    allMutants.map(({ id, clause }) => ({ ...result, id, clause, killers }));

  it('of every mutant names the must checks that found none', () => {
    const musts = allChecks.filter((check) => levelOf(check) === 'must').map(({ id }) => id);
    const [first, ...others] = musts;
    expect(matrixOf({ results: judged(others), broken: [] }, '1').idle).toEqual([first]);
    expect(matrixOf({ results: judged(musts), broken: [] }, '1').idle).toEqual([]);
  });

  it('of some says nothing of the others', () => {
    expect(matrixOf({ results: judged([]).slice(1), broken: [] }, '1').idle).toBeUndefined();
  });
});
