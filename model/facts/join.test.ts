// The known part of a state after overlapping requests: what all their orders have in common.
import { expect, it } from 'vitest';
import { BASE, HASH, KEY, SETTINGS } from '../../test/fixtures/seen-service.js';
import { noteEnd, noteRequest } from '../exchange.js';
import { type Call, requestOf } from '../reading/call.js';
import { UNKNOWN } from './earlier.js';
import { commonTo } from './join.js';
import { openState } from './open-state.js';
import { commit, fork, newAgent } from './state.js';

it('an agent that may not be there keeps its hash, and a bucket the requests that count in each order', () => {
  const state = openState(SETTINGS);
  const ends = [fork(state), fork(state)] as const;
  const [one, other] = ends;
  const own = { hash: HASH, written: HASH, name: 'Ada', metadata: undefined, wallet: null, parent: undefined };
  one.agents.set(HASH, newAgent(one, own));
  one.buckets.set('status', { underWay: 1, sentMs: [1, 2], takenMs: [1, 2] });
  other.buckets.set('status', { underWay: 0, sentMs: [1], takenMs: [1] });
  for (const each of ends) each.keys.set(KEY, { hash: HASH });
  const keepCommon = commonTo(state, ends);
  commit(state, one);
  keepCommon();
  expect(state.agents.find(HASH)).toMatchObject({ hash: HASH, name: UNKNOWN, revoked: UNKNOWN });
  expect(state.buckets.find('status')).toEqual({ underWay: 1, sentMs: [1, 2], takenMs: [1] });
  // A request with its key is counted, although nobody knows whether the key is revoked.
  const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };
  const call = requestOf(SETTINGS, { method: 'POST', url: `${BASE}/api/v1/agent/heartbeat`, headers }) as Call;
  noteRequest(state, call);
  noteEnd(state, call);
  expect(call.countedIn).toEqual([]);
});
