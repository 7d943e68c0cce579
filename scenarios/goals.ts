/**
 * What a scenario can demand to have happened at least once, under `sometimes`: a run in which nothing rare came about says
 * nothing about it. The name of a goal, and when it is reached.
 */
export const goals = {
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

export type GoalName = keyof typeof goals;

/** Every goal, in the order of the table. */
export const goalNames = Object.keys(goals) as readonly GoalName[];
