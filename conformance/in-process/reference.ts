/** The one file of the suite that starts the reference: without sockets, to judge mistakes and permitted servers, to fuzz and to measure. */
import { randomBytes } from 'node:crypto';
import type * as controlModule from '../../reference/http/control/control-app.js';
import type * as clockModule from '../../reference/http/request/clock.js';
import type * as hostModule from '../../reference/http/request/host.js';
import type * as appModule from '../../reference/http/server/app.js';
import type * as routesModule from '../../reference/http/server/routes.js';
import { type Dialect, dialects } from '../../spec/dialect.js';
import { withOverlay } from '../../spec/overlay.js';
import { type Protocol, protocol } from '../../spec/protocol.js';
import type { RateWindow } from '../../spec/rate-window.js';
import type { ServiceOf } from '../chaos/permitting.js';
import { parseTarget, type Target } from '../target/target.js';
import type { Transport } from '../wire/transport.js';
import { appTransport } from './apps.js';

/** How the reference is deployed. */
export type Deployment = 'devnet' | 'webhooks' | 'secret' | 'mainnet' | 'free';

/** The modules of the reference that a server is made of. */
export interface Modules {
  readonly control: typeof controlModule;
  readonly clock: typeof clockModule;
  readonly host: typeof hostModule;
  readonly app: typeof appModule;
  readonly routes: typeof routesModule;
}

/** Loads the reference; with a tag a copy of its own, which module hooks can change. */
export async function loadReference(tag?: string): Promise<Modules> {
  const query = tag === undefined ? '' : `?mutant=${tag}`;
  const http = '../../reference/http';
  const [control, clock, host, app, routes] = await Promise.all([
    import(`${http}/control/control-app.js${query}`),
    import(`${http}/request/clock.js${query}`),
    import(`${http}/request/host.js${query}`),
    import(`${http}/server/app.js${query}`),
    import(`${http}/server/routes.js${query}`),
  ]);
  return { control, clock, host, app, routes } as Modules;
}

/** A reference without ports, and the transport to it. */
export interface InProcess {
  readonly target: Target;
  /** Calls the reference's apps directly, without sockets or timeouts. */
  readonly send: Transport;
  /** The service that a request goes to. */
  readonly serviceOf: ServiceOf;
  readonly close: () => Promise<void>;
}

/** Beats at the lowest difficulty, since no mistake is about their cost. */
export const CHEAP = { beat: { difficulty: 4 }, work: { difficultyMin: 4, receiptDifficultyMin: 4 } } as const;

/** The numbers of the specification, with cheap beats. */
export const cheap = withOverlay(CHEAP);

/** When a server in this process starts, in ms of its clock. */
export const START_MS = Date.parse('2026-01-01T00:00:00Z');
const SECRET = 'a secret of the reference in this process';
const URLS = { base: 'http://127.0.0.1:1', beats: 'http://127.0.0.1:2', control: 'http://127.0.0.1:3' };

/** Policies in the target file: the suite judges a policy that the file states. */
const POLICIES_ON = ['beats_required: true', 'byo_wallet: true'] as const;

/** Per deployment: changes of the server's policy, and further lines of its target file. */
const deployments: Readonly<Record<Deployment, { readonly policy: object; readonly target: readonly string[] }>> = {
  devnet: { policy: {}, target: [...POLICIES_ON] },
  webhooks: {
    policy: { allowLoopbackWebhooks: true },
    target: ['webhooks: { listen: 127.0.0.1:0 }', ...POLICIES_ON],
  },
  secret: { policy: { registrationSecret: SECRET }, target: [`registration_secret: ${SECRET}`] },
  mainnet: {
    policy: { network: 'mainnet', registrationSecret: SECRET },
    target: ['network: mainnet', `registration_secret: ${SECRET}`],
  },
  free: {
    policy: { beatsRequired: false, byoWallet: false },
    target: ['beats_required: false', 'byo_wallet: false'],
  },
};

/** The deployments of the reference, by name. */
export const deploymentNames = Object.keys(deployments) as readonly Deployment[];

interface InProcessOptions {
  readonly seed: number;
  readonly numbers?: Protocol;
  readonly held?: Protocol;
  readonly deployment?: Deployment;
  /** The dialect; by default that of the specification. Its numbers are in `numbers` (`protocolOf`). */
  readonly dialect?: Dialect;
  /** When it starts, in ms of its clock. */
  readonly startMs?: number;
  readonly rateWindow?: RateWindow;
  /** Deliveries are signed with the bytes behind the hex of a secret (D-58). */
  readonly signsWithBytes?: boolean;
}

/**
 * A reference like that of `aips serve --clock manual --trust-forwarded-for`, in this process. `numbers` are the server's; `held` are those by
 * which the suite judges it, if they differ.
 */
export function startInProcess(
  { control, clock, host: hosts, app, routes }: Modules,
  { seed, numbers = protocol, held = numbers, deployment = 'devnet', ...options }: InProcessOptions,
): InProcess {
  const { dialect = dialects.service, startMs = START_MS, rateWindow, signsWithBytes } = options;
  const { policy: more, target } = deployments[deployment];
  const policy = {
    network: 'devnet',
    registrationSecret: null,
    byoWallet: true,
    beatsRequired: true,
    ...more,
  } as const;
  const service = { protocol: numbers, dialect, policy, seed, startMs };
  const host = hosts.createHost(service, clock.manualClock(startMs), {
    trustForwardedFor: true,
    rateWindow,
    signsWithBytes,
  });
  const token = randomBytes(24).toString('base64url');
  const send = appTransport(
    new Map([
      [URLS.base, app.createApp(host, routes.registryRoutesOf(dialect))],
      [URLS.beats, app.createApp(host, routes.beatsRoutes)],
      [URLS.control, control.createControlApp(host, token)],
    ]),
  );
  return {
    target: { ...targetFrom(token, target), dialect, protocol: held },
    send,
    serviceOf: ({ url }) =>
      url.startsWith(`${URLS.base}/`) ? 'registry' : url.startsWith(`${URLS.beats}/`) ? 'beats' : undefined,
    close: async () => {
      host.deliveries.stop.abort();
      await host.beatPool.close();
    },
  };
}

/** The target file of such a server. */
function targetFrom(token: string, more: readonly string[]): Target {
  const lines = [
    `base_url: ${URLS.base}`,
    `beats_url: ${URLS.beats}`,
    `control: { url: ${URLS.control}, token: ${token} }`,
    'payments: { kind: control }',
    'client_ip: x-forwarded-for',
    ...more,
    '',
  ];
  const parsed = parseTarget(lines.join('\n'), 'the reference', { env: {}, readText: () => undefined });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return parsed.value;
}
