/**
 * The app that serves a list of routes, registry or beats service. Requests to paths without parameters go straight to
 * their route; Express matches the others. The way of a request is in request/route.ts.
 */

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import express from 'express';
import { refuse } from '../../registry/refusal.js';
import { dispatchDeliveries } from '../request/dispatch.js';
import { answerError, errorHandler } from '../request/error-handler.js';
import type { Host } from '../request/host.js';
import { type Route, send, serve } from '../request/route.js';

/** The routes of one path, by method. */
type Methods = ReadonlyMap<string, Route>;

/** Makes an app that serves these routes. Other methods of their paths are 405, other paths 404 (D-33). */
export function createApp(host: Host, routes: readonly Route[]): RequestListener {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('case sensitive routing', true);
  const paths = new Map<string, Map<string, Route>>();
  for (const route of routes) {
    const methods = paths.get(route.endpoint.path) ?? new Map<string, Route>();
    methods.set(route.endpoint.method, route);
    paths.set(route.endpoint.path, methods);
  }
  for (const [path, methods] of paths) app.all(path, (req, res) => answerPath(host, methods, req, res));
  app.use((_req, res) => send(res, refuse('any/NOT_FOUND')));
  app.use(errorHandler);
  return (req, res) => {
    const path = pathOf(req.url ?? '');
    // Only Express takes the parameters out of a path.
    const methods = path.includes(':') ? undefined : paths.get(path);
    if (methods === undefined) app(req, res);
    else answerPath(host, methods, req, res).catch((error: unknown) => answerError(error, res));
  };
}

function pathOf(url: string): string {
  const end = url.indexOf('?');
  return end < 0 ? url : url.slice(0, end);
}

async function answerPath(host: Host, methods: Methods, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const route = methods.get(req.method === 'HEAD' ? 'GET' : (req.method ?? ''));
  if (route !== undefined) {
    await serve(host, route, req, res);
    return dispatchDeliveries(host);
  }
  const allow = [...methods.keys()].join(', ');
  res.setHeader('Allow', allow);
  send(res, refuse('any/METHOD_NOT_ALLOWED', `${req.method} is not allowed on this path; allowed: ${allow}`));
}
