/**
 * Rare events that a scenario can require under `sometimes`, by name and meaning. Counting them is in the simulator's
 * run/goals.ts.
 */

const plainGoals = {
  freeze: "The Dead Man's Switch froze an agent.",
  resync: 'A frozen agent proved its penalty and is active again.',
  'resync-refused': 'A resync was refused, since the gap had grown beyond what was proven.',
  'heartbeat-of-frozen': 'A frozen agent learned of its state by a refused heartbeat.',
  'heartbeat-too-soon': 'A heartbeat was refused under the minimum interval.',
  'volume-cap': 'A heartbeat was refused over the cap of the epoch.',
  'second-fee-tier': 'A heartbeat was paid at the fee of tier 2.',
  'top-fee-tier': 'A heartbeat was paid at the fee of tier 3.',
  'epoch-rollover': 'A second billing epoch began.',
  'dry-wallet': 'An agent could not pay.',
  'top-up': 'Money was sent to a wallet that ran low.',
} as const;

/** Goals that need an optional part of the model. */
const featureGoals = {
  departure: 'An agent left.',
  reissue: 'A passport was reissued.',
  spawn: 'A parent made a child.',
  grandchild: 'A child made a child.',
  'sponsored-heartbeat': 'A sponsor paid for a heartbeat.',
  'sponsor-refused': 'A heartbeat was refused for want of a sponsorship that holds or has room.',
  'flag-sustained': 'A complaint was sustained.',
  'heartbeat-refused': 'A heartbeat was refused for a sustained complaint.',
  'flag-breaker': 'A complaint was refused since too many were pending.',
  'anchor-stall': 'An anchor was not issued when it was due.',
  'payment-trouble': 'A payment was late or dropped.',
  'cut-off': 'Agents were cut off together.',
  'key-revoked': 'A key was revoked.',
  subsidy: 'A subsidy lowered a fee.',
  'rules-changed': 'Protocol numbers changed during the run.',
  'forged-proof': 'A forged proof of work was taken.',
  'forgery-caught': 'A forged proof of work was refused.',
} as const;

export type FeatureGoalName = keyof typeof featureGoals;

/**
 * Every goal and when it is reached. A scenario requires goals because a run in which nothing rare happened says nothing about
 * rare events.
 */
export const goals = { ...plainGoals, ...featureGoals };

export type GoalName = keyof typeof goals;

/** Every goal, in the order of the table. */
export const goalNames = Object.keys(goals) as readonly GoalName[];
