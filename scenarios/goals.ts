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

/** Those that are reached only where a feature is used. */
const featureGoals = {
  departure: 'An agent left.',
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
  'rules-changed': 'Numbers of the protocol changed on the way.',
  'forged-proof': 'A forged proof of work was taken.',
  'forgery-caught': 'A forged proof of work was refused.',
} as const;

export type FeatureGoalName = keyof typeof featureGoals;

/**
 * What a scenario can demand to have happened at least once, under `sometimes`: a run in which nothing rare came about says
 * nothing about it. The name of a goal, and when it is reached.
 */
export const goals = { ...plainGoals, ...featureGoals };

export type GoalName = keyof typeof goals;

/** Every goal, in the order of the table. */
export const goalNames = Object.keys(goals) as readonly GoalName[];
