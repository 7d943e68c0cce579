/** The settings of a service, from a target file or from a run. */

import type { Facts } from '../../spec/endpoint.js';

/** The settings of a service; undefined where they are unknown. */
export interface Settings extends Facts {
  readonly baseUrl: string;
  readonly beatsUrl: string | null;
  readonly controlUrl: string | undefined;
  readonly byoWallet: boolean | undefined;
  readonly beatsRequired: boolean | undefined;
  /** Whether root registrations need the registration secret. */
  readonly needsSecret: boolean | undefined;
  readonly mainnet: boolean;
  readonly registrationSecret: string | undefined;
  /** Keys that the run was given. All other keys of these kinds come from its calls of the control API. */
  readonly adminKey: string | undefined;
  readonly partnerKey: string | undefined;
  /** Names for fields whose form the text leaves open: by endpoint, ours → the service's (reading/shapes.ts). */
  readonly shapes: Readonly<Record<string, Readonly<Record<string, string>>>>;
}
