/**
 * The last error handler of the apps: it answers what no route has caught. Refusals never get here; they are values.
 */

import type { ServerResponse } from 'node:http';
import type { ErrorRequestHandler } from 'express';
import { refuse } from '../../registry/refusal.js';
import { send } from './route.js';

/** Answers what no route has caught. */
export const errorHandler: ErrorRequestHandler = (error: unknown, _req, res, next) => {
  if (res.headersSent) return next(error);
  answerError(error, res);
};

/**
 * Answers 404 for a path that cannot be decoded. Any other error is a bug of the server: it is printed, and answered
 * with 500, or by cutting off a reply that has begun.
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
