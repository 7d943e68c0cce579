import { describe, expect, it } from 'vitest';
import { allChecks } from '../checks/index.js';
import { decisionUses, dependents } from './decision-use.js';

describe('the use of decisions by checks', () => {
  it('counts the checks that build a step on one, and those that judge a clause of it, each once', () => {
    const uses = decisionUses([
      { id: 'a/pays', clauses: ['register.route'], needs: ['payments'] },
      { id: 'a/summary', clauses: ['fees-summary.reply'], needs: [] },
      { id: 'a/both', clauses: ['register.route', 'fees-summary.reply'], needs: ['payments', 'clock'] },
    ]);
    const [first] = uses;
    expect(first).toMatchObject({
      id: 'D-22',
      what: [expect.stringContaining('payment_address')],
      built: ['a/pays', 'a/both'],
      judged: ['a/summary', 'a/both'],
    });
    expect(uses.map((use) => [use.id, dependents(use)])).toEqual([
      ['D-22', 3],
      ['D-27', 2],
      ['D-04', 1],
      ['D-05', 1],
    ]);
  });

  it('of the suite names where fees are paid to, anchors and beats first', () => {
    const first = decisionUses(allChecks)
      .slice(0, 6)
      .map(({ id }) => id);
    for (const id of ['D-22', 'D-05', 'D-02']) expect(first).toContain(id);
  });
});
