/**
 * The Express app of the control API: what a test may do and a client may not. The calls are declared in calls.ts and
 * the files that it lists.
 */

import { timingSafeEqual } from 'node:crypto';
import express, { type Express, type Request, type RequestHandler, type Response } from 'express';
import type { z } from 'zod';
import { CONTROL_PATH } from '../../../spec/endpoint.js';
import { readBody } from '../request/body.js';
import { dispatchDeliveries } from '../request/dispatch.js';
import { errorHandler } from '../request/error-handler.js';
import { advanceToNow } from '../request/global-time.js';
import type { Host } from '../request/host.js';
import { isDurable, storeUnavailable } from '../request/keeper.js';
import { refuseWebPage } from '../request/local-callers.js';
import { accepted, type ControlCall, type ControlReply, refused } from './call.js';
import { controlCalls } from './calls.js';
import { ledgerCalls, TRANSFERS_MAX } from './ledger.js';
import { controlDocument } from './openapi.js';
import { ADVANCE } from './time.js';

/** Makes the app of the control API. Every call needs the bearer token. */
export function createControlApp(host: Host, token: string): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('case sensitive routing');
  app.use(refuseStray);
  app.use(requireToken(token));
  app.get(`${CONTROL_PATH}/capabilities`, (_req, res) => {
    const calls = servedCalls(host).map(({ path }) => path);
    const many = calls.includes('ledger/transfers') ? { transfers_max: TRANSFERS_MAX } : {};
    write(res, accepted({ calls, ...many }));
  });
  app.get(`${CONTROL_PATH}/openapi.json`, (_req, res) => write(res, accepted(controlDocument(servedCalls(host)))));
  for (const each of controlCalls) {
    app[each.method](`${CONTROL_PATH}/${each.path}`, (req, res) => runCall(host, each, req, res));
  }
  app.use((_req, res) => write(res, refused(404, 'NOT_FOUND', 'no control call has this path and method')));
  app.use(errorHandler);
  return app;
}

function servedCalls(host: Host): readonly ControlCall[] {
  const remote = host.lookUpPayment !== undefined;
  return controlCalls.filter(({ path }) => {
    if (path === ADVANCE) return host.clock.advance !== undefined;
    return !(remote && ledgerCalls.some((each) => each.path === path));
  });
}

const refuseStray: RequestHandler = (req, res, next) => {
  const refusal = refuseWebPage(req, { loopback: true });
  if (refusal === undefined) next();
  else write(res, refused(403, refusal.code, refusal.reason));
};

function requireToken(token: string): RequestHandler {
  const wanted = Buffer.from(`Bearer ${token}`);
  return (req, res, next) => {
    const given = Buffer.from(req.headers.authorization ?? '');
    if (given.length === wanted.length && timingSafeEqual(given, wanted)) next();
    else write(res, refused(401, 'AUTH_MISSING', 'send Authorization: Bearer <control token>'));
  };
}

async function runCall(host: Host, call: ControlCall, req: Request, res: Response): Promise<void> {
  const { status, body } = await answerCall(host, call, req, res);
  // The reply is that of now, and is sent once everything that it may have seen is on the disk.
  const text = JSON.stringify(body);
  if (await isDurable(host)) return writeText(res, status, text);
  const { row } = storeUnavailable;
  write(res, refused(row.status, row.code, row.cause));
}

async function answerCall(host: Host, call: ControlCall, req: Request, res: Response): Promise<ControlReply> {
  const params = req.params as Readonly<Record<string, string>>;
  const { body: schema } = call;
  if (schema === null) return call.run(host, undefined, { nowMs: advanceToNow(host), params });
  const raw = await readBody(req, res, host.service.registry.protocol.body.bytesMax);
  if (!raw.ok) return refused(raw.row.status, raw.row.code, raw.detail ?? raw.row.cause);
  const parsed = schema.safeParse(raw.value);
  if (parsed.success) return runWithBody(host, call, parsed.data, params);
  const issue = issueOf(parsed.error.issues);
  const at = issue === undefined || issue.path.length === 0 ? '' : `${issue.path.map(String).join('.')}: `;
  return refused(400, 'VALIDATION', `${at}${issue?.message ?? 'the body is invalid'}`);
}

/** The first issue of a body; where it may have several forms, of the one that it comes nearest to. */
function issueOf([first]: readonly z.core.$ZodIssue[]): z.core.$ZodIssue | undefined {
  if (first?.code !== 'invalid_union') return first;
  return issueOf(first.errors.toSorted((one, other) => one.length - other.length)[0] ?? []) ?? first;
}

async function runWithBody(
  host: Host,
  { path, kind, run }: ControlCall,
  body: unknown,
  params: Readonly<Record<string, string>>,
): Promise<ControlReply> {
  const nowMs = advanceToNow(host);
  const running = run(host, body, { nowMs, params });
  // A command acts at once, so that nothing comes between it and its record.
  const outcome = kind === 'command' ? (running as ControlReply) : await running;
  if (kind === 'command' && outcome.status === 200) {
    host.keeper?.record({ at: nowMs, name: `control:${path}`, agent: -1, body, given: params });
  }
  dispatchDeliveries(host);
  return outcome;
}

function write(res: Response, { status, body }: ControlReply): void {
  writeText(res, status, JSON.stringify(body));
}

function writeText(res: Response, status: number, text: string): void {
  res.statusCode = status;
  res.setHeader('Content-Type', 'application/json; charset=utf-8');
  res.end(text);
}
