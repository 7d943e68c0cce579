import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { conform } from '../conformance/run/runner.js';
import type { ConformanceResult } from '../results/conformance-result.js';
import { referenceTarget } from '../runs/server/reference-process.js';
import { type SecondServer, startSecondServer } from './second-server/server.js';

/** Beats that are quickly computed. Work that is too easy is refused: how easy it may be is a decision. */
const DIFFICULTY = 8;
const UNSUPPORTED = 'partner-webhook';

let server: SecondServer;
let result: ConformanceResult;
beforeAll(async () => {
  server = await startSecondServer({ difficulty: DIFFICULTY });
  const { url: base_url, beatsUrl: beats_url, controlUrl: control_url } = server;
  const target = referenceTarget({ base_url, beats_url, control_url, control_token: 'lab' }, [
    `unsupported: [${UNSUPPORTED}]`,
    `protocol: { beat: { difficulty: ${DIFFICULTY} }, work: { difficultyMin: 4, receiptDifficultyMin: 4 } }`,
  ]);
  result = await conform(target, { seed: 1, toolVersion: 'test', nowWallMs: Date.now });
});
afterAll(() => server.close());

/** The must clauses, but those of endpoints that the server does not have. */
const must = () => result.clauses.filter(({ level, reason }) => level === 'must' && reason !== DECLARED);
const DECLARED = 'the target declares it as unsupported';

describe('a server that was written from the specification alone', () => {
  it('has no failure against the text', () => {
    const against = result.findings.filter(({ level }) => level === 'must');
    expect(against.map(({ id, expected, actual, checks }) => ({ id, expected, actual, checks }))).toEqual([]);
    expect(
      result.checks.filter(({ verdict }) => ['error', 'inconclusive'].includes(verdict)).map(({ id }) => id),
    ).toEqual([]);
  });

  it('is judged on nine tenths of the must clauses of its endpoints', () => {
    const judged = must().filter(({ state }) => state === 'holds' || state === 'fails');
    const able = must().filter(({ state }) => state !== 'excluded');
    const not = able.filter((clause) => !judged.includes(clause)).map(({ id }) => id);
    expect(judged.length / able.length, not.join(' ')).toBeGreaterThanOrEqual(0.9);
    expect(able.length).toBeGreaterThan(500);
  });
});
