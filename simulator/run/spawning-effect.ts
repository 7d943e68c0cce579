/** Keys of `spawning` that had no effect on a run in which children were made. Those of other parts of a scenario are in no-effect.ts. */

import type { NoEffect } from '../../results/simulation-result.js';
import {
  ANSWER_SEC,
  BEATS_MAX,
  CHILDREN_MAX,
  DEPTH_MAX,
  type SpawnPolicy,
  type SponsorPolicy,
} from '../../scenarios/behaviours/spawn-policy.js';
import type { Protocol } from '../../spec/protocol.js';
import { SPAWNING_KEYS, type SpawningKey } from '../world/features.js';
import type { FeatureCounts } from './outcome.js';

interface Row {
  readonly isGiven: (policy: SpawnPolicy, sponsor: SponsorPolicy | null, protocol: Protocol) => boolean;
  /** Why the key made no difference. */
  readonly why: string;
}

const ROWS: Readonly<Record<SpawningKey, Row>> = {
  children_max: {
    isGiven: ({ childrenMax }) => childrenMax < CHILDREN_MAX,
    why: 'no parent came to it and wanted another child',
  },
  depth_max: { isGiven: ({ depthMax }) => depthMax < DEPTH_MAX, why: 'no parent at this depth wanted a child' },
  beats_max: { isGiven: ({ beatsMax }) => beatsMax < BEATS_MAX, why: 'no child that a parent wanted cost more' },
  'sponsor.cap': {
    isGiven: (_, sponsor, { sponsor: { heartbeatsEpochDefault } }) =>
      sponsor !== null && sponsor.heartbeatsEpochMax !== heartbeatsEpochDefault,
    why: 'no descendant came to it within an epoch',
  },
  'sponsor.expires': {
    isGiven: (_, sponsor) => sponsor !== null && sponsor.expiresInHours !== null,
    why: 'no heartbeat came after a sponsorship had lapsed',
  },
  'sponsor.renew': { isGiven: (_, sponsor) => sponsor?.renew === false, why: 'no sponsorship ended' },
  'sponsor.answer': {
    isGiven: (_, sponsor) => sponsor !== null && sponsor.answerSec !== ANSWER_SEC,
    why: 'no descendant asked for another sponsorship',
  },
  'sponsor.generations': {
    isGiven: (_, sponsor) => sponsor !== null && sponsor.generations > 1,
    why: 'only children were sponsored',
  },
};

/** The keys of the policy of a population without effect. One that sponsored nobody is named as a whole: `sponsors` is false then. */
export function idleSpawningKeys(
  policy: SpawnPolicy,
  protocol: Protocol,
  run: {
    readonly features: Pick<FeatureCounts, 'spawningEffects'> | null;
    readonly population: number;
    readonly sponsors: boolean;
  },
): readonly NoEffect[] {
  const sponsor = run.sponsors ? policy.sponsor : null;
  return SPAWNING_KEYS.flatMap((key, k) => {
    const { isGiven, why } = ROWS[key];
    const effects = run.features?.spawningEffects[run.population * SPAWNING_KEYS.length + k] ?? 0;
    return effects === 0 && isGiven(policy, sponsor, protocol) ? [{ key: `spawning.${key}`, text: why }] : [];
  });
}
