/**
 * The last error handler of the apps: it answers what no route has caught. Refusals never get here; they are values.
 */

import type { ErrorRequestHandler } from 'express';
import { refuse } from '../../registry/refusal.js';
import { send } from './route.js';

/**
 * Answers 404 for a path that cannot be decoded. Any other error is a bug of the server: it is printed, and answered
 * with 500.
 */
export const errorHandler: ErrorRequestHandler = (error: unknown, _req, res, next) => {
  if (res.headersSent) return next(error);
  if (error instanceof URIError) return send(res, refuse('any/NOT_FOUND', 'the path cannot be decoded'));
  console.error(error);
  res.statusCode = 500;
  res.setHeader('Content-Type', 'application/json; charset=utf-8');
  res.end(JSON.stringify({ error: 'internal error', code: 'INTERNAL' }));
};
