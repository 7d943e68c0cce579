/**
 * The Express app that serves a list of routes: registry or beats service. The way of a request is in request/route.ts.
 */

import express, { type Express } from 'express';
import { refuse } from '../../registry/refusal.js';
import { dispatchDeliveries } from '../request/dispatch.js';
import { errorHandler } from '../request/error-handler.js';
import type { Host } from '../request/host.js';
import { type Route, send, serve } from '../request/route.js';

/** Makes an app that serves these routes. Other methods of their paths are 405, other paths 404 (D-33). */
export function createApp(host: Host, routes: readonly Route[]): Express {
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
  for (const [path, methods] of paths) {
    const allow = [...methods.keys()].join(', ');
    app.all(path, async (req, res) => {
      const route = methods.get(req.method === 'HEAD' ? 'GET' : req.method);
      if (route !== undefined) {
        await serve(host, route, req, res);
        return dispatchDeliveries(host);
      }
      res.setHeader('Allow', allow);
      send(res, refuse('any/METHOD_NOT_ALLOWED', `${req.method} is not allowed on this path; allowed: ${allow}`));
    });
  }
  app.use((_req, res) => send(res, refuse('any/NOT_FOUND')));
  app.use(errorHandler);
  return app;
}
