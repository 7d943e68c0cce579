import { describe, expect, it } from 'vitest';
import { spawnCost } from '../../model/spawn-cost.js';
import { protocol } from '../../spec/protocol.js';
import { type Answer, alike, equals, settle, shown } from './expectation.js';
import { emptyState, limited, type State } from './state.js';

const state = (): State => emptyState({ protocol, byoWallet: true, beatsRequired: true, needsSecret: false });
const bare = (status: number, json: unknown = {}): Answer => ({
  name: 'POST /x',
  status,
  json,
  text: JSON.stringify(json),
});
const answer = (status: number, json: object = {}): Answer =>
  bare(status, status < 400 ? json : { error: 'words', ...json });
const soon = { why: 'too soon', status: 429, code: 'HEARTBEAT_TOO_SOON' };
const frozen = { why: 'frozen' };

describe('what is expected of a reply', () => {
  it('is a success where nothing is wrong', () => {
    expect(settle(state(), answer(201), { faults: [] })).toBe(true);
    expect(() => settle(state(), answer(400), { faults: [] })).toThrow('but nothing is wrong with the request');
  });

  it('is one of the refusals that apply, in whatever order', () => {
    const faults = [soon, { why: 'x', status: 409, code: 'PAYMENT_ALREADY_USED' }];
    expect(settle(state(), answer(429, { code: 'HEARTBEAT_TOO_SOON' }), { faults })).toBe(false);
    expect(settle(state(), answer(409, { code: 'PAYMENT_ALREADY_USED' }), { faults })).toBe(false);
    expect(() => settle(state(), answer(400, { code: 'PAYMENT_ALREADY_USED' }), { faults })).toThrow(
      '429 HEARTBEAT_TOO_SOON (too soon), or 409 PAYMENT_ALREADY_USED (x)',
    );
    expect(() => settle(state(), answer(200), { faults })).toThrow('has to refuse: too soon; x');
  });

  it('has words in every refusal that section 7 lists', () => {
    expect(() => settle(state(), bare(429, { code: 'HEARTBEAT_TOO_SOON' }), { faults: [soon] })).toThrow(
      'error is undefined, and a text is expected',
    );
    expect(settle(state(), bare(403), { faults: [frozen] })).toBe(false);
  });

  it('is judged where it is shown, of a reply whose form is open', () => {
    expect(() => shown(bare(200, { depth: 2 }), 'depth', 1)).toThrow('depth is 2, and 1 is expected');
    shown(bare(200, {}), 'depth', 1);
  });

  it('is any refusal where the text has no status, and either where it says nothing', () => {
    expect(settle(state(), answer(403), { faults: [frozen] })).toBe(false);
    expect(settle(state(), answer(200), { faults: [], open: ['silent'] })).toBe(true);
    expect(settle(state(), answer(400), { faults: [], open: ['silent'] })).toBe(false);
    expect(() => settle(state(), answer(500), { faults: [frozen], open: ['silent'] })).toThrow('neither a success nor');
  });

  it('reads hashes in either case and fields in any order, and nothing else', () => {
    expect(alike(`0x${'ab'.repeat(32)}`, `0x${'AB'.repeat(32)}`)).toBe(true);
    expect(alike({ a: 1, b: [null] }, { b: [null], a: 1 })).toBe(true);
    expect(alike({ a: 1 }, { a: 1, b: undefined })).toBe(false);
    expect(alike([1, 2], [2, 1])).toBe(false);
    expect(() => equals(answer(200, { a: '1' }), 'a', 1)).toThrow('a is "1", and 1 is expected');
  });
});

describe('a limit', () => {
  const limit = { count: 2, windowSec: 60 };
  const bucket = [['x', limit]] as const;
  const refused = answer(429, { code: 'RATE_LIMITED' });

  it('must not refuse what is within it, and must refuse what comes at once beyond it', () => {
    const now = state();
    expect(() => settle(now, refused, { faults: [], counted: bucket })).toThrow('before its limit is reached');
    const fresh = state();
    for (let nth = 0; nth < 2; nth += 1) expect(settle(fresh, answer(200), { faults: [], counted: bucket })).toBe(true);
    expect(limited(fresh, ['x', limit])).toBe('must');
    expect(() => settle(fresh, answer(200), { faults: [], counted: bucket })).toThrow('a rate limit is reached');
  });

  it('may refuse until its window has passed, and lets no more than twice its count through in one', () => {
    const now = state();
    for (const ms of [0, 0, 30_000, 30_000]) {
      now.nowMs = ms;
      settle(now, answer(200), { faults: [], counted: bucket });
    }
    now.nowMs = 31_000;
    expect(limited(now, ['x', limit])).toBe('must');
    now.nowMs = 60_000;
    expect(limited(now, ['x', limit])).toBe('may');
    now.nowMs = 90_000;
    expect(limited(now, ['x', limit])).toBe('no');
  });
});

describe('the cost of a spawn', () => {
  it.each([
    [0, 0, 1000],
    [0, 1, 1200],
    [1, 0, 1500],
    [1, 1, 1800],
    [2, 0, 2250],
    [2, 3, 3888],
  ])('at depth %i with %i siblings is %i beats', (depth, siblings, beats) => {
    expect(spawnCost(protocol, depth, siblings)).toBe(beats);
  });
});
