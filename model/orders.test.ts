// Of the states after overlapping exchanges only what all orders have in common stays known.
import { expect, it } from 'vitest';
import { HASH, SETTINGS } from '../test/fixtures/seen-service.js';
import { UNKNOWN } from './facts/earlier.js';
import { commonTo } from './facts/join.js';
import { earlierAgent, openState } from './facts/open-state.js';
import type { State } from './facts/state.js';
import { judgeOrders, settleOn } from './orders.js';

it('what only one of two orders changes or makes is unknown, and everything else is known', () => {
  const state = openState(SETTINGS);
  state.agents.set(HASH, { ...earlierAgent(HASH), heartbeats: 7, children: 1 });
  const first = (tried: State): void => {
    const agent = tried.agents.find(HASH);
    if (agent === undefined || tried.sigils.holds('later')) return;
    agent.heartbeats += 1;
    tried.anchors.set('1', { hash: 'a' });
  };
  const second = (tried: State): void => void tried.sigils.set('later', {});
  const entries = [first, second].map((to, nth) => ({ begin: nth, end: 10 + nth, to }));
  const { path, ends } = judgeOrders<(typeof entries)[number], never>(state, entries, {
    judge: (tried, { to }) => {
      to(tried);
      return [];
    },
    ...{ isPassive: () => false, meet: () => true, weight: () => 0, isGood: () => true, all: true },
  });
  const keepCommon = commonTo(state, ends);
  settleOn(state, path);
  keepCommon();
  expect(state.agents.find(HASH)).toMatchObject({ heartbeats: UNKNOWN, children: 1 });
  expect(state.anchors.find('1')).toMatchObject({ hash: UNKNOWN });
  expect(state.sigils.holds('later')).toBe(true);
});
