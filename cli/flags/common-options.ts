/** Options that several commands have, each with one meaning. */

/** Output for programs. */
export const json = { json: { type: 'boolean', default: false, describe: 'Print the result as JSON' } } as const;

export const seed = { seed: { type: 'number', default: 1, describe: 'Seed of all random draws' } } as const;

export const out = { out: { type: 'string', describe: 'Folder of the results; absent: nothing is written' } } as const;

export const threads = {
  threads: { type: 'number', default: 1, describe: 'Threads; the results do not depend on their number' },
} as const;

export const runs = { runs: { type: 'number', default: 100, describe: 'How many are played' } } as const;

export const protocolFile = {
  protocol: { type: 'string', describe: 'YAML overlay that replaces numbers of the protocol, and its parts' },
} as const;

export const dialectOption = {
  dialect: { type: 'string', default: 'service', describe: 'service, provenonce, or a YAML file with your own' },
} as const;

export const behavioursFile = {
  behaviours: { type: 'string', describe: 'Module with your own heartbeat behaviours, for policy: own' },
} as const;

export const allowWrites = {
  'allow-writes': { type: 'boolean', default: false, describe: 'Write to a host that is not this machine' },
} as const;

export const pairs = {
  replicates: { type: 'number', default: 4, describe: 'Pairs of runs of each standard scenario; 0: none' },
} as const;
