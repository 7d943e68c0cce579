import { describe, expect, it } from 'vitest';
import { dialects } from '../../spec/dialect.js';
import { allChecks } from '../checks/index.js';
import { bareTarget } from '../target/target.js';
import { checksIn } from './in-dialect.js';
import { plan } from './plan.js';

const { service, provenonce } = dialects;
const clausesOf = (id: string, dialect: typeof provenonce): readonly string[] =>
  checksIn(allChecks, dialect).find((check) => check.id === id)?.clauses ?? [];

describe('the checks of a dialect', () => {
  it('are about the clauses that stand in it', () => {
    expect(clausesOf('register/limits-apart', service)).toEqual(['limit.register', 'limit.register.wallet-flow']);
    expect(clausesOf('register/limits-apart', provenonce)).toEqual([
      'dialect.limit.register',
      'dialect.limit.register.wallet-flow',
    ]);
    expect(clausesOf('work-proof/made-up', provenonce)).not.toContain('work-proof.field.to-hash');
  });

  it('look at facts of other dialects in no other', () => {
    const ids = (dialect: typeof provenonce) => checksIn(allChecks, dialect).map(({ id }) => id);
    expect(ids(service)).not.toContain('dialect/work-proof-reply');
    expect(ids(provenonce)).toContain('dialect/work-proof-reply');
    expect(ids(provenonce)).toHaveLength(allChecks.length);
  });

  it('are not applicable where the dialect replaces all that they look at, and say by what', () => {
    const target = { ...bareTarget('http://127.0.0.1:1'), beatsUrl: 'http://127.0.0.1:2', dialect: provenonce };
    const planned = plan(target, allChecks, {});
    const found = (id: string) => planned.checks.find((check) => check.id === id);
    for (const id of ['register/name-code-points', 'work-proof/spot-checks-twice', 'beat-verify/chain-registry']) {
      expect(found(id)).toMatchObject({ verdict: 'not-applicable' });
      expect(found(id)?.reason, id).toMatch(/^replaced by the dialect: \S/);
    }
    expect(found('work-proof/valid')).not.toHaveProperty('verdict');
  });
});
