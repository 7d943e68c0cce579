/**
 * Starts and stops the listening servers over one service: registry, beats service, control API and the ledger's
 * JSON-RPC. Options are read from the command line in cli/serve.ts.
 */

import { randomBytes } from 'node:crypto';
import type { Server } from 'node:http';
import type { Express } from 'express';
import type { ServiceOptions } from '../../service.js';
import type { Journal } from '../../store/journal.js';
import { createControlApp } from '../control/control-app.js';
import type { Clock } from '../request/clock.js';
import { dispatchDeliveries } from '../request/dispatch.js';
import { advanceToNow, recordTime } from '../request/global-time.js';
import { createHost, type Host } from '../request/host.js';
import type { PaymentLookup } from '../request/payment.js';
import { createApp } from './app.js';
import { createLedgerApp, type LedgerHost, RPC } from './ledger-rpc.js';
import { closeServer, listen, serverOf, urlOf } from './listen.js';
import { replay } from './replay.js';
import { beatsRoutes, registryRoutes } from './routes.js';

export interface ServeOptions {
  readonly service: ServiceOptions;
  readonly clock: Clock;
  readonly trustForwardedFor: boolean;
  /** The address for registry and beats service; the control API always listens on loopback. */
  readonly bind: string;
  /** 0 takes any free port. */
  readonly ports: { readonly registry: number; readonly beats: number; readonly control: number };
  /** The port of the mock ledger's JSON-RPC; absent: it is not served. */
  readonly ledgerPort?: number | undefined;
  /** Looks payments up on another ledger; absent: fees are paid on the service's own. */
  readonly lookUpPayment?: PaymentLookup | undefined;
  /**
   * The journal: its commands are replayed first, and accepted commands are appended. Absent: the state is in memory
   * only.
   */
  readonly journal?: Pick<Journal, 'commands' | 'append' | 'close'> | undefined;
  /** The bearer token of the control API; absent: a random one. */
  readonly controlToken?: string | undefined;
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
  /** Stops listening, ends open connections and resolves when all are closed. */
  readonly close: () => Promise<void>;
}

const LOOPBACK = '127.0.0.1';

/**
 * Starts registry, beats service, control API and, if asked, the ledger's JSON-RPC. Rejects with Node's error if a port
 * cannot be opened; then none listens.
 */
export async function startServers(options: ServeOptions): Promise<Running> {
  const { ports, bind } = options;
  const host = createHost(options.service, options.clock, options.trustForwardedFor);
  if (options.lookUpPayment !== undefined) host.lookUpPayment = options.lookUpPayment;
  const { journal, ledgerPort } = options;
  if (journal !== undefined) {
    replay(host, journal.commands);
    host.record = (command) => {
      try {
        journal.append(command);
      } catch (error) {
        // The state has changed and the file has not: to go on would lose what clients were told.
        queueMicrotask(() => {
          throw error;
        });
        throw error;
      }
    };
  }
  const controlToken = options.controlToken ?? randomBytes(24).toString('base64url');
  const servers: Server[] = [];
  const stopWatch = watchDeliveries(host);
  let serving = false;
  const close = async (): Promise<void> => {
    stopWatch();
    host.deliveries.stop.abort();
    await Promise.all([...servers.map(closeServer), host.beatPool.close()]);
    if (serving) recordTime(host, host.clock.nowMs());
    journal?.close();
  };
  const open = async (app: Express, address: string, port: number): Promise<string> => {
    const server = serverOf(app);
    await listen(server, address, port);
    servers.push(server);
    return urlOf(server);
  };
  try {
    const baseUrl = await open(createApp(host, registryRoutes), bind, ports.registry);
    const beatsUrl = await open(createApp(host, beatsRoutes), bind, ports.beats);
    const controlUrl = await open(createControlApp(host, controlToken), LOOPBACK, ports.control);
    const rpcUrl =
      ledgerPort === undefined ? undefined : await open(createLedgerApp(ledgerHost(host)), bind, ledgerPort);
    serving = true;
    return {
      ...{ host, baseUrl, beatsUrl, controlUrl, controlToken, close },
      ...(rpcUrl === undefined ? {} : { rpcUrl }),
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The ledger of a service, for JSON-RPC. */
function ledgerHost(host: Host): LedgerHost {
  return {
    nowMs: () => advanceToNow(host),
    chain: () => host.service.chain,
    wrote: ({ name, body }, at) => host.record?.({ at, name: `${RPC}${name}`, agent: -1, body, given: {} }),
  };
}

const WATCH_EVERY_MS = 1_000;

/**
 * On a running clock, agents freeze and retries fall due without any request. So while a partner has a webhook, this
 * looks once a second. A manual clock moves by a call, after which deliveries are made anyway.
 */
function watchDeliveries(host: Host): () => void {
  dispatchDeliveries(host);
  if (host.clock.advance !== undefined) return () => undefined;
  const timer = setInterval(() => {
    if (!host.service.registry.partners.some(({ webhook }) => webhook !== null)) return;
    advanceToNow(host);
    dispatchDeliveries(host);
  }, WATCH_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}
