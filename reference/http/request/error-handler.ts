/** The last error handler of the apps, for what no route has caught. Refusals never reach it: they are values. */

import type { ServerResponse } from 'node:http';
import type { ErrorRequestHandler } from 'express';
import { refuse } from '../../registry/refusal.js';
import { send } from './route.js';

/** Leaves a reply that has begun to Express, which cuts it off; answers any other request by `answerError`. */
export const errorHandler: ErrorRequestHandler = (error: unknown, _req, res, next) => {
  if (res.headersSent) return next(error);
  answerError(error, res);
};

/**
 * Answers 404 for a path that cannot be decoded. Any other error is a bug in the server: it is printed and answered with 500;
 * a reply that has already begun is cut off instead.
 */
export function answerError(error: unknown, res: ServerResponse): void {
  if (error instanceof URIError) {
    send(res, refuse('any/NOT_FOUND', 'the path cannot be decoded'));
    return;
  }
  console.error(error);
  if (res.headersSent) {
    res.destroy();
    return;
  }
  res.statusCode = 500;
  res.setHeader('Content-Type', 'application/json; charset=utf-8');
  res.end(JSON.stringify({ error: 'internal error', code: 'INTERNAL' }));
}
