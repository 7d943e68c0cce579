/** The deployments of the reference that `aips conform self` starts, as data. They are started in self.ts. */

import type { Overlay } from '../../spec/overlay.js';

/** A deployment of the reference that some clause needs: how it is started, and more lines of its target file. */
export interface Configuration {
  readonly name: string;
  /** Flags of `aips serve`. */
  readonly flags: readonly string[];
  /** Lines of the target file. */
  readonly target: readonly string[];
  /** Only the checks of these clauses, a glob; absent: whatever the configurations before have not judged. */
  readonly only?: string;
  /** Numbers in place of the specification's, for server and suite alike, where its own are out of reach. */
  readonly numbers?: Overlay;
}

/** The registration secret of the configurations that have one. */
export const SELF_SECRET = 'a secret of the self-test';

/** Every configuration that a clause needs (4.2, 4.10, 5, 6, D-01). The first judges all that it can. */
export const configurations: readonly Configuration[] = [
  { name: 'devnet', flags: [], target: [] },
  { name: 'webhooks', flags: ['--allow-loopback-webhooks'], target: ['webhooks: { listen: 127.0.0.1:0 }'] },
  { name: 'secret', flags: ['--registration-secret', SELF_SECRET], target: [`registration_secret: ${SELF_SECRET}`] },
  {
    name: 'mainnet',
    flags: ['--network', 'mainnet', '--registration-secret', SELF_SECRET],
    target: ['network: mainnet', `registration_secret: ${SELF_SECRET}`],
  },
  {
    name: 'free',
    flags: ['--beats-required', 'false', '--byo-wallet', 'false'],
    target: ['beats_required: false', 'byo_wallet: false'],
  },
  {
    name: 'provenonce',
    flags: ['--dialect', 'provenonce', '--allow-loopback-webhooks'],
    target: ['dialect: provenonce', 'webhooks: { listen: 127.0.0.1:0 }'],
    only: 'dialect.*',
  },
  {
    // No epoch of 100,000 beats has 20,000 heartbeats in it, and 5,000 take many minutes.
    name: 'caps',
    flags: [],
    target: [],
    only: 'heartbeat/cap-*',
    numbers: { heartbeat: { autonomousCap: 25, orchestratorCap: 40 } },
  },
];
