/** Opening and closing of HTTP servers, for every app alike. */

import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * How long an idle connection stays open. A client that computes beats in one go does not notice when its connection is
 * closed meanwhile, and would send its proof into one that Node's default of 5 s has ended.
 */
const IDLE_CONNECTION_MS = 120_000;

/** Makes a server that keeps idle connections open for two minutes. */
export function serverOf(app: RequestListener): Server {
  return createServer({ keepAliveTimeout: IDLE_CONNECTION_MS }, app);
}

/** Opens a port. Rejects with Node's error if that fails. */
export function listen(server: Server, address: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, address, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** The URL of a listening server. */
export function urlOf(server: Server): string {
  const { address, family, port } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

/** Stops listening, ends open connections, and resolves when all are closed. */
export function closeServer(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.close((error) => (error === undefined ? resolve() : reject(error)));
    server.closeAllConnections();
  });
}
