/** /agent/sponsor (4.13): makes, changes, ends and lists sponsorships. */

import type { Protocol } from '../../spec/protocol.js';
import { JUST_BEYOND, type Move, type Sender } from './move.js';

/** Makes or changes the sponsorship of a child. `terms`: its cap and expiry. */
export const sponsor = ({ key }: Sender, child_hash: unknown, terms: object = {}): Move => ({
  endpoint: 'sponsor.post',
  key,
  body: { child_hash, ...terms },
});

/** Ends the sponsorship of a child. */
export const endSponsorship = ({ key }: Sender, child_hash: unknown): Move => ({
  endpoint: 'sponsor.delete',
  key,
  body: { child_hash },
});

/** Lists the sponsorships of an agent as sponsor. */
export const listSponsorships = ({ key }: Sender): Move => ({ endpoint: 'sponsor.get', key });

/** Caps on heartbeats at their bounds and beyond, by name. Each invalid cap comes before the valid cap next to it. */
export const caps = ({ sponsor: { heartbeatsEpochMin: least, heartbeatsEpochMax: most } }: Protocol) =>
  ({
    'too-low': least - 1,
    'just-too-low': least - JUST_BEYOND,
    'least-as-text': `${least}`,
    least,
    'too-high': most + 1,
    'just-too-high': most + JUST_BEYOND,
    'most-as-text': `${most}`,
    most,
    broken: least + 0.5,
  }) as const;

/** Expiries in hours at the bound and beyond, by name. */
export const expiries = ({ sponsor: { expiresHoursMin: least } }: Protocol) =>
  ({
    'too-low': least - 1,
    'just-too-low': least - JUST_BEYOND,
    'least-as-text': `${least}`,
    least,
    // Over a year, since the text gives only a minimum.
    long: 9_000,
    broken: least + 0.5,
  }) as const;
