import { describe, expect, it } from 'vitest';
import { conformanceFixture, simulationFixture } from '../../test/fixtures/results.js';
import { conformanceJson } from '../conformance/conformance-json.js';
import { reportPage } from '../views/report-page.js';
import { withShortNames } from './short-names.js';

describe('withShortNames', () => {
  it('changes nothing of a result whose names are not long', () => {
    const result = conformanceFixture();
    expect(withShortNames(result)).toEqual(result);
  });

  it('does not read a transcript, which is made when somebody reads it', () => {
    const check = {
      title: 'x'.repeat(5_000),
      get transcript(): never {
        throw new Error('nobody asked for it');
      },
    };
    expect(withShortNames({ checks: [check] }).checks[0]?.title.length).toBeLessThan(700);
  });

  it('keeps different names different, and refers to each by one name', () => {
    const [a, b] = [`${'x'.repeat(5_000)}a`, `${'x'.repeat(5_000)}b`];
    const short = withShortNames({ checks: [{ id: a }, { id: b }], clauses: [{ checks: [a, b] }] });
    expect(short.clauses[0]?.checks).toEqual(short.checks.map(({ id }) => id));
    expect(new Set(short.clauses[0]?.checks).size).toBe(2);
  });

  it.each(['base_url', 'clause', 'check'] as const)('keeps the page of a report with a very long %s small', (what) => {
    const long = 'x'.repeat(200_000);
    const plain = conformanceFixture();
    const { target, clauses, checks } = plain;
    const many = Array.from({ length: 300 }, (_, at) => ({
      ...clauses[0]!,
      id: `many.${at}`,
      checks: [checks[0]!.id],
    }));
    const result = {
      ...plain,
      target: what === 'base_url' ? { ...target, base_url: long } : target,
      clauses: [...clauses, ...many].map((one) => (what === 'clause' ? { ...one, where: long.slice(0, 2_000) } : one)),
      checks: checks.map((one) => (what === 'check' ? { ...one, title: long } : one)),
    };
    const reported = [
      { kind: 'conformance', name: 'a', result },
      { kind: 'simulation', name: 'b', result: simulationFixture() },
    ] as const;
    expect(reportPage(reported, '1').length).toBeLessThan(2 * conformanceJson(result).length + 400_000);
  });
});
