/**
 * The share of a scenario's agents that one world plays: all of them, or those of one of several threads. Which scenarios
 * can be shared out is said in scenarios/coupling.ts.
 */

/**
 * Agents are partitioned into this many groups, called hands: the hand of an agent is its number modulo `HANDS`. Each hand has an event
 * chain of its own. A share is a range of whole hands, so the chains are the same however many shares a run has.
 */
export const HANDS = 64;

/** A range of hands: `hands` of them, from the hand `first` on. */
export interface Share {
  readonly first: number;
  readonly hands: number;
}

/** The share of all agents. */
export const WHOLE: Share = { first: 0, hands: HANDS };

/** The `index`-th of `shares` shares, from 0. RangeError for more shares than hands. */
export function shareOf(index: number, shares: number): Share {
  if (shares < 1 || shares > HANDS || index < 0 || index >= shares) {
    throw new RangeError(`there is no share ${index} of ${shares}: there are 1 to ${HANDS}`);
  }
  const first = Math.floor((index * HANDS) / shares);
  return { first, hands: Math.floor(((index + 1) * HANDS) / shares) - first };
}

/** The number in the whole scenario of an agent that has the number `agent` in a world with this share; -1, no agent, stays -1. */
export function scenarioNumberOf({ first, hands }: Share, agent: number): number {
  if (hands === HANDS || agent < 0) return agent;
  return ((agent / hands) | 0) * HANDS + first + (agent % hands);
}

/** The number of a share's agents whose number in the scenario is below `number`. */
export function agentsBelow({ first, hands }: Share, number: number): number {
  return Math.floor(number / HANDS) * hands + Math.min(hands, Math.max(0, (number % HANDS) - first));
}
