import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { conform } from '../conformance/run/runner.js';
import type { ConformanceResult } from '../results/conformance-result.js';
import { referenceTarget } from '../runs/server/reference-process.js';
import { type SecondServer, startSecondServer } from './second-server/server.js';

/** The suite in dialect provenonce against a server that was written from the text and from the table of facts alone. */

/** The least that its beats service takes. */
const DIFFICULTY = 100;

let server: SecondServer;
let result: ConformanceResult;
beforeAll(async () => {
  server = await startSecondServer({ difficulty: DIFFICULTY, published: true });
  const { url: base_url, beatsUrl: beats_url, controlUrl: control_url } = server;
  const target = referenceTarget({ base_url, beats_url, control_url, control_token: 'lab' }, [
    'dialect: provenonce',
    'unsupported: [partner-webhook]',
    `protocol: { beat: { difficulty: ${DIFFICULTY} } }`,
  ]);
  result = await conform(target, { seed: 1, toolVersion: 'test', nowWallMs: Date.now });
}, 900_000);
afterAll(() => server.close());

describe('a server that does as the published one', () => {
  it('has no failure against the text but that its errors have no code, which is told once', () => {
    const against = result.findings.filter(({ level }) => level === 'must');
    expect(
      against.map(({ id, expected, actual, checks }) => ({ id, expected, actual, checks: checks.slice(0, 5) })),
    ).toEqual([
      {
        id: 'errors-without-code',
        expected: expect.any(String),
        actual: expect.stringMatching(/^nothing in 4\d\d /),
        checks: expect.any(Array),
      },
    ]);
    expect(against[0]?.checks.length).toBeGreaterThan(20);
    expect(result.checks.filter(({ verdict }) => ['error', 'inconclusive'].includes(verdict))).toEqual([]);
  });

  it.each(['server-error-on-bad-json', 'lookups-without-limit'])('is told once of %s', (cause) => {
    const clause = { 'server-error-on-bad-json': 'error.invalid-json', 'lookups-without-limit': 'limit.status' }[cause];
    const found = result.findings.filter(({ clauses }) => clauses.includes(String(clause)));
    expect(found.map(({ id, level }) => [id, level])).toEqual([[cause, 'decision']]);
  });

  it('has every fact of the dialect', () => {
    const facts = result.clauses.filter(({ where }) => where.includes('D-57'));
    expect(facts.length).toBeGreaterThan(25);
    const others = facts
      .filter(({ id, state }) => id !== 'dialect.settings' && state !== 'holds')
      .map(({ id, state, reason }) => [id, state, reason ?? '']);
    expect(others).toEqual([]);
  });
});
