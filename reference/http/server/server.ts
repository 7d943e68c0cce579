/**
 * Starts and stops the listening servers over one service: registry, beats service, control API and the ledger's
 * JSON-RPC. Options are read from the command line in cli/serve/serve.ts.
 */

import { randomBytes } from 'node:crypto';
import type { RequestListener, Server } from 'node:http';
import type { RateWindow } from '../../../spec/rate-window.js';
import type { ServiceOptions } from '../../service.js';
import type { OpenStore, Store } from '../../store/open-store.js';
import { createControlApp } from '../control/control-app.js';
import type { Clock } from '../request/clock.js';
import { dispatchDeliveries } from '../request/dispatch.js';
import { advanceToNow, recordTime } from '../request/global-time.js';
import { createHost, type Host } from '../request/host.js';
import type { PaymentLookup } from '../request/payment.js';
import type { RemoteMemos } from '../request/remote-memos.js';
import { createApp } from './app.js';
import { keeperOf, replicaOf, type SnapshotPlan } from './journal-keeper.js';
import { type LedgerHost, RPC } from './ledger-rpc.js';
import { openLedger, type RunningLedger } from './ledger-server.js';
import { closeServer, listen, serverOf, urlOf } from './listen.js';
import { beatsRoutes, registryRoutesOf } from './routes.js';

export interface ServeOptions {
  readonly service: ServiceOptions;
  /** The clock for a service whose latest command is of this time; for a new one, of its start. */
  readonly clock: (lastMs: number) => Clock;
  readonly trustForwardedFor: boolean;
  /** The address for registry and beats service; the control API always listens on loopback. */
  readonly bind: string;
  /** 0 takes any free port. */
  readonly ports: { readonly registry: number; readonly beats: number; readonly control: number };
  /** The port of the mock ledger's JSON-RPC; absent: it is not served. */
  readonly ledgerPort?: number | undefined;
  /** Looks payments up on another ledger; absent: fees are paid on the service's own. */
  readonly lookUpPayment?: PaymentLookup | undefined;
  /** Writes memos to another ledger; absent without one, or without an account that pays its fee. */
  readonly memos?: RemoteMemos | undefined;
  /** Where the state is kept: what it holds is restored first. Absent: the state is in memory only. */
  readonly store?: Pick<OpenStore, 'recover'> | undefined;
  /** How snapshots are made while the server runs; absent: only when it stops. */
  readonly snapshots?: SnapshotPlan | undefined;
  /** The bearer token of the control API; absent: a random one. */
  readonly controlToken?: string | undefined;
  /** The form of the windows of rate limits; absent: that of D-34. */
  readonly rateWindow?: RateWindow | undefined;
  /** Deliveries are signed with the bytes behind the hex of a secret (D-58); absent: with its text. */
  readonly signsWithBytes?: boolean | undefined;
  /** A filter between the apps of registry and beats service and their clients; absent: none. */
  readonly around?: ((app: RequestListener, service: 'registry' | 'beats') => RequestListener) | undefined;
}

/** The listening servers over one service. */
export interface Running {
  readonly host: Host;
  readonly baseUrl: string;
  readonly beatsUrl: string;
  readonly controlUrl: string;
  readonly controlToken: string;
  /** The URL of the mock ledger's JSON-RPC, if it is served. */
  readonly rpcUrl?: string;
  /** The URL of its subscriptions. */
  readonly wsUrl?: string;
  /** Stops listening, ends open connections and resolves when all are closed. */
  readonly close: () => Promise<void>;
}

const LOOPBACK = '127.0.0.1';

/**
 * Starts registry, beats service, control API and, if asked, the ledger's JSON-RPC. Rejects with Node's error if a port
 * cannot be opened; then none listens.
 */
export async function startServers(options: ServeOptions): Promise<Running> {
  const { ports, bind, service, around = (app) => app } = options;
  const { host, store } = await restoredHost(options);
  if (options.lookUpPayment !== undefined) host.lookUpPayment = options.lookUpPayment;
  if (options.memos !== undefined) host.memos = options.memos;
  const { ledgerPort } = options;
  const controlToken = options.controlToken ?? randomBytes(24).toString('base64url');
  const servers: Server[] = [];
  const stopWatch = watchDeliveries(host);
  let serving = false;
  let ledger: RunningLedger | undefined;
  const close = async (): Promise<void> => {
    stopWatch();
    host.deliveries.stop.abort();
    host.memos?.stop();
    await Promise.all([...servers.map(closeServer), ledger?.close(), host.beatPool.close()]);
    if (serving) recordTime(host, host.clock.nowMs());
    await options.snapshots?.stop();
    await store?.close();
  };
  const open = async (app: RequestListener, address: string, port: number): Promise<string> => {
    const server = serverOf(app);
    await listen(server, address, port);
    servers.push(server);
    return urlOf(server);
  };
  try {
    const baseUrl = await open(
      around(createApp(host, registryRoutesOf(service.dialect)), 'registry'),
      bind,
      ports.registry,
    );
    const beatsUrl = await open(around(createApp(host, beatsRoutes), 'beats'), bind, ports.beats);
    const controlUrl = await open(createControlApp(host, controlToken), LOOPBACK, ports.control);
    if (ledgerPort !== undefined) ledger = await openLedger(ledgerHost(host), bind, ledgerPort);
    serving = true;
    return {
      ...{ host, baseUrl, beatsUrl, controlUrl, controlToken, close },
      ...(ledger && { rpcUrl: ledger.rpcUrl, wsUrl: ledger.wsUrl }),
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A host with the state that its store holds, and the store, which keeps it from now on. */
async function restoredHost(options: ServeOptions): Promise<{ readonly host: Host; readonly store?: Store }> {
  const { service, trustForwardedFor } = options;
  const host = createHost(service, options.clock(service.startMs), {
    trustForwardedFor,
    rateWindow: options.rateWindow,
    signsWithBytes: options.signsWithBytes,
  });
  if (options.store === undefined) return { host };
  const replica = replicaOf(host);
  const store = await options.store.recover(replica);
  if (replica.lastMs !== undefined) host.clock = options.clock(replica.lastMs);
  host.keeper = keeperOf(host, store, replica, options.snapshots);
  return { host, store };
}

/** The ledger of a service, for JSON-RPC. */
function ledgerHost(host: Host): LedgerHost {
  return {
    nowMs: () => advanceToNow(host),
    chain: () => host.service.chain,
    wrote: ({ name, body }, at) => host.keeper?.record({ at, name: `${RPC}${name}`, agent: -1, body, given: {} }),
    keeper: () => host.keeper,
  };
}

const WATCH_EVERY_MS = 1_000;

/**
 * On a running clock, agents freeze, retries fall due and anchors belong on a ledger without any request. So while a
 * partner has a webhook, or memos are written to another ledger, this looks once a second. A manual clock moves by a call, after which deliveries are made anyway.
 */
function watchDeliveries(host: Host): () => void {
  dispatchDeliveries(host);
  if (host.clock.advance !== undefined) return () => undefined;
  const timer = setInterval(() => {
    const { partners } = host.service.registry;
    if (host.memos === undefined && !partners.some(({ webhook }) => webhook !== null)) return;
    advanceToNow(host);
    dispatchDeliveries(host);
  }, WATCH_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}
