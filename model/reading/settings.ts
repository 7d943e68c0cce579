/** The settings of a service, from a target file or from a run. */

import type { Facts } from '../../spec/endpoint.js';

/** The settings of a service; an unknown setting is undefined. */
export interface Settings extends Facts {
  readonly baseUrl: string;
  readonly beatsUrl: string | null;
  readonly controlUrl: string | undefined;
  readonly byoWallet: boolean | undefined;
  readonly beatsRequired: boolean | undefined;
  /** Nobody has stated the fees of the service, and administrators may have set others than those of the text (4.17). */
  readonly feesOpen?: true;
  /** Whether root registrations need the registration secret. */
  readonly needsSecret: boolean | undefined;
  readonly mainnet: boolean;
  readonly registrationSecret: string | undefined;
  /** Keys from the target file. The run gets all other keys of these kinds from the control API. */
  readonly adminKey: string | undefined;
  readonly partnerKey: string | undefined;
  /** The service's names of fields that the text does not name: by endpoint, our path → the service's (reading/shapes.ts). */
  readonly shapes: Readonly<Record<string, Readonly<Record<string, string>>>>;
}
