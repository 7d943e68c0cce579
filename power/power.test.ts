// The lookup of kill data: which requests notice which planted mistakes, and the counts by clause.
import { describe, expect, it } from 'vitest';
import { clauseById } from '../spec/clauses/index.js';
import { KILLS_SCHEMA, type KillData, shippedKills } from './kill-data.js';
import { Noticing } from './noticing.js';
import { percentOf, powerOf } from './power.js';

const HEARTBEAT = 'POST /api/v1/agent/heartbeat';
const data: KillData = {
  schema: KILLS_SCHEMA,
  texts: [HEARTBEAT, 'valid', 'own last 10', 'own class orchestrator', 'heartbeat/AGENT_FROZEN', 'heartbeat/races'],
  mistakes: [
    { id: 'any', clause: 'heartbeat.route', requests: [[0, 1]] },
    { id: 'at-ten', clause: 'heartbeat.interval.min', requests: [[0, 1, 2]] },
    { id: 'both', clause: 'heartbeat.interval.min', requests: [[0, 1, 2, 3]] },
    { id: 'frozen', clause: 'dms.freeze.heartbeats', requests: [[0, 4]] },
    { id: 'raced', clause: 'heartbeat.interval.min', checks: [5] },
    { id: 'never', clause: 'heartbeat.route' },
  ],
};
const [evidence] = [
  [{ ok: true, clauses: ['heartbeat.route'], level: 'must', endpoint: HEARTBEAT, about: '' }],
] as const;
const request = (...situation: string[]) => ({ endpoint: HEARTBEAT, situation, evidence: [...evidence] });

describe('the mistakes that requests notice', () => {
  it.each([
    [['any'], request('valid')],
    [['any', 'at-ten'], request('valid', 'own last 10')],
    [['any'], request('valid', 'own class orchestrator')],
    [['any', 'at-ten', 'both'], request('valid', 'own class orchestrator', 'own last 10')],
    [['frozen'], request('heartbeat/AGENT_FROZEN', 'own last 10')],
    [[], request('heartbeat/SIGIL_REQUIRED')],
    [[], { ...request('valid'), endpoint: 'POST /api/v1/agent/flag' }],
    [[], { ...request('valid'), evidence: [] }],
    [[], { ...request(), situation: undefined }],
  ])('%j by one request', (noticed, judgement) => {
    const noticing = new Noticing(data);
    noticing.see(judgement);
    expect([...noticing.noticed].toSorted()).toEqual(noticed);
  });

  it('a check that ended notices those that no request shows', () => {
    const noticing = new Noticing(data);
    noticing.seeCheck('heartbeat/races');
    noticing.seeCheck('heartbeat/first');
    expect([...noticing.noticed]).toEqual(['raced']);
  });
});

it('power is counted by clause; a mistake that nothing ever showed is not noticed', () => {
  const { all, clauses } = powerOf(new Set(['any', 'at-ten', 'never-heard-of']), data);
  expect(all).toEqual({ noticed: 2, of: 6 });
  expect(Object.fromEntries(clauses)).toEqual({
    'heartbeat.route': { noticed: 1, of: 2 },
    'heartbeat.interval.min': { noticed: 1, of: 3 },
    'dms.freeze.heartbeats': { noticed: 0, of: 1 },
  });
  expect([percentOf(all), percentOf(undefined), percentOf({ noticed: 0, of: 0 })]).toEqual([100 / 3, 0, 0]);
});

it('the kill data of the package has clauses of the text, and each place in its texts', () => {
  const { texts, mistakes } = shippedKills();
  expect(new Set(mistakes.map(({ id }) => id)).size).toBe(mistakes.length);
  for (const { clause, requests = [], checks = [] } of mistakes) {
    expect(clauseById(clause).level).toBe('must');
    expect([...requests.flat(), ...checks].every((place) => texts[place] !== undefined)).toBe(true);
  }
});
