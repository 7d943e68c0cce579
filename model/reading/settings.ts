/** How the service is set up, as a target file or a run says it. */

import type { Facts } from '../../spec/endpoint.js';

/** How the service is set up; what is not stated is unknown. */
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
  /** Keys that the run was given. Others of their kind are those that its calls of the control API have made. */
  readonly adminKey: string | undefined;
  readonly partnerKey: string | undefined;
  /** Names for fields whose form the text leaves open: by endpoint, ours → the service's (reading/shapes.ts). */
  readonly shapes: Readonly<Record<string, Readonly<Record<string, string>>>>;
}
