/** Judges exchanges by the model, from a state in which everything is unknown that the traffic has not shown. */

import type { Judgement } from '../model/evidence.js';
import { openState } from '../model/facts/open-state.js';
import type { State } from '../model/facts/state.js';
import { Oracle } from '../model/oracle.js';
import type { Settings } from '../model/reading/settings.js';
import type { Observed } from './exchange.js';
import { type Begin, InOrder } from './in-order.js';

/** A judge from an unknown start: it begins exchanges, and reports the judgement of each. `describes`: which situations of requests are wanted. */
export function openJudge(
  settings: Settings,
  onJudged: (by: Observed, judgement: Judgement) => void,
  describes?: State['describes'],
): { readonly begin: Begin; readonly state: State } {
  const state = openState(settings);
  if (describes !== undefined) state.describes = describes;
  const oracle = new Oracle<Observed>(state, ({ by, judgement }) => onJudged(by, judgement));
  const begin: Begin = (observed) => {
    const { request, reply, client, unread, isOrderOnly, beganMs, endedMs } = observed;
    const end = oracle.begin(
      client === undefined ? request : { ...request, client },
      observed,
      isOrderOnly ? undefined : beganMs,
    );
    return () =>
      reply === undefined || unread !== undefined ? end() : end(reply, true, isOrderOnly ? undefined : endedMs);
  };
  return { begin, state };
}

/** Judges a few exchanges alone, in the order of their times, and returns the state after them. */
export function judgedAlone(
  settings: Settings,
  exchanges: readonly Observed[],
  onJudged: (by: Observed, judgement: Judgement) => void,
): State {
  const { begin, state } = openJudge(settings, onJudged);
  const order = new InOrder(begin);
  for (const each of exchanges) order.add(each);
  order.flush();
  return state;
}
