/** Converts the settings of a target for the model (model/), and finds rules of a target that the model does not support. */

import type { Settings } from '../../model/reading/settings.js';
import { settingsShape } from '../../spec/dialect-settings.js';
import type { Protocol } from '../../spec/protocol.js';
import type { Target } from './target.js';

/** The settings of a target in the form of the model. */
export function settingsOf(target: Target): Settings {
  const {
    baseUrl,
    beatsUrl,
    control,
    protocol,
    dialect,
    network,
    registrationSecret,
    adminKey,
    partnerKey,
    shapes,
    statedPolicies = [],
  } = target;
  return {
    protocol,
    dialect,
    baseUrl,
    beatsUrl,
    controlUrl: control?.url,
    // A policy is unknown unless the file states it.
    byoWallet: statedPolicies.includes('byo_wallet') ? target.byoWallet : undefined,
    beatsRequired: statedPolicies.includes('beats_required') ? target.beatsRequired : undefined,
    needsSecret: network === 'mainnet' || (registrationSecret === undefined ? false : undefined),
    mainnet: network === 'mainnet',
    registrationSecret,
    adminKey,
    partnerKey,
    shapes,
  };
}

/** Numbers that replies to random work, flags and children must have to be judged. */
const NUMBERS: readonly (readonly [path: string, holds: (protocol: Protocol) => boolean, wanted: string])[] = [
  ['anchor.beatsPerAnchor', ({ anchor }) => anchor.beatsPerAnchor === 1, '1'],
  ['agent.depthMax', ({ agent }) => agent.depthMax === 0, '0'],
  ['proof.challengeChecks', ({ proof }) => proof.challengeChecks === 0, '0'],
  ['proof.spotChecksMin', ({ proof }) => proof.spotChecksMin <= 3, '3 or less'],
  ['proof.spotChecksMax', ({ proof }) => proof.spotChecksMax >= 5, '5 or more'],
  ['proof.submitBeatsMax', ({ proof }) => proof.submitBeatsMax >= 40, '40 or more'],
];

/** The numbers or rules of a target that random sequences reach and the model does not support; undefined if there are none. */
export function beyondFuzz({ protocol, dialect }: Target): string | undefined {
  const beyond = NUMBERS.find(([, holds]) => !holds(protocol));
  if (beyond !== undefined) return `another ${beyond[0]} than ${beyond[2]}`;
  const rules = Object.keys(settingsShape).filter(
    (name) => name !== 'numbers' && dialect[name as keyof typeof dialect] !== undefined,
  );
  return rules.length === 0 ? undefined : `these rules of the dialect ${dialect.name}: ${rules.join(', ')}`;
}
