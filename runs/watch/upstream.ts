/** The connections of the proxy to the server behind it. What passes on them is not read here. */

import type { ClientRequest } from 'node:http';
import { type Agent, request as httpRequest, Agent as PlainAgent } from 'node:http';
import { request as httpsRequest, Agent as SecureAgent } from 'node:https';
import type { Socket } from 'node:net';
import tls from 'node:tls';
import { knownAuthorities } from '../../conformance/wire/connections.js';

/** The server behind. Each connection of a client has a connection of its own there, and ends with it. */
export class Upstream {
  readonly url: URL;
  readonly #agents = new WeakMap<Socket, Agent>();
  readonly #secure: boolean;

  constructor(
    to: string,
    readonly ca: string | undefined,
    /** Whether an exchange of a client's connection is open. */
    readonly isBusy: (client: Socket) => boolean,
  ) {
    this.url = new URL(to);
    this.#secure = this.url.protocol === 'https:';
  }

  /** The URL at the server for what a request asks for: a path, or a whole URL, of which the path counts (RFC 9112, 3.2). */
  target(asked: string): { readonly path: string; readonly url: string } {
    const own = /^https?:\/\/[^/?#]*(.*)$/i.exec(asked)?.[1] ?? asked;
    const path = this.url.pathname.replace(/\/$/, '') + (own.startsWith('/') ? own : `/${own}`);
    return { path, url: this.url.origin + path };
  }

  request(client: Socket, method: string | undefined, path: string, headers: readonly string[]): ClientRequest {
    const { hostname, port } = this.url;
    const ask = this.#secure ? httpsRequest : httpRequest;
    return ask({
      host: hostname.replaceAll(/[[\]]/g, ''),
      port: port === '' ? (this.#secure ? 443 : 80) : Number(port),
      method,
      path,
      headers: headers as string[],
      agent: this.#agentOf(client),
    });
  }

  #agentOf(client: Socket): Agent {
    const own = this.#agents.get(client);
    if (own !== undefined) return own;
    const options = { keepAlive: true, maxSockets: 1 };
    const trusted = this.ca === undefined ? {} : { ca: [...knownAuthorities(tls), this.ca] };
    const agent = this.#secure
      ? new SecureAgent({ ...options, ...trusted, ALPNProtocols: ['http/1.1'] })
      : new PlainAgent(options);
    this.#agents.set(client, agent);
    client.once('close', () => agent.destroy());
    // A connection that the server ends while it is idle ends for the client, too, before its next request.
    const known = new WeakSet<Socket>();
    agent.on('free', (socket: Socket) => {
      if (known.has(socket)) return;
      known.add(socket);
      socket.once('close', () => {
        if (!this.isBusy(client)) client.end();
      });
    });
    return agent;
  }
}
