import { timingSafeEqual } from 'node:crypto';
import express, { type Express, type Request, type RequestHandler, type Response } from 'express';
import { readBody } from '../request/body.js';
import { dispatch } from '../request/dispatch.js';
import { arrive } from '../request/global-time.js';
import type { Host } from '../request/host.js';
import { lastResort } from '../request/last-resort.js';
import { type ControlCall, done, type Outcome, refused } from './call.js';
import { controlCalls } from './calls.js';
import { ledgerCalls } from './ledger.js';
import { controlDocument } from './openapi.js';
import { ADVANCE } from './time.js';

/** The control API: what a test may do and a client may not. Every call needs the bearer token. */
export function createControlApp(host: Host, token: string): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use(requireToken(token));
  app.get('/control/v1/capabilities', (_req, res) => {
    write(res, done({ calls: served(host).map(({ path }) => path) }));
  });
  app.get('/control/v1/openapi.json', (_req, res) => write(res, done(controlDocument(served(host)))));
  for (const each of controlCalls) {
    app[each.method](`/control/v1/${each.path}`, (req, res) => runCall(host, each, req, res));
  }
  app.use((_req, res) => write(res, refused(404, 'NOT_FOUND', 'no control call has this path and method')));
  app.use(lastResort);
  return app;
}

function served(host: Host): readonly ControlCall[] {
  const remote = host.lookUpPayment !== undefined;
  return controlCalls.filter(({ path }) => {
    if (path === ADVANCE) return host.clock.advance !== undefined;
    return !(remote && ledgerCalls.some((each) => each.path === path));
  });
}

function requireToken(token: string): RequestHandler {
  const wanted = Buffer.from(`Bearer ${token}`);
  return (req, res, next) => {
    const given = Buffer.from(req.headers.authorization ?? '');
    if (given.length === wanted.length && timingSafeEqual(given, wanted)) next();
    else write(res, refused(401, 'AUTH_MISSING', 'send Authorization: Bearer <control token>'));
  };
}

async function runCall(host: Host, call: ControlCall, req: Request, res: Response): Promise<void> {
  const params = req.params as Readonly<Record<string, string>>;
  const { body: schema } = call;
  if (schema === null) return write(res, await call.run(host, undefined, { nowMs: arrive(host), params }));
  const raw = await readBody(req, res, host.service.registry.protocol.body.bytesMax);
  if (!raw.ok) return write(res, refused(raw.row.status, raw.row.code, raw.detail ?? raw.row.cause));
  const parsed = schema.safeParse(raw.value);
  if (parsed.success) return write(res, await obey(host, call, parsed.data, params));
  const issue = parsed.error.issues[0];
  const at = issue === undefined || issue.path.length === 0 ? '' : `${issue.path.map(String).join('.')}: `;
  write(res, refused(400, 'VALIDATION', `${at}${issue?.message ?? 'the body is invalid'}`));
}

async function obey(
  host: Host,
  { path, kind, run }: ControlCall,
  body: unknown,
  params: Readonly<Record<string, string>>,
): Promise<Outcome> {
  const nowMs = arrive(host);
  const running = run(host, body, { nowMs, params });
  // A command acts at once, and nothing may come between it and its record.
  const outcome = kind === 'command' ? (running as Outcome) : await running;
  if (kind === 'command' && outcome.status === 200) {
    // An advance is recorded by where it led: its own time is over.
    const at = path === ADVANCE ? host.clock.nowMs() : nowMs;
    host.record?.({ at, name: `control:${path}`, agent: -1, body, given: params });
  }
  dispatch(host);
  return outcome;
}

function write(res: Response, { status, body }: Outcome): void {
  res.statusCode = status;
  res.setHeader('Content-Type', 'application/json; charset=utf-8');
  res.end(JSON.stringify(body));
}
