import { describe, expect, it } from 'vitest';
import { CLAUSES, conformanceFixture, lackingConformance } from '../../test/fixtures/results.js';
import { clausesLeft, unjudgedGroups } from './unjudged.js';

describe('what was not judged', () => {
  it('stands by verdict and reason, what leaves most must clauses open first, and what was not chosen last', () => {
    const groups = unjudgedGroups(conformanceFixture());
    expect(
      groups.map(({ verdict, reason, checks, ...rest }) => [verdict, reason, checks.length, clausesLeft(rest).must]),
    ).toEqual([
      ['not-tested', 'the target offers no clock', 2, 2],
      ['error', 'the check threw: cannot read the reply', 1, 1],
      ['not-applicable', 'the target declares partner-webhook unsupported', 1, 1],
      ['not-tested', 'the target offers no beats', 1, 1],
      ['inconclusive', 'three replies in a row were 503', 1, 1],
      [undefined, 'none of its checks was chosen', 0, 1],
    ]);
  });

  it('says how to provide it, but for what nothing can provide', () => {
    const told = unjudgedGroups(conformanceFixture()).map(({ provide }) => provide?.slice(0, 15));
    expect(told).toEqual(['give `control: ', undefined, undefined, 'give `beats_url', undefined, undefined]);
  });

  it('tells a clause that a passing check could not see, by its level', () => {
    const reason = 'D-11 is not followed: the signed text is not known';
    const clauses = CLAUSES.slice(0, 1).map((one) => ({ ...one, level: 'decision' as const, reason }));
    const [group] = unjudgedGroups(conformanceFixture({ checks: [], clauses }));
    expect(group).toMatchObject({ verdict: undefined, label: 'not judged', reason, checks: [] });
    expect(group && clausesLeft(group)).toEqual({ must: 0, decision: 1 });
  });

  it('is one group for one broken call of the control API, with all the checks that need it', () => {
    const [sample] = conformanceFixture().checks.filter(({ verdict }) => verdict === 'inconclusive');
    if (sample === undefined) throw new Error('no check is inconclusive');
    const broken = (id: string, reason: string, of: string) =>
      Object.assign({}, sample, { id, reason, why: { kind: 'effect', of } as const });
    const checks = [
      broken('dms/grace', 'now_ms stays 5', 'POST clock/advance'),
      broken('heartbeat/interval', 'now_ms stays 7', 'POST clock/advance'),
      broken('sigil/paid', 'the transfer is not there', 'POST ledger/transfers'),
    ];
    const groups = unjudgedGroups(conformanceFixture({ checks, clauses: [] }));
    expect(groups.map((group) => group.checks.map(({ id }) => id))).toEqual([
      ['dms/grace', 'heartbeat/interval'],
      ['sigil/paid'],
    ]);
  });

  it('leaves out what waits for an endpoint that is not there', () => {
    expect(unjudgedGroups(lackingConformance())).toEqual([]);
  });
});
