/** Draws what the agents of a random population choose among. The population itself is drawn in swarm-scenario.ts. */

/** Random numbers and choices. */
interface Choices {
  whole(low: number, high: number): number;
  one<T>(choices: readonly T[]): T;
  chance(percent: number): boolean;
}

/** The keys of a population that decide who can sponsor. */
interface Family {
  readonly name: string;
  readonly spawning?: Readonly<Record<string, unknown>>;
}

/** Options of those who can choose to sponsor nobody, or to be sponsored. */
function familyOptions({ name, spawning }: Family): object {
  const { sponsor, ...alone } = spawning ?? {};
  return {
    ...(sponsor === undefined ? {} : { keeps: { spawning: alone } }),
    ...(name === 'heirs' ? { asks: { sponsored: true } } : {}),
  };
}

/** The options of a population, by any rule. */
export function adaptsDraft(random: Choices, family: Family): unknown {
  const rule = random.one(['imitation', 'replicator', 'best_response', 'logit', 'fixed']);
  const options = {
    same: {},
    late: { heartbeat: { policy: 'interval', every: `${random.whole(20, 200)}m` }, resync: random.chance(50) },
    careful: {
      reissue: { every: { distribution: 'exponential', mean: `${random.whole(30, 600)}m` }, free: true },
      economics: { live_day: `${random.whole(0, 9)}000000 lamports` },
    },
    ...(random.chance(50) ? { gone: { leaves: true } } : {}),
    ...familyOptions(family),
  };
  if (rule === 'fixed') return { by: rule, options };
  const pairwise = rule === 'imitation' || rule === 'replicator';
  return {
    by: rule,
    every: `${random.whole(20, 50)}m`,
    rate: random.whole(1, 10) / 10,
    mutation: random.whole(0, 3) / 10,
    ...(rule === 'best_response' ? {} : { noise: `${random.whole(1, 99)}00000 lamports` }),
    ...(pairwise ? { sees: random.one(['options', 'agents']) } : {}),
    options,
  };
}
