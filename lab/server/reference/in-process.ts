/** Calls of the reference of the lab without sockets: the same apps and the same log as over HTTP. It starts no server. */

import type { RequestListener } from 'node:http';
import { callApp } from '../../../conformance/in-process/apps.js';
import { createControlApp } from '../../../reference/http/control/control-app.js';
import { createApp } from '../../../reference/http/server/app.js';
import { beatsRoutes, registryRoutesOf } from '../../../reference/http/server/routes.js';
import type { Running } from '../../../reference/http/server/server.js';
import { DriverError, type HttpReply } from '../../../simulator/server/http-target.js';
import { CONTROL_PATH } from '../../../spec/endpoint.js';
import type { LoggedRequest, RequestLog } from './request-log.js';

/** A request as it is sent in this process. */
export interface InProcessRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Absent: no body. */
  readonly body?: string | undefined;
}

const JSON_HEADERS = { 'content-type': 'application/json' } as const;

/** The apps of one reference. */
export class InProcess {
  readonly #running: Running;
  readonly #log: RequestLog;
  readonly #control: RequestListener;
  /** The apps of both services by their origins. */
  readonly #apps: ReadonlyMap<string, RequestListener>;

  constructor(running: Running, log: RequestLog) {
    const { host, baseUrl, beatsUrl, controlToken } = running;
    this.#running = running;
    this.#log = log;
    this.#control = createControlApp(host, controlToken);
    this.#apps = new Map([
      [baseUrl, createApp(host, registryRoutesOf(host.service.options.dialect))],
      [beatsUrl, createApp(host, beatsRoutes)],
    ]);
  }

  /** A request to a service; `logged` gets its entry of the log. */
  answer(
    { method, url, headers, body }: InProcessRequest,
    logged?: (entry: LoggedRequest) => void,
  ): Promise<HttpReply> {
    const { origin, pathname } = new URL(url);
    const app = this.#apps.get(origin);
    if (app === undefined) throw new DriverError(`the population knows no server at ${origin}`);
    return call(
      this.#log.around(app, () => this.#running.host, logged),
      method,
      pathname,
      headers,
      body,
    );
  }

  /** A call of the control API, by its path after the version. */
  control(method: string, path: string, body: object): Promise<HttpReply> {
    const headers = { authorization: `Bearer ${this.#running.controlToken}` };
    return call(this.#control, method, `${CONTROL_PATH}/${path}`, headers, JSON.stringify(body));
  }
}

async function call(
  app: RequestListener,
  method: string,
  path: string,
  given: Readonly<Record<string, string>>,
  body = '',
): Promise<HttpReply> {
  const headers = { host: '127.0.0.1', ...JSON_HEADERS, ...given };
  const reply = await callApp(app, { method, path, headers, body });
  return { status: reply.status, body: Object(JSON.parse(reply.body || '{}')) as HttpReply['body'] };
}
