/** A partner's server for tests of webhook deliveries, over HTTP or TLS. The test sets its replies. */

import { readFileSync } from 'node:fs';
import { createServer as createHttp, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createHttps } from 'node:https';
import type { AddressInfo } from 'node:net';

const tls = (name: string): string => readFileSync(new URL(`fixtures/tls/${name}`, import.meta.url), 'utf8');
/** A self-signed certificate for localhost; its key is in the same folder and guards nothing. */
export const certificate = tls('localhost.cert.pem');

/** A request as it came. */
export interface Delivered {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

/** A server that plays the partner. */
export interface Receiver {
  readonly url: string;
  readonly got: Delivered[];
  /** The next answers; 204 when empty. `hang` answers nothing, and a 204 can be late. */
  readonly answers: (number | 'hang' | { readonly afterMs: number })[];
  /** Agents whose events are answered with 500. */
  readonly failing: Set<string>;
  readonly close: () => Promise<void>;
}

/** Listens on loopback, over TLS with the certificate for localhost or without. */
export async function startReceiver(secure: boolean): Promise<Receiver> {
  const got: Delivered[] = [];
  const answers: Receiver['answers'] = [];
  const failing = new Set<string>();
  const listener: RequestListener = (req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8');
      got.push({ method: req.method ?? '', path: req.url ?? '', headers: req.headers, text });
      const answer = failing.has(JSON.parse(text).agent_hash) ? 500 : (answers.shift() ?? 204);
      if (answer === 'hang') return;
      if (typeof answer === 'object') {
        setTimeout(() => res.writeHead(204).end(), answer.afterMs);
        return;
      }
      res.writeHead(answer, answer === 302 ? { location: '/elsewhere' } : {});
      res.end();
    });
  };
  const server: Server = secure
    ? createHttps({ cert: certificate, key: tls('localhost.key.pem') }, listener)
    : createHttp(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  const { port } = server.address() as AddressInfo;
  return { url: `${secure ? 'https' : 'http'}://127.0.0.1:${port}/hook`, got, answers, failing, close };
}
